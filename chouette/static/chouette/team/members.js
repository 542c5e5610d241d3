// @ts-check
/** The players: name, role, points, and each member's cube where it lies. */
import { h, put, setAttr } from "games/kit/dom.js";
import { awaited } from "chouette/awaited.js";
import { Member } from "chouette/team/member.js";
import { isDuel } from "chouette/words.js";

/** @typedef {import("chouette/table.js").Acts} Acts */
/** @typedef {import("chouette/table.js").Now} Now */

export class Members {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.list = h("ol", { class: "bt-mates", tabindex: "0", "aria-label": gettext("Players") });
    this.el = h("section", { class: "bt-members" }, this.list);
    /** @type {Map<number, Member>} */
    this.mates = new Map();
    this.key = "";
  }

  /** @param {Now} now */
  show(now) {
    const order = lineUp(now.view);
    this.#arrange(order, isDuel(now.view));
    const isBox = now.me !== null && [now.view.line[0], now.view.game?.partner].includes(now.me);
    setAttr(this.el, "data-side", isBox ? "box" : "team");
    const waitingFor = now.hasEnded ? [] : awaited(now.view);
    for (const seat of order) this.mates.get(seat)?.show(now, waitingFor.includes(seat));
    const turn = now.hasEnded ? null : now.view.game?.on_roll ?? waitingFor[0] ?? null;
    this.#follow(turn);
  }

  /** @param {number[]} order @param {boolean} isTwo */
  #arrange(order, isTwo) {
    const key = JSON.stringify([order, isTwo]);
    if (key === this.key) return;
    this.key = key;
    for (const seat of order) if (!this.mates.has(seat)) this.mates.set(seat, new Member(seat));
    put(this.list, order.map((seat) => this.mates.get(seat)?.el));
    setAttr(this.list, "data-n", String(order.length));
    setAttr(this.list, "data-crowd", order.length > 5);
    setAttr(this.el, "data-duel", isTwo);
  }

  /** Where the strip is longer than the screen, whose turn it is must be seen. @param {number | null} turn */
  #follow(turn) {
    if (turn === this.turn) return;
    this.turn = turn;
    const card = turn === null ? null : this.mates.get(turn)?.el;
    if (!card || this.list.scrollWidth <= this.list.clientWidth) return;
    this.list.scrollTo({ left: card.offsetLeft - (this.list.clientWidth - card.clientWidth) / 2 });
  }
}

/**
 * The seats of the line, Box first, then the others. Of two the Box is at the right: at its end of the groove.
 * @param {any} view
 * @returns {number[]}
 */
function lineUp(view) {
  if (isDuel(view) && view.line.length === 2) return [view.line[1], view.line[0], ...others(view)];
  return [...view.line, ...others(view)];
}

/** @param {any} view @returns {number[]} */
function others(view) {
  const rest = view.seats.filter((/** @type {any} */ s) => !view.line.includes(s.seat));
  return rest.map((/** @type {any} */ s) => s.seat);
}
