// @ts-check
/** The visible cubes: one for each member, and of a single cube of the Team only one. */

/**
 * The stakes in a single cube are all alike while they are in the game: it is shown with the Captain, else with the
 * first member in the game. The result of a member out of the game is shown with them.
 * @param {Chouette.GameView} game @returns {Chouette.CubeView[]}
 */
export function cubesIn(game) {
  if (!game.single) return game.cubes;
  const live = game.cubes.filter((cube) => cube.result === null);
  const first = live.find((cube) => cube.member === game.captain) ?? live[0];
  return game.cubes.filter((cube) => cube.result !== null || cube === first);
}
