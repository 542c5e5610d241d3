"""Nobody reads another's figures at any address: all that can be looked at are walked, those that come later, too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from games.models import GameGrades, Table
from games.services.grades import visibility
from games.services.nights import membership
from tests.grades.test_quiz import graded, play, sitter  # noqa: F401
from tests.secrecy import listeners
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
MARKS = ("ZZMARKZERO", "ZZMARKONE", "ZZMARKTWO")
"""What each seat chose, by its grades, and what stands nowhere else."""
NAMELESS = {"night_results", "tv", "tv_live", "api_night_position"}
"""Addresses that show the position of the night, without whose it was (test_position.py)."""
OUTSIDE = ("admin", "account", "mfa", "usersessions")


def patterns(found: Any = None) -> Iterator[URLPattern]:
    """Yield every named address of the site and the API, in its newest version."""
    for each in found if found is not None else get_resolver().url_patterns:
        if isinstance(each, URLResolver):
            if each.namespace is None and each.app_name not in OUTSIDE:
                yield from patterns(each.url_patterns)
        elif each.name:
            yield each


def addresses(table: Table) -> dict[str, list[str]]:
    """Return the addresses about a table, its night and its players by their names."""
    night = table.night
    values: dict[str, list[object]] = {
        "public_id": [table.public_id, night.public_id],
        "player_id": [sitter(table, seat).pk for seat in range(3)],
        "result_id": [table.results.first().pk],
        "token": [night.token("tv")],
        "name": ["grades.csv", "log.json", "results.csv", "night.zip"],
        "game_id": ["dummygame"],
    }
    found: dict[str, list[str]] = {}
    for pattern in patterns():
        names = list(pattern.pattern.converters)
        if all(name in values for name in names):
            for each in product(*(values[name] for name in names)):
                with suppress(NoReverseMatch):
                    where = reverse(pattern.name, kwargs=dict(zip(names, each, strict=True)))
                    found.setdefault(str(pattern.name), []).append(where)
    return found


def marks_at(client: Client, where: str) -> set[int]:
    cache.clear()
    text = listeners.body(client, where)
    return {seat for seat, mark in enumerate(MARKS) if mark in text}


@pytest.fixture
def marked(graded: Table) -> Table:  # noqa: F811
    for grades in GameGrades.objects.all():
        grades.rows = [
            play(seat, 0.1 * (seat + 1), played=mark, listed=[["8/5 6/5", 0.1], [mark, 0.0]])
            for seat, mark in enumerate(MARKS)
        ]
        grades.save()
    graded.options["skill_shown"] = "own"
    graded.save(update_fields=["options"])
    return graded


@pytest.mark.day(parts=6, turn=3)
def test_under_own_every_address_shows_ones_own_figures_alone(
    marked: Table, make_player: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    olga, elsewhere = make_player("Olga"), make_player("Else")
    membership.join(marked.night, olga)
    every = addresses(marked)
    assert {"replay", "my_play", "my_quiz", "api_table_grades", "table_file", "api_my_quiz", "my_matches"} <= set(every)
    viewers = {
        "seat 0": (listeners.browser(marked.night, sitter(marked, 0)), {0}),
        "onlooker": (listeners.browser(marked.night, olga), set()),
        "elsewhere": (listeners.browser(marked.night, elsewhere), set()),
        "screen": (listeners.browser(marked.night, None), set()),
        "nobody": (browser_of(), set()),
    }
    seen_own = set()
    for name, wheres in every.items():
        for who, (client, own) in viewers.items():
            for where in wheres if name not in NAMELESS else ():
                marks = marks_at(client, where)
                assert marks <= own, (who, where)
                seen_own |= {name} if marks else set()
    assert {"replay", "my_quiz", "api_table_grades", "table_file", "api_my_quiz"} <= seen_own
    # The guard is proved: where the right is granted to everybody, the walk finds it.
    monkeypatch.setattr(visibility, "may_see", lambda *_: True)
    client, _own = viewers["onlooker"]
    assert {name for name, wheres in every.items() for where in wheres if marks_at(client, where)} >= {
        "replay",
        "api_table_grades",
    }
