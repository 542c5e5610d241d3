// @ts-check
/** A house that throws dice with the devices of two seats, and may cheat where a test says so. */
import { Chain, facesOf } from "games/dice/chains.js";
import { Device } from "games/dice/device.js";

export const TABLE = "abcdefghjkmn";
const bytes = (/** @type {number} */ value) => new Uint8Array(32).fill(value);

export class FakeHouse {
  /** @param {readonly string[]} hidden types of the game's events with hidden dice */
  constructor(table = TABLE, hidden = []) {
    this.table = table;
    this.hidden = hidden;
    this.chain = Chain.grown("server", bytes(7), 200);
    /** The first throw of the chain. */
    this.first = 1;
    [this.seq, this.k] = [0, 0];
    /** @type {any[]} */
    this.log = [];
    /** @type {Record<string, string>} */
    this.lasts = {};
    /** @type {any[]} what the devices have kept */
    this.kept = [null, null];
    /** @type {{seat: number, code: string}[]} */
    this.alarms = [];
    /** @type {number[]} seats of links that came too late, as their devices say */
    this.late = [];
    this.roller = 0;
    this.present = [true, true];
    /** Entries whose links are held back, with the links. @type {{entry: any, link: string}[]} */
    this.held = [];
    /** Milliseconds that the clocks of both devices show. */
    this.time = 1000;
    /** The clocks at which entries came, where pages read them later. @type {number | undefined} */
    this.came = undefined;
    /** Seats that are to be asked, and the links given, in the throw under way. @type {number[]} */
    this.waiting = [];
    /** @type {Record<string, string>} */
    this.given = {};
    this.devices = [0, 1].map((seat) => this.open(seat));
    this.start();
    for (const seat of [0, 1]) this.tip(seat);
  }

  /** Return another house at the same point: what happens at one is not told at the other. */
  copied() {
    const copy = Object.assign(Object.create(FakeHouse.prototype), this, structuredClone({
      log: this.log, lasts: this.lasts, kept: this.kept, held: this.held, present: this.present, alarms: [], late: [],
    }));
    copy.devices = [0, 1].map((seat) => copy.open(seat));
    return copy;
  }

  /** Open a page on a seat's device; what it keeps is there again on the next one. @param {number} seat */
  open(seat, fill = 100 + seat) {
    const store = {
      read: () => JSON.parse(this.kept[seat]),
      write: (/** @type {any} */ kept) => { this.kept[seat] = JSON.stringify(kept); },
    };
    return new Device(this.table, seat, store, this.hidden, () => bytes(fill++), () => this.time);
  }

  /** Tell the first entry. @param {string} dice how the table's dice fall, by its house rules */
  start(dice = "server") {
    this.tell([{ type: "table.started", data: { options: { dice } } }, this.committed()]);
  }

  committed(commitment = this.chain.tip, first = 1) {
    return { type: "table.dice_committed", data: { commitment, protocol: "pnd1", length: 200, first } };
  }

  commit(commitment = this.chain.tip, first = 1) {
    this.tell([this.committed(commitment, first)]);
  }

  /** Let a device tell its tip, where it has to. @param {number} seat */
  tip(seat, tip = this.devices[seat].tip(this.lasts[seat])) {
    if (!tip) return;
    this.lasts[seat] = tip;
    this.tell([{ type: "table.dice_tip", data: { seat, tip } }]);
  }

  /** Write an entry, tell it to all devices, and return it. @param {any[]} events */
  tell(events, thrown = undefined) {
    this.seq += 1;
    const entry = { type: "entry", seq: this.seq, events, ...(thrown ? { throw: thrown } : {}) };
    this.log.push(entry);
    this.read(entry);
    return entry;
  }

  /**
   * Let all devices read an entry, which stands in the log or does not.
   * @param {any} entry @param {(seat: number) => any} shown what each seat is shown of it
   */
  read(entry, shown = (seat) => shownTo(seat, entry)) {
    const tips = this.devices.map((device, seat) => {
      const opponents = (/** @type {number} */ roller) => [0, 1].filter((each) => each !== roller);
      const owns = (/** @type {number} */ each) => each === seat;
      const how = { isPresent: this.present[seat], opponents, owns, at: this.came };
      const { tip, faults, isLate } = device.entry(shown(seat), how);
      this.alarms.push(...faults.map(({ code }) => ({ seat, code })));
      if (isLate) this.late.push(seat);
      return tip;
    });
    tips.forEach((tip, seat) => tip && this.tip(seat, tip));
  }

  begin(roller = 0, contributors = [1 - roller, roller], other = {}) {
    this.k += 1;
    this.ctx = "ab".repeat(32);
    [this.roller, this.waiting, this.given] = [roller, [...contributors], {}];
    const data = { k: this.k, seat: roller, n: 2, contributors, ctx: this.ctx, command: "roll", ...other };
    this.tell([{ type: "table.throw_begun", data }]);
    return data;
  }

