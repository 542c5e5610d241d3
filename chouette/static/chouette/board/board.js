// @ts-check
/**
 * The board. It knows no rules: the legal plays come with the choices, and a complete play is
 * sent. `show` draws the current scene at once; `play` shows events with motion.
 */
import { h, isSeen, put, setAttr, setVars, svg } from "games/kit/page/dom.js";
import { fetched } from "games/kit/page/fetched.js";
import { skip } from "games/kit/page/motion.js";
import { changes } from "games/kit/page/preferences.js";
import { CHECKER_MS, act, isActed } from "chouette/board/animation.js";
import { Bar } from "chouette/board/bar.js";
import { Checkers } from "chouette/board/checkers.js";
import { Dice } from "chouette/board/dice.js";
import { HOME_LEFT, Layout, W, aspectFor } from "chouette/board/geometry.js";
import { Grid } from "chouette/board/moving/grid.js";
import { Hand } from "chouette/board/moving/hand.js";
import { Input } from "chouette/board/moving/input.js";
import { Field } from "chouette/board/render.js";
import { countAt, sceneOf } from "chouette/board/state.js";
import { barState, heldLine, labelOf } from "chouette/board/words.js";

/** @typedef {import("chouette/table.js").Acts} Acts */
/** @typedef {import("chouette/table.js").Now} Now */
/** @typedef {import("chouette/board/state.js").Scene} Scene */

/** The size of the numbers of points in units of the drawing, and their largest on a screen in pixels. */
const NUMBER = 18.5, MOST_NUMBER = 16;

