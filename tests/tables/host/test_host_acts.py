"""Acts of a host are declared once: what is declared is what is done, written, shown and documented."""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import QueryDict
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import AuditEntry, Night, NightEvent, Player, Table
from games.services import arguments, audit
from games.services.commands import Actor, Request, new_command_id
from games.services.nights import membership
from games.services.nights.events import LOG
from games.services.nights.registry import NIGHT, NightRight
from games.services.tables.commit import submit
from games.services.tables.registry import COMMANDS, TableRight
from tests.architecture.sources import files, text_of, tree_of
from tests.web.pages import browser_of

ROOT = Path(settings.BASE_DIR)


def declared(things: str) -> set[str]:
    """Return the names of the acts that the sources declare."""
    found = set()
    for path in files(".py", under="games"):
        if f"{things}.act(" not in text_of(path):
            continue
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == f"{things}.act":
                assert isinstance(node.args[0], ast.Constant), path
                found.add(node.args[0].value)
    return found


def test_every_act_of_a_night_has_a_service_that_takes_its_arguments() -> None:
    for name, act in NIGHT.items():
        takes = inspect.signature(act.service).parameters.values()
        needed = [each.name for each in takes if each.default is inspect.Parameter.empty]
        assert needed[2:] == [each.keyword for each in act.parameters if each.is_needed], name
        # A webhook has a page of its own with its form.
        assert act.label or name == "add_webhook", name
        assert bool(act.question) <= bool(act.yes), name


READY = """
import django
django.setup()
from games.services.nights.registry import NIGHT, NightRight
from games.services.tables.registry import COMMANDS, TableRight
print(*NIGHT, *COMMANDS)
"""


def test_every_act_is_registered_when_the_house_is_ready() -> None:
    """Also in a process that has imported nothing but Django: a page or a command finds all acts."""
    settings_of = {"DJANGO_SETTINGS_MODULE": os.environ["DJANGO_SETTINGS_MODULE"]}
    ready = subprocess.run(
        [sys.executable, "-c", READY], cwd=ROOT, env={**os.environ, **settings_of}, capture_output=True, check=True
    )
    assert set(ready.stdout.decode().split()) == declared("NIGHT") | declared("COMMANDS")
    assert len(declared("NIGHT")) > 20


def test_an_act_is_declared_once() -> None:
    with pytest.raises(ValueError, match="lock is declared twice"):
        NIGHT.act("lock", NightRight.HOST, label="Lock")(lambda night, host: None)
    with pytest.raises(ValueError, match=r"table\.end is declared twice"):
        COMMANDS.act("table.end", TableRight.HOST)(lambda table: None)


TYPED = ("", "0", "7", "-1", "1.5", "²", "٣", "9" * 40, "21:40", "24:00", "0x1f", "a\0b", "\ud800", " 7 ")


@pytest.mark.django_db
def test_whatever_a_form_sends_is_read_by_its_type_or_refused_with_a_code() -> None:
    for name, act in NIGHT.items():
        for each in act.parameters:
            for sent in ({}, *({each.name: text} for text in TYPED)):
                try:
                    found = arguments.typed([each], form_of(sent))
                except Illegal as refused:
                    assert refused.code in {"no_such_player", "bad_cap", "bad_time"}, (name, sent)
                else:
                    assert all(isinstance(value, each.kind) for value in found.values()), (name, sent)
                    assert found or not each.is_needed, (name, sent)


def form_of(sent: dict[str, str]) -> QueryDict:
    """Return a form as a browser sends it."""
    form = QueryDict(mutable=True)
    form.update(sent)
    return form


SENT = (None, True, False, 0, 7, -1, 2**53, 1.5, "", "7", "low", "0" * 64, [], [7], {}, {"winner": 0})
OF_TYPE = {"bad_argument", "bad_level", "bad_tip", "no_link_wanted"}


def test_whatever_a_command_sends_is_read_by_its_type_or_refused_with_a_code() -> None:
    for name, act in COMMANDS.items():
        for each in act.parameters:
            for sent in ({}, *({each.name: value} for value in SENT)):
                try:
                    found = arguments.told([each], sent)
                except Illegal as refused:
                    assert refused.code in OF_TYPE, (name, sent)
                    assert refused.params in ({}, {"name": each.name}), (name, sent)
                else:
                    assert all(type(value) in (each.kind, dict) for value in found.values()), (name, sent)
                    assert found or not each.is_needed, (name, sent)


