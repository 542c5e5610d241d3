// @ts-check
/** Greetings by one tap, for a player of whom nothing is asked: one in five seconds. */
import { h, put, setAttr } from "games/kit/page/dom.js";

/** @typedef {{text: string, off: boolean, run: () => void}} Greeting `off` for a moment after one was sent */
/** @typedef {{greetings: string[], choices: {required: boolean}[], me: number | null}} Waits */

/** Milliseconds from one greeting to the next, as the house has it. */
const BETWEEN_MS = 5000;

let greeted = -Infinity;

/**
 * Return the greetings of a player, none while something is asked of them.
 * @param {Waits} now @param {(text: string) => void} send @param {() => void} redraw
 * @returns {Greeting[]}
 */
export function greetingsOf({ greetings, choices, me }, send, redraw) {
  if (me === null || choices.some(({ required }) => required)) return [];
  const off = greeted + BETWEEN_MS > performance.now();
  const run = (/** @type {string} */ text) => {
    greeted = performance.now();
    setTimeout(redraw, BETWEEN_MS);
    send(text);
    redraw();
  };
  return greetings.map((text) => ({ text, off, run: () => run(text) }));
}

/** The greetings as a row of buttons, each the same as long as the greetings are. */
export class GreetingRow {
  /** @type {Greeting[]} */
  all = [];
  /** @type {Waits} */
  now = { greetings: [], choices: [], me: null };

  /** @param {string} name its class @param {(text: string) => void} send */
  constructor(name, send) {
    this.send = send;
    this.el = h("div", { class: name, role: "group", "aria-label": gettext("Greetings"), hidden: true });
  }

  /** @param {Waits} now */
  show(now) {
    this.now = now;
    const all = greetingsOf(now, this.send, () => this.show(this.now)), { el } = this;
    const isSame = all.length === this.all.length && all.every(({ text }, i) => text === this.all[i].text);
    this.all = all;
    el.hidden = !all.length;
    const button = (/** @type {Greeting} */ { text }, /** @type {number} */ i) =>
      h("button", { type: "button", onclick: () => this.#press(i) }, text);
    if (!isSame) put(el, all.map(button));
    for (const [i, one] of [...el.children].entries()) setAttr(one, "aria-disabled", all[i].off ? "true" : null);
  }

  /** @param {number} place */
  #press(place) {
    if (!this.all[place].off) this.all[place].run();
  }
}
