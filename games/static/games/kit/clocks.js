// @ts-check
/** Time left by seat: the server's last word, less the time since then. */

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
}
