// @ts-check
/** Modules that a page fetches later than itself, with the texts that they show. */
import { h } from "games/kit/page/dom.js";

const SOON = 2_000, LATEST = 8_000;

/** @type {Promise<unknown> | null} */
let texts = null;

/**
 * Load the texts that a table shows later than itself (`django.later`, games/web/assets/catalogues.py), once; a page
 * that was sent every text has none. While the connection is down, try again and again.
 */
export function laterTexts() {
  texts ??= typeof django !== "undefined" && django.later ? retried(loadTexts) : Promise.resolve();
  return texts;
}

/** @returns {Promise<void>} */
function loadTexts() {
  return new Promise((done, failed) => {
    const onerror = () => failed(new TypeError("the texts have not come"));
    document.head.append(h("script", { src: /** @type {string} */ (django.later), onload: () => done(), onerror }));
  });
}

/**
 * Fetch a module, its texts first; while the connection is down, try again and again.
 * @template T
 * @param {() => Promise<T>} load
 * @returns {Promise<T>}
 */
export async function fetched(load) {
  await laterTexts();
  return retried(load);
}

/**
 * Load something; while the connection is down, try again and again.
 * @template T
 * @param {() => Promise<T>} load
 * @param {number} [wait] milliseconds before the next try
 * @returns {Promise<T>}
 */
export async function retried(load, wait = SOON) {
  try {
    return await load();
  } catch (error) {
    // A broken connection throws a TypeError; any other error is a bug.
    if (!(error instanceof TypeError)) throw error;
    await new Promise((done) => setTimeout(done, wait));
    return retried(load, Math.min(2 * wait, LATEST));
  }
}
