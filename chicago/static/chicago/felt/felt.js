// @ts-check
/** The felt: the dice in their places, the cup beside them, the mat for laid-out dice. */
import { Die } from "games/kit/dice.js";
import { watchRoom } from "games/kit/fit.js";
import { h, setAttr, setText, setVars } from "games/kit/page/dom.js";
import { fill } from "games/kit/page/text.js";
import { cup } from "chicago/felt/pieces.js";
import { faceWord } from "chicago/words/words.js";

/**
 * @typedef {object} Place the place of a die
 * @property {string} key its name in the selection
 * @property {number} value
 * @property {"cup" | "felt" | "tray"} zone
 * @property {"free" | "chosen" | "locked" | "old"} look
 * @property {boolean} canToggle
 */

/** In hundredths of the felt's width and height. @type {Record<string, [number, number][]>} */
const SLOTS = {
  felt: [[45, 33], [68, 29], [58, 53]],
  tray: [[36, 80], [52, 80], [68, 80]],
  cup: [[24, 38], [24, 38], [24, 38]],
};

export class Felt {
  /** @param {(key: string) => void} onToggle @param {() => void} onCup */
  constructor(onToggle, onCup) {
    this.dice = [0, 1, 2].map((i) => new FeltDie(i, onToggle));
    this.cup = h("span", { class: "ct-cupbox", "aria-hidden": "true", onclick: onCup }, cup());
    this.caption = h("span", { class: "ct-tray-text dice-caption" });
    this.tray = h("div", { class: "ct-tray" }, this.caption);
    this.slots = h(
      "div",
      { class: "ct-dice dice-place", role: "group", "aria-label": gettext("Dice") },
      this.dice.map((d) => d.el),
    );
    this.el = h("div", { class: "ct-felt" }, this.tray, this.cup, this.slots);
    watchRoom(this.el, "felt");
  }

  /**
   * Show the dice in their places.
   * @param {Place[]} places three
   * @param {{caption: string, isTipped: boolean, isWaiting: boolean}} picture
   */
  show(places, picture) {
    const dice = this.#assign(places);
    /** @type {Record<string, number>} */
    const used = { felt: 0, tray: 0, cup: 0 };
    places.forEach((place, i) => dice[i].show(place, SLOTS[place.zone][used[place.zone]++]));
    setText(this.caption, picture.caption);
    setAttr(this.cup, "data-pose", picture.isTipped ? "tipped" : picture.isWaiting ? "waiting" : "ready");
  }

  /**
   * Press a die by its number, which its hint shows.
   * @param {number} number 1 to 3
   */
  press(number) {
    this.dice[number - 1].el.click();
  }

  /**
   * Roll the dice that lie on the felt out of the cup.
   * @param {number[]} values the thrown ones: only these dice roll
   */
  async roll(values) {
    const rest = [...values];
    const thrown = this.dice.filter((die) => {
      const at = die.place?.zone !== "cup" && die.place?.look !== "locked" ? rest.indexOf(die.die.value) : -1;
      if (at >= 0) rest.splice(at, 1);
      return at >= 0;
    });
    setAttr(this.cup, "data-pose", "throwing");
    await Promise.all(thrown.map((die, i) => die.roll(i)));
    setAttr(this.cup, "data-pose", "tipped");
  }

  /** Shake the cup until the throw is there. @param {boolean} isShaking */
  shake(isShaking) {
    setAttr(this.cup, "data-shake", isShaking);
  }

  /**
   * Choose for every place a die that shows its value already.
   * @param {Place[]} places
   */
  #assign(places) {
    const free = [...this.dice];
    /** @type {(FeltDie | null)[]} */
    const chosen = places.map(() => null);
    const fits = [
      (/** @type {FeltDie} */ d, /** @type {Place} */ p) => d.place?.key === p.key && d.die.value === p.value,
      (/** @type {FeltDie} */ d, /** @type {Place} */ p) => d.die.value === p.value && d.place?.zone === p.zone,
      (/** @type {FeltDie} */ d, /** @type {Place} */ p) => d.die.value === p.value,
      () => true,
    ];
    for (const fit of fits) {
      places.forEach((place, i) => {
        const at = chosen[i] ? -1 : free.findIndex((die) => fit(die, place));
        if (at >= 0) chosen[i] = free.splice(at, 1)[0];
      });
    }
    return /** @type {FeltDie[]} */ (chosen);
  }
}

class FeltDie {
  /** @param {number} index @param {(key: string) => void} onToggle */
  constructor(index, onToggle) {
    this.number = index + 1;
    this.die = new Die((index - 1) * 0.3);
    /** @type {Place | null} */
    this.place = null;
    this.at = SLOTS.cup[0];
    this.hint = h("kbd", { class: "ct-key", "aria-hidden": "true" });
    this.el = h(
      "button",
      { type: "button", class: "ct-die", onclick: () => this.place && onToggle(this.place.key) },
      this.die.el,
      this.hint,
    );
  }

