"""Nobody of the staff gives themselves or anybody else more rights than they have."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse

from games.models import ApiToken
from tests.admin.pages import staff_browser

pytestmark = pytest.mark.django_db
EVERYTHING = [
    f"{act}_{model}" for act in ("add", "change", "delete", "view")
    for model in ("user", "group", "emailaddress", "apitoken")
]  # fmt: skip


@pytest.fixture
def chief(db) -> User:
    return User.objects.create_superuser("chief", "chief@example.org", password="x")


@pytest.fixture
def bar(db) -> Client:
    return staff_browser("bar", EVERYTHING)


def change(user: User) -> str:
    """Return the address of an account's page."""
    return reverse("admin:auth_user_change", args=[user.pk])


def form_of(user: User, **more: str) -> dict[str, str]:
    """Return the fields of an account's page."""
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    return {"username": user.username, "email": user.email, "is_active": "on", **joined, **more}


def test_staff_give_themselves_and_others_no_rights(bar):
    everything = Permission.objects.values_list("pk", flat=True)
    group = Group.objects.create(name="all")
    rights = {"is_superuser": "on", "is_staff": "on", "groups": group.pk, "user_permissions": list(everything)}
    for user in (User.objects.get(username="bar"), User.objects.create_user("kari")):
        was = user.is_staff, user.user_permissions.count()
        answer = bar.post(change(user), form_of(user, **rights))
        assert answer.status_code == 302
        now = User.objects.get(pk=user.pk)
        assert not now.is_superuser
        assert (now.is_staff, now.user_permissions.count()) == was
        assert not now.groups.exists()


def test_staff_change_and_delete_no_account_of_the_staff_and_set_no_password_of_it(bar, chief):
    other = User.objects.create_user("other", is_staff=True)
    for user in (chief, other):
        before = User.objects.values().get(pk=user.pk)
        assert bar.post(change(user), form_of(user, email="mine@example.org")).status_code == 403
        new = {"password1": "a-new-one-1", "password2": "a-new-one-1", "usable_password": "true"}
        assert bar.post(reverse("admin:auth_user_password_change", args=[user.pk]), new).status_code == 403
        assert bar.post(reverse("admin:auth_user_delete", args=[user.pk]), {"post": "yes"}).status_code == 403
        several = {"action": "delete_selected", "_selected_action": [user.pk], "post": "yes"}
        bar.post(reverse("admin:auth_user_changelist"), several)
        assert User.objects.values().get(pk=user.pk) == before


def test_staff_give_no_account_of_the_staff_an_address_for_a_new_password(bar, chief):
    address = EmailAddress.objects.create(user=chief, email="chief@example.org", primary=True)
    mine = {"user": chief.pk, "email": "mine@example.org", "verified": "on"}
    assert bar.post(reverse("admin:account_emailaddress_add"), mine).status_code == 403
    where = reverse("admin:account_emailaddress_change", args=[address.pk])
    assert bar.post(where, mine).status_code == 403
    several = {"action": "make_verified", "_selected_action": [address.pk]}
    bar.post(reverse("admin:account_emailaddress_changelist"), several)
    (kept,) = EmailAddress.objects.filter(user=chief)
    assert (kept.email, kept.verified) == ("chief@example.org", False)


def test_groups_are_changed_by_superusers_alone(bar, chief):
    group = Group.objects.create(name="bar")
    sent = {"name": "bar", "permissions": list(Permission.objects.values_list("pk", flat=True))}
    assert bar.post(reverse("admin:auth_group_change", args=[group.pk]), sent).status_code == 403
    assert bar.post(reverse("admin:auth_group_add"), {**sent, "name": "new"}).status_code == 403
    assert not group.permissions.exists()
    superuser = Client()
    superuser.force_login(chief)
    assert superuser.post(reverse("admin:auth_group_change", args=[group.pk]), sent).status_code == 302
    assert group.permissions.exists()


def test_staff_make_tokens_for_themselves_alone(bar, chief):
    sent = {"name": "Score board", "scope": "play"}
    assert bar.post(reverse("admin:games_apitoken_add"), {**sent, "user": chief.pk}).status_code == 403
    assert not ApiToken.objects.exists()
    own = User.objects.get(username="bar")
    assert bar.post(reverse("admin:games_apitoken_add"), {**sent, "user": own.pk}).status_code == 200
    assert ApiToken.objects.get().user == own


def test_staff_help_accounts_that_are_not_of_the_staff(bar):
    kari = User.objects.create_user("kari")
    assert bar.post(change(kari), form_of(kari, email="kari@example.org")).status_code == 302
    kari.refresh_from_db()
    assert kari.email == "kari@example.org"
