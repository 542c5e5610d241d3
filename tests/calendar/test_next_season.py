"""A series outlives its season: the next one, who is asked, what links follow, and the nights between two."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games.kernel.contract import Illegal
from games.models import Entrant, Night, Player, Season, Series
from games.models.night import today
from games.services.calendar import (
    all_series,
    dates,
    next_season,
    nights_between,
    rights,
    season_days,
    series_seasons,
)
from games.services.nights import membership
from games.services.people import deletion, merging
from games.services.seasons import entrants, season_nights, seasons
from tests.calendar.conftest import draft
from tests.seasons.test_pages import act, browser, page
from tests.seasons.world import account, evening, guests, make, night_of, set_rules, totals

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def club(olga: Player) -> Series:
    """A series that is held today, with a season that ends in a week."""
    made = all_series.create(olga, draft(first_day=today(), weekday=today().weekday(), counts="chouette:points"))
    made.seasons.update(first_day=today() - 84 * DAY, last_day=today() + 7 * DAY, name="Season 3")
    return made


@pytest.fixture
def season(club: Series) -> Season:
    return club.seasons.get()


def on_date(club: Series, day: date, *people: Player) -> Night:
    """Hold a night on a date of a series."""
    night = night_of(club.organiser, day, *people)
    club.dates.update_or_create(planned=day, defaults={"night": night, "day": day, "start": club.start})
    return night


# Its days and its name


@pytest.mark.parametrize(
    ("first", "last", "after"),
    [
        ("2026-10-01", "2026-12-31", ("2027-01-01", "2027-03-31")),
        ("2026-01-01", "2026-12-31", ("2027-01-01", "2027-12-31")),
        ("2027-02-01", "2027-02-28", ("2027-03-01", "2027-03-31")),
        ("2026-10-15", "2027-01-14", ("2027-01-15", "2027-04-14")),
        ("2026-10-01", "2026-12-17", ("2026-12-18", "2027-03-05")),
    ],
)
def test_a_next_season_begins_the_day_after_and_is_as_long(first: str, last: str, after: tuple[str, str]) -> None:
    days = date.fromisoformat(first), date.fromisoformat(last)
    assert tuple(map(str, next_season.days_after(*days, days[1]))) == after


def test_one_that_is_begun_late_is_not_over_at_once() -> None:
    first, last = date(2026, 1, 1), date(2026, 3, 31)
    assert next_season.days_after(first, last, date(2026, 11, 28)) == (date(2026, 10, 1), date(2026, 12, 31))


@pytest.mark.parametrize(
    ("name", "days", "after", "named"),
    [
        ("Season 3", "2026-10-01 2026-12-31", "2027-01-01 2027-03-31", "Season 4"),
        ("Thursdays", "2026-10-01 2026-12-31", "2027-01-01 2027-03-31", "Thursdays 2"),
        ("Autumn 2026", "2026-09-01 2026-11-30", "2026-12-01 2027-02-28", "Winter 2026"),
        ("Herbst", "2026-09-01 2026-11-30", "2026-12-01 2027-02-28", "Herbst 2"),
        ("October 2026", "2026-10-01 2026-10-31", "2026-11-01 2026-11-30", "November 2026"),
        ("December 2026", "2026-12-01 2026-12-31", "2027-01-01 2027-01-31", "January 2027"),
        ("Club 2026", "2026-01-01 2026-12-31", "2027-01-01 2027-12-31", "Club 2027"),
        ("League 2026/27", "2026-09-01 2027-08-31", "2027-09-01 2028-08-31", "League 2027/28"),
        ("League 2026/27", "2026-10-01 2026-12-31", "2027-01-01 2027-03-31", "League 2026/27 2"),
        ("x" * 80, "2026-10-01 2026-12-31", "2027-01-01 2027-03-31", "x" * 78 + " 2"),
    ],
)
def test_its_name_has_the_next_number_year_month_or_season(name: str, days: str, after: str, named: str) -> None:
    def both(text: str) -> tuple[date, date]:
        first, last = map(date.fromisoformat, text.split())
        return first, last

    with translation.override("en"):
        assert next_season.name_after(name, both(days), both(after)) == named


# Beginning it


def test_one_tap_begins_it_with_rules_series_organisers_and_link_and_carries_no_points(
    olga: Player, club: Series, season: Season
) -> None:
    second, anna, bert = account("Second"), *guests("Anna", "Bert")
    evening(olga, today() - 7 * DAY, {anna: 5, bert: -5, second: 0})
    seasons.name_second(season, olga, second.pk)
    set_rules(season, olga, least_nights=2)
    entrants.open_entry(season, olga)
    assert "Season 4" in act(second, season, "begin_next")
    made = Season.objects.get(former=season)
    season.refresh_from_db()
    same = ("organiser", "second", "venue", "game_id", "unit", "presets", "media", "preset", "options", "entry_key")
    assert [getattr(made, name) for name in same] == [getattr(season, name) for name in same]
    assert (made.name, made.first_day) == ("Season 4", season.last_day + DAY)
    assert list(made.series.all()) == [club]
    assert totals(made) == {}
    assert not made.entrants.exists()
    act(olga, season, "begin_next")
    assert Season.objects.filter(former=season).count() == 1
    assert {row.type for row in made.events.all()} == {"begun_after"}


def test_only_organisers_begin_it(season: Season) -> None:
    (carl,) = guests("Carl")
    assert "Only an organiser" in act(carl, season, "begin_next")
    assert Season.objects.count() == 1


def test_organisers_alone_are_asked_on_front_page_series_and_season_from_a_week_before(
    olga: Player, club: Series, season: Season
) -> None:
    (anna,) = guests("Anna")
    on_date(club, today() - 7 * DAY, anna)
    addresses = [reverse("home"), reverse("series", args=[club.key]), reverse("season", args=[season.public_id])]
    where = reverse("season_act", args=[season.public_id, "begin_next"])
    for address in (*addresses, reverse("seasons")):
        assert 'class="banner warning' in (text := browser(olga).get(address).content.decode())
        assert where in text
        assert where not in browser(anna).get(address).content.decode()
    Season.objects.update(last_day=today() + 8 * DAY)
    assert where not in browser(olga).get(addresses[0]).content.decode()
    Season.objects.update(last_day=today())
    act(olga, season, "begin_next")
    assert where not in browser(olga).get(addresses[0]).content.decode()


def test_a_series_that_has_ended_asks_for_no_next_season(olga: Player, club: Series, season: Season) -> None:
    all_series.end(club, olga)
    assert not next_season.is_asked(season)


# Counted in anew


def test_who_was_counted_in_is_asked_until_they_say_so_and_seen_by_name_only_then(
    olga: Player, club: Series, season: Season
) -> None:
    anna, bert, carl = guests("Anna", "Bert", "Carl")
    for each in (anna, bert):
        Entrant.objects.create(season=season, player=each)
    made = next_season.begin(season, olga)
    assert "Anna" not in page(olga, made)
    for each, is_asked in ((anna, True), (bert, True), (carl, False)):
        assert [one.pk for one in entrants.asked_of(each)] == [made.pk] * is_asked
        asks = reverse("season_act", args=[made.public_id, "decline"]) in browser(each).get("/").content.decode()
        assert asks == is_asked
    act(anna, made, "enter")
    act(bert, made, "decline")
    assert [row.player for row in made.entrants.all()] == [anna]
    assert "Anna" in page(olga, made)
    assert entrants.asked_of(anna) == entrants.asked_of(bert) == []
    with pytest.raises(Illegal, match="not_in_season"):
        entrants.enter(made, carl)
    entrants.leave(made, anna)
    assert entrants.asked_of(anna) == []


def test_who_has_not_answered_is_asked_by_the_season_after_too(olga: Player, season: Season) -> None:
    (anna,) = guests("Anna")
    Entrant.objects.create(season=season, player=anna)
    third = next_season.begin(next_season.begin(season, olga), olga)
    assert third in entrants.asked_of(anna)
    entrants.decline(third.former, anna)
    assert entrants.asked_of(anna) == []


def test_the_no_of_a_merged_or_deleted_person_goes_with_them(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    for each in (anna, bert):
        Entrant.objects.create(season=season, player=each)
    made = next_season.begin(season, olga)
    for each in (anna, bert):
        entrants.decline(made, each)
    merging.merge(anna, bert)
    assert [row.player for row in made.declined.all()] == [bert]
    deletion.delete(bert)
    assert not made.declined.exists()


def test_the_link_for_count_me_in_leads_to_the_next_season_until_it_is_renewed_there(
    olga: Player, season: Season
) -> None:
    entrants.open_entry(season, olga)
    made = next_season.begin(season, olga)
    link, (carl, dora) = reverse("season_entry", args=[season.public_id, season.entry_key]), guests("Carl", "Dora")
    assert "Season 3" in Client().get(link).content.decode()
    Season.objects.filter(pk=season.pk).update(last_day=today() - DAY)
    assert browser(carl).post(link)["Location"] == reverse("season", args=[made.public_id])
    entrants.open_entry(made, olga)
    assert browser(dora).post(link)["Location"] == reverse("season", args=[season.public_id])


# The season of a day


def test_the_season_of_a_day_is_the_one_that_holds_it_else_the_next_else_the_last(olga: Player, club: Series) -> None:
    Season.objects.all().delete()
    year = make(olga, name="Year", first_day=date(2026, 1, 1), last_day=date(2026, 12, 31))
    month = make(olga, name="May", first_day=date(2026, 5, 1), last_day=date(2026, 5, 31))
    later = make(olga, name="Later", first_day=date(2027, 2, 1), last_day=date(2027, 3, 31))
    club.seasons.set([year, month, later])
    for day, names in (
        ("2026-05-05", ["May", "Year"]),
        ("2026-06-05", ["Year"]),
        ("2027-01-05", ["Later"]),
        ("2027-05-05", ["Later"]),
        ("2025-05-05", ["Year"]),
    ):
        assert [each.name for each in season_days.told(club, date.fromisoformat(day))] == names


def test_series_and_poster_lead_to_the_season_of_the_day(olga: Player, club: Series, season: Season) -> None:
    made = next_season.begin(season, olga)
    addresses = reverse("series", args=[club.key]), reverse("series_poster", args=[club.key])
    assert "Season 3" in browser(olga).get(addresses[0]).content.decode()
    Season.objects.filter(pk=season.pk).update(last_day=today() - DAY)
    Season.objects.filter(pk=made.pk).update(first_day=today(), options={**made.options, "least_nights": 3})
    text = browser(olga).get(addresses[0]).content.decode()
    assert reverse("season", args=[made.public_id]) in text
    assert reverse("season", args=[season.public_id]) not in text
    assert "Nights needed for a place: 3" in Client().get(addresses[1]).content.decode()


def test_a_night_counts_in_a_months_and_a_years_season_of_its_series(
    olga: Player, club: Series, season: Season
) -> None:
    year = make(olga, name="Year", first_day=today() - 200 * DAY, last_day=today() + 150 * DAY)
    series_seasons.set_seasons(club, olga, [season.public_id, year.public_id])
    night = dates.open_night(club.dates.get(day=today()), olga, "10.0.0.1")
    assert season_nights.seasons_of(night) == [season, year]


def test_entrants_of_the_season_of_that_day_see_who_comes(olga: Player, club: Series, season: Season) -> None:
    (anna,) = guests("Anna")
    Entrant.objects.create(season=season, player=anna)
    made = next_season.begin(season, olga)
    soon, later = club.dates.get(day=today() + 7 * DAY), club.dates.get(day=today() + 14 * DAY)
    assert rights.sees_names(soon, anna)
    assert not rights.sees_names(later, anna)
    entrants.enter(made, anna)
    assert rights.sees_names(later, anna)


# Which series count


def test_what_was_counted_stays_when_series_come_and_go(olga: Player, club: Series) -> None:
    anna, bert = guests("Anna", "Bert")
    own = make(olga, name="Own", first_day=today() - 30 * DAY, last_day=today() + 30 * DAY)
    evening(olga, today() - 7 * DAY, {anna: 5, bert: -5})
    before = totals(own)
    assert before
    act(olga, own, "series", series=[club.key])
    assert totals(own) == before
    night = on_date(club, today() - 3 * DAY, anna, bert)
    assert season_nights.is_in(own, night)
    act(olga, own, "series", series=[])
    assert season_nights.is_in(own, night)
    assert totals(own) == before
    assert not own.series.exists()


def test_nobody_ties_a_season_or_a_series_that_is_not_theirs(olga: Player, club: Series, season: Season) -> None:
    other = account("Other")
    theirs = make(other, name="Theirs", first_day=today(), last_day=today() + 30 * DAY)
    with pytest.raises(Illegal, match="no_such_season"):
        series_seasons.set_seasons(club, olga, [theirs.public_id])
    with pytest.raises(Illegal, match="no_such_series"):
        series_seasons.set_series(theirs, other, [club.key])
    with pytest.raises(Illegal, match="not_series_organiser"):
        series_seasons.set_seasons(club, other, [])
    assert list(club.seasons.all()) == [season]


def test_both_forms_say_which_series_and_seasons_belong_together(olga: Player, club: Series, season: Season) -> None:
    own = make(olga, name="Own", first_day=today(), last_day=today() + 30 * DAY)
    form = {"name": "Club", "weekday": "0", "start": "19:30", "has_seasons": "yes", "seasons": [own.public_id]}
    assert browser(olga).post(reverse("series_change", args=[club.key]), form).status_code == 302
    assert list(club.seasons.all()) == [own]
    days = {"first_day": str(today()), "last_day": str(today() + 9 * DAY), "counts": "chouette:points"}
    new = {"name": "New", **days, "series": [club.key]}
    assert browser(olga).post(reverse("season_new"), new).status_code == 302
    assert list(Season.objects.get(name="New").series.all()) == [club]
    second = {"name": "Second", "weekday": "2", "start": "20:00", "counts": f"season:{own.public_id}"}
    assert browser(olga).post(reverse("series_new"), second).status_code == 302
    assert {each.name for each in own.series.all()} == {"Club", "Second"}


# Between two seasons


@pytest.fixture
def gap(olga: Player, club: Series, season: Season) -> tuple[Season, Season, Night]:
    """Two seasons of a series, and a night in the week between them."""
    Season.objects.filter(pk=season.pk).update(last_day=today() - 10 * DAY)
    after = make(olga, name="After", first_day=today() - 3 * DAY, last_day=today() + 80 * DAY)
    after.series.add(club)
    night = on_date(club, today() - 7 * DAY, *guests("Anna", "Bert"))
    season.refresh_from_db()
    return season, after, night


@pytest.mark.parametrize(("into", "counts"), [("before", [True, False]), ("after", [False, True]), ("", [False] * 2)])
def test_a_night_between_two_seasons_goes_into_either_or_none(
    olga: Player, gap: tuple[Season, Season, Night], into: str, counts: list[bool]
) -> None:
    before, after, night = gap
    for each in (before, after):
        assert "Nights between two seasons" in page(olga, each)
    target = {"before": before.public_id, "after": after.public_id}.get(into, "")
    nights_between.place(after, olga, night, target)
    assert [season_nights.is_in(each, night) for each in (before, after)] == counts
    for each in (before, after):
        assert nights_between.of(each, olga) == []
    with pytest.raises(Illegal, match="night_not_between"):
        nights_between.place(after, olga, night, target)


def test_a_closed_season_takes_none_and_its_standing_stays(olga: Player, gap: tuple[Season, Season, Night]) -> None:
    before, after, night = gap
    seasons.close(before, olga)
    assert "To the old one" not in page(olga, after)
    with pytest.raises(Illegal, match="season_closed"):
        nights_between.place(after, olga, night, before.public_id)


def test_who_organises_one_of_the_two_alone_is_not_asked(gap: tuple[Season, Season, Night]) -> None:
    _before, after, night = gap
    other = account("Other")
    Season.objects.filter(pk=after.pk).update(organiser=other)
    after.refresh_from_db()
    assert nights_between.of(after, other) == []
    with pytest.raises(Illegal, match="night_not_between"):
        nights_between.place(after, other, night, after.public_id)


# What else ends


def test_the_front_page_leads_back_to_last_weeks_night_and_not_to_octobers(olga: Player) -> None:
    for days in (3, 90):
        night = membership.host_night(olga, f"{days} days ago")
        Night.objects.filter(pk=night.pk).update(day=today() - days * DAY)
        night.refresh_from_db()
        membership.close(night, olga)
    text = browser(olga).get("/").content.decode()
    assert "3 days ago" in text
    assert "90 days ago" not in text


def test_the_results_of_an_old_night_offer_the_date_that_comes_and_none_that_is_over(
    olga: Player, club: Series
) -> None:
    old = on_date(club, today() - 28 * DAY)
    on_date(club, today() - 21 * DAY)
    following = dates.following(old)
    assert following is not None
    assert following.day == today()
