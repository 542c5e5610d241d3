// @ts-check
/** Backgammon's modules that work something out: the board's geometry, positions, steps, words. */
import "chouette/table.js";
import { columnBox, isCrowded, Layout, ROWS, W } from "chouette/board/geometry.js";
import { BAR, movesOf, OFF, pips, THEIR_BAR, THEIR_OFF, toViewer, viewOf } from "chouette/board/state.js";
import { stepsOf } from "chouette/board/moving/steps.js";
import { clearPlay, isQuiet, planned } from "chouette/dock/by_itself.js";
import { whoAnswers } from "chouette/dock/more.js";
import { raceText, stakesText } from "chouette/dock/waiting.js";
import { group } from "chouette/sheet/rows.js";
import { Results } from "chouette/sheet/results_wood.js";
import { Sheet } from "chouette/sheet/sheet.js";
import { cubesIn } from "chouette/team/cubes.js";
import { following, headline } from "chouette/words/outcome.js";
import { howText, levelText, nextGame, pointsText, requestText, rolledDice } from "chouette/words/words.js";
import { seatsAt } from "games/kit/seats.js";
import { setWish } from "games/kit/page/preferences.js";
import { lineOf, named, signed } from "games/kit/page/sentences.js";
import { equal, holds } from "/unit/assert.js";

/** @param {Record<number, number>} checkers */
const position = (checkers) => Array.from({ length: 26 }, (_, point) => checkers[point] ?? 0);
const START = position({ 24: 2, 13: 5, 8: 3, 6: 5, 1: -2, 12: -5, 17: -3, 19: -5 });

export function testEveryPlaceIsUnderItsOwnMiddle() {
  for (const aspect of [0.76, 0.9, 1.06]) {
    const layout = new Layout(aspect);
    for (const place of ROWS.flat()) {
      const x = layout.centre(place), y = layout.isTop(place) ? 1 : layout.H - 1;
      equal([layout.placeAt(x, y), layout.nearest([place], x, y, 1)], [place, place]);
    }
  }
}

export function testColumnsStandSideBySideOnTheBoard() {
  for (let column = 1; column < 14; column += 1) {
    const [left, right] = [columnBox(column - 1), columnBox(column)];
    holds(left.x + left.width <= right.x + 0.01, `that column ${column} begins where the one before ends`);
  }
  holds(columnBox(13).x + columnBox(13).width <= W, "that the tray is on the board");
}

export function testStacksOfUpToFifteenStayInTheirHalf() {
  const layout = new Layout(0.76);
  for (const place of ROWS.flat()) {
    for (const i of [0, 7, 14]) {
      const { y } = layout.spot(place, i, 15);
      const isHigh = layout.isTop(place);
      const isBar = place === BAR || place === THEIR_BAR;
      if (!isBar) holds(isHigh ? y < layout.middle : y > layout.middle, `checker ${i} at ${place}`);
      holds(y > 0 && y < layout.H);
    }
  }
  equal([isCrowded(5), isCrowded(6)], [false, true]);
}

export function testAFingerBesideAPointMeansItAndFarFromAllNothing() {
  const layout = new Layout(0.9);
  equal(layout.nearest([6], layout.centre(6) + 25, layout.H - 1, 10), 6);
  equal(layout.nearest([6], layout.centre(1), layout.H - 1, 10), null);
  equal(layout.nearest([], 1, 1, 10), null);
  equal(layout.placeAt(W - 1, 1), THEIR_OFF);
  equal(layout.placeAt(W - 1, layout.H - 1), OFF);
}

export function testAPositionIsSeenFromBothSides() {
  equal(viewOf(viewOf(START, "team"), "team"), START);
  equal(viewOf(START, "team"), START);
  equal(pips(START), [167, 167]);
  equal([toViewer(6, true), toViewer(6, false)], [6, 19]);
}

export function testAPlayIsReadAsSteps() {
  equal(movesOf("8/5 6/5").map(([from, to]) => [from, to]), [[8, 5], [6, 5]]);
  equal(movesOf("bar/22").map(([from, to]) => [from, to]), [[25, 22]]);
  equal(movesOf("6/off").map(([from, to]) => [from, to]), [[6, 0]]);
}

