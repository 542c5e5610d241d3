// @ts-check
/** Goes to the next table when this one has a successor: all pages do, with five seconds' notice. */
import { goTo } from "games/kit/page/dom.js";
import { clearBanner, showBanner } from "games/kit/page/notices.js";
import { fill } from "games/kit/page/text.js";

const NOTICE_SECONDS = 5;

export class Follower {
  /** @param {string | null} [before] the table's successor as seen before; undefined: no table seen yet */
  constructor(before) {
    this.successor = before;
    this.isGoing = false;
  }

  /** @param {House.SentTable} table */
  see(table) {
    const before = this.successor;
    this.successor = table.successor;
    if (!table.successor || table.successor === before) return;
    // An old table was opened to look at it: the successor is offered, but the page stays.
    if (before === undefined) this.#offer(table.successor);
    else this.#lead(table.successor);
  }

  /** @param {string} id */
  #offer(id) {
    showBanner("next", {
      text: gettext("This game is over; there is a next one."),
      buttons: [{ label: gettext("Go to the next game"), act: () => go(id), kind: "go" }],
    });
  }

  /** @param {string} id */
  #lead(id) {
    this.isGoing = true;
    showBanner("next", {
      text: (seconds) =>
        fill(gettext("The next game is set up. You go there in %(seconds)s s."), {
          seconds: Math.max(0, NOTICE_SECONDS - seconds),
        }),
      onTick: (seconds) => this.isGoing && seconds >= NOTICE_SECONDS && isInReach() && go(id),
      buttons: [
        { label: gettext("Go now"), act: () => go(id), kind: "go" },
        { label: gettext("Stay here"), act: () => this.#stay(id) },
      ],
    });
  }

  /** @param {string} id */
  #stay(id) {
    this.isGoing = false;
    clearBanner("next");
    this.#offer(id);
  }
}

/** Tell whether the house answers: nothing leads by itself to a page that it cannot send. */
function isInReach() {
  return !document.documentElement.classList.contains("is-offline");
}

/** @param {string} id */
function go(id) {
  goTo(`../${encodeURIComponent(id)}/`);
}
