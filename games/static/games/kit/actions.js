// @ts-check
/** A bar of buttons made from the open choices and their words, for games without one of their own. */
import { h, put } from "games/kit/page/dom.js";
import { StrayTaps } from "games/kit/stray_taps.js";
import { optionsOf, optionWords, ordered, said, worded } from "games/kit/words.js";

/** Most options that are shown as buttons; more are shown as a list. */
const MOST_BUTTONS = 12;

/** @typedef {import("games/kit/table.js").Now} Now */

export class Actions {
  /** @param {(name: string, args: object) => void} send */
  constructor(send) {
    this.send = send;
    this.question = h("p", { class: "kit-question", hidden: true });
    this.buttons = h("div", { class: "kit-buttons" });
    this.lapse = h("p", { class: "kit-lapse", hidden: true });
    this.el = h("div", { class: "kit-actions", role: "group", "aria-label": gettext("What you can do") },
      this.question, this.buttons, this.lapse);
    this.key = "";
    /** The buttons by their letters. @type {Map<string, HTMLElement>} */
    this.letters = new Map();
    new StrayTaps(this.el);
  }

  /** @param {Now} now */
  show(now) {
    const key = JSON.stringify([now.choices, now.view, now.seats.map((s) => s.name)]);
    if (key !== this.key) {
      this.key = key;
      this.#draw(now);
    }
    for (const one of this.el.querySelectorAll("button, select")) one.toggleAttribute("disabled", !now.canAct);
  }

  /** @param {Now} now */
  #draw(now) {
    const choices = ordered(now.choices), [first] = choices;
    this.letters.clear();
    put(this.buttons, choices.flatMap((choice) => this.#offer(choice, now)));
    tell(this.question, first ? said("question", first, now) : "");
    tell(this.lapse, first?.required && first.seconds ? said("lapse", first, now) : "");
  }

  /** Press the button of a number or a letter, as on the keyboard. @param {string} key @returns {boolean} */
  press(key) {
    const found = this.letters.get(key.toUpperCase()) ?? this.el.querySelectorAll("button")[Number(key) - 1];
    found?.click();
    return Boolean(found);
  }

  /** @param {House.SentChoice} choice @param {Now} now */
  #offer(choice, now) {
    const options = optionsOf(choice);
    if (options.length > MOST_BUTTONS) return [this.#list(choice, options, now)];
    const all = options.map((args, place) => optionWords(choice, args, place, now));
    return options.map((args, place) => {
      const { label, note, key: letter, tone } = all[place];
      // A letter that several options have chooses none of them.
      const key = letter && all.filter((one) => one.key === letter).length === 1 ? letter : "";
      const button = h("button", {
        class: `button ${tone}`, type: "button", "data-grave": tone === "stop", "aria-keyshortcuts": key || null,
        onclick: () => this.send(choice.name, args),
      }, label, note && h("small", {}, note), key && h("kbd", { "aria-hidden": "true" }, key));
      if (key) this.letters.set(key, button);
      return button;
    });
  }

  /** @param {House.SentChoice} choice @param {object[]} options @param {Now} now */
  #list(choice, options, now) {
    const title = said("title", choice, now) || worded(choice.name);
    const lines = options.map((args, i) => {
      const { label, note } = optionWords(choice, args, i, now);
      return h("option", { value: i }, note ? `${label} · ${note}` : label);
    });
    const select = h("select", { "aria-label": title }, lines);
    const onclick = () => this.send(choice.name, options[Number(select.value)]);
    const button = h("button", { class: `button ${choice.required ? "go" : ""}`, type: "button", onclick }, title);
    return h("span", { class: "kit-list" }, select, button);
  }
}

/** @param {HTMLElement} el @param {string} text */
function tell(el, text) {
  el.hidden = !text;
  put(el, text);
}
