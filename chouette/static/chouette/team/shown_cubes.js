// @ts-check
/** The cubes that are seen: one for each member, and of a single cube of the Team one alone. */

/**
 * The stakes in a single cube are all alike while they are in the game: it is seen with the Captain, else with the
 * first who is in. What a member who is out has won or lost stays theirs.
 * @param {any} game @returns {any[]} cubes of the view
 */
export function shownCubes(game) {
  if (!game.single) return game.cubes;
  const live = game.cubes.filter((/** @type {any} */ cube) => cube.result === null);
  const shown = live.find((/** @type {any} */ cube) => cube.member === game.captain) ?? live[0];
  return game.cubes.filter((/** @type {any} */ cube) => cube.result !== null || cube === shown);
}
