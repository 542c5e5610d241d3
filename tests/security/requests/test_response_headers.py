"""Every answer says what a browser may do with it; no page needs inline script or style."""

import re
from html.parser import HTMLParser

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import get_resolver, reverse

from games.models import Player
from games.ops.requests import admin_door
from tests.security.roles.roles import World, address, make_world, rows
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
# Kinds of script elements that hold data: nothing of them is run.
DATA = {"importmap", "application/json"}


@pytest.fixture(autouse=True)
def _no_tries_yet() -> None:
    cache.clear()


@pytest.fixture
def world(db) -> World:
    return make_world()


def policy(answer: HttpResponse) -> dict[str, list[str]]:
    """Return the Content-Security-Policy: directive → what it allows."""
    parts = [part.split() for part in answer.headers["Content-Security-Policy"].split(";")]
    return {part[0]: part[1:] for part in parts if part}


def hold(answer: HttpResponse, what: object = "") -> None:
    """Hold an answer to everything that is promised of it."""
    assert answer.headers["X-Content-Type-Options"] == "nosniff", what
    assert answer.headers["Referrer-Policy"] == "same-origin", what
    assert answer.headers["X-Frame-Options"] == "DENY", what
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin", what
    found = policy(answer)
    assert found["frame-ancestors"] == ["'none'"], what
    if found["default-src"] == ["'none'"]:
        # Nothing at all is allowed: not for a page, which would show nothing.
        assert not answer.headers["Content-Type"].startswith("text/html"), what
        assert set(found) == {"default-src", "frame-ancestors"}, what
        return
    assert found["object-src"] == found["base-uri"] == ["'none'"], what
    assert found["default-src"] == found["form-action"] == ["'self'"], what
    assert found["style-src"] == ["'self'"], what
    scripts = found["script-src"]
    assert scripts[0] == "'self'", what
    assert all(re.fullmatch(r"'nonce-[\w+/=-]{20,}'", each) for each in scripts[1:]), what
    if answer.headers.get("Content-Type", "").startswith("text/html"):
        hold_page(answer.content.decode(), what)


class Inline(HTMLParser):
    """Finds what a policy without 'unsafe-inline' would not let run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note inline scripts and styles."""
        has = dict(attrs)
        is_inline = tag == "style" or (tag == "script" and "src" not in has)
        if is_inline and has.get("type") not in DATA:
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            is_code = name.startswith("on") or (value or "").strip().startswith("javascript:")
            if is_code or name == "style":
                self.found.append(f"{tag} {name}={value}")


def hold_page(html: str, what: object) -> None:
    """Fail where a page has inline script or style."""
    reader = Inline()
    reader.feed(html)
    assert reader.found == [], (what, reader.found)


@pytest.mark.parametrize("role", ["nobody", "screen", "guest", "host", "kicked", "staff"])
def test_every_address_answers_with_the_headers(world, role):
    browser = world.browser(role)
    for row, (method, name, wanted) in rows().items():
        if method == "get":
            cache.clear()
            hold(browser.get(address(world, name, wanted)), row)


def test_every_page_of_the_admin_has_them(world):
    browser = world.browser("staff")
    for app in browser.get(reverse("admin:index")).context["app_list"]:
        for model in app["models"]:
            for where in (model["admin_url"], model["add_url"]):
                if where:
                    hold(browser.get(where), where)
    kari = world.people["guest"]
    assert isinstance(kari, Player)
    hold(browser.get(reverse("admin:games_player_change", args=[kari.pk])))
    hold(browser.get(reverse("admin:games_table_change", args=[world.over.pk])))
    hold(browser_of().get(reverse("admin:index")))


def test_the_pages_of_the_api_have_them():
    for name in ("api_docs", "api_schema"):
        hold(browser_of().get(reverse(name)), name)
    hold(browser_of().get(f"{reverse('api_docs')}?script="))


def broken(request: object) -> HttpResponse:
    """Fail as nobody foresaw."""
    raise RuntimeError


def test_error_pages_have_them(world, monkeypatch):
    browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
    answers = {
        404: browser.get("/nowhere/"),
        403: browser.post(reverse("host"), {"name": "x"}),
        405: browser.get(reverse("past_points")),
        413: browser.post(reverse("host"), "x" * 70_000, content_type="text/plain"),
        400: Client().get(reverse("home"), headers={"host": "a b"}),
    }
    pattern = next(p for p in get_resolver().url_patterns if getattr(p, "name", "") == "home")
    monkeypatch.setattr(pattern, "callback", broken)
    answers[500] = browser.get(reverse("home"))
    for status, answer in answers.items():
        assert answer.status_code == status
        hold(answer, status)


def test_the_slow_down_page_has_them():
    browser = browser_of()
    wrong = {"login": "nobody", "password": "wrong-as-can-be"}
    answers = [browser.post(reverse("account_login"), wrong) for _ in range(31)]
    assert answers[-1].status_code == 429
    for answer in answers:
        hold(answer)


@override_settings(ALLOWED_HOSTS=["pub.example"])
def test_a_host_that_is_not_ours_is_refused_with_the_headers():
    answer = browser_of().get(reverse("home"), headers={"host": "evil.example"})
    assert answer.status_code == 400
    hold(answer)


@pytest.mark.parametrize("kind", ["text/javascript; charset=utf-8", "text/css", "font/woff2", "image/svg+xml"])
def test_what_a_page_loads_beside_itself_says_what_counts_for_it(kind):
    never_changes = {"Cache-Control": "max-age=315360000, public, immutable", "ETag": '"1"', "Last-Modified": "then"}
    answers = {
        url: admin_door.headers(lambda _, kept=kept: HttpResponse("x", content_type=kind, headers=kept))(
            RequestFactory().get(url)
        )
        for url, kept in (("/a.1f.js", never_changes), ("/a.js", {"ETag": '"1"'}))
    }
    for answer in answers.values():
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cross-Origin-Resource-Policy"] == answer.headers["Referrer-Policy"] == "same-origin"
        assert policy(answer) == {"default-src": ["'none'"], "frame-ancestors": ["'none'"]}
        is_document = kind == "image/svg+xml"
        for name in ("X-Frame-Options", "Cross-Origin-Opener-Policy", "Permissions-Policy"):
            assert (name in answer.headers) == is_document, name
    assert not {"ETag", "Last-Modified"} & set(answers["/a.1f.js"].headers), "nobody asks again for what never changes"
    assert answers["/a.js"].headers["ETag"] == '"1"'


def test_the_search_for_inline_code_bites():
    for page in (
        "<script>alert(1)</script>",
        "<style>p {}</style>",
        '<p style="color: red">',
        '<a href="javascript:alert(1)">',
        '<img onerror="x()">',
    ):
        with pytest.raises(AssertionError):
            hold_page(page, page)
    hold_page('<script type="importmap" nonce="x">{}</script><script src="/a.js"></script>', "")
