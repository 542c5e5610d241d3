"""Wrong values of variables: those that keep the house from opening, and those that would be misread silently."""

from __future__ import annotations

import ipaddress
import logging
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import dj_database_url

from games.ops.environment import Environment, Unusable
from games.version import IS_INSTALLED

LONGEST_DAYS = 36_500
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "clock": ("thread", "off"),
    "analyser": ("", "on", "off"),
    "log_format": ("", "lines", "json"),
}
_NETWORKS = ("proxies", "admin_networks", "metrics_allow")
_NO_PATH = re.compile(r"[\s<>?#%\\]")


def check(env: Environment) -> None:
    """Raise Unusable, with the variable and what it needs, for the first value that no house can open with."""
    for each in fields(env):
        _check_number(each.name, getattr(env, each.name))
    for name, allowed in _CHOICES.items():
        if (found := getattr(env, name)) not in allowed:
            raise Unusable(f"{name.upper()} is {found!r}: one of {', '.join(filter(None, allowed))} is needed.")
    for name in _NETWORKS:
        for text in getattr(env, name) or ():
            _try(partial(ipaddress.ip_network, text), f"{name.upper()} has {text!r}: an address or a network")
    _check_texts(env)
    _check_services(env)
    if env.pseudo and (IS_INSTALLED or not env.debug):
        raise Unusable("PSEUDO is 1: the pseudo-language is for a server from the sources with DEBUG=1 alone.")


def _try(read: Callable[[], Any], what: str) -> Any:
    """Return what `read` returns; raises Unusable where it fails."""
    try:
        return read()
    except (ValueError, OSError, KeyError) as error:
        raise Unusable(f"{what} is needed ({' '.join(str(error).split())}).") from None


def _check_number(name: str, value: Any) -> None:
    """Raise Unusable for a number below 0, one that is none, and a term so long that no date is at its end."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    if not math.isfinite(value) or value < 0:
        raise Unusable(f"{name.upper()} is {value}: a number from 0 on is needed.")
    longest = LONGEST_DAYS * {"days": 1, "hours": 24}.get(name.rpartition("_")[2], 0)
    if longest and value > longest:
        raise Unusable(f"{name.upper()} is {value}: at most {longest} is needed; 0 is for ever.")


def _check_texts(env: Environment) -> None:
    if env.log_level.upper() not in logging.getLevelNamesMapping():
        raise Unusable(f"LOG_LEVEL is {env.log_level!r}: one of DEBUG, INFO, WARNING, ERROR is needed.")
    _try(lambda: urlsplit(env.public_url).port, f"PUBLIC_URL is {env.public_url!r}: an address of the web")
    if env.time_zone:
        _try(lambda: ZoneInfo(env.time_zone), f"TIME_ZONE is {env.time_zone!r}: a name such as Europe/Oslo")
    if _NO_PATH.search(env.admin_path):
        raise Unusable(
            f"ADMIN_PATH is {env.admin_path!r}: a path such as back-room is needed, without <, >, ? or blanks."
        )


def _check_services(env: Environment) -> None:
    """Raise Unusable for the address of a database or a Redis that is none; they hold passwords and are not told."""
    if env.database_url:
        _check_database(env.database_url)
    if env.redis_url:
        parts = _read(urlsplit, env.redis_url)
        if parts is None or parts.scheme not in {"redis", "rediss", "unix"} or not (parts.hostname or parts.path):
            raise Unusable("REDIS_URL is no address of a Redis: redis://host:6379/0 is needed.")
        _check_installed("channels_redis", "REDIS_URL names a Redis")


def _check_database(url: str) -> None:
    found = _read(dj_database_url.parse, url)
    engine = str(found["ENGINE"]).rpartition(".")[2] if found else ""
    if found is None or engine not in {"sqlite3", "postgresql"} or not found["NAME"]:
        raise Unusable(
            "DATABASE_URL is no address of a database: postgres://user:password@host/name is needed, with the special "
            "characters of the password percent-encoded; or none, for SQLite in the data folder."
        )
    if engine == "postgresql":
        _check_installed("psycopg", "DATABASE_URL names PostgreSQL")


def _read(parse: Callable[[str], Any], url: str) -> Any:
    """Return an address in its parts, with a port that is a number; None for what is none."""
    try:
        _port = urlsplit(url).port
        return parse(url)
    except Exception:
        return None


def _check_installed(module: str, text: str) -> None:
    if find_spec(module) is None:
        raise Unusable(f"{text}, and what it needs is not installed: `pip install 'stammtisch[scaled]'` installs it.")
