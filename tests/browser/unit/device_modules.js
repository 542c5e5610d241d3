// @ts-check
/** What a seat's device gives, and what it finds out when the house, or the other side, cheats. */
import { Arrivals } from "games/dice/arrivals.js";
import { Chain } from "games/dice/chains.js";
import { DiceRecord, facesIn } from "games/dice/record.js";
import { equal, holds } from "/unit/assert.js";
import { FakeHouse } from "/unit/fake_house.js";

/** A house at which two throws were honest. */
function house() {
  const found = new FakeHouse();
  found.throwDice();
  found.throwDice();
  return found;
}

export function testAnHonestHouseRaisesNoAlarm() {
  const one = house();
  for (let i = 0; i < 20; i++) one.throwDice();
  equal(one.alarms, []);
}

export function testADeviceGoesOnWithItsChainAfterAReload() {
  const one = house(), before = one.lasts[1];
  one.devices[1] = one.open(1);
  equal(one.devices[1].tip(before), null);
  one.throwDice();
  equal(one.alarms, []);
}

export function testADeviceThatLostItsStoreTellsANewTip() {
  const one = house();
  one.kept[1] = null;
  one.devices[1] = one.open(1, 50);
  for (const entry of one.log) one.devices[1].entry(entry, { isPresent: false, opponents: () => null });
  one.tip(1);
  one.throwDice();
  equal(one.alarms, []);
}

export function testAChainIsFollowedByANewOneBeforeItsEnd() {
  const one = house(), device = one.devices[1];
  const short = Chain.grown("seat", new Uint8Array(32), 12);
  [device.chain, device.top] = [short, 3];
  one.tip(1, short.link(3));
  for (let i = 0; i < 2; i++) one.throwDice();
  const tip = device.tip(one.lasts[1]);
  holds(tip !== null && device.chain !== short);
  one.tip(1, tip);
  one.throwDice();
  equal(one.alarms, []);
}

export function testAskedAgainForOneThrowADeviceGivesTheSameLink() {
  const one = house();
  one.begin();
  const { link } = one.ask(1);
  one.devices[1] = one.open(1); // the page was loaded again, or is a second one
  equal(one.ask(1).link, link);
  equal(one.alarms, []);
}

export function testNoLinkIsGivenForTwoThrows() {
  const one = house(), given = new Set();
  for (let i = 0; i < 5; i++) {
    one.begin();
    const { link } = one.ask(1);
    if (link) holds(!given.has(link)) || given.add(link);
    one.drop();
  }
}

export function testALinkGivenInVainIsToldAsTheNewTip() {
  const one = house();
  one.begin();
  const { link } = one.ask(1);
  one.drop();
  equal(one.lasts[1], link);
  const other = one.devices[1].store.read();
  holds(other.gift.link === link);
}

export function testADeviceThatIsNotAskedRaisesTheAlarm() {
  const one = house();
  one.begin(0, [0]);
  one.end({ 0: one.ask(0).link });
  equal(one.alarms, [{ seat: 1, code: "not_asked" }]);
}

export function testADeviceThatIsAwayOrHasNoTipYetIsNotAskedAndRaisesNone() {
  const one = house();
  one.present[1] = false;
  one.begin(0, [0]);
  one.end({ 0: one.ask(0).link });
  equal(one.alarms, []);
}

export function testOneOfSeveralOnTheOtherSideIsEnoughForAThrowerWithoutADevice() {
  const one = house();
  one.begin(2, [0, 1]);
  one.end({ 0: one.ask(0).link });
  equal(one.alarms, []);
}

export function testAThrowThatEndsBeforeItsThrowerIsAskedRaisesTheAlarm() {
  const one = house();
  one.begin();
  one.end({ 1: one.ask(1).link }, { level: "B2" });
  equal(one.codes, ["not_asked", "other_throw"]);
}

export function testDicePassedOffAsTheHousesAloneRaiseTheAlarmOnBothSides() {
  const one = house();
  one.k += 1;
  one.ctx = "ab".repeat(32);
  one.end({}, { level: "C" });
  equal(one.alarms.map(({ seat, code }) => [seat, code]), [[0, "not_asked"], [1, "not_asked"]]);
}

export function testALinkThatIsLeftOutRaisesTheAlarm() {
  const one = house();
  one.begin();
  one.ask(1);
  one.miss();
  one.end({ 0: one.ask(0).link });
  equal(one.codes, ["unused"]);
}

