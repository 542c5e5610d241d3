// @ts-check
/** Chicago's sentences. What the dice are worth here is print, never a decision. */
import { fill } from "games/text.js";

/** @typedef {{round: number, seat: number, dice: number[], value: number, throws: number, chick: boolean, fish: boolean}} Result */
/** @typedef {{ones: number, sixes: number, high: boolean}} Valuation */
/** @typedef {{seat: number, name: string, player: number | null, bot: string, presence?: string}} SeatInfo */

/** @param {number} n one to three as a word, as the table says it */
export function word(n) {
  return [gettext("none"), gettext("one"), gettext("two"), gettext("three")][n] ?? String(n);
}

/** A die's face as a word. @param {number} face */
export function faceWord(face) {
  return [
    "", gettext("one"), gettext("two"), gettext("three"), gettext("four"), gettext("five"), gettext("six"),
  ][face];
}

/**
 * A result as it is called: "123 in two".
 * @param {{value: number, throws: number, chick?: boolean, fish: boolean}} result
 */
export function called(result) {
  const throws = word(result.throws);
  if (result.chick) return gettext("Chick");
  if (result.fish) return fill(gettext("Fish in %(throws)s"), { throws });
  return fill(gettext("%(value)s in %(throws)s"), { value: result.value, throws });
}

/**
 * A result in as little room as there is: "123".
 * @param {{value: number, chick?: boolean, fish: boolean}} result
 */
export function short(result) {
  if (result.chick) return gettext("Chick");
  return result.fish ? gettext("Fish") : String(result.value);
}

/**
 * What the table announces: "123 in two are high", with what was declared.
 * @param {{kind: string, value: number, throws: number, fish: boolean, valuation?: Valuation | null}} said
 */
export function announcement(said) {
  const isHigh = said.kind === "high";
  const params = { value: said.value, throws: word(said.throws) };
  let sentence;
  if (said.fish) {
    sentence = isHigh ? gettext("Fish in %(throws)s is high") : gettext("Fish in %(throws)s is low");
  } else {
    sentence = isHigh
      ? gettext("%(value)s in %(throws)s are high")
      : gettext("%(value)s in %(throws)s are low");
  }
  const text = fill(sentence, params);
  return said.valuation ? `${text} · ${counts(said.valuation)}` : text;
}

/**
 * What the dice are worth: "ones 100, sixes 60, high wins".
 * @param {Valuation} v
 */
export function counts(v) {
  const sentence = v.high
    ? gettext("ones %(ones)s, sixes %(sixes)s, high wins")
    : gettext("ones %(ones)s, sixes %(sixes)s, low wins");
  return fill(sentence, { ones: v.ones, sixes: v.sixes });
}

/**
 * The dice's sum as it would be called if the player stood now.
 * @param {number[]} dice
 * @param {Valuation} v
 */
export function worth(dice, v) {
  const isFish = v.ones === 100 && v.sixes === 60 && v.high && !dice.some((d) => d === 1 || d === 6);
  if (isFish) return gettext("Fish");
  /** @type {Record<number, number>} */
  const special = { 1: v.ones, 6: v.sixes };
  return String(dice.reduce((sum, die) => sum + (special[die] ?? die), 0));
}

/** The phase in words. @param {string} phase */
export function phaseName(phase) {
  /** @type {Record<string, string>} */
  const names = {
    rounds: "",
    dealing: gettext("Dealing the mats"),
    playing_off: gettext("Playing off"),
    over: gettext("The game is over"),
  };
  return names[phase] ?? "";
}

/** What stands against somebody, in words. @param {string} kind */
export function breachName(kind) {
  /** @type {Record<string, string>} */
  const names = {
    spilling: gettext("spilling"),
    not_in_one_go: gettext("not finishing in one go"),
    foreign_object: gettext("something foreign in the cup"),
  };
  return names[kind] ?? kind;
}

/**
 * The name at a seat, without the robot: the seat shows that by other means.
 * @param {SeatInfo[]} seats
 * @param {number | null} seat
 */
export function nameOf(seats, seat) {
  return seats.find((s) => s.seat === seat)?.name.replace(/ 🤖$/u, "") ?? "";
}
