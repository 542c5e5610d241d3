// @ts-check
/**
 * Positions as text, in the view of the player on roll: points as in board/state.js. The server
 * checks positions; here a text is read as far as it can be drawn.
 */
import { SIZE } from "chouette/board/state.js";

export const CHECKERS = 15;
const LETTERS = "-ABCDEFGHIJKLMNO";
const REST = "0:0:1:00:0:0:0:0:10";
export const START = "-b----E-C---eE---c-e----B-";
export const EMPTY = "-".repeat(SIZE);

/** @typedef {{points: number[], dice: number[], rest: string}} Setup `rest`: an XGID's other fields */

/**
 * Return what the first id in a text describes.
 * @param {string} pasted
 * @returns {Setup | null} null: nothing to draw
 */
export function read(pasted) {
  // Keyboards of phones make one long dash of two hyphens.
  return first(plain(pasted)) ?? first(plain(pasted.replaceAll("\u2014", "--")));
}

/** @param {string} text @returns {Setup | null} */
function first(text) {
  const xgid = XGID.exec(text);
  const ogid = OGID.exec(text);
  for (const { 1: before, 2: id, index } of text.matchAll(/(^|[^\w+/=:])([A-Za-z0-9+/]{14})(?![\w+/])/g)) {
    if (Math.min(xgid?.index ?? Infinity, ogid?.index ?? Infinity) < index + before.length) break;
    const setup = readId(id);
    if (setup) return setup;
  }
  if (ogid && (!xgid || ogid.index < xgid.index)) return readOgid(ogid);
  return xgid ? readXgid(xgid[1] ? xgid[1].replace(/\s/g, "") : xgid[2]) : null;
}

/** Return a text as it was before it became part of an address, or its hyphens dashes. @param {string} text */
function plain(text) {
  const open = text.replace(/%[0-9A-F]{2}/gi, (sign) => String.fromCharCode(parseInt(sign.slice(1), 16)));
  return open.replace(/[?&]\w{1,40}=/g, " ").replace(/[\u2010-\u2014\u2212]/g, "-");
}

/** With all its fields it may be wrapped. */
const XGID = new RegExp("XGID\\s*=\\s*((?:[-A-O]\\s*){26}"
  + "(?:(?::\\s*-?(?:\\s*\\w){1,5}?\\s*(?=:)){8}:\\s*-?\\w+|:\\S*)?)|(?:^|\\s)([-A-O]{26}(?::\\S*)?)(?=\\s|$)", "i");
const OGID = new RegExp("(?<![\\w:])(?:OGID[=:])?([0-9a-q]{1,15}):([0-9a-q]{1,15}):([WBN])(\\d)([NOTP])"
  + "(?::([1-6]{2})?(?::([WB])(?::(\\w{0,2})(?::(\\d*)(?::(\\d*)(?::(\\d*)(C?)[\\w:]*)?)?)?)?)?)?(?![\\w:])");

/** Return what an OGID describes (board/ogid.py). @param {RegExpExecArray} found @returns {Setup} */
function readOgid([, white, black, owner, cube, action, roll = "", last = "B", state = "IW", own = "", other = "",
  length = "", crawford = ""]) {
  const isOffered = action === "O";
  const isFirst = state === "IW" && !roll && !isOffered;
  const isWhite = isFirst || (last === "W") === isOffered;
  const points = Array(SIZE).fill(0);
  for (const [signs, isMine] of /** @type {[string, boolean][]} */ ([[white, isWhite], [black, !isWhite]])) {
    for (const sign of signs.replaceAll("q", "")) {
      const at = parseInt(sign, 36);
      points[isWhite ? SIZE - 1 - at : at] += isMine ? 1 : -1;
    }
  }
  const turned = owner === "N" ? 0 : (owner === "W") === isWhite ? 1 : -1;
  const score = [own || 0, other || 0];
  if (!isWhite) score.reverse();
  const dice = [...roll].map(Number).sort().reverse();
  const said = isOffered ? "D" : dice.join("") || "00";
  const fields = [cube, turned, 1, said, ...score, crawford ? 1 : 0, length || 0, 10];
  return { points, dice, rest: fields.join(":") };
}

/** @param {string} text @returns {Setup} */
function readXgid(text) {
  const [letters, ...given] = text.split(":");
  const [cube, owner, turn, roll, ...more] = REST.split(":").map((usual, i) => given[i] ?? usual);
  const points = [...letters].map((letter) => {
    const n = LETTERS.indexOf(letter.toUpperCase());
    return letter === letter.toUpperCase() ? n : -n;
  });
  const dice = /^[1-6]{2}$/.test(roll) ? [...roll].map(Number) : [];
  if (turn !== "-1") return { points, dice, rest: [cube, owner, turn, roll, ...more].join(":") };
  // Into the view of the player on roll: the sides are swapped.
  const mine = owner === "0" ? owner : String(-Number(owner));
  const [bottom, top, ...last] = more;
  const rest = [cube, mine, "1", roll, top, bottom, ...last].join(":");
  return { points: [...points].reverse().map((n) => (n ? -n : 0)), dice, rest };
}

/** @param {string} id @returns {Setup | null} */
function readId(id) {
  const bits = [...atob(`${id}==`)].flatMap((c) => [...Array(8).keys()].map((i) => (c.charCodeAt(0) >> i) & 1));
  const counts = [0];
  for (const bit of bits) {
    if (bit) counts[counts.length - 1] += 1;
    else counts.push(0);
  }
  if (counts.length < 2 * 25) return null;
  const points = Array(SIZE).fill(0);
  for (let i = 0; i < 25; i += 1) {
    points[24 - i] -= counts[i];
    points[i + 1] += counts[25 + i];
  }
  return Math.max(onBoard(points, true), onBoard(points, false)) > CHECKERS ? null : { points, dice: [], rest: REST };
}

/** @param {number[]} points @param {string} rest @returns {string} an XGID */
export function write(points, rest = REST) {
  const letters = points.map((n) => (n < 0 ? LETTERS[-n].toLowerCase() : LETTERS[n]));
  return `XGID=${letters.join("")}:${rest}`;
}

/** Return the number of a side's checkers on the board. @param {number[]} points @param {boolean} isMine */
export const onBoard = (points, isMine) =>
  points.reduce((sum, n) => sum + Math.max(0, isMine ? n : -n), 0);

/**
 * Return the position after a tap with a tool; the same one if no checker can be put there.
 * @param {number[]} points @param {number} at 0–25 @param {"mine" | "theirs" | "none"} tool
 * @returns {number[]}
 */
export function put(points, at, tool) {
  const next = [...points], sign = tool === "mine" ? 1 : -1;
  if (tool === "none") next[at] -= Math.sign(next[at]);
  else if ((at === 0 && sign > 0) || (at === SIZE - 1 && sign < 0)) return points;
  else next[at] = Math.sign(next[at]) === -sign ? sign : next[at] + sign;
  return Math.max(onBoard(next, true), onBoard(next, false)) > CHECKERS ? points : next;
}
