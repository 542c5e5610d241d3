// @ts-check
/**
 * `<chouette-position position="XGID=…" play="8/5 6/5">`: a board that shows a position in the view of who
 * chooses, and a play as arrows. The text around it says all of it in words.
 */
import { put, setVars, svg } from "games/kit/page/dom.js";
import { arrows } from "chouette/board/arrows.js";
import { defs } from "chouette/board/board.js";
import { Checkers } from "chouette/board/checkers.js";
import { Dice } from "chouette/board/dice.js";
import { Layout, W } from "chouette/board/geometry.js";
import { Field } from "chouette/board/render.js";
import { rollOf, viewOf } from "chouette/board/state.js";
import { CHECKERS, onBoard, read } from "chouette/study/position.js";

/** The offers of an XGID that the side answers which is not on roll: a double and a raccoon. */
const ANSWERED = /:[DR]:/;

class Picture extends HTMLElement {
  static observedAttributes = ["position", "play"];

  connectedCallback() {
    if (this.querySelector("svg")) return;
    this.layout = new Layout(0.82);
    this.field = new Field();
    this.checkers = new Checkers();
    this.dice = new Dice();
    this.arrows = svg("g", {});
    this.field.build(this.layout);
    const drawing = svg("svg", { class: "bt-svg", viewBox: `0 0 ${W} ${this.layout.H}`, "aria-hidden": "true" },
      defs(), this.field.ground, this.dice.el, this.checkers.el, this.checkers.labels, this.arrows);
    setVars(this, { "--aspect": W / this.layout.H });
    put(this, drawing);
    this.#show();
  }

  attributeChangedCallback() {
    this.#show();
  }

  #show() {
    const { layout, field, checkers, dice } = this;
    const text = this.getAttribute("position") ?? "", setup = read(text);
    if (!layout || !field || !checkers || !dice || !this.arrows || !setup) return;
    const points = viewOf(setup.points, ANSWERED.test(text) ? "team" : "box");
    const off = [true, false].map((isMine) => Math.max(0, CHECKERS - onBoard(points, isMine)));
    const scene = /** @type {import("chouette/board/state.js").Scene} */ ({
      side: "team", points, off, dice: rollOf(setup.dice, true),
    });
    field.count(scene);
    dice.show(scene.dice, layout, scene.side);
    checkers.show(scene, layout);
    const play = this.getAttribute("play") ?? "";
    const bare = { ...scene, dice: [] };
    put(this.arrows, play.includes("/") && arrows({ play, scene: bare, isMine: true, kind: "is-only" }, layout));
  }
}

customElements.define("chouette-position", Picture);
