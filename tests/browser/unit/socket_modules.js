// @ts-check
/** A table's connection: gaps in the entries, and the seat that the device shows, with a made-up line. */
import { TableSocket } from "games/shell/connection/socket.js";
import { equal } from "/unit/assert.js";

const { WebSocket, setTimeout, clearTimeout } = globalThis;
let keys = 0;

/** Call `act` with a connected page on seat 1, its lines and its timers, which pass when they are told to. */
async function connected(/** @type {(page: any) => void} */ act) {
  /** @type {any[]} */
  const lines = [];
  /** @type {Map<number, () => void>} */
  const timers = new Map();
  let last = 0;
  const FakeLine = class {
    readyState = 1;
    /** @type {any[]} */
    sent = [];
    constructor() { lines.push(this); }
    send(/** @type {string} */ text) { this.sent.push(JSON.parse(text)); }
    close() { this.readyState = 3; }
  };
  const fakes = {
    WebSocket: Object.assign(FakeLine, { CONNECTING: 0, OPEN: 1 }),
    setTimeout: (/** @type {() => void} */ later) => { timers.set(last += 1, later); return last; },
    clearTimeout: (/** @type {number} */ timer) => timers.delete(timer),
  };
  try {
    Object.assign(globalThis, fakes);
    const socket = new TableSocket("/ws/table/x/", `unit${keys += 1}`);
    const told = (/** @type {any} */ frame) => lines.at(-1).onmessage({ data: JSON.stringify(frame) });
    const open = () => lines.at(-1).onopen();
    const welcome = (/** @type {number} */ seat) => told({ type: "welcome", you: { seat }, seq: 1 });
    const state = (/** @type {number} */ seq) => told({ type: "state", seq, view: {} });
    const entry = (/** @type {number} */ seq) => told({ type: "entry", seq, events: [] });
    const again = () => { socket.line.connect(); open(); return lines.at(-1).sent[0]; };
    open();
    welcome(1);
    state(1);
    await act({ socket, lines, timers, told, welcome, state, entry, again });
    socket.line.close();
  } finally {
    Object.assign(globalThis, { WebSocket, setTimeout, clearTimeout });
  }
}

export const testEntriesThatNeverComeOpenALineAnew = () => connected(({ lines, timers, entry }) => {
  const before = new Set(timers.keys());
  entry(3);
  for (const [timer, later] of [...timers]) if (!before.has(timer)) later();
  equal(lines.length, 2);
});

export const testAGapThatAStateHasClosedOpensNoLineAnew = () => connected(({ lines, timers, entry, state }) => {
  const before = new Set(timers.keys());
  entry(3);
  state(3);
  for (const [timer, later] of [...timers]) if (!before.has(timer)) later();
  equal(lines.length, 1);
});

export const testAGapThatItsEntryHasClosedOpensNoLineAnew = () => connected(({ lines, timers, entry }) => {
  const before = new Set(timers.keys());
  entry(3);
  entry(2);
  for (const [timer, later] of [...timers]) if (!before.has(timer)) later();
  equal(lines.length, 1);
});

export const testTheSeatThatADeviceShowsGoesOnOverABreak = () => connected(({ socket, told, again }) => {
  told({ type: "hand", seat: 2 });
  equal(socket.hand, 2);
  const { hand, seq } = again();
  equal([hand, seq], [2, null]);
});

export const testADeviceThatIsPassedOnShowsNobodysSeatOverABreak = () => connected(({ socket, told, again }) => {
  told({ type: "hand", seat: null });
  equal(socket.hand, null);
  equal(again().hand, null);
});

export const testWhoIsBackAtTheirOwnSeatShowsItWhereverItIs = () => connected(({ socket, told, welcome, again }) => {
  told({ type: "hand", seat: 2 });
  told({ type: "hand", seat: 1 });
  welcome(3);
  equal([socket.hand, again().hand], [undefined, undefined]);
});
