// @ts-check
/** Suggested plays: pointing at one draws it on the board. The dock makes it (board/bar.js). */
import { h, put, setAttr } from "games/kit/page/dom.js";
import { namesOf } from "games/kit/seats.js";
import { fill } from "games/kit/page/text.js";
import { person } from "chouette/sheet/rows.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

/** @typedef {import("chouette/table.js").Acts} Acts */
/** @typedef {import("chouette/table.js").Now} Now */

export class Suggestions {
  /** @type {string | null} the play that a tap has pinned to the board */
  pinned = null;

  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.list = h("ul", { class: "bt-team-plays" });
    this.el = h("div", { class: "bt-team-suggested" }, h("h2", {}, gettext("Suggested plays")), this.list);
    this.key = "[]";
  }

  /** @param {Now} now @param {boolean} isThere */
  show({ view, seats }, isThere) {
    const plays = isThere && view.me ? byPlay(view.me.suggestions) : [];
    this.el.hidden = plays.length === 0;
    const key = JSON.stringify([plays, seats.map((s) => s.name)]);
    if (key === this.key) return;
    this.key = key;
    const held = /** @type {HTMLElement | null} */ (
      this.list.contains(document.activeElement) ? document.activeElement : null
    )?.dataset.act;
    if (this.pinned && !plays.some(({ play }) => play === this.pinned)) this.#pin(null);
    put(this.list, plays.map(({ play, by }) => this.#row(play, by, seats)));
    if (held) /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-act="${CSS.escape(held)}"]`))?.focus();
  }

  /** @param {string} play @param {number[]} by @param {SeatInfo[]} seats */
  #row(play, by, seats) {
    const look = (/** @type {boolean} */ on) => () => this.acts.showPlay(on ? play : this.pinned);
    return h(
      "li",
      {},
      h(
        "button",
        {
          class: "bt-team-play",
          type: "button",
          "aria-pressed": String(this.pinned === play),
          data: { act: `look ${play}` },
          title: namesOf(seats, by),
          "aria-label": fill(gettext("%(names)s: %(play)s. Show it on the board"), { names: namesOf(seats, by), play }),
          onclick: () => this.#pin(this.pinned === play ? null : play),
          onpointerenter: look(true),
          onpointerleave: look(false),
          onfocus: look(true),
          onblur: look(false),
        },
        h("b", {}, play),
        h(
          "span",
          {},
          by.map((seat) => person(seats, seat)),
        ),
      ),
    );
  }

  /** @param {string | null} play */
  #pin(play) {
    this.pinned = play;
    this.acts.showPlay(play);
    for (const button of this.list.querySelectorAll(".bt-team-play"))
      setAttr(button, "aria-pressed", String(button.getAttribute("data-act") === `look ${play}`));
  }
}

/** Join equal plays of several seats to one entry. @param {{seat: number, play: string}[]} suggestions */
function byPlay(suggestions) {
  /** @type {Map<string, number[]>} */
  const found = new Map();
  for (const { seat, play } of suggestions) found.set(play, [...new Set([...(found.get(play) ?? []), seat])]);
  return [...found].map(([play, by]) => ({ play, by }));
}
