"""A form that is sent twice is carried out once: corrections on the page, by the API, and in the admin."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import Player, Result, SentForm
from games.services import form_ids
from games.services.clock import housekeeping
from games.services.people import deletion, merging
from tests import years
from tests.tables.commit.test_threads import at_once
from tests.web.pages import browser_of

HIDDEN = re.compile(r'name="form_id" value="([^"]+)"')


@pytest.fixture
def people(db: None) -> list[Player]:
    """The first of them hosts every night."""
    found = years.players(8)
    years.years(10, found)
    return found


def corrections_written() -> int:
    return Result.objects.filter(is_correction=True).count()


def test_a_form_that_is_sent_twice_is_one_correction(people: list[Player]) -> None:
    address = reverse("correct", args=[Result.objects.earliest("pk").pk])
    browser = browser_of(people[0])
    (form_id,) = HIDDEN.findall(browser.get(address).content.decode())
    typed = {"seat-0": "3", "seat-1": "-3", "reason": "Booked twice", "form_id": form_id}
    answers = [browser.post(address, typed) for _ in range(3)]
    assert {(answer.status_code, answer.url) for answer in answers} == {(302, answers[0].url)}
    assert corrections_written() == 1


def test_each_time_that_the_page_is_loaded_its_form_is_another_one(people: list[Player]) -> None:
    address = reverse("correct", args=[Result.objects.earliest("pk").pk])
    browser = browser_of(people[0])
    for _ in range(2):
        (form_id,) = HIDDEN.findall(browser.get(address).content.decode())
        browser.post(address, {"seat-0": "3", "seat-1": "-3", "reason": "A round", "form_id": form_id})
    assert corrections_written() == 2


def test_a_sent_form_with_other_contents_is_asked_about_and_counts_when_sent_again(people: list[Player]) -> None:
    address = reverse("correct", args=[Result.objects.earliest("pk").pk])
    browser = browser_of(people[0])
    (form_id,) = HIDDEN.findall(browser.get(address).content.decode())
    browser.post(address, {"seat-0": "3", "seat-1": "-3", "reason": "A round", "form_id": form_id})
    changed = {"seat-0": "1", "seat-1": "-1", "reason": "Another one", "form_id": form_id}
    answer = browser.post(address, changed)
    text = answer.content.decode()
    assert answer.status_code == 400 and 'value="Another one"' in text and corrections_written() == 1
    (following,) = HIDDEN.findall(text)
    assert following != form_id
    assert browser.post(address, {**changed, "form_id": following}).status_code == 302
    assert corrections_written() == 2


def test_a_refused_form_keeps_its_id_and_counts_once_it_is_right(people: list[Player]) -> None:
    address = reverse("correct", args=[Result.objects.earliest("pk").pk])
    browser = browser_of(people[0])
    wrong = {"seat-0": "3", "seat-1": "-2", "reason": "Odd", "form_id": "f1"}
    assert HIDDEN.findall(browser.post(address, wrong).content.decode()) == ["f1"]
    for _ in range(2):
        assert browser.post(address, {**wrong, "seat-1": "-3"}).status_code == 302
    assert corrections_written() == 1


@pytest.mark.parametrize("form_id", ["", "x" * 49, "a\nb"])
def test_an_id_that_is_none_is_refused_and_nothing_is_written(people: list[Player], form_id: str) -> None:
    address = reverse("correct", args=[Result.objects.earliest("pk").pk])
    typed = {"seat-0": "3", "seat-1": "-3", "reason": "Odd", "form_id": form_id}
    answer = browser_of(people[0]).post(address, typed)
    assert answer.status_code == 400 and corrections_written() == 0
    assert HIDDEN.findall(answer.content.decode()) != [form_id]


def test_the_api_carries_the_same_id_out_once(people: list[Player]) -> None:
    address = f"/api/results/{Result.objects.earliest('pk').pk}/corrections/"
    program = browser_of(people[0])
    body = {"points": {"0": 2, "1": -2}, "reason": "Twice", "id": "c-1"}
    answers = [program.post(address, body, content_type="application/json") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json() and corrections_written() == 1
    other = program.post(address, {**body, "reason": "Thrice"}, content_type="application/json")
    assert (other.status_code, other.json()["code"]) == (409, "form_changed")


def test_the_admin_carries_a_form_out_once(people: list[Player], bar: Client, staff: User) -> None:
    staff.user_permissions.add(Permission.objects.get(codename="change_result"))
    result = Result.objects.earliest("pk")
    address = reverse("admin:games_result_ask", args=["correct"]) + f"?ids={result.pk}"
    (form_id,) = HIDDEN.findall(bar.get(address).content.decode().replace('type="hidden" ', ""))
    for _ in range(2):
        typed = {"points_0": "2", "points_1": "-2", "reason": "Twice", "form_id": form_id}
        assert bar.post(address, typed).status_code == 302
    assert corrections_written() == 1


def test_ids_are_each_persons_own(people: list[Player]) -> None:
    made = [form_ids.once(player, "same", "same", lambda: 7) for player in people[:2]]
    assert made == [7, 7] and SentForm.objects.count() == 2


def test_two_who_become_one_may_have_used_the_same_id(people: list[Player], make_player) -> None:
    guest, account = make_player("Guest"), people[0]
    for player in (guest, account):
        form_ids.once(player, "same", "same", lambda: 7)
    form_ids.once(guest, "own", "own", lambda: 8)
    merging.merge(guest, account)
    assert form_ids.once(account, "own", "own", lambda: 9) == 8


def test_ids_go_with_the_person_and_after_a_month(people: list[Player], make_player) -> None:
    guest = make_player("Guest")
    form_ids.once(guest, "one", "one", lambda: 7)
    deletion.delete(guest)
    assert not SentForm.objects.exists()
    form_ids.once(people[0], "one", "one", lambda: 7)
    kept = SentForm.objects.get()
    assert housekeeping.CHORES["forms"](kept.sent_at + form_ids.KEPT - timedelta(days=1)) == 0
    assert housekeeping.CHORES["forms"](kept.sent_at + form_ids.KEPT + timedelta(days=1)) == 1


def test_what_is_refused_leaves_the_id_unused(people: list[Player]) -> None:
    def refuse() -> int:
        raise Illegal("not_zero")

    with pytest.raises(Illegal, match="not_zero"):
        form_ids.once(people[0], "one", "one", refuse)
    assert form_ids.once(people[0], "one", "one", lambda: 7) == 7


@pytest.mark.django_db(transaction=True)
def test_two_taps_at_once_are_one_act(make_player) -> None:
    player, made = make_player("Uli"), []

    def send() -> int | None:
        return form_ids.once(player, "tap", "same", lambda: made.append(1) or len(made))

    assert at_once(*[send] * 5) == [1] * 5
    assert made == [1]
