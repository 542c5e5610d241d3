// @ts-check
/** The big buttons: throw, stand, turn two sixes, and what the starter declares. */
import { beforeFrame, h, setAttr, setText } from "games/kit/dom.js";
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/text.js";
import { throwsOf } from "chicago/status.js";
import { called, isLowRound, word, worth } from "chicago/words.js";

/** @typedef {import("chicago/selection.js").Selection} Selection */
/** @typedef {import("chicago/words.js").Valuation} Valuation */

/**
 * @typedef {object} Open what may be done now
 * @property {any} throwing the open choice, or null
 * @property {any} standing the open choice, or null
 * @property {boolean} canAct false while offline, paused or waiting for an answer
 */

export class Actions {
  /** @param {{onThrow: () => void, onStand: (args: object) => void, onTurn: () => void, onHint: () => void}} on */
  constructor(on) {
    this.on = on;
    this.declaration = new Declaration(() => this.#labelStand());
    this.need = h("p", { class: "ct-need" });
    this.dots = h("p", { class: "ct-throws" });
    this.go = button("ct-go", "T", on.onThrow);
    this.stand = button("ct-stand", "S", () => this.#stand());
    this.turn = h("button", { type: "button", class: "ct-turn", onclick: on.onTurn });
    this.hint = h("button", { type: "button", class: "ct-hintbtn", onclick: on.onHint }, gettext("Hint"));
    this.advice = h("p", { class: "ct-advice", role: "status" });
    this.advice.hidden = true;
    this.more = h("div", { class: "ct-more" }, this.turn, this.hint);
    this.el = h(
      "section",
      { class: "ct-actions", "aria-label": gettext("What you can do") },
      h("div", { class: "ct-info" }, this.need, this.dots),
      this.advice,
      this.declaration.el,
      h("div", { class: "ct-buttons" }, this.stand.el, this.go.el),
      this.more,
    );
    /** @type {any} */
    this.view = null;
    /** @type {Open} */
    this.open = { throwing: null, standing: null, canAct: false };
  }

  /**
   * @param {any} view
   * @param {Selection} selection
   * @param {Open} open
   * @param {{seats: import("games/kit/seats.js").SeatInfo[], me: number | null}} who
   */
  show(view, selection, open, who) {
    this.view = view;
    this.open = open;
    const isMine = Boolean(open.throwing || open.standing);
    setAttr(this.el, "data-mine", isMine);
    setText(this.need, isMine ? need(view) : waiting(view, who));
    throwDots(this.dots, view);
    this.declaration.show(view.declares && open.standing ? open.standing.options : []);
    this.#labelGo(selection);
    this.#labelStand();
    this.#labelTurn(selection);
    this.hint.hidden = !(isMine && view.options.hints);
    setAttr(this.hint, "aria-disabled", open.canAct ? null : "true");
    beforeFrame(this.#keepFocus);
  }

  /** @param {string} text advice, or "" */
  advise(text) {
    setText(this.advice, text);
    this.advice.hidden = text === "";
  }

  /** @param {Selection} selection */
  #labelGo(selection) {
    const { throwing, canAct } = this.open;
    const count = Math.max(1, selection.inCup);
    const again = fill(ngettext("Throw %(count)s die", "Throw %(count)s dice", count), { count: word(count) });
    const text = this.view.cup.throws === 0 ? gettext("Throw") : again;
    this.go.show(Boolean(throwing), text, canAct && selection.option !== null);
  }

  #labelStand() {
    const { standing, canAct } = this.open;
    const dice = this.view ? [...this.view.cup.laid, ...this.view.cup.rolled] : [];
    const valuation = this.view?.declares ? this.declaration.value : this.view?.valuation;
    const value = valuation && dice.length ? worth(dice, valuation, this.view.options.fish) : "";
    this.stand.show(Boolean(standing), fill(gettext("Stand with %(value)s"), { value }), canAct);
  }

  /** @param {Selection} selection */
  #labelTurn(selection) {
    this.turn.hidden = !selection.canTurn || selection.isForced;
    setText(this.turn, gettext("Turn two sixes"));
    setAttr(this.turn, "aria-pressed", String(selection.turn));
    setAttr(this.turn, "aria-disabled", this.open.canAct ? null : "true");
  }

  #stand() {
    if (this.open.standing) this.on.onStand(this.declaration.args);
  }

  /** A button that has gone takes the focus with it: hand it on to what can be done now. */
  #keepFocus = () => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || !this.el.contains(focused) || focused.offsetParent) return;
    const next = [this.go.el, this.stand.el].find((b) => !b.hidden);
    next?.focus();
  };
}

