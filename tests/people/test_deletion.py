"""Deleting and taking along: the name goes everywhere, the results stay."""

import json
import re
from datetime import date, timedelta

import pytest
from django.utils import translation
from django.utils.translation import gettext

from games.kernel.contract import Illegal
from games.management.backups import schedule
from games.models import (
    DELETED_NAME,
    AuditEntry,
    ChatMessage,
    LogEntry,
    Night,
    NightEvent,
    Player,
    ResultLine,
    Seat,
    Table,
    Tally,
)
from games.services.chat import chat
from games.services.commands import Actor, Request, new_command_id
from games.services.history import corrections, past_games
from games.services.history.past_games import PastGame, PastLine
from games.services.hosting import claims
from games.services.logs import log_views
from games.services.nights import membership
from games.services.people import deletion, merging, players, tokens
from games.services.seats.sittings import ONLOOKER
from games.services.tables import setup
from games.services.tables.commit import submit
from tests.conftest import answer, choices_at
from tests.tables.host.host_commands import named
from tests.web.pages import browser_of, night_page

pytestmark = pytest.mark.django_db
NAME, OLD_NAME = "Quirinus", "Quirin-Früher"


def do(table: Table, by: Player, name: str, **args: object) -> None:
    submit(table.pk, Actor(by.pk), Request(name, named(table, name, args), new_command_id()))


@pytest.fixture
def guest(night, make_player) -> Player:
    """Somebody with a name that stands in every kind of row that can hold one."""
    player = make_player(OLD_NAME)
    membership.join(night, player)
    players.rename(player, NAME)
    return player


@pytest.fixture
def table(night, host, guest) -> Table:
    """A table where the guest played, talked, left, was nudged, substituted and came back."""
    found = setup.open_table(night, host, "dummygame", "quick", {})
    for player in (host, guest, players.new_guest("Uli")):
        membership.join(night, player)
        setup.sit(found, player, accept=True)
    setup.start(found, host, new_command_id())
    found.refresh_from_db()
    chat.say(found.pk, guest.pk, f"{NAME} says hello.")
    do(found, host, "table.nudge", seat=1)
    answer(found, next(c for c in choices_at(found) if c.seat == 1))
    do(found, guest, "table.leave")
    do(found, host, "table.substitute", seat=1, bot="low")
    do(found, host, "table.substitute", seat=1, player=guest.pk)
    do(found, guest, "table.accept")
    return found


def everything_stored() -> str:
    """Return all text that the database of the house holds, as one string."""
    from django.apps import apps

    rows = []
    for model in apps.get_app_config("games").get_models():
        rows += [json.dumps(row, default=str, ensure_ascii=False) for row in model.objects.values()]
    return "\n".join(rows)


def play_out(table: Table) -> None:
    while open_choices := [c for c in choices_at(table) if c.required]:
        answer(table, open_choices[0])


def test_the_name_is_nowhere_any_more_and_the_results_are(table, guest, host):
    play_out(table)
    result = table.results.first()
    points = {line.seat: line.points for line in result.lines.all()}
    assert NAME in everything_stored()
    assert OLD_NAME in everything_stored()
    deletion.delete(guest)
    left = everything_stored()
    assert NAME not in left
    assert OLD_NAME not in left
    assert {line.seat: line.points for line in result.lines.all()} == points
    assert result.lines.get(seat=1).name == DELETED_NAME
    assert not ChatMessage.objects.filter(player=guest).exists()
    assert not Tally.objects.filter(player=guest).exists()


def test_who_was_deleted_goes_by_a_name_in_the_readers_language(night, host, table, guest):
    play_out(table)
    deletion.delete(guest)
    namesake = players.new_guest(DELETED_NAME)
    membership.join(night, namesake)
    browser = browser_of(host, headers={"accept-language": "de"})
    with translation.override("de"):
        shown = gettext(DELETED_NAME)
    assert shown != DELETED_NAME
    results = browser.get(f"/night/{night.public_id}/results/").content.decode()
    assert shown in results
    assert DELETED_NAME not in results
    assert f"/player/{guest.pk}/" not in results
    page = browser.get(f"/night/{night.public_id}/").content.decode()
    assert shown in page
    assert DELETED_NAME in page, "whoever calls themselves that keeps the name"


