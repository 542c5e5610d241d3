// @ts-check
/**
 * One page at a time: two tabs of a table share what a device keeps. Browsers have locks for that in secure contexts
 * alone; on plain http a mark in the store has to do.
 */
const MARK_HOLDS_MS = 2000;
/** Another page's mark is seen after so long, whichever was the first. */
const SETTLES_MS = 10;

/**
 * Do something while no other page of this browser does anything under the same name.
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

/** @param {string} key @returns {Promise<() => void>} what takes the mark away */
async function marked(key) {
  const mine = `${Date.now()}.${Math.random()}`;
  for (;;) {
    const other = read(key);
    const isFree = other === null || Date.now() - Number.parseFloat(other) > MARK_HOLDS_MS;
    if (isFree && !write(key, mine)) return () => {};
    await turns(SETTLES_MS);
    if (isFree && read(key) === mine) return () => read(key) === mine && localStorage.removeItem(key);
  }
}

/** Let others have their turn for a while; timers of a hidden page run once a second, or once a minute. */
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

function read(/** @type {string} */ key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Tell whether it could be written: without a store there are no two pages to keep apart. */
function write(/** @type {string} */ key, /** @type {string} */ value) {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
