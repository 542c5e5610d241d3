// @ts-check
/** Ends in words: the result, the reason, and what follows. */
import { h, setAttr } from "games/kit/page/dom.js";
import { nameOf } from "games/kit/seats.js";
import { ResultCard } from "games/kit/table.js";
import { fill } from "games/kit/page/text.js";
import { headlineLines, lineOf } from "games/kit/page/sentences.js";
import { headline, reasonOf } from "chicago/words/outcome.js";
import { closing } from "chicago/felt/pieces.js";
import { called, forfeits } from "chicago/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {{type: string, data: any}} Event */
/**
 * @typedef {object} Ending
 * @property {string} title the seat and its loss or gain
 * @property {string[]} lines the reason and the other effects
 * @property {boolean} isChick a Chick caused it
 * @property {string} next the next starter, and the reason
 */

/** Costs and gains of an end, the most important first: the first one present is the title. */
const COSTS = ["round_lost", "mat_taken", "mat_given", "mat_discarded", "forfeit_taken"];
const ASIDE = ["rolled_off", "mats_removed", "stock_cut", "player_safe", "side_forfeit_owed", "phase_started"];

/**
 * Return the end that the turn before this one caused, or null.
 * @param {any} view
 * @param {SeatInfo[]} seats
 * @returns {Ending | null}
 */
export function endingOf(view, seats) {
  const events = view.ending?.events ?? [];
  const ended = events.find((/** @type {Event} */ e) => e.type === "round_ended")?.data;
  const chick = events.find((/** @type {Event} */ e) => e.type === "chick_thrown");
  if (!ended && !chick) return null;
  const isLow = view.last_round?.low_counts ?? false;
  const line = (/** @type {Event} */ event) => isLow && event.type === "rolled_off"
    ? fill(gettext("One die each: %(name)s is worst."), { name: nameOf(seats, event.data.seat) })
    : lineOf(event, seats, view.options);
  const cost = costs(events, view, line);
  const beside = events.filter((/** @type {Event} */ e) => ASIDE.includes(e.type)).map(line).filter(Boolean);
  const why = [chick ? line(chick) : "", ended ? reason(ended, view, seats) : ""].filter(Boolean);
  const [title, ...lines] = [...cost, ...why, ...beside];
  return { title, lines, isChick: Boolean(chick), next: view.outcome ? "" : next(events, ended, view, seats) };
}

/**
 * Return all losses and gains, each once: a Chick that costs all others the same is one sentence.
 * @param {Event[]} events
 * @param {any} view
 * @param {(event: Event) => string} line
 */
function costs(events, view, line) {
  const found = COSTS.flatMap((type) => events.filter((e) => e.type === type));
  const byChick = found.filter((e) => e.data.reason === "chick");
  const others = found.filter((e) => e.data.reason !== "chick").map(line);
  if (byChick.length < 2) return [...byChick.map(line), ...others];
  const all = gettext("All the others take %(forfeits)s.");
  return [fill(all, { forfeits: forfeits(byChick[0].data.count, view.options) }), ...others];
}

/** Return the reason of a round's end. @param {any} ended @param {any} view @param {SeatInfo[]} seats */
function reason(ended, view, seats) {
  const results = view.last_round?.results ?? [];
  const by = (/** @type {number | null} */ seat) => {
    const result = results.find((/** @type {any} */ r) => r.seat === seat);
    return { name: nameOf(seats, seat), result: result ? called(result) : "" };
  };
  switch (ended.reason) {
    case "full": {
      // High and low are said where the highest number is best (docs/rules-chicago.md §3).
      const [best, worst] = view.last_round?.low_counts
        ? [gettext("Best: %(name)s, %(result)s."), gettext("Worst: %(name)s, %(result)s.")]
        : [gettext("High: %(name)s, %(result)s."), gettext("Low: %(name)s, %(result)s.")];
      return [ended.high === null ? "" : fill(best, by(ended.high)), fill(worst, by(ended.low))].join(" ").trim();
    }
    case "one_left":
      return fill(gettext("Only %(name)s is left without a Chick."), by(ended.low));
    case "named":
      return fill(gettext("%(name)s was named the loser of the round."), by(ended.low));
    case "breach":
      return fill(gettext("%(name)s has lost the round by a breach."), by(ended.low));
    case "abandoned":
      return gettext("The round is broken off: nobody pays.");
    default:
      return "";
  }
}

