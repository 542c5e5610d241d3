// @ts-check
/**
 * Correct the sheet: a new row by which I pay another player. A payment by another player needs
 * their consent: it is proposed on the page of results, as is the result of a match on a real board.
 */
import { h, put, setAttr } from "games/kit/page/dom.js";
import { nameOf } from "games/kit/seats.js";

/** @typedef {import("chouette/table.js").Acts} Acts */
/** @typedef {import("chouette/table.js").Now} Now */

const LONGEST_REASON = 80;

/** Shown only while the choice `correct` is open: between two games, to players. */
export class Correction {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    const label = (/** @type {string} */ text, /** @type {HTMLElement} */ field) =>
      h("label", {}, h("span", {}, text), field);
    this.payee = h("select", {});
    this.points = h("input", { type: "number", min: 1, step: 1, value: 1, required: true, inputmode: "numeric" });
    this.reason = h("input", { maxlength: LONGEST_REASON, required: true, pattern: ".*\\S.*", autocomplete: "off" });
    this.go = h("button", { class: "button go" }, gettext("Write it down"));
    this.form = h(
      "form",
      { class: "bt-sheet-form", onsubmit: (/** @type {Event} */ e) => this.#send(e) },
      h(
        "p",
        {},
        h(
          "small",
          {},
          gettext("Here you pay somebody. Whoever else shall pay agrees first: propose it on the page of results."),
        ),
      ),
      label(gettext("You pay"), this.payee),
      label(gettext("Points"), this.points), label(gettext("Why"), this.reason), this.go);
    this.el = h("details", { class: "bt-sheet-correct" }, h("summary", {}, gettext("Correct the sheet")), this.form);
    this.el.hidden = true;
    this.key = "";
  }

  /** @param {Now} now */
  show({ view, seats, choices, me, canAct }) {
    this.el.hidden = !choices.some((c) => c.name === "correct");
    setAttr(this.go, "disabled", !canAct);
    this.me = me;
    setAttr(this.points, "max", String(largest(view)));
    const key = JSON.stringify([me, view.seats.map((s) => s.seat), seats.map((s) => s.name)]);
    if (this.el.hidden || key === this.key) return;
    this.key = key;
    const others = view.seats.filter((s) => s.seat !== me);
    const chosen = this.payee.value;
    put(this.payee, others.map((s) => h("option", { value: s.seat }, nameOf(seats, s.seat))));
    if (chosen) this.payee.value = chosen;
  }

  /** @param {Event} event */
  #send(event) {
    event.preventDefault();
    this.acts.command("correct", {
      payer: this.me,
      payee: Number(this.payee.value),
      points: Number(this.points.value),
      reason: this.reason.value.trim(),
    });
    this.reason.value = "";
    this.points.value = "1";
    this.el.open = false;
  }
}

/** Return the most points of one seat in one game: the limit of a correction. @param {Chouette.View} view */
function largest(view) {
  const games = view.sheet.filter((row) => row.game);
  return Math.max(1, ...games.flatMap((row) => row.points.map(Math.abs)));
}
