"""Acts at tournaments, seasons, series, dates, and on what is owed: declared once, read by type, for who may."""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import QueryDict
from drf_spectacular.generators import SchemaGenerator

import games.services
from games import refusals
from games.api.tournaments.tournaments import ActBody
from games.kernel.contract import Illegal
from games.models import Player, Series, Webhook
from games.services import acts, arguments, audit
from games.services.acts import ALL, DeclaredActs
from games.services.arguments import Parameter
from games.services.house_rules.sets import SetKeeper
from games.services.people import players
from tests.security.roles import roles
from tests.security.roles.roles import World
from tests.security.roles.test_acts import undone

ROOT = Path(settings.BASE_DIR)
TYPED = ("", "0", "7", "-1", "1.5", "²", "٣", "9" * 40, "21:40", "24:00", "2026-02-30", "0x1f", "\ud800", " 7 ", "yes")
SENT = (None, True, 0, 7, -1, 2**53, 1.5, "", "7", "x" * 201, [], [7], ["7"], {}, {"pairing": None}, {"pairing": "7"})
EVERYBODY = ("host", "director", "guest", "onlooker", "other", "kicked", "banned", "waiting", "staff")
CASES = [(thing, name) for thing, found in sorted(ALL.items()) if thing != "command" for name in found]
"""The acts of pages; commands of a running table come as JSON alone, and test_host_acts.py reads their arguments."""
READY = """
import django
django.setup()
from games.services.acts import ALL
print(*(f"{thing}/{name}" for thing, acts in ALL.items() for name in acts))
"""


def test_every_act_is_registered_when_the_house_is_ready() -> None:
    """Also in a process that has imported nothing but Django."""
    for module in pkgutil.walk_packages(games.services.__path__, "games.services."):
        importlib.import_module(module.name)
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": os.environ["DJANGO_SETTINGS_MODULE"]}
    ready = subprocess.run([sys.executable, "-c", READY], cwd=ROOT, env=env, capture_output=True, check=True)
    assert set(ready.stdout.decode().split()) == {f"{thing}/{name}" for thing, found in ALL.items() for name in found}
    assert len(CASES) > 30


def test_an_act_is_declared_once_and_needs_a_right_of_its_thing() -> None:
    def nothing(box: str, player: Player) -> None:
        pass

    found: DeclaredActs[Any, Player] = DeclaredActs("box", {"keeper": nothing})
    try:
        found.act("open", "keeper")(nothing)
        with pytest.raises(ValueError, match="open is declared twice"):
            found.act("open", "keeper")(nothing)
        with pytest.raises(ValueError, match="host is no right at a box"):
            found.act("shut", "host")
    finally:
        del ALL["box"]


def form_of(**sent: str) -> QueryDict:
    """Return a form as a browser sends it."""
    form = QueryDict(mutable=True)
    form.update(sent)
    return form


@pytest.mark.django_db
@pytest.mark.parametrize(("thing", "name"), CASES)
def test_whatever_a_form_sends_is_read_by_its_type_or_refused_in_words(thing: str, name: str) -> None:
    for each in ALL[thing][name].parameters:
        for form in (form_of(), *(form_of(**{each.name: text}) for text in TYPED)):
            try:
                arguments.typed([each], form)
            except Illegal as refused:
                # "bad_argument" says nothing to who has typed something.
                assert refused.code != "bad_argument", (each.name, form)
                assert refusals.translate(refused.code, refused.params), (each.name, form)


@pytest.mark.django_db
@pytest.mark.parametrize(("thing", "name"), CASES)
def test_whatever_a_program_sends_is_read_by_its_type_or_refused_by_name(thing: str, name: str) -> None:
    for each in ALL[thing][name].parameters:
        for value in SENT:
            try:
                found = arguments.told_all([each], {each.name: value})
            except Illegal as refused:
                assert (refused.code, refused.params) == ("bad_argument", {"name": each.name}), value
            else:
                assert found or not each.is_needed, value
        if each.kind in (int, bool):
            with pytest.raises(Illegal, match="bad_argument"):
                arguments.told_all([each], {each.name: "12"})
    with pytest.raises(Illegal, match="bad_argument"):
        arguments.told_all(ALL[thing][name].parameters, {"colour": 1})


def test_every_act_has_an_address_of_the_api_with_its_arguments_in_the_description() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    bodies = schema["components"]["schemas"]
    told = {
        (each["properties"]["act"]["const"], tuple(sorted(each["properties"]["args"]["properties"])))
        for name, body in bodies.items()
        if name.endswith("ActBody") or name == "ActBody"
        for each in body["oneOf"]
    }
    declared = {
        (name, tuple(sorted(each.name for each in ALL[thing][name].parameters)))
        for thing, name in CASES
        if not ALL[thing][name].by_page
    }
    assert declared <= told
    why = {(thing, name): ALL[thing][name].by_page for thing, name in CASES if ALL[thing][name].by_page}
    assert set(why) == {("webhook", "secret"), ("series", "feed")}
    texts = [told["post"].get("description", "") for path, told in schema["paths"].items() if path.endswith("/acts/")]
    assert all(any(sentence in text for text in texts) for sentence in why.values())


def test_the_code_for_a_move_that_is_none_is_no_acts() -> None:
    """`bad_args` is a game's; an act says which of its arguments is wrong (`bad_argument`)."""
    named = [path for part in ("services", "api", "web", "admin") for path in (ROOT / "games" / part).rglob("*.py")]
    said = {path.name for path in named if re.search(r"Illegal\(\s*\"bad_args", path.read_text(encoding="utf-8"))}
    assert said == set()


