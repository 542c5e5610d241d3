// @ts-check
/** Modules that a page fetches later than itself. */

const SOON = 2_000, LATEST = 8_000;

/**
 * Fetch a module; while the connection is down, try again and again.
 * @template T
 * @param {() => Promise<T>} load
 * @param {number} [wait] milliseconds before the next try
 * @returns {Promise<T>}
 */
export async function fetched(load, wait = SOON) {
  try {
    return await load();
  } catch (error) {
    // A broken connection throws a TypeError; any other error is a bug.
    if (!(error instanceof TypeError)) throw error;
    await new Promise((done) => setTimeout(done, wait));
    return fetched(load, Math.min(2 * wait, LATEST));
  }
}
