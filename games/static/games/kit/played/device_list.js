// @ts-check
/**
 * The list of games that were played while the house was out of reach, kept on this device (docs/protocol.md §6): in
 * IndexedDB, else in localStorage, else in this page alone. A list belongs to a table and a player of this house, and
 * is the same in all tabs. Its order is by number: the device's clock may be wrong, so its time is only shown.
 */
import { randomId } from "games/kit/page/dom.js";
import { read, write } from "games/kit/page/preferences.js";
import { fill } from "games/kit/page/text.js";

export const MOST_GAMES = 200, MOST_ROUNDS = 60, MOST_BYTES = 64 * 1024;
/** What a hand-over has beside its games, in bytes. */
const AROUND = 256;
const DATABASE = "stammtisch-played", LISTS = "lists";
/** Some browsers never answer about a database: milliseconds after which the list is kept elsewhere. */
const OPENS_WITHIN = 3000;

/** @typedef {Record<string, string | number | number[]>} Part values of a form's fields, by their ids */
/** @typedef {{game?: Part, seats?: Record<string, Part>, rounds?: Part[]}} ToldGame a game in its form */
/** @typedef {{id: string, number: number, at: string, game: ToldGame}} PlayedGame */
/** @typedef {{seq: number | null, games: PlayedGame[]}} Kept */
/** @typedef {(kept: Kept) => Kept} Change */
/** @typedef {"database" | "storage" | "memory"} Where */
/** @typedef {{where: Where, read: () => Promise<Kept>, change: (act: Change) => Promise<Kept>}} Keeper */

/** A game could not be kept: `code` says why as a word, `message` as a sentence. */
export class NotKept extends Error {
  /** @param {"too_many_games" | "too_large" | "no_room" | "gone"} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** @returns {Kept} */
const nothing = () => ({ seq: null, games: [] });

/**
 * Open the list of a table.
 * @param {string} key of table and player, as `config.outbox`: another player on this device has another list
 * @param {string[]} [others] the keys of players that were joined to this one: their games are taken along
 * @returns {Promise<DeviceList>}
 */
export async function openList(key, others = []) {
  const list = new DeviceList(key, await keeperOf(key, others));
  await list.reread();
  return list;
}

export class DeviceList {
  /** @param {string} key @param {Keeper} keeper */
  constructor(key, keeper) {
    this.key = key;
    this.keeper = keeper;
    this.kept = nothing();
    /** @type {(() => void)[]} */
    this.listeners = [];
    this.channel = keeper.where === "memory" ? null : new BroadcastChannel(`${DATABASE}.${key}`);
    this.channel?.addEventListener("message", () => this.reread());
    // A tab that slept has heard nothing.
    document.addEventListener("visibilitychange", () => document.hidden || this.reread());
    addEventListener("pageshow", () => this.reread());
  }

  /** Where it is kept; in "memory" it is lost with the page. */
  get where() {
    return this.keeper.where;
  }

  /** The entry of the log that the device had seen when the first game was added; null for an empty list. */
  get seq() {
    return this.kept.seq;
  }

  /** Return the games in the order in which they were played. */
  games() {
    return [...this.kept.games];
  }

