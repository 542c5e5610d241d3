// @ts-check
/**
 * A device's knowledge of a table's dice, from the log alone: the last link of every chain, and the throw under way.
 * It checks each entry as it is read, and holds nothing secret; as JSON it survives a reload of the page.
 */
import { facesOf, follows } from "games/dice/chains.js";

/**
 * A fault in an entry: `code` names it, `seat` is the owner of the chain.
 * @typedef {{ code: string, seq: number, k: number, seat?: number }} Fault
 * @typedef {{ k: number, seat: number, n: number, ctx: string, contributors: number[],
 *   lasts: Record<string, string>, given: Record<string, string> }} Begun
 * @typedef {{ commitment: string, first: number }} Committed
 * @typedef {{ k: number, level: string, n: number, ctx: string, server: string,
 *   links: Record<string, string> }} Thrown as in docs/protocol.md
 */

export class DiceRecord {
  /** @param {string} table @param {any} [kept] an earlier result of `toJSON` */
  constructor(table, kept = {}) {
    this.table = table;
    /** The last entry that was read; 0: none yet. */
    this.seq = kept.seq ?? 0;
    /** The last throw that was begun. */
    this.k = kept.k ?? 0;
    /** The house's chains, the newest last. @type {Committed[]} */
    this.committed = kept.committed ?? [];
    /** The house's last link that was shown, and its throw. @type {{link: string, k: number} | null} */
    this.server = kept.server ?? null;
    /** Each seat's tip or last link. @type {Record<string, string>} */
    this.lasts = kept.lasts ?? {};
    /** @type {Begun | null} */
    this.begun = kept.begun ?? null;
  }

  toJSON() {
    const { seq, k, committed, server, lasts, begun } = this;
    return { seq, k, committed, server, lasts, begun };
  }

  /** Read the next entry of the log. @param {any} entry @returns {Fault[]} */
  read(entry) {
    if (entry.seq <= this.seq) return [];
    this.seq = entry.seq;
    const faults = entry.events.flatMap((/** @type {any} */ event) => this.#event(event));
    const found = entry.throw ? [...faults, ...this.#thrown(entry.throw, entry.events)] : faults;
    return found.map((fault) => ({ seq: entry.seq, ...fault }));
  }

  /** @param {{type: string, data: any}} event */
  #event({ type, data }) {
    switch (type) {
      case "table.dice_committed":
        return this.#commit(data);
      case "table.dice_tip":
        this.lasts[data.seat] = data.tip;
        return [];
      case "table.throw_begun":
        return this.#begin(data);
      case "table.link_given":
        return this.#given(data);
      case "table.link_missed":
        if (this.begun) this.begun.contributors = this.begun.contributors.filter((seat) => seat !== data.seat);
        return [];
      case "table.throw_dropped":
        this.begun = null;
        return [];
      default:
        return [];
    }
  }

  /** Read a commitment: it never changes, and is told before its chain's first throw. @param {Committed} told */
  #commit({ commitment, first }) {
    const same = this.committed.find((each) => each.first === first);
    if (same?.commitment === commitment) return [];
    if (same || (this.k > 0 && first <= this.k + 1)) return [{ code: "commitment", k: this.k }];
    this.committed.push({ commitment, first });
    return [];
  }

