// @ts-check
/** A strip of seats, for games without one of their own. */
import { h, put, setAttr, setText } from "games/kit/page/dom.js";
import { nameOf, showPresence } from "games/kit/seats.js";

/** A row of seats: name, presence, points; seats that the game waits for are marked. */
export class SeatStrip {
  constructor() {
    this.el = h("ol", { class: "kit-seats", "aria-label": gettext("Players") });
    /** @type {ReturnType<typeof card>[]} */
    this.cards = [];
  }

  /**
   * @param {import("games/kit/table.js").Now} now
   * @param {number[]} waitingFor
   */
  show({ view, seats, me }, waitingFor) {
    if (this.cards.length !== seats.length) {
      this.cards = seats.map(({ seat }) => card(seat));
      put(this.el, this.cards.map(({ el }) => el));
    }
    for (const [i, person] of seats.entries()) {
      const { el, dot, name, points } = this.cards[i];
      showPresence(dot, person);
      setText(name, nameOf(seats, person.seat));
      setText(points, String(view.seats?.[person.seat]?.points ?? "").replace("-", "−"));
      setAttr(el, "data-me", person.seat === me);
      setAttr(el, "data-turn", waitingFor.includes(person.seat));
    }
  }
}

/** @param {number} seat */
function card(seat) {
  const dot = h("span", { class: "presence" });
  const name = h("span", { class: "kit-name" });
  const points = h("b", {});
  return { dot, name, points, el: h("li", { class: `kit-seat seat-${seat % 12}` }, dot, name, points) };
}
