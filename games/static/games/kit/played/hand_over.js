// @ts-check
/**
 * Hands the device's list over once the house is there: shows it, sends it by one tap, and tells what became of it. What
 * the house has not written stays on the device.
 */
import { h } from "games/kit/page/dom.js";
import { clearBanner, showBanner, toast } from "games/kit/page/notices.js";
import { fill } from "games/kit/page/text.js";
import { choiceOf, sinceList } from "games/kit/played/choice.js";
import { Elsewhere } from "games/kit/played/elsewhere.js";
import { gameList } from "games/kit/played/game_list.js";
import { SaidNo, say, told } from "games/kit/played/house.js";
import { PlayedSheet } from "games/kit/played/sheet.js";

/** @typedef {import("games/kit/played/device_list.js").DeviceList} DeviceList */
/** @typedef {import("games/kit/played/device_list.js").PlayedGame} PlayedGame */
/** @typedef {import("games/kit/played/house.js").Answer} Answer */
/** @typedef {import("games/kit/played/house.js").RefusedGame} RefusedGame */
/** @typedef {import("games/kit/played/house.js").Told} Told */
/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** What it needs of the shell. @typedef {{seats: SeatInfo[], you: {name: string, player: number | null}}} Shell */

const TITLE = () => gettext("Games played without the house");

export class HandOver {
  /**
   * @param {Shell} shell @param {DeviceList} list @param {{table: string, urls: {played: string}}} config
   * @param {((game: PlayedGame) => void) | null} change opens the form of a game that was refused
   */
  constructor(shell, list, config, change = null) {
    this.shell = shell;
    this.list = list;
    this.url = config.urls.played;
    this.change = change;
    this.sheet = new PlayedSheet("hand-over");
    this.elsewhere = new Elsewhere(list, config.table, () => shell.you.name);
    /** @type {Told | null} */
    this.told = null;
    /** @type {RefusedGame | null} */
    this.refused = null;
    /** The list waited for the host when it was looked at last. */
    this.wasWaiting = false;
    /** The host has not taken it. */
    this.isDeclined = false;
    /** The games that were put off till later. */
    this.later = "";
    list.onChange(() => this.#changed());
    document.addEventListener("house", (event) => this.#reach(/** @type {CustomEvent} */ (event).detail.isThere));
  }

  /** Look what waits at the house, and offer what is on the device. */
  async look() {
    if (!this.list.games().length) return this.#changed();
    this.told = await told(this.url);
    if (!this.told) return;
    const own = this.told.waiting.find(({ by }) => by.player === this.shell.you.player);
    // What a crash has left here, or what the host has taken meanwhile, stands in the log.
    const before = this.list.games().length;
    await this.#removeWritten({ asks: true });
    const games = this.list.games();
    this.isDeclined = this.wasWaiting && !own && games.length > 0;
    if (this.wasWaiting && games.length < before) toast(gettext("The host has taken your games."));
    this.wasWaiting = Boolean(own);
    this.#changed();
    if (own || !games.length || this.later === keyOf(games)) return;
    this.#draw();
    this.sheet.open();
  }

  /** @param {boolean} isThere */
  #reach(isThere) {
    if (isThere) {
      clearBanner("elsewhere");
      this.look();
    } else {
      this.sheet.close();
      this.#changed();
      if (this.list.games().length) this.elsewhere.offer();
    }
  }

  #changed() {
    const games = this.list.games();
    if (!games.length) {
      this.refused = null;
      this.sheet.close();
      return clearBanner("hand-over");
    }
    if (this.sheet.isOpen && this.told) this.#draw();
    const one = ngettext("%(n)s game played without the house is on this device.",
      "%(n)s games played without the house are on this device.", games.length);
    const waits = gettext("The host decides about the games of this device.");
    const text = this.wasWaiting ? waits : fill(one, { n: games.length });
    const act = () => { this.#draw(); this.sheet.open(); };
    if (this.told) showBanner("hand-over", { text, kind: "warn", buttons: [{ label: gettext("Show them"), act }] });
  }

  #draw() {
    const games = this.list.games(), { told } = this;
    if (!told?.form) return;
    const list = gameList(games, told.form, this.shell.seats, (one) => this.#ofRefused(one));
    if (this.wasWaiting) return this.#drawWaiting(list);
    const ready = gettext("They are handed over in this order, each once.");
    const proposal = gettext("The host of the table takes them or not.");
    const declined = gettext("The host has not taken these games. They stay on this device.");
    const text = this.isDeclined ? declined : told.enters ? ready : proposal;
    const label = told.enters ? gettext("Hand over") : gettext("Propose to the host");
    const drop = this.sheet.button(gettext("Drop them"), () => this.list.remove(games.map(({ id }) => id)), "danger");
    const later = this.sheet.button(gettext("Later"), () => this.#later());
    const main = this.sheet.button(label, () => this.#hand(), "go");
    this.sheet.show(TITLE(), [h("p", {}, text), list], [this.isDeclined ? drop : later, main]);
  }

  /** @param {Element} list @param {Element | null} [since] */
  #drawWaiting(list, since = null) {
    const back = this.sheet.button(gettext("Take the proposal back"), () => this.#takeBack());
    this.sheet.show(TITLE(), [
      h("p", {}, gettext("The host decides about the games of this device.")),
      since && h("h3", {}, gettext("At the table since")), since, list,
    ], [back]);
  }

  /** Return what is said at a game that the rules refuse. @param {PlayedGame} game */
  #ofRefused(game) {
    if (game.id !== this.refused?.id) return [];
    const { change } = this;
    const again = change && this.sheet.button(gettext("Change"), () => { this.sheet.close(); change(game); });
    const drop = this.sheet.button(gettext("Drop this game"), () => this.list.remove([game.id]), "danger");
    return [h("p", { class: "error" }, this.refused.message), h("div", { class: "row" }, again, drop)];
  }

  #later() {
    this.later = keyOf(this.list.games());
    this.sheet.close();
  }

  /** Hand the list over, after a conflict with the host's choice. @param {object} [choice] */
  async #hand(choice = {}) {
    const games = this.list.games();
    if (!games.length) return;
    try {
      this.isDeclined = false;
      this.#became(await say(this.url, { seq: this.list.seq ?? this.told?.seq, games, ...choice }), games, choice);
    } catch (error) {
      if (!(error instanceof SaidNo)) throw error;
      this.sheet.say(error.message);
    }
  }

