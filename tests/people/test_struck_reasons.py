"""Reasons that a person wrote, and those that name the person, go with the person's data."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import CHANGE
from django.contrib.admin.models import LogEntry as AdminEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.test import Client

from chouette.board.gnubg_id import position_id
from games.live.rooms import relay
from games.management import log_check
from games.models import STRUCK, AuditEntry, LogEntry, Player, Result, Table
from games.services import publication
from games.services.commands import Actor, Request, new_command_id
from games.services.history import corrections
from games.services.people import bans, deletion, tokens
from games.services.storage import log_files
from games.services.tables import log, snapshot
from games.services.tables.commit import submit
from tests.chouette.table import TEAM_WINS
from tests.conftest import choices_at
from tests.history.test_corrections import play_a_game, players
from tests.people.test_deletion import everything_stored
from tests.tables.host.host_commands import act
from tests.tables.test_log import play_out
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
OWN, OTHERS = "The Riesling was to blame", "Counted twice"


@pytest.fixture
def sheet(start_table: Callable[..., Table]) -> Result:
    """The first result of a chouette of four at a table that goes on."""
    table = start_table("chouette", "german", seats=4, start_position=position_id(TEAM_WINS), grace_seconds=0)
    play_a_game(table)
    return table.results.get()


def leaver_of(sheet: Result, host: Player) -> tuple[int, Player]:
    return next((seat, player) for seat, player in players(sheet).items() if player != host)


def pay(sheet: Result, seat: int, reason: str) -> None:
    """Let a player give points to another on the sheet, for a reason."""
    choice = next(each for each in choices_at(sheet.table) if each.name == "correct" and each.seat == seat)
    args = {**choice.options[0], "reason": reason}
    payer = players(sheet)[seat]
    submit(sheet.table_id, Actor(payer.pk), Request("correct", args, new_command_id(), choice.opened_at))


def reasons_left(table: Table) -> str:
    """Return what the database and the house's memory hold of a table and of the audit."""
    table.refresh_from_db()
    kept = table.results.model.objects.values_list("note", flat=True)
    return everything_stored() + repr(log.state_of(table)) + repr(list(kept))


@pytest.mark.parametrize("how", ["own payment", "by the host", "beside the sheet"])
def test_a_reason_that_the_person_wrote_is_struck_and_others_stay(sheet: Result, host: Player, how: str) -> None:
    seat, leaver = leaver_of(sheet, host)
    others = [each for each in players(sheet) if each != seat]
    if how == "own payment":
        pay(sheet, seat, OWN)
    elif how == "by the host":
        assert corrections.correct(sheet, leaver, {seat: 1, others[0]: -1}, OWN) is None
        (found,) = Table.objects.get(pk=sheet.table_id).corrections
        corrections.answer(sheet.table_id, found["id"], players(sheet)[others[0]], agrees=True)
    else:
        act(sheet.table, host, "end")
        assert corrections.correct(sheet, leaver, {seat: -1, others[0]: 1}, OWN) is not None
    corrections.correct(sheet, host, {others[0]: -2, others[1]: 2}, OTHERS)
    snapshot.keep(log.snapshot_of(Table.objects.get(pk=sheet.table_id)))
    before = reasons_left(sheet.table)
    assert OWN in before
    deletion.delete(leaver)
    left = reasons_left(sheet.table)
    assert OWN not in left
    assert STRUCK in left and OTHERS in left
    assert log_check.faults(Table.objects.get(pk=sheet.table_id)) == []


def test_a_reason_that_names_the_person_is_struck_whoever_wrote_it(sheet: Result, host: Player) -> None:
    _, leaver = leaver_of(sheet, host)
    one, two = [each for each, player in players(sheet).items() if player not in (leaver, host)]
    Player.objects.filter(pk=leaver.pk).update(nickname="Kari")
    corrections.correct(sheet, host, {one: -2, two: 2}, "karis Zettel war falsch")
    corrections.correct(sheet, host, {one: -1, two: 1}, "Karin hat recht")
    deletion.delete(Player.objects.get(pk=leaver.pk))
    left = reasons_left(sheet.table)
    assert "karis Zettel" not in left
    assert "Karin hat recht" in left
    assert log_check.faults(Table.objects.get(pk=sheet.table_id)) == []


