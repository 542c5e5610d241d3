"""Matches: a row for the end of each, seasons in which they count, and nights that another host lets in."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
from django.apps import apps
from django.db import connection
from django.urls import reverse

from games.kernel.contract import Illegal
from games.management import log_check
from games.models import Match, Night, Player, Season, SeasonRequest, Table
from games.services.clock import housekeeping
from games.services.commands import Actor, Request, new_command_id
from games.services.people import deletion, merging
from games.services.seasons import entrants, requests, season_matches, season_nights, seasons
from games.services.tables import log
from games.services.tables.commit import submit
from tests.conftest import answer, choices_at
from tests.seasons.test_pages import act, browser, page
from tests.seasons.world import FIRST, THURSDAYS, account, evening, guests, make, night_of, totals

pytestmark = pytest.mark.django_db


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


def give_up(table: Table) -> None:
    """Let a match end by a resignation that the other takes."""
    for _ in range(40):
        choices = {choice.name: choice for choice in choices_at(table)}
        table.refresh_from_db()
        if table.status == Table.Status.FINISHED:
            return
        name = next(n for n in ("answer_resignation", "resign", "roll", "move", *choices) if n in choices)
        options = list(choices[name].options)
        accept = next((i for i, each in enumerate(options) if each.get("accept")), 0)
        answer(table, choices[name], accept)


def won(night: Night, winner: Player, loser: Player, day: date | None = None) -> Match:
    """Write the end of a match at a night."""
    number = night.tables.count() + 1
    table = Table.objects.create(night=night, number=number, game_id="chouette", preset="match", status="finished")
    at = datetime.now(UTC)
    scores = {"winner_score": 5, "loser_score": 2, "length": 5}
    return Match.objects.create(table=table, seq=1, winner=winner, loser=loser, finished_at=at, **scores)


# The row


@pytest.mark.usefixtures("sealed_dice")
def test_the_end_of_a_match_is_a_row_that_its_log_proves(start_table: Callable[..., Table]) -> None:
    table = start_table("chouette", "match", match_length=1)
    give_up(table)
    match = Match.objects.get(table=table)
    assert (match.length, match.how, match.winner_score >= 1, match.loser_score) == (1, "played", True, 0)
    assert {match.winner, match.loser} == {seat.player for seat in table.seats.all()}
    assert match.winner == table.results.get().lines.get(rank=1).player
    table.refresh_from_db()
    assert log_check.faults(table) == []
    Match.objects.update(length=7)
    assert log_check.faults(table) == ["the match is not that of the log"]


@pytest.mark.usefixtures("sealed_dice")
def test_who_leaves_a_match_has_given_it_up(start_table: Callable[..., Table]) -> None:
    table = start_table("chouette", "match")
    stays, goes = (seat.player for seat in table.seats.all())
    submit(table.pk, Actor(goes.pk), Request("table.leave", {}, new_command_id()))
    match = Match.objects.get(table=table)
    assert (match.winner, match.loser, match.how) == (stays, goes, "given_up")


@pytest.mark.usefixtures("sealed_dice")
def test_a_match_that_is_broken_off_and_a_money_game_have_no_row(
    start_table: Callable[..., Table], host: Player
) -> None:
    for preset in ("match", "money"):
        table = start_table("chouette", preset)
        submit(table.pk, Actor(host.pk), Request("table.end", {}, new_command_id()))
    assert not Match.objects.exists()


@pytest.mark.usefixtures("sealed_dice")
def test_matches_of_before_get_their_rows_from_the_logs(start_table: Callable[..., Table]) -> None:
    played, left = (start_table("chouette", "match", match_length=1) for _ in range(2))
    give_up(played)
    goes = left.seats.get(index=1).player
    submit(left.pk, Actor(goes.pk), Request("table.leave", {}, new_command_id()))
    fields = ("table", "seq", "winner", "loser", "length", "winner_score", "loser_score", "how")
    before = list(Match.objects.order_by("table").values_list(*fields))
    Match.objects.all().delete()
    migration = importlib.import_module("games.migrations.0040_matches")
    migration.matches_from_logs(apps, connection.schema_editor())
    assert list(Match.objects.order_by("table").values_list(*fields)) == before


@pytest.mark.usefixtures("sealed_dice")
def test_a_match_that_ended_under_the_version_before_gets_its_row_when_this_one_starts(
    start_table: Callable[..., Table], host: Player
) -> None:
    played, left, off = (start_table("chouette", "match", match_length=1) for _ in range(3))
    give_up(played)
    goes = left.seats.get(index=1).player
    submit(left.pk, Actor(goes.pk), Request("table.leave", {}, new_command_id()))
    submit(off.pk, Actor(host.pk), Request("table.end", {}, new_command_id()))
    fields = ("table", "seq", "winner", "loser", "length", "winner_score", "loser_score", "how", "finished_at")
    before = list(Match.objects.order_by("table").values_list(*fields))
    Match.objects.all().delete()
    assert housekeeping.run(names=housekeeping.AFTER_UPGRADE)["matches"] == 2
    assert list(Match.objects.order_by("table").values_list(*fields)) == before
    assert housekeeping.run()["matches"] == 0


# In a season


def test_matches_count_by_their_stage_and_other_games_do_not(olga: Player) -> None:
    season = make(olga, "matches")
    anna, bert, carl = guests("Anna", "Bert", "Carl")
    night = evening(olga, FIRST, {anna: 9, bert: -9, carl: 0})
    won(night, bert, anna)
    final = won(night, carl, bert)
    assert totals(season) == {"Bert": "1", "Carl": "1", "Anna": "0"}
    season_matches.set_stage(season, olga, final.pk, "final")
    assert totals(season) == {"Carl": "3", "Bert": "3", "Anna": "0"}
    season_matches.set_stage(season, olga, final.pk, "")
    assert totals(season)["Carl"] == "1"


def test_keizer_gives_the_losers_value_and_parts_of_ones_own(olga: Player) -> None:
    season = make(olga, "keizer")
    anna, bert, carl, dora = people = guests("anna", "bert", "carl", "dora")
    first, second = (night_of(olga, day, *people) for day in THURSDAYS[:2])
    won(first, dora, anna)
    won(first, bert, carl)
    assert totals(season) == {"dora": "5", "bert": "3", "anna": "0", "carl": "0"}
    won(second, anna, bert)
    season_matches.give_notice(season, olga, second, dora.pk, "bye")
    season_matches.give_notice(season, olga, second, carl.pk, "absent")
    assert totals(season) == {"dora": "11/2", "anna": "4", "bert": "2", "carl": "2/3"}
    season_matches.give_notice(season, olga, second, carl.pk, "")
    assert totals(season)["carl"] == "0"


def test_where_entrants_count_a_match_with_somebody_else_counts_for_nobody(olga: Player) -> None:
    season = make(olga, "matches")
    anna, bert, carl = guests("Anna", "Bert", "Carl")
    night = night_of(olga, FIRST, anna, bert, carl)
    won(night, anna, bert)
    won(night, anna, carl)
    values = {**season.options, "who": "entrants"}
    seasons.set_rules(season, olga, "matches", values, season.version)
    for player in (anna, bert):
        entrants.enter(season, player)
    assert totals(season) == {"Anna": "1", "Bert": "0"}


def test_a_season_of_matches_needs_a_game_that_is_played_in_matches(olga: Player) -> None:
    with refused("season_matches"):
        make(olga, "matches", game_id="chicago", unit="rounds")


def test_rules_that_go_from_points_to_matches_tell_who_moved(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    night = evening(olga, FIRST, {anna: 9, bert: -9})
    won(night, bert, anna)
    seasons.set_rules(season, olga, "matches", {**season.options, "worth": "match"}, season.version)
    assert totals(season) == {"Bert": "1", "Anna": "0"}
    assert "The last change of the rules" in page(olga, season)


def test_stages_and_notices_are_given_by_organisers_of_the_season_alone(olga: Player) -> None:
    season, other = make(olga, "matches"), make(account("Per"), "matches")
    anna, bert = guests("Anna", "Bert")
    night = night_of(olga, FIRST, anna, bert)
    match = won(night, anna, bert)
    for by in (anna, other.organiser):
        with refused("not_organiser"):
            season_matches.set_stage(season, by, match.pk, "final")
        with refused("not_organiser"):
            season_matches.give_notice(season, by, night, bert.pk, "bye")
    with refused("no_such_match"):
        season_matches.set_stage(other, other.organiser, match.pk, "final")
    with refused("night_not_in"):
        season_matches.give_notice(other, other.organiser, night, bert.pk, "bye")
    for wrong in ("x" * 17, "a\u202eb"):
        with refused("bad_stage"):
            season_matches.set_stage(season, olga, match.pk, wrong)
    with refused("no_such_player"):
        season_matches.give_notice(season, olga, night, guests("Eve")[0].pk, "bye")
    with refused("no_such_notice"):
        season_matches.give_notice(season, olga, night, bert.pk, "free beer")
    assert totals(season) == {"Anna": "1", "Bert": "0"}


def test_the_page_of_a_season_of_matches_names_them_and_takes_stage_and_bye(olga: Player) -> None:
    season = make(olga, "matches")
    anna, bert, carl = guests("Anna", "Bert", "Carl")
    night = night_of(olga, FIRST, anna, bert, carl)
    match = won(night, anna, bert)
    act(olga, season, "stage", match=match.pk, stage="final")
    text = act(olga, season, "notice", night=night.public_id, player=carl.pk, kind="bye")
    assert all(part in text for part in ("Anna – Bert", "5:2", "final", "bye"))
    seen = page(carl, season)
    assert "Anna – Bert" in seen
    assert 'name="stage"' not in seen
    assert "Only an organiser" in act(anna, season, "stage", match=match.pk, stage="")
    assert "no such match" in act(olga, season, "stage", match="x", stage="final")


def test_a_merged_player_has_one_notice_a_night_and_the_matches_of_both(olga: Player) -> None:
    season = make(olga, "keizer")
    anna, bert, opa = guests("Anna", "Bert", "Opa")
    night = night_of(olga, FIRST, anna, bert, opa)
    for player in (bert, opa):
        season_matches.give_notice(season, olga, night, player.pk, "bye")
    won(night_of(olga, THURSDAYS[1], anna, opa), opa, anna)
    merging.merge(opa, bert)
    own = deletion.own_data(bert)
    assert ([row["won"] for row in own["matches"]], [row["kind"] for row in own["season_notices"]]) == ([True], ["bye"])
    assert season.notices.count() == 1
    assert Match.objects.get().winner == bert
    deletion.delete(bert)
    assert "Deleted player" in totals(season)


# Nights of other hosts


@pytest.fixture
def theirs(olga: Player) -> Night:
    """A night of Per's that Olga was at."""
    anna, bert = guests("Anna", "Bert")
    return evening(account("Per"), FIRST - timedelta(days=40), {anna: 3, bert: -3, olga: 0})


