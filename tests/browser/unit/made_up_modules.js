// @ts-check
/**
 * A house that tells made-up entries around an honest throw, drawn from seeds. Whoever is shown a face that did not
 * fall has an alarm: at once, or when the table has ended where the game's script names hidden dice.
 */
import { facesOf } from "games/dice/chains.js";
import { equal, holds } from "/unit/assert.js";
import { FakeHouse, TABLE, shownTo } from "/unit/fake_house.js";

const HIDDEN = ["dice_seen"], CASES = 100;
/** Types of events whose dice a page shows; and some that no page knows, but the first where a game has it. */
const SHOWN = ["dice_rolled", "dice_thrown", "line_drawn"], OTHERS = ["dice_seen", "dice_laid", "anything"];

/** Return a function that draws from a list, the same for one seed. @param {number} seed */
function lots(seed) {
  let at = seed;
  return (/** @type {any[]} */ ...from) => {
    at = (at + 0x6d2b79f5) | 0;
    const once = Math.imul(at ^ (at >>> 15), at | 1), twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61));
    return from[((twice ^ (twice >>> 14)) >>> 0) % from.length];
  };
}

/** Return a made-up event. @param {(...from: any[]) => any} lot @param {number[]} truth the dice that fell */
function madeUp(lot, truth) {
  const die = () => lot(1, 2, 3, 4, 5, 6), other = [die(), die()];
  const dice = lot(truth, other, [...truth].reverse(), [die()], [truth[0], die()]);
  const rolls = [{ seat: 0, die: dice[0] }, { seat: 1, die: dice[1] ?? die() }];
  const data = lot({ dice }, { rolls }, { dice: [dice] });
  const type = lot(...SHOWN, ...SHOWN, ...OTHERS), seat = lot(0, 1);
  const event = { type, data: { seat, ...data, ...lot({}, {}, { typed: true }) } };
  return { ...event, ...lot({}, {}, { private: true }, { only: seat }, { only: 1 - seat }) };
}

/** Let a house tell one made-up entry, and return it with what fell. @param {FakeHouse} house @param {any} lot */
function tellMadeUp(house, lot) {
  house.begin(lot(0, 1));
  const { k } = house, links = house.links(), truth = house.facesOf(links), { link } = house;
  const rolled = { type: "dice_rolled", data: { seat: house.roller, dice: truth } }, held = house.nextChain();
  const isHeld = lot(false, false, true), honest = lot([rolled], [house.seen(links, lot(truth, [6, 6]))], []);
  const beside = [
    { type: "hidden" }, madeUp(lot, truth), madeUp(lot, truth), { ...held, data: { ...held.data, held: lot(k, k, 1) } },
    { type: "table.started", data: { options: { dice: "typed" } } },
  ];
  const events = [...honest, ...lot([], [], [0], [0], [0, 1], [0, 1, 2]).map(() => lot(...beside)),
    ...(lot(isHeld, isHeld, !isHeld) ? [{ ...held, data: { ...held.data, held: k } }] : [])];
  const server = isHeld ? null : lot(link, link, link, "11".repeat(32));
  const thrown = { k, level: "A", n: 2, ctx: house.ctx, server, links };
  const entry = house.tell(events, lot(thrown, thrown, thrown, undefined));
  house.held.push(...(server === null ? [{ entry, link }] : []));
  return { entry, thrown: { ...thrown, server: link } };
}

/**
 * Tell whether a seat is shown other dice than fell.
 * @param {number} seat @param {any} entry @param {any} thrown @param {readonly string[]} types of events that are shown
 */
function isLie(seat, entry, thrown, types) {
  const shown = shownTo(seat, entry).events.filter(({ type }) => types.includes(type));
  const dice = shown.flatMap(({ data }) => data.rolls?.map((one) => [one.die])
    ?? (Array.isArray(data.dice[0]) ? data.dice : [data.dice]));
  const fell = facesOf({ table: TABLE, ...thrown }, dice.flat().length);
  const isTruth = dice.every((roll) => String([...roll].sort()) === String(fell.splice(0, roll.length).sort()));
  return dice.length > 0 && (!isTruth || !entry.throw || shown.some(({ data }) => data.typed));
}

/**
 * Play so many made-up entries, each at a house of its own; return the lies that were shown, how many were told at once
 * and at the end alone, and those that nobody was told of.
 * @param {readonly string[]} hidden @param {(code: string) => boolean} heard alarms that count
 */
function played(hidden, seed = 0, heard = () => true) {
  const whole = new FakeHouse(TABLE, hidden), types = [...SHOWN, ...hidden];
  const found = { lies: 0, atOnce: 0, late: 0, missed: /** @type {string[]} */ ([]) };
  for (let number = 0; number < CASES; number++) {
    const house = whole.copied(), { entry, thrown } = tellMadeUp(house, lots(seed + number));
    const isTold = (/** @type {number} */ seat) => house.alarms.some((one) => one.seat === seat && heard(one.code));
    const lies = [0, 1].filter((seat) => isLie(seat, entry, thrown, types));
    const open = lies.filter((seat) => !isTold(seat));
    if (open.length) house.finish();
    const missed = open.filter((seat) => !isTold(seat));
    found.lies += lies.length;
    found.atOnce += lies.length - open.length;
    found.late += open.length - missed.length;
    found.missed.push(...missed.map((seat) => `${seed + number}, ${seat}: ${JSON.stringify(entry)}`));
  }
  return found;
}

export function testEachFaceThatDidNotFallIsAnAlarmAtOnceWhereNoScriptNamesHiddenDice() {
  const { missed, atOnce, lies } = played([]);
  equal(missed, []);
  equal(atOnce, lies);
  holds(lies > CASES / 3, `${lies}`);
}

export function testEachFaceThatDidNotFallIsAnAlarmAtTheEndAtTheLatestWhereDiceAreHidden() {
  const { missed, late, lies } = played(HIDDEN, 10_000);
  equal(missed, []);
  holds(late > 0 && lies > CASES / 3, `${late} of ${lies}`);
}

export function testWithoutAnAlarmForOpenDiceMuchIsMissed() {
  holds(played([], 20_000, (code) => code !== "dice").missed.length > 0);
}

export function testWithoutAnAlarmForLinksThatAreHeldBackMuchIsMissed() {
  for (const hidden of [[], HIDDEN]) {
    holds(played(hidden, 20_000, (code) => !["server_chain", "commitment"].includes(code)).missed.length > 0);
  }
}

export function testWithoutAnAlarmForFacesThatNoThrowStandsBehindMuchIsMissed() {
  holds(played([], 30_000, (code) => !["typed", "no_throw"].includes(code)).missed.length > 0);
}
