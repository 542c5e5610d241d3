// @ts-check
/**
 * A device's knowledge of a table's dice, from the log alone: the last link of every chain, and the throw under way.
 * It checks each entry as it is read, and holds no secret of a chain; as JSON it survives a reload of the page.
 */
import { facesOf, follows } from "games/dice/chains.js";
import { hexOf, sha256 } from "games/dice/sha256.js";

/** The form of what is kept; a record of another one is read anew from the log. */
const VERSION = 2;
/** Number of the last entries that are known again. */
const KNOWN_ENTRIES = 100;
/** Number of the last entries with dice from which dice on a table may have fallen: an opening roll comes in two. */
const LYING_ENTRIES = 2;
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
 * A throw whose link is held back: `told` is the digest of its entry, `seen` are the events with hidden dice that this
 * device was shown, as text.
 * @typedef {{ seq: number, k: number, told: string, seen: string[] }} Held
 * @typedef {(seat: number) => boolean} Owns tells whether what a seat alone may see is shown on this device
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
 * @property {Held[]} [held]
 * @property {boolean} [isOver]
 * @property {number[][]} [fallen]
 */
/** @typedef {Record<string, any>} Data of an event of the house */
/** @typedef {{seq: number, events: House.SentEvent[], throw?: Thrown}} Entry of the log, as much as is read of it */

export class DiceRecord {
  /**
   * @param {string} table @param {Kept} [kept] an earlier result of `toJSON`
   * @param {readonly string[]} hidden types of the game's events with hidden dice, as the game's own script names them
   */
  constructor(table, kept = {}, hidden = []) {
    const known = kept.version === VERSION ? kept : {};
    this.table = table;
    this.hidden = hidden;
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
    /** Throws whose links the house holds back, until it opens them. @type {Held[]} */
    this.held = known.held ?? [];
    /** Whether the log has told that the table has ended. */
    this.isOver = known.isOver ?? false;
    /** The faces of the last entries that told any. @type {number[][]} */
    this.fallen = known.fallen ?? [];
  }

  toJSON() {
    const { seq, k, committed, server, lasts, begun, isTyped, digests, held, isOver, fallen } = this;
    return { version: VERSION, seq, k, committed, server, lasts, begun, isTyped, digests, held, isOver, fallen };
  }

