"""A past game counts in a person's history when that person has agreed, and nobody's word alone writes history."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import AuditEntry, Membership, Night, Player, Result, ResultLine, Tally
from games.services import form_ids
from games.services.history import (
    consent,
    corrections,
    exports,
    leaderboards,
    past_games,
    player_history,
    score_sheets,
    tallies,
)
from games.services.history.leaderboards import Board
from games.services.history.past_games import PastGame, PastLine
from games.services.history.player_history import Filters
from games.services.nights import membership
from games.services.people import deletion, merging, players
from tests.admin.pages import ask_path
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


def refused(code: str):
    return pytest.raises(Illegal, match=code)


@pytest.fixture
def kari(guest: Callable[..., Player]) -> Player:
    """A member with a phone."""
    return guest("Kari")


@pytest.fixture
def bruno(guest: Callable[..., Player]) -> Player:
    """Another member with a phone."""
    return guest("Bruno")


def game(points: dict[Player, int]) -> PastGame:
    """Return a past game of backgammon with these points."""
    return backgammon(*(PastLine(player.pk, n) for player, n in points.items()))


def backgammon(*lines: PastLine) -> PastGame:
    return PastGame("chouette", "german" if len(lines) > 2 else "money", lines)


def history(player: Player) -> list[int]:
    """Return the points of each line of a player's history."""
    return sorted(player_history.lines_of(player, Filters()).values_list("points", flat=True))


def consents(result: Result) -> list[str]:
    return list(result.lines.order_by("seat").values_list("consent", flat=True))


# Whose word counts


def test_a_past_game_is_in_nobodys_history_before_somebody_other_than_its_author_agrees(
    night: Night, host: Player, kari: Player, bruno: Player
) -> None:
    result = past_games.enter(night, host, game({host: 900, kari: -500, bruno: -400}))
    assert [history(one) for one in (host, kari, bruno)] == [[], [], []]
    assert not Tally.objects.exists()
    consent.answer(result.pk, kari, agrees=True)
    assert [history(one) for one in (host, kari, bruno)] == [[900], [-500], []]
    consent.answer(result.pk, bruno, agrees=False)
    assert consents(result) == ["given", "given", "refused"]
    assert history(bruno) == [] and not Tally.objects.filter(player=bruno).exists()


def test_the_author_cannot_answer_for_anybody(night: Night, host: Player, kari: Player) -> None:
    result = past_games.enter(night, host, game({host: 4, kari: -4}))
    with refused("no_question"):
        consent.answer(result.pk, host, agrees=True)
    assert history(host) == []


def test_a_stranger_and_a_member_without_a_part_are_asked_nothing(
    night: Night, host: Player, kari: Player, bruno: Player, make_player: Callable[[str], Player]
) -> None:
    result = past_games.enter(night, host, game({host: 4, kari: -4}))
    for other in (bruno, make_player("Uli")):
        with refused("no_question"):
            consent.answer(result.pk, other, agrees=True)
        assert consent.questions(other) == []


def test_after_thirty_days_nobody_agrees_any_more(night: Night, host: Player, kari: Player) -> None:
    result = past_games.enter(night, host, game({host: 4, kari: -4}))
    result.entered_at -= timedelta(days=consent.DAYS)
    result.save()
    assert consent.questions(kari) == []
    with refused("no_question"):
        consent.answer(result.pk, kari, agrees=True)
    assert score_sheets.sheets(night)[0].totals == (4, -4)


def test_for_people_without_a_phone_the_host_answers_unless_the_host_is_the_author(
    night: Night, host: Player, kari: Player, bruno: Player, staff: User
) -> None:
    karl = membership.bring(night, host, "Karl")
    by_host = past_games.enter(night, host, game({host: 6, karl: -6}))
    with refused("no_question"):
        consent.answer(by_host.pk, host, agrees=True)
    consent.answer(by_host.pk, staff, agrees=True)
    assert (history(karl), history(host)) == ([-6], [6])
    by_kari = past_games.enter(night, kari, game({kari: 2, karl: -2}))
    consent.answer(by_kari.pk, host, agrees=True)
    assert (history(karl), history(kari)) == ([-6, -2], [2])


