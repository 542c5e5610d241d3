// @ts-check
/**
 * The shell of a table: joins the socket to the game's element, and shows what every game
 * needs. What an element must offer is in docs/front-end.md.
 */
import { Clocks } from "games/kit/clocks.js";
import { byId, h } from "games/kit/dom.js";
import { Follower } from "games/shell/follow.js";
import { named } from "games/kit/table_events.js";
import { Door, wireSheets } from "games/shell/joining.js";
import { Menu } from "games/shell/menu.js";
import { isCalm, skip } from "games/kit/motion.js";
import { clearBanner, showBanner, toast } from "games/kit/notices.js";
import { wants } from "games/kit/preferences.js";
import { Side } from "games/shell/log_and_chat.js";
import { TableSocket } from "games/shell/socket.js";
import { buzz, sound } from "games/kit/sound.js";
import { announce, speak } from "games/kit/speech.js";
import { fill } from "games/kit/text.js";
import { TurnBar } from "games/kit/turn_bar.js";
import { Watch } from "games/shell/watch.js";

/** A tail that is longer than this is not acted out, only its last entry. */
const MOST_ACTED = 3;
const LOG_LINES = 80;
const OFFLINE_AFTER = 800;

class Shell {
  /** @param {any} config @param {any} element */
  constructor(config, element) {
    this.config = config;
    this.element = element;
    /** @type {any} */
    this.you = { seat: null, host: false, tv: config.tv, name: "" };
    /** @type {any} */
    this.table = null;
    /** @type {any} */
    this.now = null;
    /** @type {Record<string, string>} */
    this.presence = {};
    /** @type {any[]} events of a tail that wait for its last entry */
    this.unshown = [];
    this.wasMine = false;
    this.lineTimer = 0;
    this.socket = new TableSocket(config.urls.socket, config.table, config.tv);
    const send = (/** @type {string} */ name, /** @type {object} */ args) => this.socket.command(name, args);
    this.bar = new TurnBar();
    this.clocks = new Clocks();
    this.side = new Side({
      describe: (event) => (this.now?.view ? element.describe?.(event, this.seats) ?? null : null),
      say: (text) => this.socket.say({ type: "chat", text }),
    });
    this.follower = config.tv ? null : new Follower();
    this.menu = config.tv ? null : new Menu(send, element.keys ?? "", config.leaving);
    this.door = config.tv ? null : new Door(send, config.adults);
    if (!config.tv) wireSheets();
    this.watch = new Watch(send);
    this.#listenToSocket();
    this.#listenToElement();
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** The seats with names and presence, as the element gets them. */
  get seats() {
    return this.table.seats.map((/** @type {any} */ s) => ({
      ...s,
      presence: s.bot ? "bot" : this.presence[s.seat] ?? "gone",
    }));
  }

  #listenToSocket() {
    const on = (/** @type {string} */ type, /** @type {(detail: any) => void} */ act) =>
      this.socket.addEventListener(type, (event) => act(/** @type {CustomEvent} */ (event).detail));
    on("welcome", (frame) => this.#welcome(frame));
    on("table", (frame) => this.#setTable(frame.table));
    on("presence", (frame) => { this.presence = frame.presence; this.#refresh(); });
    on("state", (frame) => { this.unshown = []; this.#setState(frame); this.#fillLog(frame.seq); });
    on("clocks", (frame) => { this.clocks.set(frame.clocks); this.#refresh(); });
    on("entry", (frame) => this.#entry(frame));
    on("answer", (detail) => this.#answered(detail));
    on("refused", (frame) => { this.side.giveBack(); toast(frame.message || frame.code, "error"); });
    on("chat", (frame) => this.side.hear(frame.message, this.you.name));
    on("chat_kept", (frame) => this.side.keptBack(frame.text));
    on("hint", (frame) => this.element.showHint?.(frame.hint));
    on("asked", () => document.getElementById("own-moves")?.removeAttribute("hidden"));
    on("bye", (frame) => this.#bye(frame));
    on("line", ({ isOnline }) => this.#line(isOnline));
  }

  #listenToElement() {
    const on = (/** @type {string} */ type, /** @type {(detail: any) => void} */ act) =>
      this.element.addEventListener(type, (/** @type {CustomEvent} */ event) => act(event.detail));
    on("command", ({ name, args, basis }) => {
      if (!this.canAct) return;
      this.socket.command(name, args, basis);
      this.#refresh();
    });
    on("say", ({ text, isUrgent, show, aloud }) => {
      if (show) toast(text);
      else announce(text, isUrgent);
      if (aloud) speak(text);
    });
    on("sound", ({ name }) => sound(name));
    on("ask-hint", () => this.socket.say({ type: "hint" }));
  }

  get canAct() {
    return this.socket.isOnline && this.table?.status === "playing" && !this.socket.isPending && !this.mustAccept;
  }

  /** Tell whether our seat waits for us to accept the rules card. */
  get mustAccept() {
    const mine = this.table?.seats.find((/** @type {any} */ s) => s.seat === this.you.seat);
    return Boolean(mine && !mine.accepted && !mine.gone) && ["playing", "paused"].includes(this.table.status);
  }

  /** @param {any} frame */
  #welcome(frame) {
    this.you = frame.you;
    this.presence = frame.presence;
    this.clocks.set(frame.clocks);
    this.side.restore(frame.chat, frame.greetings);
    this.#setTable(frame.table);
  }

  /** @param {any} table */
  #setTable(table) {
    this.table = named(table);
    this.follower?.see(this.table);
    this.menu?.show(this.table, this.you);
    this.#showCorrections();
    this.#refresh();
  }

  /** Corrections of results that wait for me are answered on the page of results. */
  #showCorrections() {
    const { seat } = this.you;
    const mine = seat === null ? [] : this.table.corrections.filter((/** @type {any} */ c) => c.waiting.includes(seat));
    if (!mine.length) return clearBanner("corrections");
    const { seat: by, reason } = mine[0];
    const text = fill(gettext("%(name)s proposes a correction that lowers your total: %(reason)s"), {
      name: this.table.seats[by]?.name ?? "",
      reason,
    });
    const act = () => location.assign(`${this.config.urls.results}#corrections`);
    showBanner("corrections", { text, kind: "warn", buttons: [{ label: gettext("Agree or refuse"), act }] });
  }

  /** @param {any} frame */
  #setState(frame) {
    this.clocks.set(frame.clocks);
    this.now = { view: frame.view, choices: frame.choices, joins: frame.joins ?? false };
    this.#refresh();
  }

  /** @param {any} frame */
  #entry(frame) {
    this.unshown.push({ seq: frame.seq, events: frame.events });
    if (frame.table) this.#setTable(frame.table);
    if (!("view" in frame)) return;
    const acted = this.unshown.length > MOST_ACTED ? this.unshown.slice(-1) : this.unshown;
    const entries = this.unshown;
    this.unshown = [];
    skip();
    this.#setState(frame);
    for (const { seq, events } of entries) this.side.record(seq, events);
    const events = acted.flatMap((entry) => entry.events);
    for (const event of events) this.#house(event);
    if (frame.view) this.#act(events, frame.view);
  }

  /** Motion is for the eye only: what goes wrong in it is no reason to stop. @param {any[]} events @param {any} view */
  async #act(events, view) {
    try {
      await this.element.play?.(events, view);
    } catch (error) {
      console.error(error);
    }
  }

  /** @param {any} event */
  #house(event) {
    if (event.type === "table.nudged" && event.data.seat === this.you.seat) {
      sound("nudge");
      buzz([200, 80, 200]);
      announce(gettext("The table waits for you"), true);
      toast(gettext("The table waits for you"));
    }
  }

  /** @param {{frame: any, error?: any}} detail */
  #answered({ frame, error }) {
    if (error) toast(error.message || error.code, "error");
    if (error?.code === "stale" || error?.code === "not_open") this.socket.line.probe();
    if (frame.name === "table.nudge" && !error) toast(gettext("Nudged."));
    this.#refresh();
  }

  #refresh() {
    if (!this.table || !this.now) return;
    const { view, choices } = this.now;
    const seats = this.seats;
    const clocks = this.clocks.left(this.table.status === "paused");
    if (view) {
      const parts = { seat: this.you.seat, seats, isTv: this.config.tv, lang: document.documentElement.lang };
      this.element.init?.(parts);
      this.element.update({ ...parts, view, choices, clocks, canAct: this.canAct, tableStatus: this.table.status });
      this.element.removeAttribute("aria-busy");
    }
    this.#showTurn(choices, clocks);
    this.door?.show(this.now.joins && this.you.seat === null && this.table.status === "playing", this.mustAccept);
    const after = document.getElementById("after");
    if (after) after.hidden = this.table.status !== "finished";
    const again = document.getElementById("again");
    if (again) again.hidden = this.you.seat === null && !this.you.host;
    if (this.table.status === "paused")
      showBanner("paused", { text: gettext("The game is paused."), kind: "warn", buttons: this.#resume() });
    else clearBanner("paused");
  }

  #resume() {
    const act = () => { this.socket.command("table.resume", {}); };
    if (this.you.host) return [{ label: gettext("Go on"), act, kind: "go" }];
    // There a host who has gone can be relieved.
    const leave = () => location.assign(this.config.urls.night);
    return this.config.tv ? [] : [{ label: gettext("To the night"), act: leave }];
  }

  /** @param {any[]} choices @param {Record<string, number>} clocks */
  #showTurn(choices, clocks) {
    const status = (this.now.view && this.element.status) || { text: "", waitingFor: [] };
    const isPlaying = this.table.status === "playing";
    const isMine = isPlaying && choices.some((c) => c.required);
    const left = isMine
      ? clocks[this.you.seat]
      : Math.min(...status.waitingFor.map((/** @type {number} */ s) => clocks[s] ?? Infinity));
    const kind = this.table.status === "paused" ? "paused" : !isPlaying ? "over" : isMine ? "mine" : "wait";
    const text = {
      paused: gettext("Paused"),
      over: this.table.broken_off ? gettext("The game was broken off") : status.text,
      mine: status.text || gettext("Your turn"),
      wait: status.text,
    }[kind];
    this.bar.show(kind, text, Number.isFinite(left) ? left : null);
    if (isMine && !this.wasMine) this.#myTurn(text);
    this.wasMine = isMine;
    this.watch.see(this.seats, status.waitingFor, this.you.host && isPlaying && this.socket.isOnline);
  }

  /** @param {string} text */
  #myTurn(text) {
    sound("turn");
    buzz(150);
    announce(text);
  }

  /** @param {boolean} isOnline */
  #line(isOnline) {
    clearTimeout(this.lineTimer);
    if (isOnline) this.#showOffline(false);
    else {
      this.side.giveBack();
      // Most breaks are over before anybody could read that there was one.
      this.lineTimer = window.setTimeout(() => this.#showOffline(true), OFFLINE_AFTER);
    }
    this.#refresh();
  }

  /** @param {boolean} isOffline */
  #showOffline(isOffline) {
    document.documentElement.classList.toggle("is-offline", isOffline);
    if (!isOffline) return clearBanner("offline");
    const sentence = gettext("No connection for %(seconds)s s. What you see may be old.");
    showBanner("offline", {
      text: (seconds) => fill(sentence, { seconds: seconds + 1 }),
      kind: "stop",
      isUrgent: true,
    });
  }