  /**
   * Add a game behind the others, once for an id; raises NotKept, and then nothing has changed.
   * @param {ToldGame} game
   * @param {number} seq the entry that the page shows; it counts for the first game only
   * @param {string} [id] made when the entry was begun, so that two taps add one game
   */
  async add(game, seq, id = newGameId()) {
    await this.#change((kept) => {
      if (kept.games.some((one) => one.id === id)) return kept;
      const number = Math.max(0, ...kept.games.map((one) => one.number)) + 1;
      const games = [...kept.games, { id, number, at: new Date().toTimeString().slice(0, 5), game }];
      return fitting({ seq: kept.games.length ? kept.seq : seq, games });
    });
  }

  /**
   * Tell a game otherwise, in its place; raises NotKept, also where another tab has handed it over or dropped it.
   * @param {string} id @param {ToldGame} game
   */
  async change(id, game) {
    await this.#change(({ seq, games }) => {
      if (!games.some((one) => one.id === id))
        throw new NotKept("gone", gettext("This is not on this device any more: nothing was changed."));
      return fitting({ seq, games: games.map((one) => (one.id === id ? { ...one, game } : one)) });
    });
  }

  /**
   * Take games out, as those that the house has.
   * @param {string[]} ids
   * @param {number | null} [seq] the entry from which the others go on, where the house has told a new one
   */
  async remove(ids, seq = null) {
    await this.#change((kept) => without(kept, ids, seq));
  }

  /** Call a function after each change, also of another tab. @param {() => void} listener */
  onChange(listener) {
    this.listeners.push(listener);
  }

  /** Read the list again: another tab may have changed it. */
  async reread() {
    this.#show(await this.keeper.read().catch(() => this.kept));
  }

  /** @param {Change} act */
  async #change(act) {
    const kept = await this.keeper.change(act);
    this.channel?.postMessage(0);
    this.#show(kept);
  }

  /** @param {Kept} kept */
  #show(kept) {
    if (JSON.stringify(kept) === JSON.stringify(this.kept)) return;
    this.kept = kept;
    for (const listener of this.listeners) listener();
  }
}

/** Return an id for a game, which no other device makes. */
export function newGameId() {
  return randomId("g-");
}

/** Return a list that can be handed over at once; raises NotKept for a longer one. @param {Kept} kept */
function fitting(kept) {
  if (kept.games.length > MOST_GAMES) {
    const sentence = gettext("This device keeps %(most)s games at most. Hand them over, or write on paper.");
    throw new NotKept("too_many_games", fill(sentence, { most: MOST_GAMES }));
  }
  if (new TextEncoder().encode(JSON.stringify(kept)).length > MOST_BYTES - AROUND)
    throw new NotKept("too_large", gettext("The list has no room for this game. Hand it over, or write on paper."));
  return kept;
}

/**
 * Return the first keeper that works here; what an earlier page kept elsewhere is taken along.
 * @param {string} key @param {string[]} others
 */
async function keeperOf(key, others) {
  const storage = new StorageKeeper(key), storages = others.map((one) => new StorageKeeper(one));
  const database = new DatabaseKeeper(key);
  try {
    await database.read();
  } catch {
    return storage.works() ? takingAlong(storage, storages) : new MemoryKeeper();
  }
  return takingAlong(database, [storage, ...storages, ...others.map((one) => new DatabaseKeeper(one))]);
}

/**
 * Return a keeper with the games of others behind its own; what it has no room for stays where it is.
 * @template {Keeper} T @param {T} keeper @param {Keeper[]} others @returns {Promise<T>}
 */
async function takingAlong(keeper, others) {
  for (const other of others) {
    // An own list is there also where another one cannot be read or emptied.
    const left = await other.read().catch(nothing);
    if (!left.games.length) continue;
    const moved = await keeper.change((kept) => joined(kept, left)).catch(() => null);
    // The other player's page may be open still, and keep one more meanwhile.
    const ids = left.games.map(({ id }) => id);
    if (moved) await other.change((kept) => without(kept, ids)).catch(nothing);
  }
  return keeper;
}

/**
 * Return a list without some of its games.
 * @param {Kept} kept @param {string[]} ids @param {number | null} [seq] from which the others go on, if it is a new one
 * @returns {Kept}
 */
function without(kept, ids, seq = null) {
  const games = kept.games.filter((one) => !ids.includes(one.id));
  return { seq: games.length ? seq ?? kept.seq : null, games };
}

/** Return a list with the games of another one behind it. @param {Kept} kept @param {Kept} left @returns {Kept} */
function joined(kept, left) {
  const last = Math.max(0, ...kept.games.map((one) => one.number));
  const others = left.games.filter(({ id }) => !kept.games.some((one) => one.id === id));
  const behind = kept.games.length ? others.map((one, n) => ({ ...one, number: last + n + 1 })) : others;
  return { seq: kept.seq ?? left.seq, games: [...kept.games, ...behind] };
}

