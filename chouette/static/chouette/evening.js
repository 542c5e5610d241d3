// @ts-check
/** The column of a big screen beside the board: the game, Box and Captain, the last results. */
import { h, put, setAttr, setText } from "games/kit/page/dom.js";
import { nameOf, seatsAt } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { said } from "games/kit/words.js";
import { following, seatsOfLast, sessionEnd } from "chouette/words/outcome.js";
import { phrase, sentences, signed, told } from "games/kit/page/sentences.js";
import { captionOf, gameOf, howText, isBetween, isDuel, requestsIn } from "chouette/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** @typedef {import("chouette/table.js").Now} Now */

const LAST_GAMES = 3;

export class Evening {
  /** @param {(asking: import("games/kit/headlines.js").Asking | null) => void} onAsking told who still answers */
  constructor(onAsking) {
    this.onAsking = onAsking;
    this.caption = h("h2", { class: "bt-tv-caption" });
    this.story = h("p", { class: "bt-tv-story" });
    this.games = h("ul", { class: "bt-tv-games" });
    this.last = h("section", { class: "bt-tv-last" }, h("h2", {}, gettext("Last games")), this.games);
    this.el = h("div", { class: "bt-tv" }, h("header", { class: "bt-tv-now" }, this.caption, this.story), this.last);
  }

  /** @param {Now} now */
  show(now) {
    const { view, seats, clocks } = now;
    this.onAsking(askingOf(now));
    setText(this.caption, view.ended ? told(view.ended.headline, seats) : captionOf(view, clocks));
    setText(this.story, storyOf(view, seats));
    const rows = view.sheet.filter((row) => row.game !== null).slice(-LAST_GAMES).reverse();
    setAttr(this.last, "data-empty", !rows.length);
    put(this.games, rows.map((row) =>
      h("li", {}, gameText(row, isDuel(view), seatsAt(seats, row.seq)))));
  }
}

/**
 * Return who still answers what: a double, a beaver or a raccoon and what the cubes go to, a resignation, a settlement,
 * a play asked back; null while nobody is asked.
 * @param {Now} now @returns {import("games/kit/headlines.js").Asking | null}
 */
function askingOf(now) {
  const { game, phase, waiting_for: waiting } = now.view;
  if (now.hasEnded || phase !== "playing" || !game) return null;
  if (game.resignation) return still(waiting, said("question", { name: "answer_resignation", seat: null }, now), now);
  return ofCubes(game, now) ?? ofRequests(now);
}

/** @param {number[]} to who still answers @param {string} detail @param {Now} now */
function still(to, detail, { seats }) {
  const names = phrase("awaited", { seats: to }, seats);
  return { text: fill(gettext("Still to answer: %(names)s"), { names }), detail, rise: /** @type {number[]} */ ([]) };
}

/** Return who still answers what others ask. @param {Now} now */
function ofRequests(now) {
  const [request] = requestsIn(now.view);
  if (!request) return null;
  const { what, by, to } = request, choice = { seat: null, about: { by } };
  return still(to, what === "settlement" ? said("own", { name: "answer_proposal", ...choice }, now)
    : said("question", { name: "answer_take_back", ...choice }, now), now);
}

/** Return who still answers about cubes, and what these go to. @param {Chouette.GameView} game @param {Now} now */
function ofCubes(game, now) {
  const { view } = now, { waiting_for: waiting } = view;
  if (!waiting.length) return null;
  const doubled = game.cubes.filter(({ cube }) => game.batch.includes(cube)).map(({ value }) => [value, 2 * value]);
  const raised = game.asks.filter(({ kind }) => kind !== "extra").map(({ value }) => [value]);
  const [first, ...others] = game.batch.length ? doubled : raised;
  if (!first) return null;
  const isAlike = others.every((one) => one[0] === first[0]), value = first[first.length - 1];
  const stake = isAlike ? phrase("stake", { value, gammon: 2 * value, each: !isDuel(view) }) : "";
  return { ...still(waiting, stake, now), rise: isAlike ? first : [] };
}

/**
 * Return in sentences how the last game ended, or the Box and the Captain with the games since when.
 * @param {Chouette.View} view @param {SeatInfo[]} seats
 */
function storyOf(view, seats) {
  const isLine = view.format === "chouette";
  if (view.phase === "over") return sessionEnd(view, seats).why;
  const last = view.last_game;
  if (last && isBetween(view)) {
    const result = sentences([told(last.headline, seatsOfLast(view, seats))]);
    return isLine ? `${result} ${following(view, seats)}` : result;
  }
  return isLine && view.line.length > 2 ? rolesText(view, seats) : "";
}

/** @param {Chouette.View} view @param {SeatInfo[]} seats */
function rolesText(view, seats) {
  const [first] = view.line;
  const captain = view.phase === "playing" ? gameOf(view).captain : view.line[1];
  const box = nameOf(seats, first), boxSince = since(view, first, 0);
  const captainSince = since(view, captain, 1), names = { box, captain: nameOf(seats, captain) };
  if (boxSince === null) return fill(gettext("%(box)s is the Box, %(captain)s is Captain."), names);
  return fill(
    captainSince === null
      ? gettext("%(box)s has been the Box since game %(boxSince)s; %(captain)s is Captain.")
      : gettext(
        "%(box)s has been the Box since game %(boxSince)s, %(captain)s Captain since game %(captainSince)s.",
      ),
    { ...names, boxSince, captainSince: captainSince ?? 0 },
  );
}

/**
 * Return the first of the games in a row in which a seat has had a place of the line; null if it is this one.
 * @param {Chouette.View} view @param {number} seat @param {number} place
 */
function since(view, seat, place) {
  const games = view.sheet.filter((row) => row.game !== null).reverse();
  const other = games.findIndex((row) => row.line[place] !== seat);
  const run = other < 0 ? games : games.slice(0, other);
  return run.length ? run[run.length - 1].game : null;
}

/**
 * A finished game in a line: "3. Carla −32 · gammon".
 * @param {Chouette.ScoreRowView} row @param {boolean} isTwo @param {SeatInfo[]} seats
 */
function gameText(row, isTwo, seats) {
  const winner = row.points.indexOf(Math.max(...row.points));
  const seat = isTwo ? winner : row.line[0];
  const how = ["backgammon", "gammon"].find((one) => row.transfers.some((t) => t.why === one));
  const params = { number: row.game ?? 0, name: nameOf(seats, seat), points: signed(row.points[seat]) };
  if (!how) return fill(gettext("%(number)s. %(name)s %(points)s"), params);
  return fill(gettext("%(number)s. %(name)s %(points)s · %(how)s"), { ...params, how: howText(how) });
}
