// @ts-check
/**
 * Time asked for in the ring before a roll: by a page that comes late, and by itself for a player who wishes it; and
 * the end of that time, told to this player alone.
 */
import { wants } from "games/kit/page/preferences.js";
import { gameOf } from "chouette/words/words.js";

/** @typedef {import("chouette/table.js").Now} Now */
/** @typedef {import("chouette/table.js").Acts} Acts */

/** The wish; it is off until the player has switched it on. */
export const OWN_TIME = "chouette.own_time";
/** Milliseconds below the grace time from which coming into the ring counts as late. */
const LATE_MS = 700;
/** Milliseconds by which the end of a time may be told early. */
const EARLY_MS = 700;

export class TimeAsked {
  /** The entry that opened the last ring into which this page came. */
  ring = 0;
  /** When my own time ends; 0 where none runs. */
  ends = 0;

  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
  }

  /** @param {Now} now */
  show(now) {
    this.#tellEnd(now);
    const { view, me } = now, ring = view.phase === "playing" ? gameOf(view).window?.ring : null;
    if (!ring || ring.opened === this.ring || me === null) return;
    // A command that waits for its answer is followed by another look.
    if (!now.canAct && wantsTime(now)) return;
    this.ring = ring.opened;
    const isLate = (now.clocks?.[me] ?? Infinity) < ring.seconds * 1000 - LATE_MS;
    const late = [false, true].find((one) => (one ? isLate : wantsTime(now)) && mayAsk(now, one));
    // Not while the table is still being drawn: a command draws it again.
    if (late !== undefined && now.canAct) queueMicrotask(() => this.acts.command("wait", { late }, !late));
  }

  /** Say that my time is over, unless I have used it. @param {Now} now */
  #tellEnd({ view, me, clocks }) {
    const window = view.phase === "playing" ? gameOf(view).window : null;
    // The time of a page that came late is no longer than the ring's.
    if (window?.waits.some(({ seat, seconds }) => seat === me && seconds !== window.ring?.seconds)) {
      this.ends = performance.now() + (clocks[me ?? -1] ?? Infinity);
      return;
    }
    const isOver = this.ends > 0 && performance.now() > this.ends - EARLY_MS;
    this.ends = 0;
    if (isOver) this.acts.emit("say", { text: gettext("Your time to double is over."), aloud: true });
  }
}

/** @param {Now} now @param {boolean} late */
const mayAsk = ({ choices }, late) =>
  choices.some((choice) => choice.name === "wait" && choice.options?.some((one) => one.late === late));

/**
 * Tell whether the player has wished for time before each roll; nobody's wishes count on a shared device.
 * @param {Now} now
 */
const wantsTime = ({ view, isShared }) => !isShared && !view.me?.auto && wants(OWN_TIME, false);