export function testARollIsWalkedByTheStepsOfItsLegalPlaysOnly() {
  const nodes = stepsOf(START, [3, 1], ["8/5 6/5", "24/23 13/10"]);
  equal(nodes[0].left, [3, 1]);
  equal([...new Set(nodes[0].to.map(([from, to]) => `${from}/${to}`))].sort(), ["13/10", "24/23", "6/5", "8/5"]);
  equal(nodes.map((node) => node.play).filter(Boolean).sort(), ["24/23 13/10", "8/5 6/5"]);
  const after = nodes[nodes[0].to.find(([from]) => from === 8)[4]];
  equal(after.to.map(([from, to]) => `${from}/${to}`), ["6/5"]);
}

export function testWhereNothingCanBePlayedThereIsNoStep() {
  const blocked = position({ 25: 1, 24: -2, 23: -2, 22: -2, 21: -2, 20: -2, 19: -2, 6: 5 });
  equal(stepsOf(blocked, [6, 5], []).map((node) => [node.to, node.play]), [[[], null]]);
}

export function testPointsAndWordsAreWrittenAsOnASheet() {
  equal([signed(3), signed(-1), signed(0)], ["+3", "−1", "0"]);
  equal([pointsText(1), pointsText(2)], ["1 point", "2 points"]);
  equal([levelText(2), howText("dropped"), howText("new")], ["gammon", "dropped", "new"]);
}

export function testThePositionsOwnDiceWereNeverRolledInAnyGame() {
  const options = { start_position: "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:8" };
  const rolled = (/** @type {number[]} */ dice, /** @type {any} */ rules = options) =>
    rolledDice(/** @type {any} */ ({ options: rules, game: { dice } }));
  equal([rolled([5, 2]), rolled([2, 5]), rolled([6, 2])], [[], [], [6, 2]]);
  equal([rolled([5, 2], { start_position: "start" }), rolled([], options)], [[5, 2], []]);
}

export function testWhoeverWaitsForAnAnswerReadsWhoseAndWhatFor() {
  const seats = ["Anna", "Bruno", "Carla"].map((name, seat) => ({ seat, name }));
  const read = (/** @type {object[]} */ requests, phase = "playing") =>
    requestText(/** @type {any} */ ({ seats, view: { phase, game: { requests } } }));
  const settles = (/** @type {number} */ by, /** @type {number} */ to) => ({ what: "settlement", by, to: [to] });
  equal(read([settles(0, 1)]), "Settlement: waiting for Bruno");
  equal(read([settles(0, 1), settles(2, 0)]), "Settlement: waiting for Bruno and Anna");
  equal(read([{ what: "take_back", by: 0, to: [1, 2] }]), "Play asked back: waiting for Bruno and Carla");
  equal(read([settles(0, 1), { what: "take_back", by: 0, to: [2] }]), "Settlement: waiting for Bruno");
  equal([read([]), read([settles(0, 1)], "between")], ["", ""]);
}

export function testASingleCubeIsSeenOnceWithTheCaptainAndWhoIsOutKeepsTheirResult() {
  const cube = (/** @type {number} */ member, /** @type {number | null} */ result = null) => ({ member, result });
  const seats = (/** @type {any} */ game) => cubesIn(game).map((one) => one.member);
  equal(seats({ single: false, captain: 2, cubes: [cube(1), cube(2), cube(3)] }), [1, 2, 3]);
  equal(seats({ single: true, captain: 2, cubes: [cube(1), cube(2), cube(3)] }), [2]);
  equal(seats({ single: true, captain: 3, cubes: [cube(1, -1), cube(2), cube(3)] }), [1, 3]);
  equal(seats({ single: true, captain: 1, cubes: [cube(1, 1), cube(2), cube(3)] }), [1, 2]);
}

/** Anna sat on seat 0 up to entry 20, then Bruno up to 30, then Carla. */
const { seats: CHANGED } = named({ seats: [
  { seat: 0, name: "Carla", player: 3, bot: "", before: [{ name: "Anna", upto: 20 }, { name: "Bruno", upto: 30 }] },
  { seat: 1, name: "Dora", player: 4, bot: "" },
] });
const ROW = {
  game: 1, seq: 12, by: null, reason: "", points: [2, -2], totals: [2, -2], check: 0, line: [0, 1], winner: "box",
  transfers: [{ payer: 1, payee: 0, points: 2, why: "single" }], score: null, crawford: false,
};
const CORRECTION = { ...ROW, game: null, seq: 22, by: 0, reason: "Counted wrong", line: [], winner: "" };

/** @param {any} row */
const rowOf = (row) => group({ row, i: 0, seats: CHANGED, columns: [0, 1], isOpen: false, toggle: () => {} });

