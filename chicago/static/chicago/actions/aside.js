// @ts-check
/**
 * Choices besides throwing: refill, name the loser, vote, call a breach, take a leaver's forfeits,
 * take a turn with real dice back. Each is drawn from the open choice's own arguments.
 */
import { h, put, setAttr } from "games/kit/page/dom.js";
import { nameOf } from "games/kit/seats.js";
import { optionWords, said } from "games/kit/words.js";
import { breachName } from "chicago/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {import("games/kit/table.js").Now<Chicago.View, Chicago.Choice>} Now */
/** @typedef {Chicago.Choices} Choices */
/** @typedef {Choices["vote_breach"] | Choices["refill"] | Choices["name_loser"]} Urgent */

/** Choices that take the dock, the most urgent first; the others are buttons beside. */
/** @type {Urgent["name"][]} */
const URGENT = ["vote_breach", "refill", "name_loser"];
const NAMES = [...URGENT, "take_for", "call_breach", "take_back"];

export class Aside {
  /** @param {(name: string, args: object) => void} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.ask = h("div", { class: "ct-ask", role: "group" });
    this.calls = h("div", { class: "ct-calls" });
    this.key = "";
    this.isCalling = false;
    /** The question that takes the dock; "" for none. */
    this.question = "";
    this.onChange = () => {};
  }

  /** @param {Now} now */
  show(now) {
    const { view, choices, seats, canAct } = now;
    const mine = choices.filter((c) => NAMES.includes(c.name));
    const key = JSON.stringify([mine, canAct, this.isCalling, view.breach, view.refill, seats.map((s) => s.name)]);
    if (key === this.key) return;
    this.key = key;
    const call = mine.find((c) => c.name === "call_breach");
    if (!call) this.isCalling = false;
    const first = URGENT.map((name) => /** @type {Urgent} */ (mine.find((c) => c.name === name))).find(Boolean);
    const asked = first ?? (this.isCalling ? call : view.breach && { name: "vote_breach", seat: null });
    this.question = asked ? said("question", asked, now) : "";
    const answers = first ? [h("div", { class: "ct-answers" }, this.#buttons(first, now))]
      : this.isCalling && call ? [this.#callForm(call, seats)] : [];
    put(this.ask, answers);
    setAttr(this.ask, "data-grave", Boolean(first));
    setAttr(this.ask, "aria-label", this.question || null);
    this.ask.hidden = answers.length === 0;
    const take = mine.find((c) => c.name === "take_for"), back = mine.find((c) => c.name === "take_back");
    this.#showCalls({ call, take, back }, now);
    for (const b of [...this.ask.querySelectorAll("button"), ...this.calls.querySelectorAll("button")])
      setAttr(b, "disabled", !canAct);
  }

  /** Return the buttons of a question of the game of forfeits. @param {Urgent} choice @param {Now} now */
  #buttons(choice, now) {
    return (choice.options ?? []).map((args, place) => {
      const { label, tone } = optionWords(choice, args, place, now);
      const onclick = () => this.onChoose(choice.name, args);
      return h("button", { type: "button", class: `button ${tone}`, onclick }, label);
    });
  }

  /**
   * Show the other choices, as buttons with their cost.
   * @param {{call?: Choices["call_breach"], take?: Choices["take_for"], back?: Choices["take_back"]}} open
   * @param {Now} now
   */
  #showCalls({ call, take, back }, now) {
    const toggle = call && h("button", { type: "button", class: "ct-callbtn", onclick: () => this.#toggle() },
      said("title", call, now));
    const takes = take?.options?.map((args, place) =>
      h("button", { type: "button", "data-grave": true, onclick: () => this.onChoose("take_for", args) },
        optionWords(take, args, place, now).label));
    const undo = back && h("button", { type: "button", class: "ct-callbtn", data: { back: "" },
      onclick: () => this.onChoose("take_back", {}) }, optionWords(back, {}, 0, now).label);
    put(this.calls, undo, toggle, takes);
    this.calls.hidden = !toggle && !takes && !undo;
  }

  #toggle() {
    this.isCalling = !this.isCalling;
    this.onChange();
    if (this.isCalling) this.ask.querySelector("select")?.focus();
    else this.calls.querySelector("button")?.focus();
  }

  /** @param {Choices["call_breach"]} choice @param {SeatInfo[]} seats */
  #callForm({ options = [] }, seats) {
    const who = select(gettext("Who"), unique(options.map((o) => o.seat)).map((s) => [s, nameOf(seats, s)]));
    const what = select(gettext("What"), unique(options.map((o) => o.breach)).map((k) => [k, breachName(k)]));
    const call = () => {
      const wanted = options.find((o) => String(o.seat) === who.value && o.breach === what.value);
      if (wanted) this.onChoose("call_breach", wanted);
      this.#toggle();
    };
    const cancel = () => this.#toggle();
    return h(
      "div",
      { class: "ct-callform" },
      who.el,
      what.el,
      h("button", { type: "button", class: "button stop", onclick: call }, gettext("Call it")),
      h("button", { type: "button", class: "button", onclick: cancel }, gettext("Cancel")),
    );
  }
}

/** @param {string} label @param {[string | number, string][]} values */
function select(label, values) {
  const field = h("select", {}, values.map(([value, text]) => h("option", { value }, text)));
  const el = h("label", {}, h("span", { class: "visually-hidden" }, label), field);
  return { el, get value() { return field.value; } };
}

/** @template T @param {T[]} values */
function unique(values) {
  return [...new Set(values)];
}
