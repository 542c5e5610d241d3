// @ts-check
/**
 * What is done by itself, if the player wishes it, where there is nothing to decide: the roll where nobody can double,
 * and bearing off where one play is clearly the best. The main button's place says when, and the player can stop it.
 */
import { isSeen, setText } from "games/kit/page/dom.js";
import { afterRelease } from "games/kit/page/held.js";
import { changes, wants } from "games/kit/page/preferences.js";
import { fill } from "games/kit/page/text.js";
import { HOME, OFF, movesOf, viewOf } from "chouette/board/state.js";
import { gameOf, rollsText } from "chouette/words/words.js";

/** @typedef {import("chouette/table.js").Now} Now */
/** @typedef {{name: "roll" | "move", args: {play?: string}, basis: number}} Plan */

/** Milliseconds until the act, and from the fall of the dice until the play lies on the board. */
export const BY_ITSELF_MS = 2000;
const LAID_AFTER_MS = 900;
const TICK_MS = 200;
/** Milliseconds after which a timer has slept: nobody has seen the time run. */
const SLEPT_MS = 1000;
/** What others ask, and what I have asked of them, lapses with a roll. */
const ASKED = ["answer_resignation", "answer_proposal", "answer_take_back"];

/** The wishes by name; each is on unless the player has switched it off. */
export const ROLL = "chouette.roll", BEAR_OFF = "chouette.bear_off";

/**
 * Return the act without a decision, or null. On a device that several share nobody's wishes count.
 * @param {Now} now
 * @returns {Plan | null}
 */
export function planned(now) {
  const { view, me, canAct, isTv, isShared, hasEnded } = now;
  if (me === null || !canAct || isTv || isShared || hasEnded || view.phase !== "playing") return null;
  const roll = now.choices.find(({ name }) => name === "roll");
  const move = now.choices.find((choice) => choice.name === "move");
  if (roll && wants(ROLL, true) && isRollAlone(now)) return { name: "roll", args: {}, basis: roll.basis };
  if (!move || !wants(BEAR_OFF, true)) return null;
  const plays = (move.options ?? []).map(({ play }) => play), { points, turn } = gameOf(view);
  const play = turn && clearPlay(viewOf(points, turn), plays);
  return play ? { name: "move", args: { play }, basis: move.basis } : null;
}

/** Tell whether nobody can double before my roll, and nothing is asked that it would end. @param {Now} now */
function isRollAlone({ view, choices, me }) {
  const { stage, window, cubes, box, on_roll: roller, proposals, last_play: last } = gameOf(view);
  if (proposals.length || last?.asked_back || choices.some(({ name }) => ASKED.includes(name))) return false;
  if (stage === "roll") return true;
  if (stage === "offer") return roller === box && !choices.some(({ name }) => name === "offer");
  const isMine = (/** @type {number} */ cube) => cubes[cube].holder === me;
  return stage === "window" && !window?.ring && Boolean(view.me?.auto && window?.may_double.every(isMine));
}

/**
 * Return the play that takes off the most checkers and leaves the fewest pips, when all own checkers are home and
 * contact is over; null where there is none, or more than one.
 * @param {number[]} points in the mover's view
 * @param {string[]} plays in notation
 * @returns {string | null}
 */
export function clearPlay(points, plays) {
  const last = lastHeld(points);
  if (last > HOME || points.some((count, point) => count < 0 && point < last)) return null;
  const ends = plays.map((play) => ({ play, moves: movesOf(play) })).map(({ play, moves }) => ({
    play,
    off: moves.filter(([, to]) => to === OFF).length,
    pips: moves.reduce((sum, [from, to]) => sum + from - to, 0),
  }));
  const most = Math.max(...ends.map(({ off }) => off)), furthest = Math.max(...ends.map(({ pips }) => pips));
  const best = ends.filter(({ off, pips }) => off === most && pips === furthest);
  return best.length === 1 && furthest > 0 ? best[0].play : null;
}

/** Return the last point that the mover holds, -1 for none. @param {number[]} points in the mover's view */
const lastHeld = (points) => points.reduce((last, count, point) => (count > 0 ? point : last), -1);

