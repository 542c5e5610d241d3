// @ts-check
/**
 * A seat's device in the throws of its table: it has a chain, answers requests for links, and detects when it was
 * left out or a check fails. It draws nothing on the page and knows no socket.
 */
import { Chain } from "games/dice/chains.js";
import { DiceRecord } from "games/dice/record.js";

export const CHAIN_LENGTH = 1024;
/** Number of links before the end of a chain at which a new one follows. */
const FEW_LEFT = 8;
/** Number of the last links given among which a link of this chain is looked for. */
const LOOK_BACK = 64;
const KEPT_ENTRIES = 30, KEPT_ASKS = 30, KEPT_FAULTS = 10;

/**
 * @typedef {import("games/dice/record.js").Fault} Fault
 * @typedef {{ k: number, n: number, roller: number, ctx: string, contributors: number[], last: string,
 *   commitment: string, links: Record<string, string> }} Ask as in docs/protocol.md
 * @typedef {{ k: number, link: string, ask: Ask }} Gift a link that was given, and the request for it
 * @typedef {{ read: () => any, write: (kept: any) => void }} Store
 */

export class Device {
  /**
   * @param {string} table @param {number} seat @param {Store} store survives a reload of the page
   * @param {(size: number) => Uint8Array} random
   */
  constructor(table, seat, store, random = (size) => crypto.getRandomValues(new Uint8Array(size))) {
    [this.table, this.seat, this.store, this.random] = [table, seat, store, random];
    this.load();
  }

  /** Load the stored data: another page of this device may have changed it. */
  load() {
    const kept = this.store.read() ?? {};
    /** @type {Chain | null} */
    this.chain = kept.chain ? new Chain("seat", kept.chain.length, kept.chain.marks) : null;
    /** The number of the highest link that was given, or told as a tip. */
    this.top = kept.top ?? 0;
    /** @type {Gift | null} */
    this.gift = kept.gift ?? null;
    /** @type {Ask[]} */
    this.asks = kept.asks ?? [];
    /** @type {any[]} the last entries that tell of dice, for the proof */
    this.entries = kept.entries ?? [];
    /** @type {Fault[]} */
    this.faults = kept.faults ?? [];
    /** Number of faults since the alarm was last dismissed, on any page of this device. */
    this.unread = kept.unread ?? 0;
    this.record = new DiceRecord(this.table, kept.record);
  }

  keep() {
    const { top, gift, asks, entries, faults, unread, record } = this;
    const chain = this.chain && { length: this.chain.length, marks: this.chain.marks };
    this.store.write({ chain, top, gift, asks, entries, faults, unread, record });
  }

  /**
   * Return the tip to tell now; null if the house knows the last link of this device's chain.
   * @param {string | undefined} known the last link of this seat, as the house says
   * @returns {string | null}
   */
  tip(known) {
    const { chain } = this;
    if (!chain || chain.length - this.top < FEW_LEFT) this.#grow();
    else if (this.#at(this.top) === known) return null;
    this.keep();
    return this.#at(this.top);
  }

  #grow() {
    this.chain = Chain.grown("seat", this.random(32), CHAIN_LENGTH);
    this.top = 0;
  }

