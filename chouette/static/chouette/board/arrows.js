// @ts-check
/** Plays drawn as arrows: the last one, the only one, the Team's suggestions. */
import { svg } from "games/kit/page/dom.js";
import { nameOf, twoLetters } from "games/kit/seats.js";
import { countAt, move, parsePlay, placeOf, viewOf, viewerSide } from "chouette/board/state.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** @typedef {import("chouette/table.js").Now} Now */
/** @typedef {import("chouette/board/moving/hand.js").Hand} Hand */
/** @typedef {import("chouette/board/geometry.js").Layout} Layout */
/** @typedef {import("chouette/board/state.js").Scene} Scene */
/** @typedef {{x: number, y: number}} Spot */
/**
 * @typedef {object} Drawn a play to draw
 * @property {string} play notation, in the mover's view
 * @property {Scene} scene the board before the play
 * @property {boolean} isMine whether the viewer's side moves
 * @property {string} kind a class
 * @property {string} [label] two letters in the arrow's middle
 * @property {number} [lane] bends the arrow, so that several stay apart
 */

const HEAD = 11;
/** Greatest distance of a finger from the middle of an arrow to pick it, in units of the drawing. */
const FINGER = 20;

/**
 * Return the plays to draw as arrows.
 * @param {Now} now @param {Hand} hand @param {Scene} scene the current one @param {string | null} pointed
 * @returns {Drawn[]}
 */
export function drawnPlays({ view, seats, eye, lesson }, hand, scene, pointed) {
  const { game } = view;
  if (!game?.running) return [];
  const isMine = game.turn === viewerSide(view, eye);
  const bare = { ...scene, dice: [] };
  if (pointed && game.stage === "move")
    return [{ play: pointed, scene: bare, isMine, ...signedBy(pointed, view, seats) }];
  if (lesson) {
    if (!lesson.better) return [];
    const both = { scene: bare, isMine };
    return [
      { ...both, play: lesson.played, kind: "is-played", label: "✗" },
      { ...both, play: lesson.better, kind: "is-better", label: "✓", lane: 1 },
    ];
  }
  if (game.stage !== "move") return lastPlay(game, bare);
  if (hand.draft?.made.length || hand.held !== null) return [];
  const suggested = (view.me?.suggestions ?? []).map((s) => ({
    play: s.play,
    scene: bare,
    isMine,
    ...signedBy(s.play, view, seats, s.seat),
  }));
  const only =
    hand.draft?.only && !hand.draft.isBlocked ? [{ play: hand.draft.only, scene: bare, isMine, kind: "is-only" }] : [];
  return [...lastPlay(game, bare), ...suggested, ...only];
}

/**
 * Return the play whose arrow's badge is at a point of the drawing; null if there is none, or several.
 * @param {Drawn[]} plays @param {Layout} layout @param {Spot} at
 * @returns {string | null}
 */
export function playAt(plays, layout, { x, y }) {
  const near = plays.filter((drawn) =>
    drawn.kind !== "is-last" && middles(drawn, layout).some((spot) => Math.hypot(spot.x - x, spot.y - y) <= FINGER));
  return new Set(near.map(({ play }) => play)).size === 1 ? near[0].play : null;
}

/**
 * Return the middles of a play's arrows, where the badges are.
 * @param {Drawn} drawn @param {Layout} layout
 * @returns {Spot[]}
 */
function middles(drawn, layout) {
  const bow = (/** @type {Spot} */ a, /** @type {Spot} */ b) => bend(a, b, layout, drawn.lane ?? 0);
  return hopsOf(drawn, layout).map(({ start, goal }) => middle(start, bow(start, goal), goal));
}

/** @param {Chouette.GameView} game @param {Scene} scene @returns {Drawn[]} */
function lastPlay({ last_play: last }, scene) {
  if (!last) return [];
  const before = { ...scene, points: viewOf(last.before, scene.side) };
  return [{ play: last.play, scene: before, isMine: last.side === scene.side, kind: "is-last" }];
}

/**
 * Return the kind and the letters of a play's arrow, by the seat that suggests it.
 * @param {string} play
 * @param {Chouette.View} view
 * @param {SeatInfo[]} seats
 * @param {number} [seat]
 */
