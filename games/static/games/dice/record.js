// @ts-check
/**
 * A device's knowledge of a table's dice, from the log alone: the last link of every chain, and the throw under way.
 * It checks each entry as it is read, and holds nothing secret; as JSON it survives a reload of the page.
 */
import { facesOf, follows } from "games/dice/chains.js";
import { hexOf, sha256 } from "games/dice/sha256.js";

/** The form of what is kept; a record of another one is read anew from the log. */
const VERSION = 2;
/** Number of the last entries that are known again. */
const KNOWN_ENTRIES = 100;
/** The house's event that commits to a chain, also to the one after a link that is held back. */
const COMMITTED = "table.dice_committed";
/** Events that put another player on a seat, or take its player off: its chain ends. */
const OTHER_PLAYER = /^table\.(left|kicked|substituted|forfeited|vacated|joined)$/;

/**
 * A fault in an entry: `code` names it, `seat` is the owner of the chain.
 * @typedef {{ code: string, seq: number, k: number, seat?: number }} Fault
 * A throw under way: `waiting` are the seats that are to be asked, the first one now; `given` and `missed` those that
 * were; `lasts` the seats' last links when it began; `at` the time at which its intent was read.
 * @typedef {{ k: number, seat: number | null, n: number, ctx: string, contributors: number[], waiting: number[],
 *   missed: number[], lasts: Record<string, string>, given: Record<string, string>, at: number }} Begun
 * @typedef {Omit<Fault, "seq"> & {seq?: number}} Found without the entry, where it is the one that is read
 * @typedef {{ commitment: string, first: number, length: number, held?: number }} Committed
 * @typedef {{ k: number, level: string, n: number, ctx: string, server: string | null,
 *   links: Record<string, string> }} Thrown as in docs/protocol.md; without `server` while that link is held back
 */

/**
 * @typedef {object} Kept of a record, as JSON; nothing of it in another version
 * @property {number} [version]
 * @property {number} [seq]
 * @property {number} [k]
 * @property {Committed[]} [committed]
 * @property {{link: string, k: number} | null} [server]
 * @property {Record<string, string>} [lasts]
 * @property {Begun | null} [begun]
 * @property {boolean | null} [isTyped]
 * @property {string[]} [digests]
 */
/** @typedef {Record<string, any>} Data of an event of the house */
/** @typedef {{seq: number, events: House.SentEvent[], throw?: Thrown}} Entry of the log, as much as is read of it */

export class DiceRecord {
  /** @param {string} table @param {Kept} [kept] an earlier result of `toJSON` */
  constructor(table, kept = {}) {
    const known = kept.version === VERSION ? kept : {};
    this.table = table;
    /** The last entry that was read; 0: none yet. */
    this.seq = known.seq ?? 0;
    /** The last throw that was begun. */
    this.k = known.k ?? 0;
    /** The house's chains, the newest last. @type {Committed[]} */
    this.committed = known.committed ?? [];
    /** The house's last link that was shown, and its throw. @type {{link: string, k: number} | null} */
    this.server = known.server ?? null;
    /** Each seat's tip or last link. @type {Record<string, string>} */
    this.lasts = known.lasts ?? {};
    /** @type {Begun | null} */
    this.begun = known.begun ?? null;
    /** Whether the table's dice are typed in, by its house rules; null: it was not read. @type {boolean | null} */
    this.isTyped = known.isTyped ?? null;
    /** What the last entries told of dice, each as a digest; "": nothing. @type {string[]} */
    this.digests = known.digests ?? [];
  }

  toJSON() {
    const { seq, k, committed, server, lasts, begun, isTyped, digests } = this;
    return { version: VERSION, seq, k, committed, server, lasts, begun, isTyped, digests };
  }