  /** @param {Place} place @param {[number, number]} slot */
  show(place, slot) {
    const isMoving = this.place?.zone !== place.zone;
    const calm = place.zone === "tray" ? (this.number - 2) * 0.05 : this.die.spin;
    this.die.show(place.value, isMoving && place.zone === "felt" ? spin() : calm);
    this.place = place;
    this.at = slot;
    setVars(this.el, { "--x": slot[0], "--y": slot[1] });
    setAttr(this.el, "data-zone", place.zone);
    setAttr(this.el, "data-look", place.look);
    setAttr(this.el, "aria-disabled", place.canToggle ? null : "true");
    setAttr(this.el, "aria-pressed", String(place.zone === "tray" && place.look !== "old"));
    setAttr(this.el, "aria-label", label(place, this.number));
    setText(this.hint, place.canToggle ? String(this.number) : "");
    this.el.hidden = place.zone === "cup";
  }

  /** @param {number} index */
  roll(index) {
    const [fromX, fromY] = SLOTS.cup[0];
    const [x, y] = this.at;
    return this.die.roll(this.die.value, {
      ms: 600 - (2 - index) * 40,
      angle: Math.atan2(y - fromY, x - fromX) + Math.PI / 2,
      turns: 1.8 + index * 0.35,
      spin: this.place?.zone === "felt" ? spin() : this.die.spin,
      move: (rest) => setVars(this.die.el, { "--dx": (fromX - x) * rest, "--dy": (fromY - y) * rest }),
    });
  }
}

/** Return a small random turn, since dice never lie quite straight. */
function spin() {
  return (Math.random() - 0.5) * 0.9;
}

/** @param {Place} place @param {number} number */
function label(place, number) {
  const params = { number, face: faceWord(place.value) };
  if (place.zone === "cup") return fill(gettext("die %(number)s of 3 is in the cup"), params);
  if (place.zone === "tray" && place.look !== "old") {
    return fill(gettext("die %(number)s of 3 shows %(face)s, laid out"), params);
  }
  return fill(gettext("die %(number)s of 3 shows %(face)s"), params);
}

/** @typedef {import("chicago/actions/selection.js").DiceSelection} DiceSelection */

/**
 * Return the place of each die, from the view and the selection.
 * @param {Chicago.View} view
 * @param {DiceSelection} selection
 * @param {boolean} canAct
 * @returns {Place[]} three
 */
export function places(view, selection, canAct) {
  // The dice of an entered turn are on the real table.
  if (view.cup.throws === 0 || view.cup.in_cup === 3) return before(view);
  if (view.to_type) return thrownAtTheTable(view.to_type);
  const laid = view.cup.laid.map((value, i) =>
    laidOut(`l${i}`, value, selection, canAct),
  );
  const rolled = view.cup.rolled.map((value, i) =>
    thrown(`r${i}`, value, selection, canAct),
  );
  return [...laid, ...rolled];
}

/**
 * Return the places while real dice are thrown: the laid-out ones beside them.
 * @param {{laid: number[], count: number}} thrown
 * @returns {Place[]}
 */
function thrownAtTheTable({ laid, count }) {
  const out = laid.map((value, i) => ({ key: `l${i}`, value, zone: "tray", look: "locked", canToggle: false }));
  const inCup = Array.from({ length: count }, (_, i) => ({
    key: `r${i}`, value: 1, zone: "cup", look: "free", canToggle: false,
  }));
  return /** @type {Place[]} */ ([...out, ...inCup]);
}

/**
 * Return the places before the first throw: of the last result, or all in the cup.
 * @param {Chicago.View} view @returns {Place[]}
 */
function before(view) {
  const last = view.history[view.history.length - 1];
  const isShown = last?.dice.length === 3;
  const dice = isShown ? last.dice : [1, 1, 1];
  return dice.map((value, i) => ({
    key: `o${i}`, value, zone: isShown ? "tray" : "cup", look: "old", canToggle: false,
  }));
}

/**
 * @param {string} key
 * @param {number} value
 * @param {DiceSelection} selection
 * @param {boolean} canAct
 * @returns {Place}
 */
function laidOut(key, value, selection, canAct) {
  if (selection.ones.includes(key)) return { key, value: 1, zone: "tray", look: "chosen", canToggle: false };
  if (!selection.returns) return { key, value, zone: "tray", look: "locked", canToggle: false };
  const isChosen = selection.chosen.has(key);
  return {
    key,
    value,
    zone: isChosen ? "tray" : "felt",
    look: isChosen ? "chosen" : "free",
    canToggle: canAct && selection.canToggle(key),
  };
}

/**
 * @param {string} key
 * @param {number} value
 * @param {DiceSelection} selection
 * @param {boolean} canAct
 * @returns {Place}
 */
function thrown(key, value, selection, canAct) {
  if (selection.ones.includes(key)) return { key, value: 1, zone: "tray", look: "chosen", canToggle: false };
  if (selection.turned.includes(key)) return { key, value, zone: "cup", look: "free", canToggle: false };
  const isChosen = selection.chosen.has(key);
  return {
    key,
    value,
    zone: isChosen ? "tray" : "felt",
    look: isChosen ? "chosen" : "free",
    canToggle: canAct && selection.canToggle(key),
  };
}