def test_a_night_of_another_host_comes_in_with_the_hosts_word(olga: Player, season: Season, theirs: Night) -> None:
    act(olga, season, "ask", night=theirs.public_id)
    (asked,) = requests.asked_of(theirs.host)
    listed = browser(theirs.host).get(reverse("seasons")).content.decode()
    assert season.name in listed
    assert totals(season) == {}
    browser(theirs.host).post(reverse("season_request", args=[asked.pk]), {"answer": "yes"})
    assert totals(season)["Anna"] == "3"
    assert not SeasonRequest.objects.exists()
    season_nights.detach(season, olga, theirs)
    assert totals(season) == {}


def test_a_host_who_says_no_is_asked_once(olga: Player, season: Season, theirs: Night) -> None:
    requests.ask(season, olga, theirs)
    with refused("asked_already"):
        requests.ask(season, olga, theirs)
    requests.answer(SeasonRequest.objects.get().pk, theirs.host, agrees=False)
    assert totals(season) == {}
    assert not requests.asked_of(theirs.host)
    with refused("asked_already"):
        requests.ask(season, olga, theirs)
    with refused("not_your_night"):
        season_nights.attach(season, olga, theirs)


def test_nobody_but_the_host_answers_and_nobody_asks_for_a_night_they_were_not_at(
    olga: Player, season: Season, theirs: Night
) -> None:
    eve = account("Eve")
    with refused("not_organiser"):
        requests.ask(season, eve, theirs)
    with refused("not_inside"):
        requests.ask(make(eve), eve, theirs)
    requests.ask(season, olga, theirs)
    asked = SeasonRequest.objects.get()
    for by in (olga, eve):
        with refused("no_question"):
            requests.answer(asked.pk, by, agrees=True)
        browser(by).post(reverse("season_request", args=[asked.pk]), {"answer": "yes"})
    for made_up in (asked.pk + 1, 10**30):
        address = reverse("season_request", args=[made_up])
        assert browser(theirs.host).post(address, {"answer": "yes"}, follow=True).status_code == 200
    assert totals(season) == {}
    seasons.close(season, olga)
    assert not requests.asked_of(theirs.host)


def test_a_host_whose_data_are_deleted_is_asked_no_more(olga: Player, season: Season, theirs: Night) -> None:
    requests.ask(season, olga, theirs)
    deletion.delete(theirs.host)
    assert not SeasonRequest.objects.exists()
    log.forget_all()
