// @ts-check
/** The log in words: the sentence of an event of Chicago, or null if it has none. */
import { nameOf } from "games/kit/seats.js";
import { andList, fill } from "games/kit/page/text.js";
import { breachName, called, counts, forfeits, mat, mats } from "chicago/words/words.js";

/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */
/** @typedef {(data: any, name: (seat: number) => string, options: Record<string, any>) => string | null} Teller */

/** @type {Record<string, Teller>} */
const TELLERS = {
  phase_started: (d, name, options) => d.phase === "playing_off"
    ? fill(gettext("All %(mats)s are dealt: now they are played off."), { mats: mats(options) })
    : null,
  starter_drawn: (d, name) => fill(gettext("%(name)s starts, by lot."), { name: name(d.seat) }),
  round_started: (d, name) =>
    fill(gettext("Round %(round)s: %(name)s starts."), { round: d.round, name: name(d.starter) }),
  sixes_turned: (d, name) =>
    fill(d.forced ? gettext("%(name)s turns three sixes into two ones.") : gettext("%(name)s turns two sixes."), {
      name: name(d.seat),
    }),
  dice_awaited: (d, name) => fill(gettext("%(name)s throws at the table."), { name: name(d.seat) }),
  declared: (d, name) =>
    fill(gettext("%(name)s declares: %(counts)s."), { name: name(d.seat), counts: counts(d.valuation) }),
  turn_taken_back: (d, name) =>
    d.by === "player" ? fill(gettext("%(name)s takes the turn back."), { name: name(d.seat) }) : null,
  dice_thrown: thrown,
  stood,
  chick_thrown: (d, name) => fill(gettext("%(name)s throws a Chick!"), { name: name(d.seat) }),
  rolled_off: (d, name) => fill(gettext("One die each: %(name)s is low."), { name: name(d.seat) }),
  round_lost: (d, name) => fill(gettext("%(name)s pays the round."), { name: name(d.seat) }),
  naming_won: (d, name) => fill(gettext("%(name)s may name the loser."), { name: name(d.seat) }),
  loser_named: (d, name) => fill(gettext("%(name)s names %(loser)s."), { name: name(d.seat), loser: name(d.loser) }),
  round_ended: (d, name) =>
    d.reason === "breach" ? fill(gettext("%(name)s has lost the round by it."), { name: name(d.low) }) : null,
  // Another player may sit there by now: the line before names the leaver.
  forfeit_taken: (d, name, options) => fill(
    d.reason === "leaving" ? gettext("Leaving costs: %(forfeits)s.") : gettext("%(name)s takes %(forfeits)s."),
    { name: name(d.seat), forfeits: forfeits(d.count, options) },
  ),
  forfeits_taken_over: (d, name, options) => fill(
    gettext("%(name)s takes over what %(leaver)s owed for leaving: %(forfeits)s."),
    { name: name(d.seat), leaver: name(d.leaver ?? d.for), forfeits: forfeits(d.count, options) },
  ),
  refilled: (d, name) => fill(gettext("%(name)s has refilled."), { name: name(d.seat) }),
  breach_called: (d, name) => fill(
    gettext("%(by)s calls a breach by %(name)s: %(breach)s."),
    { by: name(d.by), name: name(d.seat), breach: breachName(d.breach) },
  ),
  breach_settled: (d, name) => fill(
    d.guilty ? gettext("%(name)s is guilty.") : gettext("%(name)s is not guilty."), { name: name(d.seat) },
  ),
  mat_taken: (d, name, options) => fill(
    gettext("%(name)s takes a %(mat)s; %(stock)s left."), { name: name(d.seat), mat: mat(options), stock: d.stock },
  ),
  mat_discarded: (d, name, options) => fill(
    gettext("%(name)s gets rid of a %(mat)s."), { name: name(d.seat), mat: mat(options) },
  ),
  mat_given: (d, name, options) => fill(
    gettext("%(name)s gives a %(mat)s to %(to)s."), { name: name(d.seat), mat: mat(options), to: name(d.to) },
  ),
  mats_removed: removed,
  stock_cut: (d, name, options) => fill(
    ngettext("%(count)s %(mats)s of the stock leaves play.", "%(count)s %(mats)s of the stock leave play.", d.removed),
    { count: d.removed, mats: d.removed === 1 ? mat(options) : mats(options) },
  ),
  player_safe: (d, name) => fill(gettext("%(name)s is safe."), { name: name(d.seat) }),
  seat_joined: (d, name) =>
    fill(
      d.at_once
        ? gettext("%(name)s is in, as the last of this round.")
        : gettext("%(name)s plays from the next round on."),
      { name: name(d.seat) },
    ),
  side_forfeit_owed: (d, name) => fill(gettext("%(name)s owes the side forfeit."), { name: name(d.seat) }),
  player_left: (d, name) => fill(gettext("%(name)s is out of the game."), { name: name(d.seat) }),
  timed_out: (d, name) =>
    fill(gettext("Time is up for %(name)s: the table plays on for them."), { name: name(d.seat) }),
  game_ended: ended,
};

/**
 * @param {{type: string, data: any}} event
 * @param {SeatInfo[]} seats
 * @param {Record<string, any>} options the house rules
 * @returns {string | null}
 */
export function describe(event, seats, options) {
  const teller = TELLERS[event.type];
  return teller ? teller(event.data, (seat) => nameOf(seats, seat), options) : null;
}

/** @type {Teller} */
function removed(d, name, options) {
  const params = { name: name(d.seat), count: d.count, mats: d.count === 1 ? mat(options) : mats(options) };
  return d.to_stock
    ? fill(
        ngettext(
          "%(count)s %(mats)s of %(name)s goes back to the stock.",
          "%(count)s %(mats)s of %(name)s go back to the stock.",
          d.count,
        ),
        params,
      )
    : fill(
        ngettext("%(count)s %(mats)s of %(name)s leaves play.", "%(count)s %(mats)s of %(name)s leave play.", d.count),
        params,
      );
}

/** @type {Teller} */
function thrown(d, name) {
  const params = { name: name(d.seat), dice: d.dice.join("-"), laid: d.laid.join("-") };
  return d.laid.length
    ? fill(gettext("%(name)s throws %(dice)s, with %(laid)s laid out."), params)
    : fill(gettext("%(name)s throws %(dice)s."), params);
}

/** @type {Teller} */
function stood(d, name) {
  const args = { name: name(d.seat), result: called(d) };
  if (d.binds && d.valuation) {
    return fill(gettext("%(name)s stands: %(result)s (%(counts)s)."), { ...args, counts: counts(d.valuation) });
  }
  return fill(gettext("%(name)s stands: %(result)s."), args);
}

/** @type {Teller} */
function ended(d, name) {
  if (!d.losers.length) return gettext("The game is over.");
  const sentence = ngettext(
    "The game is over: %(names)s has lost.", "The game is over: %(names)s have lost.", d.losers.length,
  );
  return fill(sentence, { names: andList(d.losers.map(name)) });
}
