// @ts-check
/** Tells the host when the game waits for an absent player. */
import { clearBanner, showBanner } from "games/kit/page/notices.js";
import { fill } from "games/kit/page/text.js";

const PATIENCE = 30;

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

export class Watch {
  /** @param {(name: string, args: object) => void} send */
  constructor(send) {
    this.send = send;
    /** @type {Map<number, number>} seat → the time since which it is away */
    this.since = new Map();
    /** @type {{seats: SeatInfo[], waitingFor: number[]} | null} */
    this.last = null;
    setInterval(() => this.last && this.#look(), 1000);
  }

  /**
   * @param {SeatInfo[]} seats with their presence
   * @param {number[]} waitingFor
   * @param {boolean} isHost of a running table that is not paused
   */
  see(seats, waitingFor, isHost) {
    for (const seat of seats) {
      const isAway = !seat.bot && !["here", "no_phone"].includes(seat.presence ?? "");
      if (!isAway) this.since.delete(seat.seat);
      else if (!this.since.has(seat.seat)) this.since.set(seat.seat, Date.now());
    }
    this.last = isHost ? { seats, waitingFor } : null;
    this.#look();
  }

  #look() {
    for (const seat of this.last?.seats ?? []) {
      const since = this.since.get(seat.seat) ?? Date.now();
      const isAsked = this.last?.waitingFor.includes(seat.seat);
      const isEmpty = seat.player === null && !seat.bot;
      const late = isEmpty || Date.now() - since >= PATIENCE * 1000;
      if (isAsked && late && this.since.has(seat.seat)) this.#ask(seat, isEmpty);
      else clearBanner(`away-${seat.seat}`);
    }
    if (!this.last) for (const seat of this.since.keys()) clearBanner(`away-${seat}`);
  }

  /** @param {SeatInfo} seat @param {boolean} isEmpty */
  #ask(seat, isEmpty) {
    const isOpen = !isEmpty && !seat.accepted;
    const sentence = isEmpty
      ? gettext("The game waits for the empty seat of %(name)s.")
      : isOpen
        ? gettext("The game waits for %(name)s, who has not accepted the rules yet.")
        : gettext("The game waits for %(name)s, who is away.");
    const args = { seat: seat.seat, sitter: seat.player };
    showBanner(`away-${seat.seat}`, {
      text: fill(sentence, { name: seat.name }),
      kind: "warn",
      buttons: [
        ...(isEmpty ? [] : [{ label: gettext("Nudge"), act: () => this.send("table.nudge", args) }]),
        ...(isOpen ? [] : [{ label: gettext("Let the clock play"), act: () => this.send("table.play_on", args) }]),
        { label: gettext("More …"), act: () => document.getElementById("open-menu")?.click() },
      ],
    });
  }
}
