// @ts-check
/** The rolls of a table in a roll file whose dice follow from chains; each is checked at once, also during play. */
import { facesOf, follows } from "games/dice/chains.js";

export const LEVELS = ["A", "B", "B2", "C"];

/**
 * A known link, with the number of its throw, or of the throw after which it counts.
 * @typedef {{ link: string, k: number }} Known
 */

/** The links that a file has told of a table's chains so far. A file of one player has gaps. */
export class ChainRolls {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    /** The house's chains, by the number of their first throw. @type {Known[]} */
    this.committed = [];
    /** @type {Known | null} */
    this.server = null;
    /** The last link of each seat, behind it those of its former chains. @type {Map<string, Known[]>} */
    this.seats = new Map();
    /** The numbers of throws that the file has. @type {Set<number>} */
    this.known = new Set();
    this.last = { k: 0, proof: "" };
  }

  /** Take a row of kind "seal": a commitment of the house. @param {(name: string) => string} part */
  commit(part) {
    this.committed.push({ link: part("commitment"), k: Number(part("first")) - 1 });
  }

  /** Take a row of kind "tip": a seat's chain from the next throw on. @param {(name: string) => string} part */
  tip(part) {
    const seat = part("seat"), known = this.seats.get(seat) ?? [];
    // Of the chains before, those are kept with which a throw under way may have begun.
    const older = known.findIndex(({ k }) => k < this.last.k);
    const kept = older < 0 ? known : known.slice(0, older + 1);
    this.seats.set(seat, [{ link: part("tip"), k: this.last.k }, ...kept]);
  }

  /**
   * Throw a roll again, and return its faults.
   * @param {string} faces @param {string} level @param {(name: string) => string} part
   * @param {{seat?: string, links?: string}} more parts that a proof may lack: the thrower, and the links of seats
   * @returns {string[]}
   */
  roll(faces, level, part, { seat, links: given = "" }) {
    const [k, n, at] = ["k", "n", "at"].map((name) => Number(part(name)));
    const [ctx, server] = [part("ctx"), part("server")];
    const links = Object.fromEntries(given.split(".").filter(Boolean).map((one) => one.split(":")));
    const proof = JSON.stringify([n, ctx, server, given]);
    const faults = this.last.k === k ? this.#sameThrow(proof) : this.#newThrow(k, server, links);
    this.last = { k, proof };
    if (!levelFits(level, Object.keys(links), seat)) faults.push(`k=${k}: ${level}?`);
    const count = faces.split(" ").length;
    const again = facesOf({ table: this.table, k, n, ctx, server, links }, at + count).slice(at).join(" ");
    return again === faces ? faults : [...faults, `${faces} ≠ ${again}`];
  }

  /** @param {string} proof */
  #sameThrow(proof) {
    return proof === this.last.proof ? [] : [`k=${this.last.k}: 2 ≠ 1`];
  }

  /** @param {number} k @param {string} server @param {Record<string, string>} links */
  #newThrow(k, server, links) {
    const faults = k > this.last.k ? [] : [`k=${k} < ${this.last.k}`];
    if (!this.#isOfHouse(k, server)) faults.push(`k=${k}: server`);
    const wrong = Object.entries(links).filter(([seat, link]) => !this.#isNext(k, seat, link));
    faults.push(...wrong.map(([seat]) => `k=${k}: seat ${seat}`));
    this.known.add(k);
    return faults;
  }

  /** Tell whether a link is the house's: its chain has one for each number. @param {number} k @param {string} link */
  #isOfHouse(k, link) {
    const begin = this.committed.filter((each) => each.k < k).pop();
    const from = this.server && begin && this.server.k > begin.k ? this.server : begin;
    this.server = { link, k };
    return from !== undefined && follows("server", link, from.link, k - from.k);
  }

  /** Tell whether a link is a seat's next one; for each throw missing in the file one link may be missing. */
  #isNext(/** @type {number} */ k, /** @type {string} */ seat, /** @type {string} */ link) {
    const known = this.seats.get(seat) ?? [];
    const from = known.find((each) => this.#leads(k, link, each));
    // A throw under way goes on with the chain that it began with.
    const at = from ? known.indexOf(from) : 0;
    this.seats.set(seat, at ? known.slice(0, at) : [{ link, k }]);
    return from !== undefined;
  }

  #leads(/** @type {number} */ k, /** @type {string} */ link, /** @type {Known} */ from) {
    let steps = 1;
    for (let between = from.k + 1; between < k; between++) if (!this.known.has(between)) steps++;
    return Array.from({ length: steps }, (_, i) => i + 1).some((each) => follows("seat", link, from.link, each));
  }
}

/** Tell whether a level claims no more than the links show. @param {string[]} seats that gave one */
function levelFits(/** @type {string} */ level, seats, /** @type {string | undefined} */ roller) {
  if (level === "A") return seats.length > 1 && (roller === undefined || seats.includes(roller));
  return level === "C" ? !seats.length : seats.length === 1;
}
