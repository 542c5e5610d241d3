// @ts-check
/** A bar of buttons made from the open choices, for games without one of their own. */
import { h, put } from "games/kit/page/dom.js";
import { nameOf } from "games/kit/seats.js";
import { listed } from "games/kit/sets.js";
import { StrayTaps } from "games/kit/stray_taps.js";

/** Most options that are shown as buttons; more are shown as a list. */
const MOST_BUTTONS = 12;

/**
 * A name of the rules in the page's language: "take_back" is looked up as "Take back".
 * @param {string} name
 */
export function worded(name) {
  const text = name.replaceAll("_", " ").trim();
  return text && gettext(text[0].toUpperCase() + text.slice(1));
}

/**
 * Return an option's arguments in words: numbers and words as they are, seats by name.
 * @param {Record<string, any>} args
 * @param {any[]} seats
 */
export function argsText(args, seats) {
  const one = (/** @type {string} */ key, /** @type {any} */ value) =>
    Number.isInteger(value) && ["seat", "to", "by"].includes(key) ? nameOf(seats, value) : String(value);
  return Object.entries(args).map(([key, value]) => [value].flat().map((each) => one(key, each)).join(" ")).join(", ");
}

export class Actions {
  /** @param {(name: string, args: object) => void} send */
  constructor(send) {
    this.send = send;
    this.el = h("div", { class: "kit-actions", role: "group", "aria-label": gettext("What you can do") });
    this.key = "";
    new StrayTaps(this.el);
  }

  /** @param {import("games/kit/table.js").Now} now */
  show({ choices, seats, canAct }) {
    const key = JSON.stringify([choices, seats.map((s) => s.name)]);
    if (key !== this.key) {
      this.key = key;
      put(this.el, choices.flatMap((choice) => this.#offer(choice, seats)));
    }
    for (const button of this.el.querySelectorAll("button, select")) button.disabled = !canAct;
  }

  /** Press the button of a number, as on the keyboard. @param {number} number from 1 */
  press(number) {
    this.el.querySelectorAll("button")[number - 1]?.click();
  }

  /** @param {any} choice @param {any[]} seats */
  #offer(choice, seats) {
    const options = choice.options ?? listed(choice.sets);
    if (options.length > MOST_BUTTONS) return [this.#list(choice, options, seats)];
    return options.map((/** @type {any} */ args) => {
      const label = [worded(choice.name), argsText(args, seats)].filter(Boolean).join(" ");
      const kind = choice.required ? "button go" : "button";
      return h("button", { class: kind, type: "button", onclick: () => this.send(choice.name, args) }, label);
    });
  }

  /** @param {any} choice @param {any[]} options @param {any[]} seats */
  #list(choice, options, seats) {
    const label = worded(choice.name);
    const lines = options.map((args, i) => h("option", { value: i }, argsText(args, seats)));
    const select = h("select", { "aria-label": label }, lines);
    const onclick = () => this.send(choice.name, options[Number(select.value)]);
    const button = h("button", { class: "button go", type: "button", onclick }, label);
    return h("span", { class: "kit-list" }, select, button);
  }
}