export function testALineOfTheLogIsOfThePersonWhoSatThereThen() {
  const event = { type: "play_made", data: { seat: 0, play: "8/5" } };
  const told = [12, 19, 20, 29, 30].map((seq) => lineOf(event, seatsAt(CHANGED, seq)));
  equal(told, ["Anna", "Anna", "Bruno", "Bruno", "Carla"].map((name) => `${name} plays 8/5.`));
  equal(seatsAt([{ seat: 0, name: "Dora" }], 12)[0].name, "Dora");
}

export function testACorrectedResultIsToldWithItsScoreAndWithTheGamesThatNoLongerCount() {
  const seats = [{ seat: 0, name: "Anna" }, { seat: 1, name: "Bruno" }];
  const told = { winner: 1, level: 2, cube: 2 }, rows = [{ game: 2, seq: 9, struck: false }];
  const data = { seat: null, of: 9, told, why: "wrong way round", rows, score: [1, 4] };
  equal(lineOf({ type: "result_corrected", data }, seats),
    "The host corrects game 2: Bruno wins 4 points (wrong way round). The match stands at Anna 1, Bruno 4.");
  const late = [{ game: 3, seq: 12, struck: true }, { game: 4, seq: 15, struck: true }];
  const more = { ...data, seat: 0, rows: [...rows, ...late] };
  equal(lineOf({ type: "result_corrected", data: more }, seats),
    "Anna corrects game 2: Bruno wins 4 points (wrong way round). Games 3, 4 no longer count. "
    + "The match stands at Anna 1, Bruno 4.");
  const struck = rowOf({ ...ROW, score: [5, 1], struck: true, points: [0, 0] });
  equal(struck.querySelector(".bt-sheet-row")?.getAttribute("data-struck"), "yes");
  const results = new Results(/** @type {any} */ ({}));
  const now = (/** @type {any[]} */ sheet) => /** @type {any} */ ({ view: { sheet }, me: 0 });
  results.show(now([{ struck: false }]));
  equal([results.note.hidden, results.button.hidden], [true, false]);
  results.show(now([{ struck: true }]));
  holds(!results.note.hidden, "what is crossed out is explained");
}

export function testADeletedNameOfThenIsInTheWordsOfThePage() {
  const before = [{ name: "Deleted player", upto: 20 }], { gettext } = /** @type {any} */ (window);
  /** @type {any} */ (window).gettext = (/** @type {string} */ text) => `(${text})`;
  const [seat] = named({ seats: [{ seat: 0, name: "Carla", before }] }).seats;
  /** @type {any} */ (window).gettext = gettext;
  equal(seat.before, [{ name: "(Deleted player)", upto: 20 }]);
}

export function testARowOfTheSheetHasTheNamesOfItsTime() {
  const [then, other] = [...rowOf(ROW).querySelectorAll(".bt-sheet-row td")];
  equal([then.title, then.querySelector(".visually-hidden").textContent], ["Anna", "Anna: "]);
  equal([other.title, other.querySelector(".visually-hidden")], ["", null]);
  equal([...rowOf(ROW).querySelectorAll(".bt-person")].map((one) => one.textContent), ["Dora", "Anna"]);
  equal(rowOf({ ...ROW, seq: 40 }).querySelector(".bt-sheet-row td").title, "");
}

export function testACorrectionNamesWhoMadeItThen() {
  const note = rowOf(CORRECTION).querySelector(".bt-sheet-note").textContent;
  equal(note, "Corrected by Bruno: Counted wrong");
}

export function testAColumnNamesAllWhoWonOnItsSeat() {
  const view = {
    seats: [0, 1].map((seat) => ({ seat, status: "in" })), phase: "between", format: "chouette", line: [0, 1],
    totals: [2, -2], score: null, sheet: [ROW, CORRECTION], to_throw: [], options: {}, order: [], roles: null,
    last_game: null, game: null,
  };
  const sheet = new Sheet({ command: () => {}, emit: () => {}, showPlay: () => {}, showAnswers: () => {} });
  const now = { view, choices: [], seats: CHANGED, me: null, canAct: false, isTv: false, hasEnded: false, clocks: {} };
  sheet.show(/** @type {any} */ (now));
  const [, anna, dora] = [...sheet.head.querySelectorAll("th")];
  equal([anna.title, anna.querySelector(".bt-sheet-long").textContent], ["Anna and Bruno, now Carla", "Carla"]);
  equal([dora.title, dora.querySelector(".visually-hidden").textContent], ["Dora", "Dora"]);
}

