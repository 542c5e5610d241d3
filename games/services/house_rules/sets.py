"""Named rule sets: created, changed, archived, made the default; and the policy for hosts.

Staff keep the sets of the house, each host their own. Every change of the rules makes a new
version. A table copies the rules that it is opened under, so no change here affects it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, cast

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import plugin
from games.kernel.contract import Illegal
from games.kernel.options import Values
from games.models import GamePolicy, HouseRules, HouseRulesVersion, Player
from games.services import audit, row_locks
from games.services.acts import DeclaredActs
from games.services.house_rules.compatibility import fitted
from games.services.people import players

LONGEST_NAME = 60
MOST_SETS = 100
MOST_SEATS = 20
"""The most people whom the house may want at a table."""
PERMISSION = "games.change_houserules"
"""Django's permission to keep the sets of the house."""
Status, HostsMay = HouseRules.Status, HouseRules.HostsMay


@dataclass(frozen=True, slots=True)
class SetKeeper:
    """The keeper of rule sets: a `user` of the staff for the house's sets, a host for their own."""

    player: Player | None = None
    user: AbstractBaseUser | None = None

    @property
    def is_house(self) -> bool:
        """Tell whether this keeper acts for the house."""
        return self.user is not None

    @property
    def actor(self) -> Player | AbstractBaseUser:
        """Return the user or player that acts; raises Illegal `not_a_host`."""
        self.check_maker()
        return cast("Player | AbstractBaseUser", self.user or self.player)

    @property
    def may_make(self) -> bool:
        """Tell whether this keeper may make sets: the house, and any player that has hosted a night."""
        return self.is_house or (self.player is not None and self.player.hosted.filter(is_practice=False).exists())

    def check_maker(self) -> None:
        """Raise Illegal `not_a_host` unless this keeper may make sets."""
        if not self.may_make:
            raise Illegal("not_a_host")

    @property
    def owner(self) -> Player | None:
        """Return the owner of a new set; None is the house."""
        return None if self.is_house else self.player

    def may_keep(self, rules: HouseRules) -> bool:
        """Tell whether this keeper may change a set."""
        return self.is_house or (self.player is not None and rules.owner_id == self.player.pk)


def keeper_of(player: Player | None, user: Any) -> SetKeeper:
    """Return the keeper for a player and an account (either may be None); the house's sets need PERMISSION."""
    is_house = user is not None and user.is_active and user.is_staff and user.has_perm(PERMISSION)
    return SetKeeper(player=player, user=user if is_house else None)


@dataclass(frozen=True, slots=True)
class SetDraft:
    """A set as its keeper enters it. `options` are a preset's values or changes to them."""

    name: str
    preset: str
    options: Mapping[str, Any]
    hosts_may: str = HostsMay.CHANGE


def find(public_id: str) -> HouseRules:
    """Return a set by its public id; raises Illegal `no_such_rules`."""
    rules = HouseRules.objects.select_related("owner").filter(public_id=public_id).first()
    if rules is None:
        raise Illegal("no_such_rules")
    return rules


def may_see(keeper: SetKeeper, rules: HouseRules) -> bool:
    """Tell whether a keeper may see a set: their own, and sets of the house on offer to everybody."""
    is_offered = rules.status == Status.ACTIVE and rules.hosts_may != HostsMay.NOTHING
    return keeper.may_keep(rules) or (rules.is_of_the_house and is_offered)


class SetRight(StrEnum):
    """The right needed for an act at a set."""

    KEEPER = "keeper"
    READER = "reader"
    """All who may see the set."""


def check_keeper(rules: HouseRules, keeper: SetKeeper) -> None:
    """Raise Illegal `not_your_rules` unless the keeper may change the set."""
    if not keeper.may_keep(rules):
        raise Illegal("not_your_rules")


def _check_reader(rules: HouseRules, keeper: SetKeeper) -> None:
    if not may_see(keeper, rules):
        raise Illegal("no_such_rules")


ACTS: DeclaredActs[HouseRules, SetKeeper] = DeclaredActs(
    "rules", {SetRight.KEEPER: check_keeper, SetRight.READER: _check_reader}
)
"""The acts at a set by name."""


@transaction.atomic
def create(keeper: SetKeeper, game_id: str, draft: SetDraft) -> HouseRules:
    """Create a set of the house or of the host.

    Raises Illegal `not_a_host`, `no_such_game`, `no_such_preset`, `too_many_rules`,
    `rules_name`, `rules_name_taken`, `bad_argument`, and OptionErrors for bad values.
    """
    keeper = _held(keeper)
    actor = keeper.actor
    values = complete(game_id, draft.preset, draft.options)
    if HouseRules.objects.filter(owner=keeper.owner).count() >= MOST_SETS:
        raise Illegal("too_many_rules", most=MOST_SETS)
    rules = HouseRules(game_id=game_id, owner=keeper.owner, preset=draft.preset, options=values)
    rules.name = _free(rules, draft.name)
    rules.hosts_may = _hosts_may(rules, draft.hosts_may)
    rules.created_by = rules.updated_by = str(actor)[:150]
    rules.save()
    _write_version(rules)
    audit.note("rules_created", actor, rules.name, game=game_id)
    return rules