export function testARollerIsNotMadeToAnswerFirst() {
  const one = house();
  one.begin();
  equal(one.ask(0).link, undefined);
  equal(one.codes, ["asked_first"]);
}

export function testAForgedLinkOfTheOtherSideIsNotAnswered() {
  const one = house();
  one.begin();
  one.given[1] = "11".repeat(32);
  one.waiting = [0];
  one.tell([{ type: "table.link_given", data: { k: one.k, seat: 1, link: one.given[1] } }]);
  equal(one.ask(0).link, undefined);
  equal(one.codes, ["seat_chain"]);
}

export function testALinkThatLeavesSomeOutIsFound() {
  const one = house(), chain = one.devices[1].chain;
  one.begin();
  const far = chain.link(one.devices[1].top + 3);
  [one.given[1], one.waiting] = [far, [0]];
  one.tell([{ type: "table.link_given", data: { k: one.k, seat: 1, link: far } }]);
  equal(one.ask(0).link, undefined);
  equal(one.codes, ["seat_chain"]);
}

export function testAHouseThatAsksAgainUnderOtherTermsGetsNothing() {
  for (const other of [{ ctx: "cd".repeat(32) }, { n: 3 }, { roller: 1 }]) {
    const one = house();
    one.begin();
    holds(one.ask(1).link);
    equal(one.ask(1, other).link, undefined);
    equal(one.codes, ["asked_again"]);
  }
}

export function testAHouseThatAsksForAThrowThatIsOverGetsNothing() {
  const one = house();
  equal(one.ask(1, { k: 1 }).link, undefined);
  equal(one.codes, ["asked_again"]);
}

export function testAHouseThatAsksOtherwiseThanItBeganGetsNothing() {
  const one = house();
  one.begin();
  equal(one.ask(1, { ctx: "cd".repeat(32) }).link, undefined);
  equal(one.codes, ["other_throw"]);
}

export function testAHouseWithAnotherChainGetsNothing() {
  const one = house();
  one.begin();
  equal(one.ask(1, { commitment: "00".repeat(32) }).link, undefined);
  equal(one.codes, ["commitment"]);
}

export function testALinkOfTheHouseThatIsNotOfItsChainIsFound() {
  const one = house();
  one.begin();
  one.end(one.links(), { server: "22".repeat(32) });
  equal(one.codes, ["server_chain"]);
}

export function testDiceThatDoNotFollowAreFound() {
  const one = house();
  one.begin();
  one.end(one.links(), { faces: [7, 7] });
  equal(one.codes, ["dice"]);
}

export function testAThrowThatIsLeftOutIsFound() {
  const one = house();
  one.k += 1;
  one.throwDice();
  equal(one.codes, ["skipped"]);
}

export function testAThrowTakenBackAndThrownAgainIsFound() {
  const one = house();
  one.begin();
  one.ask(1);
  one.begin();
  holds(one.codes.includes("skipped"));
}

export function testAThrowUnderOtherTermsThanItBeganIsFound() {
  const one = house();
  one.begin();
  one.end(one.links(), { ctx: "cd".repeat(32) });
  equal(one.codes, ["other_throw"]);
}

export function testALevelThatClaimsTooMuchIsFound() {
  const one = house();
  one.present[1] = false;
  one.begin(0, [0]);
  one.end({ 0: one.ask(0).link }, { level: "A" });
  equal(one.codes, ["level"]);
}

export function testALinkThatThisDeviceNeverGaveIsFound() {
  const one = house(), { chain, top } = one.devices[1];
  one.begin();
  const stolen = chain.link(top + 1);
  one.given[1] = stolen;
  one.waiting = [0];
  one.tell([{ type: "table.link_given", data: { k: one.k, seat: 1, link: stolen } }]);
  one.end({ 0: one.ask(0).link, 1: stolen });
  equal(one.alarms, [{ seat: 1, code: "not_given" }]);
}

export function testACommitmentThatIsChangedIsFound() {
  const one = house();
  one.commit("33".repeat(32));
  equal(one.codes, ["commitment"]);
}

export function testAThrowThatWasDroppedCostsALinkOfTheHouseAndNoAlarm() {
  const one = house();
  one.begin();
  one.drop();
  one.throwDice();
  equal(one.alarms, []);
}

// What a house and one player together could do while the phone of the other said nothing.

