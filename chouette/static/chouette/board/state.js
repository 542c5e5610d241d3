// @ts-check
/**
 * The checkers on the board, in the view of the viewer's side: points 1–24 counted as that side
 * counts them, its checkers positive, [25] its bar, [0] the other side's bar (≤ 0). No rules.
 */

/** Places that are no points: for both sides a bar and a tray. */
export const BAR = 25, OFF = 0, THEIR_BAR = 26, THEIR_OFF = 27;
export const SIZE = 26;
/** The last point of the home board. */
export const HOME = 6;

/** @typedef {"box" | "team"} Side */
/** @typedef {{value: number, isMine: boolean, isSpent: boolean}} DieSpot `isMine`: thrown by the side at the bottom */

/**
 * @typedef {object} Scene
 * @property {Side} side the viewer's
 * @property {number[]} points 26 ints
 * @property {number[]} off borne off: by the viewer's side, by the other one
 * @property {DieSpot[]} dice
 * @property {boolean} [isUncounted] the house rules hide the pip counts
 */

/**
 * Return the side at the bottom: the Box for the Box and its partner, else the Team.
 * @param {Chouette.View} view @param {number | null} me @returns {Side}
 */
export function viewerSide(view, me) {
  const box = view.game ? view.game.box : view.line[0];
  return me !== null && (me === box || me === view.game?.partner) ? "box" : "team";
}

/**
 * Turn a position in the Box's view into the view of a side.
 * @param {number[]} points @param {Side} side
 */
export const viewOf = (points, side) => (side === "box" ? [...points] : [...points].reverse().map((n) => (n ? -n : 0)));

/**
 * The other side's point, or mine: a point of the mover's view as the viewer counts it.
 * @param {number} point
 * @param {boolean} isMine
 */
export const toViewer = (point, isMine) => (isMine ? point : 25 - point);

/** @param {Chouette.View} view @param {number | null} me @returns {Scene} */
export function sceneOf(view, me) {
  const side = viewerSide(view, me);
  const { game } = view;
  if (!game) return before(/** @type {Chouette.StartView} */ (view.start), side);
  const off = side === "box" ? [...game.off] : [...game.off].reverse();
  const isUncounted = game.pips === null;
  return { side, points: viewOf(game.points, side), off, dice: diceOf(game, side), isUncounted };
}

/** Return the scene before the first game. @param {Chouette.StartView} start @param {Side} side @returns {Scene} */
function before(start, side) {
  const off = side === "box" ? [...start.off] : [...start.off].reverse();
  return { side, points: viewOf(start.points, side), off, dice: rollOf(start.dice, side === "team") };
}

/** @param {Chouette.GameView} game @param {Side} side @returns {DieSpot[]} */
function diceOf(game, side) {
  if (!game.running) return [];
  if (game.stage === "opening" || game.stage === "automatic") {
    return game.opening.map((o) => die(o.die, (o.seat === game.box) === (side === "box")));
  }
  return rollOf(game.dice, game.turn === side);
}

/** @param {number} value @param {boolean} isMine @returns {DieSpot} */
export const die = (value, isMine) => ({ value, isMine, isSpent: false });

/** Return a roll as dice; doubles are four. @param {number[]} dice @param {boolean} isMine */
export function rollOf(dice, isMine) {
  const values = dice.length === 2 && dice[0] === dice[1] ? [...dice, ...dice] : dice;
  return values.map((value) => die(value, isMine));
}

/**
 * Dim the dice that are spent: all but the ones left.
 * @param {DieSpot[]} dice @param {number[]} left @returns {DieSpot[]}
 */
export function spend(dice, left) {
  const rest = [...left];
  return [...dice].reverse().map((spot) => {
    const i = rest.indexOf(spot.value);
    if (i >= 0) rest.splice(i, 1);
    return { ...spot, isSpent: i < 0 };
  }).reverse();
}

/**
 * Move one checker; a single checker of the other side on the target goes to the bar.
 * @param {Scene} scene
 * @param {boolean} isMine whether the viewer's side moves
 * @param {number} source in the mover's view, 25 = the bar
 * @param {number} target in the mover's view, 0 = off
 * @returns {Scene} a new one
 */
export function move(scene, isMine, source, target) {
  const points = [...scene.points], off = [...scene.off], sign = isMine ? 1 : -1;
  points[toViewer(source, isMine)] -= sign;
  if (target === OFF) off[isMine ? 0 : 1] += 1;
  else {
    const at = toViewer(target, isMine);
    if (points[at] === -sign) {
      points[at] = 0;
      points[isMine ? 0 : BAR] -= sign;
    }
    points[at] += sign;
  }
  return { ...scene, points, off };
}

/** Return the pip counts: the viewer's side, the other one. @param {number[]} points */
export function pips(points) {
  return points.reduce(
    ([mine, theirs], n, i) => (n > 0 ? [mine + n * i, theirs] : [mine, theirs - n * (25 - i)]),
    [0, 0],
  );
}

/**
 * Return the number of checkers at a place; the viewer's side's are positive.
 * @param {Scene} scene @param {number} place
 */
export function countAt(scene, place) {
  if (place === OFF) return scene.off[0];
  if (place === THEIR_OFF) return -scene.off[1];
  return scene.points[place === THEIR_BAR ? 0 : place];
}

/** Return the place of a mover's checker. @param {number} point in the mover's view @param {boolean} isMine */
export function placeOf(point, isMine) {
  if (point === OFF) return isMine ? OFF : THEIR_OFF;
  if (point === BAR) return isMine ? BAR : THEIR_BAR;
  return toViewer(point, isMine);
}

/**
 * Read a play's notation, in the mover's view: "13/7*(2) bar/22" → paths of points.
 * @param {string} text
 * @returns {{path: number[], count: number}[]} none for "cannot move"
 */
export function parsePlay(text) {
  return text.split(/\s+/).filter((word) => word.includes("/")).map((word) => {
    const [, steps, count] = /^([^(]*)(?:\((\d)\))?$/.exec(word) ?? ["", "", ""];
    return { path: steps.split("/").map(point), count: Number(count || 1) };
  });
}

/** @param {string} name */
function point(name) {
  const bare = name.replace("*", "").toLowerCase();
  return bare === "bar" ? BAR : bare === "off" ? OFF : Number(bare);
}

/** Return a play as moves of one checker each, in order. @param {string} text @returns {[number, number][]} */
export function movesOf(text) {
  return parsePlay(text).flatMap(({ path, count }) =>
    Array.from({ length: count }, () =>
      path.slice(1).map((to, i) => /** @type {[number, number]} */ ([path[i], to])),
    ).flat(),
  );
}
