// @ts-check
/** Backgammon's words: sides, roles, points. Sentences about events are declared with the rules. */
import { nameOf } from "games/kit/seats.js";
import { phrase } from "games/kit/page/sentences.js";
import { fill } from "games/kit/page/text.js";

/**
 * Return the game of a view: there is one while the phase is "playing", and after that.
 * @param {{game: Chouette.GameView | null}} view
 */
export const gameOf = ({ game }) => /** @type {Chouette.GameView} */ (game);

/** @param {"box" | "team"} side */
export function sideName(side) {
  return side === "box" ? gettext("the Box") : gettext("the Team");
}

/** Return a role in the running game, as a badge; "" for none. @param {string} role */
export function roleName(role) {
  /** @type {Record<string, string>} */
  const names = {
    box: gettext("Box"),
    captain: gettext("Captain"),
    stand_in: gettext("stand-in"),
    member: gettext("member"),
    partner: gettext("partner"),
    out: gettext("out"),
    deputy: gettext("deputy"),
  };
  return names[role] ?? "";
}

/** Return the short form of a role, for little room. @param {string} role */
export function shortRole(role) {
  if (role === "box") return gettext("Box");
  return role === "captain" || role === "stand_in" ? gettext("Cpt.") : "";
}

/** Return the status of a seat without a role in the running game, as a badge. @param {string} status */
export function statusName(status) {
  /** @type {Record<string, string>} */
  const names = {
    coming: gettext("coming"),
    watching: gettext("watching"),
    left: gettext("left"),
    played_on: gettext("left, a bot plays on"),
  };
  return names[status] ?? "";
}

/** The owner of a cube, in words. @param {{owner: string}} cube @param {string} member @param {string} against */
export function ownerText(cube, member, against) {
  if (cube.owner === "centre") return gettext("in the centre");
  return fill(gettext("owned by %(name)s"), { name: cube.owner === "member" ? member : against });
}

/** Return the end of a cube, as a word before the points. @param {string} how */
export const howText = (how) => phrase("how_text", { how });

/** Return a level, 1, 2 or 3 times the cube, in words. @param {number} level */
export const levelText = (level) => phrase("level_text", { level });

/** Return a result told of a real board, as a short sentence. @param {{winner: string, level: number}} told */
export const woodText = (told) => phrase("told_text", told);

/** @param {number} count */
export const pointsText = (count) => phrase("points_text", { count });

/** Tell whether the game is one of two players, not of a Box against a Team. @param {Chouette.View} view */
export function isDuel(view) {
  return view.format !== "chouette" || view.line.length <= 2;
}

/**
 * Tell whether no play is possible now: the last result stands until both have rolled, even if one has.
 * @param {Chouette.View} view
 */
export function isBetween(view) {
  return ["pause", "between"].includes(view.phase) || (view.phase === "playing" && gameOf(view).stage === "opening");
}

/**
 * Return the number of the running game, else of the next one; at the end of the last one.
 * @param {Chouette.View} view
 */
export function gameNumber(view) {
  const played = view.sheet.filter((row) => row.game).length;
  return view.phase === "playing" ? gameOf(view).number : Math.max(1, view.phase === "over" ? played : played + 1);
}

/**
 * Return the game in a line: "Game 4", "Match to 5 · Game 2 · Crawford · 12 minutes left".
 * @param {Chouette.View} view
 * @param {Record<string, number>} [clocks]
 */
export function captionOf(view, clocks = {}) {
  const parts = [fill(gettext("Game %(number)s"), { number: gameNumber(view) })];
  if (view.match_length) parts.unshift(fill(gettext("Match to %(points)s"), { points: view.match_length }));
  if (view.crawford || view.crawford_next) parts.push(gettext("Crawford"));
  parts.push(timeText(view, clocks));
  return parts.filter(Boolean).join(" · ");
}

/**
 * Return the time left of a match with a time limit, or what follows its end; "" without one.
 * @param {Chouette.View} view
 * @param {Record<string, number>} clocks
 */
export function timeText(view, clocks) {
  if (!view.time_limit || view.phase === "over") return "";
  if (view.time_limit.over) return view.phase === "playing" ? gettext("last game") : gettext("one more game");
  const minutes = Math.ceil((clocks.time_limit ?? NaN) / 60_000);
  const text = ngettext("%(minutes)s minute left", "%(minutes)s minutes left", minutes);
  return Number.isNaN(minutes) ? "" : fill(text, { minutes });
}

/**
 * Return the next Box and Captain, of those who will play.
 * @param {Chouette.View} view @param {import("games/kit/seats.js").SeatInfo[]} seats
 */
export function nextGame({ line }, seats) {
  const [box, captain] = line.map((/** @type {number} */ seat) => nameOf(seats, seat));
  return fill(gettext("Next game: %(box)s is Box, %(captain)s is Captain."), { box, captain });
}

/** What seats ask of others in the running game. @param {Chouette.View} view @returns {Chouette.RequestView[]} */
export const requestsIn = (view) => (view.phase === "playing" ? gameOf(view).requests : []);

/** The seats that others ask something. @param {Chouette.View} view */
export const askedIn = (view) => requestsIn(view).flatMap(({ to }) => to);

/**
 * Return what somebody asks of others, and whose answer is missing, "" for nothing: until then nobody need roll.
 * @param {Pick<import("chouette/table.js").Now, "view" | "seats">} now
 */
export function requestText({ view, seats }) {
  const [request] = requestsIn(view);
  if (!request) return "";
  const { what } = request, alike = requestsIn(view).filter((one) => one.what === what);
  const names = phrase("awaited", { seats: [...new Set(alike.flatMap(({ to }) => to))] }, seats);
  return fill(what === "settlement" ? gettext("Settlement: waiting for %(names)s")
    : gettext("Play asked back: waiting for %(names)s"), { names });
}

/** Return when the Captain rolls. @param {number} left milliseconds, 0 where no time runs */
export function rollsText(left) {
  const seconds = Math.ceil(left / 1000);
  return seconds > 0 ? fill(gettext("Rolls in %(seconds)s …"), { seconds }) : gettext("Rolls soon …");
}

/** Return a number's sign for the style sheet. @param {number} points */
export function sign(points) {
  return points > 0 ? "plus" : points < 0 ? "minus" : "zero";
}

/**
 * Return the dice that were rolled and are not played yet; those of a house rule's position nobody has rolled.
 * @param {Pick<Chouette.View, "options" | "game">} view @returns {number[]}
 */
export function rolledDice({ game, options }) {
  const dice = game?.dice ?? [], laid = String(options.start_position).split(":")[4] ?? "";
  return [...dice].sort().join("") === [...laid].sort().join("") ? [] : dice;
}