export function testALinkIsNotGivenBeforeTheLogTellsOfItsThrow() {
  const one = house();
  one.k += 1;
  equal(one.ask(1, { contributors: [0, 1] }).link, undefined);
  equal(one.codes, ["not_begun"]);
}

export function testALinkThatIsAskedForAThrowFarAheadIsNotGivenAndTheNextOnesAre() {
  const one = house();
  equal(one.ask(1, { k: 1000, contributors: [0, 1] }).link, undefined);
  equal(one.codes, ["not_begun"]);
  one.alarms = [];
  one.throwDice();
  equal(one.alarms, []);
}

export function testAThrowerIsNotAskedForOtherContributorsThanTheIntentNames() {
  const one = house();
  one.begin();
  one.give(1);
  equal(one.ask(0, { contributors: [0], links: {} }).link, undefined);
  equal(one.codes, ["other_throw"]);
}

export function testAThrowerIsNotAskedAsIfTheOtherSideHadBeenSilent() {
  const one = house();
  one.begin();
  equal(one.ask(0, { contributors: [0], links: {} }).link, undefined);
  equal(one.codes, ["asked_first"]);
}

export function testALinkOfTheOtherSideThatTheLogDoesNotTellIsNotAnswered() {
  const one = house();
  one.begin();
  one.give(1);
  equal(one.ask(0, { links: { 1: one.lasts[1] } }).link, undefined);
  equal(one.codes, ["other_throw"]);
}

export function testADeviceThatIsAskedBehindAnotherLastLinkThanItsOwnRaisesTheAlarm() {
  const one = house(), { chain, top } = one.devices[1];
  one.begin();
  equal(one.ask(1, { last: chain.link(top - 1) }).link, undefined);
  equal(one.codes, ["other_throw"]);
}

export function testADeviceThatTheIntentLeavesOutForAnotherOneRaisesTheAlarm() {
  const one = house();
  one.tell([{ type: "table.dice_tip", data: { seat: 2, tip: "11".repeat(32) } }]);
  one.begin(0, [2, 0]);
  equal(one.ask(1).link, undefined);
  const theirs = "22".repeat(32);
  one.tell([{ type: "table.link_given", data: { k: one.k, seat: 2, link: theirs } }]);
  one.end({ 2: theirs });
  holds(one.alarms.some(({ seat, code }) => seat === 1 && code === "not_asked"));
}

export function testADeviceThatIsAskedBehindOneThatComesAfterItRaisesTheAlarm() {
  const one = house(), other = Chain.grown("seat", new Uint8Array(32), 12);
  one.tell([{ type: "table.dice_tip", data: { seat: 2, tip: other.tip } }]);
  one.begin(0, [2, 1, 0]);
  [one.given[2], one.waiting] = [other.link(1), [0]];
  one.tell([{ type: "table.link_given", data: { k: one.k, seat: 2, link: other.link(1) } }]);
  one.end({ 0: one.ask(0).link, 2: other.link(1) });
  equal(one.alarms, [{ seat: 1, code: "not_asked" }]);
}

export function testASilenceThatIsSaidOfWhoWasNotAskedIsAnAlarm() {
  const one = house(), other = Chain.grown("seat", new Uint8Array(32), 12);
  one.tell([{ type: "table.dice_tip", data: { seat: 2, tip: other.tip } }]);
  one.begin(0, [1, 2, 0]);
  one.miss(1);
  [one.given[2], one.waiting] = [other.link(1), [0]];
  one.tell([{ type: "table.link_given", data: { k: one.k, seat: 2, link: other.link(1) } }]);
  one.end({ 0: one.ask(0).link, 2: other.link(1) });
  equal(one.alarms, [{ seat: 1, code: "not_asked" }]);
}

export function testFacesWithoutAThrowAreAnAlarm() {
  const one = house();
  one.tell([{ type: "dice_rolled", data: { seat: 0, dice: [6, 6] } }]);
  equal(one.codes, ["no_throw"]);
}

export function testTypedFacesAtATableOfTheHousesDiceAreAnAlarmWithAndWithoutAThrow() {
  const typed = [{ type: "dice_rolled", data: { seat: 0, dice: [6, 6], typed: true } }];
  const one = house(), other = house();
  one.tell(typed);
  equal(one.codes, ["typed"]);
  other.begin();
  other.end(other.links(), { events: typed });
  equal(other.codes, ["dice", "typed"]);
}