def test_the_names_of_the_others_stay_also_where_they_are_the_same(night, host, table, guest):
    other = players.new_guest(NAME)
    membership.join(night, other)
    deletion.delete(guest)
    assert Player.objects.get(pk=other.pk).nickname == NAME
    assert NightEvent.objects.filter(data__name=NAME, data__player=other.pk).exists()
    started = LogEntry.objects.get(table=table, seq=1).events[0]["data"]["seats"]
    assert [seat["name"] for seat in started] == ["Hanna", DELETED_NAME, "Uli"]


def test_the_log_still_leads_to_the_same_state(table, guest):
    from games.management import log_check

    play_out(table)
    deletion.delete(guest)
    table.refresh_from_db()
    assert log_check.faults(table) == []


def test_who_deletes_in_the_middle_of_a_game_stands_up_first(table, guest):
    deletion.delete(guest)
    seat = Seat.objects.get(table=table, index=1)
    assert (seat.player, seat.name) == (None, DELETED_NAME)
    page = log_views.page(table.pk, 0)
    told = json.dumps([log_views.entry_json(entry, ONLOOKER) for entry in page.entries], ensure_ascii=False)
    assert NAME not in told
    assert NAME not in json.dumps(page.snapshot.table, ensure_ascii=False)


def test_the_name_goes_where_the_clock_has_freed_the_seat(host, start_table):
    """A play that is late twice costs the seat: the house tells so within the entry of the game's own command."""
    table = start_table("chouette", "german", seats=3, turn_seconds=30)
    guests = {seat.index: seat.player for seat in table.seats.select_related("player") if seat.player != host}
    for _ in range(60):
        required = [choice for choice in choices_at(table) if choice.required]
        late = next((choice for choice in required if choice.name == "move" and choice.seat in guests), None)
        if late is None:
            answer(table, required[0])
            continue
        submit(table.pk, Actor(), Request("timeout", {"seat": late.seat}, new_command_id()))
        if not Seat.objects.get(table=table, index=late.seat).player_id:
            break
    own = LogEntry.objects.filter(table=table, command__name="timeout").last()
    freed = next(event["data"] for event in own.events if event["type"] == "table.vacated")
    deletion.delete(guests[freed["seat"]])
    assert freed["name"] not in everything_stored()


def test_the_names_of_players_who_were_joined_before_go_too(night, table, guest, make_player):
    account = make_player("Quirl")
    merging.merge(guest, account)
    deletion.delete(account)
    left = everything_stored()
    assert not any(name in left for name in (NAME, OLD_NAME, "Quirl"))


def test_the_names_in_claims_corrections_and_the_audit_go(night, table, guest, host, django_user_model):
    play_out(table)
    guest.user = django_user_model.objects.create_user("q")
    guest.save()
    ole = players.new_guest("Ole")
    membership.join(night, ole)
    claims.decide(night, host, claims.create(night, guest, ole.pk).pk, True)
    membership.give_host(night, host, guest.pk)
    night.refresh_from_db()
    corrections.correct(table.results.first(), guest, {1: 3, 2: -3}, "miscounted")
    assert AuditEntry.objects.filter(actor_name=NAME).exists()
    membership.give_host(night, guest, host.pk)
    deletion.delete(guest)
    left = everything_stored()
    assert NAME not in left
    assert "Ole" not in left


def test_an_old_name_goes_from_a_past_game_that_its_host_entered_for_others(night, host, make_player):
    first, *others = [make_player(name) for name in (OLD_NAME, "Kari", "Bruno")]
    for player in (first, *others):
        membership.join(night, player)
    membership.give_host(night, host, first.pk)
    night.refresh_from_db()
    lines = [PastLine(player.pk, points) for player, points in zip(others, (0, 1), strict=True)]
    past_games.enter(night, first, PastGame("chicago", "bavarian", lines))
    players.rename(first, NAME)
    membership.give_host(night, first, host.pk)
    assert OLD_NAME in everything_stored()
    deletion.delete(first)
    assert OLD_NAME not in everything_stored()


