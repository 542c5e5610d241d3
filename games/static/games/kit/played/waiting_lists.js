// @ts-check
/** Lists of games that wait for the table's host: who sent them, the games in words, and the host's answer. */
import { h } from "games/kit/page/dom.js";
import { clearBanner, showBanner, toast } from "games/kit/page/notices.js";
import { fill } from "games/kit/page/text.js";
import { choiceOf } from "games/kit/played/choice.js";
import { gameList } from "games/kit/played/game_list.js";
import { SaidNo, say, told } from "games/kit/played/house.js";
import { PlayedSheet } from "games/kit/played/sheet.js";

/** @typedef {import("games/kit/played/house.js").Answer} Answer */
/** @typedef {import("games/kit/played/fields.js").Form} Form */
/** @typedef {import("games/kit/played/house.js").RefusedGame} RefusedGame */
/** @typedef {import("games/kit/played/house.js").WaitingList} WaitingList */
/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** What leads to them from other pages: the address of the table with this. */
const MARK = "#waiting-lists";

export class WaitingLists {
  /** @param {{seats: SeatInfo[]}} shell @param {string} url @param {string} table its number and id in words */
  constructor(shell, url, table) {
    this.shell = shell;
    this.url = url;
    this.table = table;
    this.sheet = new PlayedSheet("waiting-lists");
    /** @type {WaitingList[]} */
    this.waiting = [];
    /** @type {Form | null} */
    this.form = null;
    /** The first game of the shown list that the rules refused. @type {RefusedGame | null} */
    this.refused = null;
    /** What has to be chosen about the shown list. @type {Answer | null} */
    this.conflict = null;
    this.isLed = location.hash === MARK;
  }

  /** Look again which lists wait. */
  async look() {
    const found = await told(this.url);
    if (!found) return;
    const before = this.waiting;
    this.waiting = found.waiting;
    this.form = found.form;
    if (this.waiting[0]?.id !== before[0]?.id) this.refused = this.conflict = null;
    // A button that is made anew would be deaf: what has not changed stays.
    if (this.isLed || JSON.stringify(before) !== JSON.stringify(found.waiting)) this.#offer();
  }

  #offer() {
    const [first] = this.waiting;
    if (!first) {
      this.sheet.close();
      return clearBanner("waiting-lists");
    }
    const act = () => this.#open();
    showBanner("waiting-lists", { text: headOf(first), kind: "warn", buttons: [{ label: gettext("Show them"), act }] });
    if (this.sheet.isOpen) this.#draw();
    else if (this.isLed) this.#open();
    this.isLed = false;
  }

  #open() {
    this.#draw();
    this.sheet.openInstead();
  }

  #draw() {
    const [first] = this.waiting, { form, conflict } = this;
    if (!first || !form) return this.sheet.close();
    const list = gameList(first.games, form, this.shell.seats, ({ id }) =>
      [id === this.refused?.id && h("p", { class: "error" }, this.refused.message)]);
    const head = h("p", {}, h("strong", {}, headOf(first)));
    const unknown =
      gettext("The device is unknown here, as after a new address of the house. Its list is for %(table)s.");
    const who = first.by.player === null && h("p", { class: "hint" }, fill(unknown, { table: this.table }));
    if (conflict) {
      const choose = (/** @type {string} */ keep) => this.#answer(first, keep, conflict.seq);
      const choice = choiceOf(this.sheet, conflict.since, list, first.games.length, choose);
      return this.sheet.show(gettext("Two lists"), [head, who, ...choice], []);
    }
    const not = this.sheet.button(gettext("Do not take them"), () => this.#answer(first, "house"), "danger");
    const take = this.sheet.button(gettext("Take them"), () => this.#answer(first, "both"), "go");
    this.sheet.show(gettext("Games played without the house"), [head, who, list], [not, take]);
  }

  /** @param {WaitingList} list @param {string} keep @param {number} [upto] */
  async #answer({ id }, keep, upto) {
    try {
      const answer = await say(`${this.url}${id}/`, { keep, ...(upto ? { upto } : {}) });
      if (!answer) return this.sheet.say(gettext("The house is out of reach."));
      const { since, refused, written } = answer;
      this.conflict = since.length ? answer : null;
      this.refused = refused;
      const done = ngettext("%(n)s game handed over.", "%(n)s games handed over.", written.length);
      if (written.length) toast(fill(done, { n: written.length }));
      await this.look();
      this.#offer();
    } catch (error) {
      if (!(error instanceof SaidNo)) throw error;
      await this.look();
      this.sheet.say(error.message);
    }
  }
}

/** Return who hands over how many games. @param {WaitingList} list */
function headOf({ by, games }) {
  const known = ngettext("%(name)s hands over %(n)s game played without the house.",
    "%(name)s hands over %(n)s games played without the house.", games.length);
  const unknown = ngettext("Somebody who says “%(name)s” hands over %(n)s game played without the house.",
    "Somebody who says “%(name)s” hands over %(n)s games played without the house.", games.length);
  return fill(by.player === null ? unknown : known, { name: by.name, n: games.length });
}
