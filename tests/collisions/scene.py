"""A night on which everything can happen to one person: what acts need is made when they first ask for it.

Every name is used once, so that a name that outlives its deletion is found by itself.
"""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from functools import cached_property

from django.contrib.auth.models import User

from games.models import DeviceMove, HistoryClaim, Membership, Night, Player, Result, Table, Tournament
from games.services.commands import new_command_id
from games.services.history import past_games
from games.services.history.past_games import PastGame, PastLine
from games.services.hosting import device_transfer, take_over
from games.services.nights import membership
from games.services.people import players
from games.services.tables import setup
from games.services.tournaments import acts, formats, participants, rights, tournaments
from tests.conftest import answer, choices_at

BIDS = 6
"""The bids of two players in a game of the quick preset."""


class Scene:
    """The person, a guest of the night; its host; Ben, another guest; an account that is a guest, too."""

    def __init__(self) -> None:
        host, self.ben, person = (self.newcomer() for _ in range(3))
        night = membership.host_night(host, "Thursday")
        self.night_id, self.host, self.person = night.pk, host, person
        for each in (person, self.ben):
            membership.join(night, each)

    def newcomer(self) -> Player:
        """Return a guest of no night."""
        return players.new_guest(f"Q{uuid.uuid4().hex[:12]}")

    # As a page reads them, before it calls a service.

    @property
    def night(self) -> Night:
        return Night.objects.get(pk=self.night_id)

    def row(self, player: Player) -> Player:
        return Player.objects.get(pk=player.pk)

    def table(self, table: Table) -> Table:
        return Table.objects.select_related("night").get(pk=table.pk)

    # What single acts need.

    @cached_property
    def staff(self) -> User:
        return User.objects.create_user(f"s{uuid.uuid4().hex[:12]}", is_staff=True)

    @cached_property
    def account(self) -> Player:
        player = self.newcomer()
        player.user = User.objects.create_user(f"u{uuid.uuid4().hex[:12]}")
        player.save()
        membership.join(self.night, player)
        return player

    @cached_property
    def new_user(self) -> User:
        return User.objects.create_user(f"u{uuid.uuid4().hex[:12]}")

    @cached_property
    def other_night(self) -> Night:
        return membership.host_night(self.newcomer(), "Friday")

    @cached_property
    def stranger(self) -> Player:
        """A guest who is at no night yet."""
        return self.newcomer()

    @cached_property
    def admission(self) -> None:
        """The person waits to be let in."""
        Membership.objects.filter(night=self.night_id, player=self.person).update(status=Membership.Status.WAITING)

    @cached_property
    def lobby(self) -> Table:
        """A table that has not begun; the host and Ben sit there."""
        return self._opened("endless", self.host, self.ben)

    @cached_property
    def persons_lobby(self) -> Table:
        """A table that has not begun, where the person sits as well."""
        return self._opened("endless", self.host, self.person)

    @property
    def persons_seat(self) -> str:
        """The id of the person's seat there; "" if it was freed."""
        seat = self.persons_lobby.seats.filter(player=self.person).first()
        return "" if seat is None else seat.seat_id

    @cached_property
    def absence(self) -> None:
        """The host has been away for an hour, and all others were there before."""
        hours = [datetime.now(UTC) - timedelta(hours=number) for number in (1, 2)]
        Night.objects.filter(pk=self.night_id).update(host_away_since=hours[0], host_seen_at=None)
        Membership.objects.filter(night=self.night_id).update(joined_at=hours[1])

    @cached_property
    def former_host(self) -> None:
        """The person was the host; the present one has taken over."""
        own, host = self.row(self.person), self.row(self.host)
        Night.objects.filter(pk=self.night_id).update(host=own)
        assert self.absence is None
        take_over.take_over(self.night, host)

    @cached_property
    def running(self) -> Table:
        """A table that takes newcomers; the host and Ben play."""
        return self._started("endless", self.host, self.ben)

    @cached_property
    def ending(self) -> Table:
        """A table of the host and the person where one answer is missing to the end."""
        return self._played(BIDS - 1)

    @cached_property
    def over(self) -> Table:
        """A table of the host and the person that is over."""
        return self._played(BIDS)

    @cached_property
    def result(self) -> Result:
        lines = [PastLine(self.host.pk, 0), PastLine(self.person.pk, 1)]
        return past_games.enter(self.night, self.row(self.host), PastGame("chicago", "bavarian", lines))

    @cached_property
    def claim(self) -> HistoryClaim:
        return HistoryClaim.objects.create(night=self.night, guest=self.person, account=self.account)

    @cached_property
    def move(self) -> tuple[DeviceMove, str]:
        """Another phone of the person, approved by the own one."""
        move, secret = device_transfer.request_move(self.night, self.person.pk)
        device_transfer.agree_myself(self.row(self.person), move.number)
        return move, secret

    @cached_property
    def cup(self) -> Tournament:
        """A tournament of the host, Ben and the person, which has begun; Ben directs it, too."""
        host, people = self.row(self.host), (self.host, self.ben, self.person)
        draft = tournaments.TournamentDraft("Cup", "chouette", "screen", formats.ChosenFormat("open_end", 1, 240))
        cup = tournaments.make(self.night, host, draft)
        acts.carry_out(cup, host, "name_director", {"player": self.ben.pk})
        acts.carry_out(cup, host, "enter", {"players": [player.pk for player in people]})
        for player in people:
            acts.carry_out(cup, self.row(player), "accept", {"mark": participants.card(cup).mark})
        acts.carry_out(cup, host, "confirm", {"seen": len(people), "minute": 0})
        return cup

    @cached_property
    def cup_match(self) -> Tournament:
        """The tournament with its first match at a table."""
        acts.carry_out(self.cup, self.row(self.host), "confirm", {"seen": 4, "minute": 0})
        return self.cup

    def present_cup(self) -> Tournament:
        """Return the tournament as a page reads it."""
        return rights.find(self.cup.public_id)

    def _played(self, bids: int) -> Table:
        table = self._started("quick", self.host, self.person)
        for _ in range(bids):
            answer(table, next(choice for choice in choices_at(table) if choice.required))
        return table

    def _opened(self, preset: str, *people: Player) -> Table:
        table = setup.open_table(self.night, self.row(self.host), "dummygame", preset, {})
        for player in people:
            setup.sit(table, self.row(player), accept=True)
        return table

    def _started(self, preset: str, *people: Player) -> Table:
        table = self._opened(preset, *people)
        setup.start(table, self.row(self.host), new_command_id())
        return table
