// @ts-check
/** The seats: name, mats, result in this round, tally. */
import { h, put, setAttr, setText, setVars } from "games/kit/page/dom.js";
import { showPresence } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { Stack, tally } from "chicago/felt/pieces.js";
import { called, countedMats, forfeits, isLowRound, short } from "chicago/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

export class Seats {
  constructor() {
    this.el = h("ol", { class: "ct-seats", "aria-label": gettext("Players") });
    /** @type {Card[]} */
    this.cards = [];
  }

  /**
   * @param {Chicago.View} view
   * @param {SeatInfo[]} seats
   * @param {number | null} me
   * @param {boolean} isTv
   */
  show(view, seats, me, isTv) {
    if (this.cards.length !== view.seats.length) {
      this.cards = view.seats.map((_, i) => new Card(i));
      put(this.el, this.cards.map((card) => card.el));
    }
    const ring = ringOf(view);
    const rows = ring.length > MOST_IN_A_ROW ? 2 : 1;
    setVars(this.el, { "--cols": Math.ceil(ring.length / rows) });
    setAttr(this.el, "data-rows", String(rows));
    setAttr(this.el, "data-crowd", ring.length > 8);
    this.#arrange(ring, isTv ? alongTheRim(ring.length) : aboutTheTable(ring.length), me ?? -1);
    for (const card of this.cards) {
      card.show(view, view.seats[card.seat], seats.find((s) => s.seat === card.seat), card.seat === me);
    }
  }

  /** @param {number} seat */
  card(seat) {
    return this.cards[seat];
  }

  /**
   * Put the seats in their places, the first or mine at the first one.
   * @param {number[]} ring @param {[number, number][]} places @param {number} me
   */
  #arrange(ring, places, me) {
    const first = Math.max(0, ring.indexOf(me));
    for (const card of this.cards) {
      const at = ring.indexOf(card.seat);
      card.el.hidden = at < 0;
      const step = (at - first + ring.length) % ring.length, [x, y] = places[step] ?? [0, 0];
      setVars(card.el, { "--sx": x.toFixed(2), "--sy": y.toFixed(2), "--step": step });
    }
  }
}

/**
 * Return places from the middle of the lower edge to the left (clockwise), in halves of a hundred of the room: along
 * its edges, so that no card covers the table.
 * @param {number} count @returns {[number, number][]}
 */
function aboutTheTable(count) {
  return Array.from({ length: count }, (_, step) => {
    const angle = ((90 + (step * 360) / count) * Math.PI) / 180, [c, s] = [Math.cos(angle), Math.sin(angle)];
    const far = 50 / Math.max(Math.abs(c), Math.abs(s));
    return [c * far, s * far];
  });
}

/**
 * Return places on the rim of a wide felt, clockwise from the lower right: two rows, of more than eight one each at the
 * sides.
 * @param {number} count @returns {[number, number][]}
 */
function alongTheRim(count) {
  const sides = count > MOST_IN_ROWS ? 1 : 0, above = Math.floor((count - 2 * sides) / 2);
  const below = count - 2 * sides - above;
  /** @type {(many: number, y: number, way: number) => [number, number][]} */
  const row = (many, y, way) => {
    const far = many > 2 ? 48 : 27;
    return Array.from({ length: many }, (_, i) => [many > 1 ? way * far * ((2 * i) / (many - 1) - 1) : 0, y]);
  };
  const side = (/** @type {number} */ x) => /** @type {[number, number][]} */ (sides ? [[x, 0]] : []);
  return [...row(below, 50, -1), ...side(-50), ...row(above, -50, 1), ...side(50)];
}

/** Number of seats on the upper and the lower rim; of more, one stands at each side. */
const MOST_IN_ROWS = 8;
/** Number of seats in one row on a phone. */
const MOST_IN_A_ROW = 5;
/** Number of seats shown, left ones included: as many as can play. */
const MOST_SHOWN = 12;

/**
 * Return the seats round to the left, the smallest number first. Left ones keep their place as
 * long as there is room for all.
 * @param {Chicago.View} view
 * @returns {number[]}
 */
function ringOf(view) {
  const first = view.order.indexOf(Math.min(...view.order));
  const ring = [...view.order.slice(first), ...view.order.slice(0, first)];
  if (view.seats.length > MOST_SHOWN) return ring;
  for (const { seat } of view.seats) if (!ring.includes(seat)) ring.splice(ring.indexOf(seat - 1) + 1, 0, seat);
  return ring;
}

/** Letters of a result that have room beside mats in a row of six on a phone. */
const MOST_LETTERS = 4;

