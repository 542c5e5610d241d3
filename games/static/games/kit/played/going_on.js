// @ts-check
/**
 * Going on without the house: where real dice or a real board lie on the table, games are told by their result while
 * the house is out of reach, and kept on this device until they are handed over (docs/protocol.md §6).
 */
import { announce } from "games/kit/audio/speech.js";
import { byId, h, setText } from "games/kit/page/dom.js";
import { retried } from "games/kit/page/fetched.js";
import { nameOf } from "games/kit/seats.js";
import { StrayTaps } from "games/kit/stray_taps.js";
import { andList, fill, timeText } from "games/kit/page/text.js";
import { MOST_ROUNDS, newGameId, NotKept, openList } from "games/kit/played/device_list.js";
import { GameEntry } from "games/kit/played/form.js";
import { ListShown } from "games/kit/played/list_shown.js";
import { UnderWay } from "games/kit/played/under_way.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {import("games/kit/played/device_list.js").DeviceList} DeviceList */
/** @typedef {import("games/kit/played/device_list.js").PlayedGame} PlayedGame */
/** @typedef {import("games/kit/played/device_list.js").ToldGame} ToldGame */
/** @typedef {import("games/kit/played/fields.js").Form} Form */
/** @typedef {import("games/kit/played/form.js").Next} Next */
/** @typedef {import("games/shell/connection/socket.js").TableSocket} TableSocket */
/** @typedef {import("games/shell/connection/socket.js").You} You */
/**
 * @typedef {object} Counted what told games come to, as a game's own module counts it
 * @property {string[]} games by game what it moved, "" for nothing to say
 * @property {{seat: number, total: string}[]} standing
 * @property {Next} next
 */
/** @typedef {{countPlayed: (view: any, seats: SeatInfo[], games: ToldGame[]) => Counted}} Counting */
/**
 * @typedef {object} Shell the data and functions that this module needs of the shell
 * @property {{outbox: string, joined: string[], urls: {played: string}}} config
 * @property {{counting?: () => Promise<Counting>, begun?: () => import("games/kit/played/under_way.js").Begun | null,
 *   now: any}} element
 * @property {{view: House.KitView | null, choices: House.SentChoice[]} | null} now
 * @property {House.SentTable} table
 * @property {SeatInfo[]} seats
 * @property {number | null} seat
 * @property {You} you
 * @property {TableSocket} socket
 */

/** Load what going on needs, while the house is there. @param {Shell} shell */
export async function prepareGoingOn(shell) {
  const { outbox, joined, urls } = shell.config;
  const [list, counting, form] = await Promise.all([
    openList(outbox, joined), shell.element.counting?.() ?? null, retried(() => formOf(urls.played)),
  ]);
  return form && new GoingOn(shell, list, form, counting);
}

/** @param {string} address @returns {Promise<Form | null>} */
async function formOf(address) {
  const answer = await fetch(address);
  return answer.ok ? (await answer.json()).form : null;
}

export class GoingOn {
  /** Since when the house is out of reach, in words; "" while it is there. */
  since = "";
  /** The id under which the entry is added, so that two taps add it once. */
  entryId = newGameId();
  /** The game whose rounds are still told, while the house has not been there since. @type {string | null} */
  growing = null;
  /** The game that is told otherwise. @type {PlayedGame | null} */
  changed = null;
  /** Of a game of rounds the place of the round. @type {number | null} */
  changedAt = null;

