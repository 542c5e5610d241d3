"""*That is me*, and whether the name may be shown: asked in one step with being counted in, once on a device."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.models import Player, Season
from games.services.seasons.frozen import StandingRow
from games.services.sheets import name_claims
from games.web.labels import exact

LISTED_ASKED = "listed_asked"
"""Key of the session: this device was asked whether the name may be shown."""
ASKING = ("enter", "claim_name")
"""The acts at a season whose forms ask that."""


def asks_listed(request: HttpRequest, player: Player | None) -> bool:
    """Tell whether somebody is asked, in the step of being counted in, if the name may be shown: once on a device."""
    return not (player is not None and player.is_listed) and not request.session.get(LISTED_ASKED)


def note_listed_asked(request: HttpRequest) -> None:
    """Ask on this device no more whether the name may be shown."""
    request.session[LISTED_ASKED] = True


def claim_context(request: HttpRequest, season: Season, player: Player | None) -> dict[str, Any]:
    """Return the guests of a standing that somebody may say they are, by place and points, without names."""
    found = name_claims.claimable(season, player)
    has_claimed = player is not None and season.names.filter(claimant=player).exists()
    told = [{"id": each.name_id, "text": _guest_text(each.row)} for each in found]
    return {"claimable": told, "has_claimed": has_claimed, "asks_listed": asks_listed(request, player)}


def _guest_text(row: StandingRow) -> str:
    total = exact(row.total)
    if row.place is None:
        return _("a guest with %(points)s") % {"points": total}
    return _("place %(place)s, a guest with %(points)s") % {"place": row.place, "points": total}
