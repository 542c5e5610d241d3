"""A guest whose answer was lost sends the same form again; with the old key alone nobody gets anything."""

import re
import threading
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.kernel.contract import Illegal
from games.live.rooms import handshake
from games.live.rooms.handshake import AccessRequest, Visit
from games.models import Membership, Player, SentForm
from games.ops.session_keys import SessionStore
from games.services.nights import attendance
from games.services.people import accounts, lost_answers
from tests.web.pages import join_link, night_page, page_of, table_do

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_tries_yet():
    cache.clear()


class Phone(Client):
    """A browser that sends a page's form with all its hidden fields, and may lose the answer."""

    def __init__(self):
        super().__init__(enforce_csrf_checks=True)

    def form_of(self, page, action=""):
        """Return the hidden fields of the form of a page that has this address."""
        html = self.get(page).content.decode()
        forms = re.findall(r"<form\b.*?</form>", html, re.DOTALL)
        form = next(f for f in forms if "form_id" in f and (not action or f'action="{action}"' in f))
        return dict(re.findall(r'type="hidden"\s+name="(\w+)"\s+value="([^"]*)"', form))

    def lose(self, path, fields):
        """Send a form; the browser keeps the cookies of before, and the test gets the session's new key."""
        before = {name: morsel.value for name, morsel in self.cookies.items()}
        answer = self.post(path, fields)
        assert answer.status_code == 302, answer.content
        new = answer.cookies["sessionid"].value
        self.cookies.clear()
        self.cookies.load(before)
        return new

    def copy(self):
        """Return another browser with this one's cookies."""
        other = Phone()
        other.cookies.load({name: morsel.value for name, morsel in self.cookies.items()})
        return other

    @property
    def key(self):
        return self.cookies["sessionid"].value


@pytest.fixture
def table(night, open_table):
    """A table that waits, beside another: who joins sits down at neither."""
    open_table(seats=1)
    return open_table(seats=1)


@pytest.fixture
def phone(night, table):
    """Kari's browser, which is in."""
    browser = Phone()
    browser.post(join_link(night), {"nickname": "Kari", **browser.form_of(join_link(night))})
    return browser


@pytest.fixture
def lost(night, table, phone):
    """Kari has sat down, and the answer is lost: the form, and the new key that she never saw."""
    fields = phone.form_of(night_page(night), table_do(table, "sit"))
    return fields, phone.lose(table_do(table, "sit"), fields)


def is_stranger(browser, night):
    return browser.get(night_page(night)).status_code == 403


def test_who_sits_down_and_loses_the_answer_sends_the_same_form_again_and_sits(night, table, phone, lost):
    fields, new = lost
    assert phone.post(table_do(table, "sit"), fields)["Location"] == page_of(table)
    assert phone.get(page_of(table)).status_code == 200
    assert phone.key != new
    assert not SessionStore().exists(new)
    assert table.seats.filter(player__nickname="Kari").count() == 1


@pytest.mark.parametrize("act", ["accept", "join"])
def test_accepting_at_once_and_joining_a_running_table_are_sent_again_too(
    act, night, table, phone, start_table, open_table
):
    if act == "join":
        table = start_table("dummygame", "endless", seats=2)
    fields = phone.form_of(page_of(table) if act == "accept" else night_page(night), table_do(table, act))
    phone.lose(table_do(table, act), fields)
    phone.post(table_do(table, act), fields)
    assert phone.get(page_of(table)).status_code == 200
    assert table.seats.filter(player__nickname="Kari").count() == 1


def test_a_newcomer_who_loses_the_answer_to_joining_is_one_person(night, table):
    phone = Phone()
    fields = {"nickname": "Nils", **phone.form_of(join_link(night))}
    phone.lose(join_link(night), fields)
    assert is_stranger(phone, night)
    phone.post(join_link(night), fields)
    assert phone.get(night_page(night)).status_code == 200
    assert Player.objects.filter(nickname__startswith="Nils").count() == 1


def test_the_old_key_opens_no_page_and_no_socket(night, table, phone, lost):
    assert is_stranger(phone, night)
    session = attendance.sessions([phone.key])[phone.key]
    assert attendance.browser_rights(session, []) == (None, [])
    fields, _new = lost
    phone.post(table_do(table, "sit"), fields)
    assert phone.get(page_of(table)).status_code == 200, "a look with the old key has spoilt nothing"


def test_a_form_is_sent_again_once(night, table, phone, lost):
    thief = phone.copy()
    phone.post(table_do(table, "sit"), lost[0])
    assert thief.post(table_do(table, "sit"), lost[0]).status_code == 403
    assert is_stranger(thief, night)


