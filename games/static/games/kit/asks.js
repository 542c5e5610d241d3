// @ts-check
/**
 * Single questions about the game, by one letter each, the same in every game: no act has one of these letters. A game
 * answers them in its own words (`asks()` of its element); whose turn, the clocks and what was said are everybody's.
 */

/** @typedef {{key: string, label: string, say: (now: any) => string[]}} Ask `say`: nothing where there is no answer */

/** What a letter asks, in the order of the buttons. */
export const LETTERS = /** @type {const} */ ({
  all: "G", last: "L", count: "I", turn: "W", stakes: "C", own: "B", others: "O", clock: "K", score: "X", advice: "A",
  again: "V",
});

/** The letters of all questions. @type {string[]} */
export const KEYS = Object.values(LETTERS);
