// @ts-check
/** The turn and the open question: for the bar at the top, the title and the sound. */
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {{text: string, waitingFor: number[]}} Status */

/**
 * @param {any} view
 * @param {{name: string, required: boolean}[]} choices mine
 * @param {SeatInfo[]} seats
 * @param {number | null} me
 * @returns {Status}
 */
export function status(view, choices, seats, me) {
  if (!view || view.phase === "over") return { text: gettext("The game is over"), waitingFor: [] };
  const waitingFor = awaited(view);
  const mine = choices.filter((c) => c.required).map((c) => c.name);
  if (mine.length) return { text: own(view, mine), waitingFor };
  const name = waitingFor.length === 1 ? nameOf(seats, waitingFor[0]) : "";
  return { text: fill(others(view), { name, ...throwsOf(view) }), waitingFor: waitingFor.filter((s) => s !== me) };
}

/** @param {any} view @returns {number[]} */
function awaited(view) {
  if (view.breach) return view.breach.voters.filter((/** @type {number} */ s) => !(String(s) in view.breach.votes));
  const seats = [view.naming, view.refill].filter((s) => s !== null);
  return seats.length ? seats : [view.turn].filter((s) => s !== null);
}

/** @param {any} view @param {string[]} names */
function own(view, names) {
  if (names.includes("vote_breach")) return gettext("Your vote, please");
  if (names.includes("refill")) return gettext("Your turn: refill");
  if (names.includes("name_loser")) return gettext("Your turn: name the loser");
  if (names.includes("enter_result")) return gettext("Your turn: throw, and enter what it came to");
  if (names.includes("type_dice")) return gettext("Your turn: throw, and tap what fell");
  if (!names.includes("stand")) {
    return view.cup.throws ? gettext("Your turn: throw again") : gettext("Your turn: throw");
  }
  return names.includes("throw") ? gettext("Your turn: throw again or stand") : gettext("Your turn: stand");
}

/** @param {any} view */
function others(view) {
  if (view.breach) return gettext("The table votes");
  if (view.naming !== null) return gettext("%(name)s names the loser");
  if (view.refill !== null) return gettext("%(name)s refills");
  return view.cup.throws
    ? gettext("%(name)s: throw %(number)s of %(all)s")
    : gettext("%(name)s has the cup");
}

/** Return the number of the running throw, and the most that the turn may have. @param {any} view */
export function throwsOf(view) {
  const done = view.cup.throws;
  const all = done + view.throws_left;
  return { number: Math.min(done + 1, all), all };
}
