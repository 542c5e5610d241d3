// @ts-check
/** What a seat's device gives, and what it finds out when the house, or the other side, cheats. */
import { Chain } from "games/dice/chains.js";
import { facesIn } from "games/dice/record.js";
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
  for (const entry of one.log) one.devices[1].entry(entry, { isPresent: false, opposes: () => true });
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
    one.tell([{ type: "table.throw_dropped", data: { k: one.k } }]);
  }
}

export function testALinkGivenInVainIsToldAsTheNewTip() {
  const one = house();
  one.begin();
  const { link } = one.ask(1);
  one.tell([{ type: "table.throw_dropped", data: { k: one.k } }]);
  equal(one.lasts[1], link);
  const other = one.devices[1].store.read();
  holds(other.gift.link === link);
}

export function testADeviceThatIsNotAskedRaisesTheAlarm() {
  const one = house();
  one.begin(0, [0]);
  one.end({ 0: one.ask(0, { contributors: [0] }).link });
  equal(one.alarms, [{ seat: 1, code: "not_asked" }]);
}

export function testADeviceThatIsAwayOrHasNoTipYetIsNotAskedAndRaisesNone() {
  const one = house();
  one.present[1] = false;
  one.begin(0, [0]);
  one.end({ 0: one.ask(0, { contributors: [0] }).link });
  equal(one.alarms, []);
}

export function testDicePassedOffAsTheHousesAloneRaiseTheAlarmOnBothSides() {
  const one = house();
  one.k += 1;
  one.end({}, { level: "C" });
  equal(one.alarms.map(({ seat, code }) => [seat, code]), [[0, "not_asked"], [1, "not_asked"]]);
}

export function testALinkThatIsLeftOutRaisesTheAlarm() {
  const one = house();
  one.begin();
  one.ask(1);
  one.end({ 0: one.ask(0, { contributors: [0] }).link });
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
  equal(one.ask(0, { links: { 1: "11".repeat(32) } }).link, undefined);
  equal(one.codes, ["seat_chain"]);
}

export function testALinkThatLeavesSomeOutIsFound() {
  const one = house(), chain = one.devices[1].chain;
  one.begin();
  const far = chain.link(one.devices[1].top + 3);
  equal(one.ask(0, { links: { 1: far } }).link, undefined);
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
  const theirs = one.ask(1).link, mine = one.ask(0, { links: { 1: theirs } }).link;
  one.end({ 0: mine, 1: theirs }, { server: "22".repeat(32) });
  equal(one.codes, ["server_chain"]);
}

export function testDiceThatDoNotFollowAreFound() {
  const one = house();
  one.begin();
  const theirs = one.ask(1).link, mine = one.ask(0, { links: { 1: theirs } }).link;
  one.end({ 0: mine, 1: theirs }, { faces: [7, 7] });
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
  const theirs = one.ask(1).link, mine = one.ask(0, { links: { 1: theirs } }).link;
  one.end({ 0: mine, 1: theirs }, { ctx: "cd".repeat(32) });
  equal(one.codes, ["other_throw"]);
}

export function testALevelThatClaimsTooMuchIsFound() {
  const one = house();
  one.present[1] = false;
  one.begin(0, [0]);
  one.end({ 0: one.ask(0, { contributors: [0] }).link }, { level: "A" });
  equal(one.codes, ["level"]);
}

export function testALinkThatThisDeviceNeverGaveIsFound() {
  const one = house(), { chain, top } = one.devices[1];
  one.begin();
  const stolen = chain.link(top + 1);
  one.end({ 0: one.ask(0, { links: { 1: stolen } }).link, 1: stolen });
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
  one.tell([{ type: "table.throw_dropped", data: { k: one.k } }]);
  one.throwDice();
  equal(one.alarms, []);
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
