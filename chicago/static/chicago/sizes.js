// @ts-check
/** The sizes of the table, which its style sheets ask for by their names. */

/** @type {import("games/kit/fit.js").Sizes} */
export const SIZES = {
  // A phone held upright: seats, board, felt and dock in a column.
  narrow: ({ width }) => width < 600,
  slim: ({ width }) => width < 375,
  short: ({ width, height }) => width < 600 && height <= 680,
  low: ({ height }) => height <= 680,
  // A phone whose reader has larger letters: see text.css.
  big: ({ width, text }) => width < 600 && text >= 20,
  flat: ({ height }) => height < 500,
  // A phone that lies: the felt, and beside it board and dock.
  lying: ({ width, height }) => width >= 600 && height < 500,
  // Anything wide: the seats stand round the felt.
  round: ({ width, height }) => width >= 600 && height >= 500,
  tablet: ({ width, height }) => width >= 600 && width <= 1100 && height >= 500,
  standing: ({ width, height }) => width >= 600 && height >= 500 && width <= height,
};
