"""Housekeeping: once a night, by one process, and nothing that somebody still needs."""

from datetime import time, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from games.models import (
    Answer,
    AuditEntry,
    ChatMessage,
    LogFile,
    Membership,
    NightEvent,
    Payment,
    Player,
    SeasonName,
    Series,
    SeriesDate,
)  # fmt: skip
from games.ops.session_keys import SessionStore
from games.services import tasks
from games.services.clock import housekeeping
from games.services.nights import membership
from games.services.people import bans, deletion, players
from tests.seasons.world import account, make
from tests.tables.test_log import play_out

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _data(settings, tmp_path):
    settings.DATA_DIR = tmp_path


def later(days):
    return timezone.now() + timedelta(days=days)


def test_sessions_that_have_run_out_are_deleted_and_others_stay():
    for days in (-1, 1):
        store = SessionStore()
        store.set_expiry(timedelta(days=days))
        store["n"] = days
        store.create()
    assert housekeeping.run()["sessions"] == 1
    assert Session.objects.count() == 1


def test_chat_news_and_audit_go_when_their_days_are_over(start_table, host, settings):
    table = play_out(start_table("dummygame", seats=2))
    ChatMessage.objects.create(table=table, player=host, name="H", text="Hello")
    membership.close(table.night, host)
    rows = (ChatMessage, NightEvent, AuditEntry)
    before = [model.objects.count() for model in rows]
    assert all(before)
    housekeeping.run(later(settings.KEEP_CHAT_DAYS - 1))
    assert [model.objects.count() for model in rows] == before
    housekeeping.run(later(settings.KEEP_CHAT_DAYS + 1))
    assert [model.objects.count() for model in rows] == [0, 0, before[2]]
    housekeeping.run(later(settings.KEEP_AUDIT_DAYS + 1))
    assert not AuditEntry.objects.exists()


def test_zero_days_keep_everything(start_table, host, settings):
    settings.KEEP_CHAT_DAYS = settings.KEEP_AUDIT_DAYS = settings.KEEP_GUESTS_DAYS = settings.COMPRESS_LOGS_DAYS = 0
    table = play_out(start_table("dummygame", seats=2))
    ChatMessage.objects.create(table=table, player=host, name="H", text="Hello")
    membership.close(table.night, host)
    players.new_guest("Nobody")
    models = (ChatMessage, NightEvent, AuditEntry, Player)
    before = [model.objects.count() for model in models]
    housekeeping.run(later(9999))
    assert [model.objects.count() for model in models] == before
    assert not LogFile.objects.exists()


def test_guests_go_who_never_sat_down_and_nobody_else(start_table, staff):
    table = play_out(start_table("dummygame", seats=2))
    unseen, banned, inside = (players.new_guest(name) for name in ("Una", "Bernd", "Ines"))
    bans.ban(banned, staff, "trouble")
    membership.join(table.night, inside)
    stay = set(Player.objects.exclude(pk=unseen.pk).values_list("pk", flat=True))
    assert deletion.delete_unseen_guests(later(1)) == 0
    assert deletion.delete_unseen_guests(later(100)) == 1
    assert set(Player.objects.values_list("pk", flat=True)) == stay
    membership.close(table.night, table.night.host)
    Membership.objects.filter(player=inside).update(joined_at=timezone.now())
    assert deletion.delete_unseen_guests(later(100)) == 1
    assert not Player.objects.filter(pk=inside.pk).exists()


def test_guests_stay_whom_others_count_on(night, host):
    """Who is expected at a date to come, has paid, or is a name of a spreadsheet, is no stranger."""
    expected, past, payer, named = (players.new_guest(name) for name in ("Eva", "Pia", "Pal", "Nils"))
    series = Series.objects.create(name="Club", organiser=host, weekday=3, first_day=later(0).date(), start=time(19))
    for guest, days in ((expected, 10), (past, -10)):
        day = later(100 - 90 + days).date()
        date = SeriesDate.objects.create(series=series, planned=day, day=day, start=time(19))
        Answer.objects.create(date=date, player=guest, says=Answer.Says.YES)
    Payment.objects.create(night=night, payer=payer, payee=host, currency="EUR", amount=500)
    SeasonName.objects.create(season=make(account("Olga")), name="Nils", player=named)
    assert deletion.delete_unseen_guests(later(100)) == 1
    assert set(Player.objects.values_list("nickname", flat=True)) == {host.nickname, "Olga", "Eva", "Pal", "Nils"}
    assert not Player.objects.filter(pk=past.pk).exists()


def test_a_chore_that_fails_keeps_no_other_from_its_work(monkeypatch, caplog):
    def broken(now):
        raise ValueError("broken")

    monkeypatch.setattr(housekeeping, "CHORES", {"sessions": broken, **{"chat": lambda now: 7}})
    assert housekeeping.run() == {"chat": 7}
    with pytest.raises(tasks.TaskFailed, match="sessions chat=7"):
        housekeeping.run_as_task()
    assert "component=housekeeping event=failed" in caplog.text
