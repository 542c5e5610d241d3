// @ts-check
/** The end of the last game, the session or the match, in words. */
import { nameOf, namesOf, seatsAt } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { told } from "games/kit/page/sentences.js";
import { isDuel } from "chouette/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** The last game, where one has been played. @param {Chouette.View} view */
export const lastOf = ({ last_game: last }) => /** @type {Chouette.LastGame} */ (last);

/**
 * Return the seats under the names of the people of the last game.
 * @param {Chouette.View} view @param {SeatInfo[]} seats
 */
export function seatsOfLast(view, seats) {
  const row = view.sheet?.find(({ game }) => game === lastOf(view).number);
  return row ? seatsAt(seats, row.seq) : seats;
}

/** Most members whose names stand for the Team that has won. */
const MOST_NAMES = 3;

/** Return my own result of the last game, "" without one. @param {Chouette.View} view @param {number | null} me */
export function ownResult(view, me) {
  const points = me === null ? 0 : lastOf(view).points[me] ?? 0;
  const text = points > 0 ? gettext("You win %(points)s") : gettext("You lose %(points)s");
  return points ? fill(text, { points: Math.abs(points) }) : "";
}

/** Return the winner of the last game, in words. @param {Chouette.View} view @param {SeatInfo[]} today */
export function headline(view, today) {
  const seats = seatsOfLast(view, today), last = lastOf(view), isTwo = isDuel(view), { side } = last;
  if (!side) return told(last.headline, seats);
  const isBox = side === "box";
  const won = isBox || isTwo ? [] : seats.map(({ seat }) => seat).filter((seat) => last.points[seat] > 0);
  if (won.length > 1 && won.length <= MOST_NAMES)
    return fill(gettext("%(names)s beat %(name)s in the Box"), {
      names: namesOf(seats, won), name: nameOf(seats, last.box),
    });
  const text = isTwo ? gettext("%(name)s wins game %(number)s")
    : isBox ? gettext("%(name)s wins in the Box") : gettext("The Team beats %(name)s in the Box");
  return fill(text, { number: last.number, name: nameOf(seats, isBox || !isTwo ? last.box : last.last_captain) });
}

/**
 * Return how the session or match ended, and the reason; "" if the first sentence has it.
 * @param {Chouette.View} view @param {SeatInfo[]} seats
 */
export function sessionEnd(view, seats) {
  const { reason, winner = null } = view.ended ?? {};
  const isLeft = reason === "too_few";
  /** @type {Record<string, string>} */
  const whys = {
    too_few: gettext("The other side has left."),
    time: gettext("The other side's time was up."),
    time_limit: gettext("The time was over."),
  };
  return view.score
    ? {
      title: winner === null
        ? gettext("The match is over") : fill(gettext("%(name)s wins the match"), { name: nameOf(seats, winner) }),
      why: whys[reason ?? ""] ?? "",
    }
    : {
      title: winner === null ? gettext("The session is over")
        : fill(gettext("%(name)s wins the session"), { name: nameOf(seats, winner) }),
      why: winner !== null ? whys[reason ?? ""] ?? ""
        : isLeft ? gettext("Too few players are left.") : gettext("The host has closed the table."),
    };
}

/**
 * Return the reason of the next Box as a sentence, of people who will be there (docs/rules-chouette.md §7).
 * @param {Chouette.View} view @param {SeatInfo[]} seats
 */
export function following(view, seats) {
  const { following: data } = lastOf(view), { options } = view;
  const isOfThen = !["passed_on", "moved_up", "captain_wins", "last_captain_wins"].includes(data.why);
  const why = told(["next_box", data], isOfThen ? seatsOfLast(view, seats) : seats, options);
  return [why, told(["stood_in", data], seats)].filter(Boolean).join(" ");
}
