// @ts-check
/**
 * What games that were played without the house come to, and who is Box next: counted from the last view by what was
 * told, for the page alone. The house counts again when the games are handed over (chouette/rules/wood/played.py).
 */
import { fill } from "games/kit/page/text.js";
import { nameOf } from "games/kit/seats.js";
import { signed } from "games/kit/page/sentences.js";

/** @typedef {import("games/kit/played/going_on.js").Counted} Counted */
/** @typedef {import("games/kit/played/device_list.js").ToldGame} ToldGame */
/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {Chouette.CubeView} CubeView */
/** @typedef {Pick<CubeView, "member" | "value" | "turned" | "result"> & {extras: CubeView[]}} Stake */
/**
 * The game that runs, or the next one: who plays, Box and Captain first, and the line with those who sit it out.
 * @typedef {{line: number[], whole: number[], partner: number | null, stakes: Stake[]}} Standing
 */

const TEAM = "team";

/**
 * @param {Chouette.View} view the last that the house told
 * @param {SeatInfo[]} seats
 * @param {ToldGame[]} games in the order in which they were played
 * @returns {Counted}
 */
export function countPlayed(view, seats, games) {
  const totals = [...(view.score ?? view.totals)];
  const number = runs(view)?.number ?? 1 + view.sheet.filter((row) => row.game).length;
  let line = wholeLine(view);
  const texts = games.map((told, n) => {
    const game = gameOf(view, line, told, n === 0);
    const gained = settle(view, game, told);
    for (const [seat, points] of gained) totals[seat] += view.score ? Math.max(points, 0) : points;
    line = nextLine(view, game, told);
    return [...gained].map(([seat, points]) => `${nameOf(seats, seat)} ${signed(points)}`).join(" · ");
  });
  const isWon = view.score && totals.some((points) => points >= (view.match_length ?? Infinity));
  const next = gameOf(view, line, { game: {} }, !games.length), [box] = next.line;
  // Of who sits out a game that runs nothing is told; who sits out the next one may come back.
  const among = runs(view) && !games.length ? next.line : line;
  return {
    games: texts,
    standing: line.map((seat) => ({ seat, total: view.score ? String(totals[seat]) : signed(totals[seat]) })),
    next: {
      title: fill(gettext("Game %(number)s"), { number: number + games.length }),
      among,
      game: { box },
      members: (game) => {
        const { line: [first], partner } = gameOf(view, line, { game }, !games.length);
        return among.filter((seat) => seat !== first && seat !== partner);
      },
      over: isWon || view.phase === "over" ? gettext("The match is over") : "",
    },
  };
}

/** Return the line with those who sit a game out, where they stood after the last one. @param {Chouette.View} view */
function wholeLine(view) {
  const before = view.last_game?.line_after ?? view.seats.map(({ seat }) => seat), line = [...view.line];
  for (const seat of sittersOf(view)) {
    const ahead = before.slice(0, Math.max(0, before.indexOf(seat))).filter((one) => line.includes(one));
    line.splice(ahead.length ? line.indexOf(ahead[ahead.length - 1]) + 1 : line.length, 0, seat);
  }
  return line;
}

/** Return the game that runs, null between two. @param {Chouette.View} view */
const runs = ({ game, phase }) => (phase === "playing" ? game : null);

/**
 * @param {Chouette.View} view @param {number[]} line @param {ToldGame} told @param {boolean} isFirst
 * @returns {Standing}
 */
function gameOf(view, line, { game = {}, seats = {} }, isFirst) {
  const now = isFirst && runs(view), sitting = isFirst ? sittersOf(view) : [];
  if (now) return running(view, now, line, sitting, game);
  const playing = line.filter((seat) => (seats[seat]?.sits_out ?? (sitting.includes(seat) ? "yes" : "no")) === "no");
  const at = Math.max(0, playing.indexOf(Number(game.box ?? playing[0])));
  const whole = passedOn(line, playing[0], playing.slice(1, at + 1));
  const all = whole.filter((seat) => playing.includes(seat));
  const { partner, partner_from: from } = view.options;
  const isTaken = partner === "compulsory_from" || (partner === "optional_from" && game.partner === "yes");
  const mate = isTaken && all.length >= from && view.format === "chouette" ? all[all.length - 1] : null;
  const value = (game.carried === "yes" ? 2 : 1) * 2 ** doublesBy(view, game.ties);
  const stakes = all.slice(1).filter((seat) => seat !== mate)
    .map((member) => ({ member, value, turned: false, result: null, extras: [] }));
  return { line: all, whole, partner: mate, stakes };
}

/**
 * Return a line whose Box was passed on from one to the next: each stands before who passed.
 * @param {number[]} line @param {number} first @param {number[]} takers
 */
function passedOn(line, first, takers) {
  const rest = line.filter((seat) => !takers.includes(seat)), at = rest.indexOf(first);
  return [...rest.slice(0, at), ...[...takers].reverse(), ...rest.slice(at)];
}

/** Return the seats that sit the game out that runs, or comes. @param {Chouette.View} view */
const sittersOf = ({ seats }) => seats.filter((one) => one.sits_out).map(({ seat }) => seat);

/**
 * Return how often ties of the opening roll have doubled the cubes (chouette/rules/cube/automatics.py).
 * @param {Chouette.View} view @param {unknown} ties
 */
