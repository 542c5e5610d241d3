// @ts-check
/** The end of a round in its card: the result, the reason, and what follows. */
import { h, setAttr } from "games/kit/page/dom.js";
import { nameOf } from "games/kit/seats.js";
import { ResultCard } from "games/kit/table.js";
import { told } from "games/kit/page/sentences.js";
import { closing } from "chicago/felt/pieces.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/**
 * @typedef {object} Ending
 * @property {string} title the seat and its loss or gain
 * @property {string[]} lines the reason and the other effects
 * @property {boolean} isChick a Chick caused it
 * @property {string} next the next starter, and the reason
 */

/**
 * Return the end that the turn before this one caused, or null.
 * @param {Chicago.View} view
 * @param {SeatInfo[]} seats
 * @returns {Ending | null}
 */
export function endingOf({ ending, options }, seats) {
  if (!ending?.lines.length) return null;
  const [title, ...lines] = ending.lines.map((line) => told(line, seats, options));
  return { title, lines, isChick: ending.is_chick, next: ending.next ? told(ending.next, seats, options) : "" };
}

/** The end of a round over the felt, until the next throw or a tap on it. */
export class EndingCard extends ResultCard {
  constructor() {
    super("ct-card ct-round");
    this.dismissed = 0;
    this.el.addEventListener("click", () => this.dismiss());
  }

  /** @param {Chicago.View} view @param {SeatInfo[]} seats @param {boolean} isActing dice or mats still move */
  show(view, seats, isActing) {
    this.seq = view.ending?.seq ?? 0;
    const isDue = !isActing && !view.outcome && view.cup.throws === 0 && this.dismissed !== this.seq;
    const ending = isDue ? endingOf(view, seats) : null;
    setAttr(this.el, "data-great", ending?.isChick ?? false);
    this.draw(ending && [ending, standings(view, seats)], () => [
      ...(ending?.isChick ? [h("p", { class: "ct-great" }, gettext("Chick"))] : []),
      h("h2", {}, ending?.title),
      ...(ending?.lines ?? []).map((line) => h("p", {}, line)),
      h("p", { class: "ct-next" }, ending?.next),
      h("p", { class: "ct-standings" }, standings(view, seats).map(standing)),
      closing(() => {}),
    ]);
  }

  /** Remove the card; tell whether it was shown. */
  dismiss() {
    const wasShown = !this.el.hidden;
    this.dismissed = this.seq ?? 0;
    this.el.hidden = true;
    return wasShown;
  }
}

/** @param {[string, string]} row */
function standing([name, count]) {
  return h("span", {}, `${name} `, h("b", {}, count));
}

/**
 * Return the players still in with their mats, forfeits or rounds paid, fewest first.
 * @param {Chicago.View} view
 * @param {SeatInfo[]} seats
 * @returns {[string, string][]}
 */
function standings(view, seats) {
  const has = (/** @type {Chicago.SeatView} */ s) =>
    view.stock !== null ? s.mats : view.options.forfeits ? s.forfeits : s.rounds_paid;
  return view.seats
    .filter((s) => !["left", "coming"].includes(s.status))
    .sort((a, b) => has(a) - has(b) || a.seat - b.seat)
    .map((s) => [nameOf(seats, s.seat), String(has(s))]);
}
