"""The house as a Django app, and its system checks of the games and the settings."""

from __future__ import annotations

from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.admin.checks import check_admin_app, check_dependencies
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.core import checks
from django.db.backends.signals import connection_created
from django.db.models.signals import pre_migrate
from django.utils.translation import gettext as _

from games import addresses
from games.ops import create_models, session_keys

DECLARING_ACTS = (
    "games.services.hosting.hosting",
    "games.services.tables.host_commands",
    "games.services.tables.setup",
    "games.services.hosting.kept_seats",
    "games.services.house_rules.sets",
    "games.services.webhooks.webhooks",
    "games.services.tournaments.acts",
    "games.services.seasons.proposals",
    "games.services.seasons.requests",
    "games.services.seasons.entrants",
    "games.services.sheets.sheets",
    "games.services.sheets.name_claims",
    "games.services.sharing.links",
    "games.services.payments.settlings",
    "games.services.payments.naming",
    "games.services.payments.bank_details",
    "games.services.calendar.dates",
    "games.services.calendar.expected",
    "games.services.calendar.evening_hosts",
    "games.services.calendar.series_seasons",
    "games.services.calendar.next_season",
    "games.services.calendar.nights_between",
    "games.services.mails.wishes",
    "games.services.screens.screens",
)
"""The modules that bring all acts of the registries (`games.services.acts`)."""


class GamesConfig(AppConfig):
    """The house: nights, tables, players and results of all games."""

    name = "games"
    verbose_name = "Stammtisch"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register tasks, checks, personal data, acts, followers of occurrences; hide session keys of allauth."""
        from allauth.usersessions.models import UserSession

        from games.server import background
        from games.services import room_order
        from games.services.people import name_order

        background.register()
        room_order.register()
        room_order.connect_followers()
        for module in DECLARING_ACTS:
            import_module(module)
        connection_created.connect(name_order.add_collations)
        pre_migrate.connect(create_models.make_at_once, sender=self)
        session_keys.hide(UserSession._meta.get_field("session_key"))
        checks.register(check_games)
        checks.register(check_addresses)
        checks.register(check_public, deploy=True)


class HouseAdminConfig(SimpleAdminConfig):
    """Django's admin with the site of this house; its models are registered with its addresses, `games.admin.urls`."""

    default_site = "games.admin.site.HouseSite"

    def ready(self) -> None:
        """Register the checks."""
        checks.register(check_dependencies, checks.Tags.admin)
        checks.register(check_admin, checks.Tags.admin)


class HouseDaphneConfig(AppConfig):
    """Daphne's `runserver`, without the server: what serves imports that, and most commands do not."""

    name = "daphne"
    verbose_name = "Daphne"


class HouseStaticFilesConfig(StaticFilesConfig):
    """Django's static files without those that no page asks for."""

    # Source maps of other packages' scripts are three fifths of all files.
    ignore_patterns = (
        *StaticFilesConfig.ignore_patterns,
        "*.map",
        "drf_spectacular_sidecar/redoc/*",
        "rest_framework/*",
    )


def check_admin(**kwargs: Any) -> list[checks.CheckMessage]:
    """Check the admin of every model, as Django does, once they are registered."""
    import_module("games.admin.urls")
    return check_admin_app(**kwargs)


def check_addresses(**kwargs: Any) -> list[checks.CheckMessage]:
    """Check that PUBLIC_URL, BASE_PATH and BEHIND_TLS agree."""
    found: list[checks.CheckMessage] = []
    if settings.PUBLIC_URL and not addresses.is_web(settings.PUBLIC_URL):
        hint = _("It is http:// or https:// with a host, such as https://games.example.org.")
        return [checks.Error(_("PUBLIC_URL is no address that a browser opens."), hint=hint, id="games.E6")]
    public = urlsplit(settings.PUBLIC_URL)
    if public.path.strip("/"):
        hint = _("It is scheme and host alone; BASE_PATH has the path.")
        found.append(checks.Error(_("PUBLIC_URL has a path."), hint=hint, id="games.E5"))
    if public.scheme == "https" and not settings.BEHIND_TLS:
        text = _("PUBLIC_URL is https, and the house knows of no proxy that speaks it: forms will be refused.")
        hint = _("Set BEHIND_TLS=1, and PROXIES where the proxy is on another machine.")
        found.append(checks.Warning(text, hint=hint, id="games.W4"))
    for name in ("ALLOWED_HOSTS", "ADMIN_HOSTS"):
        if any("/" in host for host in getattr(settings, name)):
            hint = _("They are names alone, such as games.example.org, without http://.")
            text = _("%(name)s has an address in place of a host name.") % {"name": name}
            found.append(checks.Warning(text, hint=hint, id="games.W6"))
    if public.scheme == "http" and settings.BEHIND_TLS:
        hint = _("Let PUBLIC_URL begin with https://, or take BEHIND_TLS away.")
        found.append(checks.Warning(_("BEHIND_TLS is set, and PUBLIC_URL is not https."), hint=hint, id="games.W5"))
    return found


def check_public(**kwargs: Any) -> list[checks.CheckMessage]:
    """Check the settings that a house on the internet needs."""
    found: list[checks.CheckMessage] = []
    if not settings.PUBLIC_URL:
        found.append(checks.Warning(_("PUBLIC_URL is not set: links lead nowhere"), id="games.W2"))
    if "*" in settings.ALLOWED_HOSTS:
        found.append(checks.Warning(_("ALLOWED_HOSTS takes any host"), id="games.W3"))
    return found


def check_games(**kwargs: Any) -> list[checks.CheckMessage]:
    """Check every installed game: contract version, rules, options and bots importable."""
    from games.plugin import GameRefused, all_games, check_loads

    found: list[checks.CheckMessage] = []
    for game_id, config in all_games().items():
        try:
            check_loads(config)
        except GameRefused as refused:
            found.append(checks.Error(str(refused), id="games.E1"))
        except Exception as error:
            found.append(checks.Error(f"{game_id} does not load: {error!r}", id="games.E2"))
    return found