  /** @param {any} data */
  #begin({ k, seat, n, ctx, contributors }) {
    const faults = this.#next(k);
    this.k = k;
    this.begun = { k, seat, n, ctx, contributors, lasts: { ...this.lasts }, given: {} };
    return faults;
  }

  /** Check that throws are counted without a gap, and that one ends before the next begins. @param {number} k */
  #next(k) {
    return this.begun || k !== this.k + 1 ? [{ code: "skipped", k }] : [];
  }

  /** @param {{k: number, seat: number, link: string}} data */
  #given({ k, seat, link }) {
    const { begun } = this;
    if (!begun || begun.k !== k) return [{ code: "other_throw", k, seat }];
    begun.given[seat] = link;
    if (!begun.contributors.includes(seat)) begun.contributors.push(seat);
    return this.#link(k, seat, link);
  }

  /** @param {number} k @param {number | string} seat @param {string} link */
  #link(k, seat, link) {
    const last = (this.begun?.lasts ?? this.lasts)[seat], isNext = this.isNext(Number(seat), link);
    // A tip that was told meanwhile is the later one: it stays.
    const isLast = this.lasts[seat] === last || this.lasts[seat] === link;
    if (isLast) this.lasts[seat] = link;
    return isNext ? [] : [{ code: "seat_chain", k, seat: Number(seat) }];
  }

  /** @param {Thrown} thrown @param {any[]} events */
  #thrown(thrown, events) {
    const faults = this.begun ? this.#asBegun(thrown, this.begun) : this.#next(thrown.k);
    this.k = thrown.k;
    faults.push(...this.#house(thrown));
    for (const [seat, link] of Object.entries(thrown.links)) {
      const before = this.begun?.given[seat];
      if (before === undefined) faults.push(...this.#link(thrown.k, seat, link));
      else if (before !== link) faults.push({ code: "other_throw", k: thrown.k });
    }
    if (!levelFits(thrown, this.begun?.seat)) faults.push({ code: "level", k: thrown.k });
    if (!facesFit({ ...thrown, table: this.table }, events)) faults.push({ code: "dice", k: thrown.k });
    this.begun = null;
    return faults;
  }

  /** Check that a throw ends as it was begun. @param {Thrown} thrown @param {Begun} begun */
  #asBegun({ k, n, ctx, links }, begun) {
    const isSame = begun.k === k && begun.n === n && begun.ctx === ctx;
    const lost = Object.keys(begun.given).some((seat) => !(seat in links));
    const extra = Object.keys(links).some((seat) => !begun.contributors.includes(Number(seat)));
    return isSame && !lost && !extra ? [] : [{ code: "other_throw", k }];
  }

  /** Check that the house's link leads to its last one shown, or to its commitment. @param {Thrown} thrown */
  #house({ k, server }) {
    const chain = this.committed.filter(({ first }) => first <= k).at(-1);
    const last = this.server && (!chain || this.server.k >= chain.first) ? this.server : null;
    const from = last ?? (chain && { link: chain.commitment, k: chain.first - 1 });
    this.server = { link: server, k };
    return !from || follows("server", server, from.link, k - from.k) ? [] : [{ code: "server_chain", k }];
  }

  /** Tell whether a link is a seat's next one, in the throw under way or the next. @param {number} seat */
  isNext(seat, /** @type {string} */ link) {
    const last = (this.begun?.lasts ?? this.lasts)[seat];
    return last !== undefined && follows("seat", link, last);
  }
}

/** Tell whether a level claims no more than the links show. @param {Thrown} thrown @param {number} [roller] */
function levelFits({ level, links }, roller) {
  const seats = Object.keys(links);
  if (level === "A") return seats.length > 1 && (roller === undefined || String(roller) in links);
  return level === "C" ? seats.length === 0 : seats.length === 1;
}

/**
 * Tell whether the events have the faces that follow from a throw; events may have none.
 * @param {import("games/dice/chains.js").Throw & Thrown} thrown @param {any[]} events
 */
function facesFit(thrown, events) {
  const faces = facesIn(events);
  const sorted = (/** @type {number[]} */ list) => JSON.stringify([...list].sort());
  return !faces.length || sorted(faces) === sorted(facesOf(thrown, faces.length));
}

/** Return the faces in events that the house threw, by the names `dice` and `die`. @param {any[]} events */
export function facesIn(events) {
  return events.flatMap(({ type, data }) => (isThrow(type) && !data?.typed ? within(data, false) : []));
}

/** Tell whether an event tells of a throw, by its name; other events may repeat dice already thrown. */
function isThrow(/** @type {string} */ type) {
  return /(^|_)(rolled|drawn)(_|$)|(^|_)(dice|die)_thrown$/.test(type);
}

/** @param {any} value @param {boolean} isDice @returns {number[]} */
function within(value, isDice) {
  if (typeof value === "number") return isDice ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((each) => within(each, isDice));
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, each]) => within(each, name === "dice" || name === "die"));
}