def test_what_acts_write_to_the_audit_has_words() -> None:
    assert acts.audited().items() <= audit.words().items()


@pytest.fixture
def world(db: None) -> World:
    """Return a world whose tournament has a director besides the host."""
    found = roles.make_world()
    found.people["director"] = director = players.new_guest("Director")
    found.night.memberships.create(player=director, status="in", joined_at=found.night.created_at)
    found.tournament.directors.create(player=director)
    found.people["staff"] = _staff()
    return found


def _staff() -> Player:
    """Return the player of who runs the house."""
    from django.contrib.auth import get_user_model

    chief = get_user_model().objects.get(username="chief")
    found = Player.objects.filter(user=chief).first()
    return found or Player.objects.create(user=chief, nickname="Chief")


def things(world: World) -> dict[str, Any]:
    """Return a thing of each kind that acts are about."""
    return {
        "tournament": world.tournament,
        "season": world.season,
        "series": world.date.series,
        "date": world.date,
        "owed": world.night,
        "night": world.night,
        "webhook": Webhook.objects.create(series=world.date.series, address="https://chat.example.org/in"),
        "rules": world.rules,
        "table": world.lobby,
    }


MEMBERS = {"host", "director", "guest", "onlooker"}
ENTITLED: dict[tuple[str, str], set[str]] = {
    ("tournament", "host"): {"host"},
    ("tournament", "director"): {"host", "director"},
    ("tournament", "member"): MEMBERS,
    ("season", "organiser"): {"host", "staff"},
    ("season", "person"): set(EVERYBODY) - {"banned"},
    **{(thing, "organiser"): {"host", "staff"} for thing in ("series", "date")},
    **{(thing, "person"): set(EVERYBODY) - {"banned"} for thing in ("series", "date")},
    ("date", "noter"): {"host", "staff"},
    ("date", "opener"): {"host", "staff"},
    ("night", "host"): {"host"},
    ("night", "any_host"): {"host"},
    ("night", "member"): MEMBERS,
    ("owed", "host"): {"host"},
    ("owed", "member"): MEMBERS,
    ("webhook", "organiser"): {"host", "staff"},
    ("rules", "keeper"): {"host"},
    ("rules", "reader"): {"host"},
    ("table", "host"): {"host"},
    ("table", "entrusted"): {"host"},
    ("table", "member"): MEMBERS,
}
"""Thing and right → who has it in this world."""


def test_every_right_is_one_that_this_world_knows() -> None:
    found = {(thing, right) for thing, found in ALL.items() for right in found.rights}
    assert found - {("command", right) for right in ALL["command"].rights} == set(ENTITLED)


@pytest.mark.parametrize(("thing", "right"), sorted(ENTITLED))
def test_an_act_is_for_those_who_have_its_right_and_the_others_are_told_so_before_all_else(
    thing: str, right: str, world: World
) -> None:
    about, found = things(world)[thing], ALL[thing]
    refused = set()
    for role in EVERYBODY:
        sender: Any = SetKeeper(world.people[role]) if thing == "rules" else world.people[role]
        try:
            found.rights[right](about, sender)
        except Illegal as refusal:
            refused.add(role)
            for name in (name for name, act in found.items() if act.right == right):
                with undone(), pytest.raises(Illegal) as heard:
                    found.carry_out(about, sender, name, form_of(), arguments.typed)
                assert heard.value.code == refusal.code, (role, name)
    assert set(EVERYBODY) - refused == ENTITLED[thing, right]


HELD = [(thing, name) for thing, name in CASES if ALL[thing][name].right in ALL[thing].holds]


@pytest.mark.parametrize(("thing", "name"), HELD)
def test_a_right_that_is_lost_before_the_service_holds_the_rows_is_refused(thing: str, name: str, world: World) -> None:
    """The arguments are read between the two questions: then another one is the organiser."""
    about, series = things(world)[thing], world.date.series

    def lost(wanted: Iterable[Parameter], _sent: Any) -> dict[str, Any]:
        Series.objects.filter(pk=series.pk).update(organiser=world.people["other"], second=None)
        return {each.name: None for each in wanted}

    with undone(), pytest.raises(Illegal) as heard:
        ALL[thing].do(about, world.people["host"], name, {}, lost)
    assert heard.value.code == "not_series_organiser"


def test_acts_of_organisers_of_a_series_ask_their_right_twice() -> None:
    assert {thing for thing, _name in HELD} == {"series", "date"}
    assert len(HELD) >= 8


def test_the_page_on_tournaments_names_the_acts_with_their_arguments_and_who_may() -> None:
    page = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")
    told = {
        name: (re.findall(r"`(\w+\??)`", args), who)
        for name, args, who in re.findall(r"^\| `(\w+)` \| ([^|]*) \| (host|director|member) \|", page, re.MULTILINE)
    }
    declared = {
        name: ([each.name if each.is_needed else f"{each.name}?" for each in act.parameters], str(act.right))
        for name, act in ALL["tournament"].items()
    }
    assert told == declared


def test_the_apis_description_has_every_act_with_its_arguments() -> None:
    shapes = {each["title"]: each["properties"]["args"] for each in ActBody.schema({})["oneOf"]}
    assert set(shapes) == set(ActBody.acts)
    assert shapes["result"]["required"] == ["match", "winner"]
    assert set(shapes["result"]["properties"]) == {"match", "winner", "points"}
    for name, shape in shapes.items():
        for each in ActBody.acts[name].parameters:
            assert shape["properties"][each.name], (name, each.name)
