// @ts-check
/** Events of a real board as lines of the log. */
import { fill } from "games/kit/page/text.js";
import { addTellers } from "chouette/words/describe.js";
import { pointsText, woodText } from "chouette/words/words.js";

/** @typedef {import("chouette/words/describe.js").Teller} Teller */

/** @type {Record<string, Teller>} */
const WOOD_TELLERS = {
  order_die_thrown: (d, { name }) => {
    const sentence = d.typed
      ? gettext("%(name)s throws %(die)s for the line.")
      : gettext("The house throws %(die)s for %(name)s.");
    return fill(sentence, { name: name(d.seat), die: d.die });
  },
  act_noted: () => null,
  act_taken_back: (d, { name }) => fill(ACTS[d.act]?.() ?? gettext("%(name)s: the last act is taken back."), {
    name: name(d.seat),
  }),
  double_withdrawn: (d, { name }) => fill(gettext("%(name)s withdraws the double."), { name: name(d.seat) }),
  result_told: (d, { name }) =>
    fill(gettext("%(name)s says: %(result)s."), { name: name(d.seat), result: woodText(d) }),
  result_refused: (d, { name }) => fill(gettext("%(name)s does not agree: the game goes on."), { name: name(d.seat) }),
  result_agreed: (d, { name }) => (d.seat === null
    ? fill(gettext("The host says: %(result)s."), { result: woodText(d) })
    : fill(gettext("%(name)s agrees."), { name: name(d.seat) })),
  result_corrected: resultCorrected,
  match_reopened: () => gettext("Nobody has won the match yet: it goes on."),
};

/** The acts taken back in words, by their choice. @type {Record<string, () => string>} */
const ACTS = {
  begin_game: () => gettext("The game has not begun yet: that is taken back."),
  tie: () => gettext("The tie is taken back."),
  automatic: () => gettext("%(name)s's answer to the tie is taken back."),
  double: () => gettext("%(name)s's double is taken back."),
  offer: () => gettext("%(name)s's double is taken back."),
  withdraw_double: () => gettext("%(name)s's double stands after all."),
  answer: () => gettext("The answers are taken back: the double is answered anew."),
  answer_batch: () => gettext("%(name)s's answer is taken back."),
  reply: () => gettext("The replies are taken back."),
  result: () => gettext("%(name)s takes the result back."),
  answer_result: () => gettext("%(name)s's answer to the result is taken back."),
  resign: () => gettext("%(name)s does not resign after all."),
  answer_resignation: () => gettext("The answers to the resignation are taken back."),
};

/** @type {Teller} */
function resultCorrected(d, { name }) {
  const row = d.rows.find((/** @type {any} */ one) => one.seq === d.of);
  const { winner, level, cube } = d.told;
  const parts = [fill(gettext("%(by)s corrects game %(number)s: %(winner)s wins %(points)s (%(why)s)."), {
    by: d.seat === null ? gettext("The host") : name(d.seat), number: row.game, winner: name(winner),
    points: pointsText(level * cube), why: d.why,
  })];
  const struck = d.rows.filter((/** @type {any} */ one) => one.struck).map((/** @type {any} */ one) => one.game);
  if (struck.length) {
    const sentence = ngettext("Game %(games)s no longer counts.", "Games %(games)s no longer count.", struck.length);
    parts.push(fill(sentence, { games: struck.join(", ") }));
  }
  const score = d.score.map((/** @type {number} */ points, /** @type {number} */ seat) => `${name(seat)} ${points}`);
  parts.push(fill(gettext("The match stands at %(score)s."), { score: score.join(", ") }));
  return parts.join(" ");
}

addTellers(WOOD_TELLERS);