def test_where_nobody_else_could_be_asked_the_author_speaks_for_people_without_a_phone(
    night: Night, host: Player
) -> None:
    karl = membership.bring(night, host, "Karl")
    result = past_games.enter(night, host, game({host: 6, karl: -6}))
    assert consents(result) == ["given", "given"]
    assert history(karl) == [-6]


def test_a_person_who_got_a_phone_answers_alone(night: Night, host: Player, kari: Player) -> None:
    karl = membership.bring(night, host, "Karl")
    result = past_games.enter(night, kari, game({kari: 2, karl: -2}))
    Membership.objects.filter(player=karl).update(keeper=None)
    assert consent.questions(host)[0].lines == ()
    consent.answer(result.pk, karl, agrees=True)
    assert history(karl) == [-2]


# Two people of the game


def test_a_players_past_game_stands_in_the_sheet_when_a_second_person_agrees(
    night: Night, host: Player, kari: Player, bruno: Player
) -> None:
    result = past_games.enter(night, kari, game({kari: 8, bruno: -8}))
    assert result.is_proposed and score_sheets.sheets(night) == []
    assert ",entered," not in "".join(map(str, exports.night_file(night, exports.RESULTS).parts))
    api = browser_of(host).get(reverse("api_results"), {"night": night.public_id}).json()
    assert api["results"] == []
    consent.answer(result.pk, bruno, agrees=True)
    assert score_sheets.sheets(night)[0].totals == (8, -8)
    assert (history(kari), history(bruno)) == ([8], [-8])


def test_the_host_lets_a_players_game_stand_and_agrees_for_nobody_with_a_phone(
    night: Night, host: Player, kari: Player, bruno: Player
) -> None:
    result = past_games.enter(night, kari, game({kari: 8, bruno: -8}))
    consent.answer(result.pk, host, agrees=True)
    assert score_sheets.sheets(night)[0].totals == (8, -8)
    assert consents(result) == ["given", "asked"] and history(bruno) == []


def test_a_game_is_taken_back_by_its_author_while_it_counts_for_nobody(
    night: Night, host: Player, kari: Player
) -> None:
    wrong = past_games.enter(night, host, game({host: 4, kari: -4}))
    with refused("no_question"):
        consent.withdraw(wrong.pk, kari)
    consent.withdraw(wrong.pk, host)
    assert not Result.objects.exists() and not night.tables.exists()
    right = past_games.enter(night, host, game({host: 2, kari: -2}))
    consent.answer(right.pk, kari, agrees=True)
    with refused("no_question"):
        consent.withdraw(right.pk, host)


# What a sheet shows


def test_a_line_without_consent_counts_in_the_sheet_and_has_no_name_anywhere(
    night: Night, host: Player, kari: Player, bruno: Player
) -> None:
    result = past_games.enter(night, host, game({host: 5, kari: -3, bruno: -2}))
    consent.answer(result.pk, kari, agrees=True)
    consent.answer(result.pk, bruno, agrees=False)
    (sheet,) = score_sheets.sheets(night)
    assert sheet.totals == (5, -3, -2)
    assert [who.name for who in sheet.people] == ["Hanna", "Kari", "not agreed"]
    assert [who.player_id for who in sheet.people][2] is None
    assert [(each.who.name, each.points) for each in sheet.payments] == [("Kari", 3), ("not agreed", 2)]
    told = "".join(map(str, exports.night_file(night, exports.RESULTS).parts))
    assert "Kari" in told and "Bruno" not in told and "refused" in told
    browser = browser_of(kari)
    shown = browser.get(reverse("night_results", args=[night.public_id])).content.decode()
    assert "not agreed" in shown and "Bruno" not in shown
    lines = browser.get(reverse("api_results"), {"night": night.public_id}).json()["results"][0]["lines"]
    assert [(line["name"], line["player"]) for line in lines][2] == ("", None)
    about = browser.get(reverse("api_results"), {"player": bruno.pk}).json()
    assert about["results"] == []


