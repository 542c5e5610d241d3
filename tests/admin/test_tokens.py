"""Tokens in the admin: made and shown once, revoked, never changed or deleted."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.models import ApiToken, AuditEntry
from games.services.people import tokens
from tests.web.pages import read

pytestmark = pytest.mark.django_db
LIST = "admin:games_apitoken_changelist"


@pytest.fixture
def bar(db) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("bar", password="x"))
    return client


@pytest.fixture
def kari(db) -> User:
    return User.objects.create_user("kari")


def make(bar: Client, kari: User, **changes: str):
    sent = {"user": kari.pk, "name": "Score board", "scope": "read", **changes}
    return bar.post(reverse("admin:games_apitoken_add"), sent)


def test_a_token_is_made_for_an_account_and_shown_once(bar, kari):
    answer = make(bar, kari)
    assert "no-store" in answer["Cache-Control"]
    secret = read(answer.content.decode()).by_id("secret").attrs["value"]
    assert tokens.find(secret).user == kari
    row = ApiToken.objects.get()
    for path in (reverse(LIST), reverse("admin:games_apitoken_change", args=[row.pk])):
        page = bar.get(path).content.decode()
        assert "Score board" in page
        assert secret not in page
        assert row.digest not in page
    assert AuditEntry.objects.filter(act="token_created").exists()


def test_a_bad_wish_is_refused_at_the_form(bar, kari):
    for changes in (
        {"name": ""},
        {"name": "a\u202eb"},
        {"expires_at_0": "2000-01-01", "expires_at_1": "00:00"},
    ):
        assert make(bar, kari, **changes).status_code == 200
    assert not ApiToken.objects.exists()


def test_tokens_are_revoked_and_stay_in_the_list(bar, kari):
    row, secret = tokens.create(kari, "Score board")
    bar.post(reverse(LIST), {"action": "revoke", "_selected_action": [row.pk]})
    assert tokens.find(secret) is None
    assert ApiToken.objects.get().revoked_at is not None
    assert AuditEntry.objects.filter(act="token_revoked", actor_name="bar").exists()


def test_a_token_is_neither_changed_nor_deleted(bar, kari):
    row, _ = tokens.create(kari, "Score board")
    change = reverse("admin:games_apitoken_change", args=[row.pk])
    assert bar.post(change, {"name": "Else"}).status_code == 403
    delete = reverse("admin:games_apitoken_delete", args=[row.pk])
    assert bar.post(delete, {"post": "yes"}).status_code == 403
    row.refresh_from_db()
    assert row.name == "Score board"
