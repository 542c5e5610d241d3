"""How people come into a season: its first page, the link for “Count me in”, absences that the answers tell."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from games.kernel.contract import Illegal
from games.models import Entrant, Night, Player, Season, SeasonNotice
from games.models.night import today
from games.services.calendar import all_series, answers, dates
from games.services.calendar.answers import Said
from games.services.nights import membership
from games.services.seasons import entrants, season_matches, season_nights, seasons
from games.services.seasons.played import played
from tests.calendar.conftest import draft
from tests.seasons.test_matches import won
from tests.seasons.test_pages import act, browser, page
from tests.seasons.world import FIRST, account, evening, guests, make, night_of
from tests.web.pages import join_link

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga() -> Player:
    return account("Olga")


def test_an_empty_season_tells_its_first_date_how_to_join_and_the_standing_before_it(olga: Player) -> None:
    before = make(olga, name="Spring", first_day=FIRST - timedelta(days=60), last_day=FIRST - timedelta(days=1))
    anna, bert = guests("Anna", "Bert")
    evening(olga, FIRST - timedelta(days=7), {anna: 5, bert: -5})
    club = all_series.create(olga, draft(counts="chouette:points"))
    club.seasons.update(first_day=FIRST, last_day=today() + timedelta(days=90))
    season = club.seasons.get()
    text = page(olga, season)
    assert reverse("series_date", args=[club.key, all_series.next_date(club).planned.isoformat()]) in text
    assert f"The season before: {before.name}" in text
    assert "Anna" in text
    assert "Whoever plays at a night of it" in text
    assert seasons.before(before) is None


def test_whoever_has_the_link_is_counted_in_by_a_post_alone(olga: Player) -> None:
    season = make(olga)
    (carl,) = guests("Carl")
    act(olga, season, "open_entry")
    season.refresh_from_db()
    address = reverse("season_entry", args=[season.public_id, season.entry_key])
    assert address in page(olga, season)
    assert "Count me in" in browser(carl).get(address).content.decode()
    assert not Entrant.objects.exists()
    answer = browser(carl).post(address)
    assert answer["Location"] == reverse("season", args=[season.public_id])
    assert Entrant.objects.get().player == carl
    assert browser(carl).get(answer["Location"]).status_code == 200


def test_a_renewed_closed_or_made_up_link_counts_nobody_in(olga: Player) -> None:
    season = make(olga)
    (carl,) = guests("Carl")
    for key in ("", "x"):
        with pytest.raises(Illegal, match="no_such_season"):
            entrants.enter_by_key(season.public_id, key, carl)
    entrants.open_entry(season, olga)
    old = season.entry_key
    entrants.open_entry(season, olga)
    with pytest.raises(Illegal, match="no_such_season"):
        entrants.enter_by_key(season.public_id, old, carl)
    key = season.entry_key
    entrants.close_entry(season, olga)
    with pytest.raises(Illegal, match="no_such_season"):
        entrants.enter_by_key(season.public_id, key, carl)
    assert "Only an organiser" in act(carl, season, "open_entry")
    entrants.open_entry(season, olga)
    seasons.close(season, olga)
    with pytest.raises(Illegal, match="season_closed"):
        entrants.enter_by_key(season.public_id, season.entry_key, carl)
    assert not Entrant.objects.exists()


def test_who_had_said_no_before_the_night_was_opened_is_absent_with_notice_unless_they_came(olga: Player) -> None:
    club = all_series.create(olga, draft(first_day=today(), weekday=today().weekday()))
    season = make(olga, "keizer", first_day=today() - timedelta(days=30), last_day=today() + timedelta(days=30))
    club.seasons.set([season])
    club.save()
    anna, bert, carl, stranger = guests("Anna", "Bert", "Carl", "Dora")
    for each in (anna, bert, carl):
        Entrant.objects.create(season=season, player=each)
    date = club.dates.get(day=today())
    for each in (anna, bert, stranger):
        answers.answer(date, each, Said("no"))
    night = dates.open_night(date, olga, "192.0.2.7")
    assert set(season.notices.values_list("player", "kind")) == {(p.pk, "absent") for p in (anna, bert)}
    answers.answer(date, carl, Said("no"))
    membership.join(night, anna)
    membership.join(night, carl)
    assert season.notices.count() == 2, "who says no later did so without notice"
    won(night, anna, carl)
    (notices,) = played(season).notices.values()
    assert notices == {bert.pk: "absent"}


def test_the_host_of_a_night_gives_byes_there_and_nowhere_else(olga: Player) -> None:
    season = make(olga, "matches")
    hanna, carl = guests("Hanna", "Carl")
    night, other = night_of(olga, FIRST, hanna, carl), night_of(olga, FIRST + timedelta(days=7), carl)
    Night.objects.filter(pk=night.pk).update(host=hanna)
    night.refresh_from_db()
    assert f"?night={night.public_id}" in page(hanna, season)
    seen = browser(hanna).get(reverse("season", args=[season.public_id]), {"night": night.public_id}).content.decode()
    assert 'name="kind"' in seen
    assert 'name="weight"' not in seen
    season_matches.give_notice(season, hanna, night, carl.pk, "bye")
    with pytest.raises(Illegal, match="not_organiser"):
        season_matches.give_notice(season, hanna, other, carl.pk, "bye")
    assert SeasonNotice.objects.get().night == night


def test_an_organiser_gives_a_night_another_day_of_the_season_until_it_is_closed(olga: Player) -> None:
    season = make(olga)
    anna, bert = guests("Anna", "Bert")
    night = evening(olga, FIRST, {anna: 3, bert: -3})
    act(olga, season, "day", night=night.public_id, day=(FIRST + timedelta(days=1)).isoformat())
    night.refresh_from_db()
    assert night.day == FIRST + timedelta(days=1)
    assert [column.day for column in played(season).columns] == [night.day.isoformat()]
    for day in ("", "x", (FIRST - timedelta(days=9)).isoformat(), (today() + timedelta(days=1)).isoformat()):
        assert "Give the night a day of the season" in act(olga, season, "day", night=night.public_id, day=day)
    assert "Only an organiser" in act(anna, season, "day", night=night.public_id, day=FIRST.isoformat())
    seasons.close(season, olga)
    with pytest.raises(Illegal, match="season_closed"):
        season_nights.set_day(season, olga, night, FIRST)


def linked(olga: Player) -> tuple[Season, str]:
    """Return a season with a link by which people are counted in, and the link."""
    season = make(olga)
    entrants.open_entry(season, olga)
    return season, reverse("season_entry", args=[season.public_id, season.entry_key])


def test_whom_the_house_does_not_know_gives_a_name_at_the_link_and_is_a_guest_of_that_device(olga: Player) -> None:
    season, address = linked(olga)
    phone = Client()
    assert 'name="nickname"' in phone.get(address).content.decode()
    assert not Player.objects.exclude(pk=olga.pk).exists(), "a look makes nobody"
    answer = phone.post(address, {"nickname": "  Dora  "})
    assert answer["Location"] == reverse("season", args=[season.public_id])
    (dora,) = Player.objects.filter(nickname="Dora")
    assert [row.player for row in Entrant.objects.all()] == [dora]
    assert phone.get(answer["Location"]).status_code == 200
    assert phone.post(address).status_code == 302, "the same device is asked for no name"
    assert Entrant.objects.count() == 1
    night = night_of(olga, FIRST, close=False)
    phone.post(join_link(night), {"nickname": "Dora"})
    assert night.memberships.filter(player=dora).exists(), "at the night it is the same person"


def test_an_account_without_a_player_is_counted_in_as_itself(olga: Player) -> None:
    _, address = linked(olga)
    phone = Client()
    phone.force_login(User.objects.create_user("nils", password="x"))
    assert 'value="nils"' in phone.get(address).content.decode()
    phone.post(address, {"nickname": "Nils"})
    assert Entrant.objects.get().player.user.username == "nils"


@pytest.mark.parametrize(
    ("nickname", "told"),
    [
        ("", "Tell us a name"),
        ("a\u202eb", "characters that can"),
        ("x" * 25, "at most 24"),
        ("Оlga (host)", "looks like that of the organiser"),
    ],
)
def test_a_name_that_is_none_or_looks_like_the_organisers_is_refused_at_its_field_and_nobody_is_made(
    olga: Player, nickname: str, told: str
) -> None:
    _, address = linked(olga)
    answer = Client().post(address, {"nickname": nickname})
    text = answer.content.decode()
    assert answer.status_code == 400
    assert told in text and 'id="nickname-error"' in text
    assert escape(nickname) in text
    assert not Entrant.objects.exists()
    assert not Player.objects.exclude(pk=olga.pk).exists()


def test_the_organisers_name_is_refused_to_a_guest_and_not_to_who_was_at_a_night_under_it(olga: Player) -> None:
    season, address = linked(olga)
    stranger, regular = guests("Olga", "Olga")
    night_of(olga, FIRST, regular)
    assert browser(stranger).post(address).status_code == 400
    assert browser(regular).post(address).status_code == 302
    assert [row.player for row in season.entrants.all()] == [regular]


def test_a_wrong_closed_or_full_link_makes_nobody(olga: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    season, address = linked(olga)
    wrong = reverse("season_entry", args=[season.public_id, "no-such-key"])
    assert Client().post(wrong, {"nickname": "Dora"}).status_code == 404
    monkeypatch.setattr(entrants, "MOST_ENTRANTS", 1)
    Client().post(address, {"nickname": "Dora"})
    full = Client().post(address, {"nickname": "Emil"})
    assert full.status_code == 400 and "ask the organiser" in full.content.decode()
    seasons.close(season, olga)
    closed = Client().post(address, {"nickname": "Emil"})
    assert closed.status_code == 400 and "The season is closed" in closed.content.decode()
    assert set(Player.objects.values_list("nickname", flat=True)) == {"Olga", "Dora"}


def test_the_link_waits_its_turn_for_strangers_too(olga: Player, settings) -> None:
    season, address = linked(olga)
    settings.REST_FRAMEWORK = {
        **settings.REST_FRAMEWORK,
        "DEFAULT_THROTTLE_RATES": {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "guest": "2/min"},
    }
    codes = [Client().post(address, {"nickname": f"Guest {n}"}).status_code for n in range(4)]
    assert codes == [302, 302, 429, 429]
    assert season.entrants.count() == 2


def test_entrants_are_named_to_those_who_see_them_and_taken_out_by_organisers_alone(olga: Player) -> None:
    season, address = linked(olga)
    anna, bert = guests("Anna", "Bert")
    night_of(olga, FIRST, anna)
    phone = Client()
    phone.post(address, {"nickname": "Dora"})
    entrants.enter_by_key(season.public_id, season.entry_key, bert)
    assert "Dora" in page(olga, season) and "Dora" in page(bert, season)
    stranger = page(anna, season)
    assert "Dora" not in stranger and "2 whom you have not met" in stranger
    dora = Player.objects.get(nickname="Dora")
    for player in (anna, bert):
        assert "Only an organiser" in act(player, season, "take_out", player=dora.pk)
    assert "Counted in no more" in act(olga, season, "take_out", player=dora.pk)
    assert [row.player for row in season.entrants.all()] == [bert]
    for wrong in ("", "x", dora.pk, 2**70):
        assert "is not counted in at the season" in act(olga, season, "take_out", player=wrong)
    assert phone.get(reverse("season", args=[season.public_id])).status_code == 403
