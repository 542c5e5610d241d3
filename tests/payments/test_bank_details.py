"""Bank details: for one night, for those who owe, encrypted, in no backup, export, log or file of own data."""

from __future__ import annotations

import json
import logging
import tarfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from games.kernel.contract import Illegal
from games.management.backups import archive
from games.models import AuditEntry, BankDetails, Night, Payment, Player, PointValue, SentForm, Settling
from games.services.nights import membership
from games.services.payments import accounts, bank_details, naming, settlings, ticks
from games.services.payments.bank_details import FOLDER
from games.services.people import deletion, merging
from games.web.payments import codes
from tests.payments.world import CENTS, OpenTable, left, people_of, play, wanted
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
IBAN = "DE89 3704 0044 0532 0130 00"
PLAIN = IBAN.replace(" ", "")
NAME = "Anna Konto"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / FOLDER


@pytest.fixture
def table(night: Night, open_table: OpenTable):
    """The host and another owe the second player."""
    found = open_table("chouette", "german", seats=3, **CENTS)
    play(found, (0, 1, 2), (2, 1, 3))
    return found


def page(player: Player, night: Night) -> str:
    return browser_of(player).get(reverse("night_owed", args=[night.public_id])).content.decode()


def enter(night: Night, player: Player) -> None:
    bank_details.enter(night, player, NAME, IBAN)


def test_those_who_owe_read_them_and_nobody_else_the_host_neither(night: Night, table, host: Player, guest) -> None:
    _, one, two = people_of(table)
    other = guest("Other")
    enter(night, one)
    ticks.tick(night, host, "payer", wanted(host, one, 20))
    for player, may in ((host, True), (two, True), (one, False), (other, False)):
        assert (IBAN in page(player, night)) is may, player
        assert (NAME in page(player, night)) is may, player
    ticks.tick(night, one, "payee", wanted(host, one, 20))
    assert IBAN not in page(host, night), "the host owes nothing any more"
    answer = browser_of(two).get(reverse("night_owed", args=[night.public_id]))
    assert "no-store" in answer["Cache-Control"]


def test_an_iban_is_checked_and_only_payees_of_money_enter_one(night: Night, table, host: Player) -> None:
    _, one, _two = people_of(table)
    for wrong in ("DE89 3704 0044 0532 0130 01", "DE8", "", "DE89'3704", "９" * 22, "D" * 50):
        with pytest.raises(Illegal, match="bad_iban"):
            bank_details.enter(night, one, NAME, wrong)
    for wrong in ("", " ", "x" * 71, "a\u202eb"):
        with pytest.raises(Illegal, match="bad_account_name"):
            bank_details.enter(night, one, wrong, IBAN)
    with pytest.raises(Illegal, match="nobody_owes_you"):
        enter(night, host)


def test_the_database_and_a_backup_hold_nothing_readable(night: Night, table, folder: Path) -> None:
    _, one, two = people_of(table)
    enter(night, one)
    (key,) = folder.iterdir()
    assert key.stat().st_mode & 0o077 == 0
    sealed = bytes(BankDetails.objects.get().sealed)
    for text in (PLAIN, NAME, IBAN):
        assert text.encode() not in sealed
    (folder.parent / "secret_key").write_text("x")
    packed = archive._packed(folder.parent, [])
    with tarfile.open(packed) as tar:
        assert set(tar.getnames()) == {"secret_key", "backup.json"}, "a backup takes no key of a night"
    key.rename(folder / "elsewhere")
    assert bank_details.for_payer(night, accounts.accounts(night), two) == {}, "as in a restored house"
    assert IBAN not in page(two, night)


def test_details_and_key_are_thrown_away_a_day_after_the_end(night: Night, table, host: Player, folder: Path) -> None:
    _, one, two = people_of(table)
    enter(night, one)
    membership.close(night, host)
    night.refresh_from_db()
    now = timezone.now()
    assert bank_details.throw_away(now + timedelta(hours=23)) == 0
    assert IBAN in page(two, night)
    Night.objects.filter(pk=night.pk).update(closed_at=now - timedelta(hours=25))
    assert IBAN not in page(two, night), "not shown even before the house has cleaned up"
    assert bank_details.throw_away(now) == 1
    assert list(folder.iterdir()) == []
    assert not BankDetails.objects.exists()
    night.refresh_from_db()
    with pytest.raises(Illegal, match="night_long_over"):
        enter(night, one)


