// @ts-check
/** The seats that the game waits for, by the view; it never waits for optional acts. */

/** @param {any} view @returns {number[]} seats, each once */
export function awaited(view) {
  if (view.phase === "over") return [];
  if (view.phase === "pause") return [...view.pause.waiting].sort((a, b) => a - b);
  if (view.phase === "between") return between(view).sort((a, b) => a - b);
  const { game } = view;
  // On a real board only a game clock tells whose turn it is.
  if (game.stage === "wood" && !game.resignation) return Number.isInteger(view.clock?.turn) ? [view.clock.turn] : [];
  const found = game.resignation ? resigning(game) : STAGES[game.stage]?.(game) ?? [];
  return [...new Set(found)].sort((a, b) => a - b);
}

/** @param {any} view @returns {number[]} */
function between(view) {
  if (view.to_throw.length) return [...view.to_throw];
  if (view.question) return [view.line[0]];
  const isOfBoth = view.options.start_position === "start" || view.options.board === "wood";
  return isOfBoth ? view.line.slice(0, 2) : [view.line[1]];
}

/** @param {any} game @returns {number[]} */
function resigning(game) {
  const { by, waiting } = game.resignation;
  return waiting.map((/** @type {number} */ i) => (by === game.box ? game.cubes[i].holder : game.cubes[i].against));
}

/** @type {Record<string, (game: any) => number[]>} */
const STAGES = {
  opening: (game) => {
    const rolled = game.opening.map((/** @type {any} */ o) => o.seat);
    return [game.box, game.captain].filter((seat) => !rolled.includes(seat));
  },
  automatic: (game) => [game.box],
  window: (game) => (game.window.ring ? game.window.asked : [game.on_roll]),
  offer: (game) => [game.on_roll],
  answers: (game) =>
    game.batch
      .filter((/** @type {number} */ i) => !game.answered.includes(i))
      .map((/** @type {number} */ i) => (game.turn === "team" ? game.cubes[i].against : game.cubes[i].holder)),
  replies: (game) => roundOf(game).map((ask) => ask.seat),
  result: (game) => [teller(game, game.told.seat === teller(game, "box") ? "team" : "box")],
  roll: (game) => [game.on_roll],
  move: (game) => [game.on_roll],
};

/** The seat that tells a result for a side. @param {any} game @param {"box" | "team"} side @returns {number} */
function teller(game, side) {
  return game.deputies[side] ?? (side === "box" ? game.box : game.captain);
}

/** @type {Record<string, number>} */
const RANKS = { extra: 0, must_beaver: 1, beaver: 1, beavered: 2, raccooned: 3 };

/** Return the questions that are answered now: the view has them first. @param {any} game @returns {any[]} */
export function roundOf(game) {
  return game.asks.filter((/** @type {any} */ ask) => RANKS[ask.kind] === RANKS[game.asks[0].kind]);
}
