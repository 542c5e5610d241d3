// @ts-check
/**
 * The entry of a result of real dice: the number of throws, the result, and standing.
 * Three taps; two if the starter has fixed the number of throws.
 */
import { h, put, setAttr, setText } from "games/kit/page/dom.js";
import { fill } from "games/kit/page/text.js";
import { Declaration } from "chicago/actions/declaration.js";
import { optionWords } from "games/kit/words.js";
import { word } from "chicago/words/words.js";

/** @typedef {{throws: number, value: number, kind: string}} Entry */

export class ResultEntry {
  /** @type {Entry[]} */
  options = [];
  throws = 0;
  result = "";
  about = "";
  /** Return an entry's words. @type {(entry: Entry) => import("games/kit/words.js").OptionWords} */
  words = () => ({ label: "", note: "", key: "", tone: "" });

  /** @param {{onType: (args: object) => void, onHouse: () => void, onDeclare: (args: object) => void}} on */
  constructor(on) {
    this.on = on;
    this.declaration = new Declaration(() => on.onDeclare(this.declaration.args));
    this.counts = [1, 2, 3].map((count) => h("button", {
      type: "button", class: "button", data: { throws: count }, onclick: () => this.#choose({ throws: count }),
    }, fill(gettext("in %(throws)s"), { throws: word(count) })));
    this.house = h("button", { type: "button", class: "button", onclick: on.onHouse }, gettext("The house throws"));
    this.enter = h("button", { type: "button", class: "button go ct-enter", onclick: () => this.#enter() });
    this.el = h("section", { class: "ct-entry", "aria-label": gettext("In how many throws") },
      h("div", { class: "ct-counts" }, this.counts), h("div", { class: "ct-entry-ends" }, this.house, this.enter));
    this.grid = h("div", { class: "ct-grid", role: "group", "aria-label": gettext("What the dice came to") });
    this.values = h("div", {}, this.declaration.el, this.grid);
  }

  /**
   * @param {Chicago.Choices["enter_result"]} choice @param {Chicago.Choices["declare"] | null} declaring
   * @param {import("games/kit/table.js").Now<Chicago.View, Chicago.Choice>} now @param {boolean} canAct
   */
  show(choice, declaring, now, canAct) {
    const about = `${choice.basis}`;
    const { options = [] } = choice;
    this.words = (/** @type {Entry} */ entry) => optionWords(choice, entry, options.indexOf(entry), now);
    if (about !== this.about) this.#reset(options);
    this.about = about;
    this.canAct = canAct;
    const valuation = now.view.to_enter?.valuation;
    this.declaration.show(declaring?.options ?? []);
    if (declaring && valuation) this.declaration.set(valuation);
    this.#draw();
  }

  /** Begin another turn: only the starter's number of throws is chosen already. @param {Entry[]} options */
  #reset(options) {
    this.options = options;
    const usual = [...new Set(options.filter((o) => o.kind === "sum").map((o) => o.throws))];
    this.throws = usual.length === 1 ? usual[0] : 0;
    this.result = "";
    const list = [...new Map(options.map((o) => [nameOf(o), o])).values()];
    const bigFirst = list.sort((a, b) => Number(a.kind === "sum") - Number(b.kind === "sum") || b.value - a.value);
    put(this.grid, bigFirst.map((o) => h("button", {
      type: "button", class: "button", data: { result: nameOf(o), kind: o.kind },
      onclick: () => this.#choose({ result: nameOf(o) }),
    }, this.words(o).label)));
  }

  /** Choose by a tap; a tap on a chosen value clears it. @param {{throws?: number, result?: string}} tapped */
  #choose({ throws = this.throws, result = this.result }) {
    this.throws = throws;
    this.result = result;
    if (!this.chosen && this.#isPossible(throws, "")) this.result = "";
    this.#draw();
    if (this.chosen) this.enter.focus();
  }

  /** The chosen result, once it is complete. @returns {Entry | undefined} */
  get chosen() {
    return this.options.find((o) => o.throws === this.throws && nameOf(o) === this.result);
  }

  /** What was chosen and not sent. @returns {import("games/kit/played/under_way.js").Begun | null} */
  get begun() {
    const drop = () => this.#choose({ result: "" });
    return this.chosen && !this.el.hidden ? { text: this.#announced(this.chosen), drop } : null;
  }

  /** Tell whether a result can be entered with these; 0 and "" leave it open. @param {number} throws
   * @param {string} result */
  #isPossible(throws, result) {
    return this.options.some((o) => (!throws || o.throws === throws) && (!result || nameOf(o) === result));
  }

  #draw() {
    const { chosen, canAct } = this;
    for (const button of this.counts) {
      const count = Number(button.dataset.throws);
      setAttr(button, "aria-pressed", String(count === this.throws));
      setAttr(button, "disabled", !canAct || !this.#isPossible(count, ""));
    }
    for (const button of this.grid.querySelectorAll("button")) {
      const name = button.dataset.result ?? "";
      setAttr(button, "aria-pressed", String(name === this.result));
      setAttr(button, "disabled", !canAct || !this.#isPossible(this.throws, name));
    }
    const stands = gettext("%(result)s stands");
    setText(this.enter, chosen ? fill(stands, { result: this.#announced(chosen) }) : gettext("Stand"));
    setAttr(this.enter, "disabled", !chosen || !canAct);
    setAttr(this.house, "disabled", !canAct);
  }

  /** Return a result as it is announced. @param {Entry} entry */
  #announced(entry) {
    const { label, note } = this.words(entry);
    return ["sum", "fish"].includes(entry.kind) ? `${label} ${note}` : label;
  }

  #enter() {
    if (this.chosen) this.on.onType(this.chosen);
  }
}

/** @param {Entry} entry */
const nameOf = ({ value, kind }) => `${kind} ${value}`;
