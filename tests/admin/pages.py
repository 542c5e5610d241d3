"""The admin in tests: browsers of the staff, acts, and what its pages must not hold."""

import re
from collections.abc import Iterable

from django.contrib.auth.models import Permission, User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

# An import map is data, and there is no other place for it than the page.
INLINE_SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*type=\"(?:application/json|importmap)\")[^>]*>")
INLINE_STYLE = re.compile(r"\sstyle=|\son[a-z]+=|<style\b")


def staff_browser(name: str, permissions: Iterable[str] = ()) -> Client:
    """Return the browser of somebody of the staff who has these permissions of the house's."""
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=list(permissions)))
    client = Client()
    client.force_login(user)
    return client


def ask_path(model: str, act: str, *rows: object) -> str:
    """Return the address of an act's page for rows."""
    ids = ",".join(str(row.pk) for row in rows)
    return reverse(f"admin:games_{model}_ask", args=[act]) + f"?ids={ids}"


def codes(answer: HttpResponse) -> set[str]:
    """Return the codes of the refusals on a page."""
    return set(re.findall(r'data-code="(\w+)"', answer.content.decode()))


def code_at(answer: HttpResponse, field: str) -> set[str]:
    """Return the codes of the refusals at one field of a page."""
    text = answer.content.decode()
    found = re.search(rf'<ul class="errorlist" id="{field}_error">(.*?)</ul>', text, re.S)
    return set(re.findall(r'data-code="(\w+)"', found[1])) if found else set()
