// @ts-check
/** The sizes of the table and of its dock, which the style sheets ask for by their names. */

/** The width by the height from which on the board has the height of the screen, and the dock stands beside it. */
const WIDE = 6 / 5;

/** @type {import("games/kit/fit.js").Sizes} */
export const TABLE_SIZES = {
  narrow: ({ width }) => width < 600,
  "narrow-high": ({ width, height }) => width < 600 && height > 660,
  tall: ({ width, height }) => width < 600 && height >= 700,
  short: ({ width, height }) => width < 600 && height < 700,
  shortest: ({ width, height }) => width < 600 && height <= 640,
  low: ({ height }) => height <= 660,
  // A phone whose reader has larger letters: see text.css.
  big: ({ width, text }) => width < 600 && text >= 20,
  flat: ({ height }) => height < 440,
  large: ({ width, height }) => width >= 600 && height >= 440,
  wide: ({ ratio }) => ratio >= WIDE,
  // A phone held upright, and a slim one; a tablet that stands; a phone on its side; a desk: see table.css.
  upright: ({ width, ratio }) => width < 600 && ratio < WIDE,
  slim: ({ width, ratio }) => width < 440 && ratio < WIDE,
  tablet: ({ width, ratio }) => width >= 600 && ratio < WIDE,
  lying: ({ height, ratio }) => height < 440 && ratio >= WIDE,
  desk: ({ height, ratio }) => height >= 440 && ratio >= WIDE,
  // A desk whose column has room for few lines beside the dock.
  laptop: ({ height, ratio }) => height >= 440 && height < 800 && ratio >= WIDE,
  // A laptop's page at twice its size.
  zoomed: ({ width, height }) => width <= 700 && height <= 340,
};

/** @type {import("games/kit/fit.js").Sizes} */
export const DOCK_SIZES = {
  "dock-small": ({ width }) => width <= 400,
  "dock-phone": ({ width }) => width > 330 && width <= 400,
  "dock-tight": ({ width }) => width < 360,
  "dock-column": ({ width }) => width <= 330,
  "dock-least": ({ width }) => width < 260,
};
