// @ts-check
/**
 * What is done by itself, if the player wishes it: the roll of whoever may not double or is on auto no double, bearing
 * off where one play is clearly the best, and Confirm after a quiet play that the player has made by hand. The main
 * button's place says when, and the player can stop it.
 */
import { isSeen, setText } from "games/kit/page/dom.js";
import { afterRelease } from "games/kit/page/held.js";
import { changes, wants } from "games/kit/page/preferences.js";
import { fill } from "games/kit/page/text.js";
import { BY_ITSELF_MS } from "games/kit/table.js";
import { BAR, HOME, OFF, movesOf, viewOf } from "chouette/board/state.js";
import { gameOf, rollsText } from "chouette/words/words.js";
import { OWN_TIME } from "chouette/dock/time_asked.js";

/** @typedef {import("chouette/table.js").Now} Now */
/**
 * @typedef {{name: "roll" | "move", args: {play?: string}, basis: number, isMade?: boolean}} Plan `isMade`: the player
 *   has made the play
 */

/** Milliseconds from the fall of the dice until a play in the bear-off lies on the board. */
const LAID_AFTER_MS = 700;
const TICK_MS = 200;
/** Milliseconds after which a timer has slept: nobody has seen the time run. */
const SLEPT_MS = 1000;
/** What others ask, and what I have asked of them, lapses with a roll. */
const ASKED = ["answer_resignation", "answer_proposal", "answer_take_back"];

/** The wishes by name; each is on unless the player has switched it off. */
export const ROLL = "chouette.roll", BEAR_OFF = "chouette.bear_off", CONFIRM = "chouette.confirm";
/** Wishes, off unless switched on, with which the player confirms: to hear the table, to have one's own time. */
const LEFT_TO_ME = ["speech", OWN_TIME];

/**
 * Return the act without a decision, or null. On a device that several share nobody's wishes count.
 * @param {Now} now
 * @param {string | null} [made] the complete play that the player has made by hand
 * @returns {Plan | null}
 */
export function planned(now, made = null) {
  const { view, me, canAct, isTv, isShared, hasEnded } = now;
  if (me === null || !canAct || isTv || isShared || hasEnded || view.phase !== "playing") return null;
  const roll = now.choices.find(({ name }) => name === "roll");
  const move = now.choices.find((choice) => choice.name === "move");
  if (roll && wants(ROLL, true) && isRollAlone(now)) return { name: "roll", args: {}, basis: roll.basis };
  const { points, turn } = view.game ?? {};
  if (!move || !points || !turn) return null;
  const plays = (move.options ?? []).map(({ play }) => play), own = viewOf(points, turn);
  const clear = wants(BEAR_OFF, true) ? clearPlay(own, plays) : null;
  if (clear) return { name: "move", args: { play: clear }, basis: move.basis };
  const isConfirmed = made !== null && mayConfirm(now) && isQuiet(own, made);
  return isConfirmed ? { name: "move", args: { play: made }, basis: move.basis, isMade: true } : null;
}

/** Tell whether a play may be confirmed by itself at this table and for this player. @param {Now} now */
function mayConfirm({ view, isTournament }) {
  const isBound = isTournament || view.match_length || view.clock;
  return !isBound && wants(CONFIRM, true) && !LEFT_TO_ME.some((name) => wants(name));
}

/**
 * Tell whether a play hits nothing, and leaves no checker alone where two or more of its side stood.
 * @param {number[]} points in the mover's view
 * @param {string} play in notation
 */
export function isQuiet(points, play) {
  const after = [...points];
  for (const [from, to] of movesOf(play)) {
    after[from] -= 1;
    if (to !== OFF) after[to] += 1;
  }
  const isBroken = (/** @type {number} */ point) => point !== BAR && points[point] > 1 && after[point] === 1;
  return !play.includes("*") && !points.some((_, point) => isBroken(point));
}

/**
 * Tell whether I may not double before my roll or am on auto no double, and nothing is asked that the roll would end.
 * Where others may double the roll has to leave them a ring.
 * @param {Now} now
 */
