"""Taking a night over whose host is gone: who may and when, what the new host may not, and the way back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import AuditEntry, Membership, Night, Player, Table
from games.services import server_time
from games.services.commands import Actor, Request, new_command_id
from games.services.history import corrections, past_games
from games.services.hosting import claims, device_transfer, take_over
from games.services.nights import former_hosts, membership, night_rights
from games.services.nights.registry import NIGHT
from games.services.people import bans, deletion, merging, players
from games.services.tables import setup
from games.services.tables.commit import submit
from games.services.tables.registry import COMMANDS
from tests.tables.host.host_commands import named
from tests.web.pages import browser_of, night_do, night_page, page_of

pytestmark = pytest.mark.django_db


def refused(code: str):
    """Assert that a service refuses with a code."""
    return pytest.raises(Illegal, match=f"^\\('{code}'")


@pytest.fixture(autouse=True)
def _house_time() -> Iterator[None]:
    """Give the house its own time back after a test that moved it."""
    jump = server_time.jump()
    yield
    server_time.set_time(server_time.now_ms() + 1000 * (server_time.jump() - jump))


def passes(seconds: float) -> None:
    """Let the house's time pass."""
    server_time.set_time(server_time.now_ms() + 1000 * seconds)


def host_goes(night: Night) -> None:
    """Have the host noted as away, from now on."""
    now = server_time.now()
    Night.objects.filter(pk=night.pk).update(host_away_since=now, host_seen_at=now)


def fresh(night: Night) -> Night:
    """Return the night as it is stored."""
    return Night.objects.select_related("host__user").get(pk=night.pk)


def comes(night: Night, name: str) -> Player:
    """Let somebody into the night a minute after the one before."""
    passes(60)
    player = players.new_guest(name)
    membership.join(night, player)
    return player


@pytest.fixture
def kari(night: Night) -> Player:
    return comes(night, "Kari")


@pytest.fixture
def ola(night: Night, kari: Player) -> Player:
    return comes(night, "Ola")


@pytest.fixture
def taken(night: Night, kari: Player, ola: Player) -> Night:
    """The night after Kari has taken it over."""
    host_goes(night)
    passes(301)
    take_over.take_over(night, kari)
    return fresh(night)


# Who may, and when.


def test_a_stranger_who_has_just_come_does_not_take_over(night, kari) -> None:
    host_goes(night)
    passes(301)
    stranger = comes(night, "Stranger")
    passes(3600)
    with refused("came_later"):
        take_over.take_over(night, stranger)
    take_over.take_over(night, kari)
    assert fresh(night).host == kari


def test_a_stranger_who_takes_a_seat_comes_after_all_who_were_there(night, host, kari, ola, start_table) -> None:
    table = start_table(preset="endless", seats=2)
    guest = table.seats.get(index=1).player
    host_goes(night)
    passes(120)
    stranger = comes(night, "Stranger")
    submit(table.pk, Actor(stranger.pk), Request("table.join", {}, new_command_id()))
    assert list(take_over.times(fresh(night)).at) == [guest.pk, kari.pk, ola.pk, stranger.pk]


def test_who_has_a_seat_at_a_running_table_comes_first_and_the_others_a_minute_later_each(
    night, kari, ola, start_table
) -> None:
    table = start_table(seats=2)
    guest = table.seats.get(index=1).player
    host_goes(night)
    passes(299)
    for player in (guest, kari, ola):
        with refused("host_is_here"):
            take_over.take_over(night, player)
    passes(2)
    assert take_over.times(fresh(night)).may_now == (guest.pk,)
    with refused("others_first"):
        take_over.take_over(night, kari)
    passes(60)
    assert take_over.times(fresh(night)).may_now == (guest.pk, kari.pk)
    passes(60)
    assert take_over.times(fresh(night)).may_now == (guest.pk, kari.pk, ola.pk)
    take_over.take_over(night, ola)
    assert fresh(night).host == ola


