// @ts-check
/** A house that throws dice with the devices of two seats, and may cheat where a test says so. */
import { Chain, facesOf } from "games/dice/chains.js";
import { Device } from "games/dice/device.js";

export const TABLE = "abcdefghjkmn";
const bytes = (/** @type {number} */ value) => new Uint8Array(32).fill(value);

export class FakeHouse {
  constructor(table = TABLE) {
    this.table = table;
    this.chain = Chain.grown("server", bytes(7), 200);
    [this.seq, this.k] = [0, 0];
    /** @type {any[]} */
    this.log = [];
    /** @type {Record<string, string>} */
    this.lasts = {};
    /** @type {any[]} what the devices have kept */
    this.kept = [null, null];
    /** @type {{seat: number, code: string}[]} */
    this.alarms = [];
    this.present = [true, true];
    this.devices = [0, 1].map((seat) => this.open(seat));
    this.commit();
    for (const seat of [0, 1]) this.tip(seat);
  }

  /** Open a page on a seat's device; what it keeps is there again on the next one. @param {number} seat */
  open(seat, fill = 100 + seat) {
    const store = {
      read: () => JSON.parse(this.kept[seat]),
      write: (/** @type {any} */ kept) => { this.kept[seat] = JSON.stringify(kept); },
    };
    return new Device(this.table, seat, store, () => bytes(fill++));
  }

  commit(commitment = this.chain.tip) {
    const data = { commitment, protocol: "pnd1", length: 200, first: 1 };
    this.tell([{ type: "table.dice_committed", data }]);
  }

  /** Let a device tell its tip, where it has to. @param {number} seat */
  tip(seat, tip = this.devices[seat].tip(this.lasts[seat])) {
    if (!tip) return;
    this.lasts[seat] = tip;
    this.tell([{ type: "table.dice_tip", data: { seat, tip } }]);
  }

  /** Write an entry, and tell it to all devices. @param {any[]} events */
  tell(events, thrown = undefined) {
    this.seq += 1;
    const entry = { type: "entry", seq: this.seq, events, ...(thrown ? { throw: thrown } : {}) };
    this.log.push(entry);
    const tips = this.devices.map((device, seat) => {
      const how = { isPresent: this.present[seat], opposes: (/** @type {number} */ other) => other !== seat };
      const { tip, faults } = device.entry(entry, how);
      this.alarms.push(...faults.map(({ code }) => ({ seat, code })));
      return tip;
    });
    tips.forEach((tip, seat) => tip && this.tip(seat, tip));
  }

  begin(roller = 0, contributors = [0, 1]) {
    this.k += 1;
    this.ctx = "ab".repeat(32);
    const data = { k: this.k, seat: roller, n: 2, contributors, ctx: this.ctx, command: "roll" };
    this.tell([{ type: "table.throw_begun", data }]);
    return data;
  }

  /** Ask a device for its link, and return what it says. @param {number} seat @param {any} [other] parts of the ask */
  ask(seat, other = {}) {
    const frame = {
      type: "dice_ask", k: this.k, n: 2, roller: 0, ctx: this.ctx, contributors: [0, 1], last: this.lasts[seat],
      index: 0, commitment: this.chain.tip, links: {}, ...other,
    };
    const answer = this.devices[seat].ask(frame);
    this.alarms.push(...answer.faults.map(({ code }) => ({ seat, code })));
    return answer;
  }

  /** End a throw. @param {Record<string, string>} links @param {any} [other] parts of what is told */
  end(links, other = {}) {
    const { level = Object.keys(links).length > 1 ? "A" : "B", faces, ...rest } = other;
    const thrown = { k: this.k, level, n: 2, ctx: this.ctx, server: this.chain.link(this.k), links, ...rest };
    Object.assign(this.lasts, links);
    const dice = faces ?? facesOf({ table: this.table, ...thrown });
    this.tell([{ type: "dice_rolled", data: { seat: 0, dice } }], thrown);
  }

  /** Throw as an honest house does, the opponent before the roller. */
  throwDice() {
    this.begin();
    const theirs = this.ask(1).link;
    this.tell([{ type: "table.link_given", data: { k: this.k, seat: 1, link: theirs } }]);
    const mine = this.ask(0, { links: { 1: theirs } }).link;
    this.end({ 0: mine, 1: theirs });
  }

  /** The codes of all alarms, each once. */
  get codes() {
    return [...new Set(this.alarms.map(({ code }) => code))].sort();
  }
}