  noticeText = h("p", {});
  opener = button("go", () => this.open());
  notice = h("div", { class: "notice played-notice", hidden: true }, this.noticeText, this.opener);
  where = h("p", { class: "played-where" });
  title = h("h3", { tabindex: -1 });
  fault = h("p", { class: "played-fault", role: "alert" });
  drop = button("danger", () => this.#drop(), gettext("Drop this game"));
  cancel = button("", () => this.#showList(), gettext("To the list"));
  keep = button("go big", () => this.#keep());
  shown = new ListShown({ next: () => this.#begin(), change: (one) => this.#change(one), back: () => this.#back() });

  /** @param {Shell} shell @param {DeviceList} list @param {Form} form @param {Counting | null} counting */
  constructor(shell, list, form, counting) {
    this.shell = shell;
    this.list = list;
    this.form = form;
    this.counting = counting;
    this.entry = new GameEntry(form, shell.seats, () => this.#showEntry());
    this.underWay = new UnderWay(shell, list, () => this.#redraw());
    // What went wrong stands with the buttons, which stick to the end: it is seen wherever the form is scrolled to.
    this.entryBox = h("section", { class: "played-entry", hidden: true }, this.title, this.entry.el,
      h("div", { class: "sheet-answers played-ends" }, this.fault, this.drop, this.cancel, this.keep));
    this.sheet = this.#sheet();
    byId("notices").append(this.notice);
    document.body.append(this.sheet);
    new StrayTaps(this.sheet);
    list.onChange(() => this.#redraw());
    document.addEventListener("reach", (event) => this.#reached(/** @type {CustomEvent} */ (event).detail.since));
    addEventListener("beforeunload", (event) => this.#leaving(event));
    this.#reached(lostSince());
  }

  /** Tell whether this player enters for the table: the host, the scorekeeper, without one whoever sits there. */
  get enters() {
    const { you, table, seat } = this.shell, { scorekeeper } = table;
    if (table.status !== "playing") return false;
    return you.host || (scorekeeper ? scorekeeper.player === you.player : seat !== null || you.seat !== null);
  }

  /** What the games of the list come to; without a module of the game's own only their number is known. */
  get counted() {
    const games = this.list.games(), { seats } = this.shell, told = games.map(({ game }) => game);
    const among = seats.filter(({ gone }) => !gone).map(({ seat }) => seat);
    /** @type {Counted} */
    const plain = {
      games: games.map(() => ""), standing: [],
      next: { title: fill(gettext("Game %(number)s"), { number: games.length + 1 }), among },
    };
    const { view } = this.shell.now ?? {};
    return view && this.counting ? this.counting.countPlayed(view, seats, told) : plain;
  }

  #sheet() {
    const close = button("", () => this.sheet.close(), "✕");
    close.className = "icon-button";
    close.setAttribute("aria-label", gettext("Close"));
    const head = h("header", { class: "sheet-head" },
      h("h2", { id: "played-title" }, gettext("Without the house")), close);
    return h("dialog", { class: "sheet played", id: "played", "aria-labelledby": "played-title" },
      head, this.where, this.underWay.el, this.entryBox, this.shown.el);
  }

  /** Open the sheet: with the next entry while the list is empty. */
  open() {
    this.underWay.ask();
    if (this.list.games().length || !this.since) this.#showList();
    else this.#begin();
    if (!this.sheet.open) this.sheet.showModal();
  }

  /**
   * Open a game that the house refuses, to be told otherwise; of a game of rounds, the round at a place.
   * @param {PlayedGame} one @param {number | null} at @param {() => void} closed
   */
  tellOtherwise(one, at, closed) {
    this.#change(one, one.game.rounds ? at ?? 0 : null);
    this.sheet.addEventListener("close", closed, { once: true });
    this.sheet.showModal();
  }

  /** @param {Date | null} since null once the house is there again */
  #reached(since) {
    this.since = since ? timeText(since.toISOString()) : "";
    if (!since) this.growing = null;
    this.#redraw();
  }

  #redraw() {
    const { since, enters } = this, count = this.list.games().length;
    const kept = fill(ngettext(
      "%(count)s game is kept on this device.", "%(count)s games are kept on this device.", count,
    ), { count });
    // While the house is there, handing over says what is kept (kit/played/hand_over.js).
    this.notice.hidden = !since;
    // A game may give the notice the room of what cannot be entered now.
    document.documentElement.classList.toggle("plays-on", Boolean(since));
    const can = enters ? gettext("Games can be told here by their results.") : this.#others();
    const texts = [since && can, count > 0 && kept];
    setText(this.noticeText, texts.filter(Boolean).join(" "));
    setText(this.opener, since && enters ? gettext("Go on without the house") : gettext("Show the games"));
    this.opener.hidden = !count && !enters;
    this.#showWhere();
    if (!this.shown.el.hidden) this.#showList();
  }

  /** Return who can go on. */
  #others() {
    const { table, seats } = this.shell;
    const names = [table.scorekeeper?.name, nameOf(seats, seats.find(({ player }) => player === table.host)?.seat)];
    const all = [...new Set(names.filter(Boolean))].map(String);
    return all.length ? fill(gettext("%(names)s can go on without the house."), { names: andList(all) }) : "";
  }

  /** Say where games are kept: in a page that keeps nothing at once. */
  #showWhere() {
    const away = this.since && fill(gettext("The house is out of reach since %(time)s."), { time: this.since });
    const text = this.list.where === "memory"
      ? gettext("This browser keeps nothing: with this page the games are lost. Write them on paper, too.")
      : gettext("Each game is told by its result, and kept on this device until the house is there again.");
    this.where.dataset.where = this.list.where;
    setText(this.where, [away, text].filter(Boolean).join(" "));
  }

  /** Begin the next entry. */
  #begin() {
    this.changed = null;
    this.entryId = newGameId();
    this.entry.begin(this.counted.next);
    this.#openEntry(this.counted.next.title);
  }

  /** @param {PlayedGame} one a game that is told otherwise @param {number | null} [at] the place of its round */
  #change(one, at = null) {
    this.changed = one;
    this.changedAt = at;
    const told = at === null ? one.game : { game: one.game.rounds?.[at] };
    this.entry.begin(this.counted.next, told);
    const number = at === null ? one.number : at + 1;
    this.#openEntry(fill(at === null ? gettext("Game %(number)s") : gettext("Round %(number)s"), { number }));
  }

  /** @param {string} title */
  #openEntry(title) {
    setText(this.title, title);
    setText(this.fault, "");
    this.drop.hidden = !this.changed;
    setText(this.drop, this.changedAt === null ? gettext("Drop this game") : gettext("Drop this round"));
    this.cancel.hidden = !this.list.games().length;
    setText(this.keep, this.changed ? gettext("Keep the change") : gettext("Keep it"));
    this.entryBox.hidden = false;
    this.shown.el.hidden = true;
    this.#showEntry();
    this.sheet.scrollTop = 0;
    this.title.focus({ preventScroll: true });
  }

  #showEntry() {
    const { missing } = this.entry;
    setText(this.fault, "");
    this.keep.disabled = missing !== null;
    this.keep.title = missing ? fill(gettext("%(label)s is still to be told."), { label: missing.label }) : "";
  }

  /** Keep the entry; what was typed stays where there is no room for it. */
  async #keep() {
    this.keep.disabled = true;
    try {
      await this.#write(this.entry.told);
    } catch (error) {
      const why = error instanceof NotKept ? error.message : gettext("The browser could not keep this. Try again.");
      this.keep.disabled = false;
      setText(this.fault, why);
      return;
    }
    announce(gettext("Kept on this device."));
    this.#showList();
  }

