"""Whole evenings of people who come, go, play and sleep at random hold together: others each day."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games import plugin
from games.kernel.contract import Illegal
from games.models import Player, Table
from games.services.clock import clock
from games.services.tables import log
from tests.conftest import answer, choices_at
from tests.seeds import day, fix
from tests.tables.host_commands import FEW_CHECKERS, act, whole

pytestmark = pytest.mark.django_db


class Evening:
    """People who come, go, play and sleep at random; every answer of the house is known."""

    CODES = frozenset({
        *("paused", "seated", "table_full", "no_newcomers", "join_later", "taken_off"),
        *("seat_empty", "seat_gone", "not_seated", "bad_args", "not_open", "stale"),
        *("bids_are_out", "not_paused", "game_over", "not_between_games", "no_such_player"),
    })  # fmt: skip

    def __init__(self, table: Table, guests: list[Player], seed: str) -> None:
        self.table, self.guests, self.rng = table, guests, random.Random(seed)
        self.host = table.night.host

    def step(self) -> None:
        """Let something happen."""
        self.table.refresh_from_db()
        try:
            self.rng.choice([self.play, self.play, self.play, self.come_or_go, self.hosts])()
        except Illegal as refusal:
            assert refusal.code in self.CODES, refusal

    def play(self) -> None:
        """Answer something that is open, or let the clock."""
        open_now = [c for c in choices_at(self.table) if c.required or self.rng.random() < 0.1]
        mine = [c for c in open_now if self.table.seats.get(index=c.seat).player_id]
        if mine and self.rng.random() < 0.9:
            choice = self.rng.choice(mine)
            answer(self.table, choice, self.rng.randrange(len(choice.options)))
        elif open_now:
            clock.act(Table.objects.get(pk=self.table.pk))
            self.table.refresh_from_db()  # a bot may just have ended the session
            if self.table.is_running:
                act(self.table, self.host, "play_on", seat=open_now[0].seat)

    def come_or_go(self) -> None:
        name = self.rng.choice(["join", "join", "leave"])
        act(self.table, self.rng.choice([*self.guests, self.host]), name)

    def hosts(self) -> None:
        name = self.rng.choice(["kick", "substitute", "forfeit", "join", "pause", "resume", "resume"])
        args: dict[str, Any] = {"seat": self.rng.randrange(self.table.seats.count())}
        bot = {"bot": self.rng.choice(list(plugin.game(self.table.game_id).bot_levels))}
        somebody = {"player": self.rng.choice(self.guests).pk}
        if name in ("substitute", "join"):
            args = {**(args if name == "substitute" else {}), **self.rng.choice([bot, somebody])}
        act(self.table, self.host, name, **(args if name not in ("pause", "resume") else {}))


@pytest.mark.parametrize("leaving", [plugin.LEAVING_AT_ONCE, plugin.LEAVING_BY_HOST])
@pytest.mark.parametrize(
    ("game", "preset", "seats", "rules"),
    [("dummygame", "endless", 2, {}), ("chouette", "german", 3, {"start_position": FEW_CHECKERS})],
)
def test_an_evening_of_coming_and_going_holds_together(
    start_table, guest, monkeypatch, game, preset, seats, rules, leaving
) -> None:
    monkeypatch.setattr(type(plugin.game(game)), "leaving", leaving)
    seed = f"{day()} {game} {leaving}"
    fix(monkeypatch, seed)
    table = start_table(game, preset, seats=seats, **rules)
    people_here = [s.player for s in table.seats.all() if s.player != table.night.host]
    evening = Evening(table, [*people_here, *(guest(f"Late {n}") for n in range(4))], seed)
    for number in range(120):
        if not table.is_running:
            break
        evening.step()
        if number % 40 == 39:
            whole(table)
    whole(table)
    log.forget_all()
    Table.objects.filter(pk=table.pk).update(rules_version=0, state=None)
    whole(table)