  /** Read the next entry of the log, at a time in milliseconds. @param {Entry} entry @returns {Fault[]} */
  read(entry, now = 0) {
    if (entry.seq <= this.seq) return this.#readBefore(entry);
    if (entry.seq > this.seq + 1) return [{ code: "sequence", seq: entry.seq, k: this.k }];
    this.seq = entry.seq;
    this.digests = [...this.digests, digestOf(entry)].slice(-KNOWN_ENTRIES);
    /** @type {Found[]} */
    const faults = entry.events.flatMap((event) => this.#event(event, now));
    faults.push(...(entry.throw ? this.#thrown(entry.throw, entry.events) : this.#unthrown(entry.events)));
    return faults.map((fault) => ({ seq: entry.seq, ...fault }));
  }

  /** Check an entry that was read before: it says the same as then. @param {Entry} entry @returns {Fault[]} */
  #readBefore(entry) {
    const known = this.digests.at(entry.seq - this.seq - 1);
    const isIn = this.seq - entry.seq < this.digests.length;
    const begun = entry.events.find(({ type }) => type === "table.throw_begun");
    const k = entry.throw?.k ?? begun?.data?.k;
    const isSame = isIn ? known === digestOf(entry) : !(k > this.k);
    return isSame ? [] : [{ code: "sequence", seq: entry.seq, k: this.k }];
  }

  /** @param {{type: string, data?: any}} event of the house @param {number} now @returns {Found[]} */
  #event({ type, data = {} }, now) {
    if (OTHER_PLAYER.test(type)) this.#leave(data.seat);
    switch (type) {
      case "table.started":
        this.isTyped = data.options?.dice === "typed";
        return [];
      case COMMITTED:
        return this.#commit(data);
      case "table.dice_tip":
        this.lasts[data.seat] = data.tip;
        return [];
      case "table.throw_begun":
        return this.#begin(data, now);
      case "table.link_given":
        return this.#given(data);
      case "table.link_missed":
        return this.#missed(data);
      case "table.throw_dropped":
        this.begun = null;
        return [];
      default:
        return [];
    }
  }

  /** @param {number} seat */
  #leave(seat) {
    delete this.lasts[seat];
    if (this.begun) this.begun.waiting = this.begun.waiting.filter((each) => each !== seat);
  }

