// @ts-check
/** Chicago's modules that work something out: the dice chosen, where they lie, the words. */
import { places } from "chicago/felt/felt.js";
import { DiceSelection } from "chicago/actions/selection.js";
import { lineOf } from "games/kit/page/sentences.js";
import { optionWords, turnOf } from "games/kit/words.js";
import { endingOf } from "chicago/words/endings.js";
import { announcement, called, countedMats, forfeits, short, word } from "chicago/words/words.js";
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
  const selection = new DiceSelection(cup([1, 1, 4]), OPTIONS.slice(0, 3));
  holds(selection.toggle("r0") && selection.toggle("r1"));
  holds(!selection.toggle("r2"), "that the four stays");
  equal([selection.option, selection.inCup], [{ lay: [1, 1], turn: false }, 1]);
  selection.toggle("r0");
  equal([selection.option, selection.inCup], [{ lay: [1], turn: false }, 2]);
}

export function testTwoSixesAreTurnedIntoAOne() {
  const selection = new DiceSelection(cup([6, 6, 4]), OPTIONS);
  holds(selection.canTurn && selection.toggleTurn());
  equal([selection.turned, selection.ones, selection.option], [["r0", "r1"], ["r0"], { lay: [], turn: true }]);
}

export function testALaidOutSixIsTurnedWithANewOneWhereThatIsAWay() {
  const laid = { lay: [], turn: true, laid: true };
  const selection = new DiceSelection(cup([6, 4], [6]), [OPTIONS[0], laid]);
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
  const selection = new DiceSelection(view.cup, OPTIONS.slice(0, 2));
  selection.toggle("r0");
  const found = places(view, selection, true).map(({ key, zone }) => [key, zone]);
  equal(found, [["l0", "tray"], ["r0", "tray"], ["r1", "felt"]]);
  const empty = { cup: { laid: [], rolled: [], throws: 0, in_cup: 3 }, history: [] };
  equal(places(empty, new DiceSelection(empty.cup, []), true).map(({ zone }) => zone), ["cup", "cup", "cup"]);
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

export function testMatsAndForfeitsAreCounted() {
  equal([countedMats(1, {}), countedMats(3, { playing_off: "discard" })], ["1 beer mat", "3 beer mats"]);
  equal([forfeits(1, {}), forfeits(3, { forfeit_name: "a push-up" })], ["a point", "3 × a push-up"]);
}

const SEATS = ["Anna", "Bruno", "Clara"].map((name, seat) => ({ seat, name }));

export function testAnEndIsTitledByItsMostImportantLine() {
  const lines = [["mat_taken", { seat: 1, stock: 3 }], ["worst_by_die", { seat: 1 }]];
  const ending = { seq: 4, lines, is_chick: false, next: ["next_round", { seat: 1, why: "worst" }] };
  equal(endingOf({ ending, options: {} }, SEATS), {
    title: "Bruno takes a beer mat; 3 left.", lines: ["One die each: Bruno is worst."], isChick: false,
    next: "Bruno starts the next round: the worst does.",
  });
  equal(endingOf({ ending: { ...ending, lines: [] }, options: {} }, SEATS), null, "no round has ended");
}

/** @param {any[]} choices @param {object} [view] */
const looking = (choices, view = {}) => {
  const cup = { laid: [], rolled: [6, 2, 1], throws: 1 };
  return { view: { cup, options: {}, valuation: null, ...view }, choices, seats: SEATS, me: 0 };
};

export function testTheButtonsSayWhatIsThrownAndWhatOneStandsWith() {
  const about = { value: 162, fish: false, each: [{ throws: 2 }] };
  const thrown = { name: "throw", seat: 0, required: true, options: [{ lay: [1], turn: false }], about };
  const words = optionWords(thrown, thrown.options[0], 0, /** @type {any} */ (looking([thrown])));
  equal([words.label, words.note, words.key, words.tone], ["Throw two dice", "Lay out 1", "T", "go"]);
  const stand = { ...thrown, name: "stand" };
  equal(optionWords(stand, {}, -1, /** @type {any} */ (looking([thrown]))).label, "Stand with 162");
}

export function testTheBarTellsEachWhatIsAsked() {
  const choices = [{ name: "throw", seat: 0, required: true }, { name: "stand", seat: 0, required: true }];
  const view = { waiting_for: [0], asked: "throw", throw: { number: 2, all: 3 } };
  equal(turnOf(/** @type {any} */ (looking(choices, view))).text, "Your turn: throw again or stand");
  equal(turnOf(/** @type {any} */ (looking([], view))).text, "Anna: throw 2 of 3");
}

export function testSeveralLosersHaveLost() {
  const told = (/** @type {number[]} */ losers) => lineOf({ type: "game_ended", data: { losers } }, SEATS);
  equal(told([0]), "The game is over: Anna has lost.");
  equal(told([0, 1]), "The game is over: Anna and Bruno have lost.");
}
