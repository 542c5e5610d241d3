"""A second reading of docs/rules-chicago.md §§4–5: rounds, mats, forfeits and the house.

Written from the page alone; it shares no code with `chicago.rules`. One mutable game; each
public method is a command, and chance comes from `chance`, which hands on what fell:
`throw(seat, count)` and `one_die_each(seats) -> {seat: die}`.
"""

from __future__ import annotations

from tests.chicago.reference.reference_turn import (
    Result,
    Turn,
    fixed_valuation,
    high_of,
    low_of,
    sharers_of,
)


class Game:
    def __init__(self, options, seats, chance):
        self.options, self.chance = options, chance
        self.seats = range(seats)
        self.ring = list(self.seats)
        self.coming = []
        self.vacant = set()
        self.status = ["in"] * seats
        self.mats = [0] * seats
        self.mats_taken = [0] * seats
        self.forfeits = [0] * seats
        self.side_forfeits = [0] * seats
        self.paid = [0] * seats
        self.chicks = [0] * seats
        self.throws = [0] * seats
        self.stock = stock_for(options, seats)
        self.mats_out = 0
        self.phase = "rounds" if self.stock is None else "dealing"
        self.losers = []
        self.refill_by = self.breach = self.last_round = None
        self.offers = {}
        self.number = 0
        self.start_round(self.draw(list(self.seats)))

    # Rounds

    def draw(self, seats, pick=max):
        """§4.1: one die each; ties roll again among themselves."""
        while len(seats) > 1:
            dice = self.chance.one_die_each(seats)
            seats = [s for s in seats if dice[s] == pick(dice.values())]
        return seats[0]

    def still_in(self):
        return [s for s in self.seats if self.status[s] == "in"]

    def staying(self):
        """Return who is in, and who comes with the next round."""
        return sorted([*self.still_in(), *self.coming])

    def losers_due(self):
        """§4.2: `losers = 2` is for games of more than five players."""
        return 2 if self.stock is not None and self.options["losers"] == 2 and len(self.seats) > 5 else 1

    def contenders(self):
        return [s for s in self.still_in() if s not in self.out]

    def start_round(self, starter):
        """§5: newcomers come in between two rounds, at the end of the order."""
        self.number += 1
        self.out, self.silenced = set(), set()
        self.reward_used = False
        self.ring = [*self.to_the_left(self.still_in(), starter), *self.coming]
        for seat in self.coming:
            self.status[seat] = "in"
        self.coming = []
        self.start_afresh(starter)

    def start_afresh(self, starter):
        """§4.1, §4.2, §5: the same round again, the throws and the valuation open."""
        self.starter = starter
        self.results = []
        self.allowed = self.announced = None
        self.valuation = fixed_valuation(self.options)
        self.queue = self.to_the_left(self.contenders(), starter)
        self.next_turn()

    def to_the_left(self, seats, first):
        after = self.ring.index(first)
        return sorted(seats, key=lambda s: (self.ring.index(s) - after) % len(self.ring))

    def next_turn(self):
        self.naming = False
        self.awaits = None
        if self.queue:
            self.on_turn = self.queue.pop(0)
            self.turn = Turn(self.options, self.allowed or 3)
        else:
            self.end_full_round()

    def end_full_round(self):
        high, low = high_of(self.results), low_of(self.results)
        sharers = [r.seat for r in sharers_of(self.results)]
        low_seat = low.seat
        if self.options["ties"] == "roll_off" and len(sharers) > 1:
            # §3: one die each, the lowest is low; the first of the best others is high.
            low_seat = self.draw(sharers, min)
            high = high_of([r for r in self.results if r.seat != low_seat])
        self.close_round("full", high.seat, low_seat)
        if self.phase == "rounds":
            self.lose_round(low_seat)
        elif self.phase == "dealing":
            self.deal_mat(low_seat)
        else:
            self.play_off(high.seat, low_seat)

    def close_round(self, reason, high=None, low=None):
        self.last_round = (self.number, reason, high, low)
        self.offers = {s: o for s, o in self.offers.items() if o[1] > self.number}

    def lose_round(self, seat):
        """§4.1: the low pays; §4.4.2: the low of a full round takes a forfeit."""
        if self.options["forfeits"]:
            self.take_forfeit(seat)
        else:
            self.paid[seat] += 1
        self.after_round(seat)

    def after_round(self, starter):
        if self.options["rounds"] and self.number == self.options["rounds"]:
            self.end_game([])
        elif not self.ends_for_forfeits():
            self.start_round(starter)

    def ends_for_forfeits(self):
        """§4.4.6 `end_total`: the evening ends when so many forfeits have been taken."""
        total = self.options["end_total"] if self.options["forfeits"] else 0
        if self.phase == "over" or not total or sum(self.forfeits) < total:
            return False
        self.end_game([])
        return True

    def end_game(self, losers):
        self.phase, self.losers, self.on_turn, self.awaits = "over", sorted(losers), None, None
        for seat in losers:
            self.paid[seat] += 1

    # Mats

    def deal_mat(self, low):
        """§4.2 phase 1: the low takes one mat from the stock and starts the next round."""
        self.mats[low] += 1
        self.mats_taken[low] += 1
        self.stock -= 1
        if self.stock:
            self.start_round(low)
        else:
            self.begin_playing_off()

    def begin_playing_off(self):
        """§4.2 phase 2: without a mat: safe and out; most mats starts (tie: one die each)."""
        self.phase = "playing_off"
        self.free_the_matless()
        if not self.ends_for_few():
            most = max(self.mats)
            self.start_round(self.draw([s for s in self.still_in() if self.mats[s] == most]))

    def play_off(self, high, low):
        """§4.2: the high puts a mat out of play; §4.3: or gives it to the worst, up to T."""
        if not self.reward_used:
            give = self.options["playing_off"] == "give"
            self.mats[high] -= 1
            if give and sum(self.mats) + 1 <= self.target():
                self.mats[low] += 1
                self.mats_taken[low] += 1
            else:
                self.mats_out += 1
            self.free_the_matless()
        if not self.ends_for_few():
            self.start_playing_off_round(low)

    def start_playing_off_round(self, low):
        """§4 `phase2_start`: the low of the last round, or each time whoever has most mats."""
        if self.options["phase2_start"] == "most_mats":
            most = max(self.mats[s] for s in self.still_in())
            low = self.draw([s for s in self.still_in() if self.mats[s] == most])
        self.start_round(low)

    def target(self):
        """§4.3: T = 2n − 1 with n = players still in."""
        return 2 * len(self.staying()) - 1

    def free_the_matless(self):
        for seat in self.staying():
            if not self.mats[seat]:
                self.status[seat] = "safe"
        self.coming = [s for s in self.coming if self.status[s] == "coming"]

    def ends_for_few(self):
        """§4.2: one player left has lost; with two losers, the last two have."""
        if len(self.staying()) > self.losers_due():
            return False
        self.end_game(self.staying())
        return True

    # A turn's commands

    def lay_or_throw(self, seat, lay, turn):
        """§2 `dice = typed`: real dice are thrown now, and typed after that."""
        if self.types_throws():
            self.awaits = (lay, turn)
        else:
            self.throw_dice(seat, lay, turn)

    def types_throws(self):
        return self.options["dice"] == "typed" and self.options["entry"] == "throws"

    def throw_typed(self, seat):
        self.throw_dice(seat, *(self.awaits or ((), False)))

    def to_type(self):
        """How many dice lie out beside those that are to be typed, and which; None while none are."""
        if not self.types_throws() or (self.awaits is None and self.turn.throws):
            return None
        laid = list(self.turn.lying(*(self.awaits or ((), False))))
        return len(laid), laid

    def throw_dice(self, seat, lay, turn):
        self.awaits = None
        if self.refill_by is not None:
            self.take_forfeit(seat)  # §4.4.5: throwing before the refill
        self.turn.lay_out(lay, turn)
        self.turn.receive(self.chance.throw(seat))
        self.throws[seat] += 1
        # §3: who has called for a throw makes it, although a leaver took the number of throws along meanwhile.
        self.turn.limit = max(self.turn.limit, self.turn.throws)
        if self.turn.has_chick():
            self.chick(seat)
        elif self.options["forfeits"] and self.turn.names_loser():
            self.naming = True
        elif self.turn.throws == self.turn.limit and not self.declares():
            self.stand(seat)

    def declares(self):
        return self.allowed is None and self.options["valuation"] == "starter"

    def can_stand(self):
        """§2: followers throw `exactly` or `at_most` as often as the starter."""
        if not self.turn.throws or self.naming or self.turn.is_forced():
            return False
        exactly = self.allowed is not None and self.options["followers"] == "exactly"
        return not exactly or self.turn.throws == self.allowed

    def stand(self, seat, declared=None):
        is_starter = self.allowed is None
        if is_starter:
            self.allowed = self.turn.throws
            self.valuation = declared or self.valuation
        self.results.append(self.result_of(seat))
        self.announce(is_starter)
        self.next_turn()

    def result_of(self, seat):
        return Result(seat, self.turn, self.valuation, self.options)

    def announce(self, with_declaration):
        """§3: what is high first, then the low to beat; the declaration is part of the former."""
        high, low = high_of(self.results), low_of(self.results)
        if self.beats_high():
            low = None  # §3: in Bavarian phase 2 the number to beat is the high one
        says = low or high
        bound = self.valuation if with_declaration else None
        kind = "low" if low else "high"
        self.announced = (kind, says.seat, says.value, says.throws, says.fish, bound, not self.valuation[2])

    def beats_high(self):
        return self.phase == "playing_off" and self.options["playing_off"] == "discard"

    def chick(self, seat):
        self.chicks[seat] += 1
        if self.options["chick_pays_schnapps"] and self.turn.rolled == [1, 1, 1]:
            # §4: any preset; three ones in one throw only
            self.side_forfeits[seat] += 1
        if self.options["forfeits"]:
            self.chick_for_forfeits(seat)
        elif self.phase == "rounds":
            self.out.add(seat)  # §4.1: out of the round; the others play on for the loser
            self.go_on_without_turn()
        else:
            self.chick_for_mats(seat)

    def chick_for_forfeits(self, seat):
        """§4.4.4: everyone else takes a forfeit in turn, the thrower starts the next round."""
        for other in self.to_the_left(self.still_in(), seat)[1:]:
            self.take_forfeit(other)
        self.close_round("chick", seat)
        self.after_round(seat)

    def chick_for_mats(self, seat):
        """§4.2: out and safe at once, their mats leave play; §4.3: the stock is cut.

        §4 `chick_stays`: merely safe in this round, and in phase 2 the round's reward is used up.
        """
        if self.options["chick_stays"]:
            self.out.add(seat)
            self.reward_used = self.phase == "playing_off"
            self.go_on_without_turn()
            return
        self.status[seat] = "safe"
        self.mats_out += self.mats[seat]
        self.mats[seat] = 0
        if self.phase == "playing_off":
            self.reward_used = True
        elif self.options["playing_off"] == "give":
            cut = min(self.stock, max(0, self.target() - sum(self.mats)))
            self.mats_out += self.stock - cut
            self.stock = cut
        if self.ends_for_few():
            return
        if self.phase == "dealing" and self.stock == 0:
            self.begin_playing_off()
        else:
            self.go_on_without_turn()

    def go_on_without_turn(self):
        """Whoever was on turn is out of the round (§4.1, §4.2) or gone (§5)."""
        if self.ends_with_one_alone():
            return
        if self.allowed is None:
            self.start_afresh(self.queue[0])
        else:
            self.next_turn()

    def ends_with_one_alone(self):
        """§4.1: a player who is left alone in the round has lost it."""
        alone = self.contenders()
        if len(alone) > 1:
            return False
        self.close_round("one_left", None, alone[0])
        if self.phase == "dealing":
            self.deal_mat(alone[0])
        elif self.phase == "playing_off":
            self.start_playing_off_round(alone[0])  # nobody is high
        else:
            self.lose_round(alone[0])
        return True


def stock_for(options, seats):
    """§4: n + 1, 2n − 1, 2n + 1 or a fixed number of mats; None without."""
    counts = {"n_plus_1": seats + 1, "two_n_minus_1": 2 * seats - 1, "two_n_plus_1": 2 * seats + 1}
    counts |= {"none": None, "fixed": options["mats_fixed"]}
    return counts[options["mats"]]
