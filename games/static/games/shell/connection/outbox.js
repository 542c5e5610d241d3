// @ts-check
/**
 * Commands without an answer from the server so far. They never change their id, so that a
 * command sent twice is carried out once; they survive a reload of the page.
 */
import { randomId } from "games/kit/page/dom.js";
import { read, write } from "games/kit/page/preferences.js";

/** @typedef {{seat: number, sitter: number | null}} Upon another's seat, with its person */
/** @typedef {{type: "command", id: string, name: string, args: object, basis?: number | null}} Command */
/** @typedef {Command & Partial<Upon>} CommandFrame */

/** Age in milliseconds after which a stored command is dropped: the game has gone on. */
const OLDEST = 10 * 60 * 1000;

export class Outbox {
  /** @param {string} key of the table and the player that the commands belong to */
  constructor(key) {
    this.key = `outbox.${key}`;
    /** @type {Map<string, {frame: CommandFrame, at: number}>} */
    this.waiting = new Map();
    const stored = JSON.parse(read(sessionStorage, this.key) ?? "[]");
    for (const item of stored) {
      if (Date.now() - item.at < OLDEST) this.waiting.set(item.frame.id, item);
    }
  }

  /**
   * Put a new command in and return its frame.
   * @param {string} name
   * @param {object} args
   * @param {number | null} [basis]
   * @param {Upon} [upon] the seat to act for and its person
   * @returns {CommandFrame}
   */
  add(name, args, basis, upon) {
    /** @type {CommandFrame} */
    const frame = { type: "command", id: randomId("c-"), name, args, basis, ...upon };
    this.waiting.set(frame.id, { frame, at: Date.now() });
    this.#store();
    return frame;
  }

  /**
   * Take an answered command out and return it.
   * @param {string | undefined} id
   * @returns {CommandFrame | null}
   */
  take(id) {
    const item = id === undefined ? undefined : this.waiting.get(id);
    if (!item) return null;
    this.waiting.delete(item.frame.id);
    this.#store();
    return item.frame;
  }

  /** @param {string} id */
  get(id) {
    return this.waiting.get(id)?.frame ?? null;
  }

  /** All commands that wait for an answer, oldest first. */
  get frames() {
    return [...this.waiting.values()].map((item) => item.frame);
  }

  #store() {
    const items = [...this.waiting.values()];
    write(sessionStorage, this.key, items.length ? JSON.stringify(items) : null);
  }
}