def test_what_the_house_adds_to_a_command_is_no_argument_of_its_sender() -> None:
    for name, act in COMMANDS.items():
        assert not set(act.own) & {*act.args, *act.may}, name
    assert {name for act in COMMANDS.values() for name in act.own} == {"by", "by_host", "by_house", "in_person", "seat"}


def test_every_command_of_a_table_is_declared() -> None:
    assert declared("COMMANDS") == set(COMMANDS)
    audited = "clock close end forfeit kick move scorekeeper state_result substitute take_back take_back_game"
    assert {f"table.{name}" for name in audited.split()} == {name for name, act in COMMANDS.items() if act.audit}


def test_every_line_has_words_in_the_news_and_the_audit() -> None:
    for act in NIGHT.values():
        for line in act.lines:
            assert LOG[line.type] is line
            assert audit.words().get(LOG.code(line.type), "") == line.audit
    for name, command in COMMANDS.items():
        assert set(command.audit) <= {name.replace(".", "_")}


@pytest.mark.parametrize("name", sorted(NIGHT))
def test_who_may_not_is_refused_by_every_act(name: str, night: Night, guest: Callable[..., Player]) -> None:
    stranger = guest("Stranger")
    if NIGHT[name].right == NightRight.MEMBER:
        membership.remove(night, night.host, stranger.pk)
    with pytest.raises(Illegal) as refused:
        NIGHT.carry_out(night, stranger, name, {})
    assert refused.value.code in {"not_host", "removed"}


@pytest.mark.parametrize("name", sorted(name for name, act in COMMANDS.items() if act.right == TableRight.HOST))
def test_a_players_command_is_refused_where_the_host_has_the_right(
    name: str, start_table: Callable[..., Table]
) -> None:
    table = start_table()
    guest = table.seats.exclude(player=table.night.host).get(index=1)
    with pytest.raises(Illegal) as refused:
        submit(table.pk, Actor(guest.player_id), Request(name, {"seat": 0}, new_command_id()))
    assert refused.value.code == "not_host"


@pytest.mark.parametrize("name", ["lock", "unlock", "rotate", "admission", "admit", "remove", "give_host", "close"])
def test_an_act_writes_the_lines_that_it_declares(name: str, night: Night, guest: Callable[..., Player]) -> None:
    membership.set_admission(night, night.host, name == "admit", 60)
    other = guest("Ola")
    NightEvent.objects.all().delete()
    AuditEntry.objects.all().delete()
    sent: dict[str, Any] = {"player": other.pk, "cap": 7, "by_hand": False}
    NIGHT.carry_out(night, night.host, name, sent)
    assert list(NightEvent.objects.values_list("type", flat=True)) == [line.type for line in NIGHT[name].lines]
    found = list(AuditEntry.objects.values_list("act", flat=True))
    assert found == [LOG.code(line.type) for line in NIGHT[name].lines if line.audit]


def test_the_pages_buttons_are_the_declared_ones(night: Night, guest: Callable[..., Player]) -> None:
    guest("Ola")
    page = browser_of(night.host).get(reverse("night", args=[night.public_id])).content.decode()
    for name in ("lock", "rotate", "admission", "give_host", "remove", "close"):
        act = NIGHT[name]
        for word in (act.label, act.question, act.yes):
            assert str(word).replace("%(name)s", "Ola") in page, name


def test_the_protocol_names_the_commands_with_their_arguments_and_who_may() -> None:
    """docs/protocol.md §6: a row for each command that is declared."""
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").split("## 6.", 1)[1].split("## 7.")[0]
    told = {}
    for name, args, who in re.findall(r"^\| `(table\.\w+)` \| ([^|]*) \| (\w+) \|", page, re.MULTILINE):
        assert name not in told, f"{name} stands there twice"
        told[name] = (set(re.findall(r"`(\w+\??)`", args)), who)
    of_acts = {name: ({*act.args, *(f"{arg}?" for arg in act.may)}, act.right) for name, act in COMMANDS.items()}
    assert told == of_acts


def test_the_browser_sends_no_other_commands() -> None:
    """The menu of a table's host (host.js), the buttons of everybody (table.js, watch.js), and those of the games."""
    texts = "".join(text_of(path) for path in files(".js") if path.parts[0] != "tests")
    told = set(re.findall(r"[\"'](table\.[a-z_]+)[\"']", texts))
    happened = {name for name in told if re.search(rf"(case|[!=]==|const [A-Z]+ =) [\"']{re.escape(name)}[\"']", texts)}
    assert told - happened <= set(COMMANDS)
    # Tables are split on the night's page: there the house sends it.
    assert {name for name, act in COMMANDS.items() if act.right == TableRight.HOST} - {"table.move"} <= told