def test_a_table_that_the_clock_has_paused_still_counts_and_one_that_waits_or_is_over_does_not(
    night, kari, open_table, start_table
) -> None:
    waiting, paused = open_table(seats=2), start_table(seats=2)
    over = start_table(seats=2)
    Table.objects.filter(pk=paused.pk).update(status=Table.Status.PAUSED)
    Table.objects.filter(pk=over.pk).update(status=Table.Status.FINISHED)
    host_goes(night)
    first = next(iter(take_over.times(fresh(night)).at))
    assert first == paused.seats.get(index=1).player_id
    assert {waiting.seats.get(index=1).player_id, over.seats.get(index=1).player_id} <= set(
        take_over.times(fresh(night)).at
    )


def test_who_sat_down_again_has_the_time_of_the_present_sitting(night, host, start_table) -> None:
    table = start_table(seats=3)
    first, second = (table.seats.get(index=index).player for index in (1, 2))
    submit(
        table.pk,
        Actor(host.pk),
        Request("table.kick", named(table, "table.kick", {"seat": 1}), new_command_id()),
    )
    submit(
        table.pk,
        Actor(host.pk),
        Request("table.substitute", {"seat": 1, "sitter": None, "player": first.pk}, new_command_id()),
    )
    host_goes(night)
    assert list(take_over.times(fresh(night)).at)[:2] == [second.pk, first.pk]


@pytest.mark.parametrize("who", ["no phone", "waiting", "removed", "banned", "stranger"])
def test_whoever_cannot_run_the_night_is_passed_over(night, host, kari, who) -> None:
    ola = players.new_guest("Ola")
    if who == "no phone":
        ola = membership.bring(night, kari, "Ola")
    elif who != "stranger":
        membership.join(night, ola)
    if who == "waiting":
        Membership.objects.filter(player=ola).update(status=Membership.Status.WAITING)
    elif who == "removed":
        membership.remove(night, host, ola.pk)
    elif who == "banned":
        Player.objects.filter(pk=ola.pk).update(banned_at=server_time.now())
    host_goes(night)
    passes(3600)
    assert list(take_over.times(fresh(night)).at) == [kari.pk]
    with pytest.raises(Illegal):
        take_over.take_over(night, ola)
    assert fresh(night).host == host


def test_where_nobody_was_there_before_anybody_may(night) -> None:
    host_goes(night)
    passes(60)
    first, second = comes(night, "First"), comes(night, "Second")
    passes(300)
    assert set(take_over.times(fresh(night)).may_now) == {first.pk, second.pk}
    take_over.take_over(night, second)
    assert fresh(night).host == second


def test_at_a_night_of_an_account_that_nobody_can_log_in_to_any_member_may_and_may_all(night, host, kari) -> None:
    host.user = User.objects.create_user("closed", is_active=False)
    host.save()
    host_goes(night)
    passes(301)
    stranger = comes(night, "Stranger")
    take_over.take_over(night, stranger)
    membership.close(fresh(night), stranger)
    assert fresh(night).status == Night.Status.CLOSED


def test_a_host_whose_process_died_counts_as_gone_from_when_they_were_last_seen(night, kari) -> None:
    seen_at = server_time.now()
    stranger = comes(night, "Stranger")
    passes(60)
    Night.objects.update(host_away_since=server_time.now(), host_seen_at=seen_at)
    assert list(take_over.times(fresh(night)).at) == [kari.pk]
    assert stranger.pk not in take_over.times(fresh(night)).at


def test_of_two_who_take_over_one_does_and_the_other_is_told(night, kari, ola) -> None:
    host_goes(night)
    passes(600)
    take_over.take_over(night, ola)
    with refused("host_is_here"):
        take_over.take_over(night, kari)
    assert fresh(night).host == ola


# The way back.