export class Board {
  /** @type {Now | null} */
  now = null;
  /** The current scene. @type {Scene | null} */
  scene = null;
  /** The scene drawn last; beside it the one before the last change. @type {Scene | null} */
  drawn = null;
  /** @type {Scene | null} */
  past = null;
  /** A play to be shown as arrows, for lists elsewhere. @type {string | null} */
  pointed = null;
  isActing = false;
  run = 0;
  sceneKey = "";
  arrowsKey = "";
  /** Arrows that are drawn now. @type {import("chouette/board/arrows.js").Drawn[]} */
  plays = [];
  /** What draws them, once it has come. @type {typeof import("chouette/board/arrows.js") | null} */
  drawing = null;
  areArrowsAsked = false;

  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.layout = new Layout(0.85);
    this.hand = new Hand((how) => this.#changed(how));
    this.field = new Field();
    this.checkers = new Checkers();
    this.dice = new Dice();
    this.arrows = svg("g", {});
    this.grid = new Grid();
    this.bar = new Bar({ undo: () => this.#undo(), go: () => this.#send(), type: (text) => this.#sendText(text) });
    this.svg = svg("svg", { class: "bt-svg", "aria-hidden": "true", focusable: "false" }, defs(),
      this.field.ground, this.dice.el, this.checkers.el, this.checkers.labels, this.field.marks, this.arrows);
    this.fit = h("div", { class: "bt-fit" }, this.svg, this.grid.el);
    this.area = h("div", { class: "bt-area" }, this.fit);
    this.el = h("section", { class: "bt-board", "aria-label": gettext("Backgammon board") }, this.area);
    this.input = new Input(this.grid, this.#hands());
    this.#build(0.85);
    new ResizeObserver(() => this.#resize()).observe(this.area);
    changes.addEventListener(HOME_LEFT, () => this.#build(this.layout.H / W));
    addEventListener("pointerdown", () => this.#stop(), { capture: true, passive: true });
  }

  /** @param {Now} now */
  show(now) {
    this.now = now;
    this.hand.take(now.view, now.choices);
    const scene = sceneOf(now.view, now.eye);
    const key = JSON.stringify([scene, now.view.game?.number]);
    this.past = this.drawn;
    if (key !== this.sceneKey) Object.assign(this, { sceneKey: key, scene, isActing: false, run: this.run + 1 });
    setAttr(this.el, "data-tv", now.isTv);
    this.#draw();
  }

  /** @param {Chouette.Event[]} events @param {Chouette.View} view */
  async play(events, view) {
    const { now, past } = this;
    this.past = null;
    if (!now) return;
    if (!past || !this.scene || !isActed(events)) return;
    // With a new game the board may have turned round for me; the dice before it are dropped.
    const isNew = events.some(({ type }) => type === "game_started");
    if (past.side !== this.scene.side && !isNew) return;
    const from = past.side === this.scene.side ? past : { ...this.scene, dice: [] };
    const run = ++this.run;
    this.isActing = true;
    this.#draw();
    await act(events, this.#stage(from, view, () => run === this.run));
    if (run === this.run) this.#stop();
  }

  /** The complete play that is made and not sent, or null. */
  get inHand() {
    const { draft } = this.hand;
    return draft?.made.length ? draft.play : null;
  }

  /** Make a play in hand, unless another has been begun; tell whether it lies there. @param {string} play */
  layPlay(play) {
    if (!this.#canPlay() || this.hand.draft?.made.length || this.hand.held !== null) return false;
    this.hand.whole(play);
    return this.inHand === play;
  }

  /** Say in Confirm's place when the play in hand is sent by itself; "" where it is not. @param {string} text */
  countPlay(text) {
    this.bar.count(text);
  }

  /** Draw a play of the side on turn as arrows; null removes them. @param {string | null} play */
  showPlay(play) {
    this.pointed = play;
    this.#draw();
  }

  /**
   * Handle a key pressed anywhere on the page: U takes a step back, Enter sends a complete play, or the only one.
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the key was used
   */
  key({ key, target }) {
    const isOnControl = target instanceof Element && target.closest("button, a, summary, [role]");
    if (!this.#canPlay()) return false;
    if (key.toLowerCase() === "u" && this.hand.draft?.made.length) this.#undo();
    else if (key === "Enter" && (this.hand.draft?.play || this.hand.draft?.only) && !isOnControl) this.#send();
    else return false;
    return true;
  }

  /** @param {Scene} scene @param {Chouette.View} view @param {() => boolean} isCurrent */
  #stage(scene, view, isCurrent) {
    const isBox = (/** @type {number} */ seat) => seat === view.game?.box || seat === view.game?.partner;
    return {
      scene,
      isCurrent,
      isMine: (/** @type {number} */ seat) => isBox(seat) === (scene.side === "box"),
      show: (/** @type {Scene} */ next, /** @type {number} */ ms) =>
        isCurrent() ? this.#paint(next, ms) : Promise.resolve(),
      roll: (/** @type {boolean} */ isMine) => this.dice.roll(isMine),
      sound: (/** @type {string} */ name) => this.acts.emit("sound", { name }),
    };
  }

  /** End the motion and draw the current scene. */
  #stop() {
    if (!this.isActing) return;
    this.run += 1;
    this.isActing = false;
    // A skipped motion may have begun its next step already.
    skip();
    this.#draw();
  }

  /** @param {number} [ms] */
  #draw(ms = 0) {
    const { now, scene, hand } = this;
    if (!now || !scene) return;
    const image = hand.on(scene);
    if (!this.isActing) {
      this.#paint(image, ms);
      this.drawn = image;
    }
    this.#mark(image, now);
    const hadFocus = this.bar.el.contains(document.activeElement);
    this.bar.show(barState(now, hand, this.#ways));
    if (hadFocus && !isSeen(document.activeElement ?? document.body)) this.grid.focus();
  }

  /** Acts of the dock's first line on the play in hand. */
  #ways = {
    choose: (/** @type {import("chouette/board/moving/draft.js").Route} */ way) => this.hand.choose([way]),
    whole: (/** @type {string} */ play) => this.#canPlay() && this.hand.whole(play),
  };

  /** @param {Scene} scene @param {number} ms */
  #paint(scene, ms) {
    this.field.count(scene);
    this.dice.show(scene.dice, this.layout, scene.side);
    return this.checkers.show(scene, this.layout, ms);
  }

  /** Draw marks and arrows, which belong to the current scene, not to motion. @param {Scene} image @param {Now} now */
  #mark(image, now) {
    const { hand, layout } = this;
    const marks =
      this.#canPlay() && !this.isActing
        ? hand.marks(image)
        : { source: null, sources: [], near: [], far: [], hits: [] };
    this.field.mark(layout, marks, (place) => Math.abs(countAt(image, place)));
    this.#drawArrows(image, now);
    this.grid.show((place) => labelOf(image, place, now, marks), (place) => hand.held === place, now.isTv);
  }

  /** Draw plays as arrows; those of the first play follow the module that draws them. */
  #drawArrows(/** @type {Scene} */ image, /** @type {Now} */ now) {
    const { hand, layout, drawing, pointed } = this;
    if (!drawing) {
      const { game, me } = now.view;
      if (pointed || now.lesson || hand.draft?.only || game?.last_play || me?.suggestions.length) this.#fetchArrows();
      return;
    }
    const plays = this.isActing ? [] : drawing.drawnPlays(now, hand, this.scene ?? image, pointed);
    const key = JSON.stringify([plays, layout.H]);
    this.plays = plays;
    if (key !== this.arrowsKey) put(this.arrows, plays.map((drawn) => drawing.arrows(drawn, layout)));
    this.arrowsKey = key;
  }

  async #fetchArrows() {
    if (this.areArrowsAsked) return;
    this.areArrowsAsked = true;
    this.drawing = await fetched(() => import("chouette/board/arrows.js"));
    this.#draw();
  }

  #canPlay() {
    return Boolean(this.now?.canAct && this.hand.draft && !this.now.isTv);
  }

  /** @returns {import("chouette/board/moving/input.js").Hands} */
  #hands() {
    const { hand } = this;
    return {
      canPlay: () => this.#canPlay(),
      layout: () => this.layout,
      places: (isPickingUp) => hand.places(isPickingUp),
      tap: (place, isByKey) => hand.tap(place, isByKey),
      touch: (x, y) => this.#touch(x, y),
      lift: (place) => this.#lift(place),
      carry: (x, y) => this.#carry(x, y),
      drop: (place) => {
        this.checkers.free();
        hand.drop(place);
      },
      undo: () => this.#undo(),
      release: () => hand.release(),
    };
  }

  /** Handle a tap: on my dice it swaps them, on an arrow it makes its play. @param {number} x @param {number} y */
  #touch(x, y) {
    const { hand, layout } = this;
    const play = this.drawing?.playAt(this.plays, layout, { x, y });
    if (play) hand.whole(play);
    else if (layout.isOnDice(x, y) && !hand.draft?.made.length) hand.swap();
    else return false;
    return true;
  }

