"""A tournament of the club in which everybody meets everybody, and two go home before its end."""

from __future__ import annotations

import csv
import io
import re
from datetime import date

from django.urls import reverse

from tests.club import forms
from tests.club.book import CupBook
from tests.club.world import Club

MOST_STEPS = 400


class Cup:
    """The tournament as its director sees it; who wins a match is drawn."""

    def __init__(self, club: Club) -> None:
        self.club = club
        where = reverse("tournament_new", args=[club.night]) + "?kind=round_robin"
        typed = {"name": "Cup", "length": "1", "closes": "23:30", "medium": "wood"}
        page = club.fill(club.host, where, having="form_id", **typed)
        found = re.search(r"/tournament/([a-z0-9]+)/", page)
        assert found is not None, page
        self.address = f"/tournament/{found[1]}/"
        entered = forms.form(page, "/do/enter/")
        assert entered is not None
        self.tap("enter", **entered)
        self.book = CupBook([])

    def see(self) -> str:
        """Return the page as its director sees it."""
        return self.club.see(self.club.host, self.address)

    def tap(self, act: str, /, **posted: object) -> str:
        """Carry out an act of the director; return the page that follows."""
        return self.club.tap(self.club.host, f"{self.address}do/{act}/", **posted)

    def play(self) -> None:
        """Play all matches; one goes home after two, and one with a single match left."""
        self._confirm()
        self.book.people = re.findall(r"What to do with ([^\"]+)\"", self.see())
        early, late = self.club.rng.sample([each for each in self.book.people if each != self.club.host], 2)
        leaves = {early: 2, late: len(self.book.people) - 2}
        for _ in range(MOST_STEPS):
            page = self.see()
            self._go_home(page, leaves)
            if not self._result(page) and not self._confirm():
                break
        else:
            raise AssertionError("the tournament comes to its end")
        self._finish()

    def _result(self, page: str) -> bool:
        """Tell the result of the first running match of a page; return whether there was one."""
        match = forms.form(page, "/do/result/")
        if match is None:
            return False
        keys = forms.buttons(page, "/do/result/", "winner")
        names = {text.removesuffix(" has won").removesuffix(" won"): key for text, key in keys.items()}
        winner = self.club.rng.choice(sorted(names))
        (loser,) = set(names) - {winner}
        self.tap("result", **{**match, "winner": names[winner], "points": "0"})
        self.book.played.append((winner, loser))
        return True

    def _confirm(self) -> bool:
        asked = forms.form(self.see(), "/do/confirm/")
        if asked is not None:
            self.tap("confirm", **asked)
        return asked is not None

    def _go_home(self, page: str, leaves: dict[str, int]) -> None:
        """Let those who have played so many matches go home, when they are in none."""
        running = page[page.index('id="t-running"') : page.index('id="t-finished"')]
        for name, count in list(leaves.items()):
            if self.book.of(name) >= count and f"{name} –" not in running and f"– {name}" not in running:
                menu = forms.form(page, "/do/withdraw/", f'value="{self._key(page, name)}"')
                assert menu is not None
                self.tap("withdraw", **menu, when="now")
                self.book.gone.append(name)
                del leaves[name]

    def _key(self, page: str, name: str) -> str:
        found = re.search(rf'What to do with {name}".*?name="who" value="(\w+)"', page, re.DOTALL)
        assert found is not None, name
        return found[1]

    def _finish(self) -> None:
        if 'action="' + f'{self.address}do/finish/"' in self.see():
            self.tap("finish")
        assert "The tournament is over." in self.see()

    def compare(self, day: date) -> None:
        """Compare standing, files, results and each person's page with the book."""
        wanted = self.book.wins_and_losses()
        club, text = self.club, self.club.file(self.club.host, f"{self.address}standing.csv").decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(text)))
        found = {row["Name"]: (int(row["Wins"]), int(row["Losses"])) for row in rows if row["Wins"]}
        club.check(f"{self.book}", day, found, wanted)
        matches = sorted(
            (row["Winner"], row["Opponent"] if row["Winner"] == row["Name"] else row["Name"])
            for row in rows
            if row["Winner"]
        )
        assert matches == sorted(self.book.played), "matches that do not count stay in the list"
        assert club.in_zip(club.host, club.night, "tournament-1-cup.csv") == text
        results = forms.said(club.see(club.host, club.results()))
        assert "Cup" in results
        for name, (won, lost) in wanted.items():
            assert re.search(rf"\d {name} .*?{won}.*?{lost}", results), (name, won, lost)
        for name in club.here:
            own = club.read(name, "me/")["player"]["id"]
            page = forms.said(club.see(name, reverse("player", args=[own])))
            met = sum(name in match for match in self.book.played)
            assert re.search(rf"Cup .*? {wanted[name][0]} {wanted[name][1]}\b", page) and f"Matches {met}" in page, (
                name,
                page,
            )
