// @ts-check
/** The page's part in the dice at a table: what it sends, shows and keeps, with a house that is made up. */
import { clearBanner } from "games/kit/page/notices.js";
import { TableDice } from "games/shell/dice/dice.js";
import { DiceLevel } from "games/shell/dice/level.js";
import { DiceLog } from "games/shell/dice/log.js";
import { equal, holds } from "/unit/assert.js";
import { FakeHouse, TABLE } from "/unit/fake_house.js";

const SEATS = [{ seat: 0, name: "Ada" }, { seat: 1, name: "Bo" }];
let tables = 0;
/** The page before, whose banner may be due still. @type {TableDice | null} */
let former = null;

/** A page on seat 1 of a house's table, with what it sent. @param {FakeHouse} house @param {string} table */
async function pageOf(house, table) {
  clearTimeout(former?.waitTimer);
  clearBanner("throw");
  document.body.innerHTML = `<script id="config" type="application/json">{"urls": {}}</script>
    <div id="game"></div><div id="banners"></div><ol id="log"></ol><div id="toasts"></div>
    <div id="polite"></div><div id="assertive"></div>`;
  const entriesAfter = async (/** @type {number} */ after) => {
    return { seq: house.seq, entries: house.log.filter(({ seq }) => seq > after) };
  };
  /** @type {any[]} */
  const sent = [];
  const frames = [{ id: "c-1", name: "roll" }];
  const socket = Object.assign(new EventTarget(), {
    isOnline: true, seq: house.seq,
    line: { send: (/** @type {any} */ frame) => sent.push(frame) },
    outbox: { frames, take: (/** @type {string} */ id) => frames.splice(frames.findIndex((one) => one.id === id), 1) },
    command: (/** @type {string} */ name, /** @type {any} */ args) => sent.push({ name, args }),
  });
  const config = { table, urls: { events: "/events/" } };
  const chains = { k: house.k, links: {} };
  const shell = { config, socket, seats: SEATS, you: { seat: 1 }, element: {}, chains, entriesAfter };
  const dice = new TableDice(shell);
  former = dice;
  await dice.queue;
  return { dice, sent, socket, frames, shell };
}

/** The next entries of a house are told to a page. */
async function told(/** @type {any} */ page, /** @type {FakeHouse} */ house, from = 0) {
  for (const entry of house.log.slice(from)) {
    page.socket.dispatchEvent(new CustomEvent("entry", { detail: entry }));
  }
  await page.dice.queue;
}

/** A table whose seat 1 is a page: the house asks it and not a device of its own. */
async function table() {
  const name = `${TABLE}${tables++}`, house = new FakeHouse(name), page = await pageOf(house, name);
  const tip = page.sent.pop().args.tip;
  house.devices[1] = house.open(1, 77); // its own device reads on, and is asked nothing
  house.lasts[1] = tip;
  house.tell([{ type: "table.dice_tip", data: { seat: 1, tip } }]);
  await told(page, house, house.log.length - 1);
  return { house, page, name };
}

const ask = (/** @type {FakeHouse} */ house) => ({
  type: "dice_ask", k: house.k, n: 2, roller: 0, ctx: house.ctx, contributors: [0, 1], last: house.lasts[1], index: 0,
  commitment: house.chain.tip, links: {},
});

export async function testAPageWithoutAChainTellsItsTip() {
  const page = await pageOf(new FakeHouse(), `${TABLE}tip`);
  equal(page.sent.map(({ name }) => name), ["table.dice_tip"]);
  holds(/^[0-9a-f]{64}$/.test(page.sent[0].args.tip));
}

export async function testAPageAnswersByItself() {
  const { house, page } = await table(), from = house.log.length;
  house.begin();
  await told(page, house, from);
  page.dice.answer(ask(house));
  await page.dice.queue;
  equal(page.sent.map(({ type, k }) => [type, k]), [["link", 1]]);
}

export async function testAPageReadsWhatItHasMissedBeforeItAnswers() {
  const { house, page } = await table();
  house.begin();
  page.dice.answer(ask(house));
  await page.dice.queue;
  equal(page.sent.map(({ type, k }) => [type, k]), [["link", 1]]);
  equal(page.dice.device?.faults, []);
}

export async function testAPageThatIsAskedForAThrowOfWhichNoLogTellsGivesNothingAndRaisesTheAlarm() {
  const { house, page } = await table();
  page.dice.answer({ ...ask(house), k: 1, ctx: "ab".repeat(32) });
  await page.dice.queue;
  equal(page.sent, []);
  holds(document.querySelector(".notice.stop[data-name='dice']")?.textContent?.includes("before the log told"));
}

