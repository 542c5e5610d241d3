"""Data of a person in house rules: rule sets of the person's own, and the names of their authors."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef

from games.kernel.contract import JsonObject
from games.models import DELETED_NAME, HouseRules, HouseRulesVersion, Player
from games.services.personal_rooms import Kept, Leaver, Traces


def _forget(leaver: Leaver) -> None:
    """Remove the name from the person's rule sets, which stay."""
    rules = HouseRules.objects.filter(owner=leaver.player)
    for field in ("created_by", "updated_by"):
        rules.filter(**{f"{field}__in": leaver.names}).update(**{field: DELETED_NAME})
    versions = HouseRulesVersion.objects.filter(rules__owner=leaver.player, by_name__in=leaver.names)
    versions.update(by_name=DELETED_NAME)


def _own(player: Player) -> JsonObject:
    return {"house_rules": [_rules(row) for row in HouseRules.objects.filter(owner=player)]}


def _rules(row: HouseRules) -> JsonObject:
    return {"name": row.name, "game": row.game_id, "preset": row.preset, "options": row.options}


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return the house rules that a guest keeps."""
    return (HouseRules.objects.filter(owner=guest),)


KEPT = Kept((HouseRules,), forget=_forget, own=_own, traces=_traces)
