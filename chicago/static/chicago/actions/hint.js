// @ts-check
/** The odds' advice in words. */
import { fill, locale } from "games/kit/page/text.js";
import { wordsWith } from "games/kit/words.js";

/** @typedef {import("games/kit/table.js").Now<Chicago.View, Chicago.Choice>} Now */
/** @typedef {{num: number, den: number, decimal: number}} Chance */

/** Largest denominator that is shown: a longer fraction is less clear than a percentage. */
const LARGEST_DEN = 1296;

/** @typedef {{name: string, args: object, chance: Chance, aim: string}} Hint */

/** @param {Hint} hint @param {Now} now */
export function adviceText(hint, now) {
  return fill(aims()[hint.aim] ?? gettext("%(move)s: %(chance)s"), {
    move: move(hint, now),
    chance: chanceText(hint.chance),
  });
}

/** @returns {Record<string, string>} */
function aims() {
  return {
    beat: gettext("%(move)s: you beat what stands with %(chance)s."),
    not_low: gettext("%(move)s: you don't lose the round with %(chance)s."),
    high: gettext("%(move)s: yours is the best result in the end with %(chance)s."),
    high_not_low: gettext(
      "%(move)s: %(chance)s, halfway between the chance to be best in the end and the chance not to be worst.",
    ),
  };
}

/** @param {{name: string, args: object}} hint @param {Now} now */
function move({ name, args }, now) {
  const open = now.choices.find((choice) => choice.name === name) ?? { name, seat: now.me, options: [] };
  const { note } = wordsWith(open, args, now);
  if (name === "throw") return note;
  return note ? fill(gettext("Stand and declare %(counts)s"), { counts: note }) : gettext("Stand");
}

/** @param {Chance} chance */
function chanceText({ num, den, decimal }) {
  const percent = new Intl.NumberFormat(locale(), {
    style: "percent",
    maximumFractionDigits: 1,
  }).format(decimal);
  return den > 1 && den <= LARGEST_DEN ? `${num}/${den} = ${percent}` : percent;
}
