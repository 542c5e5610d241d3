// @ts-check
/** Chicago's words: the phrases of sentences that are declared with the rules. */
import { phrase } from "games/kit/page/sentences.js";
import { fill } from "games/kit/page/text.js";

/**
 * The result of a turn.
 * @typedef {object} Result
 * @property {number} round
 * @property {number} seat
 * @property {number[]} dice
 * @property {number} value
 * @property {number} throws
 * @property {boolean} chick
 * @property {boolean} fish
 */
/** @typedef {{ones: number, sixes: number, high: boolean}} Valuation */

/** @param {number} n one to three as a word, in the words of the game */
export const word = (n) => phrase("word", { throws: n });

/** Return a die's face as a word. @param {number} face */
export function faceWord(face) {
  return [
    "", gettext("one"), gettext("two"), gettext("three"), gettext("four"), gettext("five"), gettext("six"),
  ][face];
}

/** @typedef {{value: number, throws: number, chick?: boolean, fish: boolean}} Called */

/** Return a result as it is called: "123 in two". @param {Called} result */
export const called = (result) => phrase("called", result);

/**
 * Return a result in as little room as possible: "123".
 * @param {{value: number, chick?: boolean, fish: boolean}} result
 */
export const short = (result) => phrase("short", result);

/** Return an announcement without the declaration: "123 in two are high". @param {Chicago.Announcement} announced */
export const announcement = (announced) => phrase("announced", announced);

/** Return a valuation in words: "ones 100, sixes 60, high counts". @param {Valuation} valuation */
export const counts = (valuation) => phrase("counts", { valuation });

/** Tell whether the smallest number is best in this round. @param {Chicago.View} view */
export function isLowRound(view) {
  return view.valuation ? !view.valuation.high : false;
}

/** @typedef {Chicago.View["options"]} Options the house rules */

/** Return the word for a mat, by the way in which mats are played off. @param {Options} options */
export const matWord = (options) => phrase("mat", { options });

/** Return the plural of that word. @param {Options} options */
export const mats = (options) => phrase("mats", { options });

/** Return a number of mats: "1 beer mat". @param {number} count @param {Options} options */
export const countedMats = (count, options) => phrase("counted_mats", { count, options });

/** Return a number of forfeits: "a push-up", "3 × a push-up". @param {number} count @param {Options} options */
export const forfeits = (count, options) => phrase("forfeits", { count, options });

/** Return the phase in words. @param {string} phase @param {Options} options */
export function phaseName(phase, options) {
  /** @type {Record<string, string>} */
  const names = {
    rounds: "",
    dealing: fill(gettext("Dealing the %(mats)s"), { mats: mats(options) }),
    playing_off: gettext("Playing off"),
    over: gettext("The game is over"),
  };
  return names[phase] ?? "";
}

/** Return a breach in words. @param {string} breach */
export const breachName = (breach) => phrase("breach_name", { breach });
