// @ts-check
/** The time left to double after the Captain's roll, or of a pause, as a line that grows shorter. */
import { h, setAttr, setText } from "games/kit/page/dom.js";
import { gameOf, rollsText } from "chouette/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** @typedef {import("chouette/table.js").Now} Now */

/** The same end told again differs by the time on the network, in milliseconds. */
const SAME_MS = 400;
const TICK_MS = 200;

export class Countdown {
  /** @param {HTMLElement} el the place of the line */
  constructor(el) {
    this.line = h("span", {});
    this.el = el;
    el.append(this.line);
    this.end = 0;
    /** @type {Animation | null} */
    this.motion = null;
    setInterval(() => this.#tick(), TICK_MS);
  }

  /** Count the seconds down in Roll's place. */
  #tick() {
    const place = this.motion && this.el.parentElement?.querySelector(".bt-d-rolls");
    if (place) setText(place, rollsText(this.end - performance.now()));
  }

  /** @param {Now} now @param {{left: number, whole: number} | null} own the time until an act by itself */
  show(now, own) {
    const found = own ?? (now.canAct || now.me === null ? timeLeft(now) : null);
    setAttr(this.el, "data-running", found !== null);
    const end = found ? performance.now() + found.left : 0;
    if (found && this.motion && Math.abs(end - this.end) < SAME_MS) return;
    this.motion?.cancel();
    this.motion = null;
    this.end = end;
    if (!found) return;
    const frames = [{ inlineSize: `${(100 * found.left) / found.whole}%` }, { inlineSize: "0%" }];
    this.motion = this.line.animate(frames, { duration: found.left, fill: "forwards" });
  }
}

/** Return what stands in Roll's place while others may double. @param {Now} now @returns {HTMLElement} */
export function rollsNode(now) {
  return h("p", { class: "bt-d-rolls" }, rollsText(timeLeft(now)?.left ?? 0));
}

/**
 * Return the time left and the whole time, in milliseconds: my own in the ring or the ring's, or the pause's; or null.
 * @param {Now} now
 * @returns {{left: number, whole: number} | null}
 */
function timeLeft({ view, clocks, me, hasEnded }) {
  if (hasEnded) return null;
  if (view.pause) return timed(clocks, view.pause.waiting, view.pause.seconds);
  const window = view.phase === "playing" && !gameOf(view).resignation ? gameOf(view).window : null;
  if (!window?.ring) return null;
  const own = window.waits.find((wait) => wait.seat === me);
  if (own) return timed(clocks, [own.seat], own.seconds);
  const others = window.asked.filter((seat) => seat === me || !window.waits.some((wait) => wait.seat === seat));
  return timed(clocks, me !== null && others.includes(me) ? [me] : others, window.ring.seconds);
}

/** @param {Record<number, number>} clocks @param {number[]} seats @param {number | null} seconds the whole time */
function timed(clocks, seats, seconds) {
  const running = seats.map((seat) => clocks[seat]).filter((left) => left > 0);
  const whole = (seconds ?? 0) * 1000;
  return running.length && whole ? { left: Math.min(whole, ...running), whole } : null;
}
