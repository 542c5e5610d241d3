// @ts-check
/** The alarm of a device whose table's dice are not in order: in red, with the proof to save. */
import { h } from "games/kit/page/dom.js";
import { clearBanner, showBanner } from "games/kit/page/notices.js";
import { nameOf, seatsAt } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";

const NAME = "dice";

export class DiceAlarm {
  /**
   * @param {import("games/dice/device.js").Device} device
   * @param {() => import("games/kit/seats.js").SeatInfo[]} seats
   */
  constructor(device, seats) {
    this.device = device;
    this.seats = seats;
  }

  /** Show the newest fault until it has been read. */
  show() {
    const { faults, unread } = this.device;
    const fault = faults[faults.length - 1];
    if (!unread || !fault) return clearBanner(NAME);
    const text = this.#words(fault);
    showBanner(NAME, { text, kind: "stop", buttons: [
      { label: gettext("Save the proof"), act: () => this.#save(), kind: "go" },
      { label: gettext("Close"), act: () => this.#close() },
    ] });
  }

  #close() {
    this.device.dismiss();
    clearBanner(NAME);
  }

  #save() {
    const proof = { saved: new Date().toISOString(), address: location.origin, ...this.device.proof() };
    const file = new Blob([JSON.stringify(proof, null, 1)], { type: "application/json" });
    const href = URL.createObjectURL(file);
    h("a", { href, download: `dice-proof-${this.device.table}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }

  /** @param {import("games/dice/record.js").Fault} fault */
  #words({ code, seq, k, seat }) {
    const name = seat === undefined ? "" : nameOf(seatsAt(this.seats(), seq), seat);
    return fill(sentences()[code] ?? gettext("Throw %(k)s is not in order."), { k, name });
  }
}

/** @returns {Record<string, string>} */
function sentences() {
  const house = gettext("The house's number for throw %(k)s does not fit what it had sealed.");
  return {
    not_asked: gettext("Your phone was here and was not asked for throw %(k)s."),
    not_begun: gettext("Your phone was asked for its number before the log told of throw %(k)s."),
    unused: gettext("Your phone's number for throw %(k)s was left out."),
    not_given: gettext("Throw %(k)s was made with a number of your phone that it did not give."),
    seat_chain: gettext("The number of %(name)s for throw %(k)s does not fit the one before it."),
    server_chain: house,
    commitment: house,
    dice: gettext("The dice of throw %(k)s are not what its numbers say."),
    no_throw: gettext("Dice were told after throw %(k)s without a throw."),
    typed: gettext("Dice were told as typed in, at throw %(k)s, where the house throws."),
    skipped: gettext("A throw before number %(k)s was left out or thrown again."),
    sequence: gettext("The log after throw %(k)s has a gap, or is not what it was."),
    dropped: gettext("Throws are dropped again and again after your phone gave its number, the last one was %(k)s."),
    other_tip: gettext("Another device has told numbers for your seat after throw %(k)s. If it is not yours, ask."),
  };
}
