// @ts-check
/**
 * What the game of forfeits asks besides throwing: refill, name the loser, vote, call a
 * breach, take somebody's forfeits. Each is drawn from the open choice's own arguments.
 */
import { h, put, setAttr } from "games/kit/dom.js";
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/text.js";
import { breachName, forfeitName, forfeits } from "chicago/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {{name: string, options: any[], basis: number, required: boolean}} Choice */

const NAMES = ["refill", "name_loser", "vote_breach", "take_for", "call_breach"];

export class Aside {
  /** @param {(name: string, args: object) => void} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.ask = h("div", { class: "ct-ask" });
    this.calls = h("div", { class: "ct-calls" });
    this.key = "";
    this.isCalling = false;
    /** @type {[any, Choice[], SeatInfo[], boolean] | null} */
    this.shown = null;
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
    this.shown = [view, choices, seats, canAct];
    const parts = mine.flatMap((choice) => this.#part(choice, view, seats));
    if (view.breach && !mine.some((c) => c.name === "vote_breach")) parts.push(note(breachLine(view, seats)));
    put(this.ask, parts);
    this.ask.hidden = parts.length === 0;
    this.#showCalls(mine.find((c) => c.name === "call_breach"), seats);
    for (const b of this.ask.querySelectorAll("button")) setAttr(b, "disabled", !canAct);
  }

  /**
   * @param {Choice} choice
   * @param {any} view
   * @param {SeatInfo[]} seats
   * @returns {any[]}
   */
  #part(choice, view, seats) {
    switch (choice.name) {
      case "refill":
        return [
          question(fill(gettext("You took the last forfeit (%(forfeit)s)."), { forfeit: forfeitName(view.options) }), [
            this.#button(choice, {}, gettext("Refill"), "go"),
          ]),
        ];
      case "name_loser":
        return [
          question(
            gettext("Name the loser of the round"),
            choice.options.map((o) => this.#button(choice, o, nameOf(seats, o.seat))),
          ),
        ];
      case "vote_breach":
        return [question(breachLine(view, seats), [
          this.#button(choice, { guilty: true }, gettext("Guilty"), "stop"),
          this.#button(choice, { guilty: false }, gettext("Not guilty")),
        ])];
      case "take_for":
        return choice.options.map((o) =>
          question(offerLine(view, seats, o.seat), [this.#button(choice, o, gettext("I take them"))]),
        );
      default:
        return [];
    }
  }

  /** @param {Choice | undefined} choice @param {SeatInfo[]} seats */
  #showCalls(choice, seats) {
    if (!choice) {
      this.isCalling = false;
      return put(this.calls);
    }
    const toggle = h(
      "button",
      { type: "button", class: "ct-callbtn", "aria-expanded": String(this.isCalling), onclick: () => this.#toggle() },
      gettext("Call a breach"),
    );
    put(this.calls, toggle, this.isCalling && this.#callForm(choice, seats));
  }

  #toggle() {
    this.isCalling = !this.isCalling;
    if (this.shown) this.show(...this.shown);
    this.calls.querySelector(this.isCalling ? "select" : "button")?.focus();
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
    return h(
      "div",
      { class: "ct-callform" },
      who.el,
      what.el,
      h("button", { type: "button", class: "button stop", onclick: call }, gettext("Call it")),
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

/** @param {string} text @param {any[]} buttons */
function question(text, buttons) {
  return h(
    "div",
    { class: "ct-question", role: "group", "aria-label": text },
    h("p", {}, text),
    h("div", { class: "ct-answers" }, buttons),
  );
}

/** @param {string} text */
function note(text) {
  return h("div", { class: "ct-question" }, h("p", {}, text));
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
  const hasLeft = ["left", "coming"].includes(view.seats[seat].status) || view.seats[seat].vacant;
  const sentence = hasLeft
    ? gettext("%(name)s left and owes %(forfeits)s.")
    : gettext("Who had the seat of %(name)s before left and owes %(forfeits)s.");
  return fill(sentence, { name: nameOf(seats, seat), forfeits: forfeits(count, view.options) });
}

/** @param {string} label @param {[any, string][]} values */
function select(label, values) {
  const field = h("select", {}, values.map(([value, text]) => h("option", { value }, text)));
  return { el: h("label", {}, h("span", {}, label), field), get value() { return field.value; } };
}

/** @template T @param {T[]} values */
function unique(values) {
  return [...new Set(values)];
}