  /** @param {{code: string, message: string}} frame */
  #bye({ message }) {
    this.socket.line.close();
    const text = message || gettext("This table is closed to you now.");
    const act = () => location.assign(this.config.urls.night);
    clearBanner("offline");
    showBanner("bye", { text, kind: "stop", buttons: [{ label: gettext("To the night"), act }], isUrgent: true });
  }

  /** The log of what happened before we came: nice to have, so a failure is no error. @param {number} seq */
  async #fillLog(seq) {
    const path = `/api/tables/${this.config.table}/events/?after=${Math.max(0, seq - LOG_LINES)}`;
    const answer = await fetch(path).then((r) => (r.ok ? r.json() : null)).catch(() => null);
    for (const entry of answer?.entries ?? []) if (entry.seq <= seq) this.side.record(entry.seq, entry.events);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {Element} */ (event.target);
    const isTyping = target.closest("input, select, textarea, dialog[open]");
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey || event.repeat || !wants("keys")) return;
    if (this.element.key?.(event)) event.preventDefault();
  }
}

async function start() {
  const config = JSON.parse(byId("config").textContent);
  await import(config.module);
  const element = h(config.element, {});
  byId("game").append(element);
  byId("game").removeAttribute("aria-busy");
  new Shell(config, element);
}

if (isCalm()) document.documentElement.classList.add("is-calm");
start();
