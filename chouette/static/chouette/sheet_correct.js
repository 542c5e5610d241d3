// @ts-check
/** Correct the sheet: a new row that says who pays whom, why, and who wrote it. */
import { h, put, setAttr } from "games/dom.js";
import { nameOf } from "chouette/words.js";

/** @typedef {import("chouette/table.js").Acts} Acts */
/** @typedef {import("chouette/table.js").Now} Now */

const MOST = 1_000_000;
const LONGEST_REASON = 80;

/** Shown only while the choice `correct` is open: between two games, to those who play. */
export class Correction {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    const label = (/** @type {string} */ text, /** @type {any} */ field) => h("label", {}, h("span", {}, text), field);
    this.payer = h("select", {});
    this.payee = h("select", {});
    this.points = h("input", { type: "number", min: 1, max: MOST, step: 1, value: 1, required: true, inputmode: "numeric" });
    this.reason = h("input", { maxlength: LONGEST_REASON, required: true, pattern: ".*\\S.*", autocomplete: "off" });
    this.go = h("button", { class: "button go" }, gettext("Write it down"));
    this.form = h("form", { class: "bt-sheet-form", onsubmit: (/** @type {Event} */ e) => this.#send(e) },
      label(gettext("Who pays"), this.payer), label(gettext("Whom"), this.payee),
      label(gettext("Points"), this.points), label(gettext("Why"), this.reason), this.go);
    this.payee.addEventListener("change", () => this.#judge());
    this.payer.addEventListener("change", () => this.#judge());
    this.el = h("details", { class: "bt-sheet-correct" }, h("summary", {}, gettext("Correct the sheet")), this.form);
    this.el.hidden = true;
    this.key = "";
  }

  /** @param {Now} now */
  show({ view, seats, choices, me, canAct, isTv }) {
    this.el.hidden = isTv || !choices.some((c) => c.name === "correct");
    setAttr(this.go, "disabled", !canAct);
    const key = JSON.stringify([view.seats.map((/** @type {any} */ s) => s.seat), seats.map((s) => s.name)]);
    if (this.el.hidden || key === this.key) return;
    this.key = key;
    for (const select of [this.payer, this.payee]) {
      const chosen = select.value;
      put(select, view.seats.map((/** @type {any} */ s) => h("option", { value: s.seat }, nameOf(seats, s.seat))));
      if (chosen) select.value = chosen;
    }
    if (this.payer.value === this.payee.value) this.payer.value = String(view.seats.find((/** @type {any} */ s) => s.seat !== me)?.seat ?? 0);
    if (this.payer.value === this.payee.value) this.payee.value = String(me ?? 0);
    this.#judge();
  }

  #judge() {
    const isSame = this.payer.value === this.payee.value;
    this.payee.setCustomValidity(isSame ? gettext("Nobody pays themselves.") : "");
  }

  /** @param {Event} event */
  #send(event) {
    event.preventDefault();
    this.acts.command("correct", {
      payer: Number(this.payer.value),
      payee: Number(this.payee.value),
      points: Number(this.points.value),
      reason: this.reason.value.trim(),
    });
    this.reason.value = "";
    this.points.value = "1";
    this.el.open = false;
  }
}