def test_an_unnamed_line_and_the_own_games_of_a_person_are_columns_of_their_own(
    night: Night, host: Player, kari: Player, bruno: Player
) -> None:
    agreed = past_games.enter(night, host, game({host: 5, kari: -5}))
    consent.answer(agreed.pk, kari, agrees=True)
    other = past_games.enter(night, host, game({host: 1, kari: -1}))
    third = past_games.enter(night, host, game({host: 1, bruno: -1}))
    for result, player in ((other, kari), (third, bruno)):
        consent.answer(result.pk, player, agrees=False)
    (sheet,) = score_sheets.sheets(night)
    totals = {who.name: total for who, total in zip(sheet.people, sheet.totals, strict=True)}
    assert totals["Kari"] == -5 and sum(sheet.totals) == 0
    assert sorted(total for name, total in totals.items() if name.startswith("not agreed")) == [-1, -1, 2]
    rows = score_sheets.games(night, sheet)
    assert [sum(line.points for line in row.lines if line) for row in rows] == [0, 0, 0]


def test_leaderboards_and_other_peoples_histories_know_no_line_without_consent(
    night: Night, host: Player, kari: Player, bruno: Player
) -> None:
    Player.objects.update(is_listed=True)
    result = past_games.enter(night, host, game({host: 5, kari: -3, bruno: -2}))
    consent.answer(result.pk, kari, agrees=True)
    listed = {row.player.nickname for row in leaderboards.rows(Board("chouette", "points"))}
    assert listed == {"Hanna", "Kari"}
    met = player_history.rivals(kari, player_history.lines_of(kari, Filters()))
    assert [rival.nickname for rival in met] == ["Hanna"]
    assert list(player_history.lines_of(kari, Filters(opponent=bruno.pk))) == []
    tallies.rebuild()
    assert not Tally.objects.filter(player=bruno).exists()


def test_a_correction_of_a_line_without_consent_does_not_count_before_its_game_does(
    night: Night, host: Player, kari: Player
) -> None:
    result = past_games.enter(night, host, game({host: 4, kari: -4}))
    corrections.correct(result, host, {0: -1, 1: 1}, "Miscounted")
    assert history(kari) == [] and not Tally.objects.exists()
    consent.answer(result.pk, kari, agrees=True)
    assert history(kari) == [-4, 1]
    assert Tally.objects.get(player=kari, venue=None).points == -3
    tallies.rebuild()
    assert Tally.objects.get(player=kari, venue=None).points == -3


# Bounds


def test_a_past_game_has_at_most_a_thousand_points_and_then_twice_the_largest_agreed_result(
    night: Night, host: Player, kari: Player, staff: User
) -> None:
    for points in (1001, 100_000):
        with refused("bad_points"):
            past_games.enter(night, host, game({host: points, kari: -points}))
    first = past_games.enter(night, host, game({host: 6, kari: -6}))
    # What nobody has agreed to opens no higher bound.
    past_games.enter(night, host, game({host: 1000, kari: -1000}))
    consent.answer(first.pk, kari, agrees=True)
    past_games.enter(night, host, game({host: 12, kari: -12}))
    with refused("bad_points"):
        past_games.enter(night, host, game({host: 13, kari: -13}))
    assert past_games.enter(night, staff, game({host: 100_000, kari: -100_000}))
    with refused("bad_points"):
        past_games.enter(night, staff, game({host: 100_001, kari: -100_001}))


# One id a submit


def test_equal_submits_of_one_form_are_one_result(night: Night, host: Player, kari: Player) -> None:
    told = game({host: 4, kari: -4})
    first = past_games.enter(night, host, told, "form-1")
    assert past_games.enter(night, host, told, "form-1") == first
    assert Result.objects.count() == 1
    with refused("form_changed"):
        past_games.enter(night, host, game({host: 5, kari: -5}), "form-1")
    assert past_games.enter(night, host, told, "form-2") != first


