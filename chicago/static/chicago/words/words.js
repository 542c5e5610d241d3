// @ts-check
/** Chicago's sentences. The worth of dice is only for display here, never for a decision. */
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
export function word(n) {
  return [gettext("none"), gettext("one"), gettext("two"), gettext("three")][n] ?? String(n);
}

/** Return a die's face as a word. @param {number} face */
export function faceWord(face) {
  return [
    "", gettext("one"), gettext("two"), gettext("three"), gettext("four"), gettext("five"), gettext("six"),
  ][face];
}

/** @typedef {{value: number, throws: number, chick?: boolean, fish: boolean}} Called */

/**
 * Return a result as it is called: "123 in two". Where Fish are compared by their sum, they have a value.
 * @param {Called} result
 */
export function called(result) {
  if (result.chick) return gettext("Chick");
  const params = { value: result.value, throws: word(result.throws) };
  if (!result.fish) return fill(gettext("%(value)s in %(throws)s"), params);
  return fill(result.value ? gettext("Fish %(value)s in %(throws)s") : gettext("Fish in %(throws)s"), params);
}

/**
 * Return a result in as little room as possible: "123".
 * @param {{value: number, chick?: boolean, fish: boolean}} result
 */
export function short(result) {
  if (result.chick) return gettext("Chick");
  return result.fish ? fish(result.value) : String(result.value);
}

/** Return a Fish, with its sum if that counts. @param {number} value 0 where all Fish are equal */
function fish(value) {
  return value ? fill(gettext("Fish %(value)s"), { value }) : gettext("Fish");
}

/**
 * Return an announcement: "123 in two are high", with the declaration. High and low are ranks:
 * where the smallest number is best, both are said.
 * @param {object} data
 * @param {string} data.kind
 * @param {number} data.value
 * @param {number} data.throws
 * @param {boolean} data.fish
 * @param {Valuation | null} [data.valuation]
 * @param {boolean} [data.low_counts]
 */
export function announcement(data) {
  const v = data.valuation;
  // Announcements in old logs have no `low_counts`.
  const isLow = data.low_counts ?? (v ? !v.high : false);
  const text = fill(announced(data, isLow), { value: data.value, throws: word(data.throws) });
  if (!v) return text;
  const { ones, sixes } = v;
  return `${text} · ${isLow ? fill(gettext("ones %(ones)s, sixes %(sixes)s"), { ones, sixes }) : counts(v)}`;
}

/** @param {{kind: string, value: number, fish: boolean}} data @param {boolean} isLow the smallest number is best */
function announced({ kind, value, fish: isFish }, isLow) {
  const isHigh = kind === "high";
  if (isLow) {
    return isHigh
      ? gettext("%(value)s in %(throws)s is best, low counts")
      : gettext("%(value)s in %(throws)s is worst, low counts");
  }
  if (!isFish) return isHigh ? gettext("%(value)s in %(throws)s are high") : gettext("%(value)s in %(throws)s are low");
  if (value)
    return isHigh ? gettext("Fish %(value)s in %(throws)s is high") : gettext("Fish %(value)s in %(throws)s is low");
  return isHigh ? gettext("Fish in %(throws)s is high") : gettext("Fish in %(throws)s is low");
}

/**
 * Return a valuation in words: "ones 100, sixes 60, high counts".
 * @param {Valuation} v
 */
export function counts(v) {
  const sentence = v.high
    ? gettext("ones %(ones)s, sixes %(sixes)s, high counts")
    : gettext("ones %(ones)s, sixes %(sixes)s, low counts");
  return fill(sentence, { ones: v.ones, sixes: v.sixes });
}

/** Tell whether the smallest number is best in this round. @param {any} view */
export function isLowRound(view) {
  return view.valuation ? !view.valuation.high : false;
}

/**
 * Return the dice's sum as it would be called if the player stood now.
 * @param {number[]} dice
 * @param {Valuation} v
 * @param {string} fishRule the house rule `fish`
 */
export function worth(dice, v, fishRule) {
  const isFish = v.ones === 100 && v.sixes === 60 && v.high && !dice.some((d) => d === 1 || d === 6);
  /** @type {Record<number, number>} */
  const special = { 1: v.ones, 6: v.sixes };
  const sum = dice.reduce((all, die) => all + (special[die] ?? die), 0);
  return isFish ? fish(fishRule === "by_sum" ? sum : 0) : String(sum);
}

/** @typedef {Record<string, any>} Options the house rules */

/** Return the word for a mat, by the way in which mats are played off. @param {Options} options */
export function mat(options) {
  return options.playing_off === "discard" ? pgettext("Bavarian", "beer mat") : gettext("beer mat");
}

/** Return the plural of that word. @param {Options} options */
export function mats(options) {
  return options.playing_off === "discard" ? pgettext("Bavarian", "beer mats") : gettext("beer mats");
}

/** Return a number of mats: "1 beer mat". @param {number} count @param {Options} options */
export function countedMats(count, options) {
  return fill(gettext("%(count)s %(mats)s"), { count, mats: count === 1 ? mat(options) : mats(options) });
}

/** Return the forfeit of the house rules; the default one is translated. @param {Options} options */
export function forfeitName(options) {
  const name = options.forfeit_name ?? "a point";
  return name === "a point" ? gettext("a point") : name;
}

/** Return a number of forfeits: "a push-up", "3 × a push-up". @param {number} count @param {Options} options */
export function forfeits(count, options) {
  const forfeit = forfeitName(options);
  return count === 1 ? forfeit : fill(gettext("%(count)s × %(forfeit)s"), { count, forfeit });
}

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

/** Return a breach in words. @param {string} kind */
export function breachName(kind) {
  /** @type {Record<string, string>} */
  const names = {
    spilling: gettext("spilling"),
    not_in_one_go: gettext("not finishing in one go"),
    foreign_object: gettext("something foreign in the cup"),
  };
  return names[kind] ?? kind;
}
