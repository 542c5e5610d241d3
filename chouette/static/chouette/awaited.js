// @ts-check
/** The seats that the game waits for, read off the view; optional acts are never waited for. */

/** @param {any} view @returns {number[]} seats, each once */
export function awaited(view) {
  if (view.phase === "over") return [];
  if (view.phase === "between") return between(view).sort((a, b) => a - b);
  const { game } = view;
  const found = game.resignation ? resigning(game) : STAGES[game.stage]?.(game, view) ?? [];
  return [...new Set(found)].sort((a, b) => a - b);
}

/** @param {any} view @returns {number[]} */
function between(view) {
  if (view.question) return [view.line[0]];
  return view.options.start_position === "start" ? view.line.slice(0, 2) : [view.line[1]];
}

/** @param {any} game @returns {number[]} */
function resigning(game) {
  const { by, waiting } = game.resignation;
  return waiting.map((/** @type {number} */ i) => (by === game.box ? game.cubes[i].holder : game.cubes[i].against));
}

/** @type {Record<string, (game: any, view: any) => number[]>} */
const STAGES = {
  opening: (game) => {
    const rolled = game.opening.map((/** @type {any} */ o) => o.seat);
    return [game.box, game.captain].filter((seat) => !rolled.includes(seat));
  },
  automatic: (game) => [game.box],
  window: speaking,
  offer: (game) => [game.box],
  answers: (game) =>
    game.batch
      .filter((/** @type {number} */ i) => !game.answered.includes(i))
      .map((/** @type {number} */ i) => (game.turn === "team" ? game.cubes[i].against : game.cubes[i].holder)),
  replies: (game) => asked(game).map((ask) => ask.seat),
  roll: (game) => [game.on_roll],
  move: (game) => [game.on_roll],
};

/**
 * With open speaking the first silent cube's holder is waited for; after the grace time the Captain.
 * @type {(game: any, view: any) => number[]}
 */
function speaking(game, view) {
  if (game.grace_over) return [game.captain];
  const next = view.options.cube_order === "sealed" ? game.silent : game.silent.slice(0, 1);
  return next.map((/** @type {number} */ i) => game.cubes[i].holder);
}

/** @type {Record<string, number>} */
const RANKS = { extra: 0, must_beaver: 1, beaver: 1, beavered: 2, raccooned: 3 };

/** The questions that are answered now: the view has them first. @param {any} game @returns {any[]} */
export function asked(game) {
  return game.asks.filter((/** @type {any} */ ask) => RANKS[ask.kind] === RANKS[game.asks[0].kind]);
}