def test_six_equal_posts_of_the_page_and_of_the_api_are_one_result_each(
    night: Night, host: Player, kari: Player
) -> None:
    browser, page = browser_of(host), reverse("past_game", args=[night.public_id])
    typed = {"game": "chicago", "preset": "bavarian", "lines": "4", "form_id": "abc"}
    typed |= {"who-0": host.pk, "points-0": "0", "who-1": "new", "name-1": "Karl", "points-1": "1"}
    assert {browser.post(page, typed).status_code for _ in range(6)} == {302}
    assert Result.objects.count() == 1 and Player.objects.filter(nickname="Karl").count() == 1
    lines = [{"player": host.pk, "points": 0}, {"player": kari.pk, "points": 1}]
    body = json.dumps({"id": "xyz", "game": "chicago", "preset": "bavarian", "lines": lines})
    api = reverse("api_night_past_games", args=[night.public_id])
    answers = [browser.post(api, body, content_type="application/json") for _ in range(6)]
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert Result.objects.count() == 2


# Who may be in it


def test_somebody_new_and_a_removed_person_can_be_in_a_past_game(night: Night, host: Player, kari: Player) -> None:
    membership.remove(night, host, kari.pk)
    lines = [PastLine(host.pk, 3), PastLine(kari.pk, -1), PastLine(None, -2, name="Opa Karl")]
    result = past_games.enter(night, host, backgammon(*lines))
    karl = Player.objects.get(nickname="Opa Karl")
    assert Membership.objects.get(player=karl).keeper == host
    assert consent.questions(kari)[0].result == result
    consent.answer(result.pk, kari, agrees=True)
    assert history(kari) == [-1]
    # A later night of the same host: the same Opa Karl, not a second one.
    friday = membership.host_night(host, "Friday")
    past_games.enter(friday, host, game({host: 1, karl: -1}))
    assert Player.objects.filter(nickname="Opa Karl").count() == 1
    assert Membership.objects.filter(night=friday, player=karl, keeper=host).exists()


def test_a_typed_name_without_a_phone_is_the_person_whom_the_author_has_met(
    night: Night, host: Player, kari: Player, bruno: Player
) -> None:
    first = [PastLine(kari.pk, 3), PastLine(host.pk, -1), PastLine(None, -2, name="Opa Karl")]
    past_games.enter(night, kari, backgammon(*first))
    karl = Player.objects.get(nickname="Opa Karl")
    friday = membership.host_night(host, "Friday")
    for each in (kari, bruno):
        membership.join(friday, each)
    assert karl in past_games.candidates(friday, bruno)
    lines = [PastLine(bruno.pk, 2), PastLine(host.pk, -1), PastLine(None, -1, name=" opa  KARL")]
    form_id = form_ids.new()
    results = [past_games.enter(friday, bruno, backgammon(*lines), form_id) for _ in range(2)]
    assert [line.player for line in results[1].lines.order_by("seat")] == [bruno, host, karl]
    assert results[0] == results[1]
    assert Player.objects.filter(nickname__iexact="opa karl").count() == 1


def test_a_typed_name_is_nobody_with_a_phone_and_nobody_a_stranger_has_met(
    night: Night, host: Player, kari: Player, bruno: Player
) -> None:
    lines = [PastLine(host.pk, 3), PastLine(None, -1, name="Opa Karl"), PastLine(None, -2, name="Kari")]
    result = past_games.enter(night, host, backgammon(*lines))
    assert kari not in {line.player for line in result.lines.all()}
    theirs = membership.host_night(bruno, "Elsewhere")
    stranger = players.new_guest("Uli")
    membership.join(theirs, stranger)
    entered = [PastLine(stranger.pk, 3), PastLine(None, -3, name="Opa Karl")]
    past_games.enter(theirs, stranger, backgammon(*entered))
    assert Player.objects.filter(nickname="Opa Karl").count() == 2


def test_one_person_has_one_line_also_by_a_new_name(night: Night, host: Player) -> None:
    lines = [PastLine(host.pk, 3), PastLine(None, -1, name="Karl"), PastLine(None, -2, name=" KARL ")]
    with refused("player_twice"):
        past_games.enter(night, host, backgammon(*lines))
    assert not Player.objects.filter(nickname__iexact="karl").exists()