function signedBy(play, view, seats, seat) {
  const all = view.me?.suggestions ?? [];
  const by = seat ?? all.find((s) => s.play === play)?.seat;
  if (by === undefined) return { kind: "is-only" };
  const label = twoLetters(seats.map((one) => nameOf(seats, one.seat)))[by];
  const lane = all.findIndex((s) => s.seat === by);
  return { kind: `is-seat seat-${by % 12}`, label, lane: Math.max(0, lane) };
}

/** @param {Drawn} drawn @param {Layout} layout @returns {SVGElement} */
export function arrows(drawn, layout) {
  const parts = hopsOf(drawn, layout).map(({ start, goal, count, isFirst }) =>
    arrow(start, goal, layout, drawn.lane ?? 0, isFirst ? badgeText(drawn, count) : ""));
  return svg("g", { class: `bt-arrows ${drawn.kind}` }, parts);
}

/**
 * Return each hop of a play from checker to checker; `count` checkers make it.
 * @param {Drawn} drawn @param {Layout} layout
 * @returns {{start: Spot, goal: Spot, count: number, isFirst: boolean}[]}
 */
function hopsOf(drawn, layout) {
  let { scene } = drawn;
  return parsePlay(drawn.play).flatMap(({ path, count }) =>
    path.slice(1).map((to, i) => {
      const start = end(layout, scene, placeOf(path[i], drawn.isMine));
      for (let n = 0; n < count; n += 1) scene = move(scene, drawn.isMine, path[i], to);
      return { start, goal: end(layout, scene, placeOf(to, drawn.isMine)), count, isFirst: i === 0 };
    }));
}

/** @param {Drawn} drawn @param {number} count */
const badgeText = ({ label = "" }, count) => label + (count > 1 ? `${label ? " " : ""}×${count}` : "");

/** Return the place of the top checker. @param {Layout} layout @param {Scene} scene @param {number} place */
function end(layout, scene, place) {
  const n = Math.max(1, Math.abs(countAt(scene, place)));
  return layout.spot(place, n - 1, n);
}

/** @param {Spot} a @param {Spot} b @param {Layout} layout @param {number} lane @param {string} label */
function arrow(a, b, layout, lane, label) {
  const bow = bend(a, b, layout, lane);
  const [ux, uy] = unit(b.x - bow.x, b.y - bow.y);
  const tip = { x: b.x - ux * 3, y: b.y - uy * 3 };
  const neck = { x: tip.x - ux * HEAD, y: tip.y - uy * HEAD };
  const d = `M${at(a)}Q${at(bow)} ${at(neck)}`;
  const wing = (/** @type {number} */ s) => at({ x: neck.x - uy * s * HEAD * 0.75, y: neck.y + ux * s * HEAD * 0.75 });
  const head = `M${at(tip)}L${wing(1)}L${wing(-1)}Z`;
  return svg(
    "g",
    {},
    svg("path", { class: "case", d: `${d}${head}` }),
    svg("path", { class: "shaft", d }),
    svg("path", { class: "head", d: head }),
    svg("circle", { class: "tail", cx: a.x, cy: a.y, r: 5 }),
    label && badge(middle(a, bow, b), label),
  );
}

/**
 * Return the bend of an arrow: within one half it swings around the checkers, towards the middle.
 * @param {Spot} a
 * @param {Spot} b
 * @param {Layout} layout
 * @param {number} lane
 */
function bend(a, b, layout, lane) {
  const x = (a.x + b.x) / 2, y = (a.y + b.y) / 2, swing = Math.min(46, Math.abs(a.x - b.x) * 0.3) + lane * 22;
  const isSameHalf = (a.y < layout.middle) === (b.y < layout.middle);
  if (isSameHalf) return { x, y: y + (y < layout.middle ? swing : -swing) };
  return { x: x + (a.x <= b.x ? 1 : -1) * (8 + lane * 22), y };
}

/** Return the middle of an arrow. @param {Spot} a @param {Spot} bow @param {Spot} b @returns {Spot} */
const middle = (a, bow, b) => ({ x: (a.x + 2 * bow.x + b.x) / 4, y: (a.y + 2 * bow.y + b.y) / 4 });

/** @param {Spot} at @param {string} label */
function badge({ x, y }, label) {
  const width = label.length > 1 ? 13 + label.length * 8 : 22;
  return svg("g", { class: "badge" }, svg("rect", { x: x - width / 2, y: y - 11, width, height: 22, rx: 11 }),
    svg("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central" }, label));
}

/** @param {number} x @param {number} y */
function unit(x, y) {
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}

/** @param {Spot} spot */
const at = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
