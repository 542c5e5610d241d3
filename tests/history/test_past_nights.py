"""An evening that was held without the house becomes a night of its day, closed from the start."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, Result, Venue
from games.models.night import day_of, today
from games.services.history import consent, past_games, player_history, score_sheets
from games.services.history.past_games import Evening, PastGame, PastLine
from games.services.history.player_history import Filters
from games.services.nights import membership, venues
from games.services.people import accounts, players

pytestmark = pytest.mark.django_db
LAST_MONTH = date(2026, 10, 3)


def refused(code: str):
    return pytest.raises(Illegal, match=code)


@pytest.fixture
def anna(django_user_model: type[User]) -> Player:
    """A player with an account."""
    user = django_user_model.objects.create_user("anna", password="x")
    return accounts.own_player(user, "Anna")


@pytest.fixture
def kari(anna: Player) -> Player:
    """A guest whom Anna has met at a night."""
    night = membership.host_night(anna, "Thursday")
    kari = players.new_guest("Kari")
    membership.join(night, kari)
    return kari


def money(*lines: PastLine) -> PastGame:
    return PastGame("chouette", "german" if len(lines) > 2 else "money", lines)


def between(winner: Player, loser: Player, points: int = 4) -> PastGame:
    return money(PastLine(winner.pk, points), PastLine(loser.pk, -points))


def test_an_account_enters_an_evening_of_last_month(anna: Player, kari: Player) -> None:
    lines = PastLine(anna.pk, 5), PastLine(kari.pk, -3), PastLine(None, -2, name="Opa Karl")
    result = past_games.enter_night(anna, Evening(LAST_MONTH), money(*lines))
    night = result.table.night
    assert (night.day, night.status, night.code, night.is_past, night.host) == (LAST_MONTH, "closed", None, True, anna)
    assert day_of(result.finished_at) == LAST_MONTH
    assert score_sheets.sheets(night)[0].totals == (5, -3, -2)
    assert not Membership.objects.filter(night=night, player=kari).exists()
    consent.answer(result.pk, kari, agrees=True)
    assert Membership.objects.filter(night=night, player=kari).exists()
    (line,) = player_history.lines_of(kari, Filters(since=LAST_MONTH, until=LAST_MONTH))
    assert line.points == -3


def test_further_games_of_the_evening_come_into_the_same_night_and_its_author_enters_them_there(
    anna: Player, kari: Player
) -> None:
    first = past_games.enter_night(anna, Evening(LAST_MONTH), between(anna, kari))
    second = past_games.enter_night(anna, Evening(LAST_MONTH), between(kari, anna))
    third = past_games.enter(first.table.night, anna, between(anna, kari))
    assert {each.table.night_id for each in (second, third)} == {first.table.night_id}
    other = past_games.enter_night(anna, Evening(LAST_MONTH - timedelta(days=1)), between(anna, kari))
    assert other.table.night_id != first.table.night_id
    with refused("not_host"):
        past_games.enter(first.table.night, kari, between(anna, kari))


def test_a_guest_without_an_account_enters_no_evening(anna: Player, kari: Player) -> None:
    with refused("no_account"):
        past_games.enter_night(kari, Evening(LAST_MONTH), between(anna, kari))


def test_nobody_is_entered_whom_the_author_has_not_met(anna: Player, make_player: Callable[[str], Player]) -> None:
    with refused("no_such_player"):
        past_games.enter_night(anna, Evening(LAST_MONTH), between(anna, make_player("Uli")))
    assert not Night.objects.filter(is_past=True).exists()


def test_at_a_venue_with_named_hosts_only_they_enter_evenings(anna: Player, kari: Player, staff: User) -> None:
    lamb = venues.add("Golden Lamb", staff)
    evening = Evening(LAST_MONTH, venue=lamb.public_id)
    past_games.enter_night(anna, evening, between(anna, kari))
    venues.set_hosts(lamb, [staff], staff)
    with refused("not_venue_host"):
        past_games.enter_night(anna, evening, between(anna, kari))
    with refused("not_venue_host"):
        past_games.enter(Night.objects.get(is_past=True), anna, between(anna, kari))
    venues.set_hosts(lamb, [staff, anna.user], staff)
    assert past_games.enter_night(anna, evening, between(anna, kari))


@pytest.mark.parametrize("wrong", [date(1899, 12, 31), date(2999, 1, 1)])
def test_an_evening_is_of_today_or_before(anna: Player, kari: Player, wrong: date) -> None:
    with refused("bad_day"):
        past_games.enter_night(anna, Evening(wrong), between(anna, kari))
    assert past_games.enter_night(anna, Evening(today()), between(anna, kari))


def test_equal_submits_of_an_evening_are_one_game_and_one_night(anna: Player, kari: Player) -> None:
    for _ in range(6):
        past_games.enter_night(anna, Evening(LAST_MONTH), between(anna, kari), "one")
    assert Result.objects.count() == 1 and Night.objects.filter(is_past=True).count() == 1


def test_the_page_and_the_api_take_evenings(anna: Player, kari: Player, client) -> None:
    client.force_login(anna.user)
    page = reverse("past_night")
    assert "Kari" in client.get(page).content.decode()
    typed = {"game": "chouette", "preset": "money", "lines": "4", "day": LAST_MONTH.isoformat()}
    typed |= {"who-0": anna.pk, "who-1": kari.pk}
    typed |= {"game-box": "0", "game-winner": "team", "game-level": "1", "game-cube": "2"}
    bad = client.post(page, typed | {"day": "2999-01-01"})
    assert bad.status_code == 400 and 'id="day-error"' in bad.content.decode()
    assert client.post(page, typed).status_code == 302
    lines = [{"player": anna.pk, "points": 0}, {"name": "Nils", "points": 1}]
    body = {"game": "chicago", "preset": "bavarian", "day": LAST_MONTH.isoformat(), "lines": lines}
    answer = client.post(reverse("api_past_games"), json.dumps(body), content_type="application/json")
    assert answer.status_code == 201, answer.content
    assert Night.objects.filter(is_past=True, day=LAST_MONTH).count() == 1
    assert Result.objects.count() == 2


@pytest.mark.parametrize(
    ("opened", "day"),
    [
        (datetime(2026, 7, 2, 17, tzinfo=UTC), date(2026, 7, 2)),
        (datetime(2026, 7, 2, 23, 30, tzinfo=UTC), date(2026, 7, 2)),
        (datetime(2026, 7, 3, 2, 59, tzinfo=UTC), date(2026, 7, 2)),
        (datetime(2026, 7, 3, 3, tzinfo=UTC), date(2026, 7, 3)),
        (datetime(2026, 1, 3, 3, 59, tzinfo=UTC), date(2026, 1, 2)),
        (datetime(2026, 1, 3, 4, tzinfo=UTC), date(2026, 1, 3)),
    ],
)
def test_a_night_is_of_the_local_day_of_its_opening_and_before_five_of_the_day_before(
    opened: datetime, day: date
) -> None:
    assert day_of(opened) == day


def test_the_venues_hosts_are_named_in_the_admin_and_it_is_audited(staff: User, anna: Player, admin_client) -> None:
    lamb = Venue.objects.get(pk=venues.add("Golden Lamb", staff).pk)
    to = reverse("admin:games_venue_change", args=[lamb.pk])
    admin_client.post(to, {"name": "Golden Lamb", "hosts": [anna.user_id]})
    assert list(lamb.hosts.all()) == [anna.user]
