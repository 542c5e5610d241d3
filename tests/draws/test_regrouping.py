"""Tables for many that are split and joined: proposed, after the game that runs, at no cost, nobody lost or doubled."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import Night, Regrouping, Result, Table
from games.services.commands import Actor, Request, new_command_id
from games.services.draws import drawn_tables, regrouping
from games.services.draws.drawn_rounds import Limit
from games.services.draws.drawn_tables import DrawnRules, OpenedRound
from games.services.nights import membership
from games.services.people import players
from games.services.tables import log
from games.services.tables.commit import submit
from games.web.nights import page as night_page
from tests.conftest import answer, choices_at
from tests.draws.test_drawn_rounds import started
from tests.web.pages import browser_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sealed_dice")]
RULES = DrawnRules("chouette", "german")


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


class Club:
    """A night of Hanna's whose guests sit at chouettes in play."""

    def __init__(self, *sizes: int, free: int = 0) -> None:
        self.host = players.new_guest("Hanna")
        self.night: Night = membership.host_night(self.host, "Club night")
        self.guests = [players.new_guest(f"Guest {number}") for number in range(sum(sizes) + free)]
        for guest in self.guests:
            membership.join(self.night, guest)
        ids = iter(guest.pk for guest in self.guests)
        groups = [[next(ids) for _ in range(size)] for size in sizes]
        as_round = OpenedRound(max(sizes), "lot", Limit())
        opened = drawn_tables.open_together(self.night, self.host, RULES, groups, as_round=as_round)
        self.tables = [started(table, self.host) for table in opened]

    def table(self, at: int = 0) -> Table:
        return Table.objects.get(pk=self.tables[at].pk)

    def sits(self, table: Table) -> set[int]:
        """Return who sits at a table."""
        return set(table.seats.filter(player__isnull=False).values_list("player", flat=True))


def played(table: Table) -> Table:
    """Let the running game of a table end by a resignation."""
    games = table.results.count()
    for _ in range(60):
        table = Table.objects.get(pk=table.pk)
        if table.results.count() > games or table.status == Table.Status.FINISHED:
            return table
        choices = {choice.name: choice for choice in choices_at(table)}
        name = next(n for n in ("answer_resignation", "resign", "roll", "move", *choices) if n in choices)
        options = list(choices[name].options)
        answer(table, choices[name], next((i for i, each in enumerate(options) if each.get("accept")), 0))
    raise AssertionError("the game does not end")


def test_six_are_proposed_to_be_split_while_somebody_waits_and_no_table_has_room() -> None:
    assert regrouping.splits(Club(6).night) == []
    assert regrouping.splits(Club(6, 4, free=1).night) == []
    club = Club(6, free=1)
    (found,) = regrouping.splits(club.night)
    # The Box stays, and every second one of the line behind, the Captain first; the last one goes for a table of three.
    assert [each.goes for each in found.people] == [False, False, True, False, True, True]
    assert [each.seat for each in found.people] == list(log.state_of(club.table()).line)
    assert found.waiting == 1


def test_a_split_waits_for_the_end_of_the_game_and_then_nobody_has_paid_and_all_play_at_two_tables() -> None:
    club = Club(6, free=1)
    going = [each.player for each in regrouping.splits(club.night)[0].people if each.goes]
    regrouping.split(club.night, club.host, club.table().public_id, going)
    for _ in range(2):
        regrouping.run_due()
    assert set(going) <= club.sits(club.table())
    assert regrouping.splits(club.night) == []
    old = played(club.table())
    points = dict(Result.objects.get(table=old).lines.values_list("player", "points"))
    for _ in range(2):
        regrouping.run_due()
    row = Regrouping.objects.get()
    new = row.target
    assert new is not None and row.is_over
    assert club.sits(new) == set(going)
    assert club.sits(Table.objects.get(pk=old.pk)) == {guest.pk for guest in club.guests[:6]} - set(going)
    assert (new.status, new.options) == (Table.Status.PLAYING, old.options)
    assert dict(Result.objects.get(table=old).lines.values_list("player", "points")) == points
    assert new.drawn.round == old.drawn.round
    assert Table.objects.count() == 2


