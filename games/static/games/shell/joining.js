// @ts-check
/** Entering a running table: a seat for spectators, the rules card for players that were given a seat. */
import { byId } from "games/kit/page/dom.js";
import { confirmed } from "games/kit/page/notices.js";

export class Door {
  /**
   * @param {(name: string, args: object) => void} send
   * @param {boolean} isForAdults
   */
  constructor(send, isForAdults) {
    this.isForAdults = isForAdults;
    this.join = byId("join-bar");
    this.accept = byId("accept-bar");
    byId("join").addEventListener("click", () => this.#enter("table.join", send));
    byId("join").removeAttribute("disabled"); // a tap before now would have been lost
    byId("accept-rules").addEventListener("click", () => this.#enter("table.accept", send));
  }

  /**
   * @param {boolean} canJoin
   * @param {boolean} mustAccept our seat has not accepted the rules card yet
   */
  show(canJoin, mustAccept) {
    this.join.hidden = !canJoin;
    this.accept.hidden = !mustAccept;
  }

  /** @param {string} name @param {(name: string, args: object) => void} send */
  async #enter(name, send) {
    if (!this.isForAdults) return send(name, {});
    const question = gettext("This table is for adults only. Are you of age?");
    if (await confirmed(question, gettext("I am of age"))) send(name, { adult: true });
  }
}