/**
 * Return the next starter, and the reason.
 * @param {Event[]} events
 * @param {any} ended
 * @param {any} view
 * @param {SeatInfo[]} seats
 */
function next(events, ended, view, seats) {
  if (!ended) return "";
  const name = nameOf(seats, view.starter);
  const drawn = events.some((e) => e.type === "starter_drawn");
  if (drawn) return fill(gettext("%(name)s starts the next round, by lot."), { name });
  if (ended.low === view.starter) {
    const sentence = view.last_round?.low_counts
      ? gettext("%(name)s starts the next round: the worst does.")
      : gettext("%(name)s starts the next round: the low does.");
    return fill(sentence, { name });
  }
  if (ended.reason === "chick") return fill(gettext("%(name)s starts the next round: a Chick earns that."), { name });
  const hasMost = events.some((e) => e.type === "phase_started");
  if (hasMost) return fill(gettext("%(name)s starts the next round, with the most mats."), { name });
  return fill(gettext("%(name)s starts the next round."), { name });
}

/**
 * Return headlines of events for a big screen: an end takes the screen, a result is shown in the bar.
 * @param {Event[]} events
 * @param {any} view
 * @param {SeatInfo[]} seats
 * @returns {import("games/kit/headlines.js").Headline[]}
 */
export function headlinesOf(events, view, seats) {
  if (events.some((e) => e.type === "game_ended")) {
    return [{ text: headline(view, seats), detail: reasonOf(view), kind: "result" }];
  }
  const ending = events.some((e) => ["round_ended", "chick_thrown"].includes(e.type)) ? endingOf(view, seats) : null;
  if (ending) return [{ text: ending.title, detail: ending.lines[0] ?? ending.next, kind: "turn" }];
  return headlineLines(events, seats, view.options);
}

/** The end of a round over the felt, until the next throw or a tap on it. */
export class EndingCard extends ResultCard {
  constructor() {
    super("ct-card ct-round");
    this.dismissed = 0;
    this.el.addEventListener("click", () => this.dismiss());
  }

  /** @param {any} view @param {SeatInfo[]} seats @param {boolean} isActing dice or mats still move */
  show(view, seats, isActing) {
    this.seq = view.ending?.seq ?? 0;
    const isDue = !isActing && !view.outcome && view.cup.throws === 0 && this.dismissed !== this.seq;
    const ending = isDue ? endingOf(view, seats) : null;
    setAttr(this.el, "data-great", ending?.isChick ?? false);
    this.draw(ending && [ending, standings(view, seats)], () => [
      ...(ending?.isChick ? [h("p", { class: "ct-great" }, gettext("Chick"))] : []),
      h("h2", {}, ending?.title),
      ...(ending?.lines ?? []).map((line) => h("p", {}, line)),
      h("p", { class: "ct-next" }, ending?.next),
      h("p", { class: "ct-standings" }, standings(view, seats).map(standing)),
      closing(() => {}),
    ]);
  }

  /** Remove the card; tell whether it was shown. */
  dismiss() {
    const wasShown = !this.el.hidden;
    this.dismissed = this.seq ?? 0;
    this.el.hidden = true;
    return wasShown;
  }
}

/** @param {[string, string]} row */
function standing([name, count]) {
  return h("span", {}, `${name} `, h("b", {}, count));
}

/**
 * Return the players still in with their mats, forfeits or rounds paid, fewest first.
 * @param {any} view
 * @param {SeatInfo[]} seats
 * @returns {[string, string][]}
 */
function standings(view, seats) {
  const has = (/** @type {any} */ s) =>
    view.stock !== null ? s.mats : view.options.forfeits ? s.forfeits : s.rounds_paid;
  return view.seats
    .filter((/** @type {any} */ s) => !["left", "coming"].includes(s.status))
    .sort((/** @type {any} */ a, /** @type {any} */ b) => has(a) - has(b) || a.seat - b.seat)
    .map((/** @type {any} */ s) => [nameOf(seats, s.seat), String(has(s))]);
}
