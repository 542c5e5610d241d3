// @ts-check
/**
 * A roll step by step. The server lists the plays in the choice. Here the steps of single checkers
 * that lead to them are worked out, so that a checker can only be moved along them. Points are
 * in the mover's view: 25 = the bar, 0 = off.
 */
import { BAR, HOME, OFF, movesOf } from "chouette/board/state.js";

/** @typedef {import("chouette/board/moving/draft.js").Node} Node */
/** @typedef {import("chouette/board/moving/draft.js").Step} Step */
/** @typedef {{move: [number, number, boolean], die: number, to: Place}} Way */
/** @typedef {{points: number[], left: number[], steps: Way[], leads: boolean, number: number}} Place */

/**
 * Return the nodes of a roll; the first is the one before any step.
 * @param {number[]} points @param {number[]} dice @param {string[]} plays in notation
 * @returns {Node[]}
 */
export function stepsOf(points, dice, plays) {
  const ends = new Map(
    plays.map((play) => [String(movesOf(play).reduce((at, [from, to]) => stepped(at, from, to).points, points)), play]),
  );
  const [high, low] = [Math.max(...dice), Math.min(...dice)];
  const first = reached(points, high === low ? [high, high, high, high] : [high, low]);
  const levels = [[first]];
  while (levels[levels.length - 1].length) levels.push(onward(levels[levels.length - 1]));
  // Every complete play uses as many dice as possible: the last level that has ends of plays.
  const last = levels.map((level) => level.some((at) => ends.has(String(at.points)))).lastIndexOf(true);
  for (const at of levels[last] ?? []) {
    at.steps = [];
    at.leads = ends.has(String(at.points));
  }
  for (const level of levels.slice(0, Math.max(last, 0)).reverse()) {
    for (const at of level) {
      at.steps = at.steps.filter((step) => step.to.leads);
      at.leads = at.steps.length > 0;
    }
  }
  return numbered(first).map((at) => ({
    left: at.left,
    to: at.steps.map(({ move, die, to }) => /** @type {Step} */ ([...move, die, to.number])),
    play: at.steps.length ? null : ends.get(String(at.points)) ?? null,
  }));
}

/** @param {number[]} points @param {number[]} left @returns {Place} */
const reached = (points, left) => ({ points, left, steps: [], leads: false, number: -1 });

/** Take every step from some places, and return the places that they lead to. @param {Place[]} level */
function onward(level) {
  /** @type {Map<string, Place>} */
  const found = new Map();
  for (const at of level) {
    for (const die of new Set(at.left)) {
      const left = at.left.filter((_, i) => i !== at.left.indexOf(die));
      for (const source of sources(at.points, die)) {
        const { points, isHit } = stepped(at.points, source, Math.max(source - die, OFF));
        const key = `${points} ${left}`;
        const to = found.get(key) ?? reached(points, left);
        found.set(key, to);
        at.steps.push({ move: [source, Math.max(source - die, OFF), isHit], die, to });
      }
    }
  }
  return [...found.values()];
}

/** Return the points that a die can be played from, highest first. @param {number[]} points @param {number} die */
function sources(points, die) {
  if (points[BAR] > 0) return points[BAR - die] > -2 ? [BAR] : [];
  const own = points.map((_, i) => i).filter((i) => i > OFF && i < BAR && points[i] > 0).reverse();
  const found = own.filter((source) => source > die && points[source - die] > -2);
  if (own.length && own[0] <= HOME) {
    if (points[die] > 0) found.push(die);
    else if (own[0] < die) found.push(own[0]);
  }
  return found;
}

/** @param {number[]} points @param {number} source @param {number} target */
function stepped(points, source, target) {
  const after = [...points];
  after[source] -= 1;
  const isHit = target !== OFF && after[target] === -1;
  if (isHit) {
    after[target] = 0;
    after[OFF] -= 1;
  }
  if (target !== OFF) after[target] += 1;
  return { points: after, isHit };
}

/** Number the reachable places, in the order of reaching them. @param {Place} first */
function numbered(first) {
  first.number = 0;
  const order = [first];
  for (const at of order) {
    for (const { to } of at.steps) {
      if (to.number < 0) to.number = order.push(to) - 1;
    }
  }
  return order;
}
