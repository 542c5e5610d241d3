// @ts-check
/** The dice on the board: each side throws on its right; doubles are four. */
import { setAttr, svg } from "games/kit/page/dom.js";
import { Die } from "games/kit/dice.js";
import { pause } from "games/kit/page/motion.js";

/** @typedef {import("chouette/board/geometry.js").Layout} Layout */
/** @typedef {import("chouette/board/state.js").DieSpot} DieSpot */
/** @typedef {{die: Die, box: SVGSVGElement}} Lying */

const SPIN = [-0.18, 0.24, 0.12, -0.26];

export class Dice {
  constructor() {
    this.el = svg("g", { class: "dice-place" });
    /** For each side (theirs, mine) four dice. @type {Lying[][]} */
    this.sides = [0, 1].map((isMine) => SPIN.map((spin) => lying(isMine ? spin : -spin)));
    this.groups = this.sides.map((dice) => svg("g", { class: "bt-dice" }, dice.map(({ box }) => box)));
    this.el.append(...this.groups);
    this.key = "";
  }

  /** @param {DieSpot[]} spots @param {Layout} layout @param {"box" | "team"} side at the bottom */
  show(spots, layout, side) {
    const key = JSON.stringify([spots, layout.H, side]);
    if (key === this.key) return;
    this.key = key;
    this.groups.forEach((group, i) => setAttr(group, "data-side", (i === 1) === (side === "box") ? "box" : "team"));
    this.sides.forEach((dice, i) => this.#row(dice, spots.filter((s) => s.isMine === (i === 1)), layout, i === 1));
  }

  /** Roll the dice of one side to their places; of doubles only the first two. @param {boolean} isMine */
  async roll(isMine) {
    const dice = this.sides[isMine ? 1 : 0].filter(({ box }) => !box.hasAttribute("hidden"));
    const two = dice.slice(0, 2);
    for (const { box } of dice.slice(2)) setAttr(box, "hidden", true);
    await Promise.all(
      two.map(({ die, box }, i) => {
        const size = Number(box.getAttribute("width"));
        const move = (/** @type {number} */ rest) =>
          setAttr(
            box,
            "transform",
            rest ? `translate(${(isMine ? 1 : -1) * rest * size * (2.4 + i)} ${(i ? -1 : 1) * rest * size})` : null,
          );
        return die.roll(die.value, {
          ms: 600 - i * 60,
          angle: isMine ? 0.3 : Math.PI - 0.3,
          turns: 1.75 + i * 0.5,
          move,
        });
      }),
    );
    for (const { box } of dice) setAttr(box, "hidden", null);
    if (dice.length > 2) await pause(120);
  }

  /** @param {Lying[]} dice @param {DieSpot[]} spots @param {Layout} layout @param {boolean} isMine */
  #row(dice, spots, layout, isMine) {
    const { dieSize: size, middle } = layout;
    const pitch = Math.min(size * 0.96, 226 / Math.max(1, spots.length));
    dice.forEach(({ die, box }, i) => {
      const spot = spots[i];
      setAttr(box, "hidden", !spot);
      if (!spot) return;
      const x = layout.diceX(isMine) + (i - (spots.length - 1) / 2) * pitch;
      for (const [name, value] of Object.entries({ x: x - size / 2, y: middle - size / 2, width: size, height: size }))
        setAttr(box, name, String(value));
      setAttr(box, "data-spent", spot.isSpent);
      if (die.value !== spot.value) die.show(spot.value);
    });
  }
}

/** @param {number} spin @returns {Lying} */
function lying(spin) {
  const die = new Die(spin);
  die.el.setAttribute("hidden", "");
  return { die, box: die.el };
}