def test_the_name_of_an_account_goes_from_the_audit_of_its_tokens(guest, django_user_model):
    chief = django_user_model.objects.create_superuser("chief")
    guest.user = django_user_model.objects.create_user(NAME)
    guest.save()
    tokens.revoke(guest.user, tokens.create(guest.user, "sheet", by=chief)[0].pk, by=chief)
    assert AuditEntry.objects.filter(data__account=NAME).count() == 2
    deletion.delete(guest)
    assert NAME not in everything_stored()


def test_the_account_goes_with_the_player(guest, django_user_model):
    guest.user = django_user_model.objects.create_user("quirinus", email="q@example.org")
    guest.save()
    deletion.delete(guest)
    assert not django_user_model.objects.filter(username="quirinus").exists()
    assert players.current_player(guest.pk) is None


def test_a_browser_of_the_deleted_is_nobody(night, guest):
    browser = browser_of(guest)
    assert browser.get(night_page(night)).status_code == 200
    deletion.delete(guest)
    assert browser.get(night_page(night)).status_code == 403


def test_who_hosts_an_open_night_hands_it_over_first(night, host, table):
    with pytest.raises(Illegal, match="hosts_a_night"):
        deletion.delete(host)
    membership.close(night, host)
    deletion.delete(host)
    assert Night.objects.get(pk=night.pk).host.nickname == DELETED_NAME


def test_staff_and_who_is_gone_cannot_delete(guest, make_player, django_user_model):
    chief = make_player("Chief")
    chief.user = django_user_model.objects.create_superuser("chief")
    chief.save()
    with pytest.raises(Illegal, match="staff_account"):
        deletion.delete(chief)
    deletion.delete(guest)
    with pytest.raises(Illegal, match="gone_player"):
        deletion.delete(guest)


def test_what_is_taken_along_is_all_of_ones_own_and_nobody_elses(table, guest, django_user_model):
    play_out(table)
    guest.user = django_user_model.objects.create_user("quirinus", email="q@example.org")
    guest.save()
    data = json.loads(json.dumps(deletion.own_data(guest)))
    assert NAME in data["player"]["names"]
    assert data["account"]["email"] == "q@example.org"
    assert [night["name"] for night in data["nights"]] == ["Thursday"]
    assert [row["text"] for row in data["chat"]] == [f"{NAME} says hello."]
    lines = ResultLine.objects.filter(player=guest)
    assert [row["points"] for row in data["results"]] == [line.points for line in lines]
    entries = LogEntry.objects.filter(actor=guest)
    assert {(row["table"], row["seq"]) for row in data["commands"]} == {
        (entry.table.public_id, entry.seq) for entry in entries
    }
    text = json.dumps(data, ensure_ascii=False)
    assert "Hanna" not in text
    assert "Uli" not in text


def test_the_page_says_what_is_struck_and_how_long_backups_hold_it(guest, settings, tmp_path):
    """The term is the backups' own: their last one of a day is thrown away after so many weeks."""
    settings.BACKUP_FOLDER = tmp_path
    page = " ".join(browser_of(guest).get("/me/data/").content.decode().split())
    assert "Reasons of corrections that you wrote, or that name you, are struck" in page
    weeks = int(re.search(r"until the last of them is thrown away, after (\d+) weeks", page)[1])
    there: list[tuple[str, date]] = []
    ages = []
    for number in range(100):
        day = date(2026, 1, 1) + timedelta(days=number)
        stay = schedule.kept([*there, (day.isoformat(), day)])
        there = [(name, date.fromisoformat(name)) for name in stay]
        ages.append((day - min(there)[1]).days)
    assert 7 * (weeks - 2) < max(ages) <= 7 * weeks
    settings.BACKUP_FOLDER = None
    assert "backups" not in browser_of(guest).get("/me/data/").content.decode()
