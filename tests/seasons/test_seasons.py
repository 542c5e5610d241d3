"""Seasons: which nights they have, what flows into their tables, who may change them, what stays when they close."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.kernel.contract import Illegal
from games.kernel.seasons.options import SEASON_RULES
from games.models import Entrant, Night, NightTally, Player, Season, Venue
from games.services.history import corrections, night_tallies
from games.services.nights import membership
from games.services.people import bans, deletion, merging
from games.services.seasons import entrants, played, season_nights, seasons, standing_cache, standings
from games.services.seasons.rights import reader_of
from games.services.tables import log
from tests.seasons.world import (
    FIRST,
    THURSDAYS,
    account,
    draft,
    evening,
    guests,
    make,
    night_of,
    play,
    set_rules,
    standing_of,
    totals,
)

pytestmark = pytest.mark.django_db


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


def past(season: Season, by: Player) -> list[Night]:
    return season_nights.past(season, by, season_nights.nights_of(season))


def days(season: Season) -> list[date]:
    return [placed.night.day for placed in season_nights.nights_of(season)]


# Which nights


def test_the_organisers_nights_between_its_days_are_in_a_season_by_themselves(olga: Player, season: Season) -> None:
    for day in (FIRST - timedelta(days=1), FIRST, THURSDAYS[-1], THURSDAYS[-1] + timedelta(days=1)):
        night_of(olga, day)
    night_of(account("Per"), THURSDAYS[1])
    assert days(season) == [FIRST, THURSDAYS[-1]]


def test_a_night_stays_in_the_season_when_somebody_else_becomes_its_host(olga: Player, season: Season) -> None:
    (per,) = guests("Per")
    night = night_of(olga, FIRST, per, close=False)
    membership.give_host(night, olga, per.pk)
    assert days(season) == [FIRST]


def test_at_a_venue_the_nights_of_its_named_hosts_are_in_the_season(olga: Player) -> None:
    per, kari = account("Per"), account("Kari")
    pub = Venue.objects.create(name="Golden Lamb")
    pub.hosts.set([olga.user, per.user])
    season = make(olga, venue=pub.public_id)
    for host in (per, kari):
        night = night_of(host, FIRST)
        night.venue = pub
        night.save()
    assert [placed.night.host for placed in season_nights.nights_of(season)] == [per]
    with refused("not_venue_host"):
        make(kari, venue=pub.public_id)


def test_a_night_is_attached_once_and_taken_out_by_the_organiser(olga: Player, season: Season) -> None:
    before = night_of(olga, FIRST - timedelta(days=30))
    season_nights.attach(season, olga, before)
    with refused("night_twice"):
        season_nights.attach(season, olga, before)
    season_nights.detach(season, olga, before)
    with refused("night_not_in"):
        season_nights.detach(season, olga, before)
    season_nights.attach(season, olga, before)
    assert days(season) == [before.day]
    assert [event.type for event in season.events.all()] == [
        "night_attached", "night_detached", "night_attached", "created",
    ]  # fmt: skip


def test_nobody_attaches_a_night_that_somebody_else_has_opened(olga: Player, season: Season) -> None:
    per = account("Per")
    theirs = night_of(per, FIRST)
    with refused("not_your_night"):
        season_nights.attach(season, olga, theirs)
    with refused("not_organiser"):
        season_nights.attach(season, per, theirs)


def test_two_nights_of_one_day_are_one_night_until_they_are_parted(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    first = evening(olga, FIRST, {anna: 3, bert: -3})
    second = evening(olga, FIRST, {anna: -1, bert: 1})
    season_nights.weigh(season, olga, second, 2)
    assert totals(season) == {"Anna": "4", "Bert": "-4"}
    season_nights.part(season, olga, second)
    assert totals(season) == {"Anna": "1", "Bert": "-1"}
    assert len(standing_of(season).columns) == 2
    season_nights.part(season, olga, second)
    assert len(standing_of(season).columns) == 1
    with refused("bad_weight"):
        season_nights.weigh(season, olga, first, 10)


# What counts


def test_only_the_games_unit_variants_and_media_of_the_season_count(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    night = evening(olga, FIRST, {anna: 3, bert: -3})
    play(night, {anna: 5, bert: -5}, preset="money")
    play(night, {anna: 1, bert: 0}, preset="classic", game="chicago")
    assert totals(season) == {"Anna": "8", "Bert": "-8"}
    seasons.change(season, olga, draft(presets=("money",)))
    assert totals(season) == {"Anna": "5", "Bert": "-5"}
    seasons.change(season, olga, draft(media=("wood",)))
    assert totals(season) == {}


def test_a_night_with_fewer_than_two_people_counts_for_nothing(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    evening(olga, FIRST, {anna: 3, bert: -3})
    seasons.set_rules(season, olga, "points", {**played.values_of(season), "who": "entrants"}, season.version)
    entrants.enter(season, anna)
    assert totals(season) == {}
    entrants.enter(season, bert)
    assert totals(season) == {"Anna": "3", "Bert": "-3"}


def test_who_is_banned_or_shown_the_door_keeps_place_and_points(olga: Player, season: Season) -> None:
    anna, bert, carl = guests("Anna", "Bert", "Carl")
    night = night_of(olga, FIRST, anna, bert, carl, close=False)
    play(night, {anna: 5, bert: -3, carl: -2})
    membership.remove(night, olga, carl.pk)
    bans.ban(anna, account("Boss").user, "cheated")
    assert totals(season) == {"Anna": "5", "Carl": "-2", "Bert": "-3"}


def test_bots_and_practice_count_for_nothing_and_a_stand_ins_points_are_the_leavers(
    olga: Player, season: Season
) -> None:
    anna, bert, carl = guests("Anna", "Bert", "Carl")
    night = night_of(olga, FIRST, anna, bert, carl)
    result = play(night, {anna: 5, bert: -3, carl: -2})
    result.lines.filter(player=carl).update(is_bot=True)
    call_command("rebuild_tallies")
    assert totals(season) == {"Anna": "5", "Bert": "-3"}, "a bot's line; Bert's is his, whoever played it for him"
    Night.objects.filter(pk=night.pk).update(is_practice=True)
    assert totals(season) == {}


def test_corrections_flow_in_and_one_alone_is_no_attendance(olga: Player, season: Season) -> None:
    anna, bert, carl = guests("Anna", "Bert", "Carl")
    night = night_of(olga, FIRST, anna, bert, carl)
    result = play(night, {anna: 3, bert: -3, carl: 0})
    corrections.correct(result, olga, {0: -1, 1: 1}, "counted wrongly")
    assert totals(season) == {"Anna": "2", "Carl": "0", "Bert": "-2"}
    NightTally.objects.filter(player=carl).update(played=0, points=2)
    table = standing_of(season)
    assert len(table.rows) == 2
    assert table.beside == ((carl.pk, FIRST.isoformat(), 2),)


def test_two_players_that_are_joined_are_one_row(olga: Player, season: Season) -> None:
    anna, karl, opa = guests("Anna", "Karl", "Opa Karl")
    evening(olga, THURSDAYS[0], {anna: 3, karl: -3})
    evening(olga, THURSDAYS[1], {anna: -2, opa: 2})
    for player in (karl, opa):
        entrants.enter(season, player)
    merging.merge(opa, karl)
    assert totals(season) == {"Anna": "1", "Karl": "-1"}
    assert Entrant.objects.filter(season=season).count() == 1
    assert list(NightTally.objects.filter(player=opa)) == []


def test_a_deleted_player_keeps_the_place_without_the_name(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    evening(olga, FIRST, {anna: 3, bert: -3})
    deletion.delete(anna)
    play(season_nights.nights_of(season)[0].night, {Player.objects.get(pk=anna.pk): 1, bert: -1})
    assert totals(season) == {"Deleted player": "4", "Bert": "-4"}


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_an_open_season_equals_a_recount_from_results(olga: Player, data: st.DataObject) -> None:
    with transaction.atomic():
        season, people = make(olga), guests("Anna", "Bert", "Carl")
        for day in THURSDAYS[:3]:
            night = night_of(olga, day, *people)
            for _ in range(data.draw(st.integers(0, 2))):
                points = data.draw(st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
                result = play(night, dict(zip(people, (*points, -sum(points)), strict=True)))
                if data.draw(st.booleans()):
                    corrections.correct(result, olga, {0: 2, 2: -2}, "again")
        if data.draw(st.booleans()):
            deletion.delete(people[1])
        if data.draw(st.booleans()):
            merging.merge(people[0], guests("Anna B")[0])
        kept = standing_of(season)
        night_tallies.rebuild()
        assert standing_of(season) == kept
        transaction.set_rollback(True)
    log.forget_all()


# Rules


def test_a_season_ends_on_the_day_it_begins_or_later(olga: Player) -> None:
    assert make(olga, last_day=FIRST).pk
    for wrong in (FIRST - timedelta(days=1), FIRST + timedelta(days=801)):
        with refused("season_days"):
            make(olga, last_day=wrong)


def test_nights_of_a_season_in_the_past_are_listed_and_put_in_by_ticks(olga: Player) -> None:
    """Nights that its organiser hosts, and those of its venue where they are named; nobody else's, none outside."""
    per, anna = account("Per"), guests("Anna")[0]
    venue = Venue.objects.create(name="Golden Lamb")
    venue.hosts.add(olga.user)
    taken_over = night_of(per, FIRST, olga, anna)
    Night.objects.filter(pk=taken_over.pk).update(host=olga)
    there = night_of(per, THURSDAYS[1], anna)
    elsewhere = night_of(per, THURSDAYS[2], olga)
    too_late = night_of(per, THURSDAYS[-1] + timedelta(days=7))
    Night.objects.filter(pk__in=[there.pk, too_late.pk]).update(venue=venue)
    own = night_of(olga, THURSDAYS[3], anna)
    season = make(olga, venue=venue.public_id)
    assert season_nights.is_in(season, own)
    assert past(season, olga) == [taken_over, there]
    assert past(season, per) == []
    with refused("not_your_night"):
        season_nights.attach_ticked(season, olga, [there.public_id, elsewhere.public_id])
    with refused("not_organiser"):
        season_nights.attach_ticked(season, per, [there.public_id])
    assert not season_nights.is_in(season, there)
    assert season_nights.attach_ticked(season, olga, [there.public_id, taken_over.public_id]) == 2
    assert [placed.night for placed in season_nights.nights_of(season)] == [taken_over, there, own]
    assert past(season, olga) == []
    assert season.events.filter(type="night_attached").count() == 2


