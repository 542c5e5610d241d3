// @ts-check
/** Drawings: the cup, beer mats, tally marks. */
import { h, svg } from "games/kit/page/dom.js";

/** Return the parts that the drawings share; one copy a page. */
export function definitions() {
  return svg(
    "svg",
    { class: "ct-defs", width: 0, height: 0, "aria-hidden": "true", focusable: "false" },
    svg(
      "defs",
      {},
      gradient("ct-leather", ["#43230f", "#8a5128", "#b97a43", "#8f562b", "#3a1d0c"]),
      gradient("ct-leather-rim", ["#5b3217", "#c08a55", "#e0b27c", "#b57f4b", "#4d2812"]),
      matSymbol(),
    ),
  );
}

/** @param {string} id @param {string[]} colours */
function gradient(id, colours) {
  const stops = colours.map((colour, i) =>
    svg("stop", { offset: i / (colours.length - 1), "stop-color": colour }),
  );
  return svg("linearGradient", { id, x1: 0, x2: 1, y1: 0, y2: 0 }, ...stops);
}

/** Return the leather cup, mouth upwards. */
export function cup() {
  const stitch = {
    fill: "none",
    stroke: "#f0cd9a",
    "stroke-width": 1.6,
    "stroke-dasharray": "4 3.4",
    "stroke-linecap": "round",
  };
  const band = { fill: "none", stroke: "#2b1407", "stroke-opacity": 0.45, "stroke-width": 2.5 };
  return svg(
    "svg",
    { class: "ct-cup", viewBox: "0 0 120 150", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: "M19 27 L30 134 Q60 148 90 134 L101 27 Z", fill: "url(#ct-leather)" }),
    svg("path", { d: "M21.5 46 Q60 60 98.5 46 M28.5 119 Q60 132 91.5 119", ...band }),
    svg("path", { d: "M21.3 41.5 Q60 55.5 98.7 41.5 M29 124.5 Q60 137.5 91 124.5", ...stitch }),
    svg("path", { d: "M74 50 L71 127", ...stitch }),
    svg("g", { class: "ct-emblem", transform: "translate(49 84) scale(.8)" },
      svg("circle", { r: 15, fill: "none", stroke: "#2b1407", "stroke-opacity": 0.5, "stroke-width": 2.4 }),
      svg("path", {
        d: "M-7 -7 V7 M0 -7 V7 M7 -7 V7 M-11 5 L11 -5",
        fill: "none",
        stroke: "#2b1407",
        "stroke-opacity": 0.6,
        "stroke-width": 2.6,
        "stroke-linecap": "round",
      }),
    ),
    svg("ellipse", { cx: 60, cy: 27, rx: 41, ry: 13.5, fill: "url(#ct-leather-rim)" }),
    svg("ellipse", { cx: 60, cy: 27.5, rx: 35, ry: 10, fill: "#1d0e05" }),
    svg("path", { d: "M27 30 Q60 45 93 30 Q60 37 27 30", fill: "#5d3418", "fill-opacity": 0.8 }),
    svg("ellipse", { cx: 60, cy: 27, rx: 38, ry: 11.7, ...stitch, "stroke-width": 1.2 }),
  );
}

/** Return the print of a beer mat: a ring, a wreath, and the tally of the house. */
function matSymbol() {
  const ring = (/** @type {number} */ r, /** @type {object} */ attrs) =>
    svg("circle", { cx: 50, cy: 50, r, fill: "none", ...attrs });
  const wreath = Array.from({ length: 24 }, (_, i) =>
    svg("ellipse", {
      cx: 50,
      cy: 17.5,
      rx: 2.1,
      ry: 4.6,
      fill: "#b98a2f",
      transform: `rotate(${i * 15} 50 50) rotate(24 50 17.5)`,
    }),
  );
  return svg(
    "symbol",
    { id: "ct-mat", viewBox: "0 0 100 100" },
    svg("rect", { x: 1, y: 1, width: 98, height: 98, rx: 15, fill: "#f3e6cb" }),
    svg("rect", {
      x: 1.8,
      y: 1.8,
      width: 96.4,
      height: 96.4,
      rx: 14.4,
      fill: "none",
      stroke: "#c9b48b",
      "stroke-width": 1.6,
    }),
    ring(43.5, { stroke: "#9b2d23", "stroke-width": 3.2 }),
    ring(32.5, { stroke: "#b98a2f", "stroke-width": 10, "stroke-opacity": 0.18 }),
    ...wreath,
    svg("circle", { cx: 50, cy: 50, r: 24.5, fill: "#14513a" }),
    ring(24.5, { stroke: "#d8b364", "stroke-width": 2.4 }),
    svg("path", {
      d: "M36 39 V61 M45.3 39 V61 M54.6 39 V61 M64 39 V61",
      fill: "none",
      stroke: "#f7edd8",
      "stroke-width": 4.4,
      "stroke-linecap": "round",
    }),
    svg("path", {
      d: "M30 58 L70 42",
      fill: "none",
      stroke: "#f0b43c",
      "stroke-width": 4.4,
      "stroke-linecap": "round",
    }),
  );
}

/** Return one beer mat. */
export function mat() {
  return svg(
    "svg",
    { class: "ct-mat", viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
    svg("use", { href: "#ct-mat" }),
  );
}

const MOST_LAYERS = 6;

/** A stack of beer mats; the number is beside it and is read out. */
export class Stack {
  constructor() {
    this.pile = h("span", { class: "ct-pile", "aria-hidden": "true" });
    this.figure = h("span", { class: "ct-pile-n", "aria-hidden": "true" });
    this.spoken = h("span", { class: "visually-hidden" });
    this.el = h("span", { class: "ct-stack" }, this.pile, this.figure, this.spoken);
    this.count = -1;
  }

  /**
   * @param {number} count
   * @param {string} spoken e.g. "3 beer mats"
   */
  show(count, spoken) {
    this.spoken.textContent = spoken;
    if (count === this.count) return;
    this.count = count;
    const layers = Math.min(count, MOST_LAYERS);
    while (this.pile.childElementCount > layers) this.pile.lastElementChild?.remove();
    while (this.pile.childElementCount < layers) this.pile.append(this.#layer(this.pile.childElementCount));
    this.figure.textContent = String(count);
    this.el.dataset.count = count > 0 ? "some" : "none";
  }

  /** @param {number} at */
  #layer(at) {
    const layer = mat();
    // No two mats lie the same way, and a mat always lies the same way.
    layer.style.setProperty("--i", String(at));
    layer.style.setProperty("--turn", `${((at * 47) % 15) - 7}deg`);
    return layer;
  }
}

/**
 * Return pencil strokes in groups of five.
 * @param {number} count
 */
export function tally(count) {
  const strokes = [];
  for (let i = 0; i < count; i += 1) {
    const x = Math.floor(i / 5) * 30 + (i % 5) * 6 + 4;
    const across = i % 5 === 4;
    strokes.push(across ? `M${x - 28} 20 L${x} 4` : `M${x + (i % 3) * 0.7} 3 L${x - ((i + 1) % 2)} 21`);
  }
  const width = Math.ceil(count / 5) * 30;
  return svg(
    "svg",
    { class: "ct-tally", viewBox: `0 0 ${Math.max(width, 8)} 24`, "aria-hidden": "true", focusable: "false" },
    svg("path", { d: strokes.join(" ") }),
  );
}

/** Return the button that closes a card. @param {() => void} onclick */
export function closing(onclick) {
  const name = gettext("To the table");
  return h("button", { type: "button", class: "ct-close", "aria-label": name, title: name, onclick }, "✕");
}
