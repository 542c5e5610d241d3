"""Televisions, hosts and series for tests of screens."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from games.models import Night, Player, Screen
from games.services.nights import tv_screens
from games.services.screens import screen_letters, screens
from tests.web.pages import browser_of

TV = "/tv/"


def television(**headers: str) -> Client:
    """Return a television that shows letters."""
    browser = browser_of(headers=headers or None)
    browser.post(reverse("screen_letters"))
    return browser


def row_of(browser: Client) -> Screen:
    """Return the row of a television as it is stored now."""
    found = screen_letters.find(tv_screens.digest_in({name: each.value for name, each in browser.cookies.items()}))
    assert found is not None
    return found


def shown_letters(browser: Client) -> str:
    """Return the letters that a television shows."""
    return str(browser.get(TV).context["letters"])


def taken_in(night: Night, host: Player, browser: Client | None = None, **more: object) -> Client:
    """Return a television that the host of a night has taken in."""
    browser = browser or television()
    screens.enter(night, host, shown_letters(browser), **more)
    return browser


def shows(browser: Client) -> str:
    """Return what a television shows: "letters", "between", or a night's id with its mode and table."""
    return str(browser.get(TV).context["shown"])
