// @ts-check
/**
 * Results of a tournament's matches that a director noted while the house was out of reach: kept on the device, and
 * entered by the act that enters any match's result. Where another result stands meanwhile, the director chooses.
 */

/** @typedef {import("games/kit/played/device_list.js").DeviceList} DeviceList */
/** @typedef {import("games/kit/played/device_list.js").PlayedGame} PlayedGame */
/**
 * A noted result: keys and names of the two in their order, the winner's key; `points` are the loser's, of a money
 * session (`length` 0) the lead, -1 where nobody knows them.
 * @typedef {{match: string, keys: string[], names: string[], winner: string, points: number, length: number}} Result
 */
/** @typedef {{id: string, at: string, result: Result}} Noted */
/**
 * @typedef {{id: string, people: string[], status: "running" | "done" | "void", winner: string | null,
 *   score: number[] | null}} SentMatch
 */
/** @typedef {{entries: number, matches: SentMatch[]}} SentTournament */
/**
 * What the house has instead of a noted result, or why it takes none.
 * @typedef {{stands?: SentMatch, why?: string}} Left
 */

/** The match has been decided between reading it and entering its result. */
const DECIDED = ["match_decided", "match_not_running", "tournament_moved_on"];
const NO_HOUSE = [502, 503, 504];
const TRIES = 3;

/** The house gave no answer. */
export class OutOfReach extends Error {}

/** The house refuses: `message` is its sentence. */
class Refused extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class ResultsList {
  /**
   * @param {DeviceList} list
   * @param {{tournament: string, acts: string, token: string}} house addresses of the API, and the form's token
   */
  constructor(list, house) {
    this.list = list;
    this.house = house;
    /** What is left to be chosen or dropped, by the ids of the results. @type {Map<string, Left>} */
    this.left = new Map();
  }

  /** Return the noted results in their order. @returns {Noted[]} */
  all() {
    return this.list.games().map(({ id, at, game }) => ({ id, at, result: resultOf(/** @type {any} */ (game.game)) }));
  }

  /** Note a result, in place of an earlier one of its match; raises NotKept. @param {Result} result */
  async note(result) {
    const { match, winner, points, length, keys, names } = result;
    const told = { match, winner, points, length, one: keys[0], other: keys[1], first: names[0], second: names[1] };
    const same = this.all().find((one) => one.result.match === match);
    if (same) await this.list.change(same.id, { game: told });
    else await this.list.add({ game: told }, 0);
    if (same) this.left.delete(same.id);
  }

  /** Leave a result out. @param {string} id */
  async drop(id) {
    await this.list.remove([id]);
    this.left.delete(id);
  }

  /** Enter all results in their order; raises OutOfReach, and then the rest stays as it is. */
  async enterAll() {
    let now = await this.#read();
    for (const noted of this.all()) now = await this.#enter(noted, now, TRIES);
  }

  /**
   * Enter a result in place of the one that was shown; where the house has another one by now, that is shown.
   * @param {string} id
   */
  async replace(id) {
    const noted = this.all().find((one) => one.id === id), shown = this.left.get(id)?.stands;
    if (!noted || !shown) return;
    for (let tries = TRIES; tries; tries -= 1) {
      const now = await this.#read(), stands = now.matches.find((one) => one.id === shown.id);
      if (!stands || !isSame(stands, shown)) return void await this.#enter(noted, now, TRIES);
      try {
        await this.#act("correct", noted.result, now.entries);
        return await this.drop(id);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.left.set(id, DECIDED.includes(error.code) ? { stands } : { why: error.message });
        if (!DECIDED.includes(error.code)) return;
      }
    }
  }

  /**
   * @param {{id: string, result: Result}} noted @param {SentTournament} now @param {number} tries
   * @returns {Promise<SentTournament>} the tournament as it is then
   */
  async #enter({ id, result }, now, tries) {
    const match = now.matches.find((one) => one.id === result.match);
    if (match?.status === "done" && stands(match, result)) await this.drop(id);
    else if (match?.status === "done") this.left.set(id, { stands: match });
    else if (match?.status !== "running") this.left.set(id, { why: gettext("This match does not count any more.") });
    else return this.#enterRunning(id, result, now, tries);
    return now;
  }

  /**
   * @param {string} id @param {Result} result @param {SentTournament} now @param {number} tries
   * @returns {Promise<SentTournament>}
   */
  async #enterRunning(id, result, now, tries) {
    try {
      const then = await this.#act("result", result);
      await this.drop(id);
      return then;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (DECIDED.includes(error.code) && tries)
        return this.#enter({ id, result }, await this.#read(), tries - 1);
      this.left.set(id, { why: error.message });
      return now;
    }
  }

  /** @returns {Promise<SentTournament>} */
  async #read() {
    return this.#ask(this.house.tournament, {});
  }

  /** @param {"result" | "correct"} act @param {Result} result @param {number} [seen] */
  async #act(act, { match, winner, points }, seen) {
    const args = { match, winner, ...(points < 0 ? {} : { points }), ...(seen === undefined ? {} : { seen }) };
    const headers = { "Content-Type": "application/json", "X-CSRFToken": this.house.token };
    return this.#ask(this.house.acts, { method: "POST", headers, body: JSON.stringify({ act, args }) });
  }

  /** @param {string} address @param {RequestInit} how @returns {Promise<SentTournament>} */
  async #ask(address, how) {
    const answer = await fetch(address, { cache: "no-store", ...how }).catch(() => null);
    if (!answer || NO_HOUSE.includes(answer.status)) throw new OutOfReach();
    const told = await answer.json().catch(() => ({}));
    if (answer.ok) return told;
    const { code = "", message = "" } = told;
    throw new Refused(code, message || gettext("The house did not take it. Load the page again."));
  }
}

/** @param {Record<string, any>} told as it is kept @returns {Result} */
function resultOf({ match, winner, points, length, one, other, first, second }) {
  return { match, winner, points, length, keys: [one, other], names: [first, second] };
}

/** Tell whether the house has a result as it was noted. @param {SentMatch} match @param {Result} result */
function stands(match, { winner, points, keys, length }) {
  if (match.winner !== winner) return false;
  if (points < 0) return true;
  const at = match.people.indexOf(length ? keys[1 - keys.indexOf(winner)] : winner);
  return match.score?.[at] === points;
}

/** @param {SentMatch} one @param {SentMatch} other */
function isSame(one, other) {
  const parts = [one, other].map(({ status, winner, score }) => JSON.stringify([status, winner, score]));
  return parts[0] === parts[1];
}
