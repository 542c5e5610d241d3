"""Acts of a host are declared once: what is declared is what is done, written, shown and documented."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import AuditEntry, Night, NightEvent, Player, Table
from games.services import audit, host_acts
from games.services.commands import Actor, Request, new_command_id
from games.services.host_acts import NIGHT, TABLE, Right
from games.services.hosting import hosting
from games.services.nights import membership
from games.services.tables import host_commands
from games.services.tables.commit import submit
from games.web.nights import events
from games.web.nights.acts import POSTED
from tests.architecture.sources import files, text_of
from tests.web.pages import browser_of

ROOT = Path(settings.BASE_DIR)


def test_every_act_of_a_night_has_a_service_that_takes_its_arguments() -> None:
    assert set(hosting._SERVICES) == set(NIGHT)
    for name, act in NIGHT.items():
        takes = inspect.signature(hosting._SERVICES[name]).parameters.values()
        needed = [each for each in takes if each.default is inspect.Parameter.empty]
        assert len(needed) == 2 + len(act.args), name
        assert set(act.args) <= set(POSTED), name
        assert act.label, name
        assert bool(act.question) <= bool(act.yes), name


def test_every_command_of_a_table_is_declared() -> None:
    assert set(host_commands._ACTS) == set(TABLE)
    audited = {"close", "end", "forfeit", "kick", "scorekeeper", "state_result", "substitute", "take_back"}
    assert {f"table.{name}" for name in audited} == host_commands.AUDITED


def test_every_line_has_words_in_the_news_and_the_audit() -> None:
    for act in NIGHT.values():
        for line in act.lines:
            assert events._NEWS[line.event] == line.news
            assert audit.WORDS.get(line.audit_code, "") == line.audit
    for name, command in TABLE.items():
        assert audit.WORDS.get(host_acts.table_code(name), "") == command.audit


@pytest.mark.parametrize("name", sorted(NIGHT))
def test_who_may_not_is_refused_by_every_act(name: str, night: Night, guest: Callable[..., Player]) -> None:
    stranger = guest("Stranger")
    if NIGHT[name].right == Right.MEMBER:
        membership.remove(night, night.host, stranger.pk)
    with pytest.raises(Illegal) as refused:
        hosting.carry_out(night, stranger, name, player=1, claim=1, number="1", cap=5, by_hand=True)
    assert refused.value.code in {"not_host", "removed"}


@pytest.mark.parametrize("name", sorted(name for name, act in TABLE.items() if act.right == Right.HOST))
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
    hosting.carry_out(night, night.host, name, **{each: sent[each] for each in NIGHT[name].args})
    assert list(NightEvent.objects.values_list("type", flat=True)) == [line.event for line in NIGHT[name].lines]
    found = list(AuditEntry.objects.values_list("act", flat=True))
    assert found == [line.audit_code for line in NIGHT[name].lines if line.audit]


def test_the_pages_buttons_are_the_declared_ones(night: Night, guest: Callable[..., Player]) -> None:
    guest("Ola")
    page = browser_of(night.host).get(reverse("night", args=[night.public_id])).content.decode()
    for name in ("lock", "rotate", "admission", "give_host", "remove", "close"):
        act = NIGHT[name]
        for word in (act.label, act.question, act.yes):
            assert str(word).replace("%(name)s", "Ola") in page, name


def test_the_protocol_names_the_commands_with_their_arguments() -> None:
    """docs/protocol.md §6."""
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").split("## 6.", 1)[1].split("\n\n")[0]
    told: dict[str, set[str]] = {}
    for name, args in re.findall(r"`(table\.\w+) \{([^}]*)\}`", page):
        told.setdefault(name, set()).update(re.findall(r'"(\w+)"', args))
    assert set(told) == set(TABLE)
    for name, args in told.items():
        assert set(TABLE[name].args) <= args <= {*TABLE[name].args, *TABLE[name].may}, name


def test_the_browser_sends_no_other_commands() -> None:
    """The menu of a table's host (host.js), the buttons of everybody (table.js, watch.js), and those of the games."""
    texts = "".join(text_of(path) for path in files(".js") if path.parts[0] != "tests")
    told = set(re.findall(r"[\"'](table\.[a-z_]+)[\"']", texts))
    happened = {name for name in told if re.search(rf"(case|[!=]==|const [A-Z]+ =) [\"']{re.escape(name)}[\"']", texts)}
    assert told - happened <= set(TABLE)
    assert {name for name, act in TABLE.items() if act.right == Right.HOST} <= told
