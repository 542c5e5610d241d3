"""The doctor's finding about the logins of the staff."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.utils.translation import gettext as _

from games.ops.doctor.findings import Finding, good, look
from games.services.people import two_factor


def second_factors() -> Iterator[Finding]:
    """Check that the staff of a house on the internet need more than a password."""
    topic, without = _("staff"), sum(not has_code for has_code in two_factor.staff().values())
    if not without:
        yield good(topic, _("All of the staff log in with a password and a code."))
        return
    text = _("%(count)s of the staff log in with the password alone.") % {"count": without}
    remedy = _("Recommended: each sets up “Two-factor login” on the page of their name.")
    # In a pub's own network it would be too much to ask for every day.
    yield look(topic, text, remedy) if settings.PUBLIC_URL or settings.BEHIND_TLS else good(topic, text)


CHECKS = (second_factors,)
