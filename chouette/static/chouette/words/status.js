// @ts-check
/** The turn and the open question: for the bar at the top, the title and the sound. */
import { nameOf, namesOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { awaited, roundOf } from "chouette/awaited.js";
import { signed } from "games/kit/page/sentences.js";

/** @typedef {import("chouette/table.js").Now} Now */

/** Most names that fit into the bar of a phone. */
const MOST_NAMES = 3;

/**
 * `isMine`: I have to act; a seat that only may double need not. `isCounted`: the dock counts the time down.
 * @param {Now} now
 * @returns {{text: string, waitingFor: number[], isMine?: boolean, isCounted?: boolean}}
 */
export function status(now) {
  const { view, choices, me } = now;
  if (view.phase === "over") return { text: ended(now), waitingFor: [] };
  const waitingFor = awaited(view);
  if (view.phase === "playing" && view.game.window?.ring && !waitsForMe(view, me))
    return { text: question(now) || ringing(now), waitingFor, isMine: false, isCounted: !now.isTv };
  if (view.phase === "playing" && view.game.stage === "wood" && !view.game.resignation)
    return { text: question(now) || waiting(view), waitingFor, isMine: false };
  if (view.phase === "pause") return { text: waiting(view), waitingFor, isMine: false };
  const required = choices.filter((c) => c.required);
  if (required.length) return { text: question(now) || own(now, required.map((c) => c.name)), waitingFor };
  return { text: question(now) || others(now, waitingFor), waitingFor: waitingFor.filter((seat) => seat !== me) };
}

/** Tell whether the ring waits for me: I have time of my own in it. @param {any} view @param {number | null} me */
function waitsForMe({ game: { window, resignation } }, me) {
  return resignation || window.waits.some((/** @type {any} */ wait) => wait.seat === me);
}

/** @param {Now} now */
function ringing({ view, seats }) {
  const { waits } = view.game.window;
  if (!waits.length) return gettext("Does anybody double?");
  const names = namesOf(seats, waits.map((/** @type {any} */ wait) => wait.seat));
  return fill(gettext("Double or not? Waiting for %(names)s"), { names });
}

/** Return the other side's question to me beside the course of play. @param {Now} now */
function question({ view, choices, seats, me }) {
  if (choices.some((c) => c.name === "answer_take_back")) {
    return fill(gettext("%(name)s asks for the play back"), { name: nameOf(seats, view.game.last_play?.seat) });
  }
  const open = choices.find((c) => c.name === "answer_proposal");
  const found = open && view.game.proposals.find((/** @type {any} */ p) => p.by !== me);
  return found ? fill(gettext("%(name)s wants to settle"), { name: nameOf(seats, found.by) }) : "";
}

/** @param {Now} now @param {string[]} names of my choices */
function own({ view, me }, names) {
  if (names.includes("reply")) return replying(view, me);
  if (names.includes("offer") || (names.includes("cube") && names.includes("roll")))
    return gettext("Your turn: double or roll");
  if (names.includes("move")) return fill(gettext("Your turn: play %(dice)s"), { dice: view.game.dice.join("-") });
  return OWN[names[0]]?.() ?? gettext("Your turn");
}

/** @type {Record<string, () => string>} */
const OWN = {
  opening_roll: () => gettext("Your turn: roll for the opening"),
  start_study: () => gettext("Your turn: begin the game"),
  automatic: () => gettext("Your answer: double all cubes?"),
  partner: () => gettext("Your answer: a partner in the Box?"),
  cube: () => gettext("Your cube: double or not?"),
  roll: () => gettext("Your turn: roll"),
  type_dice: () => gettext("Your turn: throw, and tap what fell"),
  answer_batch: () => gettext("You are doubled: take or drop?"),
  answer: () => gettext("You are doubled: take or drop?"),
  answer_resignation: () => gettext("Your answer: the resignation"),
  begin_game: () => gettext("You may begin the next game"),
  answer_result: () => gettext("Your answer: is the result right?"),
};

/** @param {any} view @param {number | null} me */
function replying(view, me) {
  /** @type {Record<string, () => string>} */
  const texts = {
    extra: () => gettext("Your answer: give an extra?"),
    beaver: () => gettext("Your answer: beaver or not?"),
    must_beaver: () => gettext("Your answer: beaver or drop?"),
    beavered: () => gettext("Your answer: the beaver"),
    raccooned: () => gettext("Your answer: the raccoon"),
  };
  const mine = roundOf(view.game).find((ask) => ask.seat === me) ?? view.game.asks[0];
  return texts[mine.kind]();
}

/** @param {Now} now @param {number[]} waitingFor */
function others({ view, seats }, waitingFor) {
  const isMany = waitingFor.length > MOST_NAMES;
  const names = isMany ? fill(gettext("%(count)s players"), { count: waitingFor.length }) : namesOf(seats, waitingFor);
  const dice = view.game?.dice.join("-") ?? "";
  return fill(waiting(view), { name: names, names, dice });
}

/** @param {any} view */
function waiting(view) {
  if (view.phase === "pause") return gettext("The next game begins in a moment");
  if (view.phase === "between") return (BETWEEN[view.question] ?? BETWEEN.none)(view);
  if (view.game.resignation) return gettext("Resignation: waiting for %(names)s");
  return STAGES[view.game.stage](view.game);
}

/** @type {Record<string, (view: any) => string>} */
const BETWEEN = {
  carry: () => gettext("Start doubled? Waiting for %(name)s"),
  partner: () => gettext("A partner in the Box? Waiting for %(name)s"),
  none: (view) => view.options.board === "wood"
    ? gettext("Next game: waiting for %(names)s")
    : view.options.start_position === "start"
    ? gettext("Opening roll: waiting for %(names)s")
    : gettext("Next game: waiting for %(name)s"),
};

/** @type {Record<string, (game: any) => string>} */
const STAGES = {
  opening: () => gettext("Opening roll: waiting for %(names)s"),
  automatic: () => gettext("Automatic double? Waiting for %(name)s"),
  window: () => gettext("%(name)s doubles or rolls"),
  offer: () => gettext("%(name)s doubles or rolls"),
  answers: () => gettext("Take or drop? Waiting for %(names)s"),
  replies: (game) => (REPLIES[roundOf(game)[0]?.kind] ?? REPLIES.beaver)(),
  roll: () => gettext("%(name)s rolls"),
  move: () => gettext("%(name)s plays %(dice)s"),
  wood: () => gettext("The game runs on the board"),
  result: () => gettext("Is the result right? Waiting for %(name)s"),
};

/** @type {Record<string, () => string>} */
const REPLIES = {
  extra: () => gettext("An extra? Waiting for %(names)s"),
  beaver: () => gettext("Beavers: waiting for %(names)s"),
  raccooned: () => gettext("Raccoons: waiting for %(names)s"),
};

/** @param {Now} now */
function ended({ view, seats }) {
  const { reason, winner } = view.ended ?? {};
  if (Number.isInteger(winner)) {
    // Who loses on time may be ahead.
    const won = view.score[/** @type {number} */ (winner)];
    const lost = view.score.filter((/** @type {number} */ _, /** @type {number} */ seat) => seat !== winner);
    const score = [won, ...lost].join("–");
    return fill(gettext("%(name)s wins the match, %(score)s"), { name: nameOf(seats, winner), score });
  }
  const best = Math.max(...view.totals);
  const leaders = view.totals.flatMap((/** @type {number} */ t, /** @type {number} */ seat) =>
    t === best ? [seat] : [],
  );
  if (reason === "closed" && best > 0 && leaders.length < MOST_NAMES) {
    const names = namesOf(seats, leaders);
    return fill(gettext("The session is over: %(names)s %(points)s"), { names, points: signed(best) });
  }
  return gettext("The session is over");
}