def test_between_two_games_a_split_is_done_at_once() -> None:
    club = Club(6, free=1)
    played(club.table())
    going = [each.player for each in regrouping.splits(club.night)[0].people if each.goes]
    regrouping.split(club.night, club.host, club.table().public_id, going)
    regrouping.run_due()
    new = Regrouping.objects.get().target
    assert new is not None and club.sits(new) == set(going)


def test_who_says_that_they_stay_after_all_does_not_go() -> None:
    club = Club(6, free=1)
    going = [each for each in regrouping.splits(club.night)[0].people if each.goes]
    regrouping.split(club.night, club.host, club.table().public_id, [each.player for each in going])
    regrouping.run_due()
    stays = going[0]
    staying = next(each for each in choices_at(club.table()) if each.name == "leave_after" and each.seat == stays.seat)
    assert staying.options == ({"on": False},)
    answer(club.table(), staying)
    old = played(club.table())
    regrouping.run_due()
    assert stays.player in club.sits(Table.objects.get(pk=old.pk))
    new = Regrouping.objects.get().target
    assert new is not None and club.sits(new) == {each.player for each in going[1:]}


def test_who_goes_home_before_is_seated_nowhere() -> None:
    club = Club(6, free=1)
    going = [each.player for each in regrouping.splits(club.night)[0].people if each.goes]
    regrouping.split(club.night, club.host, club.table().public_id, going)
    regrouping.run_due()
    played(club.table())
    membership.remove(club.night, club.host, going[0])
    regrouping.run_due()
    new = Regrouping.objects.get().target
    assert new is not None and club.sits(new) == set(going[1:])


def test_a_table_that_is_paused_is_left_alone_until_it_goes_on() -> None:
    club = Club(6, free=1)
    going = [each.player for each in regrouping.splits(club.night)[0].people if each.goes]
    submit(club.table().pk, Actor(club.host.pk), Request("table.pause", {}, new_command_id()))
    regrouping.split(club.night, club.host, club.table().public_id, going)
    regrouping.run_due()
    assert not Regrouping.objects.get().is_announced
    submit(club.table().pk, Actor(club.host.pk), Request("table.resume", {}, new_command_id()))
    regrouping.run_due()
    assert Regrouping.objects.get().is_announced


def small(club: Club, at: int) -> None:
    """Let all but two of a table leave."""
    for seat in club.table(at).seats.filter(player__isnull=False)[2:]:
        submit(club.table(at).pk, Actor(seat.player_id), Request("table.leave", {}, new_command_id()))


def test_two_tables_below_three_are_proposed_to_be_joined_and_play_on_as_one_with_their_acceptance() -> None:
    club = Club(3, 3)
    assert regrouping.joins(club.night) == []
    for at in (0, 1):
        played(club.table(at))
        small(club, at)
    (found,) = regrouping.joins(club.night)
    assert (found.source.pk, found.target.pk) == (club.tables[1].pk, club.tables[0].pk)
    four = club.sits(club.table(0)) | club.sits(club.table(1))
    regrouping.join(club.night, club.host, found.source.public_id, found.target.public_id)
    for _ in range(3):
        regrouping.run_due()
    assert club.sits(club.table(0)) == four
    assert club.table(0).seats.filter(player__isnull=False, accepted_at=None).count() == 0
    assert club.table(1).status == Table.Status.FINISHED
    assert len(log.state_of(club.table(0)).line) == 4


def test_what_cannot_be_is_refused_and_changes_nothing() -> None:
    club = Club(6, 6, free=1)
    table, other = club.table(0), club.table(1)
    people = [each.player for each in regrouping.splits(club.night)[0].people]
    with refused("not_host"):
        regrouping.split(club.night, club.guests[0], table.public_id, people[:3])
    for chosen, code in (
        ([], "nobody_named"),
        (people[:2], "bad_split"),
        (people[:4], "bad_split"),
        ([-1], "no_such_player"),
    ):
        with refused(code):
            regrouping.split(club.night, club.host, table.public_id, chosen)
    with refused("no_such_table"):
        regrouping.split(club.night, club.host, "nowhere", people[:3])
    with refused("bad_join"):
        regrouping.join(club.night, club.host, table.public_id, table.public_id)
    regrouping.split(club.night, club.host, table.public_id, people[:3])
    with refused("no_such_table"):
        regrouping.split(club.night, club.host, table.public_id, people[:3])
    with refused("no_such_table"):
        regrouping.join(club.night, club.host, other.public_id, table.public_id)
    assert Regrouping.objects.count() == 1