def test_the_old_host_takes_the_night_back_with_one_tap(taken, host, kari) -> None:
    browser = browser_of(host)
    assert night_do(taken, "reclaim") in browser.get(night_page(taken)).content.decode()
    assert night_do(taken, "reclaim") not in browser_of(kari).get(night_page(taken)).content.decode()
    browser.post(night_do(taken, "reclaim"))
    night = fresh(taken)
    assert (night.host, night.former_hosts, night.host_away_since) == (host, [], None)
    membership.close(night, host)


def test_nobody_else_takes_it_back(taken, kari, ola) -> None:
    for player in (kari, ola):
        with refused("not_former_host"):
            take_over.reclaim(taken, player)
        assert browser_of(player).post(night_do(taken, "reclaim")).status_code == 403


def test_the_next_day_the_old_host_asks_like_everybody_else(taken, host) -> None:
    passes(12 * 3600)
    with refused("not_former_host"):
        take_over.reclaim(taken, host)
    assert night_do(taken, "reclaim") not in browser_of(host).get(night_page(taken)).content.decode()


def test_a_closed_night_is_taken_back_by_nobody_and_taken_over_by_nobody(taken, host, kari, ola) -> None:
    passes(1000)
    membership.close(fresh(taken), kari)
    with refused("night_closed"):
        take_over.reclaim(taken, host)
    host_goes(taken)
    passes(1000)
    with refused("night_closed"):
        take_over.take_over(taken, ola)


def test_whoever_hands_the_night_on_by_their_own_will_has_no_way_back(night, host, kari) -> None:
    membership.give_host(night, host, kari.pk)
    with refused("not_former_host"):
        take_over.reclaim(night, host)
    membership.close(fresh(night), kari)


def test_after_a_second_take_over_the_first_host_and_the_second_both_may_come_back(taken, host, kari, ola) -> None:
    host_goes(taken)
    passes(500)
    take_over.take_over(taken, ola)
    take_over.reclaim(taken, kari)
    assert former_hosts.ids(fresh(taken)) == [host.pk]
    take_over.reclaim(taken, host)
    assert fresh(taken).host == host
    for player in (kari, ola):
        with refused("not_former_host"):
            take_over.reclaim(taken, player)


# What the new host may not.


@pytest.fixture(params=["the taker", "a third person", "a second taker", "the first one again"])
def new_host(request, taken, kari, ola) -> Player:
    """Whoever is host after a take-over, by whatever way."""
    if request.param == "the taker":
        return kari
    if request.param == "a second taker":
        host_goes(taken)
        passes(500)
        take_over.take_over(taken, ola)
        return ola
    membership.give_host(taken, kari, ola.pk)
    if request.param == "a third person":
        return ola
    membership.give_host(fresh(taken), ola, kari.pk)
    return kari


def test_the_old_host_is_shown_no_door_whoever_has_the_night_meanwhile(taken, host, new_host) -> None:
    passes(3600)
    with refused("former_host_stays"):
        membership.remove(fresh(taken), new_host, host.pk)
    answer = browser_of(new_host).post(night_do(taken, "remove"), {"player": host.pk}, follow=True)
    assert "tonight nobody shows them the door" in answer.content.decode()
    with refused("former_host_stays"):
        membership.mute(fresh(taken), new_host, host.pk)
    assert night_rights.is_inside(taken, host)
    take_over.reclaim(taken, host)


def test_the_night_is_not_closed_for_a_quarter_of_an_hour(taken, new_host) -> None:
    passes(14 * 60)
    with refused("taken_over_lately"):
        membership.close(fresh(taken), new_host)
    assert browser_of(new_host).post(night_do(taken, "close")).status_code == 302
    assert fresh(taken).status == Night.Status.OPEN
    passes(61)
    membership.close(fresh(taken), new_host)


SETTLING = sorted(name for name, act in COMMANDS.items() if act.settles)


def test_every_act_that_ends_a_table_or_makes_a_result_is_one_that_waits() -> None:
    assert SETTLING == [
        "table.close", "table.close_after", "table.end", "table.forfeit", "table.state_result", "table.take_back",
        "table.take_back_game",
    ]  # fmt: skip


