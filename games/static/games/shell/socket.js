// @ts-check
/**
 * The live protocol of a table (docs/protocol.md): resumes where it was, sends unanswered
 * commands again under the same id, notices gaps. It tells its owner by events:
 *
 * - `welcome` {you, table, chat, presence, clocks}, `table` {table}, `presence` {presence}
 * - `state` {view, choices, clocks}: the whole truth; `entry` {seq, events, view?, …}
 * - `hand`: the device shows the seat `socket.hand` from now on
 * - `clocks` {clocks}: the time left, told anew
 * - `answer` {frame, error?}: a command of ours was accepted or refused
 * - `chat` {message}, `chat_kept` {text}, `hint` {hint}, `refused` {code, message}, `bye` {code, message}
 * - `line` {isOnline}: current, or not any more
 */
import { randomId } from "games/kit/dom.js";
import { Line } from "games/shell/connection.js";
import { Outbox } from "games/shell/outbox.js";

export const PROTOCOL = 1;
const BUSY_AGAIN = 400;
const GAP_PATIENCE = 2500;

export class TableSocket extends EventTarget {
  /**
   * @param {string} path e.g. "/ws/table/abc/"
   * @param {string} key names the outbox
   * @param {boolean} [asTv] look on like a screen, with no player's rights
   */
  constructor(path, key, asTv = false) {
    super();
    this.outbox = new Outbox(key);
    /** @type {number | null} the last entry that we have shown */
    this.seq = null;
    /** @type {any} the last view, from which an entry takes what it says is the same */
    this.view = null;
    /** Who holds a device that several share: a seat, null while it is handed on. @type {number | null | undefined} */
    this.hand = undefined;
    /** Null until the line has first stood or failed. @type {boolean | null} */
    this.isOnline = null;
    this.gapTimer = 0;
    this.line = new Line(path, {
      // What is left out is undefined: JSON has no word for it.
      greet: () => ({ type: "hello", protocol: PROTOCOL, seq: this.seq, tv: asTv || undefined, hand: this.hand }),
      probe: () => (this.isOnline ? { type: "ping", seq: this.seq ?? 0 } : null),
      onFrame: (frame) => this.#receive(frame),
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
   * @param {number} [basis]
   * @param {number} [seat] acted for, where it is not our own
   */
  command(name, args, basis, seat) {
    const frame = this.outbox.add(name, args, basis, seat);
    if (this.isOnline) this.line.send(frame);
    return frame.id;
  }

  /** Tell whether an answer to a command of the game (not of the house) is outstanding. */
  get isPending() {
    return this.outbox.frames.some((frame) => !frame.name.startsWith("table."));
  }

  /**
   * Send something that is not kept: chat, a question for a hint. Tell whether it went out.
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
   * Begin with a state that the page came with: the line then tells what has happened since.
   * @param {any} state
   */
  begin(state) {
    this.seq = state.seq;
    this.view = state.view;
  }

  /** @param {string} type @param {object} [detail] */
  #tell(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** @param {boolean} isOpen @param {number} code */
  #lineChanged(isOpen, code) {
    if (isOpen) return;
    this.#setOnline(false);
    if (code) this.#tell("bye", { code: String(code), message: "" });
  }

  /** @param {boolean} isOnline */
  #setOnline(isOnline) {
    if (this.isOnline === isOnline) return;
    this.isOnline = isOnline;
    this.#tell("line", { isOnline });
  }

  /** @param {any} frame */
  #receive(frame) {
    switch (frame.type) {
      case "welcome":
        return this.#welcome(frame);
      case "state":
        this.begin(frame);
        return this.#tell("state", frame);
      case "entry":
        return this.#entry(frame);
      case "error":
        return this.#error(frame);
      case "hand":
        this.hand = frame.seat;
        this.seq = null; // its state follows, on a new line too if this one breaks before
        return this.#tell("hand");
      case "pong":
        return this.#pong(frame);
      default:
        return this.#tell(frame.type, frame);
    }
  }

  /** @param {any} frame */
  #welcome(frame) {
    this.#tell("welcome", frame);
    this.#setOnline(true);
    for (const waiting of this.outbox.frames) this.line.send(waiting);
    if (document.hidden) this.line.send({ type: "away" });
  }

  /** @param {any} frame */
  #entry(frame) {
    const seq = this.seq ?? 0;
    if (frame.seq === seq + 1) {
      this.seq = frame.seq;
      clearTimeout(this.gapTimer);
      this.gapTimer = 0;
      this.#fill(frame);
      this.#tell("entry", frame);
    } else if (frame.seq > seq) this.#gap();
    const own = this.outbox.take(frame.id);
    if (own) this.#tell("answer", { frame: own });
  }

  /** Give a view those members which have not changed and so were left out. @param {any} frame */
  #fill(frame) {
    if (!("view" in frame)) return;
    for (const name of frame.same ?? []) frame.view[name] = this.view?.[name];
    this.view = frame.view;
  }

  /** Entries are missing: ask for them, and for everything when they don't come. */
  #gap() {
    if (this.gapTimer) return;
    this.line.probe();
    this.gapTimer = window.setTimeout(() => {
      this.gapTimer = 0;
      this.restart();
    }, GAP_PATIENCE);
  }

  /** @param {any} frame */
  #pong(frame) {
    // Preceded by what we miss: if we are still behind, something is wrong with our count.
    if (this.seq !== null && frame.seq < this.seq) this.restart();
    else if (this.seq === frame.seq) this.#tell("clocks", frame);
  }

  /** @param {any} frame */
  #error(frame) {
    const waiting = frame.id === undefined ? null : this.outbox.get(frame.id);
    if (waiting && frame.code === "busy") {
      window.setTimeout(() => this.outbox.get(waiting.id) && this.line.send(waiting), BUSY_AGAIN);
      return;
    }
    const own = this.outbox.take(frame.id);
    if (own) this.#tell("answer", { frame: own, error: frame });
    else this.#tell("refused", frame);
  }
}
