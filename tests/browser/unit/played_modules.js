// @ts-check
/** The list of games that a device keeps, and the form by which they are told. */
import { MOST_GAMES, newGameId, NotKept, openList } from "games/kit/played/device_list.js";
import { GameEntry } from "games/kit/played/form.js";
import { gameLines, listLines } from "games/kit/played/words.js";
import { equal, holds } from "/unit/assert.js";

const SEATS = ["Ada", "Bo", "Cy"].map((name, seat) => ({ seat, name, player: seat, bot: "" }));
/** @type {import("games/kit/played/fields.js").Form} */
const FORM = {
  game: [
    { id: "box", label: "Box", kind: "seat", needed: true },
    { id: "winner", label: "Winner", kind: "word", needed: true,
      words: [{ value: "box", label: "Box" }, { value: "team", label: "Team" }] },
    { id: "ties", label: "Ties", kind: "count", needed: false, most: 2, unsaid: "none" },
    { id: "out", label: "Out", kind: "seats", needed: false, only: { field: "winner", word: "team" } },
  ],
  seats: [
    { id: "cube", label: "Cube", kind: "word", needed: false, unsaid: "as before",
      words: ["1", "2", "4", "8", "16"].map((value) => ({ value, label: value })) },
    { id: "level", label: "Level", kind: "word", needed: false,
      words: [{ value: "1", label: "plain" }, { value: "2", label: "gammon" }] },
  ],
  rounds: [],
};
/** The seats but the Box's. @param {import("games/kit/played/device_list.js").Part} game */
const memberSeats = (game) => [0, 1, 2].filter((seat) => seat !== Number(game.box));
const NEXT = { title: "Game 3", among: [0, 1, 2], game: { box: 0 }, members: memberSeats };
const GAME = { game: { box: 0, winner: "team" }, seats: { 1: { cube: "2" } } };

let tables = 0;
const freshKey = () => `table${tables++}.${newGameId()}`;
const told = (/** @type {import("games/kit/played/device_list.js").DeviceList} */ list) =>
  list.games().map(({ number, game }) => [number, game]);

export async function testTheListIsThereAgainForTheSamePlayerOfTheSameTableAlone() {
  const key = freshKey(), list = await openList(key);
  equal([list.where, list.seq, list.games()], ["database", null, []]);
  await list.add(GAME, 41);
  await list.add({ game: { box: 1 } }, 99);
  equal([list.seq, told(list)], [41, [[1, GAME], [2, { game: { box: 1 } }]]]);
  const again = await openList(key);
  equal([again.seq, again.games()], [41, list.games()]);
  equal((await openList(`${key}0`)).games(), []);
  holds(list.games().every(({ id, at }) => /^[\w-]{8,32}$/.test(id) && /^([01]\d|2[0-3]):[0-5]\d$/.test(at)));
  equal(new Set(list.games().map(({ id }) => id)).size, 2);
}

export async function testTheGamesOfAPlayerWhoWasJoinedGoAlongAndNoneIsLostOrDoubled() {
  const key = freshKey(), before = freshKey(), guest = await openList(before), list = await openList(key);
  await guest.add(GAME, 41);
  await list.add({ game: { box: 1 } }, 50);
  const ids = [...list.games(), ...guest.games()].map(({ id }) => id);
  const both = await Promise.all([openList(key, [before]), openList(key, [before])]);
  for (const one of both) await one.reread();
  equal(both.map((one) => one.games().map(({ id, number }) => [id, number])),
    [[[ids[0], 1], [ids[1], 2]], [[ids[0], 1], [ids[1], 2]]]);
  equal((await openList(before)).games(), []);
}

export async function testTwoTabsHaveOneListWithOneOrder() {
  const key = freshKey(), [one, other] = [await openList(key), await openList(key)];
  const heard = new Promise((done) => other.onChange(() => done(null)));
  await one.add(GAME, 7);
  await heard;
  equal(other.games(), one.games());
  await Promise.all([one.add(GAME, 8), other.add(GAME, 9), one.add(GAME, 8)]);
  await Promise.all([one.reread(), other.reread()]);
  equal(one.games().map(({ number }) => number), [1, 2, 3, 4]);
  equal([other.games(), other.seq], [one.games(), 7]);
}

export async function testTwoTapsAddOneGameAndWhatTheHouseHasGoes() {
  const list = await openList(freshKey()), id = newGameId();
  await Promise.all([list.add(GAME, 3, id), list.add(GAME, 3, id)]);
  await list.add(GAME, 3);
  equal(list.games().length, 2);
  await list.remove([id], 4);
  equal([list.seq, told(list)], [4, [[2, GAME]]]);
  await list.change(list.games()[0].id, { game: { box: 2 } });
  equal(told(list), [[2, { game: { box: 2 } }]]);
  await list.remove(list.games().map((one) => one.id));
  equal([list.seq, list.games()], [null, []]);
  await list.add(GAME, 9);
  equal(list.seq, 9);
}

export async function testTheOrderIsByNumberWhateverTheClockSays() {
  const list = await openList(freshKey()), { Date: real } = window;
  const at = (/** @type {number} */ hour) => {
    window.Date = /** @type {any} */ (class extends real { constructor() { super(2026, 0, 2, hour, 5); } });
  };
  for (const hour of [23, 1, 12]) {
    at(hour);
    await list.add(GAME, 1);
  }
  window.Date = real;
  equal(list.games().map((one) => [one.number, one.at]), [[1, "23:05"], [2, "01:05"], [3, "12:05"]]);
}

