"""Tokens of the API: hardly to be guessed, kept as digests, of a scope, of an end."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from games.kernel.contract import Illegal
from games.models import ApiToken, AuditEntry, Player
from games.services.people import tokens

pytestmark = pytest.mark.django_db


@pytest.fixture
def user():
    return get_user_model().objects.create_user("kari", password="a-good-one-1")


def refused(code, *args, **kwargs):
    with pytest.raises(Illegal) as refusal:
        tokens.create(*args, **kwargs)
    assert refusal.value.code == code


def test_a_token_is_long_and_only_its_digest_is_kept(user):
    made = [tokens.create(user, f"Script {n}")[1] for n in range(5)]
    assert len(set(made)) == 5
    assert tokens.RANDOM_BYTES * 8 >= 128
    for secret in made:
        kept = [str(v) for row in ApiToken.objects.values() for v in row.values()]
        assert not any(secret in value for value in kept)
        assert tokens.find(secret).user == user


def test_an_account_without_a_player_gets_one(user):
    tokens.create(user, "Script")
    assert Player.objects.get(user=user).nickname == "kari"


@pytest.mark.parametrize("end", ["revoked", "expired", "inactive", "another"])
def test_a_token_that_ended_opens_nothing(user, end):
    row, secret = tokens.create(user, "Script", expires_at=timezone.now() + timedelta(days=1))
    if end == "revoked":
        tokens.revoke(user, row.pk)
        tokens.revoke(user, row.pk)
    elif end == "expired":
        ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif end == "inactive":
        get_user_model().objects.update(is_active=False)
    else:
        secret = secret[:-1] + ("A" if secret[-1] != "A" else "B")
    assert tokens.find(secret) is None


@pytest.mark.parametrize("secret", ["", "stt_", "stt_ä", "Bearer", "stt_" + "x" * 43])
def test_what_is_no_token_opens_nothing(user, secret):
    tokens.create(user, "Script")
    assert tokens.find(secret) is None


def test_that_a_token_was_used_is_noted_to_the_hour(user):
    row, secret = tokens.create(user, "Script")
    tokens.find(secret)
    row.refresh_from_db()
    first = row.last_used_at
    assert first is not None
    tokens.find(secret)
    row.refresh_from_db()
    assert row.last_used_at == first
    ApiToken.objects.update(last_used_at=first - timedelta(hours=2))
    tokens.find(secret)
    row.refresh_from_db()
    assert row.last_used_at > first


def test_bad_tokens_are_refused(user):
    refused("token_name", user, "  ")
    refused("token_name", user, "x" * 61)
    refused("token_name", user, "a\u202eb")
    refused("bad_scope", user, "Script", "everything")
    refused("token_over", user, "Script", expires_at=timezone.now())
    for number in range(tokens.MOST_TOKENS):
        tokens.create(user, f"Script {number}")
    refused("too_many_tokens", user, "One more")


def test_nobody_revokes_somebody_elses_token(user):
    row, secret = tokens.create(user, "Script")
    other = get_user_model().objects.create_user("other")
    with pytest.raises(Illegal):
        tokens.revoke(other, row.pk)
    assert tokens.find(secret) is not None


def test_what_the_staff_does_with_tokens_is_in_the_audit(user):
    chief = get_user_model().objects.create_superuser("chief")
    row, secret = tokens.create(user, "Script", by=chief)
    tokens.revoke(user, row.pk, by=chief)
    acts = AuditEntry.objects.order_by("pk").values_list("act", "actor_name", "subject")
    assert list(acts) == [
        ("token_created", "chief", "Script"),
        ("token_revoked", "chief", "Script"),
    ]
    assert not any(secret in str(entry.data) for entry in AuditEntry.objects.all())
