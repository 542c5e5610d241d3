// @ts-check
/** `<chouette-editor for="…">`: a board on which the position of a text field is set up by taps. */
import { h, setAttr, setText, setVars, svg } from "games/kit/page/dom.js";
import { fill as worded } from "games/kit/page/text.js";
import { Checkers } from "chouette/board/checkers.js";
import { Layout, W } from "chouette/board/geometry.js";
import { Grid } from "chouette/board/moving/grid.js";
import { Field } from "chouette/board/render.js";
import { BAR, OFF, THEIR_BAR, THEIR_OFF } from "chouette/board/state.js";
import { defs } from "chouette/board/board.js";
import { CHECKERS, EMPTY, START, onBoard, put, read, write } from "chouette/study/position.js";

/** @typedef {"mine" | "theirs" | "none"} Tool */
const ASPECT = 0.82;

class Editor extends HTMLElement {
  connectedCallback() {
    const field = document.getElementById(this.getAttribute("for") ?? "");
    if (!(field instanceof HTMLInputElement) || this.firstChild) return;
    this.input = field;
    /** @type {Tool} */
    this.tool = "mine";
    this.why = "";
    this.layout = new Layout(ASPECT);
    this.field = new Field();
    this.checkers = new Checkers();
    this.grid = new Grid();
    this.#build();
    field.addEventListener("input", () => this.#show());
    this.#show();
  }

  #build() {
    const { layout } = this;
    if (!layout || !this.field || !this.checkers || !this.grid) return;
    this.field.build(layout);
    const drawing = svg("svg", { class: "bt-svg", viewBox: `0 0 ${W} ${layout.H}`, "aria-hidden": "true" }, defs(),
      this.field.ground, this.checkers.el, this.checkers.labels);
    const fit = h("div", { class: "bt-fit" }, drawing, this.grid.el);
    setVars(fit, { "--aspect": W / layout.H });
    this.grid.el.addEventListener("click", (/** @type {MouseEvent} */ event) => this.#tap(placeIn(event.target)));
    this.grid.el.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event));
    this.tools = ["mine", "theirs", "none"].map((tool) => this.#toolButton(/** @type {Tool} */ (tool)));
    this.counts = h("p", { class: "hint", role: "status" });
    this.append(
      h("div", { class: "row", role: "group", "aria-label": gettext("What a tap does") }, this.tools),
      fit,
      this.counts,
      h(
        "div",
        { class: "row" },
        this.#fillButton(gettext("Usual start"), START),
        this.#fillButton(gettext("Empty board"), EMPTY),
      ),
    );
  }

  /** @param {Tool} tool */
  #toolButton(tool) {
    const theirs = gettext("Other checker");
    const labels = { mine: gettext("Checker that moves"), theirs, none: gettext("Take away") };
    const onclick = () => this.#take(tool);
    return h("button", { type: "button", class: "button", data: { tool }, onclick }, labels[tool]);
  }

  /** @param {string} label @param {string} letters */
  #fillButton(label, letters) {
    const setup = /** @type {import("chouette/study/position.js").Setup} */ (read(letters));
    return h("button", { type: "button", class: "button quiet", onclick: () => this.#set(setup.points) }, label);
  }

  /** @param {Tool} tool */
  #take(tool) {
    this.tool = tool;
    for (const button of this.tools ?? []) setAttr(button, "aria-pressed", String(button.dataset.tool === tool));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (this.grid?.arrow(event.key)) event.preventDefault();
    else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#tap(this.grid?.current ?? OFF);
    }
  }

  /** @param {number} place */
  #tap(place) {
    if (place === OFF || place === THEIR_OFF) return;
    const at = place === THEIR_BAR ? 0 : place;
    const { points } = this.#setup(), next = put(points, at, this.tool ?? "mine");
    if (next === points) this.why = gettext("All 15 of this side are on the board: take one away first.");
    this.#set(next);
  }

  /** @param {number[]} points */
  #set(points) {
    if (!this.input) return;
    this.input.value = write(points, this.#setup().rest || undefined);
    this.input.dispatchEvent(new Event("input"));
  }

  #setup() {
    return read(this.input?.value ?? "") ?? /** @type {import("chouette/study/position.js").Setup} */ (read(START));
  }

  #show() {
    const { layout, checkers, field, grid } = this;
    if (!layout || !checkers || !field || !grid) return;
    const { points, dice: roll } = this.#setup();
    const off = [true, false].map((isMine) => Math.max(0, CHECKERS - onBoard(points, isMine)));
    const scene = /** @type {import("chouette/board/state.js").Scene} */ ({ side: "team", points, off, dice: [] });
    field.count(scene);
    checkers.show(scene, layout);
    grid.show((place) => label(points, place), () => false, false);
    if (this.counts) setText(this.counts, [...counted(off, roll), this.why].filter(Boolean).join(" "));
    this.why = "";
    this.#take(this.tool ?? "mine");
  }
}

/**
 * @param {number[]} off borne off: by the player on roll, by the other one
 * @param {number[]} roll
 * @returns {string[]} sentences
 */
function counted(off, roll) {
  const text = gettext("On the board: %(mine)s of the player on roll, %(theirs)s of the other; the rest is borne off.");
  const counts = worded(text, { mine: CHECKERS - off[0], theirs: CHECKERS - off[1] });
  return roll.length ? [counts, worded(gettext("The roll is %(roll)s."), { roll: roll.join("-") })] : [counts];
}

/** @param {EventTarget | null} target */
function placeIn(target) {
  const cell = target instanceof Element ? target.closest("[data-place]") : null;
  return cell instanceof HTMLElement ? Number(cell.dataset.place) : OFF;
}

/** @param {number[]} points @param {number} place */
function label(points, place) {
  if (place === OFF || place === THEIR_OFF) return gettext("borne off");
  const n = points[place === THEIR_BAR ? 0 : place];
  const where = place === BAR || place === THEIR_BAR ? gettext("bar") : worded(gettext("point %(n)s"), { n: place });
  if (!n) return worded(gettext("%(where)s: empty"), { where });
  const text = n > 0 ? gettext("%(where)s: %(n)s of the player on roll") : gettext("%(where)s: %(n)s of the other");
  return worded(text, { where, n: Math.abs(n) });
}

customElements.define("chouette-editor", Editor);