export async function testAnEntryWithAFarNumberIsAnAlarmAndThePageGoesOnReading() {
  const { house, page } = await table();
  page.socket.dispatchEvent(new CustomEvent("entry", { detail: { seq: 1e9, events: [] } }));
  await page.dice.queue;
  equal(page.dice.device?.faults.map(({ code }) => code), ["sequence"]);
  const from = house.log.length;
  house.begin();
  await told(page, house, from);
  page.dice.answer(ask(house));
  await page.dice.queue;
  equal(page.sent.at(-1).type, "link");
}

export async function testALogThatCannotBeFetchedIsReadWithALaterEntryAndIsNoAlarm() {
  const { house, page } = await table(), answers = page.shell.entriesAfter;
  page.shell.entriesAfter = async () => null;
  house.tell([]);
  const from = house.log.length;
  house.tell([]);
  await told(page, house, from);
  page.shell.entriesAfter = answers;
  house.tell([]);
  await told(page, house, from + 1);
  equal([page.dice.device?.record.seq, page.dice.device?.faults], [house.seq, []]);
}

export async function testALogThatIsShorterThanItWasIsAnAlarm() {
  const { house, page } = await table();
  house.seq -= 2;
  page.socket.dispatchEvent(new CustomEvent("welcome", { detail: {} }));
  await page.dice.queue;
  equal(page.dice.device?.faults.map(({ code }) => code), ["sequence"]);
}

export async function testANumberThatCameTooLateIsALineInTheLogAndNoAlarm() {
  const { house, page } = await table(), { device } = page.dice;
  let now = 1000, from = house.log.length;
  if (device) device.now = page.dice.arrivals.now = () => now;
  house.begin();
  await told(page, house, from);
  now += 4000;
  page.dice.answer(ask(house));
  await page.dice.queue;
  from = house.log.length;
  house.miss();
  house.end({ 0: house.ask(0).link });
  await told(page, house, from);
  equal(document.querySelectorAll(".notice.stop").length, 0);
  const lines = [...document.querySelectorAll("#log .log-late")].map((line) => line.textContent);
  holds(lines.some((line) => line?.includes("late for throw 1")));
}

export async function testWhoHasLeftTheSeatHasNoPartInItsThrowsAnyMore() {
  const { house, page } = await table();
  page.shell.you = { seat: null };
  page.socket.dispatchEvent(new CustomEvent("welcome", { detail: {} }));
  await page.dice.queue;
  const from = house.log.length;
  house.tip(1, "44".repeat(32));
  await told(page, house, from);
  equal([page.dice.device, document.querySelectorAll(".notice.stop").length], [null, 0]);
}

export async function testTwoPagesOfOneBrowserGiveOneLink() {
  const { house, page, name } = await table(), other = await pageOf(house, name);
  equal(other.sent.filter((one) => one.name).map((one) => one.args.tip), [house.lasts[1]]);
  house.begin();
  for (const one of [page, other]) one.dice.answer(ask(house));
  await Promise.all([page.dice.queue, other.dice.queue]);
  equal(new Set([page, other].map(({ sent }) => sent.at(-1).link)).size, 1);
}

export async function testALinkThatIsLeftOutIsAnAlarmInRedWithTheProof() {
  const { house, page } = await table();
  let from = house.log.length;
  house.begin();
  await told(page, house, from);
  page.dice.answer(ask(house));
  await page.dice.queue;
  from = house.log.length;
  house.miss();
  house.end({ 0: house.ask(0).link });
  await told(page, house, from);
  const alarm = /** @type {HTMLElement} */ (document.querySelector(".notice.stop[data-name='dice']"));
  holds(alarm.textContent?.includes("was left out"), alarm.textContent ?? "");
  equal([...alarm.querySelectorAll("button")].map((button) => button.textContent), ["Save the proof", "Close"]);
  equal(page.sent.at(-1).name, "table.dice_tip");
  /** @type {Blob[]} */
  const saved = [];
  URL.createObjectURL = (file) => { saved.push(/** @type {Blob} */ (file)); return "#"; };
  alarm.querySelector("button")?.click();
  const proof = JSON.parse(await saved[0].text());
  equal([proof.protocol, proof.seat, proof.faults[0].code], ["pnd1", 1, "unused"]);
  /** @type {HTMLElement} */ (alarm.querySelectorAll("button")[1]).click();
  equal(document.querySelectorAll(".notice").length, 0);
  equal(page.dice.device?.faults.length, 1);
}

export async function testALevelStandsAtTheDiceAndInTheLog() {
  const { house, page } = await table();
  const line = document.createElement("li");
  line.dataset.seq = String(house.seq + 2);
  line.append(document.createElement("p"));
  document.querySelector("#log")?.append(line);
  const from = house.log.length;
  house.begin(0, [0]);
  house.end({ 0: house.ask(0).link });
  await told(page, house, from);
  const badge = document.querySelector(".dice-level");
  equal([badge?.textContent, line.textContent], ["B", " (level B)"]);
  holds(badge?.getAttribute("aria-label")?.includes("the phone of Ada"));
}