ARGS = {"table.forfeit": {"seat": 0}, "table.take_back": {"seat": 0}, "table.state_result": {"result": {}}}


@pytest.mark.parametrize("name", SETTLING)
def test_no_table_is_ended_and_no_result_made_for_a_quarter_of_an_hour(night, host, kari, start_table, name) -> None:
    table = start_table(seats=2)
    host_goes(night)
    passes(3600)
    take_over.take_over(night, kari)
    request = Request(name, ARGS.get(name, {}), new_command_id())
    with refused("taken_over_lately"):
        submit(table.pk, Actor(kari.pk), request)
    passes(901)
    try:
        submit(table.pk, Actor(kari.pk), request)
    except Illegal as refusal:
        assert refusal.code != "taken_over_lately"


def test_the_new_host_keeps_the_game_going(night, host, kari, start_table) -> None:
    table = start_table(seats=2)
    host_goes(night)
    passes(3600)
    take_over.take_over(night, kari)
    for name, args in (
        ("table.pause", {}),
        ("table.resume", {}),
        ("table.substitute", {"seat": 0, "sitter": host.pk, "bot": "low"}),
    ):
        submit(table.pk, Actor(kari.pk), Request(name, args, new_command_id()))
    assert table.seats.get(index=0).bot_level == "low"


@pytest.fixture
def result(night, host, kari, ola):
    """A game that the host entered before they were gone."""
    lines = [past_games.PastLine(kari.pk, 5), past_games.PastLine(ola.pk, -5)]
    game = past_games.PastGame("dummygame", "quick", lines)
    return past_games.enter(night, host, game)


def test_no_result_is_corrected_for_a_quarter_of_an_hour(night, host, result) -> None:
    third = comes(night, "Third")
    host_goes(night)
    passes(3600)
    take_over.take_over(night, third)
    with refused("taken_over_lately"):
        corrections.correct(result, third, {0: -2, 1: 2}, "So.")
    passes(901)
    assert corrections.correct(result, third, {0: -2, 1: 2}, "So.")


def test_the_new_host_proposes_as_a_player_does_and_answers_for_nobody(night, host, kari, ola, result) -> None:
    host_goes(night)
    passes(3600)
    take_over.take_over(night, kari)
    assert corrections.correct(result, kari, {0: 2, 1: -2}, "So.") is None
    waiting = Table.objects.get(pk=result.table_id).corrections[0]["id"]
    with refused("not_asked"):
        corrections.answer(result.table_id, waiting, kari, agrees=True)
    assert corrections.answer(result.table_id, waiting, ola, agrees=True)


def test_no_past_game_is_entered_for_a_quarter_of_an_hour(taken, kari, ola) -> None:
    lines = [past_games.PastLine(kari.pk, 5), past_games.PastLine(ola.pk, -5)]
    game = past_games.PastGame("dummygame", "quick", lines)
    with refused("taken_over_lately"):
        past_games.enter(fresh(taken), kari, game)
    passes(901)
    assert past_games.enter(fresh(taken), kari, game)


def test_a_lock_another_code_and_a_full_night_keep_no_old_host_out(taken, host, kari) -> None:
    membership.set_lock(taken, kari, True)
    membership.rotate_code(fresh(taken), kari)
    membership.set_admission(fresh(taken), kari, by_hand=True, cap=2)
    assert membership.join(fresh(taken), host).status == Membership.Status.IN
    assert browser_of(host).get(night_page(taken)).status_code == 200
    take_over.reclaim(taken, host)


def test_nobody_becomes_the_old_host_by_the_word_of_the_new_one(taken, host, kari, ola) -> None:
    with refused("host_not_on_offer"):
        device_transfer.request_move(taken, host.pk)
    account = players.new_guest("Eve")
    account.user = User.objects.create_user("eve")
    account.save()
    membership.join(taken, account)
    assert host not in claims.claimable(taken, account)
    with refused("no_such_player"):
        claims.create(taken, account, host.pk)


