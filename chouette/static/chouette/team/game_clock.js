// @ts-check
/** A seat's game clock in its tile: the free seconds of the turn, then the reserve; and what is said of it. */
import { h, setAttr, setText } from "games/kit/page/dom.js";
import { announce } from "games/kit/audio/speech.js";
import { buzz, sound } from "games/kit/audio/sound.js";
import { nameOf } from "games/kit/seats.js";
import { announceHurry, HURRY } from "games/kit/turn_bar.js";
import { fill } from "games/kit/page/text.js";

/** @typedef {import("chouette/table.js").Now} Now */

/** A reserve below it looks scarce, and is announced once. */
const LOW_MS = 60_000;
const REDRAW_MS = 200;

export class GameClock {
  /** @param {number} seat */
  constructor(seat) {
    this.seat = seat;
    this.free = h("span", { class: "bt-clock-free" });
    this.reserve = h("span", { class: "bt-clock-left" });
    this.el = h("span", { class: "bt-clock", role: "img", hidden: true }, this.free, this.reserve);
    /** The moment at which the flag falls, null while the clock stands. @type {number | null} */
    this.falls = null;
    this.left = Infinity;
    this.name = "";
    this.isLow = false;
    this.isMine = this.isLast = false;
    this.timer = 0;
  }

  /** @param {Now} now */
  show({ view, seats, clocks, me, isPaused, hasEnded }) {
    const { clock } = view;
    this.el.hidden = !clock;
    if (!clock) return;
    const until = hasEnded ? undefined : clocks[`${this.seat}:flag`];
    const isNew = this.left === Infinity;
    this.left = clock.left[this.seat];
    this.name = nameOf(seats, this.seat);
    this.falls = until === undefined ? null : performance.now() + until;
    if (isNew) this.isLow = this.left <= LOW_MS;
    this.isMine = me === this.seat;
    setAttr(this.el, "data-runs", clock.runs === this.seat && !hasEnded);
    setAttr(this.el, "data-fallen", clock.fallen.includes(this.seat));
    this.#draw(until);
    clearInterval(this.timer);
    this.timer = this.falls === null || isPaused ? 0 : window.setInterval(() => this.#tick(), REDRAW_MS);
  }

  #tick() {
    if (!this.el.isConnected || this.falls === null) return clearInterval(this.timer);
    this.#draw(this.falls - performance.now());
  }

  /** @param {number | undefined} until milliseconds until the flag falls */
  #draw(until) {
    const left = until === undefined ? this.left : Math.max(0, Math.min(this.left, until));
    const free = until === undefined ? 0 : Math.max(0, until - this.left);
    setText(this.free, free > 0 ? String(Math.ceil(free / 1000)) : "");
    setText(this.reserve, clockText(left));
    setAttr(this.el, "data-low", left <= LOW_MS);
    // A label that changes each second would be read each second.
    const minutes = Math.ceil(left / LOW_MS);
    const label = ngettext("%(minutes)s minute of reserve", "%(minutes)s minutes of reserve", minutes);
    setAttr(this.el, "aria-label", fill(label, { minutes }));
    if (left <= LOW_MS && !this.isLow) this.#warn();
    this.isLow = left <= LOW_MS;
    const isLast = this.isMine && until !== undefined && until <= HURRY * 1000;
    if (isLast && !this.isLast) announceHurry();
    this.isLast = isLast;
  }

  /** Say once that a minute is left. */
  #warn() {
    announce(fill(gettext("%(name)s has one minute left."), { name: this.name }));
    sound("nudge");
    buzz([120, 80, 120]);
  }
}

/** Return a reserve as "7:03"; a second that has begun is shown whole. @param {number} left milliseconds */
export function clockText(left) {
  const seconds = Math.ceil(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
