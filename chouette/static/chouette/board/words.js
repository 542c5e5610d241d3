// @ts-check
/** The board in words: for screen readers, and for the line under it. */
import { nameOf, namesOf, twoLetters } from "games/kit/seats.js";
import { andList, fill } from "games/kit/page/text.js";
import { BAR, OFF, THEIR_BAR, THEIR_OFF, countAt } from "chouette/board/state.js";
import { lineOf } from "games/kit/page/sentences.js";
import { gameOf } from "chouette/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** @typedef {import("chouette/table.js").Now} Now */
/** @typedef {import("chouette/board/state.js").Scene} Scene */
/** @typedef {import("chouette/board/moving/draft.js").Draft} Draft */
/** @typedef {import("chouette/board/moving/draft.js").Step} Step */
/** @typedef {import("chouette/board/moving/draft.js").Route} Route */
/** @typedef {import("chouette/board/moving/hand.js").Hand} Hand */

/**
 * Return a place's name and its checkers: "5 light checkers, yours".
 * @param {Scene} scene
 * @param {number} place
 * @param {boolean} isSeated
 */
function placeLabel(scene, place, isSeated) {
  const n = countAt(scene, place);
  const name = placeTitle(place, isSeated, scene.side);
  if (n === 0) return fill(gettext("%(place)s, empty"), { place: name });
  const checkers = isLight(scene, n) ? lightOnes(Math.abs(n)) : darkOnes(Math.abs(n));
  if (place > BAR || place === BAR || place === OFF) return `${name}, ${checkers}`;
  return `${name}, ${checkers}, ${isSeated ? (n > 0 ? gettext("yours") : gettext("theirs")) : owner(scene, n)}`;
}

/** @param {number} place @param {boolean} isSeated @param {string} side the one at the bottom */
function placeTitle(place, isSeated, side) {
  const isTeam = (/** @type {boolean} */ isNear) => isNear === (side === "team");
  switch (place) {
    case BAR: case THEIR_BAR:
      if (isSeated) return place === BAR ? gettext("Your bar") : gettext("Their bar");
      return isTeam(place === BAR) ? gettext("Bar of the Team") : gettext("Bar of the Box");
    case OFF: case THEIR_OFF:
      if (isSeated) return place === OFF ? gettext("Your tray") : gettext("Their tray");
      return isTeam(place === OFF) ? gettext("Tray of the Team") : gettext("Tray of the Box");
    default: return fill(gettext("Point %(number)s"), { number: place });
  }
}

/** @param {Scene} scene @param {number} n */
const isLight = (scene, n) => (n > 0) === (scene.side === "team");

/** @param {Scene} scene @param {number} n */
const owner = (scene, n) => (isLight(scene, n) ? gettext("Team") : gettext("Box"));

/** @param {number} count */
const lightOnes = (count) => fill(ngettext("%(count)s light checker", "%(count)s light checkers", count), { count });

/** @param {number} count */
const darkOnes = (count) => fill(ngettext("%(count)s dark checker", "%(count)s dark checkers", count), { count });

/** Return a point as in notation. @param {number} point in the mover's view */
const pointName = (point) => (point === BAR ? "bar" : point === OFF ? "off" : String(point));

/** Return steps as in notation. @param {Step[]} steps */
const stepsText = (steps) => steps.map(([from, to]) => `${pointName(from)}/${pointName(to)}`).join(" ");

/** Return the label of a choice between routes: their first stops. @param {Route} route */
function wayText(route) {
  const stops = route.steps.slice(0, -1).map(([, to]) => pointName(to)).join("/");
  const isHit = route.steps.slice(0, -1).some(([, , hit]) => hit);
  return fill(isHit ? gettext("hit on %(points)s") : gettext("over %(points)s"), { points: stops });
}

/** Return the roll or the last play in words, for all. @param {Chouette.GameView} game @param {SeatInfo[]} seats */
export function storyText(game, seats) {
  if (!game?.running) return "";
  const text = (/** @type {string} */ type, /** @type {object} */ data) => lineOf({ type, data }, seats);
  if (game.dice.length) return text("dice_rolled", { seat: game.on_roll, dice: game.dice });
  if (game.last_play) return text("play_made", game.last_play);
  if (game.stage !== "opening") return "";
  return game.opening.map((o) => text("opening_die_rolled", o)).join(" ");
}

