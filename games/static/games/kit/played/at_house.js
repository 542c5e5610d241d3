// @ts-check
/** What the house is told of games played without it: this device's own list; for a host, the lists that wait. */
import { HandOver } from "games/kit/played/hand_over.js";
import { WaitingLists } from "games/kit/played/waiting_lists.js";
import { fill } from "games/kit/page/text.js";

/** @typedef {import("games/kit/played/going_on.js").GoingOn} GoingOn */
/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {import("games/shell/connection/socket.js").You} You */
/** What it needs of the shell. @typedef {{seats: SeatInfo[], you: You, table: House.SentTable, config: any}} Shell */

export class AtHouse {
  /** @param {Shell} shell @param {GoingOn} goingOn */
  constructor(shell, goingOn) {
    this.shell = shell;
    const { table, urls } = shell.config;
    this.own = new HandOver(shell, goingOn);
    const names = { number: shell.table.number, id: table };
    this.lists = new WaitingLists(shell, urls.played, fill(gettext("table %(number)s (%(id)s)"), names));
    document.addEventListener("night", () => this.look());
    this.look();
  }

  /** Look again: the table has changed. */
  look() {
    this.own.look();
    if (this.shell.you.host) this.lists.look();
  }
}