# Joining, deleting, taking along


def test_a_written_game_of_two_names_stops_nobody_from_being_joined(
    night: Night, host: Player, kari: Player, bruno: Player
) -> None:
    result = past_games.enter(night, host, game({host: 5, kari: -3, bruno: -2}))
    consent.answer(result.pk, kari, agrees=True)
    merging.merge(bruno, kari)
    assert score_sheets.sheets(night)[0].totals == (5, -3, -2)
    assert history(kari) == [-3]
    assert result.lines.get(seat=2).player is None


def test_questions_go_with_a_person_who_is_joined_with_another(
    night: Night, host: Player, kari: Player, make_player: Callable[[str], Player]
) -> None:
    result = past_games.enter(night, host, game({host: 5, kari: -5}))
    account = make_player("Kari Nordmann")
    merging.merge(kari, account)
    consent.answer(result.pk, account, agrees=True)
    assert history(account) == [-5]


def test_a_deleted_person_is_asked_nothing_and_named_nowhere(
    night: Night, host: Player, kari: Player, bruno: Player, staff: User
) -> None:
    result = past_games.enter(night, kari, game({kari: 5, bruno: -5}))
    deletion.delete(bruno)
    assert consents(result) == ["asked", "refused"]
    deletion.delete(kari)
    result.refresh_from_db()
    assert result.by_name == "Deleted player"
    assert not ResultLine.objects.filter(name__in=["Kari", "Bruno"]).exists()
    assert not AuditEntry.objects.filter(actor_name__in=["Kari", "Bruno"]).exists()


def test_own_data_has_what_others_wrote_and_what_one_wrote(night: Night, host: Player, kari: Player) -> None:
    past_games.enter(night, host, game({host: 5, kari: -5}))
    assert [line["consent"] for line in deletion.own_data(kari)["results"]] == ["asked"]
    assert len(deletion.own_data(host)["past_games_entered"]) == 1


# Pages


@pytest.mark.parametrize("address", ["home", "me", "night_results"])
def test_a_person_is_asked_at_the_front_door_on_the_own_page_and_beside_the_sheet(
    night: Night, host: Player, kari: Player, address: str
) -> None:
    result = past_games.enter(night, host, game({host: 5, kari: -5}))
    browser: Client = browser_of(kari)
    page = reverse(address, args=[night.public_id] if address == "night_results" else [])
    assert "I did not play that" in browser.get(page).content.decode()
    to = reverse("answer_past_game", args=[result.pk])
    assert browser.post(to, {"answer": "yes", "back": address}).status_code == 302
    assert history(kari) == [-5]
    assert "I did not play that" not in browser.get(page).content.decode()
    assert browser.post(to, {"answer": "no", "back": address}).status_code == 302
    assert history(kari) == [-5]


def test_the_api_asks_and_answers(night: Night, host: Player, kari: Player) -> None:
    result = past_games.enter(night, host, game({host: 5, kari: -5}))
    browser = browser_of(kari)
    (asked,) = browser.get(reverse("api_past_games")).json()["past_games"]
    assert (asked["result"], asked["seats"], asked["by"]) == (result.pk, [1], "Hanna")
    to = reverse("api_result_consent", args=[result.pk])
    answer = browser.post(to, json.dumps({"agrees": True}), content_type="application/json")
    assert [line["consent"] for line in answer.json()["lines"]] == ["given", "given"]
    again = browser.post(to, json.dumps({"agrees": True}), content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (404, "no_question")


def test_the_staff_answers_for_people_without_a_phone_in_the_admin(
    night: Night, host: Player, django_user_model: type[User]
) -> None:
    django_user_model.objects.create_superuser("chief", password="x")
    karl = membership.bring(night, host, "Karl")
    result = past_games.enter(night, host, game({host: 5, karl: -5}))
    admin = Client()
    admin.force_login(django_user_model.objects.get(username="chief"))
    admin.post(ask_path("result", "agree", result))
    assert history(karl) == [-5]
