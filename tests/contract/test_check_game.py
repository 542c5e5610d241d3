"""`manage.py check_game`: what a programmer of a game reads before it is offered to anybody."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.kernel import contract_check
from games.management import game_grades
from games.plugin import all_games, game
from tests.dummygame.rules import rules
from tests.dummygame.rules.events import DieDealt
from tests.languages import TRANSLATED


def faults(hidden: Sequence[str] | None = None) -> str:
    """Return what the check says of the dummy game as it is now; `hidden` in place of what its script names."""
    found = game("dummygame")
    names = found.hidden_dice if hidden is None else hidden
    return "; ".join(contract_check.faults(found.rules, found.options.values("hidden"), 3, "one", names))


def test_a_game_that_keeps_the_contract_has_its_grades_listed() -> None:
    out = StringIO()
    call_command("check_game", "bluffing", stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[0].split() == ["yes", "playable", "contract", "4,", "4", "tables"]
    assert [line.split()[0] for line in lines[1:]] == ["no"] * (5 + len(TRANSLATED))
    assert "bots" in lines[2 + len(TRANSLATED)]


def test_a_game_that_is_not_installed_is_refused_with_the_names_of_those_that_are() -> None:
    with pytest.raises(CommandError, match=r"halma is not installed. Installed are: .*dummygame"):
        call_command("check_game", "halma")


def test_the_finished_games_have_all_words_and_boards_of_their_own() -> None:
    had = {each.topic: each.is_had for each in game_grades._words(game("chouette"))}
    assert had == {f"words: {language}": True for language in TRANSLATED}
    assert all(all_games()[name].has_element for name in ("chicago", "chouette"))


def hasty(sound: Any, state: Any, command: Any, dice: Any, seq: int) -> Any:
    dice.roll(1)
    return sound(state, command, dice, seq)


def with_die(sound: Any, state: Any, viewer: Any, *times: Any) -> Any:
    return {**sound(state, viewer, *times), "dice": [player.die for player in state.players]}


def forgetful(sound: Any, state: Any, event: Any, seq: int) -> Any:
    return replace(sound(state, event, seq), last={"n": id(event)})


def longer(sound: Any, state: Any, seat: Any) -> Any:
    return tuple(replace(each, options=(*each.options, {"number": 99})) for each in sound(state, seat))


def misspelt(sound: Any, state: Any, viewer: Any, *times: Any) -> Any:
    view = sound(state, viewer, *times)
    return {"rond" if name == "round" else name: value for name, value in view.items()}


PLANTED: dict[str, tuple[str, Callable[..., Any]]] = {
    "refused and draws no dice": ("decide", hasty),
    "may not know": ("view", with_die),
    "listed is accepted": ("choices", longer),
    "loads as itself": ("dump", lambda sound, state: {**sound(state), "round": 1}),
    "give the state": ("fold", forgetful),
    "ranks every seat": ("outcome", lambda sound, event: (found := sound(event)) and replace(found, ranking=())),
    "as the game declares": ("view", misspelt),
    "no fault in a state": ("faults", lambda sound, state: ("a bid too many",)),
}


@pytest.mark.parametrize("promise", PLANTED)
def test_a_game_that_breaks_a_promise_is_told_which(monkeypatch: pytest.MonkeyPatch, promise: str) -> None:
    name, spoil = PLANTED[promise]
    sound = getattr(rules, name)
    monkeypatch.setattr(rules, name, lambda *args: spoil(sound, *args))
    assert promise in faults()


def test_hidden_dice_that_the_script_does_not_name_break_the_contract() -> None:
    assert game("dummygame").hidden_dice == ("die_dealt",) and game("bluffing").hidden_dice == ("dice_seen",)
    assert "their owners alone" in faults(())
    assert "their owners alone" in faults(("bid_sealed",))


@pytest.mark.parametrize("spoilt", [{"audience": None}, {"audience": (0, 1, 2)}, {"until": None}])
def test_hidden_dice_are_their_owners_alone_until_the_end(
    monkeypatch: pytest.MonkeyPatch, spoilt: dict[str, Any]
) -> None:
    event = DieDealt.event
    monkeypatch.setattr(DieDealt, "event", lambda *args: replace(event(*args), **spoilt))
    assert "their owners alone" in faults()


@pytest.mark.parametrize("name", ["chicago", "chouette"])
def test_no_game_that_is_shipped_hides_dice(name: str) -> None:
    assert game(name).hidden_dice == ()


def test_a_sound_game_breaks_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert faults() == ""
    monkeypatch.setattr(rules, "view", lambda *_: {"n": random.Random()})
    assert "a legal command fails" in faults()
