"""Countries and their time zones, from the computer's own time zone database."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path


@cache
def countries() -> dict[str, str]:
    """Return code → English name of the countries, by name; empty without the database's tables."""
    found = dict(row[:2] for row in _rows("iso3166.tab"))
    return dict(sorted(found.items(), key=lambda one: one[1]))


@cache
def zones() -> dict[str, tuple[str, ...]]:
    """Return the time zones that people live in, by name, with the countries of each."""
    by_zone: dict[str, tuple[str, ...]] = {"UTC": ()}
    for country, _place, name, *_comment in _rows("zone.tab"):
        by_zone[name] = (*by_zone.get(name, ()), country)
    known = zoneinfo.available_timezones()
    return {name: by_zone[name] for name in sorted(by_zone) if name in known}


def is_zone(name: str) -> bool:
    """Tell whether a name is that of a time zone."""
    return name in zoneinfo.available_timezones()


def _rows(table: str) -> Iterator[list[str]]:
    """Yield the rows of a table of the time zone database."""
    for line in _text(table).splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def _text(table: str) -> str:
    """Return a table's text, "" if neither the computer nor the package tzdata has it."""
    for folder in zoneinfo.TZPATH:
        if (path := Path(folder) / table).is_file():
            return path.read_text(encoding="utf-8")
    try:
        return resources.files("tzdata").joinpath("zoneinfo", table).read_text(encoding="utf-8")
    except (ModuleNotFoundError, OSError):
        return ""
