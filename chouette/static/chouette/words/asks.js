// @ts-check
/** Backgammon's answers to single questions (games/kit/asks.js), from the view alone. */
import { LETTERS } from "games/kit/asks.js";
import { nameOf, namesOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { signed } from "games/kit/page/sentences.js";
import { BAR, sceneOf } from "chouette/board/state.js";
import { storyText } from "chouette/board/words.js";
import { readyText, saidText } from "chouette/team/ready.js";
import { headline } from "chouette/words/outcome.js";
import { captionOf, gameOf } from "chouette/words/words.js";
import { cubes, names, pips, reserves, sides } from "chouette/words/summary.js";

/** @typedef {import("chouette/table.js").Now} Now */
/** @typedef {import("games/kit/asks.js").Ask} Ask */

/**
 * @param {() => void} advise asks for a bot's advice where the house rules allow it
 * @param {Map<number, string>} ready the ready phrases of the present decision, by seat
 * @returns {Ask[]}
 */
export function asks(advise, ready) {
  const { last, count, stakes, own, others, score, advice } = LETTERS;
  return [
    { key: last, label: gettext("Last move"), say: lastMove },
    { key: count, label: gettext("Pips"), say: playing(pipsTold) },
    { key: stakes, label: gettext("Cubes and stakes"), say: playing(stakesTold) },
    { key: own, label: gettext("My blots"), say: playing((now) => blots(now, 1)) },
    { key: others, label: gettext("Their blots"), say: playing((now) => blots(now, -1)) },
    { key: score, label: gettext("Score"), say: scores },
    { key: advice, label: gettext("Suggestions"), say: (/** @type {Now} */ now) => {
      advise();
      return suggestions(now, ready);
    } },
  ];
}

/** Answer while a game runs; else say that none does. @param {(now: Now) => string[]} say */
const playing = (say) => (/** @type {Now} */ now) =>
  now.view.phase === "playing" ? say(now) : [gettext("No game is running.")];

/** Return the roll with the play before it, or the result of the last game. @param {Now} now */
function lastMove({ view, seats }) {
  if (view.phase !== "playing")
    return [view.last_game ? headline(view, seats) : gettext("Nothing has been played yet.")];
  const game = gameOf(view), play = storyText({ ...game, dice: [] }, seats);
  const told = [play, game.dice.length ? storyText(game, seats) : ""].filter(Boolean);
  return told.length ? told : [gettext("Nothing has been played yet.")];
}

/** @param {Now} now */
function pipsTold(now) {
  const told = pips(now);
  return told.length ? told : [gettext("The house rules hide the pips.")];
}

/** Return each cube, and what it counts now. @param {Now} now */
function stakesTold({ view, seats }) {
  const game = gameOf(view), live = game.cubes.filter(({ result }) => result === null);
  const worth = [...new Set(live.map((cube) => cube.worth.join()))];
  const [single, gammon, backgammon] = live[0]?.worth ?? [];
  const text = gettext("It counts %(single)s, a gammon %(gammon)s, a backgammon %(backgammon)s");
  return [...cubes(game, seats), worth.length === 1 ? fill(text, { single, gammon, backgammon }) : ""];
}

/**
 * Return the single checkers of one side, and those on its bar, as the cells on the viewer's board are numbered.
 * @param {Now} now @param {1 | -1} sign 1 for the side at the bottom
 */
function blots(now, sign) {
  const { points, side } = sceneOf(now.view, now.me), bar = Math.abs(points[sign > 0 ? BAR : 0]);
  const [box, team] = names(now), name = (side === "box") === (sign > 0) ? box : team;
  const places = points.flatMap((n, place) => (n === sign && place > 0 && place < BAR ? [place] : [])).reverse();
  return [
    fill(places.length ? gettext("Blots, %(name)s: %(places)s") : gettext("%(name)s: no blot"),
      { name, places: places.join(", ") }),
    bar ? fill(gettext("%(count)s on the bar"), { count: bar }) : "",
  ];
}

/** Return the game, Box and Captain, the points of everybody, and the reserves. @param {Now} now */
function scores(now) {
  const { view, seats, clocks } = now;
  const one = (/** @type {number} */ seat) =>
    `${nameOf(seats, seat)} ${view.score ? view.score[seat] : signed(view.totals[seat])}`;
  return [captionOf(view, clocks), view.line.map(one).join(", "), ...sides(now), ...reserves(now)];
}

/** Return my side's advice: its plays, each once, and its words. @param {Now} now @param {Map<number, string>} ready */
function suggestions({ view, seats, me }, ready) {
  const all = view.me?.suggestions ?? [];
  const told = [...new Set(all.map(({ play }) => play))].map((play) => {
    const by = all.filter((one) => one.play === play).map(({ seat }) => seat);
    return fill(gettext("%(names)s: %(play)s"), { names: namesOf(seats, by), play });
  });
  for (const [seat, text] of ready) if (seat !== me) told.push(saidText(nameOf(seats, seat), readyText(text)));
  return told.length ? told : [view.options.hints ? "" : gettext("Nobody suggests anything.")];
}
