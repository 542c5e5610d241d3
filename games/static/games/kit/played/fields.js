// @ts-check
/** The fields of a form (games/kernel/figures/game_forms.py), each told by taps: chips, or a step up and down. */
import { h, put, setAttr, setText } from "games/kit/page/dom.js";
import { nameOf, namesOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {import("games/kit/played/device_list.js").Part} Part */
/** @typedef {string | number | number[] | undefined} Value undefined: left unsaid */
/** @typedef {{value: string, label: string}} Word */
/**
 * @typedef {object} Field
 * @property {string} id
 * @property {string} label
 * @property {"word" | "seat" | "seats" | "count"} kind
 * @property {boolean} needed
 * @property {Word[]} [words]
 * @property {string} [unsaid] what holds when nothing is said
 * @property {number} [most]
 * @property {{field: string, word: string}} [only]
 */
/** @typedef {{game: Field[], seats: Field[], rounds: Field[]}} Form */

/** The most words that stand side by side; of more, one is seen, with a step up and down. */
const MOST_CHIPS = 4;

/** Tell whether a field means something beside the others. @param {Field} field @param {Part} told */
export const isMeant = ({ only }, told) => !only || told[only.field] === only.word;

/** Return a value in words. @param {Field} field @param {Value} value @param {SeatInfo[]} seats */
export function valueText({ kind, words = [] }, value, seats) {
  if (kind === "word") return words.find((one) => one.value === value)?.label ?? String(value);
  if (kind === "count") return String(value);
  return namesOf(seats, [value].flat().map(Number));
}

/** Return the steps of a field that goes up and down, the first one unsaid; null for chips. @param {Field} field */
function stepsOf({ kind, words = [], most = 0 }) {
  if (kind === "count") return [undefined, ...Array.from({ length: most }, (_, n) => n + 1)];
  return kind === "word" && words.length > MOST_CHIPS ? [undefined, ...words.map(({ value }) => value)] : null;
}

/** A field with its label; `changed` is called after a tap. */
export class PlayedField {
  /**
   * @param {Field} field @param {SeatInfo[]} seats @param {(value: Value) => void} changed
   * @param {string} [label] in place of the field's own
   */
  constructor(field, seats, changed, label = field.label) {
    this.field = field;
    this.seats = seats;
    this.changed = changed;
    /** @type {Value} */
    this.value = undefined;
    this.steps = stepsOf(field);
    this.unsaid = h("small", {}, field.unsaid ?? "");
    this.body = this.steps ? this.#stepper(label) : h("div", { class: "played-chips" });
    this.el = h("div", { class: "played-field", role: "group", "aria-label": label, data: { field: field.id } },
      h("p", { class: "played-label" }, label, " ", this.unsaid), this.body);
    if (!this.steps) this.among(seats.map(({ seat }) => seat));
  }

  /** Offer these seats, or the field's words. @param {number[]} seats */
  among(seats) {
    const { kind, words = [] } = this.field;
    if (this.steps) return;
    const all = kind === "word" ? words : seats.map((seat) => ({ value: seat, label: nameOf(this.seats, seat) }));
    put(this.body, all.map(({ value, label }) => h("button", {
      type: "button", class: "button chip", data: { value: String(value) }, onclick: () => this.#tap(value),
    }, label)));
  }

  /** @param {Value} value */
  show(value) {
    this.value = value;
    // Its room stays, so that nothing moves under the finger.
    setAttr(this.unsaid, "data-said", value !== undefined);
    if (this.steps) return this.#showStep();
    for (const chip of this.body.querySelectorAll("button")) {
      const at = [value].flat().map(String).indexOf(chip.dataset.value ?? "");
      setAttr(chip, "aria-pressed", String(value !== undefined && at >= 0));
      // The order counts: of several, each says its place.
      setAttr(chip, "data-place", Array.isArray(value) && value.length > 1 && at >= 0 ? String(at + 1) : null);
    }
  }

  /** @param {string | number} value */
  #tap(value) {
    const { kind, needed } = this.field, now = this.value;
    if (kind !== "seats") return this.changed(now === value && !needed ? undefined : value);
    const seats = /** @type {number[]} */ (now ?? []), seat = Number(value);
    const next = seats.includes(seat) ? seats.filter((one) => one !== seat) : [...seats, seat];
    this.changed(next.length ? next : undefined);
  }

  /** @param {string} label */
  #stepper(label) {
    const step = (/** @type {number} */ by, /** @type {string} */ sign, /** @type {string} */ text) => h("button", {
      type: "button", class: "button", "aria-label": fill(text, { label }), onclick: () => this.#step(by),
    }, sign);
    this.less = step(-1, "−", gettext("%(label)s: less"));
    this.more = step(1, "+", gettext("%(label)s: more"));
    this.shown = h("output", {});
    return h("div", { class: "played-steps" }, this.less, this.shown, this.more);
  }

  get #at() {
    return Math.max(0, this.steps?.indexOf(/** @type {any} */ (this.value)) ?? 0);
  }

  /** @param {number} by */
  #step(by) {
    this.changed(this.steps?.[this.#at + by]);
  }

  #showStep() {
    const { value, steps, field } = this;
    if (!this.shown || !this.less || !this.more || !steps) return;
    setText(this.shown, value === undefined ? "–" : valueText(field, value, this.seats));
    setAttr(this.less, "disabled", this.#at === 0);
    setAttr(this.more, "disabled", this.#at === steps.length - 1);
  }
}