def test_a_full_disk_is_told_and_nothing_is_kept(night: Night, table, folder: Path) -> None:
    _, one, _two = people_of(table)
    folder.parent.joinpath(FOLDER).write_text("a file in the way")
    with pytest.raises(Illegal, match="no_key"):
        enter(night, one)
    assert not BankDetails.objects.exists()


def test_they_are_in_no_own_data_no_audit_no_log_and_no_form(night: Night, table, caplog) -> None:
    _, one, _two = people_of(table)
    browser = browser_of(one)
    with caplog.at_level(logging.DEBUG):
        where = reverse("owed_act", args=[night.public_id, "details"])
        browser.post(where, {"account_name": NAME, "iban": IBAN})
        browser.post(where, {"account_name": NAME, "iban": IBAN + "1"})
    assert BankDetails.objects.count() == 1
    told = [caplog.text, json.dumps(deletion.own_data(one))]
    told += [str(list(model.objects.values())) for model in (AuditEntry, SentForm)]
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            for (name,) in cursor.fetchall():
                cursor.execute(f'SELECT * FROM "{name}"')
                told.append(str(cursor.fetchall()))
    for text in told:
        assert NAME not in text
        assert PLAIN not in text
        assert IBAN not in text


def test_the_code_is_in_euros_only_and_is_an_epc_code() -> None:
    details = bank_details.checked(NAME, IBAN)
    assert codes.epc_svg(details, "EUR", 1234, "Thursday").startswith("<svg")
    assert codes.epc_svg(details, "CHF", 1234, "Thursday") is None


@pytest.mark.parametrize("name", ["x" * 70, "🏴" * 70, "A\u0308" * 35])
@pytest.mark.parametrize("text", ["🎲" * 80, "ж" * 80, "👨‍👩‍👧" * 16, "x" * 80, "Thursday"])
def test_with_the_longest_names_the_page_of_who_owes_has_a_code_of_a_shorter_text_or_none(
    name: str, text: str, night: Night, table, host: Player
) -> None:
    _, one, _ = people_of(table)
    bank_details.enter(night, one, name, IBAN)
    Night.objects.filter(pk=night.pk).update(name=text)
    assert IBAN in page(host, night)
    # Beside 70 characters of four bytes no text has room.
    assert (codes.epc_svg(bank_details.checked(name, IBAN), "EUR", 1234, text) is None) == (name[0] == "🏴")


def test_in_other_currencies_a_plain_line_is_shown(night: Night, open_table: OpenTable) -> None:
    table = open_table("chouette", "german", seats=3, point_currency="CHF", point_value=50)
    play(table, (0, 1, 2))
    host, one, _two = people_of(table)
    enter(night, one)
    html = page(host, night)
    assert IBAN in html
    assert 'class="qr"' not in html


def test_a_deleted_person_leaves_no_details_values_ticks_or_proposals_and_what_was_booked_stays(
    night: Night, open_table: OpenTable, host: Player
) -> None:
    table = open_table("chouette", "german", seats=3, own_point_values=True, **CENTS)
    _, one, two = people_of(table)
    play(table, (0, 1, 2), (2, 1, 3))
    naming.set_value(table, one, one, 5)
    naming.name_holder(night, host, one)
    enter(night, one)
    ticks.tick(night, host, "payer", wanted(host, one, 20))
    ticks.tick(night, one, "payee", wanted(host, one, 20))
    ticks.tick(night, two, "payer", wanted(two, one, 30))
    settlings.propose(night, one, one, "EUR", host) if left(night)[one.nickname] else None
    deletion.delete(one)
    assert not BankDetails.objects.exists()
    assert not PointValue.objects.exists()
    assert not Settling.objects.exists()
    assert [row.booked_at is not None for row in Payment.objects.all()] == [True]
    night.refresh_from_db()
    assert night.kitty_holder is None
    assert "Guest 1" not in page(host, night)
    assert sum(row.left for row in accounts.accounts(night)[0].rows) == 0


def test_a_merged_person_brings_their_ticks_and_details(night: Night, table, host: Player, guest) -> None:
    _, one, _two = people_of(table)
    enter(night, one)
    ticks.tick(night, host, "payer", wanted(host, one, 20))
    target = guest("Account")
    merging.merge(one, target)
    night.refresh_from_db()
    assert Payment.objects.get().payee == target
    assert BankDetails.objects.get().player == target
    assert IBAN in page(host, night)
    assert left(night)["Account"] == 30
