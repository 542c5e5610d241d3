// @ts-check
/** The evening as headlines of a big screen (games/kit/headlines.js). */
import { nameOf, namesOf } from "games/kit/seats.js";
import { andList, fill } from "games/kit/page/text.js";
import { following, undecided, winnerOf } from "chouette/words/outcome.js";
import { headlineLines, signed } from "games/kit/page/sentences.js";
import { isDuel } from "chouette/words/words.js";

/** @typedef {import("games/kit/headlines.js").Headline} Headline */
/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {{type: string, data: any}} Event */
/**
 * @typedef {object} Entry
 * @property {Event[]} events simultaneous ones
 * @property {any} view the one after them
 * @property {SeatInfo[]} seats
 */

/** Most names in a headline; of more, it has their number. */
const MOST_NAMED = 3;

/** @param {Event[]} events @param {any} view @param {SeatInfo[]} seats @returns {Headline[]} */
export function headlines(events, view, seats) {
  const entry = { events, view, seats };
  const lines = headlineLines(events.filter((event) => !isOut(event)), seats, view.options);
  const turns = [...doubles(entry), ...answers(entry), ...raises(entry, "beavered"), ...raises(entry, "raccooned")];
  // The result includes a settled cube, and the next game the line.
  const isEnd = events.some(({ type }) => type === "game_ended");
  return [...turns, ...(isEnd ? [] : lines), ...results(entry), ...end(entry)];
}

/** Tell whether a cube went out by an answer or at the end: these are told together. @param {Event} event */
const isOut = ({ type, data }) => type === "cube_settled" && data.how !== "settled";

/** @param {Entry} entry @returns {Headline[]} */
function doubles({ events, view, seats }) {
  /** @type {Headline[]} */
  const found = [];
  for (const { type, data } of events) {
    if (type === "cubes_doubled") {
      found.push({ text: fill(gettext("Automatic double: all cubes go to %(value)s!"), data), kind: "turn" });
    } else if (type === "doubled") found.push(doubled(data, view, seats));
  }
  return found;
}

/** @param {any} data @param {any} view @param {SeatInfo[]} seats @returns {Headline} */
function doubled({ side, box, members, values, by }, view, seats) {
  if (by !== undefined) {
    const params = { name: nameOf(seats, by), value: values[0] * 2 };
    return { text: fill(gettext("%(name)s doubles for the Team to %(value)s!"), params), kind: "turn" };
  }
  const isAlike = new Set(values).size === 1;
  const people = members.map((/** @type {number} */ seat, /** @type {number} */ i) =>
    ({ seat, name: nameOf(seats, seat), text: String(values[i] * 2) }));
  const params = { name: nameOf(seats, box), value: values[0] * 2, names: namesOf(seats, members) };
  const isMany = members.length > MOST_NAMED;
  if (side === "box") {
    if (isDuel(view)) return { text: fill(gettext("%(name)s doubles to %(value)s!"), params), kind: "turn" };
    const sentence = isAlike && isMany ? gettext("%(name)s doubles everybody to %(value)s!")
      : isAlike ? gettext("%(name)s doubles %(names)s to %(value)s!") : gettext("%(name)s doubles!");
    return { text: fill(sentence, params), kind: "turn", people };
  }
  if (!isAlike) return { text: gettext("The Team doubles!"), kind: "turn", people };
  if (isMany) {
    const text = fill(gettext("%(count)s double to %(value)s!"), { ...params, count: countText(members.length) });
    return { text, kind: "turn", people };
  }
  const sentence = ngettext("%(names)s doubles to %(value)s!", "%(names)s double to %(value)s!", members.length);
  return { text: fill(sentence, params), kind: "turn", people: isDuel(view) ? [] : people };
}

/** Return a number of players as the beginning of a sentence. @param {number} count */
function countText(count) {
  const words = [gettext("Four"), gettext("Five"), gettext("Six"), gettext("Seven"), gettext("Eight"), gettext("Nine")];
  return words[count - MOST_NAMED - 1] ?? String(count);
}

/** Return the opened answers: takes and drops. @param {Entry} entry @returns {Headline[]} */
function answers({ events, view, seats }) {
  if (!events.some(({ type }) => type === "answers_opened")) return [];
  const taken = events.filter(({ type }) => type === "double_taken").map(({ data }) => data);
  const dropped = events.filter(({ type, data }) => type === "cube_settled" && data.how === "dropped")
    .map(({ data }) => data);
  const takes = taken.map(({ member }) => member), drops = dropped.map(({ member }) => member);
  const isBox = taken.some(({ owner }) => owner === "against") || dropped.some(({ points }) => points > 0);
  const box = dropped[0]?.against ?? taken.find(({ owner }) => owner === "against")?.seat;
  const text = isBox ? ofBox(nameOf(seats, box), takes, drops, seats) : ofTeam(takes, drops, view, seats);
  const people = isDuel(view) ? [] : [
    ...taken.map(({ member: seat }) => ({ seat, name: nameOf(seats, seat), text: "✓" })),
    ...dropped.map(({ member: seat, points }) => ({ seat, name: nameOf(seats, seat), text: signed(points) })),
  ];
  return text ? [{ text, kind: "turn", people }] : [];
}

