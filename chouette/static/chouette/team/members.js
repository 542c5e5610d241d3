// @ts-check
/** The players: name, role, points, and each member's cube in its place. */
import { afterFrame, h, put, setAttr } from "games/kit/page/dom.js";
import { nameOf, twoLetters } from "games/kit/seats.js";
import { Member } from "chouette/team/member.js";
import { cubesIn } from "chouette/team/cubes.js";
import { askedIn, isDuel } from "chouette/words/words.js";

/** @typedef {import("chouette/table.js").Acts} Acts */
/** @typedef {import("chouette/table.js").Now} Now */
/** @typedef {import("chouette/team/member.js").Answer} Answer */

export class Members {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.list = h("ol", { class: "bt-mates", tabindex: "0", "aria-label": gettext("Players") });
    this.el = h("section", { class: "bt-members" }, this.list);
    /** @type {Map<number, Member>} */
    this.mates = new Map();
    this.key = "";
    /** The most tiles that this table has had: an empty seat leaves a gap, and nothing moves. */
    this.most = this.known = 0;
    /** The seat on turn at the last look. @type {number | null} */
    this.turn = null;
  }

  /** @param {Now} now */
  show(now) {
    const order = now.isTv ? ranked(now.view) : lineUp(now.view);
    if (now.isTv || this.known !== now.view.seats.length) this.most = 0;
    this.known = now.view.seats.length;
    this.most = Math.max(this.most, order.length);
    this.#arrange(order, isDuel(now.view));
    const isBox = now.me !== null && [now.view.line[0], now.view.game?.partner].includes(now.me);
    setAttr(this.el, "data-side", isBox ? "box" : "team");
    const waitingFor = now.hasEnded ? [] : [...now.view.waiting_for, ...askedIn(now.view)];
    const letters = twoLetters(now.seats.map((one) => nameOf(now.seats, one.seat)));
    const cubes = cubesOf(now.view);
    for (const seat of order) {
      const own = cubes.filter((cube) => cube.member === seat);
      this.mates.get(seat)?.show(now, waitingFor.includes(seat), letters[seat], own);
    }
    if (now.isTv) this.#number(order, now.view.score ?? now.view.totals);
    const turn = now.hasEnded ? null : now.view.game?.on_roll ?? waitingFor[0] ?? null;
    this.#follow(turn);
  }

  /** Let the doublers' seats, and no others, be tapped for an answer. @param {Answer[]} answers */
  showAnswers(answers) {
    for (const [seat, mate] of this.mates) mate.showAnswer(answers.find((answer) => answer.seat === seat) ?? null);
  }

  /** Return where a seat's total stands. @param {number} seat @returns {HTMLElement | undefined} */
  totalOf(seat) {
    return this.mates.get(seat)?.total;
  }

  /**
   * Number the seats by points: equal points share a place.
   * @param {number[]} order @param {number[]} points
   */
  #number(order, points) {
    const isEven = order.every((seat) => points[seat] === points[order[0]]);
    for (const seat of order) {
      const place = 1 + order.filter((other) => points[other] > points[seat]).length;
      const mate = this.mates.get(seat);
      if (mate) setAttr(mate.el, "data-place", isEven ? null : String(place));
    }
  }

  /** @param {number[]} order @param {boolean} isTwo */
  #arrange(order, isTwo) {
    const key = JSON.stringify([order, isTwo, this.most]);
    if (key === this.key) return;
    this.key = key;
    for (const seat of order) if (!this.mates.has(seat)) this.mates.set(seat, new Member(seat));
    put(this.list, order.map((seat) => this.mates.get(seat)?.el));
    setAttr(this.list, "data-n", String(this.most));
    setAttr(this.list, "data-crowd", this.most > 5);
    setAttr(this.el, "data-duel", isTwo);
  }

  /** Scroll to the seat on turn if the strip is longer than the screen. @param {number | null} turn */
  #follow(turn) {
    if (turn === this.turn) return;
    this.turn = turn;
    if (turn !== null) afterFrame(this.#scroll);
  }

  #scroll = () => {
    const card = this.mates.get(this.turn ?? -1)?.el;
    if (!card || this.list.scrollWidth <= this.list.clientWidth) return;
    this.list.scrollTo({ left: card.offsetLeft - (this.list.clientWidth - card.clientWidth) / 2 });
  };
}

/**
 * Return the seats of the line, Box first, then the others. Of two, the Box is at the right: at its end of the groove.
 * @param {Chouette.View} view
 * @returns {number[]}
 */
function lineUp(view) {
  if (isDuel(view) && view.line.length === 2) return [view.line[1], view.line[0], ...others(view)];
  return [...view.line, ...others(view)];
}

/** Return the cubes to show; none between two games and at the end. @param {Chouette.View} view */
function cubesOf({ game, phase }) {
  return ["pause", "between", "over"].includes(phase) || !game ? [] : cubesIn(game);
}

/** Return all players, also former ones, by their points. @param {Chouette.View} view @returns {number[]} */
function ranked({ seats, score, totals }) {
  const points = score ?? totals;
  const listed = seats.filter((s) => s.status !== "watching" || points[s.seat] !== 0);
  const above = (/** @type {number} */ a, /** @type {number} */ b) => points[b] - points[a];
  return listed.map((s) => s.seat).sort(above);
}

/**
 * Return the seats beside the line, without leavers that no longer play.
 * @param {Chouette.View} view @returns {number[]}
 */
function others(view) {
  const isThere = (/** @type {Chouette.TableSeat} */ s) => s.status !== "left" || s.role !== "none";
  const rest = view.seats.filter((s) => !view.line.includes(s.seat) && isThere(s));
  return rest.map((s) => s.seat);
}