  /** Ask a device for its link, and return what it says. @param {number} seat @param {any} [other] parts of the ask */
  ask(seat, other = {}) {
    const taking = [...Object.keys(this.given).map(Number), ...this.waiting.slice(0, 1),
      ...this.waiting.filter((each) => each === this.roller)];
    const frame = {
      type: "dice_ask", k: this.k, n: 2, roller: this.roller, ctx: this.ctx, contributors: [...new Set(taking)],
      last: this.lasts[seat], index: 0, commitment: this.chain.tip, links: { ...this.given }, ...other,
    };
    const answer = this.devices[seat].ask(frame);
    this.alarms.push(...answer.faults.map(({ code }) => ({ seat, code })));
    return answer;
  }

  /** Ask a device, and write its link in the log. @param {number} seat @returns {string} the link */
  give(seat) {
    const link = /** @type {string} */ (this.ask(seat).link);
    [this.given[seat], this.waiting] = [link, this.waiting.filter((each) => each === this.roller && each !== seat)];
    this.tell([{ type: "table.link_given", data: { k: this.k, seat, link } }]);
    return link;
  }

  /** Say that the asked device is silent. */
  miss(seat = this.waiting[0]) {
    this.waiting = this.waiting.filter((each) => each !== seat);
    this.tell([{ type: "table.link_missed", data: { k: this.k, seat } }]);
  }

  /** The house's link for the throw under way. */
  get link() {
    return this.chain.link(this.k - this.first + 1);
  }

  /** The event with the dice of the throw under way that its thrower alone may see. */
  seen(links, dice = this.facesOf(links)) {
    return { type: "dice_seen", data: { seat: this.roller, dice }, only: this.roller };
  }

  /** Go on to another chain of the house behind the throw under way, and return the event that commits to it. */
  nextChain() {
    this.chain = Chain.grown("server", bytes(20 + this.k), 200);
    this.first = this.k + 1;
    return this.committed(this.chain.tip, this.first);
  }

  /**
   * End a throw whose dice some may not see: its link is held back, and another chain follows.
   * @param {any[]} events @param {any} [other] parts of the commitment
   */
  hold(links = this.links(), events = [this.seen(links)], other = {}) {
    const { link, k } = this, held = this.nextChain();
    Object.assign(held.data, { held: k }, other);
    this.end(links, { server: null, faces: [], events: [...events, held] });
    this.held.push({ entry: this.log.at(-1), link });
  }

  /**
   * End the table: what was held back is told, and each device asks for it.
   * @param {(entry: any) => any} [changed] what the house tells in place of an entry
   */
  finish(changed = (entry) => entry) {
    this.tell([{ type: "table.dice_revealed", data: {} }]);
    for (const { entry, link } of this.held) {
      const events = entry.events.map(({ only, ...event }) => event);
      this.read(changed({ ...entry, events, throw: { ...entry.throw, server: link } }));
    }
    this.devices.forEach((device, seat) => {
      this.alarms.push(...device.unopened().map(({ code }) => ({ seat, code })));
    });
  }

  drop() {
    this.tell([{ type: "table.throw_dropped", data: { k: this.k } }]);
  }

  /** End a throw. @param {Record<string, string>} links @param {any} [other] parts of what is told */
  end(links, other = {}) {
    const { level = Object.keys(links).length > 1 ? "A" : "B", faces, events, ...rest } = other;
    const thrown = { k: this.k, level, n: 2, ctx: this.ctx, server: this.link, links, ...rest };
    Object.assign(this.lasts, links);
    const dice = faces ?? facesOf({ table: this.table, ...thrown });
    this.tell(events ?? [{ type: "dice_rolled", data: { seat: this.roller, dice } }], thrown);
  }

  /** The faces of the throw under way with these links. @param {Record<string, string>} links */
  facesOf(links) {
    return facesOf({ table: this.table, k: this.k, n: 2, ctx: this.ctx, server: this.link, links });
  }

  /** Let both devices give their links. @returns {Record<string, string>} */
  links() {
    const theirs = this.give(1 - this.roller), mine = /** @type {string} */ (this.ask(this.roller).link);
    return { [1 - this.roller]: theirs, [this.roller]: mine };
  }

  /** Throw as an honest house does, the opponent before the roller. */
  throwDice(roller = 0) {
    this.begin(roller);
    this.end(this.links());
  }

  /** The codes of all alarms, each once. */
  get codes() {
    return [...new Set(this.alarms.map(({ code }) => code))].sort();
  }
}

/** What a seat is shown of an entry: events that one seat `only` may see are hidden from the others. */
export function shownTo(/** @type {number} */ seat, /** @type {any} */ entry) {
  const events = entry.events.map((/** @type {any} */ { only, ...event }) => {
    if (only === undefined) return event;
    return only === seat ? { ...event, private: true } : { type: "hidden" };
  });
  return { ...entry, events };
}
