// @ts-check
/** Chicago's answers to single questions (games/kit/asks.js), from the view alone. */
import { LETTERS } from "games/kit/asks.js";
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { phase, throwsRule } from "chicago/felt/board.js";
import { endingOf } from "chicago/words/endings.js";
import { dice, heldBy, standings, stockOf, toBeat } from "chicago/words/summary.js";
import { called } from "chicago/words/words.js";

/** @typedef {import("games/kit/table.js").Now<Chicago.View, Chicago.Choice>} Now */
/** @typedef {import("games/kit/asks.js").Ask} Ask */

/** @param {() => void} advise asks for the best move where the house rules allow it @returns {Ask[]} */
export function asks(advise) {
  const { last, count, stakes, own, others, score, advice } = LETTERS;
  /** @type {(key: string, label: string, say: (now: Now) => string[]) => Ask} */
  const one = (key, label, say) => ({ key, label, say });
  return [
    one(last, gettext("Last throw"), lastThrow),
    one(count, gettext("Dice"), ({ view, me }) => orNone(dice(view, view.turn === me))),
    one(stakes, gettext("Stakes"), ({ view }) => [phase(view), stockOf(view), throwsRule(view)]),
    one(own, gettext("What must be beaten"), (now) => [toBeat(now)]),
    one(others, gettext("What stands"), ({ view, seats }) => orNone(standings(view, seats))),
    one(score, gettext("Score"), heldBy),
    one(advice, gettext("Hint"), ({ view }) => {
      advise();
      return [view.options.hints ? "" : gettext("The house rules allow no hints.")];
    }),
  ];
}

/** Return the last finished turn, and the end of a round that it caused. @param {Now} now */
function lastThrow({ view, seats }) {
  const last = view.history[view.history.length - 1];
  if (!last) return orNone([]);
  const ending = endingOf(view, seats);
  const told = fill(gettext("%(name)s: %(result)s"), { name: nameOf(seats, last.seat), result: called(last) });
  return [told, ...(ending ? [ending.title, ...ending.lines, ending.next] : [])];
}

/** @param {string[]} lines */
const orNone = (lines) => (lines.some(Boolean) ? lines : [gettext("Nobody has thrown yet")]);
