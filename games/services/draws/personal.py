"""Data of a person in draws: the strengths that hosts keep."""

from __future__ import annotations

from games.kernel.contract import JsonObject
from games.models import Player, Strength
from games.services.draws import strengths
from games.services.personal_rooms import Kept, Leaver


def _forget(leaver: Leaver) -> None:
    strengths.forget(leaver.ids)


def _own(player: Player) -> JsonObject:
    return {"strengths": strengths.own(player)}


KEPT = Kept((Strength,), forget=_forget, join=strengths.join, own=_own)