export function testTheEndOfTheLastGameIsOfThoseWhoPlayedIt() {
  const last = {
    number: 1, reason: "single", winner: "box", box: 0, captain: 1, last_captain: 1, partner: null, points: [2, -2],
    why: "box_stays", line_after: [0, 1], side: "box",
    following: { why: "box_stays", now: null, next: 0, box: 0, captain: 1, stood_in: null },
  };
  const view = { format: "money", line: [0, 1], sheet: [ROW], last_game: last, options: { rotation: "next_in_line" } };
  equal([headline(view, CHANGED), following(view, CHANGED)],
    ["Anna wins game 1", "Anna won the game and stays Box."]);
}

const SEATS = ["Xenia", "Kari", "Lasse", "Mia"].map((name, seat) => ({ seat, name }));
const ENDED = {
  number: 3, reason: "single", winner: "team", box: 0, captain: 1, last_captain: 1, partner: null, why: "captain_wins",
  line_before: [0, 1, 2, 3], line_after: [1, 2, 3, 0], points: [-3, 1, 1, 1], side: "team",
  following: { why: "captain_wins", now: 1, next: 1, box: 0, captain: 1, stood_in: null },
};
/** @param {object} last @param {object} [more] */
const after = (last, more = {}) => ({
  format: "chouette", phase: "pause", line: [1, 2, 3, 0], options: { rotation: "captain_result" },
  roles: { box: 1, captain: 2, box_why: "captain_wins", captain_why: "next_in_line" },
  last_game: { ...ENDED, ...last }, ...more,
});
/** @param {object} view @param {any[]} events @returns {string} what is spoken */
function aloud(view, events) {
  const table = /** @type {any} */ (document.createElement("chouette-table"));
  table.now = { view, seats: SEATS, choices: [] };
  return table.told(events).voice;
}

export function testTheNextBoxIsSaidOfPeopleWhoWillBeThere() {
  const there = after({});
  equal(following(there, SEATS), "Kari has beaten the Box and takes its place.");
  const event = { type: "game_ended", data: ENDED };
  const points = "Game 3 is over: Xenia −3, Kari +1, Lasse +1, Mia +1.";
  equal(lineOf(event, SEATS), points, "the line that follows in the log is the real one");
  equal(aloud(there, [event]), `${points} Next game: Kari is Box, Lasse is Captain.`);
  const roles = { box: 2, captain: 3, box_why: "moved_up", captain_why: "next_in_line" };
  const gone = after({}, { line: [2, 3, 0], roles });
  equal(nextGame(gone, SEATS), "Next game: Lasse is Box, Mia is Captain.");
  equal(aloud(gone, [event]), `${points} Next game: Lasse is Box, Mia is Captain.`);
  equal(aloud(after({}, { phase: "over", roles: null }), [event]), points); // no next game
}

export function testWhoHasStoodInIsNamedWithTheReasonOfTheNextBox() {
  const stoodIn = after({ following: { ...ENDED.following, stood_in: 2 } });
  equal(following(stoodIn, SEATS),
    "Kari has beaten the Box and takes its place. Lasse stood in and is the next Captain.");
}

export function testAGameThatNeitherSideHasWonIsToldWithTheBoxesPoints() {
  const line = ["undecided", { number: 3, seat: 0, points: 1 }];
  equal(headline(after({ side: "", headline: line }), SEATS), "Game 3 is over: Xenia +1.");
  equal(headline(after({ side: "box" }), SEATS), "Xenia wins in the Box");
}

export function testWhoHasBeatenTheBoxIsNamedUpToThree() {
  equal(headline(after({}), SEATS), "Kari, Lasse, and Mia beat Xenia in the Box");
  equal(headline(after({ points: [-1, 1, 0, 0] }), SEATS), "The Team beats Xenia in the Box");
  const points = [-4, 1, 1, 1, 1], line_before = [0, 1, 2, 3, 4];
  const five = [...SEATS, { seat: 4, name: "Nora" }];
  equal(headline(after({ points, line_before }), five), "The Team beats Xenia in the Box");
}

export function testResigningInAGameOfTwoSpeaksOfTheOtherSide() {
  const duel = { format: "match", line: [0, 1] }, many = { format: "chouette", line: [0, 1, 2] };
  for (const isBox of [true, false]) equal(whoAnswers({ view: duel, isBox }), "The other side accepts or refuses.");
  equal(whoAnswers({ view: many, isBox: true }), "Each member accepts or refuses for themselves.");
  equal(whoAnswers({ view: many, isBox: false }), "You resign your own cube only. The Box accepts or refuses.");
}