class Card {
  /** @param {number} seat */
  constructor(seat) {
    this.seat = seat;
    this.name = h("span", { class: "ct-name" });
    this.dot = h("span", { class: "ct-dot presence" });
    this.stack = new Stack();
    this.tally = h("span", { class: "ct-marks" });
    this.result = h("span", { class: "ct-result" });
    this.badge = h("span", { class: "ct-badge" });
    this.el = h(
      "li",
      { class: `ct-seat seat-${seat % 12}` },
      h("span", { class: "ct-who" }, this.dot, this.name),
      h("span", { class: "ct-has" }, this.stack.el, this.tally, this.result),
      this.badge,
    );
    this.marks = -1;
  }

  /**
   * @param {Chicago.View} view
   * @param {Chicago.SeatView} seat the game's facts about the seat
   * @param {SeatInfo | undefined} person
   * @param {boolean} isMe
   */
  show(view, seat, person, isMe) {
    // The dot shows that it is a bot; every letter of the name is needed here.
    const name = (person?.name ?? "").replace(/ 🤖$/u, "");
    setText(this.name, name);
    setAttr(this.name, "title", name);
    setAttr(this.el, "data-status", seat.status);
    setAttr(this.el, "data-turn", view.turn === this.seat || view.naming === this.seat);
    setAttr(this.el, "data-me", isMe);
    showPresence(this.dot, person, gettext("plays by the odds"));
    this.#holdings(view, seat);
    this.#result(view, seat);
    this.#badge(view, seat);
  }

  /** @param {Chicago.View} view @param {Chicago.SeatView} seat */
  #holdings(view, seat) {
    const hasMats = view.stock !== null;
    this.stack.el.hidden = !hasMats;
    if (hasMats) {
      this.stack.show(seat.mats, holdings(view, seat));
    }
    const marks = marksOf(view, seat);
    this.tally.hidden = hasMats;
    if (marks === this.marks) return;
    this.marks = marks;
    const words = holdings(view, seat);
    const picture = marks > 15 ? h("span", { "aria-hidden": "true" }, `×${marks}`) : tally(marks);
    put(this.tally, picture, h("span", { class: "visually-hidden" }, words));
    setAttr(this.tally, "title", words);
  }

  /** @param {Chicago.View} view @param {Chicago.SeatView} seat */
  #result(view, seat) {
    const result = seat.result;
    setAttr(this.el, "data-played", result !== null);
    if (!result || result.chick) return setText(this.result, "");
    const key = JSON.stringify(result);
    if (this.result.dataset.key === key && this.result.textContent) return;
    this.result.dataset.key = key;
    const text = short(result);
    setAttr(this.result, "data-long", text.length > MOST_LETTERS);
    put(
      this.result,
      h("b", { "aria-hidden": "true" }, text),
      h("i", { "aria-hidden": "true", class: "ct-dots", data: { n: result.throws } }),
      h("span", { class: "visually-hidden" }, called(result)),
    );
  }

  /** @param {Chicago.View} view @param {Chicago.SeatView} seat */
  #badge(view, seat) {
    const [kind, text] = badge(view, seat);
    setAttr(this.badge, "data-kind", kind);
    setText(this.badge, text);
    setAttr(this.badge, "title", text);
    this.badge.hidden = text === "";
  }
}

/**
 * Return the number of strokes of a seat in a game without mats.
 * @param {Chicago.View} view @param {Chicago.SeatView} seat
 */
const marksOf = (view, seat) => (view.options.forfeits ? seat.forfeits : seat.rounds_paid);

/**
 * Return the holdings of a seat in words: mats, forfeits or rounds paid.
 * @param {Chicago.View} view @param {Chicago.SeatView} seat
 */
export function holdings(view, seat) {
  if (view.stock !== null) return countedMats(seat.mats, view.options);
  const count = marksOf(view, seat);
  if (view.options.forfeits) return forfeits(count, view.options);
  return fill(ngettext("%(count)s round paid", "%(count)s rounds paid", count), { count });
}

/**
 * Return the most important fact about a seat, in a word.
 * @param {Chicago.View} view
 * @param {Chicago.SeatView} seat
 * @returns {[string, string]}
 */
function badge(view, seat) {
  if (view.outcome?.losers.includes(seat.seat)) return ["pays", gettext("pays")];
  if (seat.status === "left") return ["left", gettext("left")];
  if (seat.status === "coming") return ["coming", gettext("comes in")];
  if (seat.status === "safe") return ["safe", gettext("safe")];
  if (seat.status === "out") return ["safe", gettext("Chick")];
  if (seat.must_refill) return ["duty", gettext("refills")];
  const isLow = isLowRound(view);
  if (view.low?.seat === seat.seat) return ["low", isLow ? gettext("worst") : gettext("low")];
  if (view.high?.seat === seat.seat) return ["high", isLow ? gettext("best") : gettext("high")];
  if (view.turn === seat.seat && view.starter === seat.seat) return ["starter", gettext("starts")];
  return ["", ""];
}