export async function testALevelHidesNothingThatIsSaidAtTheDice() {
  /** @param {string} name @param {number} x @param {number} y @param {string} text */
  const at = (name, x, y, text) => `<span class="${name}"
    style="position: fixed; left: ${x}px; top: ${y}px; width: 60px; height: 20px">${text}</span>`;
  for (const [text, y] of [["", "120px"], ["Laid out", "100px"]]) {
    const { house, page } = await table(), from = house.log.length;
    const die = at("die", 100, 100, ""), caption = at("dice-caption", 120, 122, text);
    document.body.insertAdjacentHTML("beforeend", `<div class="dice-place">${die}</div>${caption}`);
    house.begin(0, [0]);
    house.end({ 0: house.ask(0).link });
    await told(page, house, from);
    const badge = /** @type {HTMLElement} */ (document.querySelector(".dice-level"));
    while (badge.hidden) await new Promise((done) => setTimeout(done, 50));
    equal([badge.style.getPropertyValue("--x"), badge.style.getPropertyValue("--y")], ["160px", y]);
  }
}

export async function testASilentPhoneIsToldInTheLog() {
  const { house, page } = await table(), from = house.log.length;
  house.begin();
  house.tell([{ type: "table.link_missed", data: { k: house.k, seat: 0 } }]);
  await told(page, house, from);
  holds(document.querySelector("#log")?.textContent?.includes("The phone of Ada is silent"));
}

export async function testWhoComesAndGoesAfterTheDiceIsToldInTheLog() {
  const { house, page } = await table(), from = house.log.length;
  house.begin();
  house.tell([{ type: "table.postponed", data: { command: "table.join", seat: null, by: 7, for: null } }]);
  house.tell([{ type: "table.postponed", data: { command: "table.leave", seat: 0, by: 1, for: 0 } }]);
  house.tell([{ type: "table.lapsed", data: { command: "table.join", seat: null, code: "table_full" } }]);
  await told(page, house, from);
  const text = document.querySelector("#log")?.textContent ?? "";
  const all = ["Somebody sits down", "The seat of Ada changes", "after these dice"];
  equal(all.filter((words) => !text.includes(words)), []);
}

export async function testTheCommandOfADroppedThrowWaitsNoLonger() {
  const { house, page } = await table(), from = house.log.length;
  let answered = 0;
  page.socket.addEventListener("answer", () => { answered += 1; });
  house.begin();
  house.tell([{ type: "table.throw_dropped", data: { k: house.k } }]);
  await told(page, house, from);
  equal([page.frames.length, answered], [0, 1]);
}

/** A throw that begins at a page and ends in entries that a state stands for; the banner is shown meanwhile. */
async function passedOver(/** @type {(house: FakeHouse) => void} */ end) {
  const { house, page } = await table(), from = house.log.length, shown = globalThis.setTimeout;
  const showAtOnce = (/** @type {() => void} */ act) => { act(); return 0; };
  globalThis.setTimeout = /** @type {any} */ (showAtOnce);
  house.begin();
  await told(page, house, from);
  globalThis.setTimeout = shown;
  const banners = () => document.querySelectorAll("#banners > *").length;
  const before = banners();
  end(house);
  page.socket.seq = house.seq;
  page.socket.dispatchEvent(new CustomEvent("state", { detail: {} }));
  for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
  return [before, banners(), page.frames.length];
}

export async function testAThrowWhoseEndAStateStandsForIsWaitedForNoLonger() {
  equal(await passedOver((house) => house.miss() ?? house.end({ 0: house.ask(0).link })), [1, 0, 1]);
}

export async function testTheCommandOfAThrowWhoseDropAStateStandsForWaitsNoLonger() {
  const drop = (/** @type {FakeHouse} */ house) => house.tell([{ type: "table.throw_dropped", data: { k: house.k } }]);
  equal(await passedOver(drop), [1, 0, 0]);
}

export async function testAThrowThatIsStillUnderWayBehindAStateIsWaitedFor() {
  equal(await passedOver(() => {}), [1, 1, 1]);
}

export function testOfAThrowAreNamedWhoSatThereThen() {
  document.body.innerHTML = `<div id="game"></div><ol id="log"></ol>`;
  const seats = () => [{ seat: 0, name: "Carla", before: [{ name: "Ada", upto: 9 }] }];
  const level = new DiceLevel(seats), log = new DiceLog(seats);
  for (const [seq, name] of /** @type {const} */ ([[5, "Ada"], [9, "Carla"]])) {
    level.show({ seq, throw: /** @type {any} */ ({ k: 1, level: "B", links: { 0: "" } }) });
    holds(level.words.includes(`the phone of ${name} `), level.words);
    log.note({ seq, events: [{ type: "table.link_missed", data: { seat: 0 } }] });
    holds(log.log.lastElementChild.textContent.startsWith(`The phone of ${name} is silent`));
  }
  clearTimeout(level.timer);
}
