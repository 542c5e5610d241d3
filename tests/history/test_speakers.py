"""Who agrees for somebody without a phone: named, in the audit, and objected to for thirty days."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import AuditEntry, Membership, Night, NightTally, Player, Result, ResultLine, SeasonNight, Tally
from games.services.history import awaited, consent, corrections, past_games, score_sheets
from games.services.history.past_games import Evening, PastGame, PastLine
from games.services.payments import accounts
from tests.history.test_consent import consents, game, history, refused
from tests.payments.world import CENTS, OpenTable
from tests.seasons.test_pages import browser
from tests.seasons.world import account, make
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
DAY = date(2026, 10, 1)


@pytest.fixture
def anna(make_player: Callable[[str], Player]) -> Player:
    """An author with an account."""
    player = make_player("Anna")
    player.user = User.objects.create_user("anna")
    player.save()
    return player


@pytest.fixture
def bert(make_player: Callable[[str], Player]) -> Player:
    return make_player("Bert")


@pytest.fixture
def carl(make_player: Callable[[str], Player]) -> Player:
    return make_player("Carl")


def met(author: Player, *people: Player) -> None:
    """Let an author have met people, at a night of before."""
    night = Night.objects.create(name="Before", host=author, opened_by=author, status="closed", code=None, day=DAY)
    for player in (author, *people):
        Membership.objects.create(night=night, player=player)


def entered(by: Player, points: dict[Player | str, int]) -> Result:
    """Enter a game of an evening elsewhere; people given by name have no phone."""
    lines = [PastLine(None, n, name=one) if isinstance(one, str) else PastLine(one.pk, n) for one, n in points.items()]
    preset = "german" if len(lines) > 2 else "money"
    return past_games.enter_night(by, Evening(DAY), PastGame("chouette", preset, lines))


def karl_of(result: Result) -> Player:
    """Return the person without a phone in a game."""
    found = result.lines.get(name="Opa Karl").player
    assert found is not None
    return found


def test_who_plays_along_and_wins_nothing_by_it_agrees_where_the_host_is_the_author(
    anna: Player, bert: Player, carl: Player
) -> None:
    met(anna, bert, carl)
    result = entered(anna, {anna: 2, bert: -3, carl: 5, "Opa Karl": -4})
    karl = karl_of(result)
    consent.answer(result.pk, carl, agrees=True)
    assert consents(result) == ["given", "asked", "given", "asked"], "a winner speaks for nobody"
    consent.answer(result.pk, bert, agrees=True)
    line = result.lines.get(player=karl)
    assert (line.consent, line.agreed_by) == ("given", bert)
    assert history(karl) == [-4]
    entry = AuditEntry.objects.filter(act="past_game_agreed").latest("pk")
    assert (entry.player, entry.data["players"]) == (bert, [karl.pk])
    text = browser_of(carl).get(reverse("night_results", args=[result.table.night.public_id])).content.decode()
    assert "Bert for Opa Karl" in " ".join(text.split())


def test_neither_the_author_nor_who_said_no_nor_a_stranger_speaks_for_anybody(
    anna: Player, bert: Player, carl: Player, django_user_model: type[User]
) -> None:
    met(anna, bert, carl)
    result = entered(anna, {anna: 7, bert: -3, "Opa Karl": -4})
    consent.answer(result.pk, bert, agrees=False)
    assert consents(result) == ["asked", "refused", "asked"]
    for by in (anna, bert, carl):
        with refused("no_question"):
            consent.answer(result.pk, by, agrees=True)
    staff = django_user_model.objects.create_user("chief", is_staff=True)
    consent.answer(result.pk, staff, agrees=True)
    assert result.lines.get(name="Opa Karl").consent == "given"


def test_who_plays_along_says_no_for_themselves_alone(anna: Player, bert: Player) -> None:
    met(anna, bert)
    result = entered(anna, {anna: 7, bert: -3, "Opa Karl": -4})
    consent.answer(result.pk, bert, agrees=False)
    assert result.lines.get(name="Opa Karl").consent == "asked"


def test_where_the_host_is_another_one_the_host_speaks(
    night: Night, host: Player, guest: Callable[..., Player]
) -> None:
    kari, per = guest("Kari"), guest("Per")
    result = past_games.enter(
        night,
        kari,
        PastGame("chouette", "german", [PastLine(kari.pk, 7), PastLine(per.pk, -3), PastLine(None, -4, name="Karl")]),
    )
    consent.answer(result.pk, per, agrees=True)
    assert consents(result) == ["given", "given", "asked"]
    consent.answer(result.pk, host, agrees=True)
    assert consents(result) == ["given"] * 3 and result.lines.get(name="Karl").agreed_by == host


def test_the_keeper_objects_for_thirty_days_and_then_it_waits_again_for_others(
    anna: Player, bert: Player, carl: Player
) -> None:
    met(anna, bert, carl)
    result = entered(anna, {anna: 9, bert: -3, carl: -2, "Opa Karl": -4})
    karl = karl_of(result)
    consent.answer(result.pk, bert, agrees=True)
    (line,) = consent.spoken_for(anna)
    assert (line.player, line.agreed_by) == (karl, bert)
    with refused("no_question"):
        consent.object_to(result.pk, carl)
    consent.object_to(result.pk, anna)
    assert history(karl) == [] and not Tally.objects.filter(player=karl).exists()
    assert not NightTally.objects.filter(player=karl, played__gt=0).exists()
    with refused("no_question"):
        consent.answer(result.pk, bert, agrees=True)
    consent.answer(result.pk, carl, agrees=True)
    assert result.lines.get(player=karl).agreed_by == carl and history(karl) == [-4]
    ResultLine.objects.update(agreed_at=result.entered_at - timedelta(days=consent.DAYS))
    with refused("no_question"):
        consent.object_to(result.pk, anna)


def test_karl_with_a_phone_objects_himself_and_the_author_counts_no_more_by_that_word(
    anna: Player, bert: Player
) -> None:
    met(anna, bert)
    result = entered(anna, {anna: 4, "Opa Karl": -4, bert: 0})
    karl = karl_of(result)
    consent.answer(result.pk, bert, agrees=True)
    assert history(anna) == [4]
    ResultLine.objects.filter(player=bert).update(consent="refused")
    Membership.objects.filter(player=karl).update(keeper=None)
    consent.object_to(result.pk, karl)
    assert history(anna) == [] and history(karl) == []
    consent.answer(result.pk, karl, agrees=True)
    assert history(karl) == [-4]


# One question an evening


def test_an_evening_is_one_question_and_what_is_added_later_asks_for_that_alone(
    night: Night, host: Player, guest: Callable[..., Player]
) -> None:
    kari = guest("Kari")
    first, second = (past_games.enter(night, host, game({host: n, kari: -n})) for n in (3, 4))
    (evening,) = consent.evenings(consent.questions(kari))
    assert [each.result.pk for each in evening.games] == [first.pk, second.pk]
    third = past_games.enter(night, host, game({host: 5, kari: -5}))
    with refused("no_question"):
        consent.answer_evening(None, evening.key, kari, agrees=True)
    (evening,) = consent.evenings(consent.questions(kari))
    consent.answer_evening(None, evening.key, kari, agrees=True)
    assert history(kari) == [-5, -4, -3]
    fourth = past_games.enter(night, host, game({host: 1, kari: -1}))
    (again,) = consent.evenings(consent.questions(kari))
    assert [each.result.pk for each in again.games] == [fourth.pk]
    assert third.pk not in [each.result.pk for each in again.games]


def test_the_page_asks_once_and_one_by_one_behind_it(night: Night, host: Player, guest: Callable[..., Player]) -> None:
    kari = guest("Kari")
    for n in (3, 4):
        past_games.enter(night, host, game({host: n, kari: -n}))
    phone = browser_of(kari)
    text = phone.get(reverse("home")).content.decode()
    assert "Agree to all" in text and "One by one" in text and '<b class="num">−7</b>' in text
    (evening,) = consent.evenings(consent.questions(kari))
    to = reverse("answer_evening", args=[night.public_id])
    phone.post(to, {"answer": "yes", "key": evening.key, "back": "home"})
    assert history(kari) == [-4, -3]
    later = past_games.enter(night, host, game({host: 1, kari: -1}))
    where = reverse("api_result_consent", args=[later.pk])
    said = phone.post(where, {"agrees": True, "evening": evening.key}, "application/json")
    assert (said.status_code, said.json()["code"]) == (404, "no_question")


def test_an_authors_correction_that_lets_somebody_lose_after_the_yes_asks_again(anna: Player, bert: Player) -> None:
    met(anna, bert)
    result = entered(anna, {anna: 3, bert: -3})
    consent.answer(result.pk, bert, agrees=True)
    assert corrections.correct(result, anna, {0: -1, 1: 1}, "Too much") is not None, "it is better for them"
    more = entered(anna, {anna: 0, bert: 3, "Opa Karl": -3})
    consent.answer(more.pk, bert, agrees=True)
    assert corrections.correct(more, anna, {1: -5, 2: 5}, "Miscounted") is None
    more.table.refresh_from_db()
    (waiting,) = more.table.corrections
    assert waiting["waiting"] == [1]
    with refused("not_asked"):
        corrections.answer(more.table_id, waiting["id"], anna, agrees=True)
    assert corrections.answer(more.table_id, waiting["id"], bert, agrees=True) is not None


# Nobody stands twice, and what is waited for is said


def test_nobody_stands_in_a_sheet_twice_while_a_game_waits(
    night: Night, host: Player, guest: Callable[..., Player]
) -> None:
    kari = guest("Kari")
    agreed = past_games.enter(night, host, game({host: 5, kari: -5}))
    consent.answer(agreed.pk, kari, agrees=True)
    waits = past_games.enter(night, host, game({host: 1, kari: -1}))
    (sheet,) = score_sheets.sheets(night)
    shown = zip((who.name for who in sheet.people), sheet.totals, sheet.waiting, strict=True)
    assert list(shown) == [("Hanna", 6, 1), ("Kari", -6, -1)]
    assert all(len(row.lines) == 2 and None not in row.lines for row in score_sheets.games(night, sheet))
    consent.answer(waits.pk, kari, agrees=False)
    (sheet,) = score_sheets.sheets(night)
    assert sorted(who.name for who in sheet.people)[-1].startswith("not agreed")


def test_sheet_and_owed_say_alike_what_waits_for_whom_and_what_it_would_change(
    night: Night, host: Player, guest: Callable[..., Player], valued: None
) -> None:
    kari = guest("Kari")
    first, second = (past_games.enter(night, host, game({host: n, kari: -n})) for n in (3, 4))
    consent.answer(first.pk, kari, agrees=True)
    (each,) = awaited.of_nights([night])
    assert (each.number, each.people, each.result.pk) == (2, (kari,), second.pk)
    phone = browser_of(kari)
    for name in ("night_results", "night_owed"):
        text = " ".join(phone.get(reverse(name, args=[night.public_id])).content.decode().split())
        assert "waits for Kari: game 2" in text
        assert "What is owed would change by it: Hanna +" in text


@pytest.fixture
def valued(open_table: OpenTable) -> None:
    """Give a point a value at the night, by a table of the game."""
    open_table("chouette", "german", seats=2, **CENTS)


def test_the_season_says_it_too_and_what_it_would_add(night: Night, host: Player, guest: Callable[..., Player]) -> None:
    kari, per = guest("Kari"), guest("Per")
    organiser = account("Olga")
    Membership.objects.create(night=night, player=organiser)
    season = make(organiser, first_day=night.day, last_day=night.day)
    SeasonNight.objects.create(season=season, night=night)
    agreed = past_games.enter(night, host, game({host: 5, kari: -3, per: -2}))
    for player in (kari, per):
        consent.answer(agreed.pk, player, agrees=True)
    past_games.enter(night, host, game({host: 1, kari: -1}))
    text = " ".join(browser(organiser).get(reverse("season", args=[season.public_id])).content.decode().split())
    assert "waits for Kari: game 2" in text
    assert "The standing would change by it: Hanna +1, Kari \u22121" in text


def test_totals_of_an_evening_take_more_people_than_a_table_has(
    night: Night, host: Player, guest: Callable[..., Player]
) -> None:
    people = [host, *(guest(f"P{n}") for n in range(12))]
    lines = [PastLine(one.pk, 12 if one == host else -1) for one in people]
    with pytest.raises(Illegal, match="too_many_seats"):
        past_games.enter(night, host, PastGame("chouette", "german", lines))
    result = past_games.enter(night, host, PastGame("chouette", "german", lines, is_totals=True))
    assert result.is_totals and result.lines.count() == 13
    page = browser_of(host).get(reverse("past_game", args=[night.public_id]), {"game": "chouette", "totals": "yes"})
    assert 'name="points-12"' in page.content.decode() and 'name="totals"' in page.content.decode()
    assert accounts.accounts(night) == []