function isRollAlone({ view, choices, me }) {
  const { stage, window, cubes, box, on_roll: roller, requests } = gameOf(view);
  if (requests.length || choices.some(({ name }) => ASKED.includes(name))) return false;
  if (stage === "roll") return true;
  if (stage === "offer") return roller === box && !choices.some(({ name }) => name === "offer");
  if (stage !== "window" || !window || window.ring) return false;
  const isMine = (/** @type {number} */ cube) => cubes[cube].holder === me;
  const isSilent = view.me?.auto || !window.may_double.some(isMine);
  return Boolean(isSilent && (view.options.grace_seconds || window.may_double.every(isMine)));
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

/** Return what others ask, say and suggest to me, as a key. @param {Now} now */
function askedOf({ view, choices }) {
  return JSON.stringify([view.me?.suggestions, view.me?.talk, choices.filter(({ name }) => ASKED.includes(name))]);
}

/** Return the last point that the mover holds, -1 for none. @param {number[]} points in the mover's view */
const lastHeld = (points) => points.reduce((last, count, point) => (count > 0 ? point : last), -1);

/**
 * @typedef {object} Hands what the act needs of the table
 * @property {(plan: Plan) => void} act
 * @property {(play: string) => boolean} lay makes a play in hand; whether nothing else was in hand
 * @property {() => string | null} inHand the complete play in hand
 * @property {(plan: Plan) => boolean} isSeen whether the player sees the button and is busy with nothing else
 * @property {() => void} redraw
 * @property {(plan: Plan, text: string) => void} count shows the time left in the button's place
 */

/** Return what a dock gives. @param {import("chouette/dock/dock.js").Dock} dock @returns {Hands} */
export function handsOf(dock) {
  const { acts, el, foot } = dock, redraw = () => dock.now && dock.show(dock.now);
  const isBusy = () => document.querySelector("dialog[open]") ?? document.activeElement?.matches("input, textarea");
  const isLaid = (/** @type {Plan} */ { isMade }) => !isMade || isSeen(el.querySelector(".bt-confirm") ?? el);
  return {
    act: ({ name, args }) => acts.command(name, args, true),
    lay: (play) => acts.layPlay(play),
    inHand: () => acts.inHand(),
    isSeen: (plan) => acts.isInFront() && isSeen(el) && isLaid(plan) && !isBusy(),
    redraw,
    count: ({ name }, text) => {
      const roll = foot.querySelector("[data-act='roll {}'] > span");
      if (name === "move") acts.countPlay(text);
      else if (roll) setText(roll, text);
    },
  };
}

/** One plan at a time, its countdown, and what stops it. */
export class ByItself {
  /** @type {Plan | null} */
  plan = null;
  /** The decision that the plan belongs to, and the one in which the player has stopped it. */
  key = "";
  stopped = "";
  end = 0;
  isLaid = false;
  timer = 0;
  /** What others asked when the count began. */
  asked = "";
  /** Whether the player's last touch was a pointer's: who plays by keys or by ear confirms. */
  isByPointer = false;

  /** @param {Hands} hands */
  constructor(hands) {
    this.hands = hands;
    for (const name of [ROLL, BEAR_OFF, CONFIRM, ...LEFT_TO_ME])
      changes.addEventListener(name, () => hands.redraw());
    document.addEventListener("visibilitychange", () => (this.plan?.isMade ? this.stop() : this.#begin()));
    addEventListener("keydown", () => this.#touched(false), true);
    addEventListener("pointerdown", ({ target }) => {
      const isOn = (/** @type {string} */ which) => target instanceof Element && target.closest(which);
      if (isOn(".bt-confirm")) return;
      if (this.plan?.name === "move" && isOn(".bt-board, .bt-play")) this.stop();
      this.#touched(true);
    }, true);
    this.#watchNotices();
  }

  /** Leave a made play to the player when something is told. */
  #watchNotices() {
    const isNew = (/** @type {MutationRecord} */ { addedNodes }) =>
      [...addedNodes].some((one) => one instanceof Element);
    const told = new MutationObserver((records) => this.plan?.isMade && records.some(isNew) && this.stop());
    for (const name of ["banners", "notices", "toasts"]) {
      const place = document.getElementById(name);
      if (place) told.observe(place, { childList: true, subtree: true });
    }
  }

  /** Note what the player acts with: any act but Confirm leaves a made play to them. @param {boolean} isByPointer */
  #touched(isByPointer) {
    this.isByPointer = isByPointer;
    if (this.plan?.isMade) this.stop();
  }

  /** @param {Now} now */
  show(now) {
    const plan = planned(now, this.isByPointer ? this.hands.inHand() : null), asked = askedOf(now);
    const key = plan ? `${plan.name} ${plan.basis}` : "";
    // With a line that was lost, or something new from my side, the play is the player's to confirm.
    const isLeft = this.plan?.isMade && (key !== this.key || asked !== this.asked);
    if (isLeft) this.stopped = this.key;
    if (key === this.key && !isLeft) return;
    this.key = key;
    this.asked = asked;
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
    if (plan.isMade && (now - due > SLEPT_MS || !hands.isSeen(plan))) return this.stop();
    if (now - due > SLEPT_MS) return this.#begin();
    if (plan.args.play && !plan.isMade && !this.isLaid && now > this.end - BY_ITSELF_MS + LAID_AFTER_MS) {
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
    if (!isAsLaid || document.hidden || !this.hands.isSeen(plan)) return this.stop();
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
