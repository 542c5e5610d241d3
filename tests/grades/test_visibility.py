"""Nobody reads another's grades but as `skill_shown` says: on pages, by the API, on a screen, in files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.models import ApiToken, GameGrades, Night, Player, ResultLine, Table
from games.services.grades import visibility
from games.services.nights import membership, tv_screens
from games.services.people import accounts, deletion, merging, players, tokens
from tests.secrecy import listeners
from tests.seeds import share_of_day
from tests.tables.test_log import play_out
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
OWN, TABLE, ALL = "own", "table", "all"
MARKS = ("ZZMARKZERO", "ZZMARKONE", "ZZMARKTWO")
"""What stands in the grades of each seat, and nowhere else."""


@dataclass
class World:
    """A finished table of three, graded; `olga` looks on, `else_` is at another night."""

    table: Table
    night: Night
    players: tuple[Player, ...]
    olga: Player
    else_: Player
    staff: Client

    def under(self, rule: str, *, status: str = Table.Status.FINISHED) -> None:
        """Let the table have a house rule, and a status."""
        self.table.options["skill_shown"] = rule
        self.table.status = status
        self.table.save(update_fields=["options", "status"])

    def viewers(self) -> dict[str, Client]:
        """Return everybody who can ask for the table."""
        who: dict[str, Player | None] = {f"seat {seat}": player for seat, player in enumerate(self.players)}
        who |= {"onlooker": self.olga, "elsewhere": self.else_, "screen": None}
        found = {name: listeners.browser(self.night, player) for name, player in who.items()}
        return {**found, "nobody": browser_of(), "staff": self.staff}


def grade(table: Table) -> None:
    """Grade the games of a table, each seat with its mark; all suggested the better play."""
    for result in table.results.filter(seq__isnull=False, is_correction=False):
        rows = [
            {"seq": result.seq, "seat": seat, "played": mark, "counts": True, "error": 0.1, "suggested": [0, 1, 2]}
            for seat, mark in enumerate(MARKS)
        ]
        GameGrades.objects.create(
            result=result, graded_at=datetime.now(UTC), engine="judge", level="deep", formula=1, rows=rows
        )


@pytest.fixture
def world(start_table: Callable[..., Table], make_player: Callable[[str], Player]) -> World:
    table = play_out(start_table("dummygame", seats=3))
    grade(table)
    olga, elsewhere = make_player("Olga"), make_player("Else")
    membership.join(table.night, olga)
    membership.host_night(elsewhere, "Elsewhere")
    sat = tuple(table.seats.get(index=index).player for index in range(3))
    chief = get_user_model().objects.create_user("chief", password="drei-wuerfel-im-becher", is_staff=True)
    accounts.own_player(chief, "Chief")
    token = tokens.create(chief, "Chief", ApiToken.Scope.READ)[1]
    return World(table, table.night, sat, olga, elsewhere, Client(headers={"Authorization": f"Bearer {token}"}))


def told(client: Client, world: World) -> str:
    """Return all that a browser is told of the table and its grades: pages, API, files, the page of a screen.

    Who has never opened the screen's link does not do so here: it would make a screen of them.
    """
    cache.clear()
    table, night = world.table.public_id, world.night.public_id
    api = f"/api/v1/tables/{table}"
    pages = [reverse(name, args=[table]) for name in ("table", "replay", "replay_frames", "dice_check", "table_log")]
    pages += [reverse("night", args=[night]), reverse("night_results", args=[night])]
    files = [reverse("table_file", args=[table, "grades.csv"]), reverse("night_file", args=[night, "night.zip"])]
    answers = [f"{api}/{part}" for part in ("", "grades/", "events/", "replay/", "files/grades.csv", "files/log.json")]
    screen = [reverse("tv", args=[night, world.night.token("tv")])] if tv_screens.COOKIE in client.cookies else []
    return "\n".join(listeners.body(client, path) for path in [*pages, *files, *answers, *screen])


def marks_in(text: str) -> set[int]:
    return {seat for seat, mark in enumerate(MARKS) if mark in text}


def expected(
    rule: str, viewer: str, *, is_over: bool, open_seats: Collection[int], listed: Collection[int]
) -> set[int]:
    """Return the seats whose grades a viewer sees, by the page of the rule, written out a second time."""
    own = {int(viewer[-1])} if viewer.startswith("seat") else set()
    if rule != OWN and viewer.startswith("seat"):
        return own | set(open_seats)
    if not is_over:
        return own
    shown = {
        TABLE: {"screen": set(open_seats)},
        ALL: {"screen": set(open_seats), "onlooker": set(open_seats), "staff": set(open_seats) & set(listed)},
    }
    return own | shown.get(rule, {}).get(viewer, set())


@pytest.mark.parametrize("rule", share_of_day([OWN, TABLE, ALL], 3))
def test_pages_api_screen_and_files_show_what_the_house_rule_says_and_no_more(world: World, rule: str) -> None:
    players.set_hides_grades(world.players[2], True)
    players.set_listed(world.players[1], True)
    world.under(rule)
    for name, client in world.viewers().items():
        wanted = expected(rule, name, is_over=True, open_seats={0, 1}, listed={1})
        assert marks_in(told(client, world)) == wanted, (rule, name)


def each_case() -> Iterator[tuple[str, str, bool]]:
    yield from product((OWN, TABLE, ALL), (Table.Status.FINISHED, Table.Status.PLAYING), (False, True))


def test_every_rule_before_and_after_the_end_with_and_without_hidden_grades(world: World) -> None:
    """By the API, which asks the same place as all others."""
    address = f"/api/v1/tables/{world.table.public_id}/grades/"
    for rule, status, is_hidden in each_case():
        players.set_hides_grades(world.players[1], is_hidden)
        world.under(rule, status=status)
        for name, client in world.viewers().items():
            cache.clear()
            shown = {0, 2} if is_hidden else {0, 1, 2}
            is_over = status == Table.Status.FINISHED
            wanted = expected(rule, name, is_over=is_over, open_seats=shown, listed=())
            text = client.get(address).content.decode()
            assert marks_in(text) == wanted, (rule, status, is_hidden, name)


def test_a_table_older_than_the_rule_shows_everybody_their_own(world: World) -> None:
    assert "skill_shown" not in world.table.options
    for seat, player in enumerate(world.players):
        text = browser_of(player).get(f"/api/v1/tables/{world.table.public_id}/grades/").content.decode()
        assert marks_in(text) == {seat}


def test_who_had_suggested_the_better_play_is_told_of_shown_seats_alone(world: World) -> None:
    players.set_hides_grades(world.players[2], True)
    world.under(TABLE)
    by = visibility.viewer(world.table, world.players[0])
    assert {tuple(row["suggested"]) for seen in visibility.games(world.table, by) for row in seen.rows} == {(0, 1)}


def test_the_luck_at_the_cubes_of_others_is_told_of_shown_seats_alone(world: World) -> None:
    for grades in GameGrades.objects.all():
        grades.rows = [{**row, "lucks": [[0, 0.25], [1, 0.125], [2, -0.375]]} for row in grades.rows]
        grades.save()
    players.set_hides_grades(world.players[2], True)
    for rule, seats in ((OWN, [0]), (TABLE, [0, 1])):
        world.under(rule)
        by = visibility.viewer(world.table, world.players[0])
        rows = [row for seen in visibility.games(world.table, by) for row in seen.rows]
        assert rows and all([seat for seat, _ in row["lucks"]] == seats for row in rows)
    assert "lucks" not in str(deletion.own_data(world.players[0])["grades"])


def test_own_data_hold_own_grades_whatever_is_shown(world: World) -> None:
    world.under(ALL)
    for seat, player in enumerate(world.players):
        assert marks_in(str(deletion.own_data(player)["grades"])) == {seat}
    assert marks_in(str(deletion.own_data(world.olga))) == set()


def test_a_removed_guest_reads_nothing_any_more(world: World) -> None:
    world.under(ALL)
    membership.remove(world.night, world.players[0], world.olga.pk)
    assert marks_in(told(listeners.browser(world.night, world.olga), world)) == set()


def test_grades_of_a_deleted_player_are_nobodys_and_a_merger_keeps_the_wish_to_hide(
    world: World, make_player: Callable[[str], Player]
) -> None:
    world.under(ALL)
    deletion.delete(world.players[1])
    players.set_hides_grades(world.players[2], True)
    target = make_player("Target")
    merging.merge(world.players[2], target)
    by = visibility.viewer(world.table, world.players[0])
    assert {row["seat"] for seen in visibility.games(world.table, by) for row in seen.rows} == {0}
    target.refresh_from_db()
    assert target.hides_grades
    own = visibility.games(world.table, visibility.viewer(world.table, target))
    assert 2 in {row["seat"] for seen in own for row in seen.rows}


def test_a_line_without_consent_is_shown_to_nobody_else(world: World) -> None:
    world.under(ALL)
    ResultLine.objects.filter(seat=1).update(consent=ResultLine.Consent.ASKED)
    by = visibility.viewer(world.table, world.players[0])
    assert {row["seat"] for seen in visibility.games(world.table, by) for row in seen.rows} == {0, 2}


def test_a_bot_has_no_wish_of_its_own(world: World) -> None:
    line = ResultLine.objects.filter(seat=1).first()
    assert line is not None
    line.is_bot, line.player = True, None
    stranger = replace(visibility.ELSEWHERE)
    for rule, sees in ((OWN, False), (TABLE, True), (ALL, True)):
        world.under(rule)
        assert visibility.may_see(world.table, line, visibility.viewer(world.table, world.players[0])) == sees
        assert not visibility.may_see(world.table, line, stranger)


def test_everybody_hides_and_shows_their_own_grades_on_their_page(world: World) -> None:
    kari = world.players[1]
    client, address = browser_of(kari), reverse("hide_grades")
    for posted, is_hidden in (({"hidden": "on"}, True), ({}, False)):
        assert client.post(address, posted).status_code == 302
        kari.refresh_from_db()
        assert kari.hides_grades == is_hidden
        page: Any = client.get(reverse("me")).content.decode()
        assert ('name="hidden" checked' in page) == is_hidden
    assert browser_of().post(address, {"hidden": "on"}).status_code == 403


def test_the_file_of_grades_has_a_row_for_each_choice_with_engine_and_name(world: World) -> None:
    client = listeners.browser(world.night, world.players[0])
    address = reverse("table_file", args=[world.table.public_id, "grades.csv"])
    head, first = client.get(address).getvalue().decode().splitlines()[:2]
    assert head.lstrip("\ufeff").split(",")[:4] == ["game", "name", "seq", "seat"]
    assert head.endswith("engine,level,is_deep,formula") and first.endswith("judge,deep,0,1")
    assert address in client.get(reverse("replay", args=[world.table.public_id])).content.decode()
    assert browser_of(world.olga).get(address).status_code == 404
