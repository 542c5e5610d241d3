// @ts-check
/**
 * The live protocol of a table (docs/protocol.md): resumes after a break, sends unanswered
 * commands again under the same id, notices gaps. It informs its owner by events:
 *
 * - `welcome` {you, table, chat, presence, clocks}, `table` {table}, `presence` {presence}
 * - `state` {view, choices, clocks}: the complete state; `entry` {seq, events, view?, …}
 * - `hand`: the device shows the seat `socket.hand` from now on; undefined stands for our own
 * - `clocks` {clocks}: the time left now
 * - `answer` {frame, error?}: a command of ours was accepted or refused
 * - `chat` {message}, `chat_kept` {text}, `hint` {hint}, `refused` {code, message}, `bye` {code, message}
 * - `line` {isOnline}: the page is current, or not any more
 */
import { randomId } from "games/kit/page/dom.js";
import { Line } from "games/shell/connection/connection.js";
import { Outbox } from "games/shell/connection/outbox.js";

export const PROTOCOL = 1;
const BUSY_AGAIN = 400;
const GAP_PATIENCE = 2500;

/** @typedef {House.SentChoice} Choice */
/** @typedef {Record<string, number>} ClocksLeft milliseconds, by seat */
/** @typedef {{seat: number, asked: boolean, secret: boolean}} Kept */
/**
 * @typedef {object} You
 * @property {number | null} player
 * @property {string} name
 * @property {number | null} seat
 * @property {boolean} host
 * @property {boolean} tv
 * @property {number[]} [keeps]
 */
/** @typedef {{id: string, name: string, text: string, greeting: string, at: string}} Message */
/** @typedef {{k: number, links: Record<string, {link: string, index: number}>}} Chains */
/**
 * @typedef {object} StateFrame
 * @property {number} seq
 * @property {House.KitView | null} view
 * @property {Choice[]} choices
 * @property {ClocksLeft} clocks
 * @property {boolean} [joins]
 * @property {Kept[]} [kept]
 */
/**
 * @typedef {object} EntryParts of an entry: `same` are the members of the view that have not changed
 * @property {string} [id]
 * @property {string[]} [same]
 * @property {House.SentTable} [table]
 * @property {House.SentHeadline[]} [headlines]
 * @typedef {import("games/dice/record.js").Entry & EntryParts & Partial<StateFrame>} EntryFrame
 */
/**
 * @typedef {object} WelcomeFrame
 * @property {You} you
 * @property {House.SentTable} table
 * @property {Message[]} chat
 * @property {Record<string, string>} greetings
 * @property {Record<string, string>} presence
 * @property {number} seq
 * @property {ClocksLeft} clocks
 * @property {Chains} [dice]
 */
/** @typedef {{id?: string, code: string, message: string}} ErrorFrame */

export class TableSocket extends EventTarget {
  /**
   * @param {string} path e.g. "/ws/table/abc/"
   * @param {string} key names the outbox
   * @param {boolean} [asTv] as a TV screen, without a player's rights
   * @param {Promise<unknown> | null} [ready] what must be there before frames are read; they wait in their order
   */
  constructor(path, key, asTv = false, ready = null) {
    super();
    this.outbox = new Outbox(key);
    /** @type {number | null} the last entry that was shown */
    this.seq = null;
    /** @type {Record<string, any> | null} the last view, from which an entry takes its unchanged members */
    this.view = null;
    /** The holder of a shared device: another's seat, null while it is handed on. @type {number | null | undefined} */
    this.hand = undefined;
    /** Our own seat, as the last welcome told it. @type {number | null | undefined} */
    this.own = undefined;
    /** Null until the first connection or failure. @type {boolean | null} */
    this.isOnline = null;
    this.gapTimer = 0;
    /** The frames that came before the page was ready; null since it is. @type {{type: string}[] | null} */
    this.unread = ready && [];
    ready?.then(() => this.#readOn());
    /** When the open ping was sent, and what the last one took. @type {number | undefined} */
    this.pingedAt = this.pingTook = undefined;
    this.line = new Line(path, {
      // Absent values are undefined, since JSON leaves them out.
      greet: () => ({ type: "hello", protocol: PROTOCOL, seq: this.seq, tv: asTv || undefined, hand: this.hand }),
      probe: () => (this.isOnline ? this.#ping() : null),
      onFrame: (frame) => (this.unread ? this.unread.push(frame) : this.#receive(frame)),
      onChange: (isOpen, code) => this.#lineChanged(isOpen, code),
    });
    document.addEventListener("visibilitychange", () => {
      if (this.isOnline) this.line.send({ type: document.hidden ? "away" : "back" });
    });
  }

  /**
   * Send a command, now and again until it is answered.
   * @param {string} name
   * @param {object} args
   * @param {number | null} [basis]
   * @param {{seat: number, sitter: number | null}} [upon] the seat to act for and its person, if it is not our own
   */
  command(name, args, basis, upon) {
    const frame = this.outbox.add(name, args, basis, upon);
    if (this.isOnline) this.line.send(frame);
    return frame.id;
  }

  /** Tell whether an answer to a command of the game (not of the house) is outstanding. */
  get isPending() {
    return this.outbox.frames.some((frame) => !frame.name.startsWith("table."));
  }

  /**
   * Send a frame that is not stored: chat, a request for a hint. Tell whether it was sent.
   * @param {object} frame
   */
  say(frame) {
    return !!this.isOnline && this.line.send({ id: randomId("m-"), ...frame });
  }

  /** Forget everything and get the whole state again. */
  restart() {
    this.seq = null;
    this.line.connect();
  }

  /**
   * Begin with the state in the page; the connection then brings the entries since.
   * @param {{seq: number, view: House.KitView | null}} state
   */
  begin(state) {
    this.#caughtUp();
    this.seq = state.seq;
    this.view = state.view;
  }

  #caughtUp() {
    clearTimeout(this.gapTimer);
    this.gapTimer = 0;
  }

  /** @param {string} type @param {object} [detail] */
  #emit(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** @param {boolean} isOpen @param {number} code */
  #lineChanged(isOpen, code) {
    // The next line brings all again, but not why there is none.
    if (this.unread) this.unread = this.unread.filter(({ type }) => type === "bye");
    if (isOpen) return;
    this.#setOnline(false);
    if (code) this.#emit("bye", { code: String(code), message: "" });
  }

  /** @param {boolean} isOnline */
  #setOnline(isOnline) {
    if (this.isOnline === isOnline) return;
    this.isOnline = isOnline;
    this.#emit("line", { isOnline });
  }

