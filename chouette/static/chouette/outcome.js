// @ts-check
/** The result of the last game with the next line; at the end that of the session or match. */
import { h } from "games/kit/dom.js";
import { nameOf } from "games/kit/seats.js";
import { ResultCard } from "games/kit/table.js";
import { fill } from "games/kit/text.js";
import { following } from "chouette/line.js";
import { person, sign } from "chouette/sheet/rows.js";
import { howText, signed } from "chouette/words.js";

/** @typedef {import("chouette/table.js").Now} Now */

/** A card that is there between two games and at the end. */
export class Outcome extends ResultCard {
  constructor() {
    super("bt-outcome");
  }

  /** @param {Now} now */
  show({ view, seats }) {
    const isOver = view.phase === "over";
    const isShown = isOver || (view.phase === "between" && view.last_game);
    const parts = [view.phase, view.last_game, view.ended, view.totals, view.line, seats.map((s) => s.name)];
    this.draw(isShown ? parts : null, () => [isOver ? session(view, seats) : game(view, seats)].flat());
  }
}

/**
 * The winner, the kind of win, and the reason for the next line: what the sheet's newest row leaves out.
 * @param {any} view
 * @param {any[]} seats
 */
function game(view, seats) {
  const isLine = view.format === "chouette";
  return [
    h("h3", {}, headline(view, seats)),
    view.score && h("p", { class: "bt-outcome-score" }, score(view, seats)),
    isLine && h("p", {}, following(view, seats)),
  ];
}

/** The winner of the last game and the kind of win. @param {any} view @param {any[]} seats */
function headline(view, seats) {
  const last = view.last_game;
  const isLine = view.format === "chouette";
  const winner = last.winner === "box" ? last.box : last.last_captain;
  const text = !isLine
    ? gettext("Game %(number)s: %(name)s won %(points)s")
    : last.winner === "box"
      ? gettext("Game %(number)s: the Box (%(name)s) won, %(points)s")
      : gettext("Game %(number)s: the Team beat the Box (%(name)s, %(points)s)");
  const shown = isLine ? last.box : winner;
  const said = fill(text, { name: nameOf(seats, shown), number: last.number, points: signed(last.points[shown]) });
  return `${said} · ${howText(last.reason)}`;
}

/** A match's score: "Anna 4 : 2 Bo". @param {any} view @param {any[]} seats */
function score(view, seats) {
  const [a, b] = [...view.line].sort((x, y) => x - y);
  return `${nameOf(seats, a)} ${view.score[a]} : ${view.score[b]} ${nameOf(seats, b)}`;
}

/** @param {any} view @param {any[]} seats */
function session(view, seats) {
  const { reason, winner } = view.ended ?? {};
  if (view.score) {
    const won =
      winner === null || winner === undefined
        ? gettext("The match is over")
        : fill(gettext("%(name)s wins the match"), { name: nameOf(seats, winner) });
    return [
      h("h3", {}, won),
      reason === "too_few" && h("p", {}, gettext("The other side has left.")),
      h("p", { class: "bt-outcome-score" }, score(view, seats)),
    ];
  }
  const why = reason === "too_few" ? gettext("Too few players are left.") : gettext("The host has closed the table.");
  const ranked = view.totals.map((/** @type {number} */ amount, /** @type {number} */ seat) => ({ amount, seat }));
  ranked.sort((/** @type {any} */ a, /** @type {any} */ b) => b.amount - a.amount);
  const rows = ranked.filter((/** @type {any} */ r) => view.seats[r.seat].status !== "watching");
  return [
    h("h3", {}, gettext("The session is over")),
    h("p", {}, why),
    h(
      "ol",
      { class: "bt-outcome-ranking" },
      rows.map((/** @type {any} */ r) =>
        h("li", {}, person(seats, r.seat), h("b", { data: { sign: sign(r.amount) } }, signed(r.amount))),
      ),
    ),
  ];
}
