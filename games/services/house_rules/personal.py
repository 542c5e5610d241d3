"""Data of a person in house rules: rule sets of the person's own, and the names of their authors."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import DELETED_NAME, GamePolicy, HouseRules, HouseRulesVersion, Player
from games.services.personal_rooms import FOR_GOOD, NAMELESS, Kept, Leaver, NoticeRow, Traces, time_text


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
    about = {"name": row.name, "game": row.game_id, "preset": row.preset, "options": row.options}
    at = {"since": time_text(row.created_at), "changed_at": time_text(row.updated_at)}
    return {**about, "version": row.version, "status": row.status, **at}


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return the house rules that a guest keeps."""
    return (HouseRules.objects.filter(owner=guest),)


_SAID = (
    NoticeRow(
        _("House rules that you keep, and who changed some when"),
        {
            HouseRules: "name game_id owner preset options version status hosts_may is_default created_at updated_at "
            "created_by updated_by",
            HouseRulesVersion: "name by_name",
            GamePolicy: "updated_by",
        },
        _("so that tables play by them"),
        _("whoever plays by them"),
        FOR_GOOD,
        NAMELESS,
        ("house_rules",),
    ),
)
KEPT = Kept((HouseRules,), forget=_forget, own=_own, traces=_traces, said=_SAID)
