// @ts-check
/**
 * Where a game stands after rounds that were played without the house: mats, rounds to pay, forfeits, counted from the
 * last view by what was told, for the page alone. The house counts again (chicago/rules/game/played_rounds.py).
 */
import { fill } from "games/kit/page/text.js";
import { countedMats, forfeits } from "chicago/words/words.js";

/** @typedef {import("games/kit/played/going_on.js").Counted} Counted */
/** @typedef {import("games/kit/played/device_list.js").Part} Part */
/** @typedef {import("games/kit/played/device_list.js").ToldGame} ToldGame */
/** @typedef {import("games/kit/seats.js").SeatInfo} SeatInfo */

const DEALING = "dealing", PLAYING_OFF = "playing_off", OVER = "over";

/**
 * @param {Chicago.View} view the last that the house told
 * @param {SeatInfo[]} _seats
 * @param {ToldGame[]} games in the order in which they were played
 * @returns {Counted}
 */
export function countPlayed(view, _seats, games) {
  const table = new MatTable(view);
  for (const { rounds = [] } of games) for (const round of rounds) table.play(round);
  const all = table.seats.filter(({ status }) => status !== "left");
  return {
    games: games.map(() => ""),
    standing: all.map((one) => ({ seat: one.seat, total: table.totalOf(one) })),
    next: {
      title: fill(gettext("Round %(round)s"), { round: table.round }),
      among: table.active.map(({ seat }) => seat),
      lacks: (round) => table.lacks(round),
      over: table.phase === OVER ? gettext("The game is over") : "",
    },
  };
}

/** What moves in rounds; each seat as the view has it. */
class MatTable {
  /** @param {Chicago.View} view */
  constructor({ options, phase, stock, round, seats, order }) {
    this.options = options;
    this.phase = phase;
    this.stock = stock ?? 0;
    this.round = round;
    this.seats = [...order.map((n) => seats[n]), ...seats.filter(({ seat }) => !order.includes(seat))]
      .map((one) => ({ ...one }));
    this.hasMats = options.mats !== "none";
    this.isRewarded = this.seats.every(({ status }) => status !== "out");
  }

  /** The seats that can still lose this round. */
  get active() {
    return this.seats.filter(({ status }) => status === "in");
  }

  /** The seats in the game, newcomers among them. */
  get staying() {
    return this.seats.filter(({ status }) => ["in", "out", "coming"].includes(status));
  }

  get held() {
    return this.seats.reduce((sum, { mats }) => sum + mats, 0);
  }

  /** The most mats that are given on; null where they leave play. */
  get cap() {
    return this.hasMats && this.options.playing_off === "give" ? 2 * this.staying.length - 1 : null;
  }

  /** @param {Chicago.SeatView} one */
  totalOf({ status, mats, forfeits: taken, rounds_paid: paid }) {
    if (this.options.forfeits) return forfeits(taken, this.options);
    if (this.hasMats) return status === "safe" ? gettext("safe") : countedMats(mats, this.options);
    return fill(ngettext("%(count)s round paid", "%(count)s rounds paid", paid), { count: paid });
  }

  /** Return the field that a round needs to have an end, "" for none: a Chick may have ended it. @param {Part} told */
  lacks({ chicks, low, high }) {
    if (chicks !== undefined) return "";
    if (low === undefined) return "low";
    return this.phase === PLAYING_OFF && this.isRewarded && high === undefined ? "high" : "";
  }

  /** Play a round as told. @param {Part} told */
  play(told) {
    if (this.phase === OVER) return;
    const isCut = /** @type {number[]} */ (told.chicks ?? []).some((seat) => this.#chick(seat));
    if (!isCut) this.#end(told);
    this.#goOn(told.end === "yes");
  }

  /** Carry out a Chick; tell whether the round has ended by it. @param {number} seat */
  #chick(seat) {
    const one = this.#at(seat);
    if (!one) return false;
    if (this.options.forfeits) {
      for (const other of this.seats) if (other !== one && ["in", "out"].includes(other.status)) other.forfeits += 1;
      return true;
    }
    if (!this.hasMats || this.options.chick_stays) {
      one.status = "out";
      this.isRewarded = false;
      return false;
    }
    Object.assign(one, { mats: 0, status: "safe" });
    const { cap } = this;
    if (this.phase === DEALING && cap !== null) this.stock = Math.min(this.stock, Math.max(0, cap - this.held));
    this.isRewarded = false;
    return this.isDecided || (this.phase === DEALING && !this.stock);
  }

  /** @param {Part} told */
  #end(told) {
    const { active } = this;
    const low = active.length === 1 ? active[0] : this.#at(told.low);
    const high = active.length === 1 ? undefined : this.#at(told.high);
    if (!low) return;
    if (this.options.forfeits) low.forfeits += 1;
    else if (!this.hasMats) low.rounds_paid += 1;
    else if (this.phase === DEALING) {
      low.mats += 1;
      this.stock -= 1;
    } else if (high && this.isRewarded) this.#reward(high, low);
  }

  /** @param {Chicago.SeatView} high @param {Chicago.SeatView} low */
  #reward(high, low) {
    const { cap } = this, isGiven = cap !== null && this.held <= cap;
    high.mats -= 1;
    if (isGiven) low.mats += 1;
    if (!high.mats) high.status = "safe";
  }

  get isDecided() {
    const due = this.options.losers === 2 && this.seats.length > 5 ? 2 : 1;
    return this.hasMats && this.staying.length <= due;
  }

  /** @param {boolean} isEnded as told */
  #goOn(isEnded) {
    for (const one of this.seats) if (["out", "coming"].includes(one.status)) one.status = "in";
    const { rounds, end_total: total = 0, forfeits: hasForfeits } = this.options;
    const taken = this.seats.reduce((sum, one) => sum + one.forfeits, 0);
    if (this.phase === DEALING && this.stock <= 0 && !this.isDecided) {
      this.phase = PLAYING_OFF;
      for (const one of this.seats) if (one.status === "in" && !one.mats) one.status = "safe";
    }
    const isPlayed = !this.hasMats && rounds > 0 && this.round >= rounds;
    if (isEnded || this.isDecided || isPlayed || (hasForfeits && total > 0 && taken >= total)) this.phase = OVER;
    else this.round += 1;
    this.isRewarded = true;
  }

  /** @param {unknown} seat */
  #at(seat) {
    return this.seats.find((one) => one.seat === seat);
  }
}
