// @ts-check
/**
 * Locks for one page at a time: two tabs of a table share the data of a device. Browsers have locks only in secure
 * contexts; on plain http a mark in the store replaces them.
 */
import { read, write } from "games/kit/page/preferences.js";

const MARK_HOLDS_MS = 2000;
/** Milliseconds after which another page's mark is seen, whichever was the first. */
const SETTLES_MS = 10;

/**
 * Call `act` while no other page of this browser acts under the same name.
 * @template T @param {string} name @param {() => T | Promise<T>} act @returns {Promise<T>}
 */
export async function alone(name, act) {
  if (navigator.locks) return navigator.locks.request(name, act);
  const release = await marked(`lock.${name}`);
  try {
    return await act();
  } finally {
    release();
  }
}

/** @param {string} key @returns {Promise<() => void>} removes the mark */
async function marked(key) {
  const mine = `${Date.now()}.${Math.random()}`;
  for (;;) {
    const other = read(localStorage, key);
    const isFree = other === null || Date.now() - Number.parseFloat(other) > MARK_HOLDS_MS;
    if (isFree && !write(localStorage, key, mine)) return () => {};
    await turns(SETTLES_MS);
    const isMine = () => read(localStorage, key) === mine;
    if (isFree && isMine()) return () => isMine() && write(localStorage, key, null);
  }
}

/** Wait without timers: a hidden page runs them once a second, or once a minute. */
async function turns(/** @type {number} */ ms) {
  const { port1, port2 } = new MessageChannel();
  for (const end = performance.now() + ms; performance.now() < end;) {
    await new Promise((next) => {
      port1.onmessage = next;
      port2.postMessage(null);
    });
  }
  port1.close();
}
