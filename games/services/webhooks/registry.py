"""The registry of the acts at a webhook, and the right that they need."""

from __future__ import annotations

from enum import StrEnum

from games.kernel.contract import Illegal
from games.models import Night, Player, Series, Webhook
from games.services.acts import DeclaredActs
from games.services.calendar.rights import check_organiser
from games.services.nights import night_rights


class WebhookRight(StrEnum):
    """The right needed for an act."""

    ORGANISER = "organiser"
    """The organisers of its series, or the host of its night."""


def check_right(about: Series | Night, by: Player) -> None:
    """Check the right to the webhooks of a series or a night; raises as `check_organiser`,
    `night_rights.check_host`, and Illegal `practice_night`.
    """
    if isinstance(about, Series):
        check_organiser(about, by)
    else:
        night_rights.check_host(about, by)
        if about.is_practice:
            raise Illegal("practice_night")


def check(webhook: Webhook, by: Player) -> None:
    """Check the right to a webhook; raises as `check_right`."""
    about = webhook.series or webhook.night
    assert about is not None  # noqa: S101 (the database holds it)
    check_right(about, by)


ACTS: DeclaredActs[Webhook, Player] = DeclaredActs("webhook", {WebhookRight.ORGANISER: check})
"""The acts by name, each declared by `ACTS.act` beside its service; `games.apps` brings them all."""