/** @implements {Keeper} */
class DatabaseKeeper {
  /** @type {Where} */
  where = "database";
  /** @type {Promise<IDBDatabase> | null} */
  opened = null;

  /** @param {string} key */
  constructor(key) {
    this.key = key;
  }

  async read() {
    return this.#do("readonly", (kept) => kept);
  }

  /** @param {Change} act */
  async change(act) {
    return this.#do("readwrite", act);
  }

  /**
   * Change what is kept in one transaction, so that tabs follow each other.
   * @param {IDBTransactionMode} mode @param {Change} act
   */
  async #do(mode, act) {
    try {
      return await this.#once(mode, act);
    } catch (error) {
      // A phone that slept has lost its database: it is opened again.
      const { name } = /** @type {Error} */ (error);
      if (!["InvalidStateError", "UnknownError", "AbortError"].includes(name)) throw error;
      this.opened = null;
      return this.#once(mode, act);
    }
  }

  /** @param {IDBTransactionMode} mode @param {Change} act @returns {Promise<Kept>} */
  async #once(mode, act) {
    this.opened ??= opened();
    this.opened.catch(() => { this.opened = null; });
    const database = await this.opened;
    return new Promise((done, failed) => {
      let kept = nothing();
      /** @type {unknown} */
      let why = null;
      // "strict": it lies on the disk when it is said to be kept.
      const work = database.transaction(LISTS, mode, { durability: "strict" });
      const store = work.objectStore(LISTS), asked = store.get(this.key);
      asked.onsuccess = () => {
        try {
          kept = act(asked.result ?? kept);
          if (mode === "readwrite") store.put(kept, this.key);
        } catch (error) {
          why = error;
          work.abort();
        }
      };
      work.oncomplete = () => done(kept);
      work.onabort = () => failed(inWords(why ?? work.error ?? new DOMException("", "AbortError")));
    });
  }
}

/** Return why a transaction has failed: a full disk in a sentence. @param {unknown} error */
function inWords(error) {
  return error instanceof DOMException && error.name === "QuotaExceededError" ? noRoom() : error;
}

function noRoom() {
  const sentence = gettext("This device has no room left: nothing was kept. What you entered stays here.");
  return new NotKept("no_room", sentence);
}

/** Open the database of lists. @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((done, failed) => {
    const late = setTimeout(() => failed(new DOMException("", "TimeoutError")), OPENS_WITHIN);
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(LISTS);
    asked.onerror = () => failed(asked.error);
    asked.onsuccess = () => {
      clearTimeout(late);
      asked.result.onversionchange = () => asked.result.close();
      done(asked.result);
    };
  });
}

/** @implements {Keeper} */
class StorageKeeper {
  /** @type {Where} */
  where = "storage";

  /** @param {string} key */
  constructor(key) {
    this.name = `played.${key}`;
  }

  works() {
    return write(this.#store, `${this.name}.try`, "1") && write(this.#store, `${this.name}.try`, null);
  }

  async read() {
    return this.#now();
  }

  /** @param {Change} act */
  async change(act) {
    const kept = act(this.#now());
    if (!write(this.#store, this.name, kept.games.length ? JSON.stringify(kept) : null)) throw noRoom();
    return kept;
  }

  /** @returns {Kept} */
  #now() {
    try {
      return JSON.parse(read(this.#store, this.name) ?? "") ?? nothing();
    } catch {
      return nothing();
    }
  }

  /** The store; asking for it fails where it is blocked, which `read` and `write` take for none. @returns {Storage} */
  get #store() {
    try {
      return localStorage;
    } catch {
      return /** @type {any} */ (null);
    }
  }
}

/** @implements {Keeper} */
class MemoryKeeper {
  /** @type {Where} */
  where = "memory";
  kept = nothing();

  async read() {
    return this.kept;
  }

  /** @param {Change} act */
  async change(act) {
    return (this.kept = act(this.kept));
  }
}
