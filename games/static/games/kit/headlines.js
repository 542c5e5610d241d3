// @ts-check
/**
 * Headlines of the evening on a big screen: at a turning point, a headline has the place beside the board for some
 * seconds, and then what others still answer; the newest one stays in the bar at the top. They are the lines of events
 * that say so, and what a game's `headlines` makes of several (docs/front-end.md).
 */
import { h, put, setText } from "games/kit/page/dom.js";
import { isCalm } from "games/kit/page/motion.js";
import { lineOf, manner, told } from "games/kit/page/sentences.js";
import { nameOf } from "games/kit/seats.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {{seq: number, events: House.SentEvent[], headlines?: House.SentHeadline[]}} Entry of the log */

/**
 * @typedef {object} Headline
 * @property {string} text a short whole sentence: "Five double to 2!"
 * @property {"line" | "turn" | "result"} kind `line` stands in the bar only, the others beside the board: a result for
 *   longer, and it is never dropped from the queue
 * @property {string} [detail] a second sentence, in smaller type
 * @property {{seat: number, name: string, text: string, tone: "" | "plus" | "minus"}[]} [people] its
 *   effect on players: "Anna +8"
 * @property {number[]} [rise] from what to what a cube goes
 * @property {boolean} [isGreat] it has all the place, as a result has
 */

/**
 * @typedef {object} Asking what stands beside the board while others answer
 * @property {string} text who still answers
 * @property {string} detail what it is about, as the stake
 * @property {number[]} rise
 */

/** Milliseconds that a headline has the screen. @type {Record<string, number>} */
export const SCREEN_MS = { turn: 2400, result: 3600 };
/** Milliseconds that a greeting stands in the place of the newest headline. */
export const GREETING_MS = 5000;
/** Most headlines that wait: of more, the one that waits longest and is no result is dropped. */
export const MOST_WAITING = 3;

/** Letters of a headline from which on it is smaller. */
const LENGTHS = [34, 80, 150];

const MOVING = [
  { opacity: 0, transform: "translateY(30%)" },
  { opacity: 1, transform: "none", offset: 0.07 },
  { opacity: 1, transform: "none", offset: 0.94 },
  { opacity: 0, transform: "none" },
];
const STILL = [{ opacity: 1 }, { opacity: 1 }];

export class Headlines {
  /** @param {Element} bar the place of the newest headline */
  constructor(bar) {
    this.line = h("p", { class: "headline-line" });
    this.text = h("p", { class: "headline-text" });
    this.detail = h("p", { class: "headline-detail" });
    this.people = h("ul", { class: "headline-people" });
    this.rise = h("p", { class: "headline-rise" });
    // Live regions have announced it already.
    this.el = h("section", { class: "headlines", "aria-hidden": "true" },
      this.rise, h("div", { class: "headline-words" }, this.text, this.detail, this.people));
    this.el.hidden = true;
    bar.append(this.line);
    /** @type {Headline[]} */
    this.waiting = [];
    /** @type {Animation | null} */
    this.motion = null;
    /** @type {Asking | null} */
    this.asking = null;
    this.newest = "";
    this.greetingTimer = 0;
    this.el.addEventListener("click", () => this.motion?.finish());
    // A screen that was hidden shows new headlines only.
    document.addEventListener("visibilitychange", () => document.hidden && this.clear());
  }

