"""Webhooks of a series or a night: added, tested and removed by its organisers or its host.

The registry of the acts at a webhook, and the right that they need.
"""

from __future__ import annotations

from enum import StrEnum

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Night, Player, Series, Webhook
from games.models.webhook import new_secret
from games.services import row_locks
from games.services.acts import DeclaredActs
from games.services.arguments import Typed
from games.services.calendar.rights import SERIES, SeriesRight, check_organiser
from games.services.nights import night_rights
from games.services.nights.registry import NIGHT, NightRight
from games.services.people import players
from games.services.webhooks import addresses, by_apprise, outbox


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


MOST = 5
"""The most webhooks of a series or a night."""


def webhooks_of(about: Series | Night) -> QuerySet[Webhook]:
    """Return the webhooks of a series or a night."""
    return about.webhooks.all()


def of_person(player: Player) -> QuerySet[Webhook]:
    """Return the webhooks of the series that a player organises, and of the nights that a player hosts."""
    organised = Q() if players.is_staff(player) else Q(series__organiser=player) | Q(series__second=player)
    hosted = Q(night__host=player, night__is_practice=False)
    found = Webhook.objects.filter(hosted | Q(organised, series__isnull=False, series__ended_at=None))
    return found.select_related("series", "night")


def shapes_for(player: Player) -> list[tuple[str, str]]:
    """Return the forms that somebody may choose, with their names."""
    may_all = players.is_staff(player) and by_apprise.is_installed()
    return [(each.value, str(each.label)) for each in Webhook.Shape if may_all or each != Webhook.Shape.APPRISE]


def find(public_id: str, by: Player) -> Webhook:
    """Return a webhook that somebody may change; raises Illegal `no_such_webhook`, and as `check`."""
    found = Webhook.objects.select_related("series", "night").filter(public_id=public_id).first()
    if found is None:
        raise Illegal("no_such_webhook")
    check(found, by)
    return found


@transaction.atomic
def add(about: Series | Night, by: Player, address: Typed, shape: Typed) -> Webhook:
    """Add a webhook; its name is resolved when something is sent.

    Raises as `check_right` and `addresses.parse`, Illegal `webhook_shape`, `too_many_webhooks`; where Apprise
    sends as `by_apprise.check`, and `apprise_staff` for who is not of the staff.
    """
    by = row_locks.person(by)
    check_right(about, by)
    address = address.strip()
    if shape not in Webhook.Shape.values:
        raise Illegal("webhook_shape")
    if shape != Webhook.Shape.APPRISE:
        addresses.parse(address)
    elif not players.is_staff(by):
        raise Illegal("apprise_staff")
    else:
        by_apprise.check(address)
    type(about)._default_manager.select_for_update(no_key=True).get(pk=about.pk)
    if webhooks_of(about).count() >= MOST:
        raise Illegal("too_many_webhooks", most=MOST)
    whose = {"series": about} if isinstance(about, Series) else {"night": about}
    return Webhook.objects.create(address=address, shape=shape, added_by=by, **whose)


_ADDED = _("The webhook is added. Send a test to see whether messages arrive.")
SERIES.act("add_webhook", SeriesRight.ORGANISER, done=_ADDED)(add)
NIGHT.act("add_webhook", NightRight.HOST, done=_ADDED)(add)


@ACTS.act("remove", WebhookRight.ORGANISER, done=_("The webhook is removed."), label=_("Remove"))
@transaction.atomic
def remove(webhook: Webhook, by: Player) -> None:
    """Remove a webhook with all that it was still to be told; raises as `check`."""
    check(webhook, by)
    webhook.delete()


@ACTS.act(
    "secret",
    WebhookRight.ORGANISER,
    done=_("The key is a new one; what is signed with the old one comes no more."),
    label=_("New key"),
    by_page="The key is shown on the webhook's page alone.",
)
@transaction.atomic
def renew_secret(webhook: Webhook, by: Player) -> None:
    """Give a webhook another key to sign with; raises as `check`."""
    check(webhook, by)
    webhook.secret = new_secret()
    webhook.save(update_fields=["secret"])


@ACTS.act(
    "test",
    WebhookRight.ORGANISER,
    done=_("A test is on its way. Load this page again in a moment to see what came of it."),
    label=_("Send a test"),
)
@transaction.atomic
def test(webhook: Webhook, by: Player) -> None:
    """Send a webhook a test, the way all messages go; raises as `check`."""
    check(webhook, by)
    outbox.put_test(webhook)
