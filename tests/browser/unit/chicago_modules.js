// @ts-check
/** Chicago's modules that work something out: the dice chosen, where they lie, the words. */
import { places } from "chicago/felt/felt.js";
import { Selection } from "chicago/actions/selection.js";
import { lineOf } from "games/kit/page/sentences.js";
import { endingOf } from "chicago/words/endings.js";
import { headline } from "chicago/words/outcome.js";
import { announcement, called, countedMats, forfeits, short, word, worth } from "chicago/words/words.js";
import { equal, holds } from "/unit/assert.js";

const OPTIONS = [
  { lay: [], turn: false },
  { lay: [1], turn: false },
  { lay: [1, 1], turn: false },
  { lay: [], turn: true },
];
/** @param {number[]} rolled @param {number[]} [laid] */
const cup = (rolled, laid = []) => ({ laid, rolled, throws: 1, in_cup: 0 });

export function testOnlyDiceOfALegalSetCanBeChosen() {
  const selection = new Selection(cup([1, 1, 4]), OPTIONS.slice(0, 3));
  holds(selection.toggle("r0") && selection.toggle("r1"));
  holds(!selection.toggle("r2"), "that the four stays");
  equal([selection.option, selection.inCup], [{ lay: [1, 1], turn: false }, 1]);
  selection.toggle("r0");
  equal([selection.option, selection.inCup], [{ lay: [1], turn: false }, 2]);
}

export function testTwoSixesAreTurnedIntoAOne() {
  const selection = new Selection(cup([6, 6, 4]), OPTIONS);
  holds(selection.canTurn && selection.toggleTurn());
  equal([selection.turned, selection.ones, selection.option], [["r0", "r1"], ["r0"], { lay: [], turn: true }]);
}

export function testALaidOutSixIsTurnedWithANewOneWhereThatIsAWay() {
  const laid = { lay: [], turn: true, laid: true };
  const selection = new Selection(cup([6, 4], [6]), [OPTIONS[0], laid]);
  holds(selection.canTurn && selection.toggleTurn());
  equal([selection.turned, selection.ones, selection.option, selection.inCup], [["l0", "r0"], ["l0"], laid, 2]);
  const view = { cup: selection.cup, history: [] };
  const found = places(view, selection, true).map(({ key, value, zone }) => [key, value, zone]);
  equal(found, [["l0", 1, "tray"], ["r0", 6, "cup"], ["r1", 4, "felt"]]);
  selection.toggleTurn();
  equal([selection.turning, selection.option], ["", OPTIONS[0]]);
}

export function testEachDieHasAPlace() {
  const view = { cup: cup([1, 4], [1]), history: [] };
  const selection = new Selection(view.cup, OPTIONS.slice(0, 2));
  selection.toggle("r0");
  const found = places(view, selection, true).map(({ key, zone }) => [key, zone]);
  equal(found, [["l0", "tray"], ["r0", "tray"], ["r1", "felt"]]);
  const empty = { cup: { laid: [], rolled: [], throws: 0, in_cup: 3 }, history: [] };
  equal(places(empty, new Selection(empty.cup, []), true).map(({ zone }) => zone), ["cup", "cup", "cup"]);
}

export function testResultsAreCalledAsAtTheTable() {
  equal(called({ value: 123, throws: 2, fish: false }), "123 in two");
  equal(called({ value: 0, throws: 1, fish: true }), "Fish in one");
  equal(called({ value: 0, throws: 1, fish: false, chick: true }), "Chick");
  equal(short({ value: 9, fish: true }), "Fish 9");
  equal(announcement({ kind: "high", value: 123, throws: 2, fish: false }), "123 in two are high");
  equal(announcement({ kind: "low", value: 0, throws: 1, fish: true }), "Fish in one is low");
  equal([word(0), word(3), word(7)], ["none", "three", "7"]);
}

export function testDiceAreWorthWhatWasDeclared() {
  const high = { ones: 100, sixes: 60, high: true };
  equal([worth([1, 6, 2], high, ""), worth([2, 3, 4], high, "")], ["162", "Fish"]);
  equal(worth([2, 3, 4], high, "by_sum"), "Fish 9");
  equal(worth([1, 6, 2], { ones: 1, sixes: 6, high: false }, ""), "9");
}

export function testMatsAndForfeitsAreCounted() {
  equal([countedMats(1, {}), countedMats(3, { playing_off: "discard" })], ["1 beer mat", "3 beer mats"]);
  equal([forfeits(1, {}), forfeits(3, { forfeit_name: "a push-up" })], ["a point", "3 × a push-up"]);
}

const SEATS = ["Anna", "Bruno", "Clara"].map((name, seat) => ({ seat, name }));

/** @param {boolean} low_counts */
function ended(low_counts) {
  const results = [[1, 123], [2, 9]].map(([seat, value]) => ({ seat, value, throws: 1, fish: false }));
  const [high, low] = low_counts ? [2, 1] : [1, 2];
  const events = [
    { type: "rolled_off", data: { seat: low } },
    { type: "round_ended", data: { reason: "full", high, low } },
    { type: "mat_taken", data: { seat: low, stock: 3 } },
  ];
  const last = { reason: "full", high, low, results, low_counts };
  return endingOf({ ending: { events }, last_round: last, starter: low, options: {}, outcome: null }, SEATS);
}

export function testARoundDeclaredLowEndsWithBestAndWorst() {
  const low = ended(true);
  equal(low?.lines, ["Best: Clara, 9 in one. Worst: Bruno, 123 in one.", "One die each: Bruno is worst."]);
  equal(low?.next, "Bruno starts the next round: the worst does.");
  const high = ended(false);
  equal(high?.lines, ["High: Bruno, 123 in one. Low: Clara, 9 in one.", "One die each: Clara is low."]);
  equal(high?.next, "Clara starts the next round: the low does.");
}

export function testALeaverHasNotPaidMostWhereAllHavePaidTheSame() {
  /** @param {number[]} points @param {number[][]} ranking @param {number | null} [stock] */
  const title = (points, ranking, stock = null) => {
    const outcome = { reason: "closed", losers: [], points, ranking };
    return headline({ outcome, stock, options: {} }, SEATS);
  };
  equal(title([0, 0, 0], [[0, 1], [2]]), "The game is over");
  equal(title([1, 2, 2], [[0], [1], [2]]), "Bruno and Clara have paid most rounds");
  equal(title([1, 0, 2], [[1], [0], [2]]), "Clara has paid most rounds");
  equal(title([0, 0, 1], [[0], [1], [2]], 4), "The game is over", "nobody pays a game for mats that was closed");
}

export function testSeveralLosersHaveLost() {
  const told = (/** @type {number[]} */ losers) => lineOf({ type: "game_ended", data: { losers } }, SEATS);
  equal(told([0]), "The game is over: Anna has lost.");
  equal(told([0, 1]), "The game is over: Anna and Bruno have lost.");
}
