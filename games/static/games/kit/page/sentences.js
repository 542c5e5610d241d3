// @ts-check
/**
 * What events say, from the declarations of their game and of the house: games/kernel/sentences.py is the same for the
 * server. The sentences come in the page's language with its texts (`django.sentences`).
 */
import { nameOf, namesOf } from "games/kit/seats.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {House.SentEvent} Event without data: it is for other readers */
/** @typedef {Record<string, any>} Data an event's fields, and `options`, the house rules */
/** @typedef {any} Node a sentence as the declarations have it (games/kernel/sentences.py) */

const DELETED = "Deleted player";

/** Return a stored name in the reader's language (docs/decisions/deleted-names.md). @param {string} name */
export const nameFor = (name) => (name === DELETED ? gettext("Deleted player") : name);

/** Return a table with the names in the reader's language. @param {House.SentTable} table */
export function named(table) {
  return { ...table, seats: table.seats.map(namedSeat) };
}

/**
 * Return a seat with the names in the reader's language.
 * @template {{name: string, before?: {name: string, upto: number}[]}} T @param {T} seat @returns {T}
 */
export function namedSeat(seat) {
  return { ...renamed(seat), ...(seat.before ? { before: seat.before.map(renamed) } : {}) };
}

/** @template {{name: string}} T @param {T} one @returns {T} */
const renamed = (one) => ({ ...one, name: nameFor(one.name) });

/** Return how an event is told; {} where it says nothing. @param {string} type */
export function manner(type) {
  return django.sentences.events[type] ?? {};
}

/**
 * Return an event's line in the log; "" if it has none, its type if another version of the house wrote it.
 * @param {Event} event @param {SeatInfo[]} seats @param {Data} [options]
 */
export function lineOf({ type, data }, seats, options = {}) {
  if (data && !(type in django.sentences.events)) return type;
  return data ? filled(manner(type).line, { ...data, options }, seats) : "";
}

/**
 * Return the lines of an entry: a game's own line about a newcomer is more precise than the house's.
 * @param {Event[]} events @param {SeatInfo[]} seats @param {Data} [options]
 */
export function linesOf(events, seats, options) {
  const lines = events.map((event) => lineOf(event, seats, options));
  const others = lines.filter((line, i) => line && events[i].type !== "table.joined");
  return others.length ? others : lines.filter(Boolean);
}

/**
 * Return what screen readers hear of events: the lines of the log, or what is said in their place, each with its event.
 * @param {Event[]} events @param {SeatInfo[]} seats @param {Data} [options]
 */
export function spokenOf(events, seats, options = {}) {
  const replaced = events.flatMap(({ type, data }) =>
    (manner(type).spokenFor ?? []).map((/** @type {string} */ other) => `${other} ${data?.seat}`));
  return events.flatMap((event) => {
    const { spoken, isAloud = false, answeredBy = null } = manner(event.type);
    if (!event.data || replaced.includes(`${event.type} ${event.data.seat}`)) return [];
    const text = spoken ? filled(spoken, { ...event.data, options }, seats) : lineOf(event, seats, options);
    return text ? [{ event, text, isAloud, answeredBy }] : [];
  });
}

/**
 * Return a line that comes with a view or a headline: a phrase or an event by its name, with its data.
 * @param {[string, Data]} line @param {SeatInfo[]} seats @param {Data} [options]
 */
export function told([name, data], seats, options = {}) {
  const { phrases, events } = django.sentences;
  return filled(phrases[name] ?? events[name]?.line, { ...data, options }, seats);
}

/** Return a phrase of the game. @param {string} name @param {Data} data @param {SeatInfo[]} [seats] */
export function phrase(name, data, seats = []) {
  return filled(django.sentences.phrases[name], data, seats);
}

/**
 * Return a sentence about data; "" if it says nothing.
 * @param {Node} node @param {Data} data @param {SeatInfo[]} seats
 * @returns {string}
 */