  #readOn() {
    const { unread } = this;
    this.unread = null;
    for (const frame of unread ?? []) this.#receive(frame);
  }

  /** @param {any} frame */
  #receive(frame) {
    switch (frame.type) {
      case "welcome":
        return this.#welcome(frame);
      case "state":
        this.begin(frame);
        return this.#emit("state", frame);
      case "entry":
        return this.#entry(frame);
      case "error":
        return this.#error(frame);
      case "hand":
        this.hand = frame.seat === this.own ? undefined : frame.seat;
        this.seq = null; // its state follows, on a new line too if this one breaks before
        return this.#emit("hand");
      case "pong":
        return this.#pong(frame);
      default:
        return this.#emit(frame.type, frame);
    }
  }

  /** @param {WelcomeFrame} frame */
  #welcome(frame) {
    this.own = frame.you.seat;
    this.#emit("welcome", frame);
    this.#setOnline(true);
    for (const waiting of this.outbox.frames) this.line.send(waiting);
    if (document.hidden) this.line.send({ type: "away" });
  }

  /** @param {EntryFrame} frame */
  #entry(frame) {
    const seq = this.seq ?? 0;
    if (frame.seq === seq + 1) {
      this.seq = frame.seq;
      this.#caughtUp();
      this.#fill(frame);
      this.#emit("entry", frame);
    } else if (frame.seq > seq) this.#gap();
    const own = this.outbox.take(frame.id);
    if (own) this.#emit("answer", { frame: own });
  }

  /** Fill a view with the members that were left out because they have not changed. @param {EntryFrame} frame */
  #fill(frame) {
    if (!("view" in frame)) return;
    const view = /** @type {Record<string, any> | null} */ (frame.view);
    for (const name of frame.same ?? []) if (view) view[name] = this.view?.[name];
    this.view = view;
  }

  /** Ask for missing entries, and for the whole state if they don't come. */
  #gap() {
    if (this.gapTimer) return;
    this.line.probe();
    this.gapTimer = window.setTimeout(() => {
      this.gapTimer = 0;
      this.restart();
    }, GAP_PATIENCE);
  }

  /** Game clocks do not charge the way to the house: the next ping tells how long the last one took. */
  #ping() {
    this.pingedAt = performance.now();
    return { type: "ping", seq: this.seq ?? 0, took: this.pingTook };
  }

  /** @param {{seq: number, clocks: ClocksLeft}} frame */
  #pong(frame) {
    if (this.pingedAt !== undefined) this.pingTook = Math.round(performance.now() - this.pingedAt);
    this.pingedAt = undefined;
    // Missing entries come before it: if we are still behind, our count is wrong.
    if (this.seq !== null && frame.seq < this.seq) this.restart();
    else if (this.seq === frame.seq) this.#emit("clocks", frame);
  }

  /** @param {ErrorFrame} frame */
  #error(frame) {
    const waiting = frame.id === undefined ? null : this.outbox.get(frame.id);
    if (waiting && frame.code === "busy") {
      window.setTimeout(() => this.outbox.get(waiting.id) && this.line.send(waiting), BUSY_AGAIN);
      return;
    }
    const own = this.outbox.take(frame.id);
    if (own) this.#emit("answer", { frame: own, error: frame });
    else this.#emit("refused", frame);
  }
}
