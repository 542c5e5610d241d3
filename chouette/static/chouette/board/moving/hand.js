// @ts-check
/**
 * The play in hand: the checker picked up, the effect of a tap, the steps made. Where the way
 * to a far target makes a difference, the player chooses the way first.
 */
import { read, write } from "games/kit/page/preferences.js";
import { Draft } from "chouette/board/moving/draft.js";
import { countAt, move, spend, viewOf } from "chouette/board/state.js";
import { stepsOf } from "chouette/board/moving/steps.js";

/** @typedef {import("chouette/board/state.js").Scene} Scene */
/** @typedef {import("chouette/board/moving/draft.js").Route} Route */
/** @typedef {"move" | "suggest"} Mode */

/** Where the play begun is kept over a reload of the page. */
const BEGUN = `chouette.begun ${location.pathname}`;

export class Hand {
  /** @param {(how: {moved: boolean, isByKey: boolean}) => void} onChange */
  constructor(onChange) {
    /** @type {typeof onChange} */
    this.onChange = (how) => {
      if (how.moved) this.#keep();
      onChange(how);
    };
    /** @type {Draft | null} */
    this.draft = null;
    /** @type {Mode | null} */
    this.mode = null;
    /** The place of the checker that is picked up. @type {number | null} */
    this.held = null;
    /** Ways to one far target to choose from. @type {Route[]} */
    this.ways = [];
    /** True while a tap plays the lower die first. */
    this.isLowFirst = false;
  }

  /**
   * Take the roll's plays from the choices. An unfinished play stays as long as the roll is the same.
   * @param {Chouette.View} view @param {Chouette.Choice[]} choices
   */
  take(view, choices) {
    const mode = ["move", "suggest"].find((name) => choices.some((choice) => choice.name === name));
    this.mode = /** @type {Mode | null} */ (mode ?? null);
    const { number, turn, dice, points } = view.game ?? {};
    const key = JSON.stringify([number, turn, dice, points, this.mode]);
    if (this.mode && this.draft?.key === key) return;
    const plays = this.mode ? playsOf(choices, this.mode) : [];
    const isPlayed = points && dice && turn && this.mode;
    this.draft = isPlayed ? new Draft(stepsOf(viewOf(points, turn), dice, plays), key) : null;
    this.isLowFirst = false;
    this.#let();
    this.#restore();
    // The only play needs no advice.
    if (this.mode === "suggest" && this.draft?.only) this.draft = this.mode = null;
  }

  /** The place picked up, or the only possible one. */
  get active() {
    const sources = this.draft?.sources ?? [];
    return this.held ?? (sources.length === 1 ? sources[0] : null);
  }

  /** @returns {Map<number, Route[]>} */
  get targets() {
    return this.draft && this.active !== null ? this.draft.targets(this.active) : new Map();
  }

