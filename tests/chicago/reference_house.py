"""A second reading of docs/rules-chicago.md §4.4 and §5: forfeits, breaches and the house."""

from __future__ import annotations

from tests.chicago import reference_model
from tests.chicago.reference_turn import TABLE_DECLARES, low_of


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

    def can_take_for(self):
        return self.offers and not self.breach

    def call_breach(self, seat, accused):
        voters = [s for s in self.still_in() if s not in (seat, accused)]
        self.breach = {"by": seat, "seat": accused, "voters": voters, "votes": {}}

    def vote_breach(self, seat, guilty):
        self.breach["votes"][seat] = guilty
        self.settle_breach()

    def settle_breach(self):
        """§4.4.7: a majority of the others; who called in vain calls no more in that round."""
        breach = self.breach
        if len(breach["votes"]) < len(breach["voters"]):
            return
        self.breach = None
        if sum(breach["votes"].values()) * 2 > len(breach["voters"]):
            self.take_forfeit(breach["seat"])
        else:
            self.silenced.add(breach["by"])

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
            if self.can_stand():
                self.stand(seat, TABLE_DECLARES if self.declares() else None)
            else:
                lying = tuple(turn.laid) if turn.takes_back() else ()
                self.throw_dice(seat, lying, turn.is_forced())

    def close(self):
        self.end_game([])

    def can_close(self):
        """§4.1: open-ended, and the host closes it between two rounds."""
        open_ended = self.phase == "rounds" and self.options["rounds"] == 0
        nothing_thrown = self.allowed is None and not self.turn.throws and not self.out
        return open_ended and nothing_thrown and self.breach is None

    def leave(self, seat):
        """§5: mats to the stock in phase 1, out of play in phase 2; §4.4.6: three forfeits."""
        if self.options["forfeits"] and self.options["leaving_forfeits"]:
            count = self.options["leaving_forfeits"]
            self.forfeits[seat] += count
            self.offers[seat] = (count, self.number + 1)
        self.status[seat] = "left"
        if self.phase == "dealing":
            self.stock += self.mats[seat]
        else:
            self.mats_out += self.mats[seat]
        self.mats[seat] = 0
        if len(self.still_in()) <= self.losers_due:
            # §5: nobody pays because others went home.
            self.end_game([seat] if self.stock is not None else [])
            return
        if self.refill_by == seat:
            self.refill_by = None
        self.drop_from_breach(seat)
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
        self.results = [r for r in self.results if r.seat != seat]
        if seat in self.queue:
            self.queue.remove(seat)
        alone = self.contenders()
        if len(alone) == 1:
            # §5: nobody pays because others went home; whoever is left starts the next.
            self.close_round("abandoned")
            self.after_round(alone[0])
        elif self.on_turn == seat:
            self.go_on_without_turn()
