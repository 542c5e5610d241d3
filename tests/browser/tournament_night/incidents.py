"""What happens on a tournament night besides matches: late people, leavers, a wrong result, a broken board, a break."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from playwright.sync_api import Locator, expect

from tests.browser.tournament_night.night import Match, TournamentNight

Incident = Callable[[TournamentNight], bool]
"""Does something at a night if it can be done now; tells whether it was."""
LATER_MATCHES = 2
"""Matches that were played after the one with the wrong result, by its two people together."""


def late(name: str) -> Incident:
    """Return the incident that somebody comes late and goes in by a tap."""

    def comes(night: TournamentNight) -> bool:
        night.come(name)
        night.enter(name)
        return True

    return comes


def goes_home(name: str) -> Incident:
    """Return the incident that somebody says on the phone that they go home after this match."""

    def goes(night: TournamentNight) -> bool:
        own = night.phones[name].page.locator("#t-own")
        own.locator("#t-leave > summary").click()
        own.get_by_role("button", name=re.compile("^Go home")).click()
        night.note_gone(name)
        return True

    return goes


def is_sent_home(night: TournamentNight) -> bool:
    """Let the director note that a free guest goes home, who has said so at the bar."""
    free = [each for each in night.read()["people"] if each["status"] == "free"]
    name = next((each["player"]["name"] for each in free if each["player"]["name"] in night.guests), None)
    if name is None:
        return False
    people = night.director.page.locator("#t-people")
    menu = people.get_by_label(f"What to do with {name}", exact=True)
    if not night.shows(menu):
        return False
    night.tap(menu)
    night.tap(people.get_by_role("button", name="Goes home after this match").locator("visible=true"))
    night.note_gone(name)
    return True


def is_corrected(night: TournamentNight) -> bool:
    """Let the director correct a result after two later matches of its people, and let those stand."""
    done = [each for each in night.read()["matches"] if each["status"] == "done"]
    wrong = next((each for each in done if _later(done, each) >= LATER_MATCHES), None)
    if wrong is None:
        return False
    loser = next(key for key in wrong["people"] if key != wrong["winner"])
    page = night.director.page
    _open_match(night, wrong)
    night.tap(page.locator("#t-focus").get_by_role("button", name=f"{night.names[loser]} won", exact=True))
    night.until(lambda: _match(night, wrong["id"])["winner"] == loser, "the result is corrected")
    while warnings := len(night.read()["warnings"]):
        banners = page.locator("#t-proposals .banner.warning")
        expect(banners).to_have_count(warnings)
        night.tap(banners.first.get_by_role("button", name="Let it stand"))
        night.until(partial(_has_fewer_warnings, night, warnings), "the match stands")
    night.tap(page.locator("#t-focus").get_by_role("link", name="Back"))
    return True


def _has_fewer_warnings(night: TournamentNight, than: int) -> bool:
    return len(night.read()["warnings"]) < than


def _later(done: list[Match], match: Match) -> int:
    """Return how many matches the two people of a match have played after it."""
    return sum(
        each["started_at"] >= match["ended_at"] and bool(set(each["people"]) & set(match["people"])) for each in done
    )


def _match(night: TournamentNight, match_id: str) -> Match:
    return next(each for each in night.read()["matches"] if each["id"] == match_id)


def _open_match(night: TournamentNight, match: Match) -> None:
    """Open a decided match, among the latest results or among all."""
    page = night.director.page
    night.tap(page.locator("#t-done > summary"))
    link = page.locator(f'#t-done a[href="?match={match["id"]}"]')
    if not night.shows(link):
        night.tap(page.locator("#t-done").get_by_role("link", name="All results"))
    night.tap(link)
    expect(page.locator("#t-focus")).to_be_visible()


def board_breaks(night: TournamentNight) -> bool:
    """Let the director take a board out of which a match is being played; the two go on elsewhere."""
    running = night.running()
    if not running:
        return False
    board = running[0]["board"]
    _board(night, board, "Out of order")
    night.boards_out.add(board)
    return True


def board_is_mended(night: TournamentNight) -> bool:
    """Let the director put the board back."""
    board = night.boards_out.pop()
    _board(night, board, "In use again")
    return True


def _board(night: TournamentNight, board: int, what: str) -> None:
    tool = _tool(night, "Boards")
    night.type(tool.locator("select"), str(board))
    night.tap(tool.get_by_role("button", name=what))
    expect(night.director.page.get_by_text("Saved.")).to_be_visible()


def rest(after: int, minutes: int) -> Incident:
    """Return the incident that the director plans a break."""

    def is_planned(night: TournamentNight) -> bool:
        tool = _tool(night, "A break")
        night.type(tool.get_by_label("In so many minutes"), str(after))
        night.type(tool.get_by_label("For so many minutes"), str(minutes))
        start = datetime.fromisoformat(night.read()["created_at"]) + timedelta(minutes=night.state["minute"] + after)
        night.tap(tool.get_by_role("button", name="Plan the break"))
        expect(night.director.page.get_by_text("Saved.")).to_be_visible()
        night.breaks.append((start, start + timedelta(minutes=minutes)))
        return True

    return is_planned


def _tool(night: TournamentNight, name: str) -> Locator:
    """Open one of the director's tools."""
    summary = night.director.page.locator(".t-tools > details > summary", has_text=re.compile(f"^{name}$"))
    night.tap(summary)
    return night.director.page.locator(".t-tools > details[open]")
