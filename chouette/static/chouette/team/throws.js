// @ts-check
/** The throws for the first line: they lie in the cube's place, and tumble when they are first shown. */
import { Die } from "games/kit/dice.js";
import { h, put, setAttr } from "games/kit/page/dom.js";
import { fill } from "games/kit/page/text.js";

const FIRST_MS = 900, LATER_MS = 250;

/** The dice of one seat: one, and another for each tie. */
export class Throws {
  /** @param {number} seat */
  constructor(seat) {
    this.seat = seat;
    this.el = h("span", { class: "bt-throws", role: "img" });
    this.el.hidden = true;
    this.key = "";
  }

  /** @param {Chouette.View} view */
  show(view) {
    const isFirst = view.sheet.length === 0 && view.phase === "between";
    const thrown = isFirst ? valuesOf(view, this.seat) : [];
    const key = thrown.join();
    if (key === this.key) return;
    this.key = key;
    this.el.hidden = !thrown.length;
    const dice = thrown.map(() => new Die(0.2));
    put(this.el, dice.map((die) => die.el));
    setAttr(this.el, "aria-label", fill(gettext("Thrown for the line: %(dice)s"), { dice: thrown.join(", ") }));
    dice.forEach((die, i) => die.roll(thrown[i], { ms: FIRST_MS + i * LATER_MS, angle: 0.3 + i, turns: 2 + i * 0.5 }));
  }
}

/**
 * Return the throws of a seat for the line, in order.
 * @param {Chouette.View} view @param {number} seat @returns {number[]}
 */
function valuesOf(view, seat) {
  const rolls = view.order.flatMap((block) => block.rolls);
  return rolls.filter((roll) => roll.seat === seat).map((roll) => roll.die);
}