  /** Return the scene with the steps made so far. @param {Scene} scene @returns {Scene} */
  on(scene) {
    if (!this.draft) return scene;
    const after = this.draft.steps.reduce((s, [from, to]) => move(s, true, from, to), scene);
    return { ...after, dice: spend(this.#inOrder(scene.dice), this.draft.node.left) };
  }

  /** Return the dice in the order of taps. @param {import("chouette/board/state.js").DieSpot[]} dice */
  #inOrder(dice) {
    const sign = this.isLowFirst ? 1 : -1;
    return [...dice].sort((a, b) => sign * (a.value - b.value));
  }

  /** Return the marks on a scene. @param {Scene} scene @returns {import("chouette/board/render.js").Marks} */
  marks(scene) {
    if (this.ways.length) {
      const near = this.ways.map((route) => route.steps[0][1]);
      return { source: this.active, sources: [], near, far: [], hits: hits(scene, near) };
    }
    const all = [...this.targets];
    const near = all.filter(([, routes]) => routes[0].steps.length === 1).map(([place]) => place);
    const far = all.filter(([, routes]) => routes[0].steps.length > 1).map(([place]) => place);
    // The arrow of the only play is enough.
    if (this.held === null && this.draft?.only && !this.draft.made.length)
      return { source: null, sources: [], near: [], far: [], hits: [] };
    const sources = this.held === null ? (this.draft?.sources ?? []) : [];
    return { source: this.held, sources, near, far, hits: hits(scene, [...near, ...far]) };
  }

  /** Return the places that can be used now. @param {boolean} isPickingUp */
  places(isPickingUp) {
    if (this.ways.length && !isPickingUp) return this.ways.map((route) => route.steps[0][1]);
    const sources = this.draft?.sources ?? [];
    return isPickingUp ? sources : [...new Set([...this.targets.keys(), ...sources])];
  }

  /**
   * Handle a tap on a place. A finger plays one die of the checker there; a key picks it up, then names the target.
   * @param {number} place @param {boolean} isByKey
   */
  tap(place, isByKey) {
    if (!this.draft) return;
    const chosen = this.ways.find((route) => route.steps[0][1] === place);
    const isHeld = this.held !== null;
    const quick = isByKey && this.held !== place ? null : this.draft.quick(place, this.isLowFirst);
    const routes = chosen ? [chosen] : this.ways.length ? undefined : this.targets.get(place);
    if (quick && (!isHeld || this.held === place) && !chosen) this.choose([quick], isByKey);
    else if (routes) this.choose(routes, isByKey);
    else this.pick(isByKey && this.draft.sources.includes(place) ? place : null, isByKey);
  }

  /** Play the other die first by a tap. */
  swap() {
    if (this.draft?.made.length) return;
    this.isLowFirst = !this.isLowFirst;
    this.onChange({ moved: false, isByKey: false });
  }

  /** Make a whole play, still to be confirmed. @param {string} play */
  whole(play) {
    if (!this.draft?.make(play)) return;
    this.#let();
    this.onChange({ moved: true, isByKey: false });
  }

  /** @param {number | null} place @param {boolean} [isByKey] */
  pick(place, isByKey = false) {
    this.#let();
    this.held = place;
    this.onChange({ moved: false, isByKey });
  }

  /** @param {Route[]} routes @param {boolean} [isByKey] */
  choose(routes, isByKey = false) {
    const isClear = routes.length === 1;
    if (isClear) {
      this.#let();
      this.draft?.take(routes[0]);
    } else this.ways = routes;
    this.onChange({ moved: isClear, isByKey });
  }

  /** Put a dragged checker down, or back. @param {number | null} place */
  drop(place) {
    const routes = place === null ? undefined : this.targets.get(place);
    if (routes) this.choose(routes);
    else this.pick(null);
  }

  undo() {
    const isUndone = this.ways.length > 0 || this.draft?.undo();
    this.#let();
    if (isUndone) this.onChange({ moved: true, isByKey: false });
  }

  /** Put down the checker picked up. @returns {boolean} whether there was one */
  release() {
    const had = this.held !== null || this.ways.length > 0;
    if (had) this.pick(null);
    return had;
  }

  /** Forget the steps made so far. */
  clear() {
    if (this.draft) this.draft.made = [];
    this.#keep();
    this.#let();
  }

  /** Keep the steps made so far for this page's next loading. */
  #keep() {
    const { key, made } = this.draft ?? { key: "", made: [] };
    write(sessionStorage, BEGUN, made.length ? JSON.stringify({ key, made }) : null);
  }

  /** Make the steps again that this page had made of the same roll. */
  #restore() {
    const kept = JSON.parse(read(sessionStorage, BEGUN) ?? "null");
    if (this.draft && kept?.key === this.draft.key) this.draft.made = kept.made;
  }

  #let() {
    this.held = null;
    this.ways = [];
  }
}

/** Return the places with a blot of the other side. @param {Scene} scene @param {number[]} places */
const hits = (scene, places) => places.filter((place) => place > 0 && countAt(scene, place) === -1);

/** @param {Chouette.Choice[]} choices @param {Mode} mode @returns {string[]} */
function playsOf(choices, mode) {
  const choice = choices.find(({ name }) => name === mode);
  return /** @type {Chouette.ChosenPlay[]} */ (choice?.options ?? []).map(({ play }) => play);
}