export function testTypedFacesAreNoAlarmWhereDiceAreTyped() {
  const one = new FakeHouse();
  for (const device of one.devices) device.record.isTyped = true;
  one.tell([{ type: "dice_rolled", data: { seat: 0, dice: [6, 6], typed: true } }]);
  equal(one.alarms, []);
}

export function testAThrowWithoutFacesIsAnAlarm() {
  const one = house();
  one.begin();
  one.end(one.links(), { events: [] });
  equal(one.codes, ["dice"]);
}

export function testAnEntryWithAFarNumberIsAnAlarmAndAllThatFollowsIsRead() {
  const one = house();
  one.read({ type: "entry", seq: 1_000_000, events: [] });
  equal(one.codes, ["sequence"]);
  one.alarms = [];
  one.begin(0, [0]);
  one.end({ 0: one.ask(0).link });
  equal(one.codes, ["not_asked"]);
}

export function testALogThatStepsBackIsAnAlarm() {
  const one = house();
  const at = one.seq, entry = one.log[at - 1];
  one.read({ ...entry, throw: { ...entry.throw, server: "11".repeat(32) } });
  equal(one.codes, ["sequence"]);
  const other = house();
  other.read({ ...other.log[at - 2], events: [{ type: "table.link_given", data: { k: 2, seat: 1, link: "11" } }] });
  equal(other.codes, ["sequence"]);
}

export function testAnEntryThatComesAgainAsItWasIsNoAlarm() {
  const one = house();
  for (const entry of one.log) one.read({ ...JSON.parse(JSON.stringify(entry)), view: {} });
  equal(one.alarms, []);
}

export function testAChainOfTheHouseThatIsToldOutOfTurnIsAnAlarmAndIsNotTaken() {
  for (const first of [50, 202, 4097]) {
    const one = house();
    one.commit("33".repeat(32), first);
    equal(one.codes, ["commitment"]);
    equal(one.devices[0].record.committed.length, 1);
  }
}

export function testTheNextChainOfTheHouseIsTakenInItsTurn() {
  const one = house();
  one.commit("33".repeat(32), 201);
  equal(one.alarms, []);
}

export function testAChainThatIsToldInADevicesPlaceIsAnAlarm() {
  const one = house();
  one.tip(1, "44".repeat(32));
  equal(one.alarms, [{ seat: 1, code: "other_tip" }]);
}

export function testALetterThatDoesNotFitIsAnAlarm() {
  for (const [level, silent] of [["B", 0], ["C", 0], ["A", 0], ["B2", 1], ["C", 1]]) {
    const one = house(), links = {};
    one.begin();
    if (silent === 0) links[1] = one.give(1);
    one.time += 60_000;
    one.miss(silent);
    if (silent === 1) links[0] = one.ask(0).link;
    one.present = [false, false];
    one.end(links, { level });
    equal(one.codes, ["level"], `${level} of ${silent}`);
  }
}

export function testTheRightLetterIsNoAlarm() {
  const one = house();
  one.begin();
  const theirs = one.give(1);
  one.miss(0);
  one.present[0] = false;
  one.end({ 1: theirs }, { level: "B2" });
  equal(one.alarms, []);
}

export function testFacesInAnotherOrderAreAnAlarm() {
  const rolled = (/** @type {number[]} */ [one, two]) => [
    { type: "rolled_off", data: { rolls: [{ seat: 0, die: one }, { seat: 1, die: two }] } },
  ];
  for (const isTurned of [false, true]) {
    const one = house();
    for (;;) {
      one.begin();
      const links = one.links(), faces = one.facesOf(links), isPair = faces[0] === faces[1];
      one.end(links, { events: rolled(isTurned ? [...faces].reverse() : faces) });
      if (!isPair) break;
    }
    equal(one.codes, isTurned ? ["dice"] : []);
  }
}

export function testThrowsThatAreDroppedAfterTheLinksAreSaidFromTheThirdOn() {
  const one = house();
  for (const codes of [[], [], ["dropped"]]) {
    one.begin();
    one.give(1);
    one.ask(0);
    one.drop();
    equal(one.codes, codes);
  }
  one.alarms = [];
  one.throwDice();
  equal(one.alarms, []);
}

// A late phone is not a cheat.

export function testALinkThatCameTooLateByTheDevicesOwnClockIsLateAndNoAlarm() {
  const one = house();
  one.begin();
  one.time += 3_500;
  one.ask(1);
  one.miss();
  one.end({ 0: one.ask(0).link });
  equal([one.codes, one.late], [[], [1]]);
}

