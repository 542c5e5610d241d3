// @ts-check
/** Two at a real board between their games, and at the end: the score, large, and what the next game is. */
import { h, setAttr, setText } from "games/kit/page/dom.js";
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { pairOf } from "chouette/dock/results.js";
import { signed } from "games/kit/page/sentences.js";
import { gameNumber, isBetween, isDuel } from "chouette/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** @typedef {import("chouette/table.js").Now} Now */

/** Tell whether the score has the place of line and cubes: two play, and no game runs. @param {Chouette.View} view */
export function hasScore(view) {
  const isIdle = view.phase !== "playing" || isBetween(view);
  return isIdle && isDuel(view) && !view.to_throw.length && pairOf(view).length === 2;
}

export class Score {
  constructor() {
    this.sides = [new Side(), new Side()];
    this.next = h("p", { class: "bt-wood-next" });
    this.needs = h("p", { class: "bt-wood-needs" });
    const [left, right] = this.sides;
    const colon = h("span", { class: "bt-wood-colon", "aria-hidden": "true" }, ":");
    this.el = h("div", { class: "bt-wood-score" },
      h("div", { class: "bt-wood-sides" }, left.el, colon, right.el), this.next, this.needs);
  }

  /** @param {Now} now */
  show({ view, seats, me }) {
    const pair = pairOf(view);
    for (const [i, side] of this.sides.entries()) {
      const seat = pair[i];
      const points = view.score ? String(view.score[seat]) : signed(view.totals[seat]);
      side.show(seat, nameOf(seats, seat), points, { me: seat === me, won: seat === view.ended?.winner });
    }
    const isOver = view.phase === "over";
    setText(this.next, isOver ? "" : nextText(view));
    setText(this.needs, isOver || !view.score ? "" : needsText(view, seats));
  }
}

/** Return what the next game is. @param {Chouette.View} view */
function nextText(view) {
  const number = gameNumber(view);
  return view.crawford_next
    ? fill(gettext("Next is game %(number)s, the Crawford game: nobody doubles."), { number })
    : fill(gettext("Next is game %(number)s."), { number });
}

/** Return how many points each side needs to win the match. @param {Chouette.View} view @param {SeatInfo[]} seats */
function needsText(view, seats) {
  const [one, other] = pairOf(view), length = view.match_length ?? 0, score = view.score ?? [];
  return fill(gettext("%(one)s needs %(few)s more, %(other)s %(many)s."), {
    one: nameOf(seats, one), few: length - score[one],
    other: nameOf(seats, other), many: length - score[other],
  });
}

/** A side: its name, and its points large. */
class Side {
  constructor() {
    this.name = h("b", { class: "bt-wood-name" });
    this.points = h("span", { class: "bt-wood-points" });
    this.el = h("p", {}, this.name, this.points);
  }

  /** @param {number} seat @param {string} name @param {string} points @param {{me: boolean, won: boolean}} marks */
  show(seat, name, points, marks) {
    setAttr(this.el, "class", `bt-wood-side seat-${seat % 12}`);
    setAttr(this.el, "data-me", marks.me);
    setAttr(this.el, "data-won", marks.won);
    setText(this.name, name);
    setAttr(this.name, "title", name);
    setText(this.points, points);
  }
}
