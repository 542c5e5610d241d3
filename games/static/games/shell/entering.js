// @ts-check
/**
 * Entering for people with phones of their own, at a real table: host and scorekeeper switch to their seat and
 * back. They see its choices, but nothing else that it sees; all are told the name of the one that enters.
 */
import { byId, h, put } from "games/kit/page/dom.js";
import { clearBanner, showBanner } from "games/kit/page/notices.js";
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";

/** @typedef {import("games/shell/keeping.js").Hand} Hand */
/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {import("games/shell/connection/socket.js").You} You */

/** The data and functions that this module needs of the shell. */
/** @typedef {{table: House.SentTable, seats: SeatInfo[], seat: number | null, you: You, hand: Hand}} Shell */

export class Entering {
  /** @param {Shell} shell */
  constructor(shell) {
    this.shell = shell;
    this.box = h("section", { class: "sheet-part", id: "menu-entering" });
    byId("menu-wishes").after(this.box);
  }

  /**
   * The seats of other players with phones that have accepted, for host and scorekeeper.
   * @returns {House.SentTableSeat[]}
   */
  get #others() {
    const { table, you } = this.shell;
    if (table.status !== "playing" || !(you.host || table.scorekeeper?.player === you.player)) return [];
    const isOther = (/** @type {House.SentTableSeat} */ s) =>
      s.player !== null && s.player !== you.player && !s.keeper && !s.gone;
    return table.seats.filter((s) => isOther(s) && s.accepted);
  }

  /** Tell whether the shown seat is one of the others. */
  get isOn() {
    return this.#others.some(({ seat }) => seat === this.shell.seat);
  }

  /** Offer in the menu the seats to enter for. */
  offer() {
    const others = this.#others;
    this.box.hidden = !others.length;
    const buttons = others.map(({ seat }) => h("button", {
      type: "button", class: "button", data: { enter: seat }, onclick: () => this.#go(seat),
    }, nameOf(this.shell.seats, seat)));
    put(this.box, h("h3", {}, gettext("Enter for somebody")), h("div", { class: "row" }, buttons));
  }

  /** Show the banner when the device shows another seat. */
  handed() {
    clearBanner("entering");
    if (!this.isOn) return;
    const { seats, seat, you } = this.shell;
    const text = fill(gettext("You enter for %(name)s."), { name: nameOf(seats, seat) });
    const buttons = [{ label: gettext("Back to my own seat"), act: () => this.#go(you.seat) }];
    showBanner("entering", { text, kind: "warn", buttons });
  }

  /** @param {number | null} seat */
  #go(seat) {
    byId("menu").close();
    this.shell.hand(seat);
  }
}
