"""Entry fee and prizes of a tournament: who has paid is a tick, and the prizes are a list that is added up."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Participant, Player, Tournament
from games.services.arguments import Number, Short
from games.services.regions import written
from games.services.tournaments.log import LogReading
from games.services.tournaments.rights import ACTS, Amounts, TournamentRight

MOST = 1_000_000
"""The largest amount: whole coins, rounds or whatever the house plays for."""
MOST_PRIZES = 16


@dataclass(frozen=True, slots=True)
class PrizePot:
    """The pot of a tournament: what has been paid, and the prizes by place."""

    fee: int
    paid: int
    entered: int
    prizes: tuple[int, ...]

    @property
    def total(self) -> int:
        """The sum of the fees that have been paid."""
        return self.fee * self.paid

    @property
    def left(self) -> int:
        """The rest when all prizes are paid; below 0 where there is not enough."""
        return self.total - sum(self.prizes)

    @property
    def missing(self) -> int:
        """The amount that is missing for the prizes; 0 where enough has been paid."""
        return max(0, -self.left)


def pot(tournament: Tournament) -> PrizePot:
    """Return the pot as it is now."""
    paid = list(tournament.participants.values_list("is_paid", flat=True))
    return PrizePot(tournament.fee, sum(paid), len(paid), tuple(tournament.prizes))


@ACTS.act("prizes", TournamentRight.DIRECTOR, done=_("Saved."), label=_("Entry fee and prizes"), yes=_("Save"))
def plan(tournament: Tournament, _by: Player, prizes: Amounts, fee: Number = 0, waits: Short = "") -> None:
    """Set the fee, the prizes by place, and whether the start waits until all have paid; raises `bad_prizes`."""
    amounts = [fee, *prizes]
    if len(prizes) > MOST_PRIZES or not all(0 <= each <= MOST for each in amounts) or 0 in prizes:
        raise Illegal("bad_prizes", most=MOST, prizes=MOST_PRIZES)
    tournament.fee, tournament.prizes, tournament.waits_for_paid = fee, list(prizes), bool(waits)
    tournament.countdowns = {}
    tournament.save(update_fields=["fee", "prizes", "waits_for_paid", "countdowns"])


@ACTS.act("paid", TournamentRight.DIRECTOR, label=_("not paid"))
def tick(tournament: Tournament, _by: Player, who: Short) -> None:
    """Tick that a person has paid; raises `not_entered`."""
    _set(tournament, who, is_paid=True)


@ACTS.act("unpaid", TournamentRight.DIRECTOR, label=_("paid"))
def untick(tournament: Tournament, _by: Player, who: Short) -> None:
    """Take the tick back; raises `not_entered`."""
    _set(tournament, who, is_paid=False)


def _set(tournament: Tournament, key: str, *, is_paid: bool) -> None:
    if not tournament.participants.filter(key=key).update(is_paid=is_paid):
        raise Illegal("not_entered")


def unpaid(reading: LogReading) -> list[Participant]:
    """Return the people that the start waits for: those who have not paid and not withdrawn."""
    tournament = reading.tournament
    if not tournament.waits_for_paid:
        return []
    away = [row["player"] for row in reading.state["players"] if row["status"] == "withdrawn"]
    rows = tournament.participants.filter(is_paid=False).exclude(key__in=away)
    return list(rows.select_related("player"))


def check_paid(reading: LogReading) -> None:
    """Raise `not_paid` with the names of those who have not paid, while the start waits for them."""
    names = [str(row.player.displayed_name) for row in unpaid(reading)]
    if names:
        raise Illegal("not_paid", names=written.names(names))
