// @ts-check
/** <dummygame-table>: a table of Sealed Bids, as plain as docs/front-end.md allows. */
import { h, put } from "games/dom.js";
import { fill } from "games/text.js";

class DummyTable extends HTMLElement {
  /** @type {any} */
  now = null;

  init() {}

  /** @param {{view: any, choices: any[], seats: any[], seat: number | null, canAct: boolean}} now */
  update(now) {
    this.now = now;
    const { view, choices, seats } = now;
    const round = fill(gettext("Round %(round)s of %(rounds)s"), view);
    const rows = view.seats.map((/** @type {any} */ s) => this.#row(s, seats));
    const last = view.last ? h("p", { class: "last" }, this.#opened(view.last, seats)) : null;
    put(this, h("p", {}, round), h("ul", {}, rows), last, choices.map((c) => this.#buttons(c)));
  }

  /** @param {any} s @param {any[]} seats */
  #row(s, seats) {
    const sentence = s.has_bid
      ? gettext("%(name)s: %(points)s points, has bid")
      : gettext("%(name)s: %(points)s points");
    return h("li", {}, fill(sentence, { name: seats[s.seat].name, points: s.points }));
  }

  /** @param {any} choice */
  #buttons(choice) {
    return choice.options.map((/** @type {any} */ args) => {
      const label = "number" in args ? fill(gettext("Bid %(number)s"), args) : gettext("Take back");
      const onclick = () => this.#command(choice, args);
      return h("button", { class: "button", disabled: !this.now.canAct, onclick }, label);
    });
  }

  /** @param {any} choice @param {object} args */
  #command(choice, args) {
    const detail = { name: choice.name, args, basis: choice.basis };
    this.dispatchEvent(new CustomEvent("command", { detail }));
  }

  /** Nothing moves here: the next state is shown at once. */
  async play() {}

  /** @param {{type: string, data: any}} event @param {any[]} seats @returns {string | null} */
  describe({ type, data }, seats) {
    if (type === "bid_counted") return fill(gettext("%(name)s has bid"), seats[data.seat]);
    return type === "bids_revealed" ? this.#opened(data, seats) : null;
  }

  /** @param {any} data @param {any[]} seats */
  #opened({ winner }, seats) {
    if (winner === null || winner === undefined) return gettext("Nobody takes the round");
    return fill(gettext("%(name)s takes the round"), seats[winner]);
  }

  /** Whom the game waits for, in words. */
  get status() {
    const { view, choices, seats } = this.now;
    const waitingFor = view.over
      ? []
      : view.seats.filter((/** @type {any} */ s) => s.in && !s.has_bid).map((/** @type {any} */ s) => s.seat);
    if (view.over) return { text: gettext("The game is over"), waitingFor };
    if (choices.some((c) => c.required)) return { text: gettext("Your bid, please"), waitingFor };
    const names = waitingFor.map((/** @type {number} */ seat) => seats[seat].name).join(", ");
    return { text: fill(gettext("Waiting for %(names)s"), { names }), waitingFor };
  }
}

customElements.define("dummygame-table", DummyTable);
