// @ts-check
/**
 * A WebSocket that reconnects: at once, then after 0.5, 1, 2, 4, at most 8 seconds, each with
 * a random part; at once when the page wakes up. Its owner handles the frames.
 */

const DELAYS = [0, 500, 1000, 2000, 4000, 8000];
const PING_EVERY = 8000;
const PONG_WITHIN = 4000;
const WAKE_PONG_WITHIN = 1500;
const OPEN_WITHIN = 5000;
const ANSWERED_WITHIN = 10000;
/** After a sleep of this length the connection counts as dead: a new one is quicker than a check. */
const LONG_SLEEP = 12000;
/** Close codes after which the server refuses further connections (docs/protocol.md §7). */
const FINAL = new Set([4403, 4404]);

/**
 * @typedef {object} Owner
 * @property {() => object | null} greet the first frame to send, if any
 * @property {() => object | null} probe the frame that the server must answer
 * @property {(frame: any) => void} onFrame
 * @property {(isOpen: boolean, closeCode: number) => void} onChange code 0: not closed finally
 */

export class Line {
  /**
   * @param {string} path e.g. "/ws/table/abc/"
   * @param {Owner} owner
   */
  constructor(path, owner) {
    this.url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
    this.owner = owner;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.tries = 0;
    this.isOver = false;
    this.timers = { retry: 0, pong: 0, open: 0, beat: 0 };
    this.lastTick = Date.now();
    this.hiddenSince = 0;
    this.#listen();
    this.connect();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Send a frame if the connection is open; tell whether it was.
   * @param {object} frame
   */
  send(frame) {
    if (!this.isOpen) return false;
    this.socket?.send(JSON.stringify(frame));
    return true;
  }

  /** Connect now, in place of any present connection. */
  connect() {
    if (this.isOver) return;
    this.#drop();
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.timers.open = window.setTimeout(() => this.#lost(socket, 0), OPEN_WITHIN);
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = (event) => this.#received(socket, event.data);
    socket.onclose = (event) => this.#lost(socket, event.code);
  }

  /** Close the connection finally. */
  close() {
    this.isOver = true;
    clearInterval(this.timers.beat);
    this.#drop();
  }

  /**
   * Ask for an answer; connect again if none comes in time.
   * @param {number} within milliseconds
   */
  probe(within = PONG_WITHIN) {
    const frame = this.owner.probe();
    const socket = this.socket;
    if (!frame || !this.send(frame) || !socket) return;
    clearTimeout(this.timers.pong);
    this.timers.pong = window.setTimeout(() => this.#lost(socket, 0), within);
  }

  /** Check or renew the connection quickly, because it may be dead or has just come back. */
  wake(isSuspect = false) {
    if (this.isOver) return;
    if (!isSuspect && this.socket?.readyState === WebSocket.CONNECTING) return;
    if (!this.isOpen || isSuspect) {
      this.tries = 0;
      this.connect();
    } else this.probe(WAKE_PONG_WITHIN);
  }

  /** @param {WebSocket} socket */
  #opened(socket) {
    if (socket !== this.socket) return;
    clearTimeout(this.timers.open);
    const hello = this.owner.greet();
    if (hello) {
      socket.send(JSON.stringify(hello));
      // A network that failed meanwhile closes nothing, and no heart-beat runs before the answer.
      this.timers.open = window.setTimeout(() => this.#lost(socket, 0), ANSWERED_WITHIN);
    }
    this.owner.onChange(true, 0);
  }

  /** @param {WebSocket} socket @param {unknown} data */
  #received(socket, data) {
    if (socket !== this.socket || typeof data !== "string") return;
    clearTimeout(this.timers.pong);
    clearTimeout(this.timers.open);
    const frame = JSON.parse(data);
    // A house that only refuses is asked again less and less often.
    if (frame.type !== "error") this.tries = 0;
    this.owner.onFrame(frame);
  }

  /** @param {WebSocket} socket @param {number} code */
  #lost(socket, code) {
    if (socket !== this.socket) return;
    this.#drop();
    if (FINAL.has(code)) this.close();
    this.owner.onChange(false, FINAL.has(code) ? code : 0);
    if (!this.isOver) this.#retry();
  }

  #retry() {
    const delay = DELAYS[Math.min(this.tries, DELAYS.length - 1)];
    this.tries += 1;
    clearTimeout(this.timers.retry);
    // The random part: many phones in a room must not reconnect in the same instant.
    this.timers.retry = window.setTimeout(() => this.connect(), delay * (0.75 + Math.random() / 2));
  }

  /** Drop the present socket; its close handshake may never end on a dead network. */
  #drop() {
    for (const name of /** @type {const} */ (["retry", "pong", "open"])) clearTimeout(this.timers[name]);
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #listen() {
    addEventListener("online", () => this.wake(true));
    addEventListener("offline", () => this.socket && this.#lost(this.socket, 0));
    addEventListener("pageshow", (event) => event.persisted && this.wake(true));
    document.addEventListener("visibilitychange", () => this.#changed());
    this.timers.beat = window.setInterval(() => this.#beat(), PING_EVERY);
  }

  #changed() {
    if (document.hidden) this.hiddenSince = Date.now();
    else this.wake(Date.now() - Math.min(this.hiddenSince, this.lastTick) > LONG_SLEEP);
  }

  /** Check the connection regularly; a gap between two checks means that the machine has slept. */
  #beat() {
    const slept = Date.now() - this.lastTick > PING_EVERY + LONG_SLEEP;
    this.lastTick = Date.now();
    if (slept && !document.hidden) this.wake(true);
    else if (this.isOpen) this.probe();
  }
}