def test_a_claim_on_the_old_host_of_before_waits_for_their_own_device(night, host, kari) -> None:
    elsewhere = membership.host_night(kari, "Friday")
    guest = comes(elsewhere, "Hanna on Friday")
    account = players.new_guest("Eve")
    account.user = User.objects.create_user("eve")
    account.save()
    membership.join(elsewhere, account)
    claim = claims.create(elsewhere, account, guest.pk)
    taken_night = membership.host_night(guest, "Saturday")
    membership.join(taken_night, kari)
    host_goes(taken_night)
    passes(3600)
    take_over.take_over(taken_night, kari)
    decision = claims.decide(elsewhere, kari, claim.pk, True)
    assert not decision.is_done
    assert Player.objects.get(pk=guest.pk).is_somebody


def test_the_old_host_who_is_joined_with_an_account_has_the_way_back_under_it(taken, host, kari) -> None:
    account = players.new_guest("Hanna's account")
    account.user = User.objects.create_user("hanna")
    account.save()
    membership.join(taken, account)
    membership.remove(taken, kari, account.pk)
    merging.merge(host, account)
    assert former_hosts.ids(fresh(taken)) == [account.pk]
    assert night_rights.is_inside(taken, account)
    take_over.reclaim(taken, account)


def test_who_took_over_and_is_the_old_host_by_another_phone_is_host_without_bounds(taken, host, kari) -> None:
    merging.merge(kari, host)
    night = fresh(taken)
    assert (night.host, night.former_hosts) == (host, [])


def test_a_deleted_or_banned_old_host_has_no_way_back(taken, host, kari) -> None:
    bans.ban(host, User.objects.create_user("bar", is_staff=True))
    assert fresh(taken).former_hosts == []
    assert not night_rights.is_inside(taken, host)
    host_goes(taken)
    passes(3600)
    ola = Player.objects.get(nickname="Ola")
    take_over.take_over(taken, ola)
    deletion.delete(kari)
    assert fresh(taken).former_hosts == []


def test_the_staff_close_a_night_that_was_taken_over(taken, kari) -> None:
    membership.close(taken, kari, User.objects.create_user("bar", is_staff=True))
    assert fresh(taken).status == Night.Status.CLOSED


# What the pages say.


def page_of_night(night: Night, player: Player) -> str:
    """Return the night's page as a player sees it, in one line."""
    return " ".join(browser_of(player).get(night_page(night)).content.decode().split())


def test_the_page_tells_who_may_take_over_and_when_it_is_ones_own_turn(night, kari, ola) -> None:
    host_goes(night)
    passes(100)
    assert "You may take over from" in page_of_night(night, ola)
    assert "Kari may take over as host from" in page_of_night(night, ola)
    passes(205)
    assert night_do(night, "take_over") in page_of_night(night, kari)
    page = page_of_night(night, ola)
    assert "These may take over as host now: Kari." in page
    assert "You may take over from" in page
    assert night_do(night, "take_over") not in page
    stranger = comes(night, "Stranger")
    page = page_of_night(night, stranger)
    assert "those who were here before take over" in page
    assert night_do(night, "take_over") not in page


def test_the_waiting_room_offers_the_night_back_and_leads_back_to_it(taken, host, kari) -> None:
    table = setup.open_table(taken, kari, "dummygame", "quick", {})
    browser = browser_of(host)
    assert night_do(taken, "reclaim") in browser.get(page_of(table)).content.decode()
    answer = browser.post(night_do(taken, "reclaim"), {"table": table.public_id})
    assert answer.headers["Location"] == reverse("table", args=[table.public_id])
    assert fresh(taken).host == host


def test_the_night_tells_that_it_was_taken_back_and_the_audit_keeps_it(taken, host) -> None:
    NIGHT.carry_out(taken, host, "reclaim", {})
    assert taken.events.first().type == "host_reclaimed"
    assert AuditEntry.objects.filter(act="night_host_reclaimed", night=taken, player=host).exists()
    assert set(NIGHT) >= {"take_over", "reclaim"}