  /** @param {ToldGame} told */
  async #write(told) {
    const { list } = this, last = list.games().slice(-1)[0], rounds = last?.game.rounds ?? [];
    if (this.changed) return list.change(this.changed.id, this.#inPlace(this.changed.game, told.rounds) ?? told);
    // Rounds of another tab may have come behind it: the order of the games is that of the rounds.
    if (last && last.id === this.growing && told.rounds && rounds.length < MOST_ROUNDS)
      await list.change(last.id, { rounds: [...rounds, ...told.rounds] });
    else {
      await list.add(told, this.shell.socket.seq ?? 0, this.entryId);
      if (told.rounds && this.since) this.growing = this.entryId;
    }
    if (this.counted.next.over) this.growing = null;
  }

  /**
   * Return a game with other rounds in place of the one that is told otherwise; null for a game that is told whole.
   * @param {ToldGame} game @param {ToldGame["rounds"]} [rounds]
   */
  #inPlace(game, rounds = []) {
    if (this.changedAt === null || !game.rounds) return null;
    const at = this.changedAt;
    return { rounds: [...game.rounds.slice(0, at), ...rounds, ...game.rounds.slice(at + 1)] };
  }

  /** Drop the game, or the round, that is told otherwise. */
  async #drop() {
    const { changed, list } = this;
    const left = changed && this.#inPlace(changed.game);
    const isThere = list.games().some(({ id }) => id === changed?.id);
    if (changed && left?.rounds.length && isThere) await list.change(changed.id, left);
    else if (changed) await list.remove([changed.id]);
    this.#showList();
  }

  /** Take the last round back, or the last game. */
  async #back() {
    const last = this.list.games().slice(-1)[0], rounds = last?.game.rounds ?? [];
    if (rounds.length > 1) await this.list.change(last.id, { rounds: rounds.slice(0, -1) });
    else if (last) await this.list.remove([last.id]);
  }

  #showList() {
    const { counted, form, list, shell } = this;
    this.entryBox.hidden = true;
    this.shown.show({
      form, seats: shell.seats, games: list.games(), counted, mayGoOn: Boolean(this.since) && this.enters,
      table: shell.table, isByRounds: form.rounds.length > 0,
    });
    this.shown.el.hidden = false;
  }

  /** Warn before a page is left that cannot be loaded again, or that keeps the games alone. @param {Event} event */
  #leaving(event) {
    const isHeld = this.list.games().length > 0 && (this.since || this.list.where === "memory");
    if (!isHeld) return;
    event.preventDefault();
    event.returnValue = true;
  }
}

/** @param {string} kind @param {() => void} onclick @param {string} [label] */
function button(kind, onclick, label = "") {
  return h("button", { type: "button", class: `button ${kind}`, onclick }, label);
}

/** Return since when the page says that its house is out of reach, null while it is there. */
function lostSince() {
  const line = document.getElementById("reach"), time = line?.querySelector("time");
  return line && time && !line.hidden ? new Date(time.dateTime) : null;
}