/**
 * Return the content of the line under the board.
 * @param {Now} now @param {Hand} hand
 * @param {{choose: (way: Route) => void, whole: (play: string) => void}} acts
 * @returns {import("chouette/board/bar.js").BarState}
 */
export function barState(now, hand, acts) {
  const { draft, mode } = hand;
  const go = mode === "suggest" ? gettext("Suggest this play") : gettext("Confirm");
  const closed = {
    isOpen: false,
    text: storyText(gameOf(now.view), now.seats),
    go,
    canGo: false,
    isBegun: false,
    canType: false,
    canAct: now.canAct,
    ways: [],
    plays: [],
  };
  if (!draft || now.isTv) return closed;
  const ways = hand.ways.map((way) => ({ text: wayText(way), press: () => acts.choose(way) }));
  const isReady = draft.play !== null || draft.only !== null;
  return {
    ...closed,
    isOpen: true,
    text: draftText(draft, gameOf(now.view).dice, mode),
    canGo: isReady && now.canAct,
    isBegun: draft.made.length > 0 || ways.length > 0,
    canType: !draft.made.length && !ways.length && !draft.isBlocked,
    ways,
    plays: draft.made.length || ways.length ? [] : suggested(now, acts.whole),
  };
}

/**
 * Return the suggested plays of my side, each once, with the letters of their seats.
 * @param {Now} now @param {(play: string) => void} whole
 * @returns {import("chouette/board/suggested.js").Whole[]}
 */
function suggested({ view, seats }, whole) {
  const letters = twoLetters(seats.map((one) => nameOf(seats, one.seat)));
  /** @type {{seat: number, play: string}[]} */
  const all = view.me?.suggestions ?? [];
  const by = (/** @type {string} */ play) => all.filter((one) => one.play === play).map(({ seat }) => seat);
  return [...new Set(all.map(({ play }) => play))].map((play) => ({
    play,
    by: by(play).map((seat) => ({ seat, letters: letters[seat] })),
    label: fill(gettext("%(names)s: %(play)s. Make it on the board"), { names: namesOf(seats, by(play)), play }),
    press: () => whole(play),
  }));
}

/** @param {Draft} draft @param {number[]} dice @param {string | null} mode */
function draftText(draft, dice, mode) {
  if (draft.isBlocked) return fill(gettext("You cannot move with %(dice)s"), { dice: dice.join("-") });
  if (draft.play) return draft.node.left.length ? `${draft.play}. ${unused(draft.node.left)}` : draft.play;
  if (draft.only) return fill(gettext("Only play: %(play)s"), { play: draft.only });
  if (draft.made.length) return `${stepsText(draft.steps)} …`;
  const text = mode === "suggest" ? gettext("Suggest a play for %(dice)s") : gettext("Play %(dice)s");
  return fill(text, { dice: dice.join("-") });
}

/** @param {number[]} left */
const unused = (left) => fill(gettext("No move for %(dice)s"), { dice: andList([...new Set(left)].map(String)) });

/**
 * @param {Scene} scene
 * @param {number} place
 * @param {Now} now
 * @param {import("chouette/board/render.js").Marks} marks
 */
export function labelOf(scene, place, { me }, marks) {
  const text = placeLabel(scene, place, me !== null);
  if (marks.near.includes(place) || marks.far.includes(place))
    return fill(gettext("%(place)s, target"), { place: text });
  return marks.sources.includes(place) ? fill(gettext("%(place)s, can move"), { place: text }) : text;
}

/** @param {Hand} hand @param {Now} now */
export function heldLine(hand, now) {
  const place = placeTitle(hand.held ?? 0, now.me !== null, "team");
  const targets = [...hand.targets.keys()].map(pointName).join(", ");
  return fill(gettext("%(place)s picked up. Targets: %(targets)s"), { place, targets });
}
