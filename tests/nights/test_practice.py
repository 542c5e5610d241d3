"""Playing the computer and studying a position: at once, alone, found by nobody, counted nowhere."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings
from django.core.cache import cache
from django.urls import reverse

from games import plugin
from games.kernel.contract import Illegal
from games.models import LogEntry, Membership, Night, Player, Table, Tally
from games.services.commands import Actor, Request, new_command_id
from games.services.history import player_history
from games.services.hosting import abandoned_nights, practice
from games.services.house_rules.sets import SetKeeper
from games.services.nights import membership
from games.services.nights.agreement import hosts_of
from games.services.nights.registry import NIGHT
from games.services.people import deletion, players
from games.services.tables.commit import submit
from tests.web.pages import browser_of, night_do, read

pytestmark = pytest.mark.django_db

WAYS = [(game.game_id, way) for game in plugin.all_games().values() for way in game.practice]
AFTER_31 = "sGfwATDgc/ABMA"
BOARD = " +13-14-15-16-17-18------19-20-21-22-23-24-+     X: Anna\n" * 20
IN_THE_MIDDLE = "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:0:0:0:0:10"


@pytest.fixture(autouse=True)
def _no_counts() -> None:
    cache.clear()


def begun(browser: Any, game_id: str = "chouette", way: str = "match_3") -> Table:
    answer = browser.post(reverse("practice", args=[game_id]), {"way": way, "nonce": "7" * 32})
    assert answer.status_code == 302
    return Table.objects.get(public_id=answer["Location"].split("/")[2])


@pytest.mark.parametrize(("game_id", "way"), WAYS, ids=lambda v: v if isinstance(v, str) else v.id)
def test_a_stranger_plays_every_offer_at_once(game_id: str, way: plugin.Practice) -> None:
    browser = browser_of()
    table = begun(browser, game_id, way.id)
    assert table.status == Table.Status.PLAYING
    assert sorted(bool(seat.bot_level) for seat in table.seats.all()) == [False] + [True] * way.bots
    assert browser.get(reverse("table", args=[table.public_id])).status_code == 200
    assert table.seats.get(bot_level="").nonce == "7" * 32


def test_the_front_page_offers_all_of_it_and_the_way_back() -> None:
    browser = browser_of()
    page = read(browser.get("/").content.decode())
    actions = {form.attrs.get("action") for form in page.all("form")}
    assert {reverse("practice", args=[game_id]) for game_id, _ in WAYS} <= actions
    assert page.all("a", href=reverse("study", args=["chouette"]))
    table = begun(browser)
    page = read(browser.get("/").content.decode())
    assert page.all("a", href=reverse("table", args=[table.public_id]))
    assert not page.all("a", href=reverse("night", args=[table.night.public_id]))


def test_a_new_game_ends_the_one_before_in_the_same_night() -> None:
    browser = browser_of()
    first, second = begun(browser), begun(browser, "chicago", "bavarian")
    first.refresh_from_db()
    assert (first.status, first.night_id) == (Table.Status.FINISHED, second.night_id)
    assert practice.running(second.night.host) == second


def test_nobody_else_comes_into_a_practice_night() -> None:
    table = begun(browser_of())
    night, stranger = table.night, players.new_guest("Eve")
    assert night.code is None
    browser = browser_of(stranger)
    for name in ("night", "night_results"):
        assert browser.get(reverse(name, args=[night.public_id])).status_code == 403
    assert browser.get(reverse("table", args=[table.public_id])).status_code == 403
    assert browser.post(reverse("join_link", args=[night.public_id, night.token("join")]), {"nickname": "Eve"})
    assert not Membership.objects.filter(player=stranger).exists()
    with pytest.raises(Illegal, match="night_locked"):
        membership.join(night, stranger)


@pytest.mark.parametrize("act", ["unlock", "lock", "rotate", "admission", "give_host"])
def test_a_practice_night_cannot_be_opened(act: str) -> None:
    night = begun(browser_of()).night
    with pytest.raises(Illegal, match="practice_night"):
        NIGHT.check(night, night.host, act)
    browser_of(night.host).post(night_do(night, act), {"by_hand": "", "cap": "60", "player": night.host.pk})
    night.refresh_from_db()
    assert (night.status, night.code) == (Night.Status.LOCKED, None)


def test_its_page_shows_no_way_in() -> None:
    night = begun(browser_of()).night
    html = browser_of(night.host).get(reverse("night", args=[night.public_id])).content.decode()
    assert night.token("join") not in html
    assert night.token("tv") not in html
    assert "None" not in html


def test_practice_counts_in_no_tally_no_history_and_opens_no_leaderboard() -> None:
    browser = browser_of()
    table = begun(browser, "chouette", "money")
    me = table.night.host
    seat = table.seats.get(player=me).index
    submit(table.pk, Actor(me.pk), Request("table.leave", {"seat": seat}, new_command_id()))
    assert not Tally.objects.exists()
    assert not player_history.lines_of(me, player_history.Filters()).exists()
    assert not player_history.may_browse(me)
    assert "They open with your first night here" in browser.get(reverse("leaders")).content.decode()
    assert not SetKeeper(me).may_make


def test_practice_takes_nothing_from_hosting_and_does_not_bind_anybody(settings: Any) -> None:
    settings.NIGHTS_PER_HOST = 1
    me = begun(browser_of()).night.host
    night = membership.host_night(me, "Thursday")
    membership.close(night, me)
    assert hosts_of(me) == {me.pk}
    Night.objects.filter(pk=night.pk).delete()
    assert hosts_of(me) == set()
    deletion.delete(me)
    assert not Night.objects.filter(is_practice=True).exists()


def test_a_stranger_opens_no_thousands() -> None:
    address = reverse("practice", args=["chouette"])
    codes = [browser_of().post(address, {"way": "match_3"}).status_code for _ in range(22)]
    assert codes == [302] * 20 + [429] * 2


def test_a_full_house_lets_nobody_begin_until_somebody_has_rested(settings: Any) -> None:
    settings.PRACTICE_NIGHTS = 1
    first = begun(browser_of())
    refused = browser_of().post(reverse("practice", args=["chouette"]), {"way": "match_3"})
    assert refused.status_code == 429
    assert Player.objects.count() == 1
    LogEntry.objects.filter(table=first).update(created_at=datetime.now(UTC) - timedelta(hours=1))
    second = begun(browser_of())
    first.refresh_from_db()
    assert (first.status, second.status) == (Table.Status.FINISHED, Table.Status.PLAYING)
    assert practice.open_nights().count() == 1


def test_what_nobody_uses_is_closed_like_any_night_and_deleted_later() -> None:
    first = begun(browser_of())
    assert abandoned_nights.close_all(datetime.now(UTC) + timedelta(hours=25)) == 1
    Night.objects.filter(pk=first.night_id).update(closed_at=datetime.now(UTC) - timedelta(days=31))
    begun(browser_of())
    assert not Night.objects.filter(pk=first.night_id).exists()


@pytest.mark.parametrize(
    ("game_id", "way", "level"), [("chouette", "nonsense", ""), ("nonsense", "match_3", ""), ("chouette", "", "god")]
)
def test_what_is_not_on_offer_is_refused_and_makes_nobody(game_id: str, way: str, level: str) -> None:
    answer = browser_of().post(f"/play/{game_id}/", {"way": way or "match_3", "level": level})
    assert 400 <= answer.status_code < 500
    assert not Player.objects.exists()


@pytest.mark.parametrize("first", ["me", "bot"])
@pytest.mark.parametrize("text", [AFTER_31, f"{AFTER_31}:cAkKAAAAAAAA", IN_THE_MIDDLE])
def test_a_position_is_played_out_by_whoever_is_to_move(text: str, first: str) -> None:
    browser = browser_of()
    answer = browser.post(reverse("study", args=["chouette"]), {"position": text, "first": first})
    table = Table.objects.get(public_id=answer["Location"].split("/")[2])
    assert table.options["start_position"] == text
    assert table.seats.get(index=0).bot_level == ("" if first == "me" else "net")
    assert table.status == Table.Status.PLAYING


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"What now?\n\n{IN_THE_MIDDLE}\n\nX:Anna   O:Bert\nScore is X:0 O:0.\n{BOARD}", IN_THE_MIDDLE),
        (f" GNU Backgammon  Position ID: {AFTER_31}\n   Match ID : cAkKAAAAAAAA\n{BOARD}", f"{AFTER_31}:cAkKAAAAAAAA"),
        (f"GNUBGID {AFTER_31}:cAkKAAAAAAAA", f"{AFTER_31}:cAkKAAAAAAAA"),
        (f"My recommendation: {AFTER_31}", AFTER_31),
        (f"https://example.org/?position={quote(IN_THE_MIDDLE)}", IN_THE_MIDDLE),
        (f"{IN_THE_MIDDLE[:30]}\r\n{IN_THE_MIDDLE[30:]}", IN_THE_MIDDLE),
        (
            "OGID=11ccccchhhjjjjj:66666888dddddoo:W1N:13:B:R:0:0:0:4",
            "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:0:0:0:0:10",
        ),
    ],
)
def test_the_first_id_is_found_in_what_other_programs_put_on_the_clipboard(text: str, kept: str) -> None:
    answer = browser_of().post(reverse("study", args=["chouette"]), {"position": text})
    assert Table.objects.get(public_id=answer["Location"].split("/")[2]).options["start_position"] == kept


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hello", "14 characters"),
        ("/////////////w", "more checkers"),
        ("AQAAAAAAAgAAAA", "on one point"),
        ("AAAAAAAAAAAAAA", "nobody has any checkers left"),
        ("4HPwATDgc/ABMA:cA8AAAAAAAAA", "match id"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00", "ten fields"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:77:0:0:0:0:10", "fifth field"),
        ("XGID=-b----E-C---eE---c-e----B-:0:9:1:31:0:0:0:0:10", "a number"),
        ("XGID=-b----E-C:0:0:1:31:0:0:0:0:10", "26 characters"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10", "offered"),
        ("<script>" * 40, "That is too long"),
        ("a\x00b", "can be shown"),
    ],
)
def test_a_bad_position_says_at_its_field_what_is_wrong_and_makes_nobody(text: str, why: str) -> None:
    answer = browser_of().post(reverse("study", args=["chouette"]), {"position": text})
    assert answer.status_code == 400
    page = read(answer.content.decode())
    said = page.by_id("position-error")
    assert said is not None and why in answer.content.decode()
    assert not Player.objects.exists() and not Night.objects.exists()


def test_a_game_without_positions_has_no_study_page() -> None:
    assert browser_of().get("/study/chicago/").status_code == 404
    assert settings.PRACTICE_NIGHTS > 0
