// @ts-check
/** The chalk board: the standing results, the one to beat, the number of throws; and the last throws. */
import { afterFrame, h, put, setAttr, setText } from "games/kit/page/dom.js";
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { endingOf } from "chicago/words/endings.js";
import { announcement, called, counts, isLowRound, matWord, phaseName, word } from "chicago/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** Letters of an announcement beside which little else has room. */
const LONG = 36;

export class Board {
  constructor() {
    this.text = h("p", { class: "ct-said" });
    this.high = h("p", { class: "ct-stands", data: { kind: "high" } });
    this.low = h("p", { class: "ct-stands", data: { kind: "low" } });
    this.highLow = h("div", { class: "ct-highlow" }, this.high, this.low);
    this.rule = h("p", { class: "ct-rule" });
    this.ending = h("p", { class: "ct-ending" });
    this.phase = h("p", { class: "ct-phase" });
    this.el = h(
      "section",
      { class: "ct-board", "aria-label": gettext("What stands") },
      this.text,
      this.highLow,
      this.rule,
      this.ending,
    );
  }

  /** @param {Chicago.View} view @param {SeatInfo[]} seats */
  show(view, seats) {
    const ending = view.announcement || view.outcome ? null : endingOf(view, seats);
    setText(
      this.text,
      view.announcement
        ? announcement({ ...view.announcement, valuation: null })
        : ending?.title ?? opening(view, seats),
    );
    this.ending.hidden = !ending;
    setAttr(this.el, "data-ending", Boolean(ending));
    setAttr(this.el, "data-long", !ending && (this.text.textContent ?? "").length > LONG);
    setText(this.ending, ending?.next ?? "");
    this.highLow.hidden = !view.high;
    const isLow = isLowRound(view);
    stands(this.high, isLow ? gettext("Best") : gettext("High"), view.high, seats);
    stands(this.low, isLow ? gettext("Worst") : gettext("Low"), view.low, seats);
    setText(this.rule, throwsRule(view));
    setText(this.phase, phase(view));
  }
}

/** @param {Chicago.View} view @param {SeatInfo[]} seats */
function opening(view, seats) {
  if (view.outcome) return gettext("The game is over");
  return fill(gettext("%(name)s starts the round"), { name: nameOf(seats, view.starter) });
}

/**
 * @param {HTMLElement} element
 * @param {string} label
 * @param {import("chicago/words/words.js").Result | null} result
 * @param {SeatInfo[]} seats
 */
function stands(element, label, result, seats) {
  const key =
    `${label}/` + (result ? `${result.seat}/${result.value}/${result.throws}/${nameOf(seats, result.seat)}` : "");
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  const who = result ? nameOf(seats, result.seat) : "–";
  put(element, h("span", { class: "ct-label" }, label), " ", h("b", {}, who), " ", result ? called(result) : "");
}

/** Return the number of throws of the turn, and the valuation, in words. @param {Chicago.View} view */
export function throwsRule(view) {
  const parts = [];
  if (view.throws_allowed !== null) {
    const sentence = view.options.followers === "exactly"
      ? ngettext("exactly %(count)s throw", "exactly %(count)s throws", view.throws_allowed)
      : ngettext("at most %(count)s throw", "at most %(count)s throws", view.throws_allowed);
    parts.push(fill(sentence, { count: word(view.throws_allowed) }));
  } else if (view.phase !== "over") {
    parts.push(gettext("up to three throws"));
  }
  if (view.valuation) parts.push(counts(view.valuation));
  if (view.for_high) parts.push(fill(gettext("only the high gets rid of a %(mat)s"), { mat: matWord(view.options) }));
  return parts.join(" · ");
}

/** Return the phase and the round in words; with mats no number of rounds counts. @param {Chicago.View} view */
export function phase(view) {
  const total = view.options.mats === "none" ? view.options.rounds : 0;
  const sentence = total ? gettext("Round %(round)s of %(total)s") : gettext("Round %(round)s");
  const round = fill(sentence, { round: view.round, total });
  const name = phaseName(view.phase, view.options);
  return name && view.phase !== "over" ? `${name} · ${round}` : round;
}

/** The last finished turns, newest first. */
export class LastThrows {
  constructor() {
    this.list = h("ol", { data: { rest: "left out" } });
    this.el = h("section", { class: "ct-last", "aria-label": gettext("Last throws") }, this.list);
    this.key = "";
  }

  /** @param {Chicago.View} view @param {SeatInfo[]} seats */
  show(view, seats) {
    const key = JSON.stringify([view.history, seats.map((s) => s.name)]);
    if (key === this.key) return;
    this.key = key;
    const items = [...view.history].reverse().map((r) => roundRow(r, view, seats));
    put(this.list, items.length ? items : h("li", { class: "muted" }, gettext("Nobody has thrown yet")));
    afterFrame(this.#measure);
  }

  /** Make the list a stop for the keyboard only if it scrolls. */
  #measure = () => {
    setAttr(this.el, "tabindex", this.el.scrollHeight > this.el.clientHeight + 1 ? "0" : null);
  };
}

/**
 * @param {import("chicago/words/words.js").Result} result
 * @param {Chicago.View} view
 * @param {SeatInfo[]} seats
 */
function roundRow(result, view, seats) {
  const isNew = result.round === view.round, name = nameOf(seats, result.seat);
  return h(
    "li",
    { data: { now: isNew ? "yes" : "no" }, class: `seat-${result.seat % 12}` },
    h("span", { class: "ct-last-who", title: name }, name),
    h("span", { class: "ct-minis", "aria-hidden": "true" }, result.dice.map(mini)),
    h("b", {}, called(result)),
  );
}

/** Return a small flat die. @param {number} value */
export function mini(value) {
  return h("span", { class: "ct-mini", data: { face: value } }, Array.from({ length: value }, () => h("i")));
}