export function testBearingOffIsClearWhereOnePlayTakesOffTheMostAndLeavesTheFewestPips() {
  const home = position({ 6: 2, 5: 1, 2: 1, 20: -3 });
  equal(clearPlay(home, ["6/off 5/off", "6/off 6/1", "6/1 6/off"]), "6/off 5/off");
  // As many off, as many pips: the player's choice.
  equal(clearPlay(home, ["6/off 6/4", "6/off 5/3"]), null);
  equal(clearPlay(position({ 3: 1, 2: 1, 20: -3 }), ["3/off 2/off"]), "3/off 2/off");
  equal(clearPlay(position({ 6: 2, 1: 1, 20: -3 }), ["6/off 6/4", "6/2 1/off"]), "6/off 6/4");
  // One takes off more checkers, another more pips.
  equal(clearPlay(home, ["2/off 5/off", "6/off 6/4 6/4"]), null);
  equal(clearPlay(home, ["cannot move"]), null);
}

export function testWithContactOrACheckerOutsideThePlayerBearsOff() {
  const plays = ["6/off 5/off"];
  equal(clearPlay(position({ 7: 1, 6: 2, 20: -3 }), plays), null);
  equal(clearPlay(position({ 6: 2, 5: 1, 3: -1 }), plays), null);
  equal(clearPlay(position({ 6: 2, 5: 1, 0: -1 }), plays), null);
  equal(clearPlay(position({ 6: 2, 5: 1, 7: -1 }), plays), plays[0]);
}

/**
 * @param {object} game @param {string[]} names of the open choices
 * @param {{auto?: boolean, grace?: number, [more: string]: unknown}} [about]
 */
function aboutToRoll(game, names, { auto = true, grace = 3, ...more } = {}) {
  const cubes = [{ holder: 1 }, { holder: 2 }];
  const still = { window: null, cubes, box: 0, on_roll: 1, requests: [], last_play: null };
  const choices = names.map((name) => ({ name, basis: 7, required: true, options: [{}] }));
  const view = { phase: "playing", me: { auto }, game: { ...still, ...game }, options: { grace_seconds: grace } };
  const now = { view, choices, me: 1, canAct: true, isTv: false, isShared: false, hasEnded: false, ...more };
  return planned(/** @type {any} */ (now))?.name ?? null;
}

export function testTheRollIsByItselfWhereIMayNotDoubleOrAmOnAutoNoDouble() {
  const window = (/** @type {number[]} */ may_double) => ({ stage: "window", window: { may_double, ring: null } });
  equal(aboutToRoll({ stage: "roll" }, ["roll"]), "roll");
  equal(aboutToRoll({ stage: "roll" }, ["type_dice"]), null);
  equal(aboutToRoll({ stage: "offer", box: 1 }, ["roll"]), "roll");
  equal(aboutToRoll({ stage: "offer", box: 1 }, ["offer", "roll"]), null);
  equal(aboutToRoll({ stage: "offer", box: 0 }, ["roll"]), null);
  equal(aboutToRoll(window([0]), ["cube", "roll"]), "roll");
  equal(aboutToRoll(window([0]), ["cube", "roll"], { auto: false }), null);
  equal(aboutToRoll(window([0, 1]), ["cube", "roll"]), "roll"); // the others have their ring
  equal(aboutToRoll(window([1]), ["roll"], { auto: false }), "roll");
}

export function testARollByItselfLeavesTheOthersTheirTime() {
  const window = { may_double: [0, 1], ring: null };
  equal(aboutToRoll({ stage: "window", window }, ["cube", "roll"], { grace: 0 }), null);
  const open = { stage: "window", window: { may_double: [0], ring: null } };
  equal(aboutToRoll(open, ["cube", "roll"], { grace: 0 }), "roll");
  equal(aboutToRoll({ stage: "window", window: { ...window, ring: { opened: 9 } } }, ["cube"]), null);
}

export function testAPlayIsQuietThatHitsNothingAndBreaksNoPoint() {
  const own = position({ 24: 2, 13: 5, 8: 3, 6: 5, 25: 0, 20: -2, 5: -1 });
  equal(isQuiet(own, "13/8 13/10"), true); // three stay
  equal(isQuiet(own, "8/4 8/5"), false); // one stays of three
  equal(isQuiet(own, "24/23"), false);
  equal(isQuiet(own, "24/20(2)"), true); // none stays
  equal(isQuiet(own, "13/5*"), false);
  equal(isQuiet(own, "13/7*/3"), false); // also on the way
  equal(isQuiet(position({ 25: 2, 6: 3 }), "bar/22"), true); // the bar is no point
  equal(isQuiet(position({ 6: 2, 1: 1 }), "6/off 1/off"), false);
  equal(isQuiet(position({ 10: 2, 4: 1 }), "10/4 10/9"), true); // nothing stays, and a point is made
}