def test_a_correction_that_waits_goes_on_without_the_reason_of_who_proposed_it(sheet: Result, host: Player) -> None:
    seat, leaver = leaver_of(sheet, host)
    other = next(each for each, player in players(sheet).items() if player not in (leaver, host))
    corrections.correct(sheet, leaver, {seat: 1, other: -1}, OWN)
    deletion.delete(leaver)
    (found,) = Table.objects.get(pk=sheet.table_id).corrections
    assert found["reason"] == STRUCK
    row = corrections.answer(sheet.table_id, found["id"], players(sheet)[other], agrees=True)
    assert row is not None and row.note == STRUCK
    assert OWN not in reasons_left(sheet.table)


def test_a_reason_in_a_log_that_is_a_file_by_now_is_struck_too(sheet: Result, host: Player) -> None:
    seat, leaver = leaver_of(sheet, host)
    pay(sheet, seat, OWN)
    act(sheet.table, host, "end")
    table = Table.objects.get(pk=sheet.table_id)
    log_files.compress(table.pk)
    deletion.delete(leaver)
    assert not LogEntry.objects.filter(table=table, command__args__reason=OWN).exists()
    assert OWN not in reasons_left(table)
    assert log_check.faults(Table.objects.get(pk=table.pk)) == []


def test_the_game_goes_on_after_a_reason_was_struck(sheet: Result, host: Player) -> None:
    seat, leaver = leaver_of(sheet, host)
    pay(sheet, seat, OWN)
    deletion.delete(leaver)
    table = Table.objects.get(pk=sheet.table_id)
    table = play_out(table, table.seq + 12)
    assert OWN not in reasons_left(table)
    assert log_check.faults(table) == []


def test_another_process_forgets_a_table_whose_log_was_rewritten(sheet: Result) -> None:
    snapshot.keep(log.snapshot_of(Table.objects.get(pk=sheet.table_id)))
    news = publication.LogRewritten(sheet.table_id, sheet.table.public_id)
    message = relay._message(news)
    assert relay.group_of(message) == relay.EVERYBODY
    assert snapshot.cached(sheet.table_id) is not None
    relay.receive(SimpleNamespace(table_touched=lambda table_id: None), {**message, "origin": "another process"})
    assert snapshot.cached(sheet.table_id) is None


def test_a_ban_that_names_the_person_keeps_no_reason(
    make_player: Callable[[str], Player], django_user_model: type[User]
) -> None:
    chief = django_user_model.objects.create_superuser("chief")
    kari, per = make_player("Kari"), make_player("Per")
    bans.ban(per, chief, "Insulted Kari at the bar")
    deletion.delete(kari)
    assert AuditEntry.objects.get(act="player_banned").data["reason"] == STRUCK


def test_what_an_account_has_left_beside_its_player_goes_too(
    make_player: Callable[[str], Player], django_user_model: type[User]
) -> None:
    """The names of its tokens, its acts when it was of the staff, what the admin noted, and its other browsers."""
    chief = django_user_model.objects.create_superuser("chief")
    user = django_user_model.objects.create_user("quirinus-77", "quirinus@example.org", "pw", is_staff=True)
    leaver = make_player("Quirl")
    leaver.user = user
    leaver.save()
    bans.ban(make_player("Per"), user, "Loud")
    tokens.create(user, "Quirinus' own sheet", by=chief)
    kind = ContentType.objects.get_for_model(User)
    AdminEntry.objects.create(
        user=chief, content_type=kind, object_id=user.pk, object_repr=str(user), action_flag=CHANGE, change_message="x"
    )
    browser = Client()
    assert browser.post("/account/login/", {"login": "quirinus-77", "password": "pw"}).status_code == 302
    browser.get("/account/devices/")
    assert UserSession.objects.filter(user=user).exists()
    user.is_staff = False
    user.save()
    deletion.delete(Player.objects.get(pk=leaver.pk))
    text = everything_stored() + json.dumps(list(AdminEntry.objects.values()), default=str)
    assert "quirinus" not in text.lower()
    assert [each.get_decoded() for each in Session.objects.all() if "quirinus" in str(each.get_decoded())] == []


def test_a_struck_reason_is_said_in_the_readers_language(sheet: Result, host: Player) -> None:
    seat, leaver = leaver_of(sheet, host)
    pay(sheet, seat, OWN)
    deletion.delete(leaver)
    browser = browser_of(host, headers={"accept-language": "de"})
    page = browser.get(f"/night/{sheet.table.night.public_id}/results/").content.decode()
    assert "[gestrichen]" in page and STRUCK not in page
