// @ts-check
/** Which calls of a big screen are made, and when: no voice, no clock of its own. */

/**
 * @typedef {object} Call
 * @property {string} key what it tells of: nothing is called twice
 * @property {string} text
 * @property {number} at milliseconds: when it happened
 * @property {boolean} [isResult] the end of a game, for which a call of each minute is kept
 */

/** Milliseconds after what happened, in which a call begins: dice have come to rest, and nothing is old. */
export const EARLIEST_MS = 700, LATEST_MS = 1500;
export const MOST_A_MINUTE = 6;
/** A minute, and the time in which a voice begins. */
const MINUTE_MS = 60000 + LATEST_MS;

export class Calls {
  constructor() {
    /** @type {Call[]} */
    this.waiting = [];
    /** The beginnings of the last minute's calls. @type {number[]} */
    this.begun = [];
    /** @type {Set<string>} */
    this.known = new Set();
  }

  /** Let a call wait for its moment, unless it has been offered before. @param {Call} call */
  offer(call) {
    if (this.known.has(call.key)) return;
    this.known.add(call.key);
    this.waiting.push(call);
  }

  /**
   * Return the call that begins now, or null: a result before others, then the newest. Late ones are forgotten.
   * @param {number} now @param {boolean} isFree no call is being made
   */
  next(now, isFree) {
    this.begun = this.begun.filter((at) => now - at < MINUTE_MS);
    this.waiting = this.waiting.filter(({ at }) => now - at <= LATEST_MS);
    if (!isFree) return null;
    const room = MOST_A_MINUTE - this.begun.length;
    const due = this.waiting.filter(({ at, isResult }) => now - at >= EARLIEST_MS && room > (isResult ? 0 : 1));
    const [first] = due.sort((a, b) => Number(b.isResult ?? false) - Number(a.isResult ?? false) || b.at - a.at);
    if (!first) return null;
    this.waiting = this.waiting.filter((one) => one !== first);
    this.begun.push(now);
    return first;
  }
}
