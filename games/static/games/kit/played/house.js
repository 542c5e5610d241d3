// @ts-check
/** What a page says to its house about games that were played without it (docs/protocol.md §6). */

/** @typedef {import("games/kit/played/device_list.js").PlayedGame} PlayedGame */
/** @typedef {import("games/kit/played/fields.js").Form} Form */
/** @typedef {{player: number | null, name: string}} Sender without a player: of a device of another address */
/** @typedef {{id: number, by: Sender, seq: number, games: PlayedGame[], conflict: boolean}} WaitingList */
/** @typedef {{seq: number, form: Form | null, enters: boolean, waiting: WaitingList[]}} Told */
/** @typedef {{seq: number, events: {text: string}[]}} Since an entry that came after the one that a device saw */
/** @typedef {{id: string, message: string, params: {at?: number}}} RefusedGame `at` is the place of its round */
/** @typedef {{id: string, entry: number}} WrittenGame */
/**
 * What became of a list: the games that stand in the log, the first one refused, what the host has to choose about.
 * @typedef {object} Answer
 * @property {number} seq
 * @property {WrittenGame[]} written
 * @property {RefusedGame | null} refused
 * @property {Since[]} since
 * @property {number | null} waits
 */

/** The house said no, in a sentence. */
export class SaidNo extends Error {}

/**
 * Ask the house for form and lists; null while it is out of reach.
 * @param {string} url @returns {Promise<Told | null>}
 */
export async function told(url) {
  const answer = await fetch(url, { cache: "no-store" }).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

/**
 * Say something to the house; null while it is out of reach. Raises SaidNo.
 * @param {string} url @param {object} body @returns {Promise<Answer | null>}
 */
export async function say(url, body) {
  const field = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"));
  const headers = { "Content-Type": "application/json", "X-CSRFToken": field?.value ?? "" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) }).catch(() => null);
  if (!answer || answer.status >= 500) return null;
  if (answer.status === 204) return { seq: 0, written: [], refused: null, since: [], waits: 0 };
  const found = await answer.json().catch(() => null);
  if (answer.ok || !found) return found;
  throw new SaidNo(found.message);
}
