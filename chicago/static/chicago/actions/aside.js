// @ts-check
/**
 * Choices besides throwing: refill, name the loser, vote, call a breach, take a leaver's forfeits,
 * take a turn with real dice back. Each is drawn from the open choice's own arguments.
 */
import { h, put, setAttr } from "games/kit/page/dom.js";
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { breachName, forfeitName, forfeits } from "chicago/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {{name: string, options: any[], basis: number, required: boolean}} Choice */

/** Choices that take the dock, the most urgent first; the others are buttons beside. */
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

  /**
   * @param {any} view
   * @param {Choice[]} choices
   * @param {SeatInfo[]} seats
   * @param {boolean} canAct
   */
  show(view, choices, seats, canAct) {
    const mine = choices.filter((c) => NAMES.includes(c.name));
    const key = JSON.stringify([mine, canAct, this.isCalling, view.breach, view.refill, seats.map((s) => s.name)]);
    if (key === this.key) return;
    this.key = key;
    const call = mine.find((c) => c.name === "call_breach");
    if (!call) this.isCalling = false;
    const first = URGENT.map((name) => mine.find((c) => c.name === name)).find(Boolean);
    const [question, answers] = this.#query(first, view, seats) ?? this.#calling(call, seats);
    this.question = question || (view.breach ? breachLine(view, seats) : "");
    put(this.ask, answers);
    setAttr(this.ask, "data-grave", Boolean(first));
    setAttr(this.ask, "aria-label", this.question || null);
    this.ask.hidden = answers.length === 0;
    const [take, back] = ["take_for", "take_back"].map((name) => mine.find((c) => c.name === name));
    this.#showCalls({ call, take, back }, view, seats);
    for (const b of [...this.ask.querySelectorAll("button"), ...this.calls.querySelectorAll("button")])
      setAttr(b, "disabled", !canAct);
  }

  /**
   * Return a question of the game of forfeits and its answers.
   * @param {Choice | undefined} choice
   * @param {any} view
   * @param {SeatInfo[]} seats
   * @returns {[string, any[]] | null}
   */
  #query(choice, view, seats) {
    switch (choice?.name) {
      case "refill": {
        const text = fill(gettext("You took the last forfeit (%(forfeit)s): refill."), {
          forfeit: forfeitName(view.options),
        });
        return [text, [answers([this.#button(choice, {}, gettext("Refill"), "go")])]];
      }
      case "name_loser": {
        const named = choice.options.map((o) => this.#button(choice, o, nameOf(seats, o.seat)));
        const forfeit = forfeitName(view.options);
        return [fill(gettext("Name the loser of the round, who takes %(forfeit)s"), { forfeit }), [answers(named)]];
      }
      case "vote_breach":
        return [breachLine(view, seats), [answers([
          this.#button(choice, { guilty: true }, gettext("Guilty"), "stop"),
          this.#button(choice, { guilty: false }, gettext("Not guilty")),
        ])]];
      default:
        return null;
    }
  }

  /** Return the form to call a breach. @param {Choice | undefined} choice @param {SeatInfo[]} seats
   * @returns {[string, any[]]} */
  #calling(choice, seats) {
    if (!choice || !this.isCalling) return ["", []];
    return [gettext("Who has broken which rule?"), [this.#callForm(choice, seats)]];
  }

  /**
   * Show the other choices, as buttons with their cost.
   * @param {{call?: Choice, take?: Choice, back?: Choice}} open
   * @param {any} view
   * @param {SeatInfo[]} seats
   */
  #showCalls({ call, take, back }, view, seats) {
    const toggle = call && h("button", { type: "button", class: "ct-callbtn", onclick: () => this.#toggle() },
      gettext("Call a breach"));
    const takes = take?.options.map((o) =>
      h("button", { type: "button", "data-grave": true, onclick: () => this.onChoose("take_for", o) },
        offerLine(view, seats, o.seat)));
    const undo = back && h("button", { type: "button", class: "ct-callbtn", data: { back: "" },
      onclick: () => this.onChoose("take_back", {}) }, gettext("Take the turn back"));
    put(this.calls, undo, toggle, takes);
    this.calls.hidden = !toggle && !takes && !undo;
  }

  #toggle() {
    this.isCalling = !this.isCalling;
    this.onChange();
    if (this.isCalling) this.ask.querySelector("select")?.focus();
    else this.calls.querySelector("button")?.focus();
  }

  /** @param {Choice} choice @param {SeatInfo[]} seats */
  #callForm(choice, seats) {
    const who = select(gettext("Who"), unique(choice.options.map((o) => o.seat)).map((s) => [s, nameOf(seats, s)]));
    const what = select(gettext("What"), unique(choice.options.map((o) => o.breach)).map((k) => [k, breachName(k)]));
    const call = () => {
      const wanted = choice.options.find((o) => String(o.seat) === who.value && o.breach === what.value);
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

  /** @param {Choice} choice @param {object} args @param {string} text @param {string} [kind] */
  #button(choice, args, text, kind = "") {
    return h(
      "button",
      { type: "button", class: `button ${kind}`, onclick: () => this.onChoose(choice.name, args) },
      text,
    );
  }
}

/** @param {any[]} buttons */
function answers(buttons) {
  return h("div", { class: "ct-answers" }, buttons);
}

/** @param {any} view @param {SeatInfo[]} seats */
function breachLine(view, seats) {
  const { seat, by, breach, votes, voters } = view.breach;
  const sentence = gettext("%(by)s calls a breach by %(name)s: %(breach)s. %(votes)s of %(voters)s have voted.");
  return fill(sentence, {
    by: nameOf(seats, by), name: nameOf(seats, seat), breach: breachName(breach),
    votes: Object.keys(votes).length, voters: voters.length,
  });
}

/** @param {any} view @param {SeatInfo[]} seats @param {number} seat */
function offerLine(view, seats, seat) {
  const count = view.offers.find((/** @type {any} */ o) => o.seat === seat)?.count ?? 0;
  // Another player may sit there by now.
  const hasLeft = ["left", "coming"].includes(view.seats[seat].status) || view.seats[seat].vacant;
  const sentence = hasLeft
    ? gettext("I take over what %(name)s owes: %(forfeits)s")
    : gettext("I take over what the one before %(name)s owes: %(forfeits)s");
  return fill(sentence, { name: nameOf(seats, seat), forfeits: forfeits(count, view.options) });
}

/** @param {string} label @param {[any, string][]} values */
function select(label, values) {
  const field = h("select", {}, values.map(([value, text]) => h("option", { value }, text)));
  const el = h("label", {}, h("span", { class: "visually-hidden" }, label), field);
  return { el, get value() { return field.value; } };
}

/** @template T @param {T[]} values */
function unique(values) {
  return [...new Set(values)];
}
