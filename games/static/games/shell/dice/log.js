// @ts-check
/** The dice in the log: the level behind each throw, and phones that were silent. */
import { byId, h } from "games/kit/page/dom.js";
import { nameOf, seatsAt } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

export class DiceLog {
  /** @param {() => SeatInfo[]} seats */
  constructor(seats) {
    this.seats = seats;
    this.log = byId("log");
    /** Sequence number of an entry whose line is not there yet → its level. @type {Map<number, string>} */
    this.levels = new Map();
    new MutationObserver(() => this.#mark()).observe(this.log, { childList: true });
  }

  /** @param {import("games/dice/record.js").Entry} entry */
  note({ seq, events, throw: thrown }) {
    if (thrown) this.levels.set(seq, thrown.level);
    this.#mark();
    for (const event of events) {
      const text = this.#words(event, seq);
      if (text) this.#line(seq, text);
    }
  }

  /** Return a line about silent phones and who comes or goes after the dice; "" for other events. */
  #words(/** @type {House.SentEvent} */ { type, data }, /** @type {number} */ seq) {
    const name = data?.seat === null ? "" : nameOf(seatsAt(this.seats(), seq), data?.seat);
    switch (type) {
      case "table.link_missed":
        return fill(gettext("The phone of %(name)s is silent: the throw goes on without it."), { name });
      case "table.postponed":
        if (data?.command === "table.join") return gettext("Somebody sits down when the dice have fallen.");
        return fill(gettext("The seat of %(name)s changes when the dice have fallen."), { name });
      case "table.lapsed":
        return gettext("Somebody could not sit down or leave any more after these dice.");
      default:
        return "";
    }
  }

  /** Write the levels to the existing lines; a line may come later than the dice of its entry. */
  #mark() {
    for (const [seq, level] of this.levels) {
      const line = this.log.querySelector(`[data-seq="${seq}"] p`);
      if (!line) continue;
      this.levels.delete(seq);
      if (line.querySelector(".log-level")) continue;
      line.append(" ", h("small", { class: "log-level" }, fill(gettext("(level %(level)s)"), { level })));
    }
  }

  /** Say in grey that this phone's number came too late for a throw. @param {number} seq @param {number} k */
  late(seq, k) {
    this.#line(seq, fill(gettext("Your phone's number came too late for throw %(k)s."), { k }));
  }

  /** @param {number} seq @param {string} text */
  #line(seq, text) {
    this.log.append(h("li", { data: { seq }, class: "log-late" }, h("p", {}, text)));
  }
}
