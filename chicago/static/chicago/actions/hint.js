// @ts-check
/** The odds' advice in words. */
import { fill } from "games/kit/page/text.js";
import { counts, word } from "chicago/words/words.js";

/** @typedef {{num: number, den: number, decimal: number}} Chance */

/** Largest denominator that is shown: a longer fraction is less clear than a percentage. */
const LARGEST_DEN = 1296;

/**
 * @param {{name: string, args: any, chance: Chance, aim: string}} hint
 * @param {any} view
 */
export function adviceText(hint, view) {
  return fill(aims()[hint.aim] ?? gettext("%(move)s: %(chance)s"), {
    move: move(hint, view),
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

/** @param {{name: string, args: any}} hint @param {any} view */
function move({ name, args }, view) {
  if (name === "stand") {
    if (!("high" in args)) return gettext("Stand");
    return fill(gettext("Stand and declare %(counts)s"), { counts: counts(args) });
  }
  if (args.turn && isForced(view)) return gettext("Turn three sixes into two ones");
  if (args.turn) {
    return args.lay.length
      ? fill(gettext("Turn two sixes, lay out %(dice)s"), { dice: args.lay.join(", ") })
      : gettext("Turn two sixes");
  }
  if (!args.lay.length) return gettext("Throw all you can");
  const sentence = ngettext("Lay out %(dice)s", "Lay out %(dice)s (%(count)s dice)", args.lay.length);
  return fill(sentence, { dice: args.lay.join(", "), count: word(args.lay.length) });
}

/** Tell whether there are three sixes that become two ones. @param {any} view */
function isForced(view) {
  const { rolled } = view.cup;
  return (
    view.options.three_sixes === "forced" && rolled.length === 3 && rolled.every((/** @type {number} */ d) => d === 6)
  );
}

/** @param {Chance} chance */
function chanceText({ num, den, decimal }) {
  const percent = new Intl.NumberFormat(document.documentElement.lang || "en", {
    style: "percent",
    maximumFractionDigits: 1,
  }).format(decimal);
  return den > 1 && den <= LARGEST_DEN ? `${num}/${den} = ${percent}` : percent;
}
