// @ts-check
/** Entering a running table: a seat for spectators, the rules card for players that were given a seat. */
import { byId } from "games/kit/page/dom.js";
import { confirmed } from "games/kit/page/notices.js";

/** @typedef {import("games/shell/connection/outbox.js").Outbox} Outbox */

export class Door {
  /**
   * @param {(name: string, args: object) => void} send
   * @param {boolean} isForAdults
   * @param {Pick<Outbox, "frames">} outbox what was sent and is not answered
   */
  constructor(send, isForAdults, outbox) {
    this.send = send;
    this.isForAdults = isForAdults;
    this.outbox = outbox;
    this.join = byId("join-bar");
    this.accept = byId("accept-bar");
    byId("join").addEventListener("click", () => this.#enter("table.join"));
    byId("accept-rules").addEventListener("click", () => this.#enter("table.accept"));
  }

  /**
   * @param {boolean} canJoin
   * @param {boolean} mustAccept our seat has not accepted the rules card yet
   */
  show(canJoin, mustAccept) {
    this.join.hidden = !canJoin;
    this.accept.hidden = !mustAccept;
    // Before this module came a tap would have been lost; a second one while the first is on its way would be refused.
    byId("join").toggleAttribute("disabled", this.outbox.frames.some(({ name }) => name === "table.join"));
  }

  /** @param {string} name */
  async #enter(name) {
    const question = gettext("This table is for adults only. Are you of age?");
    if (this.isForAdults && !(await confirmed(question, gettext("I am of age")))) return;
    this.send(name, this.isForAdults ? { adult: true } : {});
    this.show(!this.join.hidden, !this.accept.hidden);
  }
}