  #at(/** @type {number} */ index) {
    const chain = /** @type {Chain} */ (this.chain);
    return index ? chain.link(index) : chain.tip;
  }

  /** Tell whether a link is one of this chain that may be public. @param {string | undefined} link */
  #isMine(link) {
    if (!this.chain || link === undefined) return false;
    for (let at = this.top; at >= 0 && at > this.top - LOOK_BACK; at--) if (this.#at(at) === link) return true;
    return false;
  }

  /**
   * Answer a request for a link: with the next one of the chain, and for one throw always the same.
   * @param {Ask} ask
   * @returns {{ link?: string, tip?: string, faults: Fault[] }} `tip`: to be told, and no link was given
   */
  ask(ask) {
    this.asks = [...this.asks, ask].slice(-KEPT_ASKS);
    const wrong = this.#wrong(ask);
    if (wrong) return { faults: this.#noted([{ seq: this.record.seq, k: ask.k, ...wrong }]) };
    if (this.gift?.k === ask.k) return { link: this.gift.link, faults: [] };
    if (!this.chain || this.#at(this.top) !== ask.last) {
      // Another device may have the seat's chain: it answers. A link given by this device is never given again.
      const tip = this.#isMine(ask.last) ? this.#at(this.top) : undefined;
      this.keep();
      return { tip, faults: [] };
    }
    this.top += 1;
    this.gift = { k: ask.k, link: this.#at(this.top), ask };
    this.keep();
    return { link: this.gift.link, faults: [] };
  }

  /** Return the reason not to answer, or null. @param {Ask} ask @returns {{code: string, seat?: number} | null} */
  #wrong(ask) {
    const { gift, record } = this;
    if (gift && gift.k > ask.k) return { code: "asked_again" };
    if (gift?.k === ask.k && !isSame(gift.ask, ask)) return { code: "asked_again" };
    const begun = record.begun?.k === ask.k ? record.begun : null;
    if (begun && !isSame({ ...begun, roller: begun.seat }, ask)) return { code: "other_throw" };
    if (!this.#isCommitted(ask)) return { code: "commitment" };
    return ask.roller === this.seat ? this.#wrongOrder(ask) : null;
  }

  /** Return a fault of order: the roller answers last, after the next link of the other side. @param {Ask} ask */
  #wrongOrder({ contributors, links }) {
    const given = Object.keys(links).map(Number).filter((seat) => seat !== this.seat);
    if (!given.length && contributors.some((seat) => seat !== this.seat)) return { code: "asked_first" };
    const wrong = given.find((seat) => !this.record.isNext(seat, links[seat]));
    return wrong === undefined ? null : { code: "seat_chain", seat: wrong };
  }

  /** @param {Ask} ask */
  #isCommitted({ commitment, k }) {
    const known = this.record.committed;
    return !known.length || known.some((each) => each.first <= k && each.commitment === commitment);
  }

  /**
   * Read an entry of the log. `isPresent`: the page was seen and connected since before the throw was begun;
   * `opposes` tells whether this seat plays against another one.
   * @param {any} entry @param {{ isPresent: boolean, opposes: (seat: number) => boolean }} how
   * @returns {{ tip: string | null, faults: Fault[] }}
   */
  entry(entry, { isPresent, opposes }) {
    if (entry.seq <= this.record.seq) return { tip: null, faults: [] };
    const before = this.record.begun, hadTip = this.#isMine((before ?? this.record).lasts[this.seat]);
    const faults = this.record.read(entry);
    if (entry.throw || entry.events.some(isOfDice)) this.entries = [...this.entries, entry].slice(-KEPT_ENTRIES);
    if (entry.throw) {
      const roller = before?.seat ?? rollerOf(entry.events);
      const mayContribute = isPresent && hadTip && roller !== null && (roller === this.seat || opposes(roller));
      const { seq, throw: { k } } = entry;
      faults.push(...this.#own(entry, mayContribute, roller).map((code) => ({ seq, k, code })));
    }
    const isBurnt = this.#isBurnt(entry);
    this.#noted(faults);
    this.keep();
    return { tip: isBurnt ? this.#at(this.top) : null, faults };
  }

  /** Return the codes of faults in this device's own part in a throw. @returns {string[]} */
  #own(/** @type {any} */ entry, /** @type {boolean} */ mayContribute, /** @type {number | null} */ roller) {
    const { k, links } = entry.throw, mine = links[this.seat];
    const wasAsked = this.asks.some((ask) => ask.k === k);
    if (this.gift?.k === k) return mine === this.gift.link ? [] : ["unused"];
    if (mine !== undefined) return this.#isMine(mine) || this.#hasNext(mine) ? ["not_given"] : [];
    const isLacking = roller === this.seat || !Object.keys(links).some((seat) => Number(seat) !== roller);
    return mayContribute && !wasAsked && isLacking ? ["not_asked"] : [];
  }

  /** Tell whether a link is this chain's next one, which was never given: it was stolen. @param {string} link */
  #hasNext(link) {
    return this.chain !== null && this.top < this.chain.length && this.chain.link(this.top + 1) === link;
  }

  /** Tell whether a link of this device was given but not used: it is told as a tip, which the next one follows. */
  #isBurnt(/** @type {any} */ entry) {
    if (!this.gift || !this.chain) return false;
    const { k, link } = this.gift;
    const isOver = entry.throw?.k === k && entry.throw.links[this.seat] !== link;
    const isDropped = entry.events.some((/** @type {any} */ { type, data }) => data?.k === k
      && (type === "table.throw_dropped" || (type === "table.link_missed" && data.seat === this.seat)));
    return isOver || isDropped;
  }

  /** @param {Fault[]} faults */
  #noted(faults) {
    this.faults = [...this.faults, ...faults].slice(-KEPT_FAULTS);
    this.unread += faults.length;
    if (faults.length) this.keep();
    return faults;
  }

  /** Mark the alarm as read. */
  dismiss() {
    this.unread = 0;
    this.keep();
  }

  /** Return the proof of the faults for others, without links that are still secret. */
  proof() {
    const { table, seat, faults, asks, entries, gift, record } = this;
    return { protocol: "pnd1", table, seat, faults, last_link_given: gift, asked: asks, record, entries };
  }
}

/** @param {{n: number, roller: number, ctx: string}} one @param {{n: number, roller: number, ctx: string}} other */
function isSame(one, other) {
  return one.n === other.n && one.roller === other.roller && one.ctx === other.ctx;
}

/** @param {{type: string}} event */
function isOfDice({ type }) {
  return /^table\.(dice_|throw_|link_)/.test(type);
}

/** Return the seat that threw by the events, null if they name none. @param {any[]} events @returns {number | null} */
function rollerOf(events) {
  return events.find(({ data }) => data && "seat" in data && ("dice" in data || "die" in data))?.data.seat ?? null;
}
