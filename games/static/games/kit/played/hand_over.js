// @ts-check
/**
 * Hands the device's list over once the house is there: shows it, sends it by one tap, and tells what became of it.
 * What the house has not written stays on the device.
 */
import { h } from "games/kit/page/dom.js";
import { clearBanner, showBanner, toast } from "games/kit/page/notices.js";
import { fill } from "games/kit/page/text.js";
import { choiceOf, sinceList } from "games/kit/played/choice.js";
import { Elsewhere } from "games/kit/played/elsewhere.js";
import { gameList } from "games/kit/played/game_list.js";
import { SaidNo, say, told } from "games/kit/played/house.js";
import { PlayedSheet } from "games/kit/played/sheet.js";
import { Line } from "games/shell/connection/connection.js";

/** @typedef {import("games/kit/played/device_list.js").PlayedGame} PlayedGame */
/** @typedef {import("games/kit/played/house.js").Answer} Answer */
/** @typedef {import("games/kit/played/house.js").RefusedGame} RefusedGame */
/** @typedef {import("games/kit/played/house.js").Told} Told */
/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {import("games/kit/played/going_on.js").GoingOn} GoingOn */
/**
 * What it needs of the shell.
 * @typedef {{seats: SeatInfo[], you: {name: string, player: number | null}, config: any}} Shell
 */

const TITLE = () => gettext("Games played without the house");

export class HandOver {
  /** @param {Shell} shell @param {GoingOn} goingOn has the list, and the form for a game that was refused */
  constructor(shell, goingOn) {
    this.shell = shell;
    this.goingOn = goingOn;
    this.list = goingOn.list;
    this.url = shell.config.urls.played;
    this.sheet = new PlayedSheet("hand-over");
    this.elsewhere = new Elsewhere(this.list, shell.config.table, () => shell.you.name);
    /** @type {Told | null} */
    this.told = null;
    /** @type {RefusedGame | null} */
    this.refused = null;
    /** The list waited for the host when it was looked at last. */
    this.wasWaiting = false;
    /** While the list waits: the night tells when the host has answered. @type {Line | null} */
    this.line = null;
    /** The ids of its games. @type {string[]} */
    this.proposed = [];
    /** Counts what was asked: an answer that comes after a newer question tells nothing. */
    this.turn = 0;
    /** What had come when it was proposed. @type {Answer["since"]} */
    this.since = [];
    /** The host has not taken it. */
    this.isDeclined = false;
    /** The games that were put off till later. */
    this.later = "";
    this.isAway = false;
    /** The game that was refused, as it was told. */
    this.refusedGame = "";
    /** All that the sheet was drawn from. */
    this.drawn = "";
    /** What the host has to choose about. @type {Answer | null} */
    this.conflict = null;
    this.list.onChange(() => this.#changed());
    this.sheet.el.addEventListener("close", () => { this.later = keyOf(this.list.games()); });
    document.addEventListener("reach", (event) => this.#reach(!(/** @type {CustomEvent} */ (event).detail.since)));
  }

  /** Look what waits at the house, and offer what is on the device. */
  async look() {
    if (!this.list.games().length) return this.#changed();
    const turn = ++this.turn;
    const found = await told(this.url);
    if (!found || turn !== this.turn) return;
    // What a crash has left here, or what the host has taken meanwhile, stands in the log.
    await this.#removeWritten();
    if (turn !== this.turn) return;
    this.told = found;
    this.#compare(found.waiting.find(({ by }) => by.player === this.shell.you.player) ?? null);
    this.#changed();
    const games = this.list.games();
    if (this.wasWaiting || !games.length || this.later === keyOf(games)) return;
    this.#draw();
    this.sheet.open();
  }

  /** Tell what became of the list that waited. @param {import("games/kit/played/house.js").WaitingList | null} own */
  #compare(own) {
    const left = this.list.games().filter(({ id }) => this.proposed.includes(id));
    if (this.wasWaiting && !own) {
      this.isDeclined = left.length > 0;
      this.later = "";
      if (!left.length) toast(gettext("The host has taken your games."));
    }
    this.wasWaiting = own !== null;
    this.#listen();
    this.proposed = own?.games.map(({ id }) => id) ?? [];
  }

  /** Hear of what happens at the night while the list waits. */
  #listen() {
    if (this.wasWaiting) {
      this.line ??= new Line(this.shell.config.urls.nightSocket, {
        greet: () => null,
        probe: () => ({ type: "ping", seq: null }),
        onFrame: ({ type }) => type === "changed" && this.look(),
        onChange: () => {},
      });
    } else {
      this.line?.close();
      this.line = null;
    }
  }