  /** @param {number} place */
  #lift(place) {
    this.hand.pick(place);
    return this.checkers.top(place) !== undefined;
  }

  /** @param {number} x @param {number} y */
  #carry(x, y) {
    const man = this.hand.held === null ? undefined : this.checkers.top(this.hand.held);
    if (man) this.checkers.carry(man, x, y);
  }

  /** @param {{moved: boolean, isByKey: boolean}} how */
  #changed({ moved, isByKey }) {
    const { hand, now } = this;
    if (moved) this.acts.emit("sound", { name: "tap" });
    this.#draw(CHECKER_MS);
    this.acts.followPlay(isByKey);
    if (!now || !isByKey) return;
    if (hand.held !== null) this.acts.emit("say", { text: heldLine(hand, now) });
    if (moved && hand.draft?.play) this.bar.go.focus();
  }

  #undo() {
    if (this.#canPlay()) this.hand.undo();
  }

  #send() {
    const { hand } = this;
    const play = hand.draft?.play ?? hand.draft?.only;
    if (!play || !hand.mode || !this.#canPlay()) return;
    this.acts.command(hand.mode, { play });
    if (hand.mode === "suggest") {
      hand.clear();
      this.#draw(CHECKER_MS);
    }
  }

  /**
   * Send a typed play; the server checks it.
   * @param {string} play
   * @returns {boolean} whether it was sent
   */
  #sendText(play) {
    const { mode } = this.hand;
    if (!mode || !this.#canPlay()) return false;
    this.hand.clear();
    this.#draw(CHECKER_MS);
    this.acts.command(mode, { play });
    return true;
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.area;
    if (!width || !height) return;
    const aspect = aspectFor(height, width), wide = Math.floor(Math.min(width, height / aspect));
    // Numbers of points are read from near: 16 px are enough on every screen.
    const number = Math.min(NUMBER, (MOST_NUMBER * W) / wide);
    const [w, tall] = [wide, Math.floor(wide * aspect)].map((n) => `${n}px`);
    setVars(this.fit, { "--bt-w": w, "--bt-h": tall, "--bt-number": `${number}px` });
    if (Math.round(W * aspect) !== this.layout.H) this.#build(aspect);
  }

  /** @param {number} aspect */
  #build(aspect) {
    this.layout = new Layout(aspect);
    setAttr(this.svg, "viewBox", `0 0 ${W} ${this.layout.H}`);
    this.field.build(this.layout);
    this.grid.lay();
    this.dice.key = this.arrowsKey = "";
    this.#draw();
  }
}

/** Light from the upper left on every checker; the style sheet has the colours. */
export function defs() {
  const light = (/** @type {string} */ id) =>
    svg(
      "radialGradient",
      { id, cx: "36%", cy: "30%", r: "78%" },
      ["a", "b", "c"].map((stop, i) => svg("stop", { class: `${id}-${stop}`, offset: [0, 0.55, 1][i] })),
    );
  const felt = svg(
    "radialGradient",
    { id: "bt-cloth", gradientUnits: "userSpaceOnUse", cx: W / 2, cy: W * 0.4, r: W * 0.62 },
    svg("stop", { class: "bt-cloth-a", offset: 0 }),
    svg("stop", { class: "bt-cloth-b", offset: 1 }),
  );
  const wood = svg(
    "linearGradient",
    { id: "bt-wood", x2: 0, y2: 1 },
    svg("stop", { class: "bt-wood-a", offset: 0 }),
    svg("stop", { class: "bt-wood-b", offset: 0.4 }),
    svg("stop", { class: "bt-wood-c", offset: 1 }),
  );
  return svg("defs", {}, light("bt-light"), light("bt-dark"), felt, wood);
}
