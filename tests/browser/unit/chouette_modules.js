// @ts-check
/** Backgammon's modules that work something out: the board's geometry, positions, steps, words. */
import { columnBox, isCrowded, Layout, ROWS, W } from "chouette/board/geometry.js";
import { BAR, movesOf, OFF, pips, THEIR_BAR, THEIR_OFF, toViewer, viewOf } from "chouette/board/state.js";
import { stepsOf } from "chouette/board/moving/steps.js";
import { cubesIn } from "chouette/team/cubes.js";
import { howText, levelText, pointsText, signed } from "chouette/words/words.js";
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

export function testASingleCubeIsSeenOnceWithTheCaptainAndWhoIsOutKeepsTheirResult() {
  const cube = (/** @type {number} */ member, /** @type {number | null} */ result = null) => ({ member, result });
  const seats = (/** @type {any} */ game) => cubesIn(game).map((one) => one.member);
  equal(seats({ single: false, captain: 2, cubes: [cube(1), cube(2), cube(3)] }), [1, 2, 3]);
  equal(seats({ single: true, captain: 2, cubes: [cube(1), cube(2), cube(3)] }), [2]);
  equal(seats({ single: true, captain: 3, cubes: [cube(1, -1), cube(2), cube(3)] }), [1, 3]);
  equal(seats({ single: true, captain: 1, cubes: [cube(1, 1), cube(2), cube(3)] }), [1, 2]);
}
