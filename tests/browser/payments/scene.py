"""An evening with money: four people, a table whose points are worth ten cents, and a past game that all agreed to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.browser.people import Person

POINTS = (7, -3, -6, 2)
RULES = {"point_currency": "EUR", "point_value": 10}


def open_evening(person: Callable[..., Person], **more: object) -> tuple[list[Person], str]:
    """Return four people, the host first, and the address of the night; their totals are POINTS times ten cents."""
    names = ("Hanna", "Anna", "Ben", "Kari")
    people = [person(name, **more) for name in names]
    host = people[0]
    host.host_a_night("Donnerstag")
    address = host.page.url
    link, night = host.link("j"), address.split("/night/")[1].strip("/")
    for guest in people[1:]:
        guest.join(link)
    host.ask(f"nights/{night}/tables/", game="chouette", preset="german", options=RULES)
    note_game(people, night)
    return people, address


def note_game(people: Sequence[Person], night: str) -> None:
    """Note a past game of the four, the host first, in which they have won POINTS; all agree to it."""
    host = people[0]
    found = [one["player"] for one in host.ask(f"nights/{night}/people/")["results"]]
    ids = {each["name"]: each["id"] for each in found}
    lines = [{"player": ids[each.name], "points": points} for each, points in zip(people, POINTS, strict=True)]
    result = host.ask(f"nights/{night}/past-games/", game="chouette", preset="german", lines=lines)["id"]
    for guest in people[1:]:
        guest.ask(f"results/{result}/consent/", agrees=True)
