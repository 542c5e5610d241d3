// @ts-check
/**
 * <stammtisch-table>: the table of a game that ships no element of its own. It shows the names that
 * it knows in the view (docs/front-end.md), and every other number, word or boolean as a fact.
 */
import { Die } from "games/kit/dice.js";
import { h, put, setAttr } from "games/kit/page/dom.js";
import { Actions } from "games/kit/actions.js";
import { SeatStrip } from "games/kit/seat_strip.js";
import { nameOf } from "games/kit/seats.js";
import { ResultCard, TableElement } from "games/kit/table.js";
import { worded } from "games/kit/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

const KNOWN = ["seats", "dice", "waiting_for", "asked", "over", "options"];

export class StammtischTable extends TableElement {
  /** @type {import("games/kit/fit.js").Sizes} */
  static sizes = { large: ({ width, height }) => width >= 700 && height >= 420 };
  strip = new SeatStrip();
  dice = h("div", { class: "kit-dice dice-place", role: "img" });
  facts = h("dl", { class: "kit-facts" });
  result = new ResultCard("kit-result");
  actions = new Actions((name, args) => this.command(name, args));

  seatBox(/** @type {number} */ seat) {
    return this.strip.cards.find((_, i) => this.now?.seats[i].seat === seat)?.el;
  }

  build() {
    const middle = h("div", { class: "kit-middle" }, this.dice, this.facts, this.result.el);
    return h("div", { class: "kit" }, this.strip.el, middle, this.actions.el);
  }

  /** @param {import("games/kit/table.js").Now} now */
  show(now) {
    this.strip.show(now, this.status.waitingFor);
    this.#showDice(now.view.dice ?? []);
    put(this.facts, facts(now.view).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
    const parts = [now.view.seats, now.seats.map((s) => s.name), now.grades];
    this.result.draw(isOver(now) ? parts : null, () => ranking(now));
    this.actions.show(now);
  }

  /** A die is its value, or {value, colour}. @param {(number | {value: number, colour?: string})[]} dice */
  #showDice(dice) {
    const thrown = dice.map((die) => (typeof die === "number" ? { value: die, colour: undefined } : die));
    const key = JSON.stringify(thrown);
    if (this.dice.dataset.key === key) return;
    this.dice.dataset.key = key;
    this.dice.hidden = !thrown.length;
    const named = thrown.map(({ value, colour }) => (colour ? `${worded(colour)} ${value}` : String(value)));
    setAttr(this.dice, "aria-label", named.join(", "));
    const drawn = thrown.map(({ value, colour }) => {
      const die = new Die();
      die.show(value);
      return h("span", { class: "kit-die", data: colour ? { colour } : {} }, die.el);
    });
    put(this.dice, drawn);
  }

  /** On a big screen headlines have the place of the buttons. */
  get places() {
    return this.now?.isTv ? { headlines: this.root } : undefined;
  }

  get shownResult() {
    return this.now && isOver(this.now) ? "over" : "";
  }

  get keys() {
    return gettext("1 to 9: the buttons in their order, and the letters on them");
  }

  /** @param {KeyboardEvent} event */
  key({ key }) {
    return /^[1-9a-z]$/i.test(key) && this.actions.press(key);
  }
}

/** @param {import("games/kit/table.js").Now} now */
const isOver = ({ view, hasEnded }) => hasEnded || view.over === true;

/** @param {unknown} value */
const isPlain = (value) => ["number", "string"].includes(typeof value) && value !== "";

/**
 * Return the members of a view that are one word or number.
 * @param {House.KitView} view @returns {[string, string][]}
 */
function facts(view) {
  const plain = Object.entries(view).filter(([name, value]) => !KNOWN.includes(name) && isPlain(value));
  return plain.map(([name, value]) => [worded(name), String(value)]);
}

/** @param {import("games/kit/table.js").Now} now */
function ranking(now) {
  const { view, seats } = now;
  const points = (/** @type {SeatInfo} */ one) => view.seats?.[one.seat]?.points ?? 0;
  const text = (/** @type {SeatInfo} */ one) => String(points(one)).replace("-", "−");
  const rows = [...seats].sort((a, b) => points(b) - points(a));
  const line = (/** @type {SeatInfo} */ one) => h("li", {}, nameOf(seats, one.seat), h("b", {}, text(one)));
  return [h("h2", {}, gettext("The game is over")), h("ol", {}, rows.map(line)), now.grades && h("p", {}, now.grades)];
}

customElements.define("stammtisch-table", StammtischTable);
