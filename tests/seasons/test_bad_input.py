"""What seasons, feeds, mails and webhooks are asked wrongly: a clear answer on page and API, and nothing is lost."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.models import Night, Player, Season, Series, Webhook
from games.services.calendar import all_series
from games.services.history import corrections
from games.services.people import deletion, merging
from games.services.seasons import played, season_nights, seasons
from tests.calendar.conftest import draft
from tests.seasons.test_pages import FORM, act, browser, page
from tests.seasons.world import FIRST, THURSDAYS, account, evening, guests, night_of, play

pytestmark = pytest.mark.django_db

NO_NIGHT = "no-such-night"


def told(player: Player, season: Season) -> dict[str, Any]:
    """Return what the API tells a player of a season."""
    answer = browser(player).get(reverse("api_season", args=[season.public_id]))
    assert answer.status_code == 200
    return answer.json()


def places(player: Player, season: Season) -> list[tuple[str | None, str]]:
    """Return name and total of each row of the standing, by the API."""
    return [(row["player"] and row["player"]["name"], row["total"]) for row in told(player, season)["standing"]]


@pytest.fixture
def two_nights(olga: Player, season: Season) -> list[Night]:
    """Two nights of the season, and people whom everybody here sees."""
    anna, bert = guests("Anna", "Bert")
    return [evening(olga, day, {anna: n, bert: -n}) for n, day in ((5, THURSDAYS[0]), (2, THURSDAYS[1]))]


def test_a_season_that_ends_before_it_begins_is_refused_where_it_is_made_and_where_it_is_changed(
    olga: Player, season: Season, two_nights: list[Night]
) -> None:
    client, before = browser(olga), places(olga, season)
    wrong = {**FORM, "first_day": "2026-12-17", "last_day": "2026-10-01"}
    made = client.post(reverse("season_new"), wrong)
    changed = client.post(reverse("season_change", args=[season.public_id]), wrong)
    for answer in (made, changed):
        text = answer.content.decode()
        assert answer.status_code == 400
        assert 'id="season-last-error"' in text and 'value="2026-12-17"' in text
    assert Season.objects.count() == 1
    assert places(olga, season) == before
    series = {"name": "Fridays", "weekday": 4, "start": "19:30", "counts": "chouette:points"}
    days = {"first_day": "2098-02-01", "last_day": "2098-01-01"}
    answer = client.post(reverse("api_all_series"), {**series, **days}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "series_days")
    assert not Series.objects.exists()


@pytest.mark.parametrize(
    ("name", "posted", "said"),
    [
        ("attach", {"night": "own"}, "This night is in the season already"),
        ("attach", {"night": "other"}, "Somebody else has opened this night"),
        ("attach", {"night": NO_NIGHT}, "There is no such night"),
        ("detach", {"night": "out"}, "This night is not in the season"),
        ("detach", {"night": NO_NIGHT}, "There is no such night"),
        ("weigh", {"night": "own", "weight": "10"}, "A night counts once to nine times."),
        ("weigh", {"night": "out", "weight": "2"}, "This night is not in the season"),
        ("part", {"night": "own"}, "There is no other night of this day"),
        ("day", {"night": "own", "day": "2026-09-30"}, "Give the night a day of the season"),
        ("past", {"nights": NO_NIGHT}, "Somebody else has opened this night"),
    ],
)
def test_an_act_on_a_wrong_night_says_why_and_the_standing_stays_on_page_and_api(
    olga: Player, season: Season, two_nights: list[Night], name: str, posted: dict[str, str], said: str
) -> None:
    out = evening(olga, THURSDAYS[2], dict.fromkeys(guests("Carl", "Dora"), 0))
    season_nights.detach(season, olga, out)
    named = {"own": two_nights[0], "out": out, "other": night_of(account("Per"), FIRST)}
    before, log = places(olga, season), season.events.count()
    given = {key: named[value].public_id if value in named else value for key, value in posted.items()}
    text = act(olga, season, name, **given)
    assert said in text
    assert (places(olga, season), season.events.count()) == (before, log)
    assert "Anna" in text and "Bert" in text


def test_merged_and_deleted_people_are_one_row_and_no_name_on_page_and_api_and_points_stay(
    olga: Player, season: Season, two_nights: list[Night]
) -> None:
    anna, bert = (Player.objects.get(nickname=name) for name in ("Anna", "Bert"))
    (karl,) = guests("Karl")
    evening(olga, THURSDAYS[2], {karl: 4, bert: -4})
    merging.merge(karl, anna)
    assert places(olga, season) == [("Anna", "11"), ("Bert", "-11")]
    assert "Karl" not in page(olga, season)
    deletion.delete(anna)
    assert places(olga, season) == [(None, "11"), ("Bert", "-11")]
    assert "Anna" not in page(olga, season) and "Deleted player" in page(olga, season)


def test_a_correction_after_the_end_changes_nothing_and_is_told_on_page_and_api(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    result = play(night_of(olga, FIRST, anna, bert), {anna: 3, bert: -3})
    assert told(olga, season)["is_outdated"] is False
    seasons.close(season, olga)
    assert told(olga, season)["is_outdated"] is False
    corrections.correct(result, olga, {0: -9, 1: 9}, "counted wrongly")
    assert places(olga, season) == [("Anna", "3"), ("Bert", "-3")]
    assert told(olga, season)["is_outdated"] is True
    season.refresh_from_db()
    assert "A later correction would have changed this standing." in page(olga, season)
    act(olga, season, "reopen")
    assert places(olga, season) == [("Bert", "6"), ("Anna", "-6")]
    assert told(olga, season)["is_outdated"] is False


def test_of_two_who_change_the_rules_at_once_the_second_reads_so_and_api_and_page_tell_the_first(
    olga: Player, season: Season, two_nights: list[Night]
) -> None:
    where = reverse("season_rules", args=[season.public_id])
    rules = {**played.values_of(season), "count": "best", "best": 1}
    seasons.set_rules(season, olga, "points", rules, season.version)
    sent = {f"o-{name}": str(value) for name, value in played.values_of(season).items()}
    answer = browser(olga).post(where, {**sent, "preset": "points", "version": "1"})
    assert answer.status_code == 400
    assert "Somebody else has changed the rules" in answer.content.decode()
    assert places(olga, season) == [("Anna", "5"), ("Bert", "-2")]
    assert told(olga, season)["version"] == 2
    assert "The last change of the rules" in page(olga, season)


def test_a_season_that_is_closed_or_gone_answers_so_and_changes_nothing(
    olga: Player, season: Season, two_nights: list[Night]
) -> None:
    seasons.close(season, olga)
    before = places(olga, season)
    night = two_nights[0].public_id
    for name in ("attach", "detach", "weigh", "day", "part", "stage", "notice", "open_entry", "enter", "take_out"):
        said = act(
            olga, season, name, night=night, weight="2", day=FIRST.isoformat(), kind="bye", player=olga.pk, match=1
        )
        assert "This season is closed" in said, name
    assert places(olga, season) == before
    for name in ("season", "season_csv", "api_season"):
        assert browser(olga).get(reverse(name, args=["no-such-season"])).status_code == 404, name


def test_who_is_no_reader_is_told_that_it_is_a_season_they_were_not_at(olga: Player, season: Season) -> None:
    (eve,) = guests("Eve")
    for client in (Client(), browser(eve)):
        answer = client.get(reverse("season", args=[season.public_id]))
        assert answer.status_code == 403
        assert "You were at no night of this season" in answer.content.decode()


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1/", "http://[::ffff:127.0.0.1]/", "http://2130706433/", "http://10.0.0.1/"],
)
def test_a_webhook_to_the_house_itself_is_refused_with_the_reason_and_what_was_typed_stays(
    olga: Player, address: str
) -> None:
    club = all_series.create(olga, draft())
    answer = browser(olga).post(reverse("series_webhooks", args=[club.key]), {"address": address, "shape": "json"})
    assert answer.status_code == 400
    assert f'value="{address}"' in answer.content.decode()
    assert 'role="alert"' in answer.content.decode() or 'class="error"' in answer.content.decode()
    assert not Webhook.objects.exists()


def test_a_feed_asked_for_every_second_is_answered_with_nothing_new_and_past_the_limit_told_to_wait(
    olga: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = all_series.create(olga, draft(first_day=FIRST + timedelta(days=400)))
    where, client = reverse("series_feed", args=[club.feed_key]), Client()
    first = client.get(where)
    again = [client.get(where, headers={"If-None-Match": first["ETag"]}) for _second in range(59)]
    assert {(each.status_code, each.content) for each in again} == {(304, b"")}
    cache.clear()
    monkeypatch.setitem(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "stranger", "5/min")
    asked = [client.get(where) for _time in range(6)]
    assert [each.status_code for each in asked] == [200] * 5 + [429]
    assert 0 < int(asked[-1]["Retry-After"]) <= 60
