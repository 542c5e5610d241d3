// @ts-check
/**
 * Dice with real pips, drawn as SVG: a cube in parallel projection. In parallel projection a
 * flat face stays an affine picture of itself, so a face is drawn once and only its matrix
 * changes while the die rolls.
 */
import { svg } from "games/kit/page/dom.js";
import { animate, easeOut, isCalm } from "games/kit/page/motion.js";

/** @typedef {number[][]} Matrix three rows of three */

const TILT = (25 * Math.PI) / 180;
const LIGHT = [-0.3, -0.5, 0.81];
const SCALE = 27;
const A = 0.5;

/** Pips of each face, from -1 to 1. @type {Record<number, [number, number][]>} */
const PIPS = {
  1: [[0, 0]],
  2: [[-A, -A], [A, A]],
  3: [[-A, -A], [0, 0], [A, A]],
  4: [[-A, -A], [A, -A], [-A, A], [A, A]],
  5: [[-A, -A], [A, -A], [0, 0], [-A, A], [A, A]],
  6: [[-A, -A], [-A, 0], [-A, A], [A, -A], [A, 0], [A, A]],
};

/** Each face's own axes: right, down, outward. @type {Record<number, number[][]>} */
const AXES = {
  1: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  6: [[-1, 0, 0], [0, 1, 0], [0, 0, -1]],
  2: [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
  5: [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
  3: [[0, 0, -1], [0, 1, 0], [1, 0, 0]],
  4: [[0, 0, 1], [0, 1, 0], [-1, 0, 0]],
};

const turnX = (/** @type {number} */ a) => [[1, 0, 0], [0, cos(a), -sin(a)], [0, sin(a), cos(a)]];
const turnY = (/** @type {number} */ a) => [[cos(a), 0, sin(a)], [0, 1, 0], [-sin(a), 0, cos(a)]];
const turnZ = (/** @type {number} */ a) => [[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]];
const { cos, sin, PI } = Math;

/** The turn that brings a face up. @type {Record<number, Matrix>} */
const UP = {
  1: turnX(0), 6: turnX(PI), 2: turnX(PI / 2), 5: turnX(-PI / 2), 3: turnY(-PI / 2), 4: turnY(PI / 2),
};

const times = (/** @type {Matrix} */ m, /** @type {Matrix} */ n) =>
  m.map((row) => [0, 1, 2].map((c) => row[0] * n[0][c] + row[1] * n[1][c] + row[2] * n[2][c]));
const apply = (/** @type {Matrix} */ m, /** @type {number[]} */ v) =>
  m.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);

const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));

/**
 * One die. `el` is an SVG picture without a role: the caller gives it a name.
 */
export class Die {
  /** @param {number} [spin] how far it lies turned on the table, in radians */
  constructor(spin = 0) {
    this.value = 1;
    this.spin = spin;
    this.body = svg("polygon", { class: "die-body" });
    this.faces = new Map([1, 2, 3, 4, 5, 6].map((value) => [value, face(value)]));
    this.shadow = svg("ellipse", { class: "die-shadow", cx: 4, cy: 30, rx: 40, ry: 20 });
    this.solid = svg("g", {}, this.body, ...[...this.faces.values()].map((f) => f.group));
    this.el = svg(
      "svg",
      { class: "die", viewBox: "-50 -50 100 100", "aria-hidden": "true", focusable: "false" },
      this.shadow,
      this.solid,
    );
    this.show(1);
  }

  /**
   * Show a value at rest.
   * @param {number} value
   * @param {number} [spin]
   */
  show(value, spin = this.spin) {
    this.value = value;
    this.spin = spin;
    this.#draw(this.#rest());
  }

  /**
   * Roll to a value; `move` gets the way still to go, 1…0, to bring the die from the cup.
   * @param {number} value
   * @param {{ms?: number, angle?: number, turns?: number, spin?: number,
   *   move?: (rest: number) => void}} [how] angle: the direction it comes from
   */
  async roll(value, how = {}) {
    const { ms = 600, angle = 0, turns = 2.25, spin = this.spin, move = () => {} } = how;
    this.value = value;
    this.spin = spin;
    if (isCalm()) {
      move(0);
      return this.#draw(this.#rest());
    }
    const over = turnZ(angle);
    const back = turnZ(-angle);
    await animate(ms, (t) => {
      const rest = 1 - easeOut(t);
      const tumble = times(over, times(turnX(turns * 2 * PI * rest), back));
      this.#draw(times(turnX(TILT), times(tumble, times(turnZ(this.spin), UP[value]))));
      this.#hop(Math.abs(sin(PI * 3 * rest)) * rest * 26);
      move(rest);
    });
  }

  /** @returns {Matrix} */
  #rest() {
    return times(turnX(TILT), times(turnZ(this.spin), UP[this.value]));
  }

  /** @param {number} height */
  #hop(height) {
    this.solid.setAttribute("transform", height > 0.1 ? `translate(0 ${-height})` : "");
    this.shadow.setAttribute("rx", String(40 - height * 0.35));
  }

  /** @param {Matrix} m */
  #draw(m) {
    for (const [value, part] of this.faces) drawFace(part, AXES[value], m);
    const points = hull(CORNERS.map((c) => apply(m, c)));
    this.body.setAttribute(
      "points",
      points.map(([x, y]) => `${(x * SCALE * 0.9).toFixed(2)},${(y * SCALE * 0.9).toFixed(2)}`).join(" "),
    );
  }
}

/** @param {number} value */
function face(value) {
  const pips = PIPS[value].map(([cx, cy]) =>
    svg("circle", { class: value === 1 ? "die-pip die-ace" : "die-pip", cx, cy, r: value === 1 ? 0.3 : 0.19 }),
  );
  const shade = svg("rect", { class: "die-shade", x: -1, y: -1, width: 2, height: 2, rx: 0.34 });
  const plate = svg("rect", { class: "die-face", x: -1, y: -1, width: 2, height: 2, rx: 0.34 });
  return { group: svg("g", {}, plate, ...pips, shade), shade };
}

/**
 * @param {{group: SVGElement, shade: SVGElement}} part
 * @param {number[][]} axes
 * @param {Matrix} m
 */
function drawFace(part, axes, m) {
  const [right, down, out] = axes.map((axis) => apply(m, axis));
  const isSeen = out[2] > 0.02;
  part.group.setAttribute("visibility", isSeen ? "visible" : "hidden");
  if (!isSeen) return;
  const numbers = [right[0], right[1], down[0], down[1], out[0], out[1]].map((n) => (n * SCALE).toFixed(3));
  part.group.setAttribute("transform", `matrix(${numbers.join(" ")})`);
  const lit = out[0] * LIGHT[0] + out[1] * LIGHT[1] + out[2] * LIGHT[2];
  part.shade.setAttribute("fill-opacity", Math.min(0.5, Math.max(0, 0.88 - lit) * 0.46).toFixed(3));
}

/**
 * The outline of projected points, counter-clockwise (monotone chain).
 * @param {number[][]} points
 */
function hull(points) {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const half = (/** @type {number[][]} */ list) => {
    /** @type {number[][]} */
    const chain = [];
    for (const p of list) {
      while (chain.length > 1 && cross(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** @param {number[]} o @param {number[]} a @param {number[]} b */
function cross(o, a, b) {
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}
