// @ts-check
/** The result of a game: the loser, the reason and the ranking. */
import { h } from "games/kit/page/dom.js";
import { nameOf } from "games/kit/seats.js";
import { ResultCard } from "games/kit/table.js";
import { phrase, told } from "games/kit/page/sentences.js";
import { fill } from "games/kit/page/text.js";
import { mini } from "chicago/felt/board.js";
import { closing, Stack } from "chicago/felt/pieces.js";
import { called, countedMats, forfeits } from "chicago/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

export class OutcomeCard extends ResultCard {
  constructor() {
    super("ct-card ct-outcome");
    this.isAway = false;
  }

  /** Hide the card or show it again. @param {boolean} isAway */
  put(isAway) {
    this.isAway = isAway;
    this.el.hidden = isAway;
  }

  /** @param {Chicago.View} view @param {SeatInfo[]} seats */
  show(view, seats) {
    const { outcome, options } = view;
    this.draw(outcome && [outcome, seats.map((s) => s.name)], () => outcome ? [
      h("h2", {}, told(outcome.title, seats, options)),
      h("p", { class: "ct-reason" }, phrase("why_ended", outcome)),
      deciding(outcome, view, seats),
      ranking(outcome, view, seats),
      closing(() => this.put(true)),
    ] : []);
    if (this.isAway) this.el.hidden = true;
  }
}

/**
 * Return the dice of the last turn, which decided, and the mats that stay with the loser.
 * @param {Chicago.OutcomeView} outcome @param {Chicago.View} view @param {SeatInfo[]} seats
 */
function deciding({ losers }, { history, seats: here, stock, options }, seats) {
  const last = history[history.length - 1], stays = (stock !== null && here[losers[0]]?.mats) || 0;
  const stack = new Stack();
  const mats = countedMats(stays, options);
  stack.show(stays, mats);
  const name = last && nameOf(seats, last.seat);
  return h("p", { class: "ct-deciding" },
    last && [
      h("span", { title: name }, name), h("span", { class: "ct-minis", "aria-hidden": "true" }, last.dice.map(mini)),
      h("b", {}, called(last)),
    ],
    stays > 0 && h("span", { class: "ct-stays", "aria-label": mats, role: "img" }, stack.el));
}

/** @param {Chicago.OutcomeView} outcome @param {Chicago.View} view @param {SeatInfo[]} seats */
function ranking(outcome, view, seats) {
  let rank = 1;
  const rows = outcome.ranking.flatMap((group) => {
    const here = rank;
    rank += group.length;
    return group.map((seat) => row(here, seat, outcome, view.options, seats));
  });
  return h("ol", { class: "ct-ranking" }, rows);
}

/**
 * @param {number} rank @param {number} seat @param {Chicago.OutcomeView} outcome
 * @param {Chicago.View["options"]} options @param {SeatInfo[]} seats
 */
function row(rank, seat, outcome, options, seats) {
  const isLoser = outcome.losers.includes(seat);
  return h(
    "li",
    { data: { loser: isLoser ? "yes" : "no", rank }, class: `seat-${seat % 12}` },
    h("span", { class: "ct-rank" }, `${rank}.`),
    h("span", { class: "ct-name" }, nameOf(seats, seat)),
    h("span", { class: "ct-facts" }, facts(outcome.stats[seat], options)),
  );
}

/** @param {Record<string, number>} stats @param {Chicago.View["options"]} options */
function facts(stats, options) {
  /** @type {string[]} */
  const parts = [];
  const add = (/** @type {number} */ n, /** @type {string} */ sentence) =>
    n && parts.push(fill(sentence, { n }));
  if (options.forfeits) add(stats.forfeits, forfeits(stats.forfeits, options));
  else add(stats.rounds_paid, ngettext("%(n)s round paid", "%(n)s rounds paid", stats.rounds_paid));
  add(stats.mats, fill(gettext("%(mats)s taken"), { mats: countedMats(stats.mats, options) }));
  add(stats.chicks, ngettext("%(n)s Chick", "%(n)s Chicks", stats.chicks));
  add(stats.fish, ngettext("%(n)s Fish", "%(n)s Fish", stats.fish));
  add(stats.side_forfeits ?? 0, ngettext("%(n)s side forfeit", "%(n)s side forfeits", stats.side_forfeits ?? 0));
  // Each stands in one line, unless it is longer than one.
  return parts.flatMap((part, i) => [i > 0 && " ", h("span", {}, part, i < parts.length - 1 && "\u00a0·")]);
}
