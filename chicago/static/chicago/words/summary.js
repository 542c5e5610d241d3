// @ts-check
/** The state of the game, in sentences to be spoken: the turn, the dice, high and low, the players' holdings. */
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { turnOf } from "games/kit/words.js";
import { need, waiting } from "chicago/actions/actions.js";
import { phase, throwsRule } from "chicago/felt/board.js";
import { holdings } from "chicago/seats.js";
import { called, countedMats, isLowRound } from "chicago/words/words.js";

/** @typedef {import("games/kit/table.js").Now<Chicago.View, Chicago.Choice>} Now */

/** @param {Now} now @returns {string[]} */
export function summary(now) {
  const { view, seats, me } = now;
  const turn = turnOf(now).text, held = heldBy(now), stock = stockOf(view);
  if (view.turn === null) return [turn, ...held, stock];
  const isMine = view.turn === me, stands = standings(view, seats);
  return [phase(view), turn, ...dice(view, isMine), ...stands, toBeat(now), throwsRule(view), ...held, stock];
}

/** Return what everybody holds. @param {Now} now */
export function heldBy({ view, seats }) {
  return view.seats.filter((one) => one.status !== "left").map((one) =>
    fill(gettext("%(name)s: %(result)s"), { name: nameOf(seats, one.seat), result: holdings(view, one) }));
}

/** Return the mats in the stock, "" without mats. @param {Chicago.View} view */
export const stockOf = ({ stock, options }) =>
  stock === null ? "" : fill(gettext("%(mats)s in the stock"), { mats: countedMats(stock, options) });

/** Return what must be beaten: by me, else by whoever throws. @param {Now} now */
export function toBeat(now) {
  const { view, seats, me } = now;
  return view.turn === me ? need(now) : waiting(view, { seats, me });
}

/** Return the dice on the felt, and the number of my throw. @param {Chicago.View} view @param {boolean} isMine */
export function dice(view, isMine) {
  const { laid, rolled, throws } = view.cup;
  if (!throws) return [];
  const [thrown, out] = [rolled.join(", "), laid.join(", ")];
  return [
    isMine ? fill(gettext("Throw %(number)s of %(all)s"), { all: view.throw.all, number: throws }) : "",
    fill(gettext("Dice thrown: %(dice)s"), { dice: thrown }),
    out && fill(gettext("Laid out: %(dice)s"), { dice: out }),
  ];
}

/** Return the high and the low with their results. @param {Chicago.View} view @param {Now["seats"]} seats */
export function standings(view, seats) {
  const isLow = isLowRound(view);
  const labels = isLow ? [gettext("Best"), gettext("Worst")] : [gettext("High"), gettext("Low")];
  return [view.high, view.low].flatMap((result, i) => result
    ? [fill(gettext("%(name)s: %(result)s"),
      { name: labels[i], result: `${nameOf(seats, result.seat)}, ${called(result)}` })]
    : []);
}
