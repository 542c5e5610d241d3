"""A second reading of docs/rules-chicago.md §4.4 and §5: forfeits, breaches and the house."""

from __future__ import annotations

from tests.chicago.reference import reference_model
from tests.chicago.reference.reference_model import stock_for
from tests.chicago.reference.reference_turn import TABLE_DECLARES, fixed_valuation, low_of


class Game(reference_model.Game):
    # §4.4 Forfeits

    def take_forfeit(self, seat, count=1):
        """§4.4.5: whoever took the last forfeit must refill."""
        self.forfeits[seat] += count
        if self.options["refill"]:
            self.refill_by = seat

    def refill(self, seat):
        self.refill_by = None

    def name_loser(self, seat, loser):
        """§4.4.3: the round ends there; as the low would, the loser takes a forfeit and starts."""
        self.close_round("named", None, loser)
        self.take_forfeit(loser)
        self.after_round(loser)

    def take_for(self, seat, leaver):
        """§4.4.6: another player may take them for the leaver."""
        count, _ = self.offers.pop(leaver)
        self.forfeits[leaver] -= count
        self.take_forfeit(seat, count)

    def can_take_for(self, seat):
        """Return whose forfeits `seat` may take: those of others."""
        return set() if self.breach else set(self.offers) - {seat}

    def call_breach(self, seat, accused, kind):
        voters = [s for s in self.still_in() if s not in (seat, accused)]
        self.breach = {"by": seat, "seat": accused, "kind": kind, "voters": voters, "votes": {}}

    def vote_breach(self, seat, guilty):
        self.breach["votes"][seat] = guilty
        self.settle_breach()

    def settle_breach(self):
        """§4.4.7: a majority of the others; who called in vain calls no more in that round."""
        breach = self.breach
        if len(breach["votes"]) < len(breach["voters"]):
            return
        self.breach = None
        guilty = breach["seat"]
        if sum(breach["votes"].values()) * 2 <= len(breach["voters"]):
            self.silenced.add(breach["by"])
            return
        self.take_forfeit(guilty)
        if breach["kind"] == "foreign_object" or self.on_turn == guilty:
            # §4.4.7: loses them the round, which ends there
            self.close_round("breach", None, guilty)
            self.after_round(guilty)

    def can_call(self, seat):
        """§4.4.7: there must be others to vote; play rests while they do."""
        allowed = self.options["forfeits"] and self.options["breaches"] and self.breach is None
        return allowed and seat not in self.silenced and len(self.still_in()) >= 3

    # §5 The house

    def awaited(self):
        """Whom the game waits for: the vote, then the refill and the naming, then the turn."""
        if self.breach:
            return {s for s in self.breach["voters"] if s not in self.breach["votes"]}
        found = {self.refill_by, self.on_turn if self.naming else None} - {None}
        return found or {self.on_turn}

    def timeout(self, seat):
        """§5: votes not guilty, refills, names the low or the namer, or throws and stands."""
        if self.breach:
            self.vote_breach(seat, False)
        elif self.refill_by == seat:
            self.refill(seat)
        elif self.naming:
            low = low_of(self.results)
            self.name_loser(seat, low.seat if low else seat)
        else:
            self.play_for_sleeper(seat)

    def play_for_sleeper(self, seat):
        turn = self.turn
        while self.turn is turn and not self.naming and self.phase != "over":
            if self.to_type():
                self.throw_typed(seat)
            elif self.can_stand():
                self.stand(seat, TABLE_DECLARES if self.declares() else None)
            else:
                lying = tuple(turn.laid) if turn.takes_back() else ()
                self.throw_dice(seat, lying, turn.is_forced())

    def close(self):
        self.end_game([])

    def nothing_thrown(self):
        """§4.1: between two rounds nobody has thrown yet."""
        return self.allowed is None and not self.turn.throws and not self.out

    def can_close(self):
        """§4.1: open-ended, and the host closes it between two rounds."""
        open_ended = self.phase == "rounds" and self.options["rounds"] == 0
        return open_ended and self.nothing_thrown() and self.breach is None

    # §5 Coming and going

    def present(self):
        return [s for s in self.seats if self.status[s] != "left"]

    def can_join(self):
        """§5: open-ended games; games of mats in phase 1 before the second mat is dealt."""
        if self.stock is None:
            open_now = self.phase == "rounds" and self.options["rounds"] == 0
        else:
            open_now = self.phase == "dealing" and sum(self.mats_taken) < 2
        if not open_now or len(self.present()) >= (8 if self.options["forfeits"] else 12):
            return set()
        return {s for s in self.seats if self.status[s] == "left"} | {len(self.seats)}

    def join(self, seat):
        """§5: between two rounds, at the end of the order; with mats at once. The tally stays."""
        if seat == len(self.seats):
            self.add_seat()
        self.vacant.discard(seat)
        if seat in self.ring or (self.stock is None and not self.nothing_thrown()):
            # §5: who has left this round is not in it twice.
            self.status[seat] = "coming"
            self.coming.append(seat)
            return
        self.status[seat] = "in"
        self.queue.append(seat)
        first = self.ring.index(self.starter)
        self.ring = self.ring[first:] + self.ring[:first] + [seat]

    def add_seat(self):
        if self.stock is not None:
            # §4: the number of mats follows from the number of players.
            count = len(self.seats)
            self.stock += stock_for(self.options, count + 1) - stock_for(self.options, count)
        self.seats = range(len(self.seats) + 1)
        self.status.append("coming")
        counts = (self.mats, self.mats_taken, self.forfeits, self.side_forfeits, self.paid, self.chicks, self.throws)
        for column in counts:
            column.append(0)

    def can_vacate(self):
        return set(self.still_in()) - self.vacant if self.price() else set()

    def price(self):
        return self.options["leaving_forfeits"] if self.options["forfeits"] else 0

    def vacate(self, seat):
        """§4.4.6: leaving costs three forfeits at once, whichever way somebody leaves."""
        self.pay_for_leaving(seat)
        self.vacant.add(seat)

    def occupy(self, seat):
        self.vacant.discard(seat)

    def pay_for_leaving(self, seat):
        count = self.price()
        if count and seat not in self.vacant:
            self.forfeits[seat] += count
            still = self.offers.get(seat, (0, 0))[0]
            self.offers[seat] = (count + still, self.number + 1)

    def leave(self, seat):
        """§5: mats to the stock in phase 1, out of play in phase 2; §4.4.6: three forfeits."""
        if self.status[seat] == "coming":
            self.status[seat] = "left"
            self.coming.remove(seat)
            return
        self.pay_for_leaving(seat)
        self.vacant.discard(seat)
        self.status[seat] = "left"
        if self.phase == "dealing":
            self.stock += self.mats[seat]
        else:
            self.mats_out += self.mats[seat]
        self.mats[seat] = 0
        few = self.losers_due() if self.stock is not None else 1
        if len(self.staying()) <= few:
            # §5: nobody pays because others went home.
            self.end_game([seat] if self.stock is not None else [])
            return
        if self.refill_by == seat:
            self.refill_by = None
        number = self.number
        self.drop_from_breach(seat)
        if self.number == number and self.phase != "over":
            self.drop_from_round(seat)

    def drop_from_breach(self, seat):
        if not self.breach:
            return
        if seat == self.breach["seat"]:
            self.breach = None
        elif seat in self.breach["voters"]:
            self.breach["voters"].remove(seat)
            self.breach["votes"].pop(seat, None)
            self.settle_breach()

    def drop_from_round(self, seat):
        """§5: neither high nor low; a starter who had not stood: the next starts afresh."""
        had_result = seat in [r.seat for r in self.results]
        self.results = [r for r in self.results if r.seat != seat]
        if seat in self.queue:
            self.queue.remove(seat)
        alone = self.contenders()
        if len(alone) == 1:
            # §5: nobody pays because others went home; whoever is left starts the next.
            self.close_round("abandoned")
            if self.phase == "playing_off":
                self.start_playing_off_round(alone[0])
            else:
                self.after_round(alone[0])
        elif self.on_turn == seat:
            self.go_on_without_turn()
        elif had_result:
            self.work_out_anew()

    def work_out_anew(self):
        """§3: announcement, number to beat and number of throws, without the leaver's result."""
        if self.results:
            self.starter, self.allowed = self.results[0].seat, self.results[0].throws
            self.turn.limit = max(self.allowed, self.turn.throws)
            self.announce(len(self.results) == 1)
        else:
            self.starter, self.allowed, self.announced = self.on_turn, None, None
            self.valuation = fixed_valuation(self.options)
            self.turn.limit = 3
