// @ts-check
/** Games that were played without the house as a list to read, each with its time and in the words of its form. */
import { h } from "games/kit/page/dom.js";
import { gameLines, headOf } from "games/kit/played/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {import("games/kit/played/device_list.js").PlayedGame} PlayedGame */
/** @typedef {import("games/kit/played/fields.js").Form} Form */

/**
 * Return the list; `more` adds something to a game.
 * @param {PlayedGame[]} games @param {Form} form @param {SeatInfo[]} seats
 * @param {(game: PlayedGame) => (Node | null | false)[]} [more]
 */
export function gameList(games, form, seats, more = () => []) {
  const item = (/** @type {PlayedGame} */ one) => {
    const lines = gameLines(form, one.game, seats).map((line) => h("p", {}, line));
    return h("li", { data: { id: one.id } }, h("div", {}, h("strong", {}, headOf(one)), lines, more(one)));
  };
  return h("ol", { class: "played-games" }, games.map(item));
}
