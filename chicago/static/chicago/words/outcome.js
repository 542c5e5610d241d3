// @ts-check
/** The result of a game: the loser, the reason and the ranking. */
import { h } from "games/kit/page/dom.js";
import { nameOf } from "games/kit/seats.js";
import { ResultCard } from "games/kit/table.js";
import { andList, fill } from "games/kit/page/text.js";
import { closing } from "chicago/felt/pieces.js";
import { countedMats, forfeits } from "chicago/words/words.js";

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

  /** @param {any} view @param {SeatInfo[]} seats */
  show(view, seats) {
    this.draw(view.outcome && [view.outcome, seats.map((s) => s.name)], () => [
      h("h2", {}, headline(view, seats)),
      h("p", { class: "ct-reason" }, reasonOf(view)),
      ranking(view, seats),
      closing(() => this.put(true)),
    ]);
    if (this.isAway) this.el.hidden = true;
  }
}

/** Return the losers, in a sentence. @param {any} view @param {SeatInfo[]} seats */
export function headline(view, seats) {
  const { losers, ranking: groups, reason: why, points } = view.outcome;
  const ranked = groups.flat();
  // A leaver is below players of the same points, and has paid no more than they have.
  const most = Math.max(...ranked.map((/** @type {number} */ seat) => points[seat]));
  const last = losers.length ? losers : ranked.filter((/** @type {number} */ seat) => points[seat] === most);
  const isEqual = groups.length < 2 || last.length === ranked.length;
  if (isEqual || ((why === "abandoned" || view.stock !== null) && !losers.length)) return gettext("The game is over");
  const names = andList(last.map((/** @type {number} */ seat) => nameOf(seats, seat)));
  return fill(lost(view, last.length), { names, forfeits: forfeits(points[last[0]], view.options) });
}

/** @param {any} view @param {number} count */
function lost(view, count) {
  if (view.options.forfeits) {
    return ngettext("%(names)s has taken most: %(forfeits)s", "%(names)s have taken most: %(forfeits)s each", count);
  }
  if (view.stock === null) {
    return ngettext("%(names)s has paid most rounds", "%(names)s have paid most rounds", count);
  }
  return ngettext("%(names)s pays the round", "%(names)s pay the round", count);
}

/** Return the reason of the game's end. @param {any} view */
export function reasonOf(view) {
  /** @type {Record<string, string>} */
  const reasons = {
    played_off: gettext("All the others are safe."),
    rounds_played: gettext("All rounds are played."),
    forfeits_taken: gettext("As many forfeits have been taken as the house rules say."),
    abandoned: gettext("Too few players are left."),
    closed: gettext("The host has closed the game."),
  };
  return reasons[view.outcome.reason] ?? "";
}

/** @param {any} view @param {SeatInfo[]} seats */
function ranking(view, seats) {
  let rank = 1;
  const rows = view.outcome.ranking.flatMap((/** @type {number[]} */ group) => {
    const here = rank;
    rank += group.length;
    return group.map((seat) => row(here, seat, view, seats));
  });
  return h("ol", { class: "ct-ranking" }, rows);
}

/** @param {number} rank @param {number} seat @param {any} view @param {SeatInfo[]} seats */
function row(rank, seat, view, seats) {
  const stats = view.outcome.stats[seat];
  const isLoser = view.outcome.losers.includes(seat);
  return h(
    "li",
    { data: { loser: isLoser ? "yes" : "no", rank }, class: `seat-${seat % 12}` },
    h("span", { class: "ct-rank" }, `${rank}.`),
    h("span", { class: "ct-name" }, nameOf(seats, seat)),
    h("span", { class: "ct-facts" }, facts(stats, view)),
  );
}

/** @param {any} stats @param {any} view */
function facts(stats, view) {
  /** @type {string[]} */
  const parts = [];
  const add = (/** @type {number} */ n, /** @type {string} */ sentence) =>
    n && parts.push(fill(sentence, { n }).replaceAll(" ", "\u00a0"));
  if (view.options.forfeits) add(stats.forfeits, forfeits(stats.forfeits, view.options));
  else add(stats.rounds_paid, ngettext("%(n)s round paid", "%(n)s rounds paid", stats.rounds_paid));
  add(stats.mats, fill(gettext("%(mats)s taken"), { mats: countedMats(stats.mats, view.options) }));
  add(stats.chicks, ngettext("%(n)s Chick", "%(n)s Chicks", stats.chicks));
  add(stats.fish, ngettext("%(n)s Fish", "%(n)s Fish", stats.fish));
  add(stats.side_forfeits ?? 0, ngettext("%(n)s side forfeit", "%(n)s side forfeits", stats.side_forfeits ?? 0));
  return parts.join("\u00a0· ");
}
