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
/** The house's patience for a link: of the other side, and of the thrower. */
const OPPONENT_MS = 3000, ROLLER_MS = 30_000;
/** From so many throws on that were dropped after the links the device says so. */
const MANY_DROPS = 3;
const TIP = "table.dice_tip", BEGUN = "table.throw_begun";
const KEPT_ENTRIES = 30, KEPT_ASKS = 30, KEPT_FAULTS = 10;

/**
 * @typedef {import("games/dice/record.js").Fault} Fault
 * @typedef {{ k: number, n: number, roller: number, ctx: string, contributors: number[], last: string,
 *   commitment: string, links: Record<string, string> }} Ask as in docs/protocol.md
 * @typedef {{ k: number, link: string, ask: Ask, at: number }} Gift a link, the request for it, and when it was given
 * @typedef {import("games/dice/record.js").Begun} Begun
 * @typedef {import("games/dice/record.js").Entry} Entry
 * @typedef {import("games/dice/record.js").Thrown} Thrown
 * @typedef {import("games/dice/record.js").Owns} Owns
 * @typedef {{ chain: { length: number, marks: Chain["marks"] } | null, top: number, gift: Gift | null, asks: Ask[],
 *   entries: Entry[], faults: Fault[], unread: number, drops: number, heard: number, able: number, passedOver: number,
 *   record: DiceRecord }} Kept what survives a reload of the page
 * @typedef {(roller: number) => number[] | null} Opponents the seats whose devices are asked when a seat throws, in
 *   their order; null: any other one
 * @typedef {{ read: () => Partial<Kept> | null, write: (kept: Kept) => void }} Store
 */

export class Device {
  /** @type {Chain | null} */
  chain = null;
  /** The number of the highest link that was given, or told as a tip. */
  top = 0;
  /** @type {Gift | null} */
  gift = null;
  /** @type {Ask[]} */
  asks = [];
  /** The last entries that tell of dice, for the proof. @type {Entry[]} */
  entries = [];
  /** @type {Fault[]} */
  faults = [];
  /** Number of faults since the alarm was last dismissed, on any page of this device. */
  unread = 0;
  /** Number of throws that were dropped after links of both sides. */
  drops = 0;
  /** The last throws for which this device was asked in a right way, could be asked, and was passed over. */
  heard = 0;
  able = 0;
  passedOver = 0;

  /**
   * @param {string} table @param {number} seat @param {Store} store survives a reload of the page
   * @param {readonly string[]} hidden types of events with hidden dice (`DiceRecord`)
   * @param {(size: number) => Uint8Array} random @param {() => number} now a clock in milliseconds that is never set
   */
  constructor(
    table, seat, store, hidden = [], random = randomBytes, now = () => performance.timeOrigin + performance.now(),
  ) {
    this.table = table;
    this.seat = seat;
    this.store = store;
    this.hidden = hidden;
    this.random = random;
    this.now = now;
    this.record = new DiceRecord(table, {}, hidden);
    this.load();
  }

  /** Load the stored data: another page of this device may have changed it. */
  load() {
    const kept = this.store.read() ?? {};
    this.chain = kept.chain ? new Chain("seat", kept.chain.length, kept.chain.marks) : null;
    this.top = kept.top ?? 0;
    this.gift = kept.gift ?? null;
    this.asks = kept.asks ?? [];
    this.entries = kept.entries ?? [];
    this.faults = kept.faults ?? [];
    this.unread = kept.unread ?? 0;
    this.drops = kept.drops ?? 0;
    this.heard = kept.heard ?? 0;
    this.able = kept.able ?? 0;
    this.passedOver = kept.passedOver ?? 0;
    this.record = new DiceRecord(this.table, kept.record, this.hidden);
  }