export function testAPageThatStoodStillFromBeforeTheThrowWasLateAndRaisesNoAlarm() {
  for (const [still, codes, late] of [[3_500, [], [1]], [2_500, ["unused"], []]]) {
    const one = house(), arrivals = new Arrivals(() => one.time);
    one.time += Number(still);
    arrivals.beat(); // the page goes on: its timer first, then all that came meanwhile, in one go
    one.came = arrivals.earliest();
    one.begin();
    one.ask(1);
    one.came = arrivals.earliest();
    one.miss();
    one.end({ 0: one.ask(0).link });
    equal([one.codes, one.late], [codes, late]);
  }
}

export function testAPageThatRunsReadsAFrameWhenItComes() {
  let now = 0;
  const arrivals = new Arrivals(() => now);
  for (now = 0; now < 5_000; now += 500) arrivals.beat();
  now = 5_200;
  equal(arrivals.earliest(), 5_200);
  now = 9_000;
  equal(arrivals.earliest(), 5_200, "it stood still since then");
  now = 9_900;
  equal(arrivals.earliest(), 5_200, "it still reads what came meanwhile");
  for (now = 10_000; now < 11_000; now += 500) arrivals.beat();
  equal(arrivals.earliest(), 11_000);
}

export function testALinkThatCameInTimeOrThatNoSilenceExplainsIsLeftOut() {
  for (const [waits, isMissed] of [[2_500, true], [3_500, false]]) {
    const one = house();
    one.begin();
    one.time += Number(waits);
    one.ask(1);
    if (isMissed) one.miss();
    else one.waiting = [0];
    one.present[0] = false;
    one.end({ 0: one.devices[0].chain.link(one.devices[0].top + 1) });
    const codes = one.alarms.filter(({ seat }) => seat === 1).map(({ code }) => code);
    equal([codes.includes("unused"), one.late], [true, []]);
  }
}

export function testAThrowersLinkIsLateAfterThirtySeconds() {
  for (const [waits, late] of [[29_000, []], [31_000, [0]]]) {
    const one = house();
    one.begin();
    const theirs = one.give(1);
    one.time += Number(waits);
    one.ask(0);
    one.tell([{ type: "table.link_missed", data: { k: one.k, seat: 0 } }]);
    one.end({ 1: theirs }, { level: "B2" });
    equal([one.late, one.codes], [late, Array.isArray(late) && late.length ? [] : ["unused"]]);
  }
}

export function testTheProofHoldsNoLinkThatIsStillSecret() {
  const one = house(), device = one.devices[1], told = JSON.stringify(device.proof());
  for (let at = device.top + 1; at <= 1024; at++) holds(!told.includes(device.chain.link(at)), `link ${at}`);
  holds(told.includes(one.lasts[1]));
}

export function testDiceAreReadFromWhatTellsOfAThrowAlone() {
  const rolls = [[{ seat: 0, die: 4 }, { seat: 1, die: 2 }]];
  equal(facesIn([
    { type: "dice_rolled", data: { seat: 0, dice: [3, 1] } }, { type: "rolled_off", data: { rolls } },
    { type: "dice_laid", data: { dice: [1] } }, { type: "hidden" },
    { type: "dice_thrown", data: { dice: [6], typed: true } },
  ]), [3, 1, 4, 2]);
}

export function testDiceOnTheTableThatHaveNotFallenAreAnAlarm() {
  const one = house(), how = { isPresent: true, opponents: () => null };
  one.begin();
  const links = one.links(), faces = one.facesOf(links), other = faces.map((face) => (face % 6) + 1);
  const fell = { type: "entry", seq: one.seq + 1, events: [{ type: "dice_rolled", data: { seat: 0, dice: faces } }] };
  const entry = { ...fell, throw: { k: one.k, level: "A", n: 2, ctx: one.ctx, server: one.link, links } };
  for (const shown of [faces, [], faces.slice(1), other]) {
    const { faults } = one.copied().devices[1].entry(entry, { ...how, shown });
    equal(faults.map(({ code }) => code), shown === other ? ["dice"] : []);
  }
  one.devices[1].entry(entry, how);
  const later = { type: "entry", seq: entry.seq + 1, events: [{ type: "turn_began", data: { dice: other } }] };
  equal(one.devices[1].entry(later, { ...how, shown: other }).faults.map(({ code }) => code), ["dice"]);
}

