// @ts-check
/**
 * A page's part in its table's dice, fetched after the board is shown: the device of a seat answers and checks,
 * an alarm is shown in red, and a badge at the dice shows their level.
 */
import { fetched } from "games/kit/page/fetched.js";
import { clearBanner, showBanner } from "games/kit/page/notices.js";
import { read, write } from "games/kit/page/preferences.js";
import { andList, fill } from "games/kit/page/text.js";
import { alone } from "games/dice/alone.js";
import { Arrivals, BEAT_MS } from "games/dice/arrivals.js";
import { Device } from "games/dice/device.js";
import { DiceAlarm } from "games/shell/dice/alarm.js";
import { DiceLevel } from "games/shell/dice/level.js";
import { DiceLog } from "games/shell/dice/log.js";

/** A page that has been here for less than this may not yet count as present for the house. */
const COMES_WITHIN = 2000;
/** A throw that takes longer than this shows the seats that it waits for. */
const PATIENCE = 1500;
/** A log that could not be fetched so many times is not waited for. */
const TRIES = 3;
/** So many of the last entries are looked through for what happened without this page. */
const LATE_ENTRIES = 40;

/** @typedef {import("games/shell/connection/socket.js").EntryFrame} Entry */
/** @typedef {{k: number, contributors: number[], waits?: boolean}} Begun */

