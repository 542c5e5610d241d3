// @ts-check
/** The dice in the log: the level behind each throw, and phones that were silent. */
import { byId, h } from "games/kit/page/dom.js";
import { nameOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";

export class DiceLog {
  /** @param {() => any[]} seats */
  constructor(seats) {
    this.seats = seats;
    this.log = byId("log");
    /** Sequence number of an entry whose line is not there yet → its level. @type {Map<number, string>} */
    this.levels = new Map();
    new MutationObserver(() => this.#mark()).observe(this.log, { childList: true });
  }

  /** @param {any} entry */
  note({ seq, events, throw: thrown }) {
    if (thrown) this.levels.set(seq, thrown.level);
    this.#mark();
    for (const { type, data } of events) if (type === "table.link_missed") this.#missed(seq, data.seat);
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

  /** @param {number} seq @param {number} seat */
  #missed(seq, seat) {
    const name = nameOf(this.seats(), seat);
    const text = fill(gettext("The phone of %(name)s is silent: the throw goes on without it."), { name });
    this.log.append(h("li", { data: { seq } }, h("p", {}, text)));
  }
}