  keep() {
    const { top, gift, asks, entries, faults, unread, drops, heard, able, passedOver, record } = this;
    const chain = this.chain && { length: this.chain.length, marks: this.chain.marks };
    const told = { drops, heard, able, passedOver };
    this.store.write({ chain, top, gift, asks, entries, faults, unread, ...told, record });
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
   * Answer a request for a link: with the next one of the chain, for one throw always the same, and never before
   * the log has told of the throw as it is asked for.
   * @param {Ask} ask
   * @returns {{ link?: string, tip?: string, faults: Fault[] }} `tip`: to be told, and no link was given
   */
  ask(ask) {
    this.asks = [...this.asks, ask].slice(-KEPT_ASKS);
    if (this.gift?.k === ask.k && isSame(this.gift.ask, ask)) return { link: this.gift.link, faults: [] };
    const wrong = this.#wrong(ask);
    if (wrong) return { faults: this.#noted([{ seq: this.record.seq, k: ask.k, ...wrong }]) };
    const isOver = !this.record.begun?.waiting.includes(this.seat);
    if (!isOver) this.heard = ask.k;
    if (isOver || !this.chain || this.#at(this.top) !== ask.last) {
      // Another device may have the seat's chain: it answers. A link given by this device is never given again.
      const tip = this.#isMine(ask.last) ? this.#at(this.top) : undefined;
      this.keep();
      return { tip: isOver ? undefined : tip, faults: [] };
    }
    this.top += 1;
    this.gift = { k: ask.k, link: this.#at(this.top), ask, at: this.now() };
    this.keep();
    return { link: this.gift.link, faults: [] };
  }

  /** Return the reason not to answer, or null. @param {Ask} ask @returns {{code: string, seat?: number} | null} */
  #wrong(ask) {
    const { gift, record } = this, { begun } = record;
    if (gift && gift.k >= ask.k) return { code: "asked_again" };
    if (ask.k > record.k) return { code: "not_begun" };
    // The throw may be over, or this device's turn in it: a request that was late on its way is not answered.
    if (begun?.k !== ask.k || !begun.waiting.includes(this.seat)) return null;
    if (record.chainOf(ask.k)?.commitment !== ask.commitment) return { code: "commitment" };
    if (begun.n !== ask.n || begun.seat !== ask.roller || begun.ctx !== ask.ctx) return { code: "other_throw" };
    return this.#wrongOrder(ask, begun);
  }

  /** Return a fault of order: who is asked, who has a part, and what others gave are as the log tells. */
  #wrongOrder(/** @type {Ask} */ { contributors, links, last }, /** @type {Begun} */ begun) {
    const { waiting, given, lasts, seat } = begun;
    if (waiting[0] !== this.seat) return { code: this.seat === seat ? "asked_first" : "other_throw" };
    const wrong = Object.keys(given).map(Number).find((each) => !this.record.isNext(each, given[each]));
    if (wrong !== undefined) return { code: "seat_chain", seat: wrong };
    const taking = [...Object.keys(given).map(Number), ...waiting.filter((each, i) => !i || each === seat)];
    const isAsTold = String([...new Set(taking)].sort()) === String([...contributors].sort())
      && Object.keys(links).length === Object.keys(given).length
      && Object.entries(given).every(([each, link]) => links[each] === link);
    return isAsTold && last === lasts[this.seat] ? null : { code: "other_throw" };
  }

  /**
   * Read an entry of the log. `isPresent`: the page was seen and connected since before the throw was begun;
   * `opponents` are those before the entry; `owns`: the seats whose hidden dice this page shows, any where the log of
   * the past is read; `shown` are the faces that the table then shows as those of the throw; `at` is the earliest time
   * at which the entry can have come.
   * @param {Entry} entry
   * @param {{ isPresent: boolean, opponents: Opponents, owns?: Owns, shown?: number[], at?: number }} how
   * @returns {{ tip: string | null, faults: Fault[], isLate: boolean }} `isLate`: its link came too late
   */
  entry(entry, { isPresent, opponents, owns, shown = [], at = this.now() }) {
    const isNext = entry.seq === this.record.seq + 1;
    const before = this.record.begun, last = this.record.lasts[this.seat];
    const hadTip = this.#isMine((before ?? this.record).lasts[this.seat]);
    const faults = this.record.read(entry, at, owns);
    if (!isNext) return { tip: null, faults: this.#noted(faults), isLate: false };
    const { seq, k } = this.record, own = (/** @type {string} */ code) => faults.push({ seq, k, code });
    if (entry.throw || entry.events.some(isOfDice)) this.entries = [...this.entries, entry].slice(-KEPT_ENTRIES);
    if (!this.record.hasFallen(shown)) own("dice");
    if (this.#isOthersTip(entry, last)) own("other_tip");
    this.#expect(entry, isPresent && hadTip, opponents);
    if (this.#isDropped(entry, before)) own("dropped");
    const of = entry.throw ? this.#own({ ...entry, throw: entry.throw }, isPresent && hadTip, before, opponents) : null;
    if (of && of !== "late") own(of);
    const isBurnt = this.#isBurnt(entry), noted = this.#noted(faults);
    this.keep();
    return { tip: isBurnt ? this.#at(this.top) : null, faults: noted, isLate: of === "late" };
  }

  /** Tell whether a chain that is not of this device was told for its seat in place of its own. */
  #isOthersTip(/** @type {Entry} */ { events }, /** @type {string | undefined} */ last) {
    const tip = events.find(({ type, data }) => type === TIP && data?.seat === this.seat)?.data?.tip;
    return tip !== undefined && this.#isMine(last) && !this.#isMine(tip);
  }

  /** Note at the beginning of a throw whether this device can be asked, and whether it is passed over. */
  #expect(/** @type {Entry} */ { events }, /** @type {boolean} */ isPresent, /** @type {Opponents} */ opponents) {
    const { begun } = this.record;
    if (!begun || begun.seat === null || !events.some(({ type }) => type === BEGUN)) return;
    const order = opponents(begun.seat), isThrower = begun.seat === this.seat;
    const isAble = isPresent && (isThrower || (order?.includes(this.seat) ?? true));
    const isFirst = isThrower || order?.[0] !== this.seat || begun.contributors[0] === this.seat;
    this.able = isAble ? begun.k : 0;
    this.passedOver = isAble && !(isFirst && begun.contributors.includes(this.seat)) ? begun.k : 0;
  }

  /** Count throws that ended without dice after links of both sides; tell whether there have been too many. */
  #isDropped(/** @type {Entry} */ { events }, /** @type {Begun | null} */ begun) {
    const isDropped = events.some(({ type }) => type === "table.throw_dropped");
    if (!isDropped || !begun || (this.gift?.k !== begun.k && Object.keys(begun.given).length < 2)) return false;
    this.drops += 1;
    return this.drops >= MANY_DROPS;
  }

  /** Return the code of a fault in this device's own part in a throw, "late", or null. @returns {string | null} */
  #own(/** @type {Entry & {throw: Thrown}} */ entry, /** @type {boolean} */ mayContribute,
    /** @type {Begun | null} */ begun, /** @type {Opponents} */ opponents) {
    const { k, links } = entry.throw, mine = links[this.seat], isMissed = begun?.missed.includes(this.seat);
    if (this.gift && this.gift.k === k) return mine === this.gift.link ? null : this.#unused(this.gift, begun);
    if (mine !== undefined) return this.#isMine(mine) || this.#hasNext(mine) ? "not_given" : null;
    const roller = begun?.seat ?? rollerOf(entry.events);
    if (!mayContribute || this.heard === k || roller === null) return null;
    const isOther = Object.keys(links).some((seat) => Number(seat) !== roller);
    const isAble = begun ? this.able === k : (opponents(roller)?.includes(this.seat) ?? true);
    const isLacking = roller === this.seat || (isAble && !isOther);
    return isLacking || isMissed || this.passedOver === k ? "not_asked" : null;
  }

  /** Return "late" for a link that came after the time for it by this device's own clock, else "unused". */
  #unused(/** @type {Gift} */ gift, /** @type {Begun | null} */ begun) {
    const patience = begun?.seat === this.seat ? ROLLER_MS : OPPONENT_MS;
    return begun?.missed.includes(this.seat) && gift.at - begun.at > patience ? "late" : "unused";
  }

