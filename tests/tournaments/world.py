"""Tournaments for tests: a night with people, and what its host and its players do."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from games.models import Night, Player, Tournament
from games.services.nights import membership
from games.services.people import players
from games.services.tournaments import acts, formats, log, participants, tournaments
from games.services.tournaments.log import LogReading


class Evening:
    """A night of Hanna's with a tournament, and its people by name."""

    def __init__(self, *names: str, medium: str = "", kind: str = "open_end", length: int = 3, **more: Any) -> None:
        rules = more.pop("rules", {})
        own = ("alone_minutes", "late_minutes", "table_rules")
        minutes = {name: more.pop(name) for name in own if name in more}
        self.host = players.new_guest("Hanna")
        self.night: Night = membership.host_night(self.host, "Club night")
        self.people = {name: self.joined(name) for name in names}
        choice = formats.ChosenFormat(kind, length, 240, **more)
        draft = tournaments.TournamentDraft("Cup", "chouette", medium, choice, rules=rules, **minutes)
        self.tournament: Tournament = tournaments.make(self.night, self.host, draft)

    def joined(self, name: str) -> Player:
        """Return a new guest of the night."""
        player = players.new_guest(name)
        membership.join(self.night, player)
        return player

    def do(self, by: Player, act: str, **args: Any) -> None:
        """Carry out an act."""
        self.tournament.refresh_from_db()
        acts.carry_out(self.tournament, by, act, args)

    def enter(self, *, accepted: bool = True) -> None:
        """Enter everybody; they accept the rules."""
        self.do(self.host, "enter", players=[player.pk for player in self.people.values()])
        if accepted:
            self.enter_accepts()

    def enter_accepts(self) -> None:
        """Let everybody accept the rules."""
        for player in self.people.values():
            self.do(player, "accept", mark=participants.card(self.tournament).mark)

    def confirm(self) -> LogReading:
        """Confirm all that is proposed."""
        reading = self.read()
        self.do(self.host, "confirm", seen=len(reading.log), minute=reading.minute)
        return self.read()

    def begin(self) -> LogReading:
        """Enter everybody, start, and confirm the first matches."""
        self.enter()
        self.confirm()
        return self.confirm()

    def read(self) -> LogReading:
        """Return the tournament as it is now."""
        self.tournament.refresh_from_db()
        return log.read(self.tournament)

    def key(self, name: str) -> str:
        """Return the key of a person."""
        return self.tournament.participants.get(player=self.people[name]).key

    def player(self, key: str) -> Player:
        """Return the player of a key."""
        return self.tournament.participants.get(key=key).player

    def later(self, **span: int) -> None:
        """Let time pass for this tournament: all of it happened so much earlier."""
        earlier = timedelta(**span)
        self.tournament.refresh_from_db()
        self.tournament.created_at -= earlier
        for kind, at in self.tournament.countdowns.items():
            self.tournament.countdowns[kind] = (datetime.fromisoformat(at) - earlier).isoformat()
        self.tournament.save()
        for row in self.tournament.pairings.exclude(told={}):
            for said in row.told.values():
                said["at"] = (datetime.fromisoformat(said["at"]) - earlier).isoformat()
            row.save()

    def types(self) -> list[str]:
        """Return the types of the log's entries."""
        return [entry["type"] for entry in self.read().log]