  /** @param {boolean} isThere */
  #reach(isThere) {
    this.isAway = !isThere;
    if (isThere) {
      this.later = "";
      this.elsewhere.withdraw();
      this.look();
    } else {
      this.sheet.close();
      this.#changed();
    }
  }

  #changed() {
    const games = this.list.games();
    const refused = games.find(({ id }) => id === this.refused?.id);
    if (!refused || JSON.stringify(refused.game) !== this.refusedGame) this.refused = null;
    if (this.isAway && games.length) this.elsewhere.offer();
    else this.elsewhere.withdraw();
    if (!games.length || this.isAway || !this.told) {
      this.sheet.close();
      return clearBanner("hand-over");
    }
    if (this.sheet.isOpen) this.#draw();
    const one = ngettext("%(n)s game played without the house is on this device.",
      "%(n)s games played without the house are on this device.", games.length);
    const waits = gettext("The host decides about the games of this device.");
    const text = this.wasWaiting ? waits : fill(one, { n: games.length });
    const act = () => this.#open();
    showBanner("hand-over", { text, kind: "warn", buttons: [{ label: gettext("Show them"), act }] });
  }

  #open() {
    this.#draw();
    this.sheet.openInstead();
  }

  #draw() {
    const games = this.list.games(), { told } = this;
    if (!told?.form) return;
    // A button that is made anew would be deaf: what has not changed stays.
    const drawn = JSON.stringify([
      games, told.enters, this.wasWaiting, this.since, this.isDeclined, this.refused, this.conflict,
    ]);
    if (drawn === this.drawn) return this.sheet.say("");
    this.drawn = drawn;
    const list = gameList(games, told.form, this.shell.seats, (one) => this.#ofRefused(one));
    if (this.wasWaiting) return this.#drawWaiting(list);
    if (this.conflict) return this.#drawChoice(this.conflict, list, games.length);
    const ready = gettext("They are handed over in this order, each once.");
    const proposal = gettext("The host of the table takes them or not.");
    const declined = gettext("The host has not taken these games. They stay on this device.");
    const text = this.isDeclined ? declined : told.enters ? ready : proposal;
    const label = told.enters ? gettext("Hand over") : gettext("Propose to the host");
    const drop = this.sheet.button(gettext("Drop them"), () => this.list.remove(games.map(({ id }) => id)), "danger");
    const later = this.sheet.button(gettext("Later"), () => this.#later());
    const main = this.sheet.button(label, () => this.#hand(), "go");
    const asText = this.sheet.button(gettext("As text or picture"), () => this.#showText(), "quiet");
    this.sheet.show(TITLE(), [h("p", {}, text), list, asText], [this.isDeclined ? drop : later, main]);
  }

  /** @param {Element} list */
  #drawWaiting(list) {
    const since = this.since.length > 0 && sinceList(this.since);
    const back = this.sheet.button(gettext("Take the proposal back"), () => this.#takeBack());
    this.sheet.show(TITLE(), [
      h("p", {}, gettext("The host decides about the games of this device.")),
      since && h("h3", {}, gettext("At the table since")), since, list,
    ], [back]);
  }

  /** Return what is said at a game that the rules refuse. @param {PlayedGame} game */
  #ofRefused(game) {
    if (game.id !== this.refused?.id) return [];
    const again = this.sheet.button(gettext("Change"), () => this.#tellOtherwise(game));
    const drop = this.sheet.button(gettext("Drop this game"), () => this.list.remove([game.id]), "danger");
    return [h("p", { class: "error" }, this.refused.message), h("div", { class: "row" }, again, drop)];
  }

  /** Open the form with a game that was refused; when it closes, the list is there again. @param {PlayedGame} game */
  #tellOtherwise(game) {
    this.sheet.close();
    const at = this.refused?.params.at ?? null;
    this.goingOn.tellOtherwise(game, at, () => this.list.games().length && this.#open());
  }

  #showText() {
    this.sheet.close();
    this.goingOn.open();
  }

  #later() {
    this.later = keyOf(this.list.games());
    this.sheet.close();
  }

  /** Hand the list over, after a conflict with the host's choice. @param {object} [choice] */
  async #hand(choice = {}) {
    const games = this.list.games();
    if (!games.length) return;
    this.turn++;
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
    this.refusedGame = JSON.stringify(games.find(({ id }) => id === refused?.id)?.game);
    if (waits !== null) return this.#nowWaits(games, since);
    this.conflict = since.length ? answer : null;
    if (since.length) return this.#draw();
    if (choice.keep === "house") await this.list.remove(games.map(({ id }) => id));
    else await this.#remove(written);
    const done = ngettext("%(n)s game handed over.", "%(n)s games handed over.", written.length);
    if (written.length) toast(fill(done, { n: written.length }));
    if (refused) this.#draw();
  }

  /** @param {PlayedGame[]} games @param {Answer["since"]} since */
  #nowWaits(games, since) {
    this.wasWaiting = true;
    this.proposed = games.map(({ id }) => id);
    this.since = since;
    this.#listen();
    this.#changed();
  }

  /** @param {Answer} answer @param {Element} list @param {number} count */
  #drawChoice({ since, seq }, list, count) {
    const choose = (/** @type {string} */ keep) => this.#hand({ keep, upto: seq });
    this.sheet.show(gettext("Two lists"), choiceOf(this.sheet, since, list, count, choose), []);
  }

  async #takeBack() {
    const own = this.told?.waiting.find(({ by }) => by.player === this.shell.you.player);
    this.wasWaiting = false;
    if (own) await say(`${this.url}${own.id}/`, { keep: "house" }).catch(() => null);
    this.later = keyOf(this.list.games());
    this.sheet.close();
    this.#changed();
  }

  /** Take out of the list what stands in the log. */
  async #removeWritten() {
    const games = this.list.games();
    if (!games.length) return; // another tab was quicker
    const answer = await say(this.url, { seq: this.list.seq ?? 1, games, asks: true }).catch(() => null);
    if (answer) await this.#remove(answer.written);
  }

  /**
   * Take games out; the rest goes on from the last of them, so that what others have entered after it is a conflict.
   * @param {Answer["written"]} written
   */
  async #remove(written) {
    const last = Math.max(...written.map(({ entry }) => entry));
    if (written.length) await this.list.remove(written.map(({ id }) => id), last);
  }
}

/** Return what tells a list from another one. @param {PlayedGame[]} games */
function keyOf(games) {
  return games.map(({ id }) => id).join();
}
