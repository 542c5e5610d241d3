// @ts-check
/** Games that were played without the house, in words: on the page, as text to copy, and as a picture. */
import { fill } from "games/kit/page/text.js";
import { nameOf } from "games/kit/seats.js";
import { valueText } from "games/kit/played/fields.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {import("games/kit/played/device_list.js").Part} Part */
/** @typedef {import("games/kit/played/device_list.js").PlayedGame} PlayedGame */
/** @typedef {import("games/kit/played/device_list.js").ToldGame} ToldGame */
/** @typedef {import("games/kit/played/fields.js").Field} Field */
/** @typedef {import("games/kit/played/fields.js").Form} Form */

/**
 * Return a game as told, a line for itself and for each seat or round with something to tell.
 * @param {Form} form @param {ToldGame} told @param {SeatInfo[]} seats @returns {string[]}
 */
export function gameLines(form, told, seats) {
  const part = (/** @type {Field[]} */ fields, /** @type {Part} */ values) => fields
    .filter(({ id }) => id in values)
    .map((field) => fill(gettext("%(label)s: %(value)s"),
      { label: field.label, value: valueText(field, values[field.id], seats) })).join(" · ");
  const rounds = told.rounds ?? [];
  const round = (/** @type {number} */ n) => (rounds.length > 1 ? `${n + 1}. ` : "");
  return [
    told.game && part(form.game, told.game),
    ...Object.entries(told.seats ?? {}).map(([seat, values]) =>
      `${nameOf(seats, Number(seat))} – ${part(form.seats, values)}`),
    ...rounds.map((values, n) => `${round(n)}${part(form.rounds, values) || "–"}`),
  ].filter((line) => line !== undefined && line !== "").map(String);
}

/** Return the head of a game of the list. @param {PlayedGame} one */
export function headOf({ number, at }) {
  return fill(gettext("Game %(number)s, %(at)s"), { number, at });
}

/**
 * Return the whole list as lines of text.
 * @param {{title: string, form: Form, seats: SeatInfo[], games: PlayedGame[], standing: string[]}} list
 */
export function listLines({ title, form, seats, games, standing }) {
  return [
    title,
    ...games.flatMap((one) => [headOf(one), ...gameLines(form, one.game, seats).map((line) => `  ${line}`)]),
    ...(standing.length ? [`${gettext("Counted on this device")}:`, ...standing.map((line) => `  ${line}`)] : []),
  ];
}
