"""Whatever strangers send is read or refused, and nothing else is ever raised."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel.contract import Illegal
from games.live import protocol
from games.services import commands
from games.services.commands import Actor, Request
from games.services.nights import night_rights
from games.services.tables.commit import submit
from tests.fuzz.mutate import any_json, bend_json
from tests.fuzz.run import Broken, throw
from tests.fuzz.targets import TARGETS, Target, feed_frame, feed_nickname, feed_play
from tests.seeds import first_seed

COUNT = 20_000
HOUSE = ("leave", "join", "pause", "resume", "kick", "substitute", "forfeit", "nudge", "play_on")

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


def test_a_share_of_the_million_raises_nothing_but_refusals():
    """Another share each day (see tests.seeds)."""
    total = sum(tally.inputs for tally in throw(COUNT, first_seed()))
    assert total > COUNT * 0.9


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_every_target_is_fed_what_it_takes_as_well_as_what_it_refuses(target: Target):
    """Inputs of one kind only would prove little: those of a target differ."""
    rng = random.Random(target.name)
    assert len({repr(target.make(rng)) for _ in range(200)}) > 20


def test_an_unforeseen_error_is_found_and_told_with_its_input(monkeypatch):
    monkeypatch.setattr(protocol, "_is_plain", lambda value: value["x"])
    with pytest.raises(Broken, match="frames, input"):
        list(throw(2000))


@settings(max_examples=300, deadline=None)
@given(st.text() | st.none() | anything.map(json.dumps))
def test_any_text_is_a_frame_or_refused(text: str | None):
    feed_frame(text)


@settings(max_examples=300, deadline=None)
@given(st.fixed_dictionaries({"type": st.sampled_from(sorted(protocol._READERS))}), anything)
def test_any_fields_make_a_frame_or_are_refused(frame: dict[str, Any], value: Any):
    for field in ("id", "name", "args", "basis", "seq", "protocol", "text", "tv"):
        feed_frame(json.dumps({**frame, "id": "c-1", field: value}))


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="0123456789/*()baroff ,-", max_size=40), st.integers(1, 6))
def test_any_notation_is_a_legal_play_or_refused(text: str, die: int):
    from chouette.board.position import START

    feed_play((text, START, (die, 7 - die)))


@settings(max_examples=300, deadline=None)
@given(st.text())
def test_any_nickname_is_cleaned_or_refused(text: str):
    feed_nickname(text)


@pytest.mark.django_db
def test_the_houses_commands_take_any_arguments_or_refuse_them(start_table, host, night):
    table = start_table("dummygame", "endless", seats=3)
    rng = random.Random(5)
    for number in range(400):
        usual: dict[str, Any] = {"seat": 1, "bot": "low", "player": host.pk}
        args = bend_json(rng, usual) if rng.random() < 0.7 else any_json(rng)
        name = f"table.{rng.choice(HOUSE)}"
        try:
            safe = protocol.read_command({"id": f"f{number}", "name": name, "args": args})
            protocol.check_values({"args": args})
            submit(table.pk, Actor(host.pk), Request(safe.name, safe.args, safe.id))
        except (Illegal, protocol.Bad):
            continue
    assert night_rights.is_inside(night, host)
    assert commands.HOUSE.player_id is None
