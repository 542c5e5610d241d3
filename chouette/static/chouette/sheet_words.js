// @ts-check
/** Words of the score sheet: short names, why points go from one to another. */
import { h } from "games/dom.js";
import { nameOf } from "games/kit/seats.js";
import { howText } from "chouette/words.js";

/** @typedef {import("chouette/words.js").SeatInfo} SeatInfo */

/** Tell a number's sign to the style sheet. @param {number} points */
export function sign(points) {
  return points > 0 ? "plus" : points < 0 ? "minus" : "zero";
}

/** A person in a list: a dot in the seat's colour and the name. @param {SeatInfo[]} seats @param {number} seat */
export function person(seats, seat) {
  return h("span", { class: `bt-person seat-${seat % 12}` }, nameOf(seats, seat));
}

/**
 * First names where they differ, cut to `longest` letters; whole names where they don't.
 * @param {string[]} names @param {number} [longest]
 */
export function shortNames(names, longest = 8) {
  const firsts = names.map((one) => one.split(/\s/)[0]);
  return names.map((one, i) => {
    const short = firsts.filter((first) => first === firsts[i]).length > 1 ? one : firsts[i];
    const letters = Array.from(short);
    return letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : short;
  });
}

/**
 * As few letters as tell the names apart: A, Be, Bo; a number where three don't.
 * @param {string[]} names
 */
export function initials(names) {
  const parts = names.map((one) => Array.from(one.replace(/\s/g, "")));
  return parts.map((letters, i) => {
    for (const count of [1, 2, 3]) {
      const found = letters.slice(0, count).join("");
      const same = parts.filter((p) => p.slice(0, count).join("").toLowerCase() === found.toLowerCase());
      if (same.length === 1) return found;
    }
    return letters[0] + (i + 1);
  });
}

/** Why somebody pays somebody. @param {string} why */
export function reason(why) {
  const other = {
    partner: gettext("half of the Box's result"), extra: gettext("for an extra"), correction: gettext("correction"),
  }[why];
  return other ?? howText(why);
}
