// @ts-check
/** The house's modules that touch no server: texts, clocks, sets, dice, the kit. */
import { Clocks } from "games/kit/clocks.js";
import { Die } from "games/kit/dice.js";
import { Actions } from "games/kit/actions.js";
import { argsText, worded } from "games/kit/words.js";
import { headlineLines, Headlines, MOST_WAITING, SCREEN_MS } from "games/kit/headlines.js";
import { nameOf, namesOf, showPresence } from "games/kit/seats.js";
import { ResultCard } from "games/kit/table.js";
import { TurnBar } from "games/kit/turn_bar.js";
import { broken, isAllowed, listed } from "games/kit/sets.js";
import { andList, fill, timeText } from "games/kit/page/text.js";
import { equal, holds } from "/unit/assert.js";

const SEATS = [
  { seat: 0, name: "Ada", player: 1, bot: "", presence: "here" },
  { seat: 1, name: "Bo 🤖", player: 2, bot: "easy" },
  { seat: 2, name: "Cy", player: null, bot: "" },
];

export function testPlaceholdersAreFilledAndUnknownOnesStay() {
  equal(fill("%(name)s throws %(n)s", { name: "Ada", n: 3 }), "Ada throws 3");
  equal(fill("%(name)s %(other)s", { name: "$&" }), "$& %(other)s");
}

export function testNamesAreJoinedInTheLanguageOfThePage() {
  equal(andList(["Ada", "Bo", "Cy"]), "Ada, Bo, and Cy");
  equal(namesOf(SEATS, [0, 1, 0]), "Ada and Bo");
}

export function testATimeOfDayIsWrittenAsTheReadersRegionDoes() {
  const at = new Date(2026, 0, 2, 20, 5).toISOString(), { dataset } = document.documentElement;
  const written = (/** @type {string} */ locale) => {
    dataset.locale = locale;
    return timeText(at).replace("\u202f", " ");
  };
  for (const one of ["en-GB", "en-150", "de-CH", "nb-NO"]) equal(written(one), "20:05");
  equal(written("en-US"), "8:05 PM");
  delete dataset.locale;
}

export function testASeatWithoutANameIsCalledByItsNumber() {
  equal([nameOf(SEATS, 1), nameOf(SEATS, 7), nameOf(SEATS, null)], ["Bo", "Seat 8", ""]);
}

export function testPresenceIsShownInOneWord() {
  const shown = SEATS.map((person) => {
    const dot = document.createElement("span");
    showPresence(dot, person, "plays by the odds");
    return [dot.dataset.presence, dot.title];
  });
  equal(shown, [["here", "is here"], ["bot", "plays by the odds"], ["empty", "has left the seat"]]);
}

export function testAClockRunsFromWhatTheServerSaidAndNeverBelowZero() {
  let now = 1000;
  const clocks = new Clocks(() => now);
  clocks.set({ 0: 20000, 1: 500 });
  now += 4500;
  equal(clocks.left(false), { 0: 15500, 1: 0 });
  equal(clocks.left(true), { 0: 20000, 1: 500 });
  clocks.set(undefined);
  equal(clocks.left(false), { 0: 15500, 1: 0 });
}

export function testClocksAgreeWithWhatTheyShowButForTheWayOfAMessage() {
  let now = 1000;
  const clocks = new Clocks(() => now);
  clocks.set({ 0: 20000 });
  now += 5000;
  equal([clocks.agree({ 0: 15000 }, false), clocks.agree({ 0: 15300 }, false)], [true, true]);
  equal([clocks.agree(undefined, false), clocks.agree({ 0: 20000 }, true)], [true, true]);
  equal([{ 0: 20000 }, {}, { 1: 15000 }, { 0: 15000, 1: 9 }].map((told) => clocks.agree(told, false)),
    [false, false, false, false]);
}

export function testSetsAreWhatTheirLawsAllow() {
  const sets = { name: "cubes", of: [0, 1, 2], may_be_empty: false, laws: [{ why: "least", least: 2, or: [[2]] }] };
  equal(listed(sets).map(({ cubes }) => cubes.join("")), ["01", "2", "02", "12", "012"]);
  equal([isAllowed(sets, []), isAllowed(sets, [0]), isAllowed(sets, [3])], [false, false, false]);
  equal(broken(sets, [0]).map((law) => law.why), ["least"]);
  const alike = { ...sets, laws: [{ why: "alike", alike: [[0, 1]] }] };
  equal(listed(alike).map(({ cubes }) => cubes.join("")), ["01", "2", "012"]);
  const needs = { ...sets, laws: [{ why: "needs", any: [1, 2], needs: 0 }] };
  equal(listed(needs).map(({ cubes }) => cubes.join("")), ["0", "01", "02", "012"]);
}

export function testADieShowsTheFaceOfItsValueUppermost() {
  for (const value of [1, 2, 3, 4, 5, 6]) {
    const die = new Die();
    die.show(value);
    const lit = [...die.faces].map(([face, { group, shade }]) => ({
      face,
      pips: group.querySelectorAll("circle").length,
      isSeen: group.getAttribute("visibility") === "visible",
      dark: Number(shade.getAttribute("fill-opacity")),
    }));
    const [top] = lit.filter((face) => face.isSeen).sort((a, b) => a.dark - b.dark);
    equal([top.face, top.pips], [value, value]);
  }
}

