"""Invariants of a night under random acts: joining, leaving, playing, going silent; one evening of each kind a day."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from games import plugin
from games.kernel.contract import Choice, Illegal
from games.models import Player, Seat, Table
from games.services.clock import clock
from games.services.commands import Actor, Request, new_command_id
from games.services.hosting import kept_seats
from games.services.nights import without_phone
from games.services.tables import log, setup
from games.services.tables.commit import submit
from tests.conftest import choices_at
from tests.seeds import day, fix, share_of_day
from tests.tables.host.host_commands import FEW_CHECKERS, act, whole

pytestmark = pytest.mark.django_db


class Evening:
    """People who come, go, play and sleep at random; every answer of the house is known."""

    CODES = frozenset({
        *("paused", "seated", "table_full", "no_newcomers", "join_later", "taken_off"),
        *("seat_empty", "seat_gone", "not_seated", "bad_args", "not_open", "stale"),
        *("bids_are_out", "not_paused", "game_over", "not_between_games", "no_such_player"),
        *("accept_first", "not_accepted"),
    })  # fmt: skip

    def __init__(self, table: Table, guests: list[Player], seed: str) -> None:
        self.table, self.guests, self.rng = table, guests, random.Random(seed)
        self.host = table.night.host

    def step(self) -> None:
        """Let something happen."""
        self.table.refresh_from_db()
        try:
            self.rng.choice(self.deeds())()
        except Illegal as refusal:
            assert refusal.code in self.CODES, refusal

    def deeds(self) -> list[Callable[[], None]]:
        """Return what may happen, each as often as it is likely."""
        return [self.play, self.play, self.play, self.come_or_go, self.hosts]

    def play(self) -> None:
        """Answer something that is open, or let the clock."""
        open_now = [c for c in choices_at(self.table) if c.required or self.rng.random() < 0.1]
        mine = [c for c in open_now if self.table.seats.get(index=c.seat).player_id]
        if mine and self.rng.random() < 0.9:
            choice = self.rng.choice(mine)
            self.tell(choice, choice.options[self.rng.randrange(len(choice.options))])
        elif open_now:
            clock.act(Table.objects.get(pk=self.table.pk))
            self.table.refresh_from_db()  # a bot may just have ended the session
            if self.table.is_running:
                act(self.table, self.host, "play_on", seat=open_now[0].seat)

    def tell(self, choice: Choice, args: Any) -> None:
        """Answer a choice as the person of its seat."""
        self.send(self.table.seats.get(index=choice.seat).player_id, choice.name, args, choice.opened_at)

    def send(self, by: int, name: str, args: Any, basis: int | None = None, seat: int | None = None) -> None:
        submit(self.table.pk, Actor(by), Request(name, args, new_command_id(), basis, seat=seat))

    def come_or_go(self) -> None:
        name = self.rng.choice(["join", "join", "leave"])
        act(self.table, self.rng.choice([*self.guests, self.host]), name)

    def hosts(self) -> None:
        name = self.rng.choice(["kick", "substitute", "forfeit", "join", "pause", "resume", "resume"])
        args: dict[str, Any] = {"seat": self.rng.randrange(self.table.seats.count())}
        bot = {"bot": self.rng.choice(list(plugin.game(self.table.game_id).offered_levels))}
        somebody = {"player": self.rng.choice(self.guests).pk}
        if name in ("substitute", "join"):
            args = {**(args if name == "substitute" else {}), **self.rng.choice([bot, somebody])}
        act(self.table, self.host, name, **(args if name not in ("pause", "resume") else {}))
        invited = self.table.seats.filter(accepted_at=None).exclude(player=None).first()
        if invited is not None and self.rng.random() < 0.7:
            act(self.table, invited.player, "accept")


class SharedEvening(Evening):
    """The same with people without a phone: keepers, scorekeepers and hosts enter, wrongly at times, and take back."""

    CODES = Evening.CODES | {
        *("not_keeper", "no_phone", "not_host", "no_bots_here", "answers_first", "already_started"),
        *("dice_count", "dice_face", "dice_order", "result_throws", "nothing_to_take_back", "own_gain"),
        "before_house_dice",
    }
    WRONG = ({}, {"dice": [7]}, {"dice": [1, 6]}, {"result": "sum 999", "throws": 9}, {"cube": 99}, {"winner": "x"})

    def deeds(self) -> list[Callable[[], None]]:
        more = [self.play] * 6 + [self.brings, self.names_a_scorekeeper, self.goes_on_with_a_phone, self.takes_back]
        return [*super().deeds(), *more, self.states_a_result, self.enters_nonsense]

    def tell(self, choice: Choice, args: Any) -> None:
        """Answer as the person, who may enter for others, or somebody who may not."""
        seat = self.table.seats.get(index=choice.seat)
        entrusted = [self.host.pk, self.table.scorekeeper_id or self.host.pk, *self.keepers(seat)]
        by = self.rng.choice([*entrusted, *entrusted, self.rng.choice(self.guests).pk])
        if not self.keepers(seat) and self.rng.random() < 0.5:
            by = seat.player_id
        self.send(by, choice.name, args, choice.opened_at, choice.seat)

    def keepers(self, seat: Seat) -> list[int]:
        """Return who has brought the person of a seat, for whom no phone acts."""
        kept = without_phone.people(self.table.night).filter(player=seat.player_id)
        return [member.keeper_id for member in kept]

    def brings(self) -> None:
        """Seat somebody without a phone, on a new seat or an empty one; or let one of them leave."""
        by = self.rng.choice([self.host, self.host, *self.guests])
        kept = [seat for seat in self.table.seats.all() if self.keepers(seat)]
        if kept and self.rng.random() < 0.5:
            self.send(by.pk, "table.leave", {}, seat=self.rng.choice(kept).index)
            return
        empty = [seat.index for seat in self.table.seats.filter(player=None, bot_level="")]
        instead_of = self.rng.choice([None, *empty])
        kept_seats.seat_person(self.table, by, f"Kari {self.table.night.memberships.count()}", instead_of=instead_of)

    def names_a_scorekeeper(self) -> None:
        people = [*self.guests, *(seat.player for seat in self.table.seats.exclude(player=None))]
        act(self.table, self.rng.choice([self.host, self.host, self.guests[0]]), "scorekeeper",
            player=self.rng.choice(people).pk)  # fmt: skip

    def goes_on_with_a_phone(self) -> None:
        kept = [seat for seat in self.table.seats.all() if self.keepers(seat)]
        if kept and self.rng.random() < 0.3:
            kept_seats.got_phone(self.rng.choice(kept).player)

    def takes_back(self) -> None:
        """Take back what somebody told, as the host: what is open, or anything."""
        self.house("take_back", lambda args: args)

    def states_a_result(self) -> None:
        if self.rng.random() < 0.5:
            self.house("state_result", lambda args: {"result": args})

    def house(self, name: str, worded: Callable[[Any], Any]) -> None:
        """Use an act of the host that the game lists, with one of its arguments."""
        rules = plugin.game(self.table.game_id).rules
        listed = [c for c in rules.choices(log.state_of(self.table), None) if c.name == name]
        args = self.rng.choice(listed[0].options) if listed else {"seat": 0}
        act(self.table, self.host, name, **worded(args))

    def enters_nonsense(self) -> None:
        """Enter what cannot be: it is refused and nothing has changed."""
        choice = self.rng.choice([*choices_at(self.table), None])
        if choice is None:
            return
        before = self.table.seq
        with pytest.raises(Illegal) as refusal:
            self.send(self.host.pk, choice.name, {**self.rng.choice(self.WRONG), "more": 1}, choice.opened_at,
                      choice.seat)  # fmt: skip
        assert Table.objects.get(pk=self.table.pk).seq == before
        raise refusal.value


COMING = [
    (*table, leaving)
    for table in (("dummygame", "endless", 2, {}), ("chouette", "german", 3, {"start_position": FEW_CHECKERS}))
    for leaving in (plugin.LEAVING_AT_ONCE, plugin.LEAVING_BY_HOST)
]


@pytest.mark.parametrize(("game", "preset", "seats", "rules", "leaving"), share_of_day(COMING, 4))
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


SWITCHES = [
    ("dummygame", "endless", {"dice": "typed"}),
    ("chouette", "german", {"dice": "typed", "start_position": FEW_CHECKERS}),
    ("chouette", "wood", {}),
    ("chouette", "club", {"board": "wood", "max_players": 8}),
    ("chicago", "mats", {}),
    ("chicago", "bavarian", {"dice": "typed", "entry": "throws"}),
    ("chicago", "forfeits", {"dice": "typed", "entry": "result"}),
]


@pytest.mark.parametrize(("game", "preset", "rules"), share_of_day(SWITCHES, 7))
def test_an_evening_round_a_real_table_holds_together(
    open_table, host, guest, monkeypatch, game, preset, rules
) -> None:
    """Some have phones and some have none; what lies on the table is entered, wrongly at times, and taken back."""
    seed = f"{day()} {game} {preset} switches"
    fix(monkeypatch, seed)
    table = open_table(game, preset, seats=2, **rules)
    for name in ("Eva", "Ole")[: setup.seat_bounds(table)[1] - 2]:
        kept_seats.seat_person(table, host, name)
    setup.start(table, host, new_command_id())
    people_here = [s.player for s in table.seats.all() if s.index == 1]
    evening = SharedEvening(table, [*people_here, *(guest(f"Late {n}") for n in range(3))], seed)
    for number in range(120):
        table.refresh_from_db()
        if not table.is_running:
            break
        evening.step()
        if number % 40 == 39:
            sound(table)
    sound(table)


def sound(table: Table) -> None:
    """What must hold of a table, and of a backgammon sheet and line."""
    whole(table)
    if table.game_id != "chouette":
        return
    told = plugin.game(table.game_id).rules.view(log.state_of(table), None)
    assert all(sum(row["points"]) == 0 for row in told["sheet"])
    assert sum(told["totals"]) == 0
    assert len(set(told["line"])) == len(told["line"])
    assert {told["seats"][seat]["status"] for seat in told["line"]} <= {"in", "coming", "left", "played_on"}
