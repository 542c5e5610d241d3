"""Series of evenings: their dates by a rule, changes, the season, who may what, and what stays when somebody goes."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from datetime import timezone as fixed_zone
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar, vDDDLists

from games.kernel.contract import Illegal
from games.models import Answer, Night, Player, Season, Series, SeriesDate, Venue
from games.models.night import today
from games.services.calendar import all_series, answers, dates, feeds
from games.services.calendar.answers import Said
from games.services.nights import membership
from games.services.people import deletion, merging
from games.services.seasons import season_nights
from tests.calendar.conftest import draft
from tests.seasons.world import account, guests

pytestmark = pytest.mark.django_db
YES, NO = Said("yes"), Said("no")


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


def first_days(series: Series, count: int = 4) -> list[date]:
    return list(islice(all_series.recurring_days(series, series.first_day), count))


# The rule


@given(
    first=st.dates(date(2000, 1, 1), date(2080, 1, 1)),
    weekday=st.integers(0, 6),
    repeat=st.sampled_from(Series.Repeat.values),
)
def test_days_by_the_rule_are_those_of_a_naive_search(first: date, weekday: int, repeat: str) -> None:
    series = Series(first_day=first, weekday=weekday, repeat=repeat, start=time(19), last_day=None)
    nth = {"first": 0, "second": 1, "third": 2, "fourth": 3}
    found, day, monday = [], first, first - timedelta(days=first.weekday())
    while len(found) < 4:
        is_last = (day + timedelta(days=7)).month != day.month
        weeks = (day - monday).days // 7
        fits = {"weekly": True, "fortnightly": weeks % 2 == 0, "last": is_last}.get(repeat)
        if day.weekday() == weekday and (nth.get(repeat) == (day.day - 1) // 7 if fits is None else fits):
            found.append(day)
        day += timedelta(days=1)
    assert first_days(series) == found


@pytest.mark.parametrize("name", ["Europe/Berlin", "America/New_York", "Australia/Sydney"])
def test_clocks_that_change_move_no_evening(name: str) -> None:
    with timezone.override(ZoneInfo(name)):
        series = Series(first_day=date(2026, 1, 1), weekday=3, start=time(19, 30), name="Club")
        rows = [SeriesDate(series=series, day=day, start=series.start, minutes=240) for day in first_days(series, 53)]
        assert {f"{row.starts_at:%A %H:%M}" for row in rows} == {"Thursday 19:30"}
        assert {row.ends_at.astimezone(UTC) - row.starts_at.astimezone(UTC) for row in rows} == {timedelta(hours=4)}


def test_the_next_ten_dates_are_planned_and_the_clock_plans_on(club: Series) -> None:
    assert [each.day for each in club.dates.all()] == first_days(club, 10)
    club.dates.order_by("day").first().delete()
    assert all_series.plan_all(timezone.now()) == 1
    assert all_series.plan_all(timezone.now()) == 0


def test_a_series_with_a_last_day_has_no_date_after_it(olga: Player) -> None:
    last = today() + timedelta(days=20)
    club = all_series.create(olga, draft(last_day=last))
    assert club.dates.count() == 3
    assert club.dates.last().day <= last


# Made and changed


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"name": " "}, "series_name"),
        ({"name": "a\u202eb"}, "series_name"),
        ({"place": "x" * 121}, "series_place"),
        ({"repeat": "hourly"}, "series_repeat"),
        ({"weekday": 7}, "series_repeat"),
        ({"minutes": 5}, "series_time"),
        ({"size": 21}, "series_size"),
        ({"last_day": date(2000, 1, 1)}, "series_days"),
        ({"game_id": "poker"}, "no_such_game"),
        ({"venue": "nowhere"}, "no_such_venue"),
        ({"counts": "poker:chips"}, "no_such_game"),
        ({"counts": "chouette:chips"}, "no_such_unit"),
    ],
)
def test_a_wrong_value_is_refused_and_nothing_is_made(olga: Player, wrong: dict[str, object], code: str) -> None:
    with refused(code):
        all_series.create(olga, draft(**wrong))
    assert not Series.objects.exists()
    assert not Season.objects.exists()


def test_only_accounts_make_a_series_and_at_a_venue_its_named_hosts(olga: Player) -> None:
    (anna,) = guests("Anna")
    with refused("no_account"):
        all_series.create(anna, draft())
    pub = Venue.objects.create(name="Golden Lamb")
    pub.hosts.set([account("Per").user])
    with refused("not_venue_host"):
        all_series.create(olga, draft(venue=pub.public_id))


def test_a_series_with_a_season_lets_the_nights_of_its_dates_count_and_no_others(olga: Player) -> None:
    club = all_series.create(olga, draft(first_day=today(), weekday=today().weekday(), counts="chouette:points"))
    season = club.seasons.get()
    assert season is not None
    assert (season.name, season.first_day) == ("Club", today())
    other = membership.host_night(olga, "Something else")
    night = dates.open_night(club.dates.first(), olga, "10.0.0.1")
    assert [placed.night for placed in season_nights.nights_of(season)] == [night]
    assert not season_nights.is_in(season, other)


def test_dates_to_come_follow_a_change_and_those_with_a_time_of_their_own_do_not(olga: Player, club: Series) -> None:
    first, second, third = club.dates.all()[:3]
    dates.move(second, olga, second.day, time(18), "")
    answers.answer_by_name(third, "Anna", YES)
    all_series.change(club, olga, draft(start=time(20), place="Back room"))
    for each in (first, second, third):
        each.refresh_from_db()
    assert (first.start, first.place, first.changes) == (time(20), "Back room", 1)
    assert (second.start, second.place) == (time(18), "Back room")
    assert Answer.objects.count() == 1


def test_a_change_of_the_day_drops_empty_dates_and_cancels_those_that_were_answered(olga: Player, club: Series) -> None:
    first, second = club.dates.all()[:2]
    answers.answer_by_name(second, "Anna", YES)
    all_series.change(club, olga, draft(weekday=(club.weekday + 1) % 7))
    assert not SeriesDate.objects.filter(pk=first.pk).exists()
    second.refresh_from_db()
    assert second.is_cancelled
    assert club.dates.filter(is_cancelled=False).count() == 10


def test_dates_are_cancelled_restored_moved_and_added(olga: Player, club: Series, date: SeriesDate) -> None:
    dates.cancel(date, olga)
    dates.cancel(date, olga)
    assert (date.is_cancelled, date.changes) == (True, 1)
    with refused("date_cancelled"):
        answers.answer_by_name(date, "Anna", YES)
    dates.restore(date, olga)
    dates.move(date, olga, date.day + timedelta(days=1), time(18), "Hut")
    assert (date.planned, date.day, date.changes) == (date.planned, date.planned + timedelta(days=1), 3)
    added = dates.add(club, olga, today() + timedelta(days=3))
    assert added.start == time(19, 30)
    with refused("date_twice"):
        dates.add(club, olga, added.day)
    with refused("series_days"):
        dates.add(club, olga, today() - timedelta(days=1))
    with refused("bad_places"):
        dates.set_places(date, olga, 501)


def test_only_organisers_change_a_series_and_its_dates(olga: Player, club: Series, date: SeriesDate) -> None:
    per, eve = account("Per"), account("Eve")
    all_series.create(eve, draft(name="Another"))
    acts = [
        lambda by: all_series.change(club, by, draft()),
        lambda by: all_series.renew_feed(club, by),
        lambda by: dates.add(club, by, today() + timedelta(days=3)),
        lambda by: dates.set_places(date, by, 8),
        lambda by: dates.set_accounts_only(date, by, False),
        lambda by: dates.move(date, by, date.day, date.start, "Hut"),
        lambda by: answers.mark(date, by, "Opa Karl", YES),
        lambda by: dates.cancel(date, by),
        lambda by: dates.restore(date, by),
        lambda by: all_series.end(club, by),
    ]
    for act in acts:
        with refused("not_series_organiser"):
            act(eve)
    Series.objects.filter(pk=club.pk).update(second=per)
    club.refresh_from_db()
    for act in acts:
        act(per)
    with refused("series_ended"):
        acts[0](olga)


def test_the_night_of_a_date_is_opened_once_on_its_day(olga: Player) -> None:
    club = all_series.create(olga, draft(first_day=today(), weekday=today().weekday()))
    date, tomorrow = club.dates.all()[:2]
    with refused("date_not_today"):
        dates.open_night(tomorrow, olga, "10.0.0.1")
    night = dates.open_night(date, olga, "10.0.0.1")
    assert (night.host, night.name) == (olga, "Club")
    assert dates.open_night(SeriesDate.objects.get(pk=date.pk), olga, "10.0.0.1") == night
    assert Night.objects.count() == 1
    with refused("date_has_night"):
        dates.cancel(date, olga)
    assert dates.following(night) == tomorrow


def test_a_night_closed_by_mistake_and_the_next_one_of_its_date_are_one_night_of_the_season(olga: Player) -> None:
    club = all_series.create(olga, draft(first_day=today(), weekday=today().weekday(), counts="chouette:points"))
    first = dates.open_night(club.dates.first(), olga, "10.0.0.1")
    membership.close(first, olga)
    second = dates.open_night(club.dates.first(), olga, "10.0.0.1")
    assert second != first
    placed = season_nights.nights_of(club.seasons.get())
    assert {each.night for each in placed} == {first, second}
    assert len({each.key for each in placed}) == 1


def test_an_ended_series_says_so_for_a_month_and_is_then_deleted(olga: Player, club: Series) -> None:
    all_series.end(club, olga)
    assert set(club.dates.values_list("is_cancelled", flat=True)) == {True}
    assert all_series.delete_ended(timezone.now() + timedelta(days=29)) == 0
    assert all_series.delete_ended(timezone.now() + timedelta(days=31)) == 1


# Answers


def test_people_who_come_along_count_and_maybe_does_not(date: SeriesDate) -> None:
    answers.answer_by_name(date, "Anna", Said("yes", 2, "with my sisters"))
    answers.answer_by_name(date, "Bert", Said("maybe"))
    answers.answer_by_name(date, "Carl", NO)
    found = answers.coming(date)
    assert (found.people, found.missing) == (3, 2)
    assert [len(part) for part in (found.yes, found.waiting, found.maybe, found.no)] == [1, 0, 1, 1]


def test_where_places_are_few_a_yes_waits_and_moves_up_when_somebody_goes(olga: Player, date: SeriesDate) -> None:
    dates.set_places(date, olga, 3)
    _, anna = answers.answer_by_name(date, "Anna", Said("yes", 1))
    answers.answer_by_name(date, "Bert", Said("yes", 1))
    _, carl = answers.answer_by_name(date, "Carl", YES)
    found = answers.coming(date)
    assert ([row.name for row in found.yes], [row.name for row in found.waiting]) == (["Anna"], ["Bert", "Carl"])
    answers.answer_by_name(date, "Anna", NO, anna)
    assert [row.name for row in answers.coming(date).yes] == ["Bert", "Carl"]
    answers.answer_by_name(date, "Carl", Said("yes", 1), carl)
    assert [row.name for row in answers.coming(date).waiting] == ["Carl"]
    answers.answer_by_name(date, "Anna", YES, anna)
    assert [row.name for row in answers.coming(date).yes + answers.coming(date).waiting] == ["Bert", "Carl", "Anna"]


def test_an_answer_is_changed_by_its_secret_and_by_nobody_elses(date: SeriesDate) -> None:
    anna, secret = answers.answer_by_name(date, "Anna", YES)
    assert len(secret) == 22
    assert secret not in (anna.secret_hash, anna.name)
    answers.answer_by_name(date, "Anna", NO, secret)
    with refused("name_answered"):
        answers.answer_by_name(date, "anna", YES, "x" * 22)
    with refused("name_answered"):
        answers.answer_by_name(date, "Anna", YES, "")
    other = SeriesDate.objects.exclude(pk=date.pk).first()
    assert answers.of_secret(other, secret) is None
    assert [row.says for row in date.answers.all()] == ["no"]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (Said("perhaps"), "bad_answer"),
        (Said("yes", -1), "bad_extra"),
        (Said("yes", 10), "bad_extra"),
        (Said("yes", 0, "x" * 81), "long_word"),
        (Said("yes", 0, "a\u202eb"), "long_word"),
    ],
)
def test_a_bad_answer_is_refused(date: SeriesDate, said: Said, code: str) -> None:
    (anna,) = guests("Anna")
    for answer in (lambda: answers.answer_by_name(date, "Anna", said), lambda: answers.answer(date, anna, said)):
        with refused(code):
            answer()
    assert not date.answers.exists()


def test_a_date_that_is_over_takes_no_answer_and_one_has_two_hundred(date: SeriesDate) -> None:
    rows = [Answer(date=date, name=f"Guest {n}", says="maybe", secret_hash=str(n)) for n in range(200)]
    Answer.objects.bulk_create(rows)
    with refused("too_many_answers"):
        answers.answer_by_name(date, "Anna", YES)
    date.day = today() - timedelta(days=1)
    date.save()
    with refused("date_over"):
        answers.answer(date, guests("Bert")[0], YES)


def test_a_list_for_people_whom_the_house_knows_takes_no_mere_name(olga: Player, date: SeriesDate) -> None:
    _, secret = answers.answer_by_name(date, "Anna", YES)
    dates.set_accounts_only(date, olga, True)
    with refused("accounts_only"):
        answers.answer_by_name(date, "Bert", YES)
    answers.answer_by_name(date, "Anna", NO, secret)
    answers.answer(date, guests("Carl")[0], YES)


def test_who_joins_on_the_device_of_an_answer_is_that_person(date: SeriesDate) -> None:
    anna, bert = guests("Anna", "Bert")
    _, secret = answers.answer_by_name(date, "Ann", Said("yes", 1))
    answers.take(date, "wrong", anna)
    answers.take(date, secret, anna)
    own = answers.of_player(date, anna)
    assert (own.name, own.extra, own.secret_hash) == ("", 1, "")
    answers.take(date, secret, bert)
    assert answers.of_player(date, bert) is None


def test_organisers_delete_answers_and_others_their_own_alone(olga: Player, date: SeriesDate) -> None:
    anna, bert = guests("Anna", "Bert")
    mine, theirs = answers.answer(date, anna, YES), answers.answer(date, bert, YES)
    with refused("not_series_organiser"):
        answers.delete(date, anna, theirs.pk)
    with refused("no_such_answer"):
        answers.delete(date, olga, 10**9)
    other = SeriesDate.objects.exclude(pk=date.pk).first()
    with refused("no_such_answer"):
        answers.delete(other, olga, theirs.pk)
    answers.delete(date, anna, mine.pk)
    answers.delete(date, olga, theirs.pk)
    assert not date.answers.exists()


def test_after_a_month_names_words_and_links_are_gone_and_counts_stay(date: SeriesDate) -> None:
    (carl,) = guests("Carl")
    answers.answer_by_name(date, "Anna", Said("yes", 1, "late"))
    answers.answer(date, carl, YES)
    later = datetime.combine(date.day, time(), UTC) + timedelta(days=32)
    assert answers.forget_names(later - timedelta(days=3)) == 0
    assert answers.forget_names(later) == 2
    rows = list(date.answers.values_list("name", "word", "secret_hash", "player", "extra"))
    assert rows == [("", "", "", None, 1), ("", "", "", None, 0)]
    assert answers.coming(date).people == 3


def test_merging_deletion_and_own_data_reach_answers_and_series(olga: Player, club: Series, date: SeriesDate) -> None:
    anna, bert = guests("Anna", "Bert")
    answers.answer(date, anna, Said("yes", 0, "late"))
    answers.answer(date, bert, NO)
    merging.merge(anna, bert)
    assert [row.player for row in date.answers.all()] == [bert]
    assert deletion.own_data(bert)["answers"][0]["says"] == "no"
    deletion.delete(bert)
    assert not date.answers.exists()
    per = account("Per")
    Series.objects.update(second=per)
    deletion.delete(olga)
    club.refresh_from_db()
    assert (club.organiser, club.second) == (per, None)


# Calendars


def events(body: bytes) -> dict[str, object]:
    return {str(event["uid"]): event for event in Calendar.from_ical(body).walk("VEVENT")}


def test_a_feed_is_read_strictly_and_keeps_its_ids_over_changes(olga: Player, club: Series, date: SeriesDate) -> None:
    answers.answer_by_name(date, "Anna", Said("yes", 1))
    rows = list(feeds.dates_of(club))
    before, mark = feeds.calendar(rows, lambda each: f"http://house/{each.planned}"), feeds.mark(club)
    first = events(before)[f"{club.public_id}-{date.planned}@stammtisch"]
    assert not first.errors
    assert (first["dtstart"].dt, first["dtend"].dt) == (date.starts_at, date.ends_at)
    assert "2 come · 3 more for a table" in str(first["description"])
    assert b"Anna" not in before
    assert b"VTIMEZONE" in before
    assert feeds.mark(club) == mark
    dates.cancel(date, olga)
    assert feeds.mark(club) != mark
    after = events(feeds.calendar(list(feeds.dates_of(club)), lambda each: "http://house/"))
    assert after.keys() == events(before).keys()
    changed = after[f"{club.public_id}-{date.planned}@stammtisch"]
    assert (changed["status"], changed["sequence"]) == ("CANCELLED", 1)


def test_the_name_of_a_feed_is_text(olga: Player) -> None:
    shown = all_series.create(olga, draft(name="Cards, dice; beer \\\\ more"))
    text = feeds.calendar(list(feeds.dates_of(shown)), lambda each: "http://house/").decode()
    assert {line for line in text.splitlines() if line.startswith(("NAME:", "X-WR-CALNAME:", "SUMMARY:"))} == {
        rf"{field}:Cards\, dice\; beer \\\\ more" for field in ("NAME", "X-WR-CALNAME", "SUMMARY")
    }


@pytest.mark.parametrize("name", ["Europe/Berlin", "Europe/Oslo", "America/New_York", "Australia/Lord_Howe"])
def test_a_feeds_clocks_change_when_those_of_the_zone_do(name: str) -> None:
    """Each change is told in the time before it (RFC 5545, 3.6.5)."""
    for change in feeds._time_zone(name).subcomponents:
        before, after = change.TZOFFSETFROM, change.TZOFFSETTO
        starts = [change.DTSTART, *(each.dt for each in change.get("RDATE", vDDDLists([])).dts)]
        for start in starts if before != after else ():
            moment = start.replace(tzinfo=fixed_zone(before))
            offsets = [(moment + timedelta(seconds=s)).astimezone(ZoneInfo(name)).utcoffset() for s in (-1, 0)]
            assert offsets == [before, after]


def test_the_front_page_has_the_next_date_of_listed_series_alone(olga: Player) -> None:
    all_series.create(olga, draft(name="Hidden"))
    shown = all_series.create(olga, draft(name="Shown", is_listed=True))
    assert [each.series for each in all_series.listed()] == [shown]
    dates.cancel(shown.dates.first(), olga)
    assert [each.day for each in all_series.listed()] == [today() + timedelta(days=8)]