def complete(game_id: str, preset: str, changes: Mapping[str, Any]) -> Values:
    """Return complete house rules; raises `no_such_game`, `no_such_preset`, OptionErrors."""
    try:
        return plugin.game(game_id).options.values(preset, changes)
    except KeyError:
        raise Illegal("no_such_preset") from None


@transaction.atomic
def change(keeper: SetKeeper, public_id: str, draft: SetDraft, seen_version: int) -> HouseRules:
    """Change a set that the keeper saw as `seen_version`; a change of name or rules makes a new version.

    Raises as `create`, and `not_your_rules`, `rules_archived`, `rules_moved_on` (the set was
    changed meanwhile), `default_not_offered`.
    """
    rules = _locked(keeper, public_id)
    if rules.status == Status.ARCHIVED:
        raise Illegal("rules_archived")
    if rules.version != seen_version:
        raise Illegal("rules_moved_on")
    before = rules.name, rules.preset, rules.options
    rules.name = _free(rules, draft.name)
    rules.options = complete(rules.game_id, draft.preset, draft.options)
    rules.preset = draft.preset
    rules.hosts_may = _hosts_may(rules, draft.hosts_may)
    is_new = before != (rules.name, rules.preset, rules.options)
    rules.version += is_new
    _save(rules, keeper, "rules_changed")
    if is_new:
        _write_version(rules)
    return rules


def _held(keeper: SetKeeper) -> SetKeeper:
    """Return a keeper with its player held; raises `gone_player`."""
    if keeper.is_house or keeper.player is None:
        return keeper
    return replace(keeper, player=row_locks.present(keeper.player))


def _locked(keeper: SetKeeper, public_id: str) -> HouseRules:
    """Return a set, locked, that the held keeper may change; raises as `find`, `not_your_rules`, `gone_player`."""
    keeper = _held(keeper)
    rules = HouseRules.objects.select_for_update().filter(public_id=public_id).first()
    if rules is None:
        raise Illegal("no_such_rules")
    check_keeper(rules, keeper)
    return rules


def _save(rules: HouseRules, keeper: SetKeeper, act: str) -> None:
    """Save a set with the name of its last editor, and write a line of the audit."""
    rules.updated_by = str(keeper.actor)[:150]
    rules.save()
    audit.note(act, keeper.actor, rules.name, game=rules.game_id, version=rules.version)


def _write_version(rules: HouseRules) -> None:
    """Store the set in its present version for the history."""
    HouseRulesVersion.objects.create(
        rules=rules,
        version=rules.version,
        name=rules.name,
        preset=rules.preset,
        options=rules.options,
        by_name=rules.updated_by,
    )


def _hosts_may(rules: HouseRules, policy: str) -> str:
    """Return the rights of hosts over a set; a host's own set is always CHANGE."""
    if not rules.is_of_the_house:
        return HostsMay.CHANGE
    if policy not in HostsMay.values:
        raise Illegal("bad_argument", name="hosts_may")
    if rules.is_default and policy == HostsMay.NOTHING:
        raise Illegal("default_not_offered")
    return policy


def clean_name(raw: str) -> str:
    """Return a set's name with single spaces; raises Illegal `rules_name`."""
    name = " ".join(raw.split())
    if not 0 < len(name) <= LONGEST_NAME or not players.is_plain(name):
        raise Illegal("rules_name", longest=LONGEST_NAME)
    return name


def _free(rules: HouseRules, raw: str) -> str:
    """Return a cleaned name that no other set of the owner in use has; raises `rules_name`, `rules_name_taken`."""
    name = clean_name(raw)
    if name.casefold() in _taken(rules):
        raise Illegal("rules_name_taken")
    return name


def _taken(rules: HouseRules) -> set[str]:
    """Return the names of the owner's other sets in use for the game, casefolded."""
    others = HouseRules.objects.filter(game_id=rules.game_id, owner=rules.owner_id, status=Status.ACTIVE).exclude(
        pk=rules.pk
    )
    return {name.casefold() for name in others.values_list("name", flat=True)}


def free_name(keeper: SetKeeper, game_id: str, raw: str) -> str:
    """Return a name, with a number if it is taken: "Thursday (2)"; raises `rules_name`."""
    name = clean_name(raw)
    taken = _taken(HouseRules(game_id=game_id, owner=keeper.owner))
    number, found = 1, name
    while found.casefold() in taken:
        number += 1
        found = f"{name[: LONGEST_NAME - 6].rstrip()} ({number})"
    return found


