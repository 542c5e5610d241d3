// @ts-check
/** Suggested plays above Confirm: the one that most suggest; the others, when asked for, in the question's room. */
import { h, put, setAttr, setText } from "games/kit/page/dom.js";
import { fill } from "games/kit/page/text.js";

/**
 * A suggested whole play.
 * @typedef {{play: string, by: {seat: number, letters: string}[], label: string, press: () => void}} Whole
 */

/** Most seats whose letters a play has room for. */
const MOST_LETTERS = 3;

export class Suggested {
  /** Whether all of them are shown. */
  isOpen = false;
  key = "";

  /** @param {() => void} redraw */
  constructor(redraw) {
    this.first = h("div", { class: "bt-first" });
    this.more = h("button", { type: "button", class: "button bt-more", "aria-expanded": "false", onclick: () => {
      this.isOpen = !this.isOpen;
      redraw();
    } });
    this.rest = h("div", { class: "bt-rest" });
    this.el = h("div", { class: "bt-plays", role: "group", "aria-label": gettext("Suggested plays"), hidden: true },
      this.rest, this.first, this.more);
  }

  /** How much room they take: a row, all that the question has, or none. @returns {"row" | "all" | null} */
  get room() {
    return this.el.hidden ? null : this.isOpen ? "all" : "row";
  }

  /** @param {Whole[]} plays @param {boolean} canAct */
  show(plays, canAct) {
    this.presses = new Map(plays.map(({ play, press }) => [play, press]));
    const sorted = [...plays].sort((a, b) => b.by.length - a.by.length), count = plays.length - 1;
    this.el.hidden = count < 0;
    this.isOpen = this.isOpen && count > 0;
    this.more.hidden = count < 1;
    this.rest.hidden = !this.isOpen;
    setText(this.more, this.isOpen ? "×" : `+${count}`);
    const label = fill(ngettext("%(count)s other suggestion", "%(count)s other suggestions", count), { count });
    setAttr(this.more, "aria-label", label);
    setAttr(this.more, "aria-expanded", String(this.isOpen));
    const key = JSON.stringify(sorted);
    if (key !== this.key) {
      this.key = key;
      put(this.first, sorted.slice(0, 1).map(this.#chip));
      put(this.rest, sorted.slice(1).map(this.#chip));
    }
    for (const chip of this.el.querySelectorAll(".bt-whole")) setAttr(chip, "disabled", !canAct);
  }

  /** @param {Whole} whole */
  #chip = ({ play, by, label }) => {
    const shown = by.length > MOST_LETTERS ? by.slice(0, MOST_LETTERS - 1) : by;
    const letters = shown.map((one) => h("span", { class: `bt-by seat-${one.seat % 12}` }, one.letters));
    const others = by.length > shown.length && h("span", { class: "bt-by" }, `+${by.length - shown.length}`);
    const onclick = () => this.presses?.get(play)?.();
    return h("button", { type: "button", class: "button bt-whole", "aria-label": label, onclick },
      h("span", { class: "bt-bys" }, letters, others), h("span", {}, play));
  };
}
