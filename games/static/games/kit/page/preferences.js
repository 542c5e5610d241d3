// @ts-check
/** The user's preferences, kept in this browser. A full or blocked store is no error. */

const PREFIX = "stammtisch.";

/** @type {Record<string, boolean>} */
const DEFAULTS = { sound: true, vibrate: true, speech: false, keys: true, awake: true, greetings: true };

/** Dispatches an event for each wish that changes, named after it. */
export const changes = new EventTarget();

/**
 * Tell whether a wish is on: "sound", "vibrate", "speech", "keys", "awake" (the screen stays on), "left" (hand),
 * "greetings" (they are seen beside the chat), or one of a game.
 * @param {string} name
 * @param {boolean} [isOn] what holds until the user has said something
 * @returns {boolean}
 */
export function wants(name, isOn = DEFAULTS[name] ?? false) {
  const stored = read(localStorage, name);
  return stored === null ? isOn : stored === "1";
}

/**
 * @param {string} name
 * @param {boolean} value
 */
export function setWish(name, value) {
  write(localStorage, name, value ? "1" : "0");
  changes.dispatchEvent(new Event(name));
}

/** Choose a look, "" for the usual one. @param {string} name @param {string} look */
export function setLook(name, look) {
  write(localStorage, name, look || null);
  changes.dispatchEvent(new Event(name));
}

/**
 * Read from a store; null when there is nothing or no store.
 * @param {Storage} store
 * @param {string} name
 * @returns {string | null}
 */
export function read(store, name) {
  try {
    return store.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/**
 * Write to a store, or remove with null; tell whether there is one.
 * @param {Storage} store
 * @param {string} name
 * @param {string | null} value
 */
export function write(store, name, value) {
  try {
    if (value === null) store.removeItem(PREFIX + name);
    else store.setItem(PREFIX + name, value);
    return true;
  } catch {
    return false; // a private window without storage works too; it only forgets
  }
}