@ACTS.act("duplicate", SetRight.READER, done=_("Copied."), label=_("Copy"))
@transaction.atomic
def duplicate(rules: HouseRules, keeper: SetKeeper) -> HouseRules:
    """Copy a set that the keeper may see as the keeper's own; raises `no_such_rules` and as `create`."""
    _check_reader(rules, keeper)
    name = free_name(keeper, rules.game_id, rules.name)
    now = fitted(rules)
    draft = SetDraft(name, now.preset.id, now.values, rules.hosts_may)
    return create(keeper, rules.game_id, draft)


@ACTS.act(
    "archive",
    SetRight.KEEPER,
    done=_("Archived."),
    label=_("Archive"),
    audit={"rules_archived": _("archived house rules")},
)
@transaction.atomic
def archive(rules: HouseRules, keeper: SetKeeper) -> HouseRules:
    """Take a set out of use; tables keep their rules. A second call has no further effect."""
    rules = _locked(keeper, rules.public_id)
    rules.status, rules.is_default = Status.ARCHIVED, False
    _save(rules, keeper, "rules_archived")
    return rules


@ACTS.act(
    "restore",
    SetRight.KEEPER,
    done=_("In use again."),
    label=_("Take into use again"),
    audit={"rules_restored": _("took house rules into use again")},
)
@transaction.atomic
def restore(rules: HouseRules, keeper: SetKeeper) -> HouseRules:
    """Take a set into use again; raises `rules_name_taken` if another set has its name."""
    rules = _locked(keeper, rules.public_id)
    rules.name, rules.status = _free(rules, rules.name), Status.ACTIVE
    _save(rules, keeper, "rules_restored")
    return rules


@ACTS.act(
    "default",
    SetRight.KEEPER,
    done=_("New tables start from these rules now."),
    label=_("Make it the default"),
    audit={"rules_made_default": _("made house rules the default")},
)
@transaction.atomic
def set_default(rules: HouseRules, keeper: SetKeeper) -> HouseRules:
    """Make a set the default for new tables of its game, in place of any other.

    Raises Illegal `not_of_the_house`, `rules_archived`, `default_not_offered`.
    """
    rules = _locked(keeper, rules.public_id)
    _check_default(rules)
    HouseRules.objects.filter(game_id=rules.game_id, is_default=True).update(is_default=False)
    rules.is_default = True
    _save(rules, keeper, "rules_made_default")
    return rules


@ACTS.act(
    "no_default",
    SetRight.KEEPER,
    done=_("New tables start from the variants again."),
    label=_("No longer the default"),
    audit={"rules_not_default": _("made house rules no longer the default")},
)
@transaction.atomic
def end_default(rules: HouseRules, keeper: SetKeeper) -> HouseRules:
    """Let new tables start from the variants again."""
    rules = _locked(keeper, rules.public_id)
    rules.is_default = False
    _save(rules, keeper, "rules_not_default")
    return rules


def _check_default(rules: HouseRules) -> None:
    """Raise Illegal unless new tables can start from the set."""
    if not rules.is_of_the_house:
        raise Illegal("not_of_the_house")
    if rules.status == Status.ARCHIVED:
        raise Illegal("rules_archived")
    if rules.hosts_may == HostsMay.NOTHING:
        raise Illegal("default_not_offered")


def policy(game_id: str) -> str:
    """Return the house's limit for its hosts in a game: "anything" or "sets_only"."""
    row = GamePolicy.objects.filter(game_id=game_id).first()
    return row.hosts_may if row else GamePolicy.HostsMay.ANYTHING


def wanted_seats(game_id: str) -> int:
    """Return how many people the house wants at a table of a game; 0 where it has said nothing."""
    return GamePolicy.objects.filter(game_id=game_id).values_list("seats", flat=True).first() or 0


@transaction.atomic
def set_policy(keeper: SetKeeper, game_id: str, hosts_may: str, seats: int | None = None) -> None:
    """Set the house's limit for its hosts in a game, and how many people a table wants: 0 for none, None as it is.

    Raises `not_staff`, `no_such_game`, `bad_argument`, `series_size`.
    """
    if not keeper.is_house:
        raise Illegal("not_staff")
    if game_id not in plugin.all_games():
        raise Illegal("no_such_game")
    if hosts_may not in GamePolicy.HostsMay.values:
        raise Illegal("bad_argument", name="hosts_may")
    if seats is not None and seats not in range(MOST_SEATS + 1):
        raise Illegal("series_size", most=MOST_SEATS)
    fields: dict[str, Any] = {"hosts_may": hosts_may, "updated_by": str(keeper.actor)[:150]}
    fields |= {} if seats is None else {"seats": seats}
    GamePolicy.objects.update_or_create(game_id=game_id, defaults=fields)
    audit.note("policy_changed", keeper.actor, game_id, hosts_may=hosts_may)
