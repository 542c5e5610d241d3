"""Accounts in tests: browsers that sign up and log in by the pages' own forms."""

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games.models import Night, Player
from games.services.people import players
from tests.web.pages import browser_of, join_link

PASSWORD = "drei-wuerfel-im-becher"


def sign_up(browser: Client, username: str = "kari", email: str = "") -> HttpResponse:
    """Send the sign-up form."""
    sent = {"username": username, "email": email, "password1": PASSWORD}
    return browser.post(reverse("account_signup"), sent)


def log_in(browser: Client, username: str = "kari", password: str = PASSWORD) -> HttpResponse:
    """Send the login form."""
    return browser.post(reverse("account_login"), {"login": username, "password": password})


def player_in(browser: Client) -> Player | None:
    """Return whose a browser is."""
    return players.session_player(browser.session)


def make_account(username: str = "kari", nickname: str = "Kari Nord") -> User:
    """Return a user with a player, made at some other browser."""
    browser = browser_of()
    assert sign_up(browser, username).status_code == 302
    browser.post(reverse("me"), {"nickname": nickname})
    return get_user_model().objects.get(username=username)


def account_pages(night: Night) -> dict[str, tuple[Client, str]]:
    """Return the pages of accounts, as a guest and as somebody logged in see them."""
    guest, mine, torn = browser_of(), browser_of(), browser_of()
    make_account()
    log_in(mine)
    torn.post(join_link(night), {"nickname": "Kari too"})
    log_in(torn)
    open_to_all = ("signup", "login", "inactive", "reset_password", "reset_password_done")
    own = ("logout", "change_password", "email", "reauthenticate")
    return {
        **{f"account {name}": (guest, reverse(f"account_{name}")) for name in open_to_all},
        **{f"account {name}": (mine, reverse(f"account_{name}")) for name in own},
        "account devices": (mine, reverse("usersessions_list")),
        "account claim": (torn, reverse("account_claim")),
        "my data": (mine, reverse("my_data")),
        "my tokens": (mine, reverse("my_tokens")),
        "me with an account": (mine, reverse("me")),
        "me undecided": (torn, reverse("me")),
    }
