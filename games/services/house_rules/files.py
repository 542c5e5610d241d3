"""Rule sets as a JSON file: written for one or several sets, read with the place of every error.

The file is {"kind": "stammtisch.house-rules", "format": 1, "sets": [{"game", "name",
"preset", "options", "hosts_may", "version"}]}; docs/house-rule-files.md describes it. `options`
are complete; an option that a file does not name gets its variant's value, as in a set stored
before the option was declared. A file is imported as a whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from games import json_text, plugin
from games.kernel.contract import Illegal, JsonObject
from games.kernel.options import OptionSet
from games.models import HouseRules
from games.services.house_rules import sets as house_rule_sets
from games.services.house_rules.compatibility import fit, fitted
from games.services.house_rules.sets import HostsMay, SetDraft, SetKeeper

KIND, FORMAT = "stammtisch.house-rules", 1
# Fits into a request's 64 KiB (games/ops/requests/body_limit.py) with room for the form around it.
LONGEST_FILE = 64_000
MOST_SETS = 50


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in a file, with its place: a path such as "sets[0].options.rounds".

    `set_name`, `game_id` and `option` name the place in words, "" if unknown.
    """

    path: str
    code: str
    params: Mapping[str, Any]
    set_name: str = ""
    game_id: str = ""
    option: str = ""


class FileRefused(ValueError):
    """The refusal of a file: `faults` are all errors found in it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(", ".join(f"{fault.path}: {fault.code}" for fault in faults))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Read:
    """A checked set of a file; `added` are options that the file does not name."""

    game_id: str
    draft: SetDraft
    added: tuple[str, ...] = ()


def portable(rules: HouseRules) -> JsonObject:
    """Return a set in the form of a file, under the present declaration."""
    now = fitted(rules)
    return {
        "game": rules.game_id,
        "name": rules.name,
        "preset": now.preset.id,
        "version": rules.version,
        "hosts_may": rules.hosts_may,
        "options": now.values,
    }


def write(sets: Iterable[JsonObject]) -> str:
    """Return the text of a file with these sets, each in the form of `portable`."""
    whole = {"kind": KIND, "format": FORMAT, "sets": list(sets)}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def export_json(sets: Iterable[HouseRules]) -> str:
    """Return the text of a file with these sets; raises `no_such_game`."""
    return write(portable(rules) for rules in sets)


@transaction.atomic
def import_json(keeper: SetKeeper, raw: bytes) -> list[tuple[HouseRules, tuple[str, ...]]]:
    """Create the sets of a file for the keeper; a name that is taken gets a number.

    Returns each set with the options that the file did not name. Raises FileRefused, and
    Illegal `not_a_host`, `too_many_rules`.
    """
    made = []
    for one in read(raw):
        name = house_rule_sets.free_name(keeper, one.game_id, one.draft.name)
        draft = SetDraft(name, one.draft.preset, one.draft.options, one.draft.hosts_may)
        made.append((house_rule_sets.create(keeper, one.game_id, draft), one.added))
    return made


def read(raw: bytes) -> list[Read]:
    """Return the sets of a file; raises FileRefused with all errors."""
    sets, faults = _sets(raw), list[Fault]()
    found = [_read(f"sets[{index}]", one, faults) for index, one in enumerate(sets)]
    if faults:
        raise FileRefused(faults)
    return [one for one in found if one is not None]


def _sets(raw: bytes) -> list[Any]:
    """Return the list of sets in a file; raises FileRefused if it is no such file."""
    if len(raw) > LONGEST_FILE:
        raise FileRefused([Fault("", "file_too_big", {"kilobytes": LONGEST_FILE // 1024})])
    try:
        whole = json_text.read(raw.decode("utf-8-sig"))
    except json_text.TooDeep:
        raise FileRefused([Fault("", "too_deep", {})]) from None
    except ValueError:
        raise FileRefused([Fault("", "file_not_json", {})]) from None
    if not isinstance(whole, dict) or whole.get("kind") != KIND:
        raise FileRefused([Fault("kind", "wrong_kind", {})])
    if whole.get("format") != FORMAT or isinstance(whole["format"], bool):
        raise FileRefused([Fault("format", "wrong_format", {"format": FORMAT})])
    sets = whole.get("sets")
    if not isinstance(sets, list) or not 0 < len(sets) <= MOST_SETS:
        raise FileRefused([Fault("sets", "no_sets", {"most": MOST_SETS})])
    return sets


@dataclass
class _Sieve:
    """The errors in one set of a file, with the path of the set."""

    path: str
    name: str = ""
    game_id: str = ""
    faults: list[Fault] = field(default_factory=list)

    def catch(self, place: str, code: str, params: Mapping[str, Any], option: str = "") -> None:
        """Add an error at a field of the set."""
        path = _printable(f"{self.path}.{place}" if place else self.path)
        self.faults.append(Fault(path, code, params, self.name, self.game_id, _printable(option)))


def _printable(key: str) -> str:
    """Return a key of an uploaded file in a form that can be shown: short, and without lone surrogates."""
    return key[:80].encode("utf-8", "backslashreplace").decode()


def _read(path: str, one: Any, faults: list[Fault]) -> Read | None:
    """Return a set of a file, or None after adding its errors to the faults."""
    sieve = _Sieve(path)
    if not isinstance(one, dict):
        sieve.catch("", "not_an_object", {})
        faults += sieve.faults
        return None
    _check_name(one, sieve)
    hosts_may = one.get("hosts_may", HostsMay.CHANGE)
    if hosts_may not in HostsMay.values:
        sieve.catch("hosts_may", "not_a_choice", {"choices": ", ".join(HostsMay.values)})
    options = _declaration(one, sieve)
    added = _check_options(one, options, sieve) if options else ()
    if sieve.faults:
        faults += sieve.faults
        return None
    draft = SetDraft(sieve.name, one["preset"], one["options"], hosts_may)
    return Read(sieve.game_id, draft, added)


def _check_name(one: JsonObject, sieve: _Sieve) -> None:
    raw = one.get("name")
    try:
        sieve.name = house_rule_sets.clean_name(raw if isinstance(raw, str) else "")
    except Illegal as refusal:
        sieve.catch("name", refusal.code, refusal.params)


def _declaration(one: JsonObject, sieve: _Sieve) -> OptionSet | None:
    """Return the declaration of the set's game; None if the game or the variant does not exist."""
    game_id = one.get("game")
    if not isinstance(game_id, str) or game_id not in plugin.all_games():
        sieve.catch("game", "no_such_game", {})
        return None
    sieve.game_id, options = game_id, plugin.game(game_id).options
    if one.get("preset") not in [preset.id for preset in options.presets]:
        sieve.catch("preset", "no_such_preset", {})
        return None
    return options


def _check_options(one: JsonObject, options: OptionSet, sieve: _Sieve) -> tuple[str, ...]:
    """Check the values, each at its option; return the options that the file does not name."""
    values = one.get("options")
    if not isinstance(values, dict):
        sieve.catch("options", "not_an_object", {})
        return ()
    now = fit(options, one["preset"], values)
    for key in now.dropped:
        sieve.catch(f"options.{key}", "unknown_option", {}, key)
    for key, (code, params) in now.problems.items():
        sieve.catch(f"options.{key}", code, params, key)
    return now.added
