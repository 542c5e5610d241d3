// @ts-check
/** Time left by seat: the server's last word, less the time since then. */

/** Milliseconds by which the house's clock and ours may differ by the way of a message. */
const SLACK_MS = 400;

export class Clocks {
  /** @param {() => number} [now] milliseconds of a clock that is never set */
  constructor(now = () => performance.now()) {
    this.now = now;
    /** @type {Record<string, number>} */
    this.times = {};
    this.since = 0;
  }

  /** @param {Record<string, number> | undefined} times seat → milliseconds left at this moment */
  set(times) {
    if (!times) return;
    this.times = times;
    this.since = this.now();
  }

  /**
   * @param {boolean} isPaused then the clocks stand still
   * @returns {Record<string, number>} seat → milliseconds left now
   */
  left(isPaused) {
    const passed = isPaused ? 0 : this.now() - this.since;
    return Object.fromEntries(Object.entries(this.times).map(([seat, left]) => [seat, Math.max(0, left - passed)]));
  }

  /**
   * Tell whether the clocks show what the house says now.
   * @param {Record<string, number> | undefined} times @param {boolean} isPaused
   */
  agree(times, isPaused) {
    const left = this.left(isPaused), keys = Object.keys(times ?? left);
    return keys.length === Object.keys(left).length &&
      keys.every((key) => Math.abs(left[key] - (times ?? left)[key]) < SLACK_MS);
  }
}