  /** Show headlines in their order. @param {Headline[]} headlines */
  add(headlines) {
    if (!headlines.length || document.hidden) return;
    this.newest = headlines[headlines.length - 1].text;
    this.#endGreeting();
    this.waiting.push(...headlines.filter(({ kind }) => kind in SCREEN_MS));
    while (this.waiting.length > MOST_WAITING) this.waiting.splice(this.#least(), 1);
    if (!this.motion) this.#next();
  }

  /** Show what others still answer, whenever no headline is shown; null if nothing. @param {Asking | null} asking */
  ask(asking) {
    this.asking = asking;
    if (!this.motion) this.#stand();
  }

  /**
   * Offer what entries are called aloud, to a screen that does so (games/pages/tv_calls.js): an entry's in one call.
   * @param {Entry[]} entries @param {SeatInfo[]} seats @param {Record<string, any>} [options]
   */
  call(entries, seats, options) {
    for (const { seq, headlines = [] } of entries) {
      const text = headlines.flatMap(({ calls = [] }) => calls.map((line) => sentence(told(line, seats, options))));
      const detail = { key: `${seq}`, text: text.join(" "), at: performance.now(),
        isResult: headlines.some(({ kind }) => kind === "result") };
      if (text.length) document.dispatchEvent(new CustomEvent("call", { detail }));
    }
  }

  /** Show a greeting for a moment. @param {string} text */
  greet(text) {
    setText(this.line, text);
    this.line.classList.add("is-greeting");
    clearTimeout(this.greetingTimer);
    this.greetingTimer = window.setTimeout(() => this.#endGreeting(), GREETING_MS);
  }

  /**
   * Return the headlines of entries: what the game has made of them, else the lines of their events.
   * @param {Entry[]} entries @param {SeatInfo[]} seats @param {Record<string, any>} [options] @returns {Headline[]}
   */
  of(entries, seats, options) {
    const isHouses = (/** @type {House.SentEvent} */ { type }) => type.startsWith("table.");
    return entries.flatMap(({ events, headlines }) => [
      ...headlineLines(events.filter(isHouses), seats),
      ...(headlines ? headlinesIn(headlines, seats, options)
        : headlineLines(events.filter((event) => !isHouses(event)), seats, options)),
    ]);
  }

  /** Remove the waiting headlines and the one on the screen. */
  clear() {
    this.waiting = [];
    this.motion?.cancel();
    this.motion = null;
    this.#stand();
  }

  /** Return the index of the waiting headline to drop. */
  #least() {
    return Math.max(0, this.waiting.findIndex(({ kind }) => kind !== "result"));
  }

  #endGreeting() {
    clearTimeout(this.greetingTimer);
    this.line.classList.remove("is-greeting");
    setText(this.line, this.newest);
  }

  #next() {
    const one = this.waiting.shift();
    this.motion?.cancel();
    this.motion = null;
    if (!one) return this.#stand();
    this.#show(one.isGreat ? "great" : one.kind, one.text, one);
    const ms = SCREEN_MS[one.isGreat ? "result" : one.kind];
    const motion = this.el.animate(isCalm() ? STILL : MOVING, { duration: ms });
    motion.onfinish = () => motion === this.motion && this.#next();
    this.motion = motion;
  }

  /** Show what others still answer, if anything. */
  #stand() {
    if (this.asking) this.#show("asks", this.asking.text, this.asking);
    this.el.hidden = !this.asking;
  }

  /**
   * @param {string} kind @param {string} text
   * @param {{detail?: string, people?: Headline["people"], rise?: number[]}} about
   */
  #show(kind, text, { detail = "", people = [], rise = [] }) {
    this.el.hidden = false;
    this.el.dataset.kind = kind;
    setText(this.text, text);
    setText(this.detail, detail);
    put(this.rise, rise.flatMap((number, i) => [i > 0 && "→", h("b", {}, String(number))]));
    this.el.toggleAttribute("data-rise", rise.length > 0);
    this.el.dataset.length = String(LENGTHS.filter((most) => text.length > most).length);
    put(this.people, people.map((one) =>
      h("li", { class: `seat-${one.seat % 12}`, data: { tone: one.tone } }, h("span", {}, one.name),
        h("b", {}, one.text))));
  }
}

/** Return a line as a whole sentence, as it is said. @param {string} line */
const sentence = (line) => (/[.!?…]$/.test(line) ? line : `${line}.`).replace(/ 🤖/gu, "");

/**
 * Return the lines of events that stand in the bar of a big screen.
 * @param {House.SentEvent[]} events @param {SeatInfo[]} seats @param {Record<string, any>} [options]
 * @returns {Headline[]}
 */
export function headlineLines(events, seats, options) {
  const shown = events.filter(({ type }) => manner(type).isHeadline).map((event) => lineOf(event, seats, options));
  return shown.filter(Boolean).map((text) => ({ text, kind: "line" }));
}

/**
 * Return headlines that the game has made, in words.
 * @param {House.SentHeadline[]} headlines @param {SeatInfo[]} seats @param {Record<string, any>} [options]
 * @returns {Headline[]}
 */
function headlinesIn(headlines, seats, options) {
  return headlines.map(({ text, kind, detail, people = [], rise, great: isGreat }) => ({
    kind, rise, isGreat,
    text: told(text, seats, options),
    detail: detail && told(detail, seats, options),
    people: people.map((one) => ({ ...one, name: nameOf(seats, one.seat) })),
  }));
}