export function testDiceOfAPositionLieThereBeforeAnyThrow() {
  const how = { isPresent: true, opponents: () => null, shown: [6, 6] };
  equal(new FakeHouse().devices[0].entry({ seq: 4, events: [] }, how).faults, []);
}

// Hidden dice: a game whose script names their events, and games that have none.

const HIDDEN = ["dice_seen"];

/** A house at which two throws under a cup were honest, of a game that hides dice. */
function cups() {
  const found = new FakeHouse(undefined, HIDDEN);
  for (const roller of [0, 1]) {
    found.begin(roller);
    found.hold();
  }
  return found;
}

export function testDiceThatSomeMayNotSeeRaiseNoAlarmAndTheNextOnesAreChecked() {
  const one = cups();
  one.throwDice();
  one.begin();
  one.hold();
  equal(one.alarms, []);
  one.begin();
  one.end(one.links(), { server: "22".repeat(32) });
  equal(one.codes, ["server_chain"]);
}

export function testWhatIsOpenIsCheckedWhateverStandsBesideIt() {
  const rolled = { type: "dice_rolled", data: { seat: 0, dice: [6, 6] } };
  for (const hidden of [[], HIDDEN]) {
    for (const beside of [[], [{ type: "hidden" }], [{ type: "table.dice_committed", data: { held: 3 } }]]) {
      const one = new FakeHouse(undefined, hidden);
      one.begin();
      const links = one.links();
      equal(String(one.facesOf(links)) === "6,6", false);
      one.end(links, { events: [rolled, ...beside] });
      holds(one.codes.includes("dice"), JSON.stringify([hidden, beside]));
    }
  }
}

export function testALinkIsHeldBackOnlyWhereTheGamesScriptNamesHiddenDice() {
  const rolled = { type: "dice_rolled", data: { seat: 0, dice: [6, 6] } };
  const made = [[{ type: "hidden" }], [{ type: "hidden" }, rolled], [{ ...rolled, private: true }]];
  for (const events of [...made, [{ type: "dice_seen", data: { seat: 0, dice: [6, 6] }, only: 0 }]]) {
    const one = house();
    for (let i = 0; i < 10; i++) {
      one.alarms = [];
      one.begin(i % 2);
      one.hold(one.links(), events);
      equal(one.alarms.map(({ seat }) => seat), [0, 1], JSON.stringify(events));
      equal(one.codes, ["server_chain"]);
    }
  }
}

export function testALinkIsNotHeldBackWhereOneFaceIsToldOpenly() {
  const open = [
    { type: "dice_rolled", data: { dice: [1, 2] } }, { type: "anything", data: { rolls: [{ die: 4 }] } },
    { type: "dice_seen", data: { seat: 0, dice: [1, 2] } }, { type: "dice_rolled", data: { dice: [1] }, private: true },
  ];
  for (const event of open) {
    const one = cups();
    one.begin();
    one.hold(one.links(), [{ type: "hidden" }, event]);
    equal(one.alarms, [0, 1].map((seat) => ({ seat, code: "server_chain" })), JSON.stringify(event));
  }
}

export function testHiddenDiceThatAreShownToSomebodyElseAreAnAlarm() {
  const one = cups();
  one.begin(0);
  one.hold(one.links(), [{ type: "dice_seen", data: { seat: 0, dice: [6, 6] }, private: true }]);
  equal(one.alarms, [{ seat: 1, code: "server_chain" }]);
}

export function testALinkThatIsHeldBackThoughNothingIsHiddenIsAnAlarm() {
  const one = cups();
  one.begin();
  one.hold(one.links(), []);
  equal(one.codes, ["server_chain"]);
}

export function testALinkThatIsHeldBackWithoutAnotherChainIsAnAlarm() {
  const one = cups();
  one.begin();
  one.end(one.links(), { server: null, faces: [], events: [{ type: "hidden" }] });
  equal(one.codes, ["server_chain"]);
}

export function testAChainThatFollowsAHeldBackLinkBeginsWithTheNextThrow() {
  for (const other of [{ held: 1 }, { first: 9 }, { held: 9, first: 10 }]) {
    const one = cups();
    one.begin();
    one.hold(one.links(), [{ type: "hidden" }], other);
    holds(one.codes.includes("commitment"));
  }
}