/**
 * Return the Box's answers to the doubles of these members.
 * @param {string} name @param {number[]} takes @param {number[]} drops @param {SeatInfo[]} seats
 */
function ofBox(name, takes, drops, seats) {
  const params = { name, takes: namesOf(seats, takes), drops: namesOf(seats, drops) };
  if (takes.length && drops.length)
    return fill(gettext("%(name)s takes against %(takes)s and drops against %(drops)s!"), params);
  if (takes.length + drops.length > 1)
    return fill(takes.length ? gettext("%(name)s takes all!") : gettext("%(name)s drops all!"), params);
  return fill(takes.length ? gettext("%(name)s takes!") : gettext("%(name)s drops!"), params);
}

/** @param {number[]} takes @param {number[]} drops @param {any} view @param {SeatInfo[]} seats */
function ofTeam(takes, drops, view, seats) {
  if (!takes.length && !drops.length) return "";
  const isMany = takes.length + drops.length > 2 && !isDuel(view);
  if (isMany && !drops.length) return gettext("Everybody takes!");
  if (isMany && !takes.length) return gettext("Everybody drops!");
  const parts = [
    takes.length && ngettext("%(names)s takes", "%(names)s take", takes.length),
    drops.length && ngettext("%(names)s drops", "%(names)s drop", drops.length),
  ].flatMap((sentence, i) => (sentence ? [fill(sentence, { names: namesOf(seats, i ? drops : takes) })] : []));
  return `${parts.join(", ")}!`;
}

/** @param {Entry} entry @param {"beavered" | "raccooned"} what @returns {Headline[]} */
function raises({ events, seats }, what) {
  const raised = events.filter(({ type }) => type === what).map(({ data }) => data);
  if (!raised.length) return [];
  const who = [...new Set(raised.map(({ seat }) => seat))];
  const sentence = what === "beavered"
    ? ngettext("%(names)s beavers!", "%(names)s beaver!", who.length)
    : ngettext("%(names)s raccoons!", "%(names)s raccoon!", who.length);
  const people = raised.map(({ member, value }) =>
    ({ seat: member, name: nameOf(seats, member), text: String(value) }));
  return [{ text: fill(sentence, { names: namesOf(seats, who) }), kind: "turn", people }];
}

/**
 * Return how a game ended, its points for each player, and the next Box with the reason.
 * @param {Entry} entry @returns {Headline[]}
 */
function results({ events, view, seats }) {
  return events.filter(({ type }) => type === "game_ended").map(({ data }) => ({
    text: resultText(data, isDuel(view) && data.line_after.length < 3, seats),
    kind: "result",
    detail: view.format === "chouette" && view.phase !== "over" && view.last_game ? following(view, seats) : "",
    people: gains(data.points, seats),
  }));
}

/** @param {any} data of the end of a game @param {boolean} isTwo @param {SeatInfo[]} seats */
export function resultText(data, isTwo, seats) {
  const side = winnerOf(data);
  if (!side) return undecided(data, seats);
  const seat = isTwo && side === "team" ? data.last_captain : data.box;
  const params = { name: nameOf(seats, seat), points: signed(data.points[seat]) };
  if (data.reason === "gammon") return fill(gettext("Gammon! %(name)s %(points)s"), params);
  if (data.reason === "backgammon") return fill(gettext("Backgammon! %(name)s %(points)s"), params);
  if (isTwo) return fill(gettext("%(name)s wins! %(points)s"), params);
  return fill(
    side === "box"
      ? gettext("The Box wins! %(name)s %(points)s")
      : gettext("The Team wins! %(name)s %(points)s"),
    params,
  );
}

/** Return all points, the most first. @param {number[]} points @param {SeatInfo[]} seats */
function gains(points, seats) {
  const rows = points.flatMap((amount, seat) => (amount ? [{ amount, seat }] : []));
  return rows.sort((a, b) => b.amount - a.amount).map(({ amount, seat }) => ({
    seat,
    name: nameOf(seats, seat),
    text: signed(amount),
    tone: /** @type {"plus" | "minus"} */ (amount > 0 ? "plus" : "minus"),
  }));
}

/** @param {Entry} entry @returns {Headline[]} */
function end({ events, view, seats }) {
  const found = events.find(({ type }) => type === "session_ended");
  return found ? [{ text: endText(view, seats), kind: "result", people: gains(view.totals, seats) }] : [];
}

/** Return the winner of the session or the match, in words. @param {any} view @param {SeatInfo[]} seats */
export function endText(view, seats) {
  const { winner = null } = view.ended ?? {};
  if (winner !== null) {
    const score = [...(view.score ?? [])].sort((a, b) => b - a).join("–");
    return fill(gettext("%(name)s wins the match, %(score)s!"), { name: nameOf(seats, winner), score });
  }
  const best = Math.max(...view.totals);
  if (best <= 0) return gettext("The session is over.");
  const leaders = view.totals.flatMap((/** @type {number} */ total, /** @type {number} */ seat) =>
    total === best ? [seat] : []);
  const names = andList(leaders.map((/** @type {number} */ seat) => nameOf(seats, seat)));
  const sentence = ngettext("%(names)s wins the evening with %(points)s!", "%(names)s win the evening with %(points)s!",
    leaders.length);
  return fill(sentence, { names, points: signed(best) });
}