/**
 * @typedef {object} Hands what the act needs of the table
 * @property {(plan: Plan) => void} act
 * @property {(play: string) => boolean} lay makes a play in hand; whether nothing else was in hand
 * @property {() => string | null} inHand the complete play in hand
 * @property {() => boolean} isSeen whether the player sees the dock and is busy with nothing else
 * @property {() => void} redraw
 * @property {(plan: Plan, text: string) => void} count shows the time left in the button's place
 */

/** Return what a dock gives. @param {import("chouette/dock/dock.js").Dock} dock @returns {Hands} */
export function handsOf(dock) {
  const { acts, el, foot } = dock, redraw = () => dock.now && dock.show(dock.now);
  const isBusy = () => document.querySelector("dialog[open]") ?? document.activeElement?.matches("input, textarea");
  return {
    act: ({ name, args }) => acts.command(name, args, true),
    lay: (play) => acts.layPlay(play),
    inHand: () => acts.inHand(),
    isSeen: () => acts.isInFront() && isSeen(el) && !isBusy(),
    redraw,
    count: ({ name }, text) => {
      const roll = foot.querySelector("[data-act='roll {}'] > span");
      if (name === "move") acts.countPlay(text);
      else if (roll) setText(roll, text);
    },
  };
}

export class ByItself {
  /** @type {Plan | null} */
  plan = null;
  /** The decision that the plan belongs to, and the one in which the player has stopped it. */
  key = "";
  stopped = "";
  end = 0;
  isLaid = false;
  timer = 0;

  /** @param {Hands} hands */
  constructor(hands) {
    this.hands = hands;
    for (const name of [ROLL, BEAR_OFF]) changes.addEventListener(name, () => hands.redraw());
    document.addEventListener("visibilitychange", () => this.#begin());
    addEventListener("pointerdown", ({ target }) => {
      const isOnPlay = target instanceof Element && target.closest(".bt-board, .bt-play");
      if (this.plan?.name === "move" && isOnPlay && !target.closest(".bt-confirm")) this.stop();
    }, true);
  }

  /** @param {Now} now */
  show(now) {
    const plan = planned(now), key = plan ? `${plan.name} ${plan.basis}` : "";
    if (key === this.key) return;
    this.key = key;
    this.plan = key === this.stopped ? null : plan;
    this.#begin();
  }

  /** The time until the act in milliseconds; null where nothing is done by itself. */
  get time() {
    return this.plan && { left: Math.max(0, this.end - performance.now()), whole: BY_ITSELF_MS };
  }

  /** What stands in the button's place. */
  get text() {
    return this.plan ? countText(this.plan, this.end - performance.now()) : "";
  }

  /** Leave this decision to the player. */
  stop() {
    if (!this.plan) return;
    this.stopped = this.key;
    this.plan = null;
    this.#begin();
    this.hands.redraw();
  }

  /** Begin to count, also when the page is seen again; a hidden page does nothing by itself. */
  #begin() {
    clearTimeout(this.timer);
    this.end = performance.now() + BY_ITSELF_MS;
    this.isLaid = false;
    if (this.plan && !document.hidden) this.#wait();
  }

  #wait() {
    this.timer = window.setTimeout(() => this.#tick(performance.now() + TICK_MS), TICK_MS);
  }

  /** @param {number} due when this tick should have come */
  #tick(due) {
    const { plan, hands } = this, now = performance.now();
    if (!plan) return;
    if (now - due > SLEPT_MS) return this.#begin();
    if (plan.args.play && !this.isLaid && now > this.end - BY_ITSELF_MS + LAID_AFTER_MS) {
      this.isLaid = true;
      if (!hands.lay(plan.args.play)) return this.stop();
    }
    if (now >= this.end) return afterRelease(() => this.#act(plan));
    hands.count(plan, this.text);
    this.#wait();
  }

  /** @param {Plan} plan */
  #act(plan) {
    if (plan !== this.plan) return;
    const isAsLaid = !plan.args.play || this.hands.inHand() === plan.args.play;
    if (!isAsLaid || document.hidden || !this.hands.isSeen()) return this.stop();
    // After a refusal the player decides.
    this.stopped = this.key;
    this.plan = null;
    this.hands.act(plan);
  }
}

/** Return what stands in the button's place. @param {Plan} plan @param {number} left milliseconds */
function countText({ name }, left) {
  if (name === "roll") return rollsText(left);
  return fill(gettext("Plays in %(seconds)s …"), { seconds: Math.ceil(left / 1000) });
}
