"""The page where an account makes tokens for programs."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.models import ApiToken
from tests.people.browsers import log_in, make_account
from tests.web.pages import browser_of, read

pytestmark = pytest.mark.django_db


@pytest.fixture
def mine(db) -> Client:
    """A browser that is logged in."""
    cache.clear()
    make_account()
    browser = browser_of()
    log_in(browser)
    return browser


def make(browser: Client, **changes: str):
    sent = {"name": "Script", "scope": "read", "days": "30", **changes}
    return browser.post(reverse("my_tokens"), sent)


def asked_with(secret: str, method: str = "get", path: str = "/api/me/"):
    client = Client(headers={"Authorization": f"Bearer {secret}"})
    return getattr(client, method)(path, content_type="application/json")


def test_a_token_is_shown_once_and_works(mine):
    answer = make(mine)
    assert "no-store" in answer["Cache-Control"]
    secret = read(answer.content.decode()).by_id("secret").attrs["value"]
    told = asked_with(secret).json()
    assert told["player"]["name"] == "Kari Nord"
    assert told["token"]["scope"] == "read"
    later = mine.get(reverse("my_tokens")).content.decode()
    assert "Script" in later
    assert secret not in later


def test_a_revoked_token_opens_nothing(mine):
    secret = read(make(mine).content.decode()).by_id("secret").attrs["value"]
    row = ApiToken.objects.get()
    mine.post(reverse("my_tokens"), {"revoke": row.pk})
    refused = asked_with(secret)
    assert (refused.status_code, refused.json()["code"]) == (401, "bad_token")
    assert "Bearer" in refused["WWW-Authenticate"]


def test_somebody_elses_token_is_not_revoked_here(mine):
    secret = read(make(mine).content.decode()).by_id("secret").attrs["value"]
    make_account("nils", "Nils")
    other = browser_of()
    log_in(other, "nils")
    for posted in (ApiToken.objects.get().pk, "x", "9" * 30):
        assert other.post(reverse("my_tokens"), {"revoke": posted}).status_code == 404
    assert asked_with(secret).status_code == 200


@pytest.mark.parametrize("changes", [{"name": " "}, {"scope": "all"}, {"name": "x" * 61}])
def test_a_bad_wish_is_refused_on_the_page(mine, changes):
    answer = make(mine, **changes)
    assert answer.status_code == 400
    assert not ApiToken.objects.exists()
    assert read(answer.content.decode()).by_id("token-error")


def test_a_token_lasts_as_long_as_was_said(mine):
    make(mine, days="90")
    make(mine, days="")
    lasts = [
        row.expires_at and round((row.expires_at - row.created_at).total_seconds() / 86_400)
        for row in ApiToken.objects.all()
    ]
    assert lasts == [None, 90]


def test_guests_are_asked_to_log_in():
    assert browser_of().get(reverse("my_tokens")).status_code == 302