/** @param {string | null} made the play in hand @param {{wishes?: object, [more: string]: unknown}} [about] */
function aboutToConfirm(made, { of = {}, ...more } = {}) {
  const game = { points: position({ 24: 2, 13: 5, 8: 3, 6: 5, 1: -2 }), turn: "team" };
  const choices = [{ name: "move", basis: 7, required: true, options: [{ play: "13/8 6/4" }, { play: "24/23 8/4" }] }];
  const view = { phase: "playing", me: { auto: false }, match_length: null, clock: null, options: {}, game, ...of };
  const now = { view, choices, me: 1, canAct: true, isTv: false, isShared: false, hasEnded: false, ...more };
  return planned(/** @type {any} */ (now), made)?.args.play ?? null;
}

export function testOnlyAQuietPlayThatSomebodyHasMadeIsConfirmedByItself() {
  equal(aboutToConfirm("13/8 6/4"), "13/8 6/4");
  equal(aboutToConfirm("24/23 8/4"), null);
  equal(aboutToConfirm(null), null);
}

export function testMatchesClocksTournamentsAndSharedDevicesConfirmEachPlay() {
  const play = "13/8 6/4";
  for (const of of [{ match_length: 5 }, { clock: { left: [1, 1] } }]) equal(aboutToConfirm(play, { of }), null);
  for (const more of [{ isTournament: true }, { isShared: true }, { isTv: true }, { canAct: false }, { me: null }])
    equal(aboutToConfirm(play, more), null);
}

export function testWhoHearsTheTableOrWishesTheirOwnTimeConfirms() {
  const play = "13/8 6/4";
  for (const [name, value] of [["speech", true], ["chouette.own_time", true], ["chouette.confirm", false]]) {
    setWish(String(name), Boolean(value));
    equal([name, aboutToConfirm(play)], [name, null]);
    localStorage.removeItem(`stammtisch.${name}`);
  }
  equal(aboutToConfirm(play), play);
}

export function testNothingThatWaitsForAnAnswerIsEndedByARollByItself() {
  const stage = "roll";
  for (const name of ["answer_proposal", "answer_take_back", "answer_resignation"])
    equal(aboutToRoll({ stage }, ["roll", name]), null);
  equal(aboutToRoll({ stage, requests: [{}] }, ["roll"]), null); // others', too: a roll would end them
}

export function testOnASharedDeviceAScreenOrWithoutALineNothingIsDoneByItself() {
  for (const more of [{ isShared: true }, { isTv: true }, { canAct: false }, { me: null }, { hasEnded: true }])
    equal(aboutToRoll({ stage: "roll" }, ["roll"], more), null);
}

/** @param {number[][]} cubes member, value, points of the three levels @param {number} me */
function stakes(cubes, me) {
  const of = { against: 0, result: null };
  const all = cubes.map(([member, value, ...worth], cube) => ({ cube, member, value, worth, ...of }));
  return stakesText(/** @type {any} */ ({ game: { cubes: all }, me }));
}

export function testWhoWaitsReadsWhatTheirCubesAreWorth() {
  const cubes = [[1, 2, 2, 4, 6], [2, 1, 1, 1, 1]];
  equal(stakes(cubes, 1), "Cube at 2: ±2, gammon 4");
  equal(stakes(cubes, 2), "Cube at 1: ±1"); // Jacoby: a gammon counts once
  equal(stakes(cubes, 0), "2 cubes: ±3, gammon 5");
  equal(stakes(cubes, 3), ""); // not in the game
}

export function testTheRaceIsToldFromOnesOwnSideAndNotWhereTheHouseRulesHideIt() {
  const race = (/** @type {number[] | null} */ pips, /** @type {number} */ me) =>
    raceText(/** @type {any} */ ({ game: { pips, box: 0, partner: null }, me }));
  equal(race([120, 128], 0), "pips 120, 8 ahead");
  equal(race([120, 128], 2), "pips 128, 8 behind");
  equal(race([99, 99], 1), "pips 99, level");
  equal(race(null, 0), "");
}
