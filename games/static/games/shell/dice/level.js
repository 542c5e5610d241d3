// @ts-check
/** The level of the last throw: a small badge at the dice, explained on tap. */
import { byId, h, setAttr, setText, setVars } from "games/kit/page/dom.js";
import { toast } from "games/kit/page/notices.js";
import { namesOf, seatsAt } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";

/** Milliseconds after which rolling dice have come to rest. */
const ROLLS_MS = 900;
/** The places of a game's dice (docs/front-end.md). */
const DICE = ".dice-place .die:not([hidden])";
/** Texts beside a game's dice. */
const CAPTION = ".dice-caption:not(:empty)";
/** Pixels from the middle of the badge to its edges, and some air. */
const REACH = 16;

export class DiceLevel {
  /** @param {() => import("games/kit/seats.js").SeatInfo[]} seats */
  constructor(seats) {
    this.seats = seats;
    /** @type {import("games/dice/record.js").Thrown | null} */
    this.thrown = null;
    /** The entry of the throw. */
    this.seq = 0;
    this.timer = 0;
    this.letter = h("span");
    const act = { onclick: () => toast(this.words) };
    this.el = h("button", { type: "button", class: "dice-level", hidden: true, ...act }, this.letter);
    byId("game").after(this.el);
    new ResizeObserver(() => this.#place()).observe(byId("game"));
  }

  /** @param {{seq: number, throw: import("games/dice/record.js").Thrown}} entry */
  show({ seq, throw: thrown }) {
    [this.thrown, this.seq] = [thrown, seq];
    this.el.hidden = true;
    setText(this.letter, thrown.level);
    setAttr(this.el, "data-level", thrown.level);
    setAttr(this.el, "aria-label", this.words);
    this.place();
  }

  /** Put the badge beside the dice when they have come to rest. */
  place() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.#place(), ROLLS_MS);
  }

  #place() {
    const dice = [...document.querySelectorAll(DICE)];
    const boxes = dice.map((die) => die.getBoundingClientRect()).filter((box) => box.width > 0);
    this.el.hidden = !this.thrown || !boxes.length;
    if (this.el.hidden) return;
    const right = Math.max(...boxes.map((box) => box.right)), bottom = Math.max(...boxes.map((box) => box.bottom));
    const y = isOnCaption(right, bottom) ? Math.min(...boxes.map((box) => box.top)) : bottom;
    setVars(this.el, { "--x": `${Math.round(right)}px`, "--y": `${Math.round(y)}px` });
  }

  /** The meaning of the level, in a sentence. */
  get words() {
    const { level = "", links = {} } = this.thrown ?? {};
    const names = namesOf(seatsAt(this.seats(), this.seq), Object.keys(links).map(Number));
    return fill(meanings()[level] ?? level, { names });
  }
}

/** Tell whether the badge would hide what is said at the dice. @param {number} x @param {number} y */
function isOnCaption(x, y) {
  const boxes = [...document.querySelectorAll(CAPTION)].map((one) => one.getBoundingClientRect());
  return boxes.some((box) =>
    x + REACH > box.left && x - REACH < box.right && y + REACH > box.top && y - REACH < box.bottom);
}

/** @returns {Record<string, string>} */
function meanings() {
  return {
    A: gettext("Level A: thrown by the phones of %(names)s and the house. None of them could foresee it alone."),
    B: gettext("Level B: thrown by the phone of %(names)s and the house. No phone of the other side had a part."),
    B2: gettext("Level B2: thrown by the phone of %(names)s and the house. The phone of the one who threw was silent."),
    C: gettext("Level C: thrown by the house alone. Whoever reads its database could foresee it."),
  };
}
