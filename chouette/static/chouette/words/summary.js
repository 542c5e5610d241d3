// @ts-check
/** The state of the game, in sentences to be spoken: the turn, dice, pips, checkers and cubes. */
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { turnOf } from "games/kit/words.js";
import { described } from "chouette/board/cube.js";
import { BAR, sceneOf } from "chouette/board/state.js";
import { storyText } from "chouette/board/words.js";
import { clockText } from "chouette/team/game_clock.js";
import { cubesIn } from "chouette/team/cubes.js";
import { captionOf, gameOf, isDuel } from "chouette/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** @typedef {import("chouette/table.js").Now} Now */

/** @param {Now} now @returns {string[]} */
export function summary(now) {
  const { view, seats } = now;
  const head = [captionOf(view, now.clocks), turnOf(now).text, ...reserves(now)];
  if (view.phase !== "playing") return [...head, ...sides(now)];
  const game = gameOf(view);
  const story = game.dice.length ? "" : storyText(game, seats); // the dice are in the question
  if (view.options.board === "wood") return [...head, ...sides(now), ...cubes(game, seats)];
  return [...head, story, ...sides(now), ...pips(now), ...checkers(now), ...cubes(game, seats)];
}

/** Return the reserves of the game clocks, as last pressed; none without clocks. @param {Now} now */
export function reserves({ view, seats }) {
  const { clock } = view;
  if (!clock) return [];
  const one = (/** @type {number} */ seat) => `${nameOf(seats, seat)} ${clockText(clock.left[seat])}`;
  return [fill(gettext("Reserves: %(reserves)s"), { reserves: view.line.map(one).join(", ") })];
}

/** Return the Box and the Captain, in words. @param {Now} now */
export function sides({ view, seats }) {
  if (!view.roles) return [];
  const { box, captain } = view.roles;
  const sentence = gettext("Box: %(box)s, Captain: %(captain)s");
  return [fill(sentence, { box: nameOf(seats, box), captain: nameOf(seats, captain) })];
}

/** Return the names of the two sides, the Box's first. @param {Now} now */
export function names({ view, seats }) {
  const { box, captain } = gameOf(view);
  return isDuel(view) ? [nameOf(seats, box), nameOf(seats, captain)] : [gettext("Box"), gettext("Team")];
}

/** Return the pip counts in words; none if the house rules hide them. @param {Now} now */
export function pips(now) {
  const { pips: counts } = gameOf(now.view);
  if (!counts) return [];
  const [box, team] = counts;
  const [boxName, teamName] = names(now);
  const sentence = gettext("Pips: %(box_name)s %(box)s, %(team_name)s %(team)s");
  return [fill(sentence, { box_name: boxName, box, team_name: teamName, team })];
}

/**
 * Return the places of both sides' checkers, on points as the cells on the viewer's board are numbered.
 * @param {Now} now
 */
function checkers(now) {
  const { side, points, off } = sceneOf(now.view, now.me);
  const [boxName, teamName] = names(now);
  const sides = side === "box" ? [boxName, teamName] : [teamName, boxName];
  return [1, -1].map((sign, i) => {
    const on = points.flatMap((n, place) => (n * sign > 0 ? [standing(n * sign, place)] : [])).reverse();
    const places = off[i] ? [...on, fill(gettext("%(count)s borne off"), { count: off[i] })] : on;
    return fill(gettext("Checkers, %(name)s: %(places)s"), { name: sides[i], places: places.join(", ") });
  });
}

/** @param {number} count @param {number} place */
function standing(count, place) {
  const isOnBar = place === 0 || place === BAR;
  return fill(isOnBar ? gettext("%(count)s on the bar") : gettext("%(count)s on point %(place)s"), { count, place });
}

/** Return the cubes in play, in words. @param {Chouette.GameView} game @param {SeatInfo[]} seats */
export function cubes(game, seats) {
  const inPlay = cubesIn(game).filter((cube) => cube.result === null);
  const offered = game.stage === "answers" ? game.batch : [];
  return inPlay.map((cube) => described(cube, seats, offered.includes(cube.cube), game.single));
}