const doublesBy = ({ options }, ties) =>
  Math.min(Number(ties ?? 0), options.automatics === "carry_over" ? 1 : Infinity);

/**
 * @param {Chouette.View} view @param {Chouette.GameView} game @param {number[]} whole @param {number[]} sitting
 * @param {Record<string, unknown>} told
 * @returns {Standing}
 */
function running(view, { cubes, partner, ties }, whole, sitting, told) {
  const line = whole.filter((seat) => !sitting.includes(seat));
  const doubled = 2 ** (doublesBy(view, Math.max(ties, Number(told.ties ?? 0))) - doublesBy(view, ties));
  const stakes = cubes.filter(({ extra }) => !extra).map(({ member, value, turned, result }) => {
    const extras = cubes.filter((cube) => cube.extra && cube.member === member);
    return { member, value: value * doubled, turned, result, extras };
  });
  return { line, whole, partner, stakes };
}

/**
 * Return what each seat wins in a game as told.
 * @param {Chouette.View} view @param {Standing} game @param {ToldGame} told
 */
function settle(view, { line, partner, stakes }, told) {
  const gained = new Map(line.map((seat) => [seat, 0]));
  const pay = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ points) => {
    gained.set(from, (gained.get(from) ?? 0) - points);
    gained.set(to, (gained.get(to) ?? 0) + points);
  };
  let net = 0;
  for (const stake of stakes) {
    const isDuel = view.format !== "chouette", points = pointsOf(view, stake, told, isDuel);
    net -= points;
    pay(line[0], stake.member, points);
    const value = valueOf(stake, told, isDuel);
    for (const { against, member, value: own, result } of stake.extras)
      pay(against, member, result ?? (points * own) / value);
  }
  const half = Math.trunc(net / 2);
  if (partner !== null && half) pay(line[0], partner, half);
  return gained;
}

/** @param {Stake} stake @param {ToldGame} told @param {boolean} isDuel */
function valueOf({ member, value }, { game = {}, seats = {} }, isDuel) {
  return Math.max(value, Number((isDuel ? game.cube : seats[member]?.cube) ?? value));
}

/**
 * Return a member's points against the Box.
 * @param {Chouette.View} view @param {Stake} stake @param {ToldGame} told @param {boolean} isDuel
 */
function pointsOf(view, stake, told, isDuel) {
  if (stake.result !== null) return stake.result;
  const own = told.seats?.[stake.member] ?? {}, { game = {} } = told;
  const [winner, level] = own.winner ? [own.winner, own.level ?? 1] : [game.winner, game.level ?? 1];
  const value = valueOf(stake, told, isDuel), isTurned = stake.turned || value > stake.value;
  const isSingle = view.options.jacoby && view.format !== "match" && !isTurned;
  return (winner === TEAM ? 1 : -1) * value * (isSingle ? 1 : Number(level));
}

/**
 * Return the line after a game as told, by the table's rotation (chouette/rules/seating/rotation.py).
 * @param {Chouette.View} view @param {Standing} game @param {ToldGame} told
 */
function nextLine(view, game, told) {
  const [box, captain] = game.line, { partner, stakes } = game;
  if (view.format !== "chouette") return game.line;
  const results = new Map(stakes.map((stake) => [stake.member, pointsOf(view, stake, told, false)]));
  // Who sits the game out keeps the place in the line, behind its Captain.
  const rest = game.whole.filter((seat) => ![box, captain, partner].includes(seat));
  const lost = (/** @type {number} */ seat) => (results.get(seat) ?? 0) <= 0;
  // Whoever was out before the end was Captain no more: the next one that was still in played on.
  const isOut = (/** @type {number} */ seat) => told.seats?.[seat]?.winner !== undefined || stakes.some(
    ({ member, result }) => member === seat && result !== null);
  const last = isOut(captain) ? rest.find((seat) => game.line.includes(seat) && !isOut(seat)) ?? captain : captain;
  const hasWon = told.game?.winner === "box";
  const net = -[...results.values()].reduce((sum, points) => sum + points, 0);
  const line = rotated(view.options, { box, captain, rest, last, hasWon, net, lost });
  if (partner === null) return line;
  return line[0] === box ? [...line, partner] : [line[0], partner, ...line.slice(1)];
}

/**
 * @param {Record<string, any>} options
 * @param {{box: number, captain: number, rest: number[], last: number, hasWon: boolean, net: number,
 *   lost: (seat: number) => boolean}} of
 */
function rotated(options, { box, captain, rest, last, hasWon, net, lost }) {
  const others = rest.filter((seat) => seat !== last), stood = last === captain ? [] : [last];
  if (options.rotation === "captain_result")
    return lost(captain) ? [box, ...rest, captain] : [captain, ...stood, ...others, box];
  if (options.rotation === "last_man_standing") {
    const former = last === captain ? [] : [captain];
    return hasWon ? [box, ...others, ...former, last] : [last, ...others, ...former, box];
  }
  const claim = last !== captain && lost(captain) ? last : captain;
  const bottom = [...(claim === captain ? [] : [captain]), ...(hasWon ? [claim] : [])];
  const middle = [captain, ...rest].filter((seat) => seat !== claim && !bottom.includes(seat));
  if (!hasWon) return [claim, ...middle, ...bottom, box];
  return options.must_break_even && net < 0 ? [...middle, ...bottom, box] : [box, ...middle, ...bottom];
}
