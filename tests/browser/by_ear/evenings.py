"""Whole evenings by ear, each with bots: what was heard is held against the house's state after every entry."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.browser.by_ear import chicago, chouette
from tests.browser.by_ear.tree import Tree
from tests.browser.people import LAPTOP, Person

MakePerson = Callable[..., Person]
AGREES_WITHIN = 5.0
LONGEST = 900.0


@dataclass
class Figures:
    """What an evening came to."""

    game: str
    entries: int = 0
    turns: int = 0
    most_said: int = 0
    too_much: list[list[str]] = field(default_factory=list)
    asked_again: int = 0
    keys: int = 0
    unread: list[str] = field(default_factory=list)
    seconds: float = 0.0


def seat_with_bots(host: Person, game: str, preset: str, bots: int, level: str, **rules: object) -> None:
    """Open a table for one person and bots, begin, and look at it."""
    host.host_a_night("Thursday")
    night = host.page.url.rstrip("/").rsplit("/", 1)[-1]
    opened = host.ask(f"nights/{night}/tables/", game=game, preset=preset, options=rules)
    table = f"tables/{opened['id']}/"
    host.ask(f"{table}seats/", accept=True, mark=host.ask(f"{table}rules/")["mark"])
    for _ in range(bots):
        host.ask(f"{table}seats/", bot=level)
    begun = host.ask(f"{table}start/", id="begin")
    host.page.goto(host.url + begun["table"]["url"])
    host.page.wait_for_function(f"document.querySelector('{game}-table')?.now")


def view_of(host: Person, game: str) -> Any:
    """Return the state as the house has sent it, which the player never reads."""
    return host.page.evaluate(f"document.querySelector('{game}-table')?.now?.view ?? null")


def play_chouette(person: MakePerson, *, bots: int = 2, games: int = 1) -> Figures:
    """Play games of a chouette by ear until the host closes the table."""
    host = person("Hanna", screen=LAPTOP)
    seat_with_bots(host, "chouette", "german", bots, "net")
    begun = time.monotonic()
    player = chouette.Player(Tree(host.page), "Hanna")
    player.come_in()
    closed_in = -1
    while not player.heard.is_over:
        assert time.monotonic() - begun < LONGEST, (player.heard.turns[-1].names, player.tree.keys[-5:])
        player.step()
        agree(player, host)
        ended = player.heard.games_ended
        if games - 1 <= ended != closed_in and player.heard.dice:
            closed_in = ended
            player.close_after_this_game()
    whole = [turn for turn in player.heard.turns if turn.is_whole]
    return Figures(
        game="chouette",
        entries=player.heard.entries,
        turns=len(whole),
        most_said=max(turn.sentences for turn in whole),
        too_much=[turn.names for turn in whole if turn.sentences > turn.most],
        asked_again=player.asked_again,
        keys=len(player.tree.keys),
        unread=player.heard.unread,
        seconds=time.monotonic() - begun,
    )


def agree(player: chouette.Player, host: Person) -> None:
    """Hold the heard position against the house's: what is shown may be ahead of what is said, for a moment."""
    end = time.monotonic() + AGREES_WITHIN
    heard = player.heard
    while heard.box and not heard.is_over:
        view = view_of(host, "chouette")
        game = view and view["game"]
        if not game or view["phase"] != "playing" or tuple(game["points"]) == heard.position:
            return
        assert time.monotonic() < end, (game["points"], heard.position, heard.turns[-1].names)
        for one in player.tree.hear(0.5):
            for read in heard.hear(one):
                player.take_in(read)


def play_chicago(person: MakePerson, *, bots: int = 2, rounds: int = 3) -> Figures:
    """Play an evening of Chicago by ear to its end."""
    host = person("Hanna", screen=LAPTOP)
    seat_with_bots(host, "chicago", "classic", bots, "strong", rounds=rounds)
    begun = time.monotonic()
    options = view_of(host, "chicago")["options"]  # the rules card, which everybody has read
    player = chicago.Player(Tree(host.page), "Hanna", options, bots + 1)
    player.come_in()
    while not player.is_over:
        assert time.monotonic() - begun < LONGEST, (player.turns[-1].names, player.tree.keys[-5:])
        player.step()
        agree_on_dice(player, host)
    assert view_of(host, "chicago")["outcome"]
    return Figures(
        game="chicago",
        entries=player.entries,
        turns=len(player.turns),
        most_said=max(len(turn.said) for turn in player.turns[1:]),
        too_much=[turn.names for turn in player.turns[1:] if len(turn.said) > turn.most],
        asked_again=player.asked_again,
        keys=len(player.tree.keys),
        unread=player.unread,
        seconds=time.monotonic() - begun,
    )


def agree_on_dice(player: chicago.Player, host: Person) -> None:
    """Hold the heard throw against the house's, for a moment in which what is shown may be ahead."""
    end = time.monotonic() + AGREES_WITHIN
    while not player.is_over:
        cup = view_of(host, "chicago")["cup"]
        told = (cup["throws"], sorted(cup["rolled"]), sorted(cup["laid"]))
        heard = (player.throws, sorted(player.rolled), sorted(player.laid))
        if told == heard or (not cup["throws"] and not player.throws):
            return
        assert time.monotonic() < end, (told, heard, player.turns[-1].names)
        player.listen(0.5)
