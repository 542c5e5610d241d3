// @ts-check
/** The board itself: frame, points, numbers, pip counts; and the marks on it. */
import { put, setAttr, setText, svg } from "games/kit/page/dom.js";
import { OFF, pips } from "chouette/board/state.js";
import { COL, R, ROWS, W } from "chouette/board/geometry.js";

/** @typedef {import("chouette/board/geometry.js").Layout} Layout */
/** @typedef {import("chouette/board/state.js").Scene} Scene */
/** @typedef {{source: number | null, sources: number[], near: number[], far: number[], hits: number[]}} Marks places */

export class Field {
  constructor() {
    this.ground = svg("g", {});
    this.marks = svg("g", { class: "bt-marks" });
    /** Numbers that change, at the ends of the bar and of the trays. */
    this.counts = [0, 1].map(() => ({ pips: text("bt-pips"), off: text("bt-number") }));
    this.key = "";
  }

  /** Draw the parts that do not move. @param {Layout} layout */
  build(layout) {
    const { H, field, bar, tray, rail } = layout;
    const points = ROWS.flat().filter((place) => place > 0 && place < 25);
    put(
      this.ground,
      rect("bt-frame", 0, 0, W, H, 10),
      grain(H),
      rect("bt-frame-edge", 1.5, 1.5, W - 3, H - 3, 9),
      rect("bt-felt", field.x, field.y, bar.x - field.x, field.height, 3),
      rect("bt-felt", bar.x + bar.width, field.y, field.x + field.width - bar.x - bar.width, field.height, 3),
      points.map((place) => triangle(layout, place)),
      rect("bt-bar", bar.x, 0, bar.width, H, 0),
      [0.25, 0.75].map((part) => rect("bt-hinge", bar.x + bar.width / 2 - 4, H * part - 13, 8, 26, 2)),
      [rail, H / 2 + 5].map((y) => rect("bt-tray", tray.x, y, tray.width, H / 2 - rail - 5, 5)),
      points.map((place) => number(layout, place)),
      this.#countsFor(layout),
    );
    this.key = "";
  }

  /** @param {Layout} layout */
  #countsFor({ H, rail, bar, tray }) {
    return this.counts.flatMap(({ pips: pip, off }, i) => {
      const y = i ? rail / 2 : H - rail / 2;
      place(pip, bar.x + bar.width / 2, y);
      place(off, tray.x + tray.width / 2, y);
      return [rect("bt-plate", bar.x + 1, y - rail / 2 + 2, bar.width - 2, rail - 4, 5), pip, off];
    });
  }

  /** @param {Scene} scene */
  count(scene) {
    const left = pips(scene.points), isEmpty = left[0] + left[1] === 0;
    this.counts.forEach(({ pips: pip, off }, i) => {
      setText(pip, isEmpty || scene.isUncounted ? "" : String(left[i]));
      setText(off, scene.off[i] ? String(scene.off[i]) : "");
    });
  }

  /** @param {Layout} layout @param {Marks} marks @param {(place: number) => number} tall number of checkers there */
  mark(layout, marks, tall) {
    const key = JSON.stringify([marks, layout.H, marks.sources.map(tall), [...marks.near, ...marks.far].map(tall)]);
    if (key === this.key) return;
    this.key = key;
    const top = (/** @type {number} */ p) => layout.spot(p, tall(p) - 1, tall(p));
    const next = (/** @type {number} */ p) =>
      marks.hits.includes(p) ? layout.spot(p, 0, 1) : layout.spot(p, tall(p), tall(p) + 1);
    const target = (/** @type {string} */ kind) => (/** @type {number} */ p) =>
      p === OFF ? trayMark(layout, kind) : goal(next(p), marks.hits.includes(p) ? `${kind} is-hit` : kind);
    put(
      this.marks,
      [...marks.near, ...marks.far].filter((p) => p !== OFF).map((p) => column(layout, p)),
      marks.sources.filter((p) => p !== marks.source).map((p) => ring("bt-source", top(p), R + 1.5)),
      marks.source !== null && ring("bt-lifted", top(marks.source), R + 2.5),
      marks.far.map(target("is-far")),
      marks.near.map(target("is-near")),
    );
  }
}

/** @param {Layout} layout @param {number} at */
function triangle(layout, at) {
  const x = layout.centre(at), isTop = layout.isTop(at);
  const from = isTop ? layout.rail : layout.H - layout.rail;
  const tip = from + (isTop ? 1 : -1) * layout.tall;
  const half = COL / 2 - 1;
  return svg("path", {
    class: at % 2 ? "bt-point is-odd" : "bt-point",
    d: `M${x - half} ${from}H${x + half}L${x + 1.5} ${tip}Q${x} ${tip + (isTop ? 3 : -3)} ${x - 1.5} ${tip}Z`,
  });
}

/** @param {Layout} layout @param {number} at */
function column(layout, at) {
  const isTop = layout.isTop(at), x = layout.centre(at) - COL / 2 + 1;
  return rect("bt-column", x, isTop ? 0 : layout.H - layout.rail, COL - 2, layout.rail, 4);
}

/** @param {Layout} layout @param {number} at */
function number(layout, at) {
  const label = text("bt-number");
  setText(label, String(at));
  return place(label, layout.centre(at), layout.isTop(at) ? layout.rail / 2 : layout.H - layout.rail / 2);
}

/** Return the mark of a target. @param {{x: number, y: number}} at @param {string} kind */
function goal({ x, y }, kind) {
  return svg(
    "g",
    { class: `bt-goal ${kind}` },
    svg("circle", { cx: x, cy: y, r: R - 2 }),
    svg("circle", { class: "dot", cx: x, cy: y, r: 6 }),
  );
}

/** @param {Layout} layout @param {string} kind */
function trayMark({ tray, H, rail }, kind) {
  return rect(`bt-goal ${kind}`, tray.x + 2, H / 2 + 7, tray.width - 4, H / 2 - rail - 9, 4);
}

/** @param {string} kind @param {{x: number, y: number}} at @param {number} r */
const ring = (kind, { x, y }, r) => svg("circle", { class: kind, cx: x, cy: y, r });

/**
 * @param {string} kind
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number} rx
 */
const rect = (kind, x, y, width, height, rx) => svg("rect", { class: kind, x, y, width, height, rx });

/** Return the lines of the wood. @param {number} height */
const grain = (height) =>
  svg("path", {
    class: "bt-grain",
    d: [5, 9, 16, 20]
      .map((y) => [y, height - y].map((at) => `M8 ${at}Q${W / 3} ${at + 2} ${W / 2} ${at}T${W - 8} ${at}`).join(""))
      .join(""),
  });

/** @param {string} kind */
const text = (kind) => svg("text", { class: kind, "text-anchor": "middle", "dominant-baseline": "central" });

/** @param {Element} element @param {number} x @param {number} y */
function place(element, x, y) {
  setAttr(element, "x", String(x));
  setAttr(element, "y", String(y));
  return element;
}
