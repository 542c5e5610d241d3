// @ts-check
/** The end of the last game, the session or the match, in words. */
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { isDuel } from "chouette/words/words.js";

/** Return the winner of the last game, in words. @param {any} view @param {any[]} seats */
export function headline(view, seats) {
  const last = view.last_game;
  const isBox = last.winner === "box";
  if (isDuel(view)) {
    return fill(gettext("%(name)s wins game %(number)s"), {
      name: nameOf(seats, isBox ? last.box : last.last_captain), number: last.number,
    });
  }
  const text = isBox ? gettext("%(name)s wins in the Box") : gettext("The Team beats %(name)s in the Box");
  return fill(text, { name: nameOf(seats, last.box) });
}

/** Return a match's score: "Anna 4 : 2 Bo". @param {any} view @param {any[]} seats */
export function score(view, seats) {
  const [a, b] = [...view.line].sort((x, y) => x - y);
  return `${nameOf(seats, a)} ${view.score[a]} : ${view.score[b]} ${nameOf(seats, b)}`;
}

/**
 * Return how the session or match ended, and the reason; "" if the first sentence has it.
 * @param {any} view @param {any[]} seats
 */
export function sessionEnd(view, seats) {
  const { reason, winner } = view.ended ?? {};
  const hasWinner = winner !== null && winner !== undefined;
  const match = hasWinner
    ? fill(gettext("%(name)s wins the match"), { name: nameOf(seats, winner) })
    : gettext("The match is over");
  const whyMatch = reason === "too_few" ? gettext("The other side has left.") : "";
  const whySession =
    reason === "too_few" ? gettext("Too few players are left.") : gettext("The host has closed the table.");
  return view.score
    ? { title: match, why: whyMatch }
    : { title: gettext("The session is over"), why: whySession };
}

/**
 * Return the next Box and Captain, and the reason, as a sentence.
 * @param {any} view @param {any[]} seats
 */
export function following(view, seats) {
  const last = view.last_game;
  const params = {
    box: nameOf(seats, last.box),
    next: nameOf(seats, last.line_after[0]),
    captain: nameOf(seats, last.captain),
  };
  const why = fill(sentence(last.why, view.options.rotation), params);
  const stoodIn =
    last.why === "captain_wins" && view.options.rotation === "captain_result" && last.last_captain !== last.captain;
  if (!stoodIn) return why;
  const sentenceOfNext = gettext("%(name)s stood in and is the next Captain.");
  return `${why} ${fill(sentenceOfNext, { name: nameOf(seats, last.line_after[1]) })}`;
}

/** @param {string} why @param {string} rotation */
function sentence(why, rotation) {
  if (why === "captain_wins") return gettext("%(next)s has beaten the Box and takes its place.");
  if (why === "last_captain_wins")
    return gettext("%(next)s, the last Captain, has beaten the Box and takes its place.");
  if (why === "box_below_even") return gettext("%(box)s won the game but lost points in it: the next in line is Box.");
  return rotation === "captain_result"
    ? gettext("%(box)s stays Box: %(captain)s, Captain at the start, has not beaten it.")
    : gettext("%(box)s won the game and stays Box.");
}