  /** @param {Answer | null} answer @param {PlayedGame[]} games @param {{keep?: string}} choice */
  async #became(answer, games, choice) {
    if (!answer) return this.sheet.say(gettext("The house is out of reach. The games stay on this device."));
    const { waits, since, written, refused } = answer;
    this.refused = refused;
    if (waits !== null) return this.#nowWaits(games, since);
    if (since.length) return this.#choose(answer, games);
    const isDropped = choice.keep === "house";
    await this.list.remove(isDropped ? games.map(({ id }) => id) : written.map(({ id }) => id), answer.seq);
    const done = ngettext("%(n)s game handed over.", "%(n)s games handed over.", written.length);
    if (written.length) toast(fill(done, { n: written.length }));
    if (refused) this.#draw();
  }

  /** @param {PlayedGame[]} games @param {Answer["since"]} since */
  #nowWaits(games, since) {
    this.wasWaiting = true;
    this.#changed();
    if (!this.told?.form) return;
    this.#drawWaiting(gameList(games, this.told.form, this.shell.seats), since.length ? sinceList(since) : null);
  }

  /** @param {Answer} answer @param {PlayedGame[]} games */
  #choose({ since, seq }, games) {
    if (!this.told?.form) return;
    const list = gameList(games, this.told.form, this.shell.seats);
    const choose = (/** @type {string} */ keep) => this.#hand({ keep, upto: seq });
    this.sheet.show(gettext("Two lists"), choiceOf(this.sheet, since, list, games.length, choose), []);
  }

  async #takeBack() {
    const own = this.told?.waiting.find(({ by }) => by.player === this.shell.you.player);
    this.wasWaiting = false;
    if (own) await say(`${this.url}${own.id}/`, { keep: "house" }).catch(() => null);
    this.later = keyOf(this.list.games());
    this.sheet.close();
    this.#changed();
  }

  /** Take out of the list what stands in the log. @param {{asks: true}} question */
  async #removeWritten(question) {
    const games = this.list.games();
    const answer = await say(this.url, { seq: this.list.seq ?? 1, games, ...question }).catch(() => null);
    if (answer?.written.length) await this.list.remove(answer.written.map(({ id }) => id), answer.seq);
  }
}

/** Return what tells a list from another one. @param {PlayedGame[]} games */
function keyOf(games) {
  return games.map(({ id }) => id).join();
}