def test_the_answer_to_the_second_time_is_not_fetched_again(night, table, phone, lost):
    phone.lose(table_do(table, "sit"), lost[0])
    assert phone.post(table_do(table, "sit"), lost[0]).status_code == 403


def test_a_copied_or_planted_key_without_the_page_fetches_nothing(night, table, phone, lost):
    """The thief has the key and the token's cookie, and a page of the same table of their own."""
    fields, new = lost
    thief = phone.copy()
    token = thief.form_of(join_link(night))["csrfmiddlewaretoken"]
    for form in (
        {"csrfmiddlewaretoken": token},
        {"csrfmiddlewaretoken": token, "form_id": ""},
        {"csrfmiddlewaretoken": token, "form_id": "0" * 32},
        {"csrfmiddlewaretoken": token, "form_id": "x" * 5000},
        {**fields, "csrfmiddlewaretoken": token},
        {**fields, "adult": "yes"},
    ):
        assert thief.post(table_do(table, "sit"), form).status_code == 403
    assert SessionStore().exists(new)
    assert SentForm.objects.exclude(unused_key="").count() == 1


def test_another_address_another_key_and_another_browser_are_a_strangers(night, table, phone, lost, open_table):
    fields, _new = lost
    thief = phone.copy()
    for path in (table_do(table, "accept"), table_do(open_table(seats=1), "sit"), reverse("my_data_delete")):
        assert thief.post(path, fields).status_code == 403
    thief.cookies["sessionid"] = "a" * 32
    assert thief.post(table_do(table, "sit"), fields).status_code == 403
    del thief.cookies["sessionid"]
    assert thief.post(table_do(table, "sit"), fields).status_code == 403
    thief = Phone()
    thief.cookies["sessionid"] = phone.key
    assert thief.post(table_do(table, "sit"), fields).status_code == 403
    fresh = thief.form_of(join_link(night))
    assert thief.post(table_do(table, "sit"), {**fields, **fresh}).status_code == 403


def test_after_a_minute_the_old_key_is_good_for_nothing(night, table, phone, lost):
    SentForm.objects.update(sent_at=timezone.now() - timedelta(seconds=lost_answers.SECONDS + 1))
    assert phone.post(table_do(table, "sit"), lost[0]).status_code == 403


def test_once_the_new_key_was_used_by_a_page_the_old_one_is_good_for_nothing(night, table, phone, lost):
    thief = phone.copy()
    phone.cookies["sessionid"] = lost[1]
    assert phone.get(night_page(night)).status_code == 200
    assert thief.post(table_do(table, "sit"), lost[0]).status_code == 403
    assert phone.get(night_page(night)).status_code == 200


def test_once_the_new_key_was_used_by_a_socket_the_old_one_is_good_for_nothing(night, table, phone, lost):
    visit = Visit(table.public_id, lost[1], "en", "127.0.0.1")
    assert not isinstance(handshake.answer_hellos([AccessRequest(visit, None, as_tv=False)])[0], Illegal)
    assert phone.post(table_do(table, "sit"), lost[0]).status_code == 403


def test_two_at_once_are_one(night, table, phone, lost):
    browsers, barrier, answers = [phone, phone.copy()], threading.Barrier(2), []

    def send(browser):
        barrier.wait()
        try:
            answers.append(browser.post(table_do(table, "sit"), lost[0]).status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=send, args=[browser]) for browser in browsers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [302, 403]


def test_a_guest_who_was_banned_or_got_an_account_fetches_nothing(night, table, phone, lost, django_user_model):
    kari = Player.objects.get(nickname="Kari")
    Player.objects.filter(pk=kari.pk).update(banned_at=timezone.now())
    assert phone.post(table_do(table, "sit"), lost[0]).status_code == 403
    assert is_stranger(phone, night)
    Player.objects.filter(pk=kari.pk).update(banned_at=None, user=django_user_model.objects.create_user("kari"))
    assert phone.post(table_do(table, "sit"), lost[0]).status_code == 403


def test_an_account_that_sits_down_leaves_no_form_to_send_again(night, table, django_user_model):
    user = django_user_model.objects.create_user("uli")
    player = accounts.own_player(user, "Uli")
    Membership.objects.create(night=night, player=player, status="in")
    browser = Phone()
    browser.force_login(user)
    browser.post(table_do(table, "sit"), browser.form_of(night_page(night), table_do(table, "sit")))
    assert table.seats.filter(player=player).exists()
    assert not SentForm.objects.exclude(unused_key="").exists()


def test_no_key_is_kept_with_a_form(night, table, phone, lost):
    row = SentForm.objects.exclude(unused_key="").get()
    assert lost[1] not in (row.unused_key, row.digest)
    assert row.unused_key not in (phone.key, lost[1])
    copied = Client()
    copied.cookies["sessionid"] = row.unused_key
    assert is_stranger(copied, night)