export function testARollEndsAtItsValue() {
  const die = new Die();
  return die.roll(5, { ms: 1 }).then(() => equal(die.value, 5));
}

export function testAChoiceIsWordedWithItsArguments() {
  equal(worded("take_back"), "Take back");
  equal(argsText({ number: 3 }, SEATS), "3");
  equal(argsText({ to: 1 }, SEATS), "Bo");
  equal(argsText({ lay: [1, 6], turn: true }, SEATS), "1 6, true");
  equal(argsText({}, SEATS), "");
}

export function testButtonsSendTheOptionsOfTheirChoices() {
  /** @type {any[]} */
  const sent = [];
  const actions = new Actions((name, args) => sent.push([name, args]));
  const many = Array.from({ length: 20 }, (_, number) => ({ number }));
  const choices = [
    { name: "bid", basis: 1, required: true, options: [{ number: 1 }, { number: 2 }] },
    { name: "pick", basis: 1, required: false, options: many },
  ];
  const now = { view: {}, choices, seats: SEATS, me: 0, canAct: true, isTv: false, hasEnded: false };
  actions.show(now);
  const buttons = [...actions.el.querySelectorAll("button")];
  equal(buttons.map((button) => button.textContent), ["Bid 1", "Bid 2", "Pick"]);
  actions.press("2");
  actions.el.querySelector("select").value = "7";
  actions.press("3");
  equal(sent, [["bid", { number: 2 }], ["pick", { number: 7 }]]);
  actions.show({ ...now, canAct: false });
  const isKept = buttons.every((button) => button.disabled && actions.el.contains(button));
  holds(isKept, "that buttons stay and are disabled");
}

export function testAResultCardIsThereOnlyWithAResultAndDrawnOnlyAnew() {
  const card = new ResultCard("kit-result");
  let drawn = 0;
  const inside = () => [String((drawn += 1))];
  card.draw(null, inside);
  holds(card.el.hidden);
  for (const parts of [[1], [1], [2]]) card.draw(parts, inside);
  equal([card.el.hidden, card.el.textContent], [false, "2"]);
}

/** A big screen's headlines over an empty bar. */
function screen() {
  const bar = document.createElement("div");
  const headlines = new Headlines(bar);
  document.body.replaceChildren(bar, headlines.el);
  return { bar, headlines };
}

export function testAHeadlineHasTheScreenForTwoToFourSecondsAndThenGivesItBack() {
  const { bar, headlines } = screen();
  headlines.add([{ text: "Five double to 2!", kind: "turn" }, { text: "Gammon!", kind: "result", detail: "Bo −4" }]);
  for (const text of ["Five double to 2!", "Gammon!Bo −4"]) {
    equal([headlines.el.hidden, headlines.el.textContent], [false, text]);
    const ms = Number(headlines.motion?.effect?.getTiming().duration);
    holds(ms >= 2000 && ms <= 4000);
    headlines.motion?.onfinish?.(/** @type {any} */ (null));
  }
  equal([headlines.el.hidden, bar.textContent], [true, "Gammon!"]);
}

export function testHeadlinesThatWaitAreFewAndAResultIsAlwaysAmongThem() {
  const { headlines } = screen();
  headlines.add([{ text: "Gammon!", kind: "result" }]);
  headlines.add([{ text: "Backgammon!", kind: "result" }]);
  for (let i = 0; i < 9; i += 1) headlines.add([{ text: `Double ${i}`, kind: "turn" }]);
  equal(headlines.text.textContent, "Gammon!");
  equal(headlines.waiting.map(({ text }) => text), ["Backgammon!", "Double 7", "Double 8"]);
  equal([headlines.waiting.length, Object.keys(SCREEN_MS)], [MOST_WAITING, ["turn", "result"]]);
  headlines.clear();
  equal([headlines.el.hidden, headlines.waiting.length], [true, 0]);
}

export function testAGreetingStandsInTheBarUntilThereIsNews() {
  const { bar, headlines } = screen();
  headlines.add([{ text: "Ada is the Box.", kind: "line" }]);
  headlines.greet("Bo: Ouch!");
  equal([bar.textContent, headlines.el.hidden], ["Bo: Ouch!", true]);
  headlines.add(headlineLines([{ type: "table.joined", data: { name: "Cy" } }, { type: "dice", data: {} }], []));
  equal(bar.textContent, "Cy joins the table.");
}

export function testOnlyMyOwnClockIsRedInAHurry() {
  const bar = document.createElement("div");
  bar.id = "turnbar";
  bar.innerHTML = '<span id="turn-text"></span><span id="turn-clock"></span>';
  document.body.replaceChildren(bar);
  const turn = new TurnBar();
  const clock = /** @type {HTMLElement} */ (document.getElementById("turn-clock"));
  turn.show("wait", "Does anybody double?", 3000);
  equal([clock.hidden, clock.dataset.hurry], [false, undefined], "the ring's three seconds");
  turn.show("mine", "Your turn", 3000);
  holds(clock.dataset.hurry !== undefined, "that my own last seconds are red");
  turn.show("mine", "Your turn", 3000, true);
  equal(clock.dataset.hurry, undefined);
}
