// @ts-check
/** The seats of a table: names and presence. */
import { setAttr } from "games/kit/page/dom.js";
import { andList, fill } from "games/kit/page/text.js";

/** @typedef {Pick<House.SentTableSeat, "seat" | "name" | "player" | "bot">} SeatName */
/** @typedef {SeatName & Partial<House.SentTableSeat> & {presence?: string}} SeatInfo a seat of the table object */

/**
 * The name at a seat, without the bot's mark, which is shown beside it; "" for no seat.
 * @param {SeatInfo[]} seats
 * @param {number | null | undefined} seat
 */
export function nameOf(seats, seat) {
  if (seat === null || seat === undefined) return "";
  const found = seats.find((s) => s.seat === seat);
  return found ? found.name.replace(/ 🤖$/u, "") : fill(gettext("Seat %(number)s"), { number: seat + 1 });
}

/**
 * Return the seats under the names of the people who sat there at an entry.
 * @param {SeatInfo[]} seats @param {number} seq
 */
export function seatsAt(seats, seq) {
  return seats.map((seat) => ({ ...seat, ...seat.before?.find(({ upto }) => seq < upto) }));
}

/**
 * Return names joined as in a sentence, each once: "Ada, Bo and Cy".
 * @param {SeatInfo[]} seats
 * @param {number[]} which
 */
export function namesOf(seats, which) {
  return andList([...new Set(which)].map((seat) => nameOf(seats, seat)));
}

/**
 * Return two letters for each name, unique among the names: its first, and the next one that differs.
 * @param {string[]} names
 * @returns {string[]}
 */
export function twoLetters(names) {
  const all = names.map((name) => [...name.replace(/[^\p{L}\p{N}]/gu, "")]);
  /** @type {string[]} */
  const found = [];
  all.forEach((letters, i) => {
    const pairs = [...letters.slice(1), String(i + 1)].map((second) => `${letters[0] ?? "?"}${second}`);
    found.push(pairs.find((pair) => !found.some((other) => same(other, pair))) ?? pairs[0]);
  });
  return found;
}

/** @param {string} one @param {string} other */
const same = (one, other) => one.toLowerCase() === other.toLowerCase();

/** @type {Record<string, () => string>} */
const PRESENCE = {
  bot: () => gettext("is a bot"),
  empty: () => gettext("has left the seat"),
  away: () => gettext("is away"),
  gone: () => gettext("is not connected"),
  here: () => gettext("is here"),
  no_phone: () => gettext("has no phone"),
};

/**
 * Show on a dot of class `presence` whether a player is here.
 * @param {Element} dot
 * @param {SeatInfo | undefined} person
 * @param {string} [bot] the word for a bot, if not the usual one
 */
export function showPresence(dot, person, bot) {
  const state = person?.bot ? "bot" : person?.player == null ? "empty" : person.presence ?? "gone";
  const text = (state === "bot" && bot) || PRESENCE[state]();
  setAttr(dot, "data-presence", state);
  setAttr(dot, "role", "img");
  setAttr(dot, "aria-label", text);
  setAttr(dot, "title", text);
}
