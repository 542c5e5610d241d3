"""Made-up answers to a date, and made-up entrants of a season, go in one act of the organiser's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import Answer, Player, Season, SeasonEvent, SeriesDate
from games.services.calendar import answers
from games.services.calendar.answers import Said
from games.services.nights import membership
from games.services.people import players
from games.services.seasons import entrants
from games.services.tables import setup
from tests.calendar.conftest import club, date, olga  # noqa: F401 (fixtures)
from tests.seasons.test_pages import act, browser, page
from tests.seasons.world import account, guests, make

pytestmark = pytest.mark.django_db
YES = Said(Answer.Says.YES)


def typed(at: datetime) -> str:
    """Return a time as a form sends it: of the house's clocks."""
    return at.astimezone(ZoneInfo(settings.TIME_ZONE)).strftime("%Y-%m-%dT%H:%M:%S")


def ago(minutes: int) -> datetime:
    """Return the time so many minutes ago."""
    return datetime.now(UTC) - timedelta(minutes=minutes)


def who_played(*names: str) -> list[Player]:
    """Return guests who had a seat at a table."""
    host, *others = guests("Wirt", *names)
    night = membership.host_night(host, "Earlier")
    table = setup.open_table(night, host, "dummygame", "quick", {})
    for each in others:
        membership.join(night, each)
        setup.sit(table, each)
    return others


def post(player: Player, date: SeriesDate, since: str) -> str:  # noqa: F811
    """Ask for made-up answers to be deleted; return the page that follows."""
    key, day = date.series.key, date.planned.isoformat()
    client = browser(player)
    client.post(reverse("date_act", args=[key, day, "delete_newcomers"]), {"since": since})
    return client.get(reverse("series_date", args=[key, day])).content.decode()


def names(date: SeriesDate) -> set[str]:  # noqa: F811
    """Return the names of a date's answers."""
    return {answers.shown_name(row) for row in date.answers.all()}


def test_made_up_answers_go_in_one_act_and_what_people_said_stays(olga: Player, date: SeriesDate) -> None:  # noqa: F811
    (kari,) = who_played("Kari")
    answers.answer_by_name(date, "Early", YES)
    date.answers.update(answered_at=ago(60))
    answers.answer(date, kari, YES)
    answers.answer(date, olga, YES)
    answers.mark(date, olga, "Opa Karl", YES)
    for number in range(40):
        answers.answer_by_name(date, f"Made up {number}", YES)
        answers.answer(date, players.new_guest(f"Guest {number}"), YES)
    answers.answer(date, account("Sham"), YES)
    assert "They are deleted." in post(olga, date, typed(ago(30)))
    assert names(date) == {"Early", "Kari", "Olga", "Opa Karl"}
    assert "No such answer has come since then." in post(olga, date, typed(ago(30)))


def test_who_waits_for_a_place_gets_one_when_made_up_answers_go(olga: Player, date: SeriesDate) -> None:  # noqa: F811
    (kari,) = who_played("Kari")
    SeriesDate.objects.filter(pk=date.pk).update(places=3)
    date.places = 3
    for number in range(3):
        answers.answer_by_name(date, f"Made up {number}", YES)
    answers.answer(date, kari, YES)
    assert answers.coming(date).waiting
    post(olga, date, typed(ago(30)))
    assert [row.player for row in answers.coming(date).yes] == [kari]
    assert date.answers.get().moved_up_at is not None


def test_organisers_alone_delete_made_up_answers_and_a_time_is_needed(
    olga: Player,  # noqa: F811
    date: SeriesDate,  # noqa: F811
) -> None:
    (kari,) = who_played("Kari")
    answers.answer_by_name(date, "Made up", YES)
    post(kari, date, typed(ago(30)))
    for wrong in ("", "yesterday", "2026-13-01T10:00", "21:40", "9" * 5000, "2026-01-01T10:00+01:00"):
        assert "A day and a time are needed." in post(olga, date, wrong)
    assert names(date) == {"Made up"}
    assert 'value="Made up' not in post(olga, date, typed(ago(30)))
    assert names(date) == set()


def counted_in(season: Season) -> set[str]:
    """Return the names of a season's entrants."""
    return {row.player.nickname for row in season.entrants.select_related("player")}


def test_made_up_entrants_go_in_one_act_and_people_stay(olga: Player) -> None:  # noqa: F811
    season = make(olga)
    entrants.open_entry(season, olga)
    address = reverse("season_entry", args=[season.public_id, season.entry_key])
    Client().post(address, {"nickname": "Early"})
    season.entrants.update(joined_at=ago(60))
    for each in (olga, *who_played("Kari")):
        entrants.enter_by_key(season.public_id, season.entry_key, each)
    for number in range(40):
        entrants.enter_by_key(season.public_id, season.entry_key, players.new_guest(f"Made up {number}"))
    assert reverse("season_act", args=[season.public_id, "take_out_newcomers"]) in page(olga, season)
    assert "They are counted in no more." in act(olga, season, "take_out_newcomers", since=typed(ago(30)))
    assert counted_in(season) == {"Early", "Olga", "Kari"}
    assert SeasonEvent.objects.get(type="newcomers_taken_out").data == {"count": 40}
    assert "Nobody who never played" in act(olga, season, "take_out_newcomers", since=typed(ago(30)))


def test_organisers_alone_take_made_up_people_out_while_the_season_is_open(olga: Player) -> None:  # noqa: F811
    season = make(olga)
    entrants.open_entry(season, olga)
    (kari,) = guests("Kari")
    entrants.enter_by_key(season.public_id, season.entry_key, kari)
    assert "Only an organiser" in act(kari, season, "take_out_newcomers", since=typed(ago(30)))
    assert "A day and a time are needed." in act(olga, season, "take_out_newcomers", since="soon")
    season.status = Season.Status.CLOSED
    season.save()
    with pytest.raises(Illegal, match="season_closed"):
        entrants.take_out_newcomers(season, olga, ago(30))
    assert counted_in(season) == {"Kari"}
