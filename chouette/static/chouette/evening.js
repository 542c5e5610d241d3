// @ts-check
/** The column of a big screen beside the board: the game, Box and Captain, the last results. */
import { h, put, setAttr, setText } from "games/kit/page/dom.js";
import { nameOf, seatsAt } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { endText, headlines, resultText } from "chouette/words/headlines.js";
import { following, seatsOfLast, sessionEnd } from "chouette/words/outcome.js";
import { signed } from "games/kit/page/sentences.js";
import { captionOf, howText, isBetween, isDuel } from "chouette/words/words.js";

export { headlines };

/** @typedef {import("chouette/table.js").Now} Now */

const LAST_GAMES = 3;

export class Evening {
  constructor() {
    this.caption = h("h2", { class: "bt-tv-caption" });
    this.story = h("p", { class: "bt-tv-story" });
    this.games = h("ul", { class: "bt-tv-games" });
    this.last = h("section", { class: "bt-tv-last" }, h("h2", {}, gettext("Last games")), this.games);
    this.el = h("div", { class: "bt-tv" }, h("header", { class: "bt-tv-now" }, this.caption, this.story), this.last);
  }

  /** @param {Now} now */
  show({ view, seats, clocks }) {
    setText(this.caption, view.phase === "over" ? endText(view, seats) : captionOf(view, clocks));
    setText(this.story, storyOf(view, seats));
    const rows = view.sheet.filter((/** @type {any} */ row) => row.game !== null).slice(-LAST_GAMES).reverse();
    setAttr(this.last, "data-empty", !rows.length);
    put(this.games, rows.map((/** @type {any} */ row) =>
      h("li", {}, gameText(row, isDuel(view), seatsAt(seats, row.seq)))));
  }
}

/**
 * Return in sentences how the last game ended, or the Box and the Captain with the games since when.
 * @param {any} view @param {any[]} seats
 */
function storyOf(view, seats) {
  const isLine = view.format === "chouette";
  if (view.phase === "over") return sessionEnd(view, seats).why;
  const last = view.last_game;
  if (last && isBetween(view)) {
    const result = `${resultText(last, isDuel(view), seatsOfLast(view, seats))}.`.replace(/\.\.$/, ".");
    return isLine ? `${result} ${following(view, seats)}` : result;
  }
  return isLine && view.line.length > 2 ? rolesText(view, seats) : "";
}

/** @param {any} view @param {any[]} seats */
function rolesText(view, seats) {
  const [first] = view.line;
  const captain = view.phase === "playing" ? view.game.captain : view.line[1];
  const [box, boxSince] = [nameOf(seats, first), since(view, first, 0)];
  const params = { box, boxSince, captain: nameOf(seats, captain), captainSince: since(view, captain, 1) };
  if (params.boxSince === null) return fill(gettext("%(box)s is the Box, %(captain)s is Captain."), params);
  return fill(
    params.captainSince === null
      ? gettext("%(box)s has been the Box since game %(boxSince)s; %(captain)s is Captain.")
      : gettext(
        "%(box)s has been the Box since game %(boxSince)s, %(captain)s Captain since game %(captainSince)s.",
      ),
    params,
  );
}

/**
 * Return the first of the games in a row in which a seat has had a place of the line; null if it is this one.
 * @param {any} view @param {number} seat @param {number} place
 */
function since(view, seat, place) {
  const games = view.sheet.filter((/** @type {any} */ row) => row.game !== null).reverse();
  const other = games.findIndex((/** @type {any} */ row) => row.line[place] !== seat);
  const run = other < 0 ? games : games.slice(0, other);
  return run.length ? run[run.length - 1].game : null;
}

/** A finished game in a line: "3. Carla −32 · gammon". @param {any} row @param {boolean} isTwo @param {any[]} seats */
function gameText(row, isTwo, seats) {
  const winner = row.points.indexOf(Math.max(...row.points));
  const seat = isTwo ? winner : row.line[0];
  const how = ["backgammon", "gammon"].find((one) => row.transfers.some((/** @type {any} */ t) => t.why === one));
  const params = { number: row.game, name: nameOf(seats, seat), points: signed(row.points[seat]) };
  if (!how) return fill(gettext("%(number)s. %(name)s %(points)s"), params);
  return fill(gettext("%(number)s. %(name)s %(points)s · %(how)s"), { ...params, how: howText(how) });
}