export function testHiddenDiceOfAnHonestHouseAreInOrderWhenTheyAreOpened() {
  const one = cups();
  for (let i = 0; i < 5; i++) {
    one.begin(i % 2);
    if (i % 3) one.hold();
    else one.end(one.links());
  }
  for (const device of one.devices) equal(device.record.held.length, 5);
  one.finish();
  one.finish(); // a page that asks again is told the same
  equal(one.alarms, []);
  for (const device of one.devices) equal([device.record.held.length, device.record.isOver], [0, true]);
}

export function testHiddenDiceThatDoNotFollowAreFoundByEveryPhoneWhenTheyAreOpened() {
  const one = cups();
  one.begin();
  const links = one.links(), other = one.facesOf(links).map((face) => (face % 6) + 1);
  one.hold(links, [one.seen(links, other)]);
  equal(one.alarms, []);
  one.finish();
  equal(one.alarms, [{ seat: 0, code: "dice" }, { seat: 1, code: "dice" }]);
}

export function testDiceThatTheirOwnerSawOtherwiseAreFoundByTheOwnerWhenTheyAreOpened() {
  const one = cups();
  one.begin(1);
  const links = one.links(), dice = one.facesOf(links);
  one.hold(links, [one.seen(links, dice.map((face) => (face % 6) + 1))]);
  const { k } = one;
  one.finish((entry) => {
    const told = { type: "dice_seen", data: { seat: 1, dice } };
    return entry.throw.k === k ? { ...entry, events: [told, ...entry.events.slice(1)] } : entry;
  });
  equal(one.alarms, [{ seat: 1, code: "dice" }]);
}

export function testALinkThatIsOpenedWithAnotherOneIsFound() {
  const one = cups();
  one.finish((entry) => ({ ...entry, throw: { ...entry.throw, server: "11".repeat(32) } }));
  equal(one.codes, ["dice", "server_chain"]);
}

export function testALinkThatIsNeverOpenedIsFound() {
  const one = cups();
  one.finish((entry) => ({ ...entry, throw: { ...entry.throw, server: null } }));
  equal(one.codes, ["server_chain"]);
}

export function testAnEntryThatIsOpenedAsAnotherThrowIsFound() {
  const one = cups();
  one.finish((entry) => ({ ...entry, throw: { ...entry.throw, ctx: "cd".repeat(32) } }));
  equal(one.codes, ["sequence", "server_chain"]);
}

export function testAPageThatIsLoadedAfterTheEndChecksHiddenDiceToo() {
  const one = cups();
  one.finish();
  for (const isOther of [false, true]) {
    one.kept[1] = null;
    one.devices[1] = one.open(1, 50);
    for (const entry of one.log) {
      const opened = one.held.find((each) => each.entry === entry), other = { dice: [6, 6], seat: 0 };
      const events = entry.events.map(({ only, ...event }) => (isOther && only ? { ...event, data: other } : event));
      const told = opened ? { ...entry, events, throw: { ...entry.throw, server: opened.link } } : entry;
      one.alarms.push(...one.devices[1].entry(told, { isPresent: false, opponents: () => null }).faults);
    }
    equal(one.codes, isOther ? ["dice"] : []);
  }
}

// How the table's dice fall does not change.

export function testASecondBeginningThatMakesDiceTypedIsAnAlarmAndChangesNothing() {
  for (const dice of ["typed", "server"]) {
    const one = house();
    one.start(dice);
    equal(one.alarms.filter(({ code }) => code === "typed").map(({ seat }) => seat), [0, 1]);
    one.throwDice();
    one.alarms = [];
    one.tell([{ type: "dice_rolled", data: { seat: 0, dice: [6, 6], typed: true } }]);
    equal(one.alarms, [0, 1].map((seat) => ({ seat, code: "typed" })));
  }
}

export function testABeginningThatComesLateMakesNoDiceTyped() {
  const record = new DiceRecord("t"), typed = { type: "dice_rolled", data: { dice: [6, 6], typed: true } };
  const started = { type: "table.started", data: { options: { dice: "typed" } } };
  const codes = [[typed], [started], [typed]].map((events, at) => record.read({ seq: at + 1, events }));
  equal(codes.map((faults) => faults.map(({ code }) => code)), [["typed"], ["typed"], ["typed"]]);
}

export function testFacesBeforeAnyChainAreAnAlarm() {
  const record = new DiceRecord("t"), events = [{ type: "dice_rolled", data: { dice: [6, 6] } }];
  equal(record.read({ seq: 1, events }).map(({ code }) => code), ["no_throw"]);
}