  /**
   * Read a commitment: it never changes, follows the one before, and is told before its first throw. One that follows a
   * link that is held back is told with that link's throw.
   */
  #commit(/** @type {Committed} */ { commitment, first, length, held }) {
    const last = this.committed.at(-1), due = last ? last.first + last.length : 1;
    if (this.committed.some((each) => each.first === first && each.commitment === commitment)) return [];
    const isDue = first === due && this.k <= Math.max(0, first - 2);
    const isAfterHeld = held === first - 1 && (this.k === held || this.k === held - 1);
    if (!(held === undefined ? isDue : isAfterHeld)) return [{ code: "commitment", k: this.k }];
    this.committed.push({ commitment, first, length });
    return [];
  }

  /** @param {Data} data @param {number} now */
  #begin({ k, seat, n, ctx, contributors }, now) {
    const faults = this.#next(k), lasts = { ...this.lasts };
    this.k = k;
    this.begun = { k, seat, n, ctx, contributors, waiting: [...contributors], missed: [], lasts, given: {}, at: now };
    return faults;
  }

  /** Check that throws are counted without a gap, and that one ends before the next begins. @param {number} k */
  #next(k) {
    return this.begun || k !== this.k + 1 ? [{ code: "skipped", k }] : [];
  }

  /** @param {{k: number, seat: number, link: string}} data */
  #given({ k, seat, link }) {
    const { begun } = this;
    if (begun?.k !== k || begun.waiting[0] !== seat) return [{ code: "other_throw", k, seat }];
    begun.given[seat] = link;
    // One of the other side is enough: only the thrower is still asked.
    begun.waiting = begun.waiting.filter((each) => each === begun.seat && each !== seat);
    return this.#link(k, seat, link);
  }

  /** @param {{k: number, seat: number}} data */
  #missed({ k, seat }) {
    const { begun } = this;
    if (begun?.k !== k || begun.waiting[0] !== seat) return [{ code: "other_throw", k, seat }];
    begun.waiting.shift();
    begun.missed.push(seat);
    return [];
  }

  /** @param {number} k @param {number | string} seat @param {string} link */
  #link(k, seat, link) {
    const last = (this.begun?.lasts ?? this.lasts)[seat], isNext = this.isNext(Number(seat), link);
    // A tip that was told meanwhile is the later one: it stays.
    const isLast = this.lasts[seat] === last || this.lasts[seat] === link;
    if (isLast) this.lasts[seat] = link;
    return isNext ? [] : [{ code: "seat_chain", k, seat: Number(seat) }];
  }

  /** Check an entry without a throw: it tells no dice of the house, and typed ones only where they are typed. */
  #unthrown(/** @type {House.SentEvent[]} */ events) {
    const faults = typedIn(events) && this.isTyped === false ? [{ code: "typed", k: this.k }] : [];
    if (this.committed.length && facesIn(events).length) faults.push({ code: "no_throw", k: this.k });
    return faults;
  }

  /** @param {Thrown} thrown @param {House.SentEvent[]} events */
  #thrown(thrown, events) {
    const { begun } = this, { k } = thrown;
    const faults = begun ? this.#asBegun(thrown, begun) : this.#next(k);
    this.k = k;
    faults.push(...(thrown.server === null ? heldFaults(k, events) : this.#house(k, thrown.server)));
    for (const [seat, link] of Object.entries(thrown.links)) {
      const before = begun?.given[seat];
      if (before === undefined) faults.push(...this.#link(k, seat, link));
      else if (before !== link) faults.push({ code: "other_throw", k });
    }
    if (levelOf(thrown, begun) !== thrown.level) faults.push({ code: "level", k });
    if (typedIn(events) && this.isTyped === false) faults.push({ code: "typed", k });
    if (!facesFit(thrown, this.table, events)) faults.push({ code: "dice", k });
    this.begun = null;
    return faults;
  }

  /** Check that a throw ends as it was begun: with all links, and but for the last one no others. */
  #asBegun(/** @type {Thrown} */ { k, n, ctx, links }, /** @type {Begun} */ begun) {
    const isSame = begun.k === k && begun.n === n && begun.ctx === ctx;
    const lost = Object.keys(begun.given).some((seat) => !(seat in links));
    const more = Object.keys(links).map(Number).filter((seat) => !(seat in begun.given));
    const isLast = !more.length || (more.length === 1 && more[0] === begun.waiting[0]);
    // One of the other side is enough; without the last link its giver was silent.
    const left = more.length ? begun.waiting.filter((each) => each === begun.seat && each !== more[0])
      : begun.waiting.slice(1);
    return isSame && !lost && isLast && !left.length ? [] : [{ code: "other_throw", k }];
  }

  /** Check that the house's link leads to its last one shown, or to its commitment. */
  #house(/** @type {number} */ k, /** @type {string} */ server) {
    const chain = this.chainOf(k);
    const last = this.server && (!chain || this.server.k >= chain.first) ? this.server : null;
    const from = last ?? (chain && { link: chain.commitment, k: chain.first - 1 });
    this.server = { link: server, k };
    return from && follows("server", server, from.link, k - from.k) ? [] : [{ code: "server_chain", k }];
  }

  /** Return the house's chain for a throw, as it was committed. @param {number} k */
  chainOf(k) {
    return this.committed.filter(({ first }) => first <= k).at(-1);
  }

  /** Tell whether a link is a seat's next one, in the throw under way or the next. @param {number} seat */
  isNext(seat, /** @type {string} */ link) {
    const last = (this.begun?.lasts ?? this.lasts)[seat];
    return last !== undefined && follows("seat", link, last);
  }
}