  /**
   * Read the next entry of the log, at a time in milliseconds.
   * @param {Entry} entry @param {Owns} owns @returns {Fault[]}
   */
  read(entry, now = 0, owns = () => true) {
    if (entry.seq <= this.seq) return this.#readBefore(entry);
    if (entry.seq > this.seq + 1) return [{ code: "sequence", seq: entry.seq, k: this.k }];
    this.seq = entry.seq;
    this.digests = [...this.digests, this.#digest(entry)].slice(-KNOWN_ENTRIES);
    const told = entry.events.filter(({ type }) => isThrow(type, this.hidden));
    const faces = told.flatMap(({ data }) => within(data, false)).flat();
    if (faces.length) this.fallen = [...this.fallen, faces].slice(-LYING_ENTRIES);
    /** @type {Found[]} */
    const faults = entry.events.flatMap((event) => this.#event(event, now));
    faults.push(...(entry.throw ? this.#thrown(entry, entry.throw, owns) : this.#unthrown(entry.events)));
    return faults.map((fault) => ({ seq: entry.seq, ...fault }));
  }

  /**
   * Check an entry that was read before: it says the same as then. One whose link was held back is thrown again when
   * it comes with the link.
   * @param {Entry} entry @returns {Fault[]}
   */
  #readBefore(entry) {
    const { seq, events } = entry, held = this.held.find((one) => one.seq === seq);
    const isIn = this.seq - seq < this.digests.length;
    const known = held?.told ?? this.digests[this.digests.length - 1 - (this.seq - seq)];
    const begun = events.find(({ type }) => type === "table.throw_begun");
    const k = entry.throw?.k ?? begun?.data?.k;
    const isSame = held || isIn ? known === this.#digest(entry) : !(k > this.k);
    if (!isSame) return [{ code: "sequence", seq, k: this.k }];
    const faults = held && entry.throw?.server ? this.#open(held, entry.throw, events) : [];
    return faults.map((fault) => ({ seq, ...fault }));
  }

  /** Tell whether dice are those that fell last; before any, they are a position's. @param {number[]} dice */
  hasFallen(dice) {
    const [last = []] = this.fallen.slice(-1), left = last.length < dice.length ? this.fallen.flat() : [...last];
    return !left.length || dice.every((die) => left.includes(die) && left.splice(left.indexOf(die), 1));
  }

  /** Check a throw whose link is no longer held back. @returns {Found[]} */
  #open(/** @type {Held} */ held, /** @type {Thrown} */ thrown, /** @type {House.SentEvent[]} */ events) {
    const { k } = held, chain = this.chainOf(k), server = String(thrown.server);
    this.held = this.held.filter((one) => one !== held);
    const isOfHouse = chain && follows("server", server, chain.commitment, k - chain.first + 1);
    const faults = isOfHouse ? [] : [{ code: "server_chain", k }];
    const told = events.filter(({ type }) => this.hidden.includes(type)).map(textOf);
    const isAsSeen = held.seen.every((each) => told.includes(each));
    return isAsSeen && this.#facesFit(thrown, events) ? faults : [...faults, { code: "dice", k }];
  }

  /** Return the faults of throws that are still held back when all of the log has been read after the table's end. */
  unopened() {
    const faults = this.held.map(({ seq, k }) => ({ code: "server_chain", seq, k }));
    this.held = [];
    return faults;
  }

  /** @param {{type: string, data?: any}} event of the house @param {number} now @returns {Found[]} */
  #event({ type, data = {} }, now) {
    if (OTHER_PLAYER.test(type)) this.#leave(data.seat);
    switch (type) {
      case "table.started":
        return this.#start(data);
      case "table.dice_revealed":
        this.isOver = true;
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

  /** Read how the table's dice fall: its first entry tells, and it never changes. @param {Data} data */
  #start({ options }) {
    if (this.isTyped !== null || this.seq !== 1) return [{ code: "typed", k: this.k }];
    this.isTyped = options?.dice === "typed";
    return [];
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
    const [last] = this.committed.slice(-1), due = last ? last.first + last.length : 1;
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
    const faults = this.#typed(events);
    if (groupsIn(events, this.hidden).length) faults.push({ code: "no_throw", k: this.k });
    return faults;
  }

  /** @param {House.SentEvent[]} events @returns {Found[]} */
  #typed(events) {
    const isTold = events.some(({ type, data }) => isThrow(type, this.hidden) && data?.typed);
    return isTold && this.isTyped !== true ? [{ code: "typed", k: this.k }] : [];
  }

  /** @param {Entry} entry @param {Thrown} thrown @param {Owns} owns */
  #thrown(entry, thrown, owns) {
    const { begun } = this, { k, server } = thrown, { events } = entry;
    const faults = begun ? this.#asBegun(thrown, begun) : this.#next(k);
    this.k = k;
    faults.push(...(server === null ? this.#hold(entry, k, owns) : this.#house(k, server)));
    for (const [seat, link] of Object.entries(thrown.links)) {
      const before = begun?.given[seat];
      if (before === undefined) faults.push(...this.#link(k, seat, link));
      else if (before !== link) faults.push({ code: "other_throw", k });
    }
    if (levelOf(thrown, begun) !== thrown.level) faults.push({ code: "level", k });
    faults.push(...this.#typed(events));
    if (server !== null && !this.#facesFit(thrown, events)) faults.push({ code: "dice", k });
    this.begun = null;
    return faults;
  }

  /**
   * Read a throw without the house's link, to check it when the table has ended. A link is held back only where the
   * game's script names events with hidden dice, and no other event tells dice, nor one of somebody else's.
   * @param {Entry} entry @param {number} k @param {Owns} owns
   */
  #hold({ seq, events }, k, owns) {
    const isHidden = (/** @type {House.SentEvent} */ { type, private: isPrivate, data }) =>
      this.hidden.includes(type) && isPrivate && owns(data?.seat);
    const seen = events.filter(isHidden), isHiding = seen.length > 0 || events.some(({ type }) => type === "hidden");
    const isOpen = events.some((event) => within(event.data, false).length > 0 && !isHidden(event));
    if (!this.hidden.length || !isHiding || isOpen || heldIn(events) !== k) return [{ code: "server_chain", k }];
    this.held.push({ seq, k, told: String(this.digests.slice(-1)[0]), seen: seen.map(textOf) });
    return [];
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

  /**
   * Tell whether the events have the faces that follow from a throw, those of each roll in any order.
   * @param {Thrown} thrown @param {House.SentEvent[]} events
   */
  #facesFit(thrown, events) {
    const rolls = groupsIn(events, this.hidden), count = rolls.flat().length;
    const again = facesOf({ ...thrown, server: String(thrown.server), table: this.table }, count);
    const fits = rolls.every((roll) => {
      const drawn = again.splice(0, roll.length);
      return JSON.stringify([...roll].sort()) === JSON.stringify(drawn.sort());
    });
    return fits && count >= thrown.n;
  }

  /** Return a digest of what an entry tells of dice, "" if nothing: with and without a held back link the same. */
  #digest(/** @type {Entry} */ { events, throw: told }) {
    const isHeld = heldIn(events) !== undefined, thrown = told && isHeld ? { ...told, server: null } : told;
    const open = isHeld ? events.filter(({ type }) => !this.hidden.includes(type)) : events;
    const of = events.filter(({ type }) => /^table\.(dice_(?!rev)|throw_|link_)/.test(type));
    const faces = groupsIn(open, this.hidden);
    if (!of.length && !thrown && !faces.length) return "";
    const text = toText([of.map(({ type, data }) => [type, data]), thrown ?? null, faces]);
    return hexOf(sha256(new TextEncoder().encode(text))).slice(0, 16);
  }

  /** Return the house's chain for a throw, as it was committed. @param {number} k */
  chainOf(k) {
    return this.committed.filter(({ first }) => first <= k).pop();
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

function isObject(/** @type {unknown} */ value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function sorted(/** @type {object} */ value) {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Return an event as text, whatever the order of its members. @param {House.SentEvent} event */
function textOf({ type, data }) {
  return toText([type, data]);
}

function toText(/** @type {unknown} */ value) {
  return JSON.stringify(value, (_, one) => (isObject(one) ? sorted(one) : one));
}

/** Return the faces in events that the house threw, by the names `dice` and `die`. @param {House.SentEvent[]} events */
export function facesIn(events) {
  return groupsIn(events).flat();
}

/**
 * Return the faces in events that the house threw, those that fell together in a list.
 * @param {House.SentEvent[]} events @param {readonly string[]} hidden types of events with hidden dice
 */
function groupsIn(events, hidden = []) {
  return events.flatMap(({ type, data }) => (isThrow(type, hidden) && !data?.typed ? within(data, false) : []));
}

/** Tell whether an event tells of a throw, by its name; other events may repeat dice already thrown. */
function isThrow(/** @type {string} */ type, /** @type {readonly string[]} */ hidden) {
  return hidden.includes(type) || /(^|_)(rolled|drawn)(_|$)|(^|_)(dice|die)_thrown$/.test(type);
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