def test_a_host_brings_nobody_to_a_table_as_if_they_had_accepted_its_rules() -> None:
    club = Club(3, free=1)
    about = {"player": club.guests[-1].pk, "has_accepted": True, "adult": True}
    submit(club.table().pk, Actor(club.host.pk), Request("table.join", about, new_command_id()))
    assert club.table().seats.get(player=club.guests[-1]).accepted_at is None


def test_the_host_splits_a_table_on_the_nights_page_and_others_are_told() -> None:
    club = Club(6, free=1)
    page = reverse("night", args=[club.night.public_id])
    regroup = reverse("regroup", args=[club.night.public_id])
    table = club.table()
    proposed = browser_of(club.host).get(page).content.decode()
    assert f'id="split-{table.public_id}"' in proposed
    assert f'id="split-{table.public_id}"' not in browser_of(club.guests[0]).get(page).content.decode()
    going = [each.player for each in regrouping.splits(club.night)[0].people if each.goes]
    browser_of(club.guests[0]).post(regroup, {"table": table.public_id, "players": going})
    assert not Regrouping.objects.exists()
    browser_of(club.host).post(regroup, {"table": table.public_id, "players": going})
    assert Regrouping.objects.count() == 1
    assert "is split after the game that runs" in browser_of(club.guests[0]).get(page).content.decode()


def test_who_went_to_a_new_table_is_on_no_other_tables_card() -> None:
    club = Club(6, free=1)
    going = [each.player for each in regrouping.splits(club.night)[0].people if each.goes]
    regrouping.split(club.night, club.host, club.table().public_id, going)
    played(club.table())
    for _ in range(3):
        regrouping.run_due()
    for card in night_page.table_cards(club.night.tables.all(), club.host):
        at_table = {seat.player_id for seat in card["seats"]}
        assert len(at_table) == 3 and (at_table == set(going)) == (card["table"].pk != club.tables[0].pk)


# The API


def address(club: Club) -> str:
    return f"/api/v1/nights/{club.night.public_id}/regroupings/"


def test_programs_of_the_host_see_what_is_proposed_and_split_and_of_others_only_what_waits() -> None:
    club = Club(6, free=1)
    host, guest = browser_of(club.host), browser_of(club.guests[0])
    (found,) = host.get(address(club)).json()["splits"]
    assert guest.get(address(club)).json() == {"waiting": [], "splits": [], "joins": []}
    body = {"table": found["table"], "players": [each["player"] for each in found["people"] if each["goes"]]}
    asked = {"content_type": "application/json"}
    assert guest.post(address(club), body, **asked).json()["code"] == "not_host"
    assert host.post(address(club), body, **asked).json()["splits"] == []
    assert [each["target"] for each in guest.get(address(club)).json()["waiting"]] == [None]
    assert host.post(address(club), body, **asked).json()["code"] == "no_such_table", "it is being split already"


def test_programs_join_two_small_tables_and_are_told_what_is_wrong() -> None:
    club = Club(3, 3)
    for at in (0, 1):
        played(club.table(at))
        small(club, at)
    host, asked = browser_of(club.host), {"content_type": "application/json"}
    (found,) = host.get(address(club)).json()["joins"]
    wrong = [
        ({"table": found["table"]}, "nobody_named"),
        ({"table": "nothing", "players": [1]}, "no_such_table"),
        ({"table": found["table"], "players": [999_999]}, "no_such_player"),
        ({"table": found["table"], "players": [club.guests[0].pk], "target": found["target"]}, "bad_argument"),
        ({"table": found["table"], "target": found["table"]}, "bad_join"),
    ]
    for body, code in wrong:
        assert host.post(address(club), body, **asked).json()["code"] == code, body
    assert host.post(address(club), {}, **asked).status_code == 400
    assert Regrouping.objects.count() == 0
    told = host.post(address(club), {"table": found["table"], "target": found["target"]}, **asked).json()
    assert told["joins"] == [] and [each["target"] for each in told["waiting"]] == [found["target"]]