/** Return the level of a throw with these links; without an intent there are none. */
function levelOf(/** @type {Thrown} */ { links }, /** @type {Begun | null} */ begun) {
  const seats = Object.keys(links).map(Number), roller = begun?.seat ?? null;
  if (!seats.length || !begun) return "C";
  if (seats.length > 1) return roller === null || seats.includes(roller) ? "A" : "";
  return roller !== null && begun.contributors.includes(roller) && seats[0] !== roller ? "B2" : "B";
}

/** Return the throw whose link an entry holds back, undefined if none. @param {House.SentEvent[]} events */
function heldIn(events) {
  return events.find(({ type, data }) => type === COMMITTED && data?.held !== undefined)?.data?.held;
}

/** Return the faults of a throw without the house's link: it is held back where some may not read all of the entry. */
function heldFaults(/** @type {number} */ k, /** @type {House.SentEvent[]} */ events) {
  const isHiding = events.some((event) => event.type === "hidden" || event.private);
  return isHiding && heldIn(events) === k ? [] : [{ code: "server_chain", k }];
}

/** Return a digest of what an entry tells of dice; "" if it tells nothing. @param {Entry} entry */
function digestOf({ events, throw: told }) {
  // What is held back is told later: it is no part of the digest.
  const isHeld = heldIn(events) !== undefined, thrown = told && isHeld ? { ...told, server: null } : told;
  const of = events.filter(({ type }) => /^table\.(dice_(?!rev)|throw_|link_)/.test(type));
  const faces = isHeld ? [] : groupsIn(events);
  if (!of.length && !thrown && !faces.length) return "";
  const each = of.map(({ type, data }) => [type, data]);
  const text = JSON.stringify([each, thrown ?? null, faces], (_, one) => (isObject(one) ? sorted(one) : one));
  return hexOf(sha256(new TextEncoder().encode(text))).slice(0, 16);
}

function isObject(/** @type {unknown} */ value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function sorted(/** @type {object} */ value) {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Tell whether the events have the faces that follow from a throw, those of each roll in any order. Of dice that some
 * may not see that can't be told.
 * @param {Thrown} thrown @param {string} table @param {House.SentEvent[]} events
 */
function facesFit({ server, ...thrown }, table, events) {
  if (server === null || heldIn(events) !== undefined) return true;
  const rolls = groupsIn(events), count = rolls.flat().length;
  const again = facesOf({ ...thrown, server, table }, count);
  const fits = rolls.every((roll) => {
    const drawn = again.splice(0, roll.length);
    return JSON.stringify([...roll].sort()) === JSON.stringify(drawn.sort());
  });
  return fits && count >= thrown.n;
}

/** Return the faces in events that the house threw, by the names `dice` and `die`. @param {House.SentEvent[]} events */
export function facesIn(events) {
  return groupsIn(events).flat();
}

/**
 * Return the faces in events that the house threw, those that fell together in a list.
 * @param {House.SentEvent[]} events
 */
function groupsIn(events) {
  return events.flatMap(({ type, data }) => (isThrow(type) && !data?.typed ? within(data, false) : []));
}

/** Tell whether events tell of dice that somebody typed in. @param {House.SentEvent[]} events */
function typedIn(events) {
  return events.some(({ type, data }) => isThrow(type) && data?.typed);
}

/** Tell whether an event tells of a throw, by its name; other events may repeat dice already thrown. */
function isThrow(/** @type {string} */ type) {
  return /(^|_)(rolled|drawn)(_|$)|(^|_)(dice|die)_thrown$/.test(type);
}

/** @param {unknown} value @param {boolean} isDice @returns {number[][]} */
function within(value, isDice) {
  if (typeof value === "number") return isDice ? [[value]] : [];
  if (Array.isArray(value)) {
    if (isDice && value.every((each) => typeof each === "number")) return [value];
    return value.flatMap((each) => within(each, isDice));
  }
  if (!isObject(value)) return [];
  const members = Object.entries(/** @type {object} */ (value));
  return members.flatMap(([name, each]) => within(each, name === "dice" || name === "die"));
}
