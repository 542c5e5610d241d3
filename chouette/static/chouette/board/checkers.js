// @ts-check
/**
 * The checkers: each is an element of its own that stays the same while it moves, so that it
 * can be followed. They differ in form too: the Team's are plain with two grooves, the
 * Box's have a notched rim and a star.
 */
import { put, setAttr, svg } from "games/kit/page/dom.js";
import { animate, easeBoth } from "games/kit/page/motion.js";
import { OFF, SIZE, THEIR_BAR, THEIR_OFF, countAt } from "chouette/board/state.js";
import { R, isCrowded } from "chouette/board/geometry.js";

/** @typedef {import("chouette/board/geometry.js").Layout} Layout */
/** @typedef {import("chouette/board/state.js").Scene} Scene */
/** @typedef {{el: SVGElement, side: string, place: number, x: number, y: number}} Man */
/** @typedef {{man: Man, x: number, y: number}} Way where a checker goes */

const PLACES = [...Array(SIZE).keys(), THEIR_BAR, THEIR_OFF];
const STAR = Array.from({ length: 8 }, (_, i) => {
  const r = i % 2 ? 2.6 : 7.2, a = (i * Math.PI) / 4;
  return `${(r * Math.sin(a)).toFixed(2)},${(-r * Math.cos(a)).toFixed(2)}`;
}).join(" ");

export class Checkers {
  constructor() {
    this.el = svg("g", {});
    this.labels = svg("g", {});
    /** @type {Man[]} the last one on a place is its top */
    this.men = [];
    this.run = 0;
    /** Places of all checkers, or the places that they move to. */
    this.key = "";
  }

  /**
   * Move the checkers to the places of the scene; moving takes `ms`, and a new checker is there
   * at once.
   * @param {Scene} scene @param {Layout} layout @param {number} [ms]
   * @returns {Promise<void>}
   */
  async show(scene, layout, ms = 0) {
    const key = JSON.stringify([scene.side, scene.points, scene.off, layout.H]);
    if (key === this.key) return;
    this.key = key;
    const run = ++this.run;
    this.#assign(scene);
    const ways = this.#ways(layout);
    const moving = ways.filter(({ man, x, y }) => ms > 0 && !Number.isNaN(man.x) && (man.x !== x || man.y !== y));
    for (const { man, x, y } of ways) if (!moving.some((way) => way.man === man)) stand(man, x, y);
    this.#label(scene, layout);
    if (!moving.length) return;
    const from = moving.map(({ man }) => ({ x: man.x, y: man.y }));
    await animate(ms, (t) => {
      if (run !== this.run) return;
      const way = easeBoth(t);
      moving.forEach(({ man, x, y }, i) =>
        stand(man, from[i].x + (x - from[i].x) * way, from[i].y + (y - from[i].y) * way, t < 1),
      );
    });
  }

  /** Return the top checker of a place. @param {number} place @returns {Man | undefined} */
  top(place) {
    return this.men.filter((man) => man.place === place).pop();
  }

  /** Move a checker to the finger. @param {Man} man @param {number} x @param {number} y */
  carry(man, x, y) {
    if (this.el.lastChild !== man.el) this.el.append(man.el);
    this.key = "carried";
    stand(man, x, y, true);
  }

  /** Drop the carried checker: the next `show` places it. */
  free() {
    this.run += 1;
    this.key = "";
  }

  /** Give each checker a place, moving as few as possible. @param {Scene} scene */
  #assign(scene) {
    const mine = scene.side, theirs = mine === "box" ? "team" : "box";
    for (const side of [mine, theirs]) {
      const sign = side === mine ? 1 : -1;
      const spare = this.#surplus(scene, side, sign);
      for (const place of PLACES) {
        const have = this.men.filter((man) => man.side === side && man.place === place).length;
        for (let i = have; i < countAt(scene, place) * sign; i += 1)
          this.#settle(spare.pop() ?? this.#make(side), place);
      }
      for (const man of spare) this.#remove(man);
    }
  }

  /**
   * Return the checkers beyond the number that the scene has at their place.
   * @param {Scene} scene
   * @param {string} side
   * @param {number} sign
   */
  #surplus(scene, side, sign) {
    return PLACES.flatMap((place) => {
      const men = this.men.filter((man) => man.side === side && man.place === place);
      const extra = men.slice(Math.max(0, countAt(scene, place) * sign));
      for (const man of extra) man.place = -1;
      return extra;
    });
  }

  /** @param {Man} man @param {number} place */
  #settle(man, place) {
    man.place = place;
    this.men = [...this.men.filter((other) => other !== man), man];
    this.el.append(man.el);
  }

  /** @param {string} side @returns {Man} */
  #make(side) {
    return { el: side === "box" ? boxMan() : teamMan(), side, place: -1, x: NaN, y: NaN };
  }

  /** @param {Man} man */
  #remove(man) {
    this.men = this.men.filter((other) => other !== man);
    man.el.remove();
  }

  /** @param {Layout} layout @returns {Way[]} */
  #ways(layout) {
    return PLACES.flatMap((place) => {
      const men = this.men.filter((man) => man.place === place);
      return men.map((man, i) => ({ man, ...layout.spot(place, i, men.length) }));
    });
  }

  /** Put numbers on stacks too high to count at a glance. @param {Scene} scene @param {Layout} layout */
  #label(scene, layout) {
    const crowded = PLACES.filter(
      (place) => place !== OFF && place !== THEIR_OFF && isCrowded(Math.abs(countAt(scene, place))),
    );
    put(
      this.labels,
      crowded.map((place) => {
        const n = Math.abs(countAt(scene, place)),
          { x, y } = layout.spot(place, n - 1, n);
        const isMine = countAt(scene, place) > 0;
        return svg(
          "text",
          {
            class: "bt-crowd",
            x,
            y,
            data: { side: isMine === (scene.side === "box") ? "box" : "team" },
            "text-anchor": "middle",
            "dominant-baseline": "central",
          },
          n,
        );
      }),
    );
  }
}

/** @param {Man} man @param {number} x @param {number} y @param {boolean} [isUp] */
function stand(man, x, y, isUp = false) {
  setAttr(man.el, "data-off", !isUp && (man.place === OFF || man.place === THEIR_OFF));
  if (man.x === x && man.y === y) return;
  man.x = x;
  man.y = y;
  man.el.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
}

function teamMan() {
  return man("team", disc("groove", 12.5), disc("groove", 6));
}

function boxMan() {
  return man("box", disc("notches", 15.4), disc("groove", 11), svg("polygon", { class: "star", points: STAR }));
}

/** @param {string} side @param {...SVGElement} form */
function man(side, ...form) {
  return svg(
    "g",
    { class: "bt-man", data: { side } },
    svg(
      "g",
      { class: "disc" },
      svg("circle", { class: "shadow", cx: 0.8, cy: 1.8, r: R - 0.4 }),
      disc("body", R - 1),
      form,
    ),
    svg(
      "g",
      { class: "slab" },
      svg("rect", { class: "body", x: -18, y: -5.4, width: 36, height: 10.8, rx: 3 }),
      svg("path", { class: "groove", d: side === "box" ? "M-13 0h4m4 0h10m4 0h4" : "M-14 0h28" }),
    ),
  );
}

/** @param {string} kind @param {number} r */
const disc = (kind, r) => svg("circle", { class: kind, r });
