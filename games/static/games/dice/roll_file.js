// @ts-check
/** A check of roll files: it throws their dice again, as games/kernel/dice/dice_check.py does, without a server. */
import { ChainRolls, LEVELS } from "games/dice/chain_rolls.js";
import { bytesOf, hexOf, hmac, sha256 } from "games/dice/sha256.js";

/** Bytes from here on are skipped, so that every face is equally likely. */
const FAIR_BYTES = 252;
const TEXT = new TextEncoder();
const QUOTE = "\x22";

/**
 * The findings about one table; `sealed`: its secret number is not known yet.
 * @typedef {{ rolls: number, typed: number, sealed: boolean, faults: string[] }} Found
 */

/**
 * Return die number `index` (from 0): 1..6.
 * @param {Uint8Array} seed @param {string} salt @param {number} index
 */
export function die(seed, salt, index) {
  for (let block = 0; ; block++) {
    const hand = hmac(seed, TEXT.encode(`${salt}:${index}:${block}`));
    const byte = hand.find((each) => each < FAIR_BYTES);
    if (byte !== undefined) return (byte % 6) + 1;
  }
}

/**
 * Return the rows of a CSV file by the names of its first row; a cell in quotes may hold any character.
 * @param {string} text
 * @returns {Record<string, string>[]}
 */
export function rowsOf(text) {
  const cells = text.replace(/^\ufeff/, "").matchAll(/(\x22(?:[^\x22]|\x22\x22)*\x22|[^,\r\n]*)(,|\r?\n|$)/g);
  /** @type {string[][]} */
  const lines = [[]];
  for (const [, cell, end] of cells) {
    lines[lines.length - 1]?.push(cell.startsWith(QUOTE) ? cell.slice(1, -1).replaceAll(QUOTE + QUOTE, QUOTE) : cell);
    if (end === "") break;
    if (end !== ",") lines.push([]);
  }
  const [head, ...rows] = lines.filter((line) => line.length > 1);
  return rows.map((row) => Object.fromEntries((head ?? []).map((name, i) => [name, row[i] ?? ""])));
}

/** Return the parts of a proof: "a=1 b=2" has a and b. */
function proofOf(/** @type {string} */ text) {
  return new Map(text.split(" ").map((part) => /** @type {[string, string]} */ (part.split("="))));
}

function part(/** @type {Map<string, string>} */ proof, /** @type {string} */ name) {
  const found = proof.get(name);
  if (found === undefined) throw new RangeError(`no ${name}`);
  return found;
}

/** One table's seed and salt, or its chains, and the findings about its rolls. */
class Table {
  /** @param {string} name */
  constructor(name) {
    this.chains = new ChainRolls(name);
  }

  /** @type {Found} */
  found = { rolls: 0, typed: 0, sealed: true, faults: [] };
  salt = "";
  /** @type {Uint8Array} */
  seed = new Uint8Array();

  /** Take a row of kind "seal": check the seed and the players' numbers against the sealed hashes. */
  seal(/** @type {Map<string, string>} */ proof) {
    const numbers = part(proof, "numbers").split(".").map(bytesOf);
    const all = numbers.flatMap((number, i) => (i ? [10, ...number] : [...number]));
    this.salt = part(proof, "salt");
    if (hexOf(sha256(Uint8Array.from(all))) !== this.salt) this.found.faults.push("numbers");
    const seed = proof.get("seed");
    if (seed === undefined) return;
    [this.seed, this.found.sealed] = [bytesOf(seed), false];
    if (hexOf(sha256(this.seed)) !== part(proof, "commitment")) this.found.faults.push("seed");
  }

  /** Throw a roll again, if the seed is known. */
  roll(/** @type {string} */ faces, /** @type {Map<string, string>} */ proof) {
    this.found.rolls++;
    if (this.found.sealed) return;
    const first = Number(part(proof, "first"));
    const again = faces.split(" ").map((_, i) => die(this.seed, this.salt, first + i)).join(" ");
    if (again !== faces) this.found.faults.push(`${faces} ≠ ${again}`);
  }

  /** Take a row of a table whose dice follow from chains: nothing of it is sealed. */
  chained(/** @type {Record<string, string>} */ { kind, level, faces, proof }) {
    const parts = proofOf(proof), of = (/** @type {string} */ name) => part(parts, name);
    this.found.sealed = false;
    if (kind === "seal") this.chains.commit(of);
    else if (kind === "tip") this.chains.tip(of);
    else {
      this.found.rolls++;
      this.found.faults.push(...this.chains.roll(faces, level, of, Object.fromEntries(parts)));
    }
  }

  /** Take a row of the file. */
  row(/** @type {Record<string, string>} */ row) {
    if (row.level === "pnd1" || LEVELS.includes(row.level)) this.chained(row);
    else if (row.kind === "seal") this.seal(proofOf(row.proof));
    else if (row.level === "sealed") this.roll(row.faces, proofOf(row.proof));
    else this.found.typed++;
  }
}

/**
 * Return the findings about each table in a roll file, by the table's name.
 * @param {string} text
 * @returns {Map<string, Found>}
 */
export function check(text) {
  /** @type {Map<string, Table>} */
  const tables = new Map();
  rowsOf(text).forEach((row, i) => {
    const name = row.table ?? "";
    const table = tables.get(name) ?? new Table(name);
    tables.set(name, table);
    try {
      table.row(row);
    } catch (error) {
      table.found.faults.push(`${i + 2}: ${error instanceof Error ? error.message : ""}`);
    }
  });
  return new Map([...tables].map(([name, table]) => [name, table.found]));
}
