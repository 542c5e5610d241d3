// @ts-check
/** The input of real dice: six faces to tap, the dice tapped so far, and a button that sends them. */
import { h, setAttr, setText } from "games/kit/page/dom.js";
import { fill } from "games/kit/page/text.js";

const FACES = [1, 2, 3, 4, 5, 6];

/**
 * Return the number of dice to type for an open choice; 0 for any other.
 * @param {House.SentChoice | null} [choice] @returns {number}
 */
export const dieCount = (choice) => choice?.options?.find((one) => one.dice)?.dice.length ?? 0;

export class Faces {
  /** @type {number[]} */
  chosen = [];
  about = "";
  count = 0;

  /** @param {(args: object) => void} send the arguments of the choice */
  constructor(send) {
    this.send = send;
    this.text = h("p", { class: "kit-fallen", role: "status" });
    const face = (/** @type {number} */ n) => h("button", {
      type: "button", class: "button kit-face", data: { face: n }, onclick: () => this.#add(n),
      "aria-label": fill(gettext("A die shows %(face)s"), { face: n }),
    }, String(n));
    this.faces = FACES.map(face);
    this.back = h("button", { type: "button", class: "button", onclick: () => this.#take() }, gettext("Undo"));
    this.enter = h("button", { type: "button", class: "button go", onclick: () => this.#enter() });
    const byHouse = { type: "button", class: "button", onclick: () => this.send({ server: true }) };
    this.house = h("button", byHouse, gettext("The house throws"));
    this.el = h("section", { class: "kit-faces", "aria-label": gettext("What the dice show") },
      this.text, h("div", { class: "kit-face-row" }, this.faces),
      h("div", { class: "kit-face-ends" }, this.house, this.back, this.enter));
  }

  /** @param {House.SentChoice} choice whose options hold `dice` @param {boolean} canAct */
  show(choice, canAct) {
    const about = `${choice.name} ${choice.basis}`;
    if (about !== this.about) this.chosen = [];
    this.about = about;
    this.count = dieCount(choice);
    this.canAct = canAct;
    this.#draw();
  }

  #draw() {
    const { chosen, count, canAct } = this;
    const isFull = chosen.length === count;
    const left = count - chosen.length;
    const ask = ngettext("Throw, then tap what fell: %(count)s die", "Throw, then tap what fell: %(count)s dice", left);
    setText(this.text, chosen.length ? chosen.join(" ") : fill(ask, { count: left }));
    for (const button of this.faces) setAttr(button, "disabled", isFull || !canAct);
    setText(this.enter, isFull ? fill(gettext("%(dice)s fell"), { dice: chosen.join("-") }) : gettext("Enter"));
    setAttr(this.enter, "disabled", !isFull || !canAct);
    setAttr(this.back, "disabled", !chosen.length || !canAct);
    setAttr(this.house, "disabled", !canAct);
  }

  /** @param {number} face */
  #add(face) {
    if (this.chosen.length < this.count) this.chosen = [...this.chosen, face].sort((a, b) => b - a);
    this.#draw();
    if (this.chosen.length === this.count) this.enter.focus();
  }

  /** What was tapped and not sent. @returns {import("games/kit/played/under_way.js").Begun | null} */
  get begun() {
    const drop = () => {
      this.chosen = [];
      this.#draw();
    };
    return this.chosen.length && !this.el.hidden ? { text: this.chosen.join("-"), drop } : null;
  }

  /** Remove the last of the sorted dice; all can be tapped again. */
  #take() {
    this.chosen = this.chosen.slice(0, -1);
    this.#draw();
  }

  #enter() {
    if (this.chosen.length !== this.count) return;
    const dice = this.chosen;
    // The next thrower on this device begins with no dice.
    this.chosen = [];
    this.send({ dice });
  }
}