export function filled(node, data, seats) {
  if (!node) return "";
  if ("text" in node) return text(node.text, node, data, seats);
  if ("forms" in node) {
    const form = django.pluralidx(Number(filled(node.count, data, seats)));
    return text(node.forms[form], node, data, seats);
  }
  if ("first" in node) {
    const [, then] = node.first.find((/** @type {[Test[], Node]} */ [tests]) => holds(tests, data));
    return filled(then, data, seats);
  }
  if ("pick" in node) {
    const key = plain(member(data, node.pick));
    if (key in node.among) return filled(node.among[key], data, seats);
    return "otherwise" in node ? filled(node.otherwise, data, seats) : key;
  }
  if ("each" in node) return itemTexts(node, data, seats).join(node.join) || node.none;
  if ("within" in node) return filled(node.say, { ...data, ...member(data, node.within) }, seats);
  if ("together" in node)
    return node.together.map((/** @type {Node} */ one) => filled(one, data, seats)).filter(Boolean).join(" ");
  const [[kind, of]] = Object.entries(node);
  return VALUES[kind](of, data, seats);
}

/** @type {Record<string, (of: Node, data: Data, seats: SeatInfo[]) => string>} */
const VALUES = {
  value: (path, data) => plain(member(data, path)),
  phrase: (name, data, seats) => phrase(name, data, seats),
  number: (items, data, seats) => String(itemTexts(items, data, seats).length),
  times: ([path, by], data) => String(member(data, path) * (typeof by === "number" ? by : member(data, by))),
  seat: (path, data, seats) => nameOf(seats, member(data, path)),
  seats: (path, data, seats) => namesOf(seats, member(data, path)),
  signed: (path, data) => signed(member(data, path)),
  size: (path, data) => String(Math.abs(member(data, path))),
  dice: (path, data) => member(data, path).join("-"),
  person: (path, data) => nameFor(plain(member(data, path))),
};

/** Return points with their sign, as a sheet writes them: +3, −1, 0. @param {number} points */
export function signed(points) {
  return points > 0 ? `+${points}` : String(points).replace("-", "−");
}

/** @param {string} template @param {Node} node @param {Data} data @param {SeatInfo[]} seats */
function text(template, node, data, seats) {
  const params = node.with ?? {};
  return template.replace(/%\((\w+)\)s/g, (_, name) =>
    name in params ? filled(params[name], data, seats) : plain(member(data, name)));
}

/** @param {Node} node @param {Data} data @param {SeatInfo[]} seats @returns {string[]} */
function itemTexts({ each: paths, say, once }, data, seats) {
  const lists = paths.map((/** @type {string} */ path) => member(data, path) ?? []);
  const texts = lists[0].map((/** @type {Node} */ item, /** @type {number} */ index) => {
    const fields = paths.length > 1
      ? Object.fromEntries(paths.map((/** @type {string} */ path, /** @type {number} */ i) => [path, lists[i][index]]))
      : { ...(isObject(item) ? item : {}), item, index };
    return filled(say, { ...data, ...fields }, seats);
  }).filter(Boolean);
  return once ? [...new Set(texts)] : texts;
}

/** @param {unknown} value */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** Tell whether there is anything but 0, "" and []. @param {unknown} value */
const isAny = (value) => (Array.isArray(value) ? value.length > 0 : Boolean(value));

/** @typedef {[kind: string, path: string, ...more: Node[]]} Test */
/** @type {Record<string, (found: Node, data: Data, ...more: Node[]) => boolean>} */
const CONDITIONS = {
  is: (found) => isAny(found),
  no: (found) => !isAny(found),
  given: (found) => found !== null && found !== undefined,
  missing: (found) => found === null || found === undefined,
  equals: (found, _, value) => found === value,
  more: (found, _, than) => (Array.isArray(found) ? found.length : found) > than,
  same: (found, data, other) => found === member(data, other),
  alike: (found) => new Set(found).size <= 1,
  among: (found, data, of) => (member(data, of) ?? []).includes(found),
  has: (found, _, value) => (found ?? []).includes(value),
  some: (found, _, member) => found.some((/** @type {Data} */ one) => one[member]),
};

/** @param {Test[]} tests @param {Data} data */
function holds(tests, data) {
  return tests.every(([kind, path, ...more]) => CONDITIONS[kind](member(data, path), data, ...more));
}

/** Return a member by its path. @param {Data} data @param {string} path @returns {Node} */
function member(data, path) {
  const named = (/** @type {string} */ part) => (part.startsWith("{") ? plain(data[part.slice(1, -1)]) : part);
  return path.split(".").reduce((found, part) => found?.[named(part)], data);
}

/** @param {unknown} value */
const plain = (value) => (value === null || value === undefined ? "" : String(value));

/** Return lines as sentences, each with its end. @param {string[]} lines */
export const sentences = (lines) =>
  lines.filter(Boolean).map((line) => (/[.!?…]$/.test(line) ? line : `${line}.`)).join(" ");
