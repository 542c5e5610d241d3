"""The club of the year: its people with their browsers, what they tap, and what they read."""

from __future__ import annotations

import csv
import io
import random
import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth import SESSION_KEY, get_user_model
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games.services.clock import housekeeping
from games.services.mails import sending
from tests.club import forms
from tests.club.book import Book
from tests.club.clock import Clock
from tests.mails.conftest import HOUSE, Server
from tests.people.browsers import log_in, sign_up

ZONE = ZoneInfo("Europe/Berlin")
MINUS = "\N{MINUS SIGN}"
Game = Mapping[str, int]
"""The points of a game of everybody against one, by name."""


class Club:
    """People by name: those with a phone have a browser, those without are names.

    `night` is the public id of the newest night, `nights` has those of all days; `host` is who hosts the newest one,
    and `here` are those with a phone who have come to it.
    """

    def __init__(self, clock: Clock, mails: Server, rng: random.Random) -> None:
        self.clock, self.mails, self.rng, self.book = clock, mails, rng, Book()
        self.phones: dict[str, Client] = {}
        self.series = self.night = self.host = ""
        self.here: list[str] = []
        self.nights: dict[date, str] = {}
        self.differences: list[str] = []
        """The figures of the house that are not those of the book."""
        self.asked: Counter[str] = Counter()
        """How often somebody was asked by mail for the next season."""
        self.landlord = get_user_model().objects.create_superuser("landlord", password="x")

    # Time

    def at(self, day: date, hour: int, minute: int = 0) -> None:
        """Let it be an hour of a day; who was logged in for half a year has to do so again."""
        self.clock.go(datetime.combine(day, time(hour, minute), ZONE))
        for name in self.phones:
            self.come_back(name)

    def now(self) -> datetime:
        """Return the time of the club."""
        return datetime.now(ZONE) + self.clock.ahead

    def sleep_until(self, day: date) -> None:
        """Let the house do its chores in the morning of a day."""
        self.at(day, 4, 31)
        housekeeping.run()

    # People

    def arrive(self, name: str) -> None:
        """Let somebody make an account, confirm its address by mail, and want mails about dates."""
        browser = self.phones[name] = Client()
        self.ok(sign_up(browser, name.lower(), f"{name.lower()}@example.org"), 302)
        self.tap(name, reverse("me"), nickname=name)
        link = re.search(rf"{HOUSE}(/\S*email/\S+)", self.mails.got[-1].get_content())
        assert link is not None, self.mails.got[-1].get_content()
        self.ok(browser.post(link[1]), 302)
        self.tap(name, reverse("want_mail"), wanted="yes")

    def come_back(self, name: str) -> None:
        """Let somebody log in again whose login is half a year old."""
        if SESSION_KEY not in self.phones[name].session:
            self.ok(log_in(self.phones[name], name.lower()), 302)

    def tap(self, name: str, where: str, /, **posted: object) -> str:
        """Send a form; return the page that follows."""
        answer = self.phones[name].post(where, posted, follow=True)
        self.ok(answer)
        page: str = answer.content.decode()
        assert 'class="banner error"' not in page, forms.said(page)
        return page

    def administer(self, where: str, **posted: object) -> str:
        """Send a form of the admin as the landlord; return the page that follows."""
        browser = Client()
        browser.force_login(self.landlord)
        answer = browser.post(where, posted, follow=True)
        self.ok(answer)
        return answer.content.decode()

    def fill(self, name: str, where: str, /, having: str = "", **typed: object) -> str:
        """Open a page, type into the form that it sends to its own address, and send it; return what follows."""
        shown = forms.form(self.see(name, where), "", having)
        assert shown is not None, where
        return self.tap(name, where, **{**shown, **typed})

    def see(self, name: str, where: str) -> str:
        """Return a page as somebody sees it."""
        answer = self.phones[name].get(where, follow=True)
        self.ok(answer)
        return answer.content.decode()

    def check(self, what: str, day: date, found: Mapping[str, object], wanted: Mapping[str, object]) -> None:
        """Note where figures of the house are not those of the book: the year goes on, and all of them are told."""
        differ = {key: (found.get(key), wanted.get(key)) for key in {**found, **wanted}}
        differ = {key: pair for key, pair in differ.items() if pair[0] != pair[1]}
        if differ:
            self.differences.append(f"{what} of {day}: {differ} (the house, the book)")

    def ok(self, answer: HttpResponse, status: int = 200) -> None:
        """No page of the year is a wall."""
        about = (answer.status_code, getattr(answer, "url", ""), forms.said(answer.content.decode()[-6000:]))
        assert answer.status_code == status, about

    # Dates

    def date_page(self, day: date) -> str:
        """Return the address of the page of a date."""
        return reverse("series_date", args=[self.series, day.isoformat()])

    def remind(self, day: date) -> dict[str, str]:
        """Let the reminders of a day's date go out; return them by reader."""
        self.at(day - timedelta(days=1), 18, 5)
        return self.post()

    def post(self) -> dict[str, str]:
        """Let the mails that are due go out; return those about dates by reader, and count who is asked otherwise."""
        self.mails.got.clear()
        sending.run_as_task()
        found: dict[str, str] = {}
        for mail in self.mails.got:
            reader, text = str(mail["To"]).partition("@")[0].title(), mail.get_content()
            if re.search(rf"^yes: {HOUSE}", text, re.MULTILINE):
                found[reader] = text
            else:
                assert "season" in text, text
                self.asked[reader] += 1
        return found

    def answer_by_mail(self, name: str, text: str, says: str) -> None:
        """Tap a link of a mail, and confirm on its page."""
        link = re.search(rf"^{says}: {HOUSE}(\S+)", text, re.MULTILINE)
        assert link is not None, (name, text)
        stranger = Client()
        self.ok(stranger.get(link[1]))
        self.ok(stranger.post(link[1], {"says": says}, follow=True))

    def ask(self, name: str, where: str, /, **body: object) -> dict[str, Any]:
        """Send a request of the API with somebody's browser; return its answer."""
        answer = self.phones[name].post(f"/api/v1/{where}", body, content_type="application/json")
        assert answer.status_code in (200, 201), (where, answer.content)
        found: dict[str, Any] = answer.json()
        return found

    def read(self, name: str, where: str) -> dict[str, Any]:
        """Return an answer of the API, as somebody's browser gets it."""
        answer = self.phones[name].get(f"/api/v1/{where}")
        assert answer.status_code == 200, (where, answer.content)
        found: dict[str, Any] = answer.json()
        return found

    def results(self) -> str:
        """Return the address of the page of the night's results."""
        return reverse("night_results", args=[self.night])

    # What the house says

    def sheet(self, reader: str, night: str = "") -> dict[str, int]:
        """Return the totals of a night's results, by name, from its file, and see that its zip has the same file."""
        night = night or self.night
        text = self.file(reader, reverse("night_file", args=[night, "results.csv"])).decode("utf-8-sig")
        assert self.in_zip(reader, night, "results.csv") == text
        found: Counter[str] = Counter()
        for row in csv.DictReader(io.StringIO(text)):
            found[row["name"]] += int(row["points"])
        return dict(found)

    def owed(self, reader: str) -> dict[str, int]:
        """Return what everybody gets of the night in cents, by the API, and see that its payments come to it."""
        found, paid = dict[str, int](), Counter[str]()
        for account in self.read(reader, f"nights/{self.night}/owed/")["accounts"]:
            assert account["currency"] == "EUR"
            found |= {row["player"]["name"]: row["games"] for row in account["balances"] if row["games"]}
            for row in account["payments"]:
                paid[row["payer"]["name"]] -= row["amount"]
                paid[row["payee"]["name"]] += row["amount"]
        assert {name: n for name, n in paid.items() if n} == found
        return found

    def standing(self, reader: str, season: str) -> dict[str, int]:
        """Return the totals of a season, by name, from its file; its page has the same, each person once."""
        text = self.file(reader, reverse("season_csv", args=[season])).decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(text)))
        assert len({row["Name"] for row in rows}) == len(rows), [row["Name"] for row in rows]
        page = forms.said(self.see(reader, reverse("season", args=[season])))
        for row in rows:
            name, total = row["Name"], row["Total"].replace("-", MINUS)
            assert not total or f"{name} {total}" in page, (row, page)
        return {row["Name"]: int(row["Total"]) for row in rows if row["Total"]}

    def columns(self, reader: str, season: str) -> set[date]:
        """Return the days that a season's file has as columns."""
        text = self.file(reader, reverse("season_csv", args=[season])).decode("utf-8-sig")
        head = next(csv.reader(io.StringIO(text)))
        return {date.fromisoformat(each) for each in head if re.fullmatch(r"\d{4}-\d{2}-\d{2}", each)}

    def history(self, name: str) -> dict[str, list[int]]:
        """Return what somebody has in each backgammon game and correction of their history, by night."""
        where = f"players/{self.read(name, 'me/')['player']['id']}/results/"
        found: dict[str, list[int]] = defaultdict(list)
        page = self.read(name, f"{where}?page_size=100")
        while True:
            for row in page["results"]:
                found[row["result"]["night"]] += [row["points"]] if row["points"] else []
            if not page.get("next"):
                return {night: sorted(points) for night, points in found.items() if points}
            page = self.read(name, page["next"].partition("/api/v1/")[2])

    def in_zip(self, reader: str, night: str, name: str) -> str:
        """Return a file of a night's zip by the end of its name."""
        packed = self.file(reader, reverse("night_file", args=[night, "night.zip"]))
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            (found,) = [each for each in archive.namelist() if each.endswith(name)]
            return archive.read(found).decode("utf-8-sig")

    def file(self, reader: str, where: str) -> bytes:
        """Return a file as somebody gets it."""
        answer = self.phones[reader].get(where)
        assert answer.status_code == 200, where
        return b"".join(answer) if answer.streaming else answer.content