/** @param {string} kind @param {string} key @param {() => void} onPress */
function button(kind, key, onPress) {
  const label = h("span", {});
  const el = h(
    "button",
    { type: "button", class: `ct-big ${kind}`, "aria-keyshortcuts": key,
      onclick: () => el.getAttribute("aria-disabled") !== "true" && onPress() },
    label,
    h("kbd", { class: "ct-key", "aria-hidden": "true" }, key),
  );
  const show = (/** @type {boolean} */ isOpen, /** @type {string} */ text, /** @type {boolean} */ canPress) => {
    el.hidden = !isOpen;
    setText(label, text);
    setAttr(el, "aria-disabled", canPress ? null : "true");
  };
  return { el, show };
}

/** What the turn must beat. @param {any} view */
function need(view) {
  if (view.beat) return fill(toBeat(view), { result: called(view.beat) });
  return view.declares && view.cup.throws ? gettext("Declare what counts") : gettext("You start the round");
}

/** @param {any} view */
function toBeat(view) {
  if (view.for_high) return gettext("Beat the high: %(result)s");
  return isLowRound(view) ? gettext("Get below %(result)s") : gettext("Beat %(result)s");
}

/** @param {any} view */
function mustBeat(view) {
  if (view.for_high) return gettext("%(name)s must beat the high: %(result)s");
  return isLowRound(view) ? gettext("%(name)s must get below %(result)s") : gettext("%(name)s must beat %(result)s");
}

/** @param {any} view @param {{seats: import("games/kit/seats.js").SeatInfo[], me: number | null}} who */
function waiting(view, { seats, me }) {
  if (view.phase === "over" || view.turn === null) return "";
  const name = nameOf(seats, view.turn);
  const place = me === null ? -1 : view.waiting.indexOf(me);
  if (place === 0) return gettext("You are next");
  if (place > 0)
    return fill(ngettext("%(count)s player before you", "%(count)s players before you", place + 1), {
      count: place + 1,
    });
  if (view.beat) return fill(mustBeat(view), { name, result: called(view.beat) });
  return fill(gettext("%(name)s starts the round"), { name });
}

/** The throws of the turn. @param {HTMLElement} element @param {any} view */
function throwDots(element, view) {
  element.hidden = view.turn === null;
  setText(element, fill(gettext("Throw %(number)s of %(all)s"), throwsOf(view)));
}

/** The starter's declaration: only what some legal `stand` contains can be chosen. */
class Declaration {
  /** @param {() => void} onChange */
  constructor(onChange) {
    /** @type {Valuation[]} */
    this.options = [];
    /** @type {any} */
    this.value = { ones: 100, sixes: 60, high: true };
    const pick = (/** @type {string} */ key, /** @type {any} */ value) => {
      this.value = { ...this.value, [key]: value };
      this.#mark();
      onChange();
    };
    this.rows = [
      new Segments(
        "ones",
        gettext("Ones"),
        [
          [100, "100"],
          [1, "1"],
        ],
        pick,
      ),
      new Segments(
        "sixes",
        gettext("Sixes"),
        [
          [60, "60"],
          [6, "6"],
        ],
        pick,
      ),
      new Segments(
        "high",
        gettext("What counts"),
        [
          [true, pgettext("numbers", "high")],
          [false, pgettext("numbers", "low")],
        ],
        pick,
      ),
    ];
    this.el = h(
      "div",
      { class: "ct-declare", role: "group", "aria-label": gettext("What you declare") },
      this.rows.map((r) => r.el),
    );
  }

  /** The arguments of `stand`. */
  get args() {
    return this.options.length ? this.value : {};
  }

  /** @param {any[]} options */
  show(options) {
    this.options = options.filter((o) => "high" in o);
    this.el.hidden = this.options.length === 0;
    if (!this.options.length) this.value = { ones: 100, sixes: 60, high: true };
    this.#mark();
  }

  #mark() {
    for (const row of this.rows) row.mark(this.value);
  }
}

class Segments {
  /**
   * @param {string} key
   * @param {string} label
   * @param {[any, string][]} values
   * @param {(key: string, value: any) => void} pick
   */
  constructor(key, label, values, pick) {
    this.key = key;
    this.buttons = values.map(([value, text]) => ({
      value,
      el: h("button", { type: "button", onclick: () => pick(key, value) }, text),
    }));
    this.el = h("div", { class: "ct-segments", role: "group", "aria-label": label },
      h("span", { class: "ct-label" }, label), this.buttons.map((b) => b.el));
  }

  /** @param {any} value */
  mark(value) {
    for (const b of this.buttons) setAttr(b.el, "aria-pressed", String(value[this.key] === b.value));
  }
}
