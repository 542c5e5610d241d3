// @ts-check
/** What of games played without the house concerns the house: this device's own list, and for a host those that wait. */
import { openList } from "games/kit/played/device_list.js";
import { HandOver } from "games/kit/played/hand_over.js";
import { WaitingLists } from "games/kit/played/waiting_lists.js";
import { fill } from "games/kit/page/text.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {{outbox: string, table: string, urls: {played: string}}} Config */
/** @typedef {import("games/shell/connection/socket.js").You} You */
/** What it needs of the shell. @typedef {{seats: SeatInfo[], you: You, table: House.SentTable, config: any}} Shell */

/** @param {Shell} shell */
export async function atHouse(shell) {
  return new AtHouse(shell, await openList(shell.config.outbox));
}

class AtHouse {
  /** @param {Shell} shell @param {import("games/kit/played/device_list.js").DeviceList} list */
  constructor(shell, list) {
    this.shell = shell;
    const { table, urls } = shell.config;
    this.own = new HandOver(shell, list, shell.config);
    const names = { number: shell.table.number, id: table };
    this.lists = new WaitingLists(shell, urls.played, fill(gettext("table %(number)s (%(id)s)"), names));
    this.look();
  }

  /** Look again: the table has changed. */
  look() {
    this.own.look();
    if (this.shell.you.host) this.lists.look();
  }
}