export class TableDice {
  /** @param {import("games/shell/table.js").Shell} shell with `chains` of the last welcome */
  constructor(shell) {
    this.shell = shell;
    this.level = new DiceLevel(() => shell.seats);
    this.log = new DiceLog(() => shell.seats);
    /** @type {Device | null} */
    this.device = null;
    /** @type {DiceAlarm | null} */
    this.alarm = null;
    /** Time since which the page has been visible and connected; Infinity: it is not. */
    this.here = Infinity;
    this.wasHere = false;
    this.arrivals = new Arrivals();
    setInterval(() => this.arrivals.beat(), BEAT_MS);
    /** The number of the throw under way; 0 without one. */
    this.underWay = 0;
    /** The game's view before the next entry. @type {House.KitView | null} */
    this.view = shell.socket.view ?? null;
    this.waitTimer = 0;
    /** Number of times in a row that the log could not be fetched. */
    this.unread = 0;
    /** Reading and answering, one task after the other. @type {Promise<void>} */
    this.queue = Promise.resolve();
    this.#follow();
    const on = (/** @type {string} */ type, /** @type {(frame: any) => void} */ act) =>
      shell.socket.addEventListener(type, (event) => act(/** @type {CustomEvent} */ (event).detail));
    on("entry", (frame) => this.#entry(frame));
    on("welcome", () => this.#later(() => this.#sit()));
    on("line", () => this.#follow());
    on("state", (frame) => this.#resume(frame));
    document.addEventListener("visibilitychange", () => this.#follow());
    this.#later(() => this.#sit());
    this.#showLast();
  }

  /** @param {() => Promise<void>} act */
  #later(act) {
    this.queue = this.queue.then(act).catch((error) => console.error(error));
  }

  #follow() {
    const isHere = this.shell.socket.isOnline && !document.hidden;
    this.here = isHere ? Math.min(this.here, performance.now()) : Infinity;
  }

  get isHere() {
    return performance.now() - this.here > COMES_WITHIN;
  }

  /** Return the store's name for the chain and the record of a seat's device. @param {number} seat */
  #key(seat) {
    return `dice.${this.shell.config.table}.${seat}`;
  }

  /** Take the seat's device, read the entries that it has missed, and tell its tip if the house does not know it. */
  async #sit() {
    const { seat } = this.shell.you, { table } = this.shell.config;
    if (seat === null) this.device = null; // whose seat it was has no part any more
    if (seat === null || !this.shell.chains) return;
    if (this.device?.seat !== seat) {
      const key = this.#key(seat);
      const store = {
        read: () => JSON.parse(read(localStorage, key) ?? "null"),
        write: (/** @type {object} */ kept) => write(localStorage, key, JSON.stringify(kept)),
      };
      this.device = new Device(table, seat, store, await this.#hidden());
      this.alarm = new DiceAlarm(this.device, () => this.shell.seats);
    }
    await this.#with(async (device) => { await this.#catchUp(device); await this.#open(device); });
    await this.#with((device) => this.#send(device.tip(this.shell.chains?.links[seat]?.link)));
  }

  /** Return the types of events with hidden dice, as a module of the game names them; most games have none. */
  async #hidden() {
    const { hiddenDice } = this.shell.config;
    return hiddenDice ? (await fetched(() => import(hiddenDice))).HIDDEN_DICE : [];
  }

  /**
   * Call `act` with the device while no other page of this browser does.
   * @param {(device: Device) => Promise<void> | void} act
   */
  #with(act) {
    const { device } = this;
    if (!device) return null;
    return alone(this.#key(device.seat), async () => {
      device.load();
      await act(device);
      this.alarm?.show();
    });
  }

  /** @param {string | null | undefined} tip */
  #send(tip) {
    const isOpen = this.shell.socket.outbox.frames.some(({ name }) => name === "table.dice_tip");
    if (tip && !isOpen) this.shell.socket.command("table.dice_tip", { tip });
  }

  /** Read the entries of the log that the device has not seen. @param {Device} device */
  async #catchUp(device) {
    for (;;) {
      const before = device.record.seq, told = await this.#log(before);
      this.unread = told ? 0 : this.unread + 1;
      for (const entry of told?.entries ?? []) device.entry(entry, { isPresent: false, opponents: () => null });
      if (told && told.seq < before) device.steppedBack();
      if (device.record.seq === before || device.record.seq === told?.seq) return;
    }
  }

  /** Check the throws whose links the house opens when the table has ended. @param {Device} device */
  async #open(device) {
    const { held, isOver } = device.record;
    if (!held.length || !(isOver || this.shell.table?.status === "finished")) return;
    for (let after = held[0].seq - 1, last = Infinity; after < last;) {
      const told = await this.#log(after);
      if (!told) return; // the next entry, or the next connection, asks again
      for (const entry of told.entries) device.entry(entry, { isPresent: false, opponents: () => null });
      [after, last] = [told.entries[told.entries.length - 1]?.seq ?? told.seq, told.seq];
    }
    device.unopened();
  }

  /** Return the entries after one, and the number of the last one; null for a screen, and without an answer. */
  async #log(/** @type {number} */ after) {
    return this.shell.config.tv ? null : this.shell.entriesAfter(after);
  }

  /** @param {number} after @returns {Promise<Entry[]>} */
  async #fetched(after) {
    return (await this.#log(after))?.entries ?? [];
  }

  /** @param {Entry} frame */
  #entry(frame) {
    const isBegun = frame.events.some((event) => event.type === "table.throw_begun");
    if (isBegun) this.wasHere = this.isHere;
    this.log.note(frame);
    const isPresent = this.isHere && (isBegun || this.wasHere || !this.underWay);
    this.#showThrow(frame, isBegun);
    const seats = [this.shell.you.seat, this.shell.seat];
    const owns = (/** @type {number} */ seat) => seats.includes(seat);
    const shown = frame.view ? this.shell.element.thrown?.(frame.view) : undefined;
    const how = { isPresent, opponents: this.#opponents(this.view), owns, shown, at: this.arrivals.earliest() };
    this.view = frame.view ?? null;
    this.#later(async () => { await this.#with((device) => this.#read(device, frame, how)); });
  }

  /** Return the seats whose devices are asked when a seat throws, by a view; nobody is known without one. */
  #opponents(/** @type {House.KitView | null} */ view) {
    const { element } = this.shell;
    return (/** @type {number} */ roller) => {
      if (!element.opponents) return null;
      return view ? element.opponents(roller, view) : [];
    };
  }

  /** @param {Device} device @param {Entry} frame @param {Parameters<Device["entry"]>[1]} how */
  async #read(device, frame, how) {
    if (frame.seq > device.record.seq + 1) await this.#catchUp(device);
    // A log that could not be fetched is read with one of the next entries.
    if (frame.seq > device.record.seq + 1 && this.unread && this.unread < TRIES) return;
    const { tip, isLate } = device.entry(frame, how);
    if (isLate && frame.throw) this.log.late(frame.seq, frame.throw.k);
    this.#send(tip);
    await this.#open(device);
  }

  /** Answer the house's request for this seat's link. @param {import("games/dice/device.js").Ask} ask */
  answer(ask) {
    this.#later(async () => {
      await this.#with(async (device) => {
        if (ask.k > device.record.k) await this.#catchUp(device);
        const { link, tip } = device.ask(ask);
        if (link) this.shell.socket.line.send({ type: "link", k: ask.k, link });
        this.#send(tip);
      });
    });
  }

  /** @param {Entry} frame @param {boolean} isBegun */
  #showThrow(frame, isBegun) {
    const dropped = droppedIn(frame);
    if (isBegun) this.#waitFor(/** @type {Begun} */ (frame.events[0].data));
    else if (frame.throw || dropped) this.#stopWaiting();
    if (dropped) this.#giveUp();
    if (frame.throw) this.level.show({ seq: frame.seq, throw: frame.throw });
    else this.level.place();
  }

  /**
   * Show the phones that the dice wait for. Where throws wait, the host may let one go on.
   * @param {Begun} begun
   */
  #waitFor({ k, contributors, waits }) {
    this.underWay = k;
    clearTimeout(this.waitTimer);
    const names = andList(this.shell.seats.filter((one) => contributors.includes(one.seat))
      .map((one) => one.name));
    const text = fill(gettext("The dice wait for the phones of %(names)s."), { names });
    const goOn = { label: gettext("Go on without"), act: () => this.shell.send("table.go_on", { k }) };
    const buttons = waits && this.shell.you.host ? [goOn] : [];
    this.waitTimer = window.setTimeout(() => showBanner("throw", { text, buttons }), PATIENCE);
  }

  #stopWaiting() {
    this.underWay = 0;
    clearTimeout(this.waitTimer);
    clearBanner("throw");
  }

  /** End the throw under way if a state has come in place of the entry that ended it. */
  async #resume(/** @type {{view: House.KitView | null}} */ { view }) {
    this.view = view;
    this.level.place();
    if (!this.underWay) return;
    const entries = await this.#fetched(Math.max(0, (this.shell.socket.seq ?? 0) - LATE_ENTRIES));
    const end = entries.find((entry) => (entry.throw?.k ?? droppedIn(entry)?.data?.k) === this.underWay);
    if (end) this.#showThrow(end, false);
  }

  /** Drop the command that asked for a dropped throw: it gets no answer any more. */
  #giveUp() {
    const { socket } = this.shell;
    for (const frame of socket.outbox.frames) {
      if (frame.name.startsWith("table.")) continue;
      socket.outbox.take(frame.id);
      socket.dispatchEvent(new CustomEvent("answer", { detail: { frame } }));
    }
  }

  /** Show the badge of dice that were thrown before this page was loaded. */
  async #showLast() {
    const entries = await this.#fetched(Math.max(0, (this.shell.socket.seq ?? 0) - LATE_ENTRIES));
    for (const entry of entries) if (entry.throw) this.log.note(entry);
    const begun = underWay(entries);
    if (begun && !this.underWay) this.#waitFor(begun);
    const last = entries.filter((entry) => entry.throw).pop();
    if (last?.throw && !this.level.thrown) this.level.show({ seq: last.seq, throw: last.throw });
  }
}

/** Return the event that ends a throw without dice. @param {Entry} entry */
function droppedIn({ events }) {
  return events.find((event) => event.type === "table.throw_dropped");
}

/**
 * Return the data of the throw under way after some entries; undefined without one.
 * @param {Entry[]} entries @returns {Begun | undefined}
 */
function underWay(entries) {
  const has = (/** @type {Entry} */ { events }, /** @type {string} */ type) =>
    events.find((event) => event.type === type);
  const isOf = (/** @type {Entry} */ entry) =>
    entry.throw || has(entry, "table.throw_begun") || droppedIn(entry);
  const last = entries.filter(isOf).pop();
  return last && !last.throw ? /** @type {Begun} */ (has(last, "table.throw_begun")?.data) : undefined;
}
