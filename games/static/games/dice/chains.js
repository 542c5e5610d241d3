// @ts-check
/**
 * Dice from chains of hashes (docs/fair-dice.md): each party has a chain and gives one link of it a throw. A link is
 * known to be the next one of its chain, as its hash is the link before it.
 */
import { bytesOf, hexOf, hmac, joined, sha256 } from "games/dice/sha256.js";

/** Bytes from here on are skipped, so that every face is equally likely. */
const FAIR_BYTES = 252;
/** Distance between the stored links of a chain: any other one is at most this many hashes away. */
const MARK_EVERY = 32;
const TEXT = new TextEncoder();

/** @typedef {"server" | "seat"} Party the owner of a chain */

/**
 * Everything that determines the faces of a throw; keys, links and `ctx` in hex.
 * @typedef {{ table: string, k: number, n: number, ctx: string, server: string, links: Record<string, string> }} Throw
 */

/** A number as bytes, the highest first. */
function number(/** @type {number} */ value, /** @type {number} */ size) {
  return Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** (size - 1 - i)) % 256);
}

/** Bytes with their length before them. */
function measured(/** @type {Uint8Array} */ bytes) {
  return joined(number(bytes.length, 2), bytes);
}

/** Return the link before a link. @param {Party} party @param {Uint8Array} link */
function before(party, link) {
  return sha256(joined(TEXT.encode(`pnd1/${party}\0`), link));
}

/**
 * Tell whether a link leads to another one of its chain, both in hex: by one step, or as many as links were left out.
 * @param {Party} party @param {string} link @param {string} last
 */
export function follows(party, link, last, steps = 1) {
  if (!/^[0-9a-f]{64}$/.test(link) || steps < 1) return false;
  let at = bytesOf(link);
  for (let i = 0; i < steps; i++) at = before(party, at);
  return hexOf(at) === last;
}

/**
 * Return the first `count` faces of a throw; more than `n` where ties were thrown again.
 * @param {Throw} thrown
 */
export function facesOf({ table, k, n, ctx, server, links }, count = n) {
  const seats = Object.keys(links).map(Number).sort((a, b) => a - b);
  const given = seats.map((seat) => joined([seat], measured(bytesOf(links[seat]))));
  const head = [TEXT.encode("pnd1/roll\0"), measured(TEXT.encode(table)), number(k, 4), [n], measured(bytesOf(ctx))];
  const begin = joined(...head, ...given), key = bytesOf(server);
  /** @type {number[]} */
  const faces = [];
  for (let block = 0; faces.length < count; block++) {
    const fair = hmac(key, joined(begin, number(block, 4))).filter((byte) => byte < FAIR_BYTES);
    faces.push(...Array.from(fair, (byte) => (byte % 6) + 1));
  }
  return faces.slice(0, count);
}

/** A party's own chain: link 0 is its tip, which is public; the last one is its secret. */
export class Chain {
  /** @param {Party} party @param {number} length @param {string[]} marks links in hex, from the tip to the last one */
  constructor(party, length, marks) {
    this.party = party;
    this.length = length;
    this.marks = marks;
  }

  /** @param {Party} party @param {Uint8Array} secret @param {number} length */
  static grown(party, secret, length) {
    const marks = [hexOf(secret)];
    for (let link = secret, index = length - 1; index >= 0; index--) {
      link = before(party, link);
      if (index % MARK_EVERY === 0) marks.unshift(hexOf(link));
    }
    return new Chain(party, length, marks);
  }

  get tip() {
    return this.marks[0];
  }

  /** Return a link in hex, 1 to `length`. */
  link(/** @type {number} */ index) {
    const at = Math.ceil(index / MARK_EVERY);
    let link = bytesOf(this.marks[at]);
    for (let i = Math.min(at * MARK_EVERY, this.length); i > index; i--) link = before(this.party, link);
    return hexOf(link);
  }
}