export async function testAFullDeviceRefusesAGameWithASentenceAndKeepsTheOthers() {
  const key = freshKey(), list = await openList(key);
  await list.add(GAME, 1);
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = () => { throw new DOMException("", "QuotaExceededError"); };
  const fault = await list.add(GAME, 1).catch((error) => error);
  IDBObjectStore.prototype.put = put;
  equal([fault instanceof NotKept, fault.code], [true, "no_room"]);
  equal([list.games().length, (await openList(key)).games().length], [1, 1]);
  await list.add(GAME, 1);
  equal(list.games().length, 2);
}

export async function testTheListHasRoomForWhatOneHandOverTakes() {
  const list = await openList(freshKey()), many = Array.from({ length: MOST_GAMES }, () => newGameId());
  for (const id of many) await list.add(GAME, 1, id);
  const fault = await list.add(GAME, 1).catch((error) => error);
  equal([fault.code, list.games().length], ["too_many_games", MOST_GAMES]);
  const other = await openList(freshKey()), large = { game: { note: "x".repeat(10000) } };
  let code = "";
  while (!code) await other.add(large, 1).catch((error) => { code = error.code; });
  equal([code, other.games().length], ["too_large", 6]);
}

export async function testWithoutADatabaseItIsInTheStorageAndComesAlongLater() {
  const key = freshKey(), open = indexedDB.open.bind(indexedDB);
  indexedDB.open = () => { throw new DOMException("", "SecurityError"); };
  const list = await openList(key);
  await list.add(GAME, 5);
  equal([list.where, told(await openList(key))], ["storage", [[1, GAME]]]);
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = () => { throw new DOMException("", "QuotaExceededError"); };
  equal((await list.add(GAME, 5).catch((error) => error)).code, "no_room");
  equal([(await openList(freshKey())).where, told(list)], ["memory", [[1, GAME]]]);
  Storage.prototype.setItem = setItem;
  indexedDB.open = open;
  const moved = await openList(key);
  equal([moved.where, moved.seq, told(moved)], ["database", 5, [[1, GAME]]]);
  equal((await openList(key)).games().length, 1);
}

/** @param {GameEntry} entry @param {string} selector */
const tap = (entry, selector) => /** @type {HTMLElement} */ (entry.el.querySelector(selector)).click();

export function testAGameIsToldByTapsAndSaysWhatIsStillToBeTold() {
  const entry = new GameEntry(FORM, SEATS, () => {});
  entry.begin(NEXT);
  equal(entry.missing?.id, "winner");
  tap(entry, '[data-field="winner"] [data-value="team"]');
  equal([entry.missing, entry.told], [null, { game: { box: 0, winner: "team" }, seats: {} }]);
  tap(entry, '[data-field="box"] [data-value="2"]');
  tap(entry, '[data-field="out"] [data-value="1"]');
  tap(entry, '[data-field="out"] [data-value="0"]');
  tap(entry, '[data-field="ties"] .button:last-child');
  equal(entry.told.game, { box: 2, winner: "team", out: [1, 0], ties: 1 });
  tap(entry, '[data-field="winner"] [data-value="box"]');
  equal(entry.told.game, { box: 2, winner: "box", ties: 1 });
}

export function testOneTapTellsAllCubes() {
  const entry = new GameEntry(FORM, SEATS, () => {});
  entry.begin(NEXT, GAME);
  equal(entry.told, GAME);
  tap(entry, ".played-all");
  equal(entry.told.seats, { 1: { cube: "1" }, 2: { cube: "1" } });
  tap(entry, '[data-seat="2"] [data-field="cube"] .button:last-child');
  tap(entry, '[data-seat="2"] [data-field="level"] [data-value="2"]');
  equal(entry.told.seats, { 1: { cube: "1" }, 2: { cube: "2", level: "2" } });
}

export function testWithAnotherBoxTheFormerOneIsAMemberAndWhatWasToldOfTheNewOneGoes() {
  const entry = new GameEntry(FORM, SEATS, () => {});
  entry.begin(NEXT, GAME);
  tap(entry, '[data-seat="2"] [data-field="cube"] .button:last-child');
  tap(entry, '[data-field="box"] [data-value="2"]');
  const rows = /** @type {NodeListOf<HTMLElement>} */ (entry.el.querySelectorAll("[data-seat]"));
  equal([...rows].filter((row) => !row.hidden).map((row) => row.dataset.seat), ["0", "1"]);
  equal(entry.told, { game: { box: 2, winner: "team" }, seats: { 1: { cube: "2" } } });
  tap(entry, ".played-all");
  equal(entry.told.seats, { 0: { cube: "1" }, 1: { cube: "1" } });
}

export function testAGameIsSaidInTheWordsOfItsForm() {
  equal(gameLines(FORM, GAME, SEATS), ["Box: Ada · Winner: Team", "Bo – Cube: 2"]);
  const games = [{ id: "g-1", number: 4, at: "21:14", game: GAME }];
  equal(listLines({ title: "Table 2", form: FORM, seats: SEATS, games, standing: ["Ada: +3"] }), [
    "Table 2", "Game 4, 21:14", "  Box: Ada · Winner: Team", "  Bo – Cube: 2", "Counted on this device:", "  Ada: +3",
  ]);
}
