// @ts-check
/** When frames have come, as far as a page can tell: one that stood still has read late what had come before. */

export const BEAT_MS = 500;
/** A page whose beats are so far apart has stood still: its phone slept, or did other things. */
const STILL_MS = 1500;
/** So long after that it still reads what came meanwhile. */
const CATCHES_UP_MS = 1000;

export class Arrivals {
  /** The first and the last moment in which the page last stood still. */
  from = -Infinity;
  until = -Infinity;

  /** @param {() => number} now the clock of the seat's device */
  constructor(now = () => performance.timeOrigin + performance.now()) {
    this.now = now;
    this.last = now();
  }

  /** Note that the page runs; to be called at least every `BEAT_MS`. */
  beat() {
    const now = this.now();
    if (now - this.last > STILL_MS) [this.from, this.until] = [this.last, now];
    this.last = now;
  }

  /** Return the earliest time at which the frame that is read now can have come. */
  earliest() {
    this.beat();
    return this.last - this.until < CATCHES_UP_MS ? this.from : this.last;
  }
}
