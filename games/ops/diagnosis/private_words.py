"""Names, codes, addresses and secrets of this house, and texts without them."""

from __future__ import annotations

import getpass
import os
import platform
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.apps import apps
from django.conf import settings
from django.db import models

from games.models import Night, Series
from games.ops import environment
from games.ops.logs import clean
from games.services.nights import wifi

PUBLIC = frozenset(
    {"log_level", "log_format", "time_zone", "house_country", "house_language", "clock", "metrics_allow", "lan_name"}
)
"""Variables whose texts are neither private nor secret."""
FIELDS = frozenset(
    {
        *("nickname", "name", "name_key", "username", "first_name", "last_name", "email", "code", "number"),
        *("wifi_name", "wifi_password", "phone_address", "former_hosts", "actor_name", "by_name", "created_by"),
        *("updated_by", "subject", "house_rules_name", "price", "note", "object_repr", "start", "secret_hash"),
        *("session_key", "digest", "key", "dice_seed", "dice_salt", "ip", "user_agent", "printed_password", "password"),
        *("feed_key", "entry_key", "place", "done_by", "address", "secret", "seed"),
        *("games", "said_name", "letters", "origin", "imprint", "contact", "notice_addition"),
    }
)
"""Fields of all models that may hold a person's name, a code, an address or a secret."""
HARMLESS = frozenset(
    {
        *(
            "act",
            "answer",
            "app_label",
            "prizes",
            "agreed",
            "bot_level",
            "chains",
            "change_message",
            "claimed_by",
            "given_up",
            "proof_fault",
            "sha256",
            "clocks",
            "codename",
        ),
        *("command", "command_id", "consent", "control", "corrections", "counts", "country", "data", "dice", "domain"),
        *("engine", "events", "form_id", "frozen", "game_id", "hosts_may", "id", "language", "level", "logo_digest"),
        *(
            "logo_type",
            "media",
            "medium",
            "model",
            "nonce",
            "object_id",
            "options",
            "position",
            "preset",
            "presets",
            "public_id",
        ),
        *("reason", "rows", "scope", "session_data", "state", "stats", "status", "text", "throw", "time_zone", "type"),
        *("unit", "unused_key", "currency", "points_worth", "transfers", "result", "stage", "word", "cells", "columns"),
        *("about", "choice", "report", "schedule"),
        *("kind", "shape", "fault", "occasion", "format", "match", "taken", "told", "ended", "sent_at"),
        *("countdowns", "modes", "seats", "way"),
    }
)
"""Fields that hold none, or what no line of the log could repeat (a game's state, the text of a chat, cells)."""
NAMELESS = frozenset({"contenttypes.contenttype", "auth.permission", "games.houseclock", "games.logfile"})
"""Models whose names are words of the software."""
GONE = "…"
# Keys and tokens of which the house keeps only digests: long, of letters and digits.
_RANDOM = re.compile(r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{30,}(?![\w-])")


def of_environment(variables: environment.Environment) -> Iterator[str]:
    """Yield private texts of the variables, and the parts of addresses among them."""
    for each in fields(variables):
        value = getattr(variables, each.name)
        if each.name in PUBLIC or value == each.default:
            continue
        for text in value if isinstance(value, tuple) else [value]:
            if isinstance(text, str) and len(text) > 1:
                yield text
                yield from _parts(text)


def _parts(address: str) -> Iterator[str]:
    try:
        found = urlsplit(address)
        parts = (found.username, found.password, found.hostname, found.path.strip("/"))
    except ValueError:
        return
    for part in parts if found.netloc else ():
        if part:
            yield from (part, unquote(part))


def of_computer() -> Iterator[str]:
    """Yield the secret key, and the names of this computer, its user and the folders."""
    yield settings.SECRET_KEY
    yield from (str(settings.DATA_DIR), str(settings.BASE_DIR), str(Path.home()), Path.home().name)
    yield platform.node()
    try:
        yield getpass.getuser()
    except (OSError, KeyError):  # a user without a name
        return


def of_database() -> Iterator[str]:
    """Yield the texts of FIELDS of all models; raises DatabaseError."""
    for model in apps.get_models():
        if model._meta.label_lower in NAMELESS or model._meta.proxy:
            continue
        for field in model._meta.concrete_fields:
            if field.name in FIELDS and isinstance(field, (models.CharField, models.TextField, models.JSONField)):
                for value in model._default_manager.order_by().values_list(field.name, flat=True).distinct():
                    yield from _texts(value)


def of_wifi() -> Iterator[str]:
    """Yield the passwords of Wi-Fi, which the database has sealed; raises DatabaseError."""
    for model in (Night, Series):
        for holder in model.objects.exclude(wifi_name=""):
            yield wifi.of(holder).password


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def of_house() -> set[str]:
    """Return everything private that this house knows; raises DatabaseError."""
    known = [*of_environment(environment.read(os.environ)), *of_computer(), *of_database(), *of_wifi()]
    return {word for word in known if word.strip()}


def without(text: str, words: Iterable[str]) -> str:
    """Return a text without these words (whatever their case), addresses, tokens and query strings."""
    folded = text.casefold()
    found = sorted((word for word in words if word.casefold() in folded), key=len, reverse=True)
    if found:
        some = "|".join(map(re.escape, found))
        text = re.sub(rf"(?<!\w)(?:{some})(?!\w)", GONE, text, flags=re.IGNORECASE)
    return clean(_RANDOM.sub(GONE, text))