def test_a_host_who_is_not_named_at_the_venue_is_offered_no_night_of_it(olga: Player) -> None:
    venue = Venue.objects.create(name="Golden Lamb")
    there = night_of(account("Per"), FIRST)
    Night.objects.filter(pk=there.pk).update(venue=venue)
    assert past(make(olga, venue=venue.public_id), olga) == []


def test_a_night_that_was_taken_out_comes_back_by_no_tick(olga: Player, season: Season) -> None:
    night = night_of(olga, FIRST)
    season_nights.detach(season, olga, night)
    assert past(season, olga) == []
    with refused("not_your_night"):
        season_nights.attach_ticked(season, olga, [night.public_id])


def test_where_fewer_is_better_who_stays_away_may_not_win(olga: Player) -> None:
    fewer = {"game_id": "chicago", "unit": "rounds"}
    with refused("season_absence"):
        make(olga, **fewer)
    season = make(olga, seasons.proposed_preset("chicago"), **fewer)
    with refused("season_absence"):
        set_rules(season, olga, worth="points")
    set_rules(season, olga, worth="points", count="best", best=3, least_nights=3)
    set_rules(season, olga, worth="points", count="without_worst", missed="value", missed_value=9)


def test_a_rule_changed_in_mid_season_counts_everything_anew_and_says_who_moved(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    evening(olga, THURSDAYS[0], {anna: 9, bert: -9})
    for day in THURSDAYS[1:3]:
        evening(olga, day, {anna: -1, bert: 1})
    before = standing_of(season)
    set_rules(season, olga, worth="won")
    assert totals(season) == {"Bert": "2", "Anna": "1"}
    assert [(m.before, m.after) for m in standings.moves(before, standing_of(season))] == [(2, 1), (1, 2)]
    with refused("season_changed"):
        seasons.set_rules(season, olga, "points", played.values_of(season), 1)
    assert [version.version for version in season.versions.all()] == [2, 1]


@pytest.mark.parametrize(
    "preset", [each.id for each in SEASON_RULES.presets if not played.is_by_matches(SEASON_RULES.values(each.id))]
)
def test_every_preset_of_points_makes_a_table(olga: Player, preset: str) -> None:
    season = make(olga, preset)
    anna, bert = guests("Anna", "Bert")
    for day in THURSDAYS[:3]:
        evening(olga, day, {anna: 4, bert: -4})
    assert next(iter(totals(season))) == "Anna"


# Rights


def test_who_has_no_account_makes_no_season(olga: Player) -> None:
    (anna,) = guests("Anna")
    with refused("no_account"):
        make(anna)


def test_only_organisers_change_a_season(olga: Player, season: Season) -> None:
    per = account("Per")
    night = night_of(olga, FIRST, per)
    acts = [
        lambda by: seasons.change(season, by, draft()),
        lambda by: set_rules(season, by, worth="won"),
        lambda by: season_nights.weigh(season, by, night, 2),
        lambda by: season_nights.detach(season, by, night),
        lambda by: seasons.set_stays_open(season, by, True),
        lambda by: seasons.name_second(season, by, per.pk),
        lambda by: seasons.close(season, by),
        lambda by: seasons.reopen(season, by),
    ]
    for act in acts:
        with refused("not_organiser"):
            act(per)
    seasons.name_second(season, olga, per.pk)
    for act in acts:
        act(per)


def test_a_season_is_deleted_while_nothing_was_played_and_archived_after(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    night_of(olga, FIRST)
    assert seasons.remove(make(olga), olga)
    evening(olga, FIRST, {anna: 3, bert: -3})
    assert not seasons.remove(season, olga)
    assert season.status == Season.Status.ARCHIVED


def test_an_organiser_who_is_deleted_hands_over_to_the_second_else_to_the_staff(olga: Player, season: Season) -> None:
    per = account("Per")
    night_of(olga, FIRST, per)
    seasons.name_second(season, olga, per.pk)
    deletion.delete(olga)
    season.refresh_from_db()
    assert (season.organiser, season.second, days(season)) == (per, None, [FIRST])
    deletion.delete(per)
    season.refresh_from_db()
    assert (season.organiser, days(season)) == (None, [FIRST])


def test_guests_see_whom_they_met_entrants_see_entrants_and_strangers_nothing(olga: Player, season: Season) -> None:
    anna, bert, carl, dora = guests("Anna", "Bert", "Carl", "Dora")
    nights = [evening(olga, THURSDAYS[0], {anna: 3, bert: -3}), evening(olga, THURSDAYS[1], {carl: 3, dora: -3})]

    def seen_by(player: Player | None) -> set[str]:
        reader = reader_of(season, player, nights)
        return {each.nickname for each in (anna, bert, carl, dora) if reader.may_read and reader.sees(each.pk)}

    assert seen_by(None) == seen_by(guests("Eve")[0]) == set()
    assert seen_by(anna) == {"Anna", "Bert"}
    assert seen_by(olga) == {"Anna", "Bert", "Carl", "Dora"}
    entrants.enter(season, carl)
    assert seen_by(anna) == {"Anna", "Bert"}
    entrants.enter(season, anna)
    assert seen_by(anna) == {"Anna", "Bert", "Carl"}
    Player.objects.filter(pk=dora.pk).update(is_listed=True)
    assert seen_by(anna) == {"Anna", "Bert", "Carl", "Dora"}
    entrants.leave(season, anna)
    assert seen_by(anna) == {"Anna", "Bert", "Dora"}
    with refused("not_in_season"):
        entrants.enter(season, guests("Fred")[0])


# The end


def test_a_closed_seasons_table_stands_and_says_that_a_correction_would_change_it(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    night = night_of(olga, FIRST, anna, bert)
    result = play(night, {anna: 3, bert: -3})
    seasons.close(season, olga)
    assert not standing_cache.is_outdated(season)
    corrections.correct(result, olga, {0: -9, 1: 9}, "counted wrongly")
    assert totals(season) == {"Anna": "3", "Bert": "-3"}
    assert standing_cache.is_outdated(season)
    with refused("season_closed"):
        season_nights.detach(season, olga, night)
    seasons.reopen(season, olga)
    assert totals(season) == {"Bert": "6", "Anna": "-6"}


def test_merging_and_deletion_go_through_a_frozen_table(olga: Player, season: Season) -> None:
    anna, bert, karl = guests("Anna", "Bert", "Karl")
    evening(olga, FIRST, {anna: 3, bert: -3})
    seasons.close(season, olga)
    merging.merge(bert, karl)
    deletion.delete(anna)
    assert totals(season) == {"Deleted player": "3", "Karl": "-3"}
    assert "Anna" not in json.dumps(season.frozen)


def test_a_season_closes_itself_two_weeks_after_its_last_day_unless_told_otherwise(olga: Player) -> None:
    ended, staying = make(olga), make(olga)
    seasons.set_stays_open(staying, olga, True)
    day = datetime(2026, 12, 17, 20, tzinfo=UTC)
    assert ended.last_day == day.date()
    assert seasons.days_left(ended, day.date() + timedelta(days=1)) == 13
    assert seasons.days_left(ended, day.date()) is seasons.days_left(staying, day.date() + timedelta(days=9)) is None
    assert seasons.close_due(day + timedelta(days=14)) == 0
    assert seasons.close_due(day + timedelta(days=15)) == 1
    for season in (ended, staying):
        season.refresh_from_db()
    assert (ended.status, staying.status) == ("closed", "open")


def test_points_of_staff_and_of_the_organiser_count_like_others(olga: Player, season: Season) -> None:
    boss = account("Boss")
    User.objects.filter(pk=boss.user_id).update(is_staff=True)
    evening(olga, FIRST, {olga: 1, boss: -1})
    assert totals(season) == {"Olga": "1", "Boss": "-1"}
