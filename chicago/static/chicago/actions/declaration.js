// @ts-check
/** The declaration of a round's starter: the worth of ones and sixes, and the better direction. */
import { h, setAttr } from "games/kit/page/dom.js";

/** @typedef {Chicago.ValuationView} Valuation */
/** @typedef {keyof Valuation} Key */
/** @typedef {Valuation[Key]} Worth */

/** The starter's declaration: only values of a legal `stand` can be chosen. */
export class Declaration {
  /** @param {() => void} onChange */
  constructor(onChange) {
    /** @type {Valuation[]} */
    this.options = [];
    /** @type {Valuation} */
    this.value = { ones: 100, sixes: 60, high: true };
    const pick = (/** @type {Key} */ key, /** @type {Worth} */ value) => {
      this.value = { ...this.value, [key]: value };
      this.#mark();
      onChange();
    };
    this.rows = [
      new Segments(
        "ones",
        gettext("Ones"),
        [
          [100, "100"],
          [1, "1"],
        ],
        pick,
      ),
      new Segments(
        "sixes",
        gettext("Sixes"),
        [
          [60, "60"],
          [6, "6"],
        ],
        pick,
      ),
      new Segments(
        "high",
        gettext("What counts"),
        [
          [true, pgettext("numbers", "high")],
          [false, pgettext("numbers", "low")],
        ],
        pick,
      ),
    ];
    this.el = h(
      "div",
      { class: "ct-declare", role: "group", "aria-label": gettext("What you declare") },
      this.rows.map((r) => r.el),
    );
  }

  /** The arguments of `stand`. */
  get args() {
    return this.options.length ? this.value : {};
  }

  /** @param {Partial<Valuation>[]} options */
  show(options) {
    this.options = /** @type {Valuation[]} */ (options.filter((o) => "high" in o));
    this.el.hidden = this.options.length === 0;
    if (!this.options.length) this.value = { ones: 100, sixes: 60, high: true };
    this.#mark();
  }

  /** Show an earlier declaration. @param {Valuation} value */
  set(value) {
    this.value = value;
    this.#mark();
  }

  #mark() {
    for (const row of this.rows) row.mark(this.value);
  }
}

class Segments {
  /**
   * @param {Key} key
   * @param {string} label
   * @param {[Worth, string][]} values
   * @param {(key: Key, value: Worth) => void} pick
   */
  constructor(key, label, values, pick) {
    this.key = key;
    this.buttons = values.map(([value, text]) => ({
      value,
      el: h("button", { type: "button", onclick: () => pick(key, this.#after(value, values)) }, text),
    }));
    this.el = h("div", { class: "ct-segments", role: "group", "aria-label": label },
      h("span", { class: "ct-label" }, label), this.buttons.map((b) => b.el));
  }

  /** Return the value after a press: the other one if this one is chosen already. @param {Worth} value
   * @param {[Worth, string][]} values */
  #after(value, values) {
    const others = values.map(([one]) => one).filter((one) => one !== value);
    return this.chosen === value ? others[0] : value;
  }

  /** @param {Valuation} value */
  mark(value) {
    this.chosen = value[this.key];
    for (const b of this.buttons) setAttr(b.el, "aria-pressed", String(value[this.key] === b.value));
  }
}
