// @ts-check
/** The end of the last game, the session or the match, in words. */
import { nameOf, seatsAt } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { signed } from "games/kit/page/sentences.js";
import { isDuel } from "chouette/words/words.js";

/**
 * Return the side that has won a game, "" if each has won cubes, or none: only the last checker decides for all.
 * @param {any} last
 */
export function winnerOf({ reason, winner, box, partner, points }) {
  if (/single|gammon/.test(reason)) return winner;
  const sign = Math.sign(points[box]);
  const isSplit = points.some((/** @type {number} */ gain, /** @type {number} */ seat) =>
    gain * sign > 0 && ![box, partner].includes(seat));
  return !sign || isSplit ? "" : sign > 0 ? "box" : "team";
}

/** Return the end of a game that neither side has won, with the Box's points. @param {any} last @param {any[]} seats */
export function undecided(last, seats) {
  const points = `${nameOf(seats, last.box)} ${signed(last.points[last.box])}`;
  return fill(gettext("Game %(number)s is over: %(points)s."), { ...last, points });
}

/** Return the seats under the names of the people of the last game. @param {any} view @param {any[]} seats */
export function seatsOfLast({ sheet, last_game: last }, seats) {
  return seatsAt(seats, sheet?.find((/** @type {any} */ row) => row.game === last.number)?.seq);
}

/** Return the winner of the last game, in words. @param {any} view @param {any[]} today */
export function headline(view, today) {
  const seats = seatsOfLast(view, today), last = view.last_game, isTwo = isDuel(view), side = winnerOf(last);
  if (!side) return undecided(last, seats);
  const isBox = side === "box";
  const text = isTwo ? gettext("%(name)s wins game %(number)s")
    : isBox ? gettext("%(name)s wins in the Box") : gettext("The Team beats %(name)s in the Box");
  return fill(text, { ...last, name: nameOf(seats, isBox || !isTwo ? last.box : last.last_captain) });
}

/**
 * Return how the session or match ended, and the reason; "" if the first sentence has it.
 * @param {any} view @param {any[]} seats
 */
export function sessionEnd(view, seats) {
  const { reason, winner = null } = view.ended ?? {};
  const isLeft = reason === "too_few";
  /** @type {Record<string, string>} */
  const whys = {
    too_few: gettext("The other side has left."),
    time: gettext("The other side's time was up."),
    time_limit: gettext("The time of the match was over."),
  };
  return view.score
    ? {
      title: winner === null
        ? gettext("The match is over") : fill(gettext("%(name)s wins the match"), { name: nameOf(seats, winner) }),
      why: whys[reason] ?? "",
    }
    : {
      title: gettext("The session is over"),
      why: isLeft ? gettext("Too few players are left.") : gettext("The host has closed the table."),
    };
}

/** Return the next Box and Captain, of those who will play. @param {any} view @param {any[]} seats */
export function nextGame({ line }, seats) {
  const [box, captain] = line.map((/** @type {number} */ seat) => nameOf(seats, seat));
  return fill(gettext("Next game: %(box)s is Box, %(captain)s is Captain."), { box, captain });
}

/**
 * Return the reason of the next Box as a sentence, of people who will be there (docs/rules-chouette.md §7).
 * @param {any} view @param {any[]} seats
 */
export function following(view, seats) {
  const { last_game: last, roles } = view, then = seatsOfLast(view, seats);
  const name = (/** @type {number} */ seat) => nameOf(seats, seat);
  const why = fill(sentence(roles?.box_why ?? last.why, view.options.rotation), {
    now: name(roles?.box), next: name(last.line_after[0]),
    box: nameOf(then, last.box), captain: nameOf(then, last.captain),
  });
  if (roles?.captain_why !== "stood_in") return why;
  return `${why} ${fill(gettext("%(name)s stood in and is the next Captain."), { name: name(roles.captain) })}`;
}

/** @param {string} why @param {string} rotation */
function sentence(why, rotation) {
  if (why === "by_hand") return "";
  if (why === "passed_on") return gettext("The Box was passed on to %(now)s.");
  if (why === "moved_up") return gettext("%(now)s moves up to Box: %(next)s does not play.");
  if (why === "captain_wins") return gettext("%(next)s has beaten the Box and takes its place.");
  if (why === "last_captain_wins")
    return gettext("%(next)s, the last Captain, has beaten the Box and takes its place.");
  if (why === "box_below_even") return gettext("%(box)s won the game but lost points in it: the next in line is Box.");
  return rotation === "captain_result"
    ? gettext("%(box)s stays Box: %(captain)s, Captain at the start, has not beaten it.")
    : gettext("%(box)s won the game and stays Box.");
}
