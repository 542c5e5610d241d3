"""The club of the year: its people with their browsers, what they tap, and what they read."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games.services import form_ids
from games.services.clock import housekeeping
from games.services.commands import new_command_id
from games.services.mails import sending
from tests.club.book import Book
from tests.club.clock import Clock
from tests.mails.conftest import HOUSE, Server
from tests.people.browsers import sign_up
from tests.web.pages import read

ZONE = ZoneInfo("Europe/Berlin")
Game = Mapping[str, int]
"""The points of a game of everybody against one, by name."""


class Club:
    """People by name: those with a phone have a browser, those without are names."""

    def __init__(self, clock: Clock, mails: Server) -> None:
        self.clock, self.mails, self.book = clock, mails, Book()
        self.phones: dict[str, Client] = {}
        self.without: tuple[str, ...] = ()
        self.series = self.night = ""
        self.nights: dict[date, str] = {}

    # Time

    def at(self, day: date, hour: int, minute: int = 0) -> None:
        """Let it be an hour of a day; the house's night between has done its chores."""
        self.clock.go(datetime.combine(day, time(hour, minute), ZONE))

    def now(self) -> datetime:
        """Return the time of the club."""
        return datetime.now(ZONE) + self.clock.ahead

    def sleep_until(self, day: date) -> None:
        """Let the house do its chores in the morning of a day."""
        self.at(day, 4, 31)
        housekeeping.run()

    # People

    def arrive(self, name: str) -> Client:
        """Let somebody make an account, confirm its address by mail, and want mails about dates."""
        browser = self.phones[name] = Client()
        self.ok(sign_up(browser, name.lower(), f"{name.lower()}@example.org"), 302)
        self.tap(name, reverse("me"), nickname=name)
        link = re.search(rf"{HOUSE}(/\S*email/\S+)", self.mails.got[-1].get_content())
        assert link is not None, self.mails.got[-1].get_content()
        self.ok(browser.post(link[1]), 302)
        self.tap(name, reverse("want_mail"), wanted="yes")
        return browser

    def tap(self, name: str, where: str, /, **posted: object) -> str:
        """Send a form; return the page that follows."""
        answer = self.phones[name].post(where, posted, follow=True)
        self.ok(answer)
        return answer.content.decode()

    def see(self, name: str, where: str) -> str:
        """Return a page as somebody sees it."""
        answer = self.phones[name].get(where, follow=True)
        self.ok(answer)
        return answer.content.decode()

    def ok(self, answer: HttpResponse, status: int = 200) -> None:
        """No page of the year is a wall."""
        shown = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()[-6000:]))
        assert answer.status_code == status, (answer.status_code, getattr(answer, "url", ""), shown)

    # Dates

    def remind(self, day: date) -> dict[str, str]:
        """Let the reminders of a day's date go out; return their links by reader and word."""
        self.mails.got.clear()
        self.at(day - timedelta(days=1), 18, 5)
        sending.run_as_task()
        return {str(mail["To"]).partition("@")[0].title(): mail.get_content() for mail in self.mails.got}

    def answer_by_mail(self, name: str, text: str, says: str) -> None:
        """Tap a link of a mail, and confirm on its page."""
        link = re.search(rf"^{says}: {HOUSE}(\S+)", text, re.MULTILINE)
        assert link is not None, text
        stranger = Client()
        self.ok(stranger.get(link[1]))
        self.ok(stranger.post(link[1], {"says": says}, follow=True))

    # Evenings

    def open_night(self, host: str, day: date) -> None:
        """Open the night of a date, and let everybody with a phone in."""
        self.at(day, 19, 35)
        act = reverse("date_act", args=[self.series, day.isoformat(), "open"])
        page = self.tap(host, act)
        found = re.search(r"/j/([a-z0-9]+)/([\w-]+)/", page)
        assert found is not None, "the host sees the way in"
        self.night = self.nights[day] = found[1]
        for name, phone in self.phones.items():
            if name != host:
                self.ok(phone.post(f"/j/{found[1]}/{found[2]}/", {"nickname": name}, follow=True))

    def enter(self, author: str, day: date, points: Game, box: str) -> None:
        """Enter a game that was played on a board at the pub, and let everybody with a phone agree."""
        where = reverse("past_game", args=[self.night])
        people = {tag.text.strip(): tag.attrs["value"] for tag in read(self.see(author, where)).all("option")}
        sent: dict[str, object] = {"game": "chouette", "preset": "german", "lines": len(points)}
        sent |= {"form_id": form_ids.new()}
        for slot, (name, n) in enumerate(points.items()):
            known = people.get(name)
            sent |= {f"who-{slot}": known or "new"} | ({} if known else {f"name-{slot}": name})
            if name == box:
                sent[f"side-{slot}"] = "box"
            else:
                winner = "member" if n > 0 else "box"
                words = {"side": "member", "cube": abs(n), "winner": winner, "level": 1}
                sent |= {f"{field}-{slot}": word for field, word in words.items()}
        page = self.tap(author, where, **sent)
        assert "data-code" not in page, page
        self.book.note(day, points)

    def ask(self, name: str, where: str, /, **body: object) -> dict[str, Any]:
        """Send a request of the API with somebody's browser; return its answer."""
        answer = self.phones[name].post(f"/api/v1/{where}", body, content_type="application/json")
        assert answer.status_code in (200, 201), (where, answer.content)
        found: dict[str, Any] = answer.json()
        return found

    def seen(self, name: str, where: str) -> dict[str, Any]:
        """Return a table's state as somebody's browser gets it."""
        found: dict[str, Any] = self.phones[name].get(f"/api/v1/{where}").json()["state"]
        return found

    def play_for_money(self, host: str, day: date, winner: str, loser: str, cents: int) -> None:
        """Let two people without a phone play a game on a real board, whose points are worth something."""
        options = {"board": "wood", "point_currency": "EUR", "point_value": cents}
        table = self.ask(host, f"nights/{self.night}/tables/", game="chouette", preset="money", options=options)
        where = f"tables/{table['id']}/"
        for name in (winner, loser):
            self.ask(host, f"{where}seats/", person=name, adult=True)
        self.ask(host, f"{where}acts/", act="start", args={})
        first = self.seen(host, where)["view"]["line"][0]
        begin = next(
            each for each in self.seen(host, f"{where}?seat={first}")["choices"] if each["name"] == "begin_game"
        )
        command = {"id": new_command_id(), "name": "begin_game", "args": begin["options"][0], "basis": begin["basis"]}
        self.ask(host, f"{where}commands/", **command, seat=first)
        box = self.seen(host, where)["view"]["game"]["box"]
        told = {"winner": "box" if box == 0 else "team", "level": 1}
        self.ask(host, f"{where}commands/", id=new_command_id(), name="table.state_result", args={"result": told})
        self.ask(host, f"{where}commands/", id=new_command_id(), name="table.end", args={})
        self.book.note(day, {winner: 1, loser: -1})
        self.book.owe(day, loser, winner, cents)

    def form(self, page: str, act: str) -> dict[str, list[str]]:
        """Return the fields of a page's first form of an act, by name; {} if there is none."""
        found = re.search(rf'<form[^>]*action="[^"]*/do/{act}/".*?</form>', page, re.DOTALL)
        fields: dict[str, list[str]] = {}
        for tag in read(found[0] if found else "").tags:
            if tag.name in ("input", "button") and "name" in tag.attrs:
                fields.setdefault(tag.attrs["name"], []).append(tag.attrs.get("value", ""))
        return fields

    def play_tournament(self, director: str) -> Counter[str]:
        """Let everybody who is here play everybody on real boards, whoever is named first wins; return the wins."""
        where = reverse("tournament_new", args=[self.night])
        page = self.tap(director, where, name="Cup", kind="round_robin", length="1", closes="23:30", medium="wood")
        found = re.search(r"/tournament/([a-z0-9]+)/", page)
        assert found is not None, page
        cup, won = found[1], dict[str, str]()
        act = f"/tournament/{cup}/do/"
        entered = self.form(page, "enter")
        self.tap(director, f"{act}enter/", **entered)
        for _ in range(400):
            page = self.see(director, f"/tournament/{cup}/")
            if told := self.form(page, "result"):
                names = re.findall(rf'value="{told["winner"][0]}"\s*>\s*([^<]+?)\s*</button>', page)
                won[told["match"][0]] = names[0].removesuffix(" has won").removesuffix(" won")
                self.tap(director, f"{act}result/", match=told["match"][0], winner=told["winner"][0], points="0")
            elif asked := self.form(page, "confirm"):
                self.tap(director, f"{act}confirm/", **asked)
            else:
                break
        self.tap(director, f"{act}finish/", **self.form(page, "finish"))
        people = len(entered["players"])
        # Equals about the first place play one more.
        assert len(won) >= people * (people - 1) // 2, won
        return Counter(won.values())

    def owed(self, reader: str) -> set[tuple[str, str, int]]:
        """Return who pays whom how many cents, by the night's page of what is owed."""
        found = self.phones[reader].get(f"/api/v1/nights/{self.night}/owed/").json()
        rows = [row for each in found["accounts"] for row in each["payments"]]
        return {(row["payer"]["name"], row["payee"]["name"], row["amount"]) for row in rows}

    def agree(self, host: str) -> None:
        """Let everybody with a phone say yes to the games that wait, and the host for those without."""
        for name in (*self.phones, host):
            page = self.see(name, reverse("night_results", args=[self.night]))
            for where in sorted(set(re.findall(r'action="(/past-game/\d+/answer/)"', page))):
                self.tap(name, where, answer="yes")

    def close(self, host: str) -> None:
        """Close the night."""
        self.tap(host, reverse("night_act", args=[self.night, "close"]))

    # What the house says

    def sheet(self, reader: str) -> Counter[str]:
        """Return the totals of the night's results, by name, from its file."""
        text = self._file(reader, reverse("night_file", args=[self.night, "results.csv"]))
        found: Counter[str] = Counter()
        for row in csv.DictReader(io.StringIO(text)):
            found[row["name"]] += int(row["points"])
        return found

    def standing(self, reader: str, season: str) -> dict[str, float]:
        """Return the totals of a season, by name, from its file."""
        rows = list(csv.reader(io.StringIO(self._file(reader, reverse("season_csv", args=[season])))))
        name, total = rows[0].index("Name"), rows[0].index("Total")
        found: dict[str, float] = {}
        for row in rows[1:]:
            # Somebody without a phone whose name is typed at a table is another row than on a past game's sheet.
            if row[total]:
                found[row[name]] = found.get(row[name], 0) + float(row[total])
        return found

    def _file(self, reader: str, where: str) -> str:
        answer = self.phones[reader].get(where)
        assert answer.status_code == 200, where
        return b"".join(answer).decode("utf-8-sig") if answer.streaming else answer.content.decode("utf-8-sig")
