"""Data of a person in the rolls: sums of dice thrown."""

from __future__ import annotations

from games.models import DiceTally
from games.services.personal_rooms import Kept, Leaver
from games.services.rolls import dice_figures


def _forget(leaver: Leaver) -> None:
    DiceTally.objects.filter(player=leaver.player).delete()


KEPT = Kept((DiceTally,), forget=_forget, join=dice_figures.join)