  /** Tell whether a link is this chain's next one, which was never given: it was stolen. @param {string} link */
  #hasNext(link) {
    return this.chain !== null && this.top < this.chain.length && this.chain.link(this.top + 1) === link;
  }

  /** Tell whether a link of this device was given but not used: it is told as a tip, which the next one follows. */
  #isBurnt(/** @type {Entry} */ entry) {
    if (!this.gift || !this.chain) return false;
    const { k, link } = this.gift;
    const isOver = entry.throw?.k === k && entry.throw.links[this.seat] !== link;
    const isDropped = entry.events.some(({ type, data }) => data?.k === k
      && (type === "table.throw_dropped" || (type === "table.link_missed" && data.seat === this.seat)));
    return isOver || isDropped;
  }

  /** Keep faults and return those that are new: the same of one throw is said once. @param {Fault[]} faults */
  #noted(faults) {
    const isKnown = (/** @type {Fault} */ { code, k }) => this.faults.some((one) => one.code === code && one.k === k);
    const fresh = faults.filter((fault) => !isKnown(fault));
    this.faults = [...this.faults, ...fresh].slice(-KEPT_FAULTS);
    this.unread += fresh.length;
    if (fresh.length) this.keep();
    return fresh;
  }

  /** Note which throws the house still holds back, though all of the log has been read after the table's end. */
  unopened() {
    const faults = this.#noted(this.record.unopened());
    this.keep();
    return faults;
  }

  /** Note that the house's log ends before what this device has read. */
  steppedBack() {
    return this.#noted([{ code: "sequence", seq: this.record.seq, k: this.record.k }]);
  }

  /** Mark the alarm as read. */
  dismiss() {
    this.unread = 0;
    this.keep();
  }

  /** Return the proof of the faults for others, without links that are still secret. */
  proof() {
    const { table, seat, faults, asks, entries, gift, drops, record } = this;
    const told = { faults, last_link_given: gift, dropped: drops, asked: asks, record, entries };
    return { protocol: "pnd1", table, seat, ...told };
  }
}

function randomBytes(/** @type {number} */ size) {
  return crypto.getRandomValues(new Uint8Array(size));
}

/** Tell whether two requests ask for the same. @param {Ask} one @param {Ask} other */
function isSame(one, other) {
  return one.n === other.n && one.roller === other.roller && one.ctx === other.ctx
    && String([...one.contributors].sort()) === String([...other.contributors].sort());
}

/** @param {{type: string}} event */
function isOfDice({ type }) {
  return /^table\.(dice_|throw_|link_)/.test(type);
}

/**
 * Return the seat that threw by the events, null if they name none.
 * @param {House.SentEvent[]} events @returns {number | null}
 */
function rollerOf(events) {
  return events.find(({ data }) => data && "seat" in data && ("dice" in data || "die" in data))?.data?.seat ?? null;
}
