"""The environment: one table of variables; and the data folder with its secret key.

`Environment` declares each variable with its type, default and meaning. The settings read it once, and no other code
reads the environment; docs/operations.md describes each variable.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import dj_database_url
import platformdirs

from games.ops.files import make_once
from games.version import IS_INSTALLED, SOURCES


class Unusable(Exception):
    """The house cannot start like this; the text gives the reason and the remedy."""


# The variables


def _variable(default: Any, meaning: str) -> Any:
    return field(default=default, metadata={"meaning": meaning})


def _secret(default: Any, meaning: str) -> Any:
    """Return a variable that may be in a file, which the variable with _FILE behind its name names."""
    return field(default=default, metadata={"meaning": meaning, "is_secret": True})


@dataclass(frozen=True, slots=True)
class Environment:
    """The variables, each under its name in lower case. A list is separated by commas."""

    host: str = _variable("", "where `serve` listens; empty: all interfaces")
    port: int = _variable(8000, "its port")
    workers: int = _variable(1, "server processes that share the port")
    public_url: str = _variable("", "where QR codes and links lead; empty: where a connection arrived")
    lan_name: str = _variable("stammtisch", "the house's name in the LAN, without .local; `off` for none")
    base_path: str = _variable("", "the path below which the house is, such as /games/; empty: all of the host")
    stammtisch_data: str = _variable("", "the folder of everything that is kept; empty: var/ or the user's own")
    database_url: str = _secret("", "the database; empty: SQLite in the data folder")
    database_pool: int = _variable(10, "pages that are made at a time, each with its own connection")
    redis_url: str = _secret("", "Redis, by which several processes hear of each other")
    secret_key: str = _secret("", "the secret key; empty: made once, kept in the data folder")
    allowed_hosts: tuple[str, ...] = _variable((), "host names besides the house's own (games/addresses.py)")
    csrf_trusted_origins: tuple[str, ...] = _variable((), "origins besides its own that forms and sockets come from")
    behind_tls: bool = _variable(False, "a proxy in front speaks HTTPS: secure cookies, HSTS, a redirect")
    proxies: tuple[str, ...] | None = _variable(None, "the proxies whose X-Forwarded-For and -Proto count")
    hsts_subdomains: bool = _variable(False, "all hosts below this one speak HTTPS, too")
    hsts_preload: bool = _variable(False, "browsers may come with this host in their lists")
    admin_path: str = _variable("admin", "the path of the admin")
    admin_networks: tuple[str, ...] = _variable((), "networks that the admin is there for; none: all")
    admin_hosts: tuple[str, ...] = _variable((), "host names that the admin is there under; none: all")
    allow_no_origin: bool = _variable(False, "sockets without an Origin come in: programs, no browsers")
    house_name: str = _variable("", "the house's name; empty: as its staff have said")
    house_country: str = _variable("", "its country, such as NO; empty: as its staff have said")
    house_language: str = _variable("", "its language, such as nb; empty: as its staff have said")
    time_zone: str = _variable("", "its time zone, such as Europe/Oslo; empty: as its staff have said")
    veto_seconds: int = _variable(60, "how long a guest's own device may say no to another phone")
    bot_delay: float = _variable(1.1, "how long a bot thinks, in seconds: long enough to be followed by eye")
    clock: str = _variable("thread", "`off` for a process that is never to act as the clock")
    analyser: str = _variable("", "`off`: the server starts no process that grades finished games")
    sockets_per_address: int = _variable(60, "sockets nobody knows, screens, and further pages of an address")
    sockets_per_guest: int = _variable(5, "open pages of a player")
    messages_per_20s: int = _variable(50, "frames that one page may send in 20 s")
    messages_per_20s_playing: int = _variable(100, "the same from a seat at a table that plays")
    connections: int = _variable(0, "network connections of a process; 0: as many as the system grants")
    connections_per_address: int = _variable(1000, "network connections of an address")
    tables_per_night: int = _variable(200, "tables of a night, finished ones too; staff may open more")
    bots_per_host: int = _variable(8, "bots at play at the tables of a host; staff may have more")
    practice_nights: int = _variable(200, "people who play against the computer at once, in the whole house")
    nights_per_host: int = _variable(12, "nights of a host that are not closed; staff may have more")
    heavy_pages: int = _variable(1, "pages over many results that are made at a time")
    heavy_seconds: float = _variable(10.0, "how long such a page waits for its turn")
    keep_guests_days: int = _variable(90, "how long guests are kept who never sat at a table; 0: for ever")
    keep_chat_days: int = _variable(180, "how long chat and news of nights are kept; 0: for ever")
    keep_audit_days: int = _variable(730, "how long the acts of hosts and staff are kept; 0: for ever")
    old_after_days: int = _variable(183, "from which age of its build on a version is called old, to staff; 0: never")
    compress_logs_days: int = _variable(180, "from when on logs of finished tables are kept as files; 0: never")
    unused_night_hours: int = _variable(24, "a night that nobody uses for so long is closed; 0: never")
    backup_folder: str = _variable(
        "", "where backups go by themselves; empty: backups/ of the data folder; `off`: none"
    )
    backup_key: str = _secret("", "the passphrase that backups are encrypted with; empty: they are not")
    email_url: str = _secret("console:", "where mail goes")
    email_from: str = _variable("stammtisch@localhost", "the sender of mails")
    webhooks_private: bool = _variable(False, "webhooks may lead into private networks")
    metrics_token: str = _secret("", "the token with which anybody may read /metrics")
    metrics_allow: tuple[str, ...] = _variable(("127.0.0.1", "::1"), "addresses that may read it without one")
    prometheus_multiproc_dir: str = _variable("", "the folder of all workers' figures; `serve` sets it")
    notify_socket: str = _variable("", "where systemd listens; it sets it")
    watchdog_usec: int = _variable(0, "how often systemd wants to hear of the house, in microseconds; it sets it")
    worker: int = _variable(0, "the number of a worker; `serve` sets it")
    log_format: str = _variable("", "`json`: one JSON object a line")
    log_level: str = _variable("WARNING", "how much is logged")
    debug: bool = _variable(False, "error pages with details; never in public")
    pseudo: bool = _variable(False, "every page in the pseudo-language; of a development server alone")


_SWITCHES = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off"), False),
}
_READ: Mapping[str, Callable[[str], Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": lambda text: _SWITCHES[text.strip().lower()],
    "tuple[str, ...]": lambda text: tuple(item.strip() for item in text.split(",") if item.strip()),
}


def read(environ: Mapping[str, str]) -> Environment:
    """Return the variables of an environment; raises Unusable for a wrong number or switch, or a file without secret.

    An empty variable counts as missing, but an empty list is an empty list.
    """
    found: dict[str, Any] = {}
    for each in fields(Environment):
        name, kind = each.name.upper(), str(each.type).removesuffix(" | None")
        text = _of_file(name, environ) if each.metadata.get("is_secret") else environ.get(name)
        if text is None or (not text and not kind.startswith("tuple")):
            continue
        try:
            found[each.name] = _READ[kind](text)
        except (ValueError, KeyError):
            raise Unusable(f"{name} is {text!r}: {'1 or 0' if kind == 'bool' else 'a number'} is needed.") from None
    return Environment(**found)


def _of_file(name: str, environ: Mapping[str, str]) -> str | None:
    """Return the value of a secret, from the file that NAME_FILE names or from NAME; raises Unusable."""
    place = environ.get(f"{name}_FILE")
    if not place:
        return environ.get(name)
    if environ.get(name):
        raise Unusable(f"{name} and {name}_FILE are both set: which one counts? Take one away.")
    try:
        text = Path(place).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"{name}_FILE is {place}, which can't be read: {error}.") from None
    if not text or not text.isprintable():
        raise Unusable(f"{name}_FILE is {place}, which is {'no line of text' if text else 'empty'}.")
    return text


LEAST_BACKUP_KEY = 16
"""The fewest characters of a passphrase that nobody guesses by trying."""


def backup_folder(text: str, data: Path) -> Path | None:
    """Return the folder of BACKUP_FOLDER; None for `off`."""
    return None if text == "off" else Path(text).absolute() if text else data / "backups"


def backup_key(text: str) -> str:
    """Return the passphrase of BACKUP_KEY; raises Unusable for a short one."""
    if 0 < len(text) < LEAST_BACKUP_KEY:
        raise Unusable(f"BACKUP_KEY is short: at least {LEAST_BACKUP_KEY} characters are needed, such as five words.")
    return text


# Addresses of other services, as Django's settings


def origins(url: str) -> list[str]:
    """Return the origin (scheme, host and port) of an address such as PUBLIC_URL, as a list; empty for ""."""
    scheme, separator, rest = url.partition("://")
    return [f"{scheme}{separator}{rest.partition('/')[0]}"] if url else []


def base_path(text: str) -> str:
    """Return the path of BASE_PATH with a slash at both ends ("/games/"); raises Unusable for an invalid one."""
    path = f"/{text.strip('/')}/".replace("//", "/")
    if not re.fullmatch(r"/([\w.-]+/)*", path, re.ASCII):
        raise Unusable(f"BASE_PATH is {text!r}: a path such as /games/ is needed, of letters, digits, . _ and -.")
    return path


def lan_name(text: str) -> str:
    """Return the name that LAN_NAME gives the house in the LAN, "" for `off`; raises Unusable for an invalid one."""
    name = text.lower().removesuffix(".local")
    if not re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?", name):
        raise Unusable(f"LAN_NAME is {text!r}: letters a to z, digits and hyphens are needed, such as stammtisch.")
    return "" if name == "off" else name


# Scheme → (STARTTLS, TLS from the start, the default port).
_SMTP = {"smtp": (False, False, 25), "smtp+tls": (True, False, 587), "smtps": (False, True, 465)}


def mail(url: str) -> dict[str, Any]:
    """Return Django's settings for EMAIL_URL.

    `console:` prints mail to the server's log; `smtp://`, `smtp+tls://` (STARTTLS) and
    `smtps://user:password@host:port` send it. Special characters of user and password are percent-encoded. Raises
    Unusable for any other address.
    """
    refusal = Unusable("EMAIL_URL is console: or smtp://, smtp+tls://, smtps:// with a host, and a number as its port.")
    try:
        parts = urlsplit(url)
        given = parts.port
    except ValueError:
        raise refusal from None
    backends = "django.core.mail.backends"
    if parts.scheme == "console":
        return {"EMAIL_BACKEND": f"{backends}.console.EmailBackend"}
    if parts.scheme not in _SMTP or not parts.hostname:
        raise refusal
    tls, ssl, port = _SMTP[parts.scheme]
    return {
        "EMAIL_BACKEND": f"{backends}.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": given or port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": tls,
        "EMAIL_USE_SSL": ssl,
    }


DATABASE = "stammtisch.sqlite3"


def database(url: str, folder: Path) -> dict[str, Any]:
    """Return Django's settings of the database of DATABASE_URL; without it, of the file in the data folder.

    Raises Unusable for an address that would lead elsewhere than it says, and where an earlier version had its file.
    """
    if not url:
        path = folder / DATABASE
        _refuse_elsewhere(path)
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": str(path)}
    parts = urlsplit(url)
    if parts.scheme == "sqlite" and (parts.fragment or (parts.query and "=" not in parts.query)):
        sign = "#" if parts.fragment else "?"
        raise Unusable(f"DATABASE_URL has a {sign} in its path, where an address ends: write {quote(sign)} instead.")
    return dict(dj_database_url.parse(url))


def _refuse_elsewhere(path: Path) -> None:
    """Raise Unusable if the database is where earlier versions put it, which read the path as an address."""
    before = path
    with suppress(ValueError):
        before = Path(str(dj_database_url.parse(f"sqlite:///{path}")["NAME"]))
    if before != path and os.path.isfile(before) and not path.exists():  # noqa: PTH113 (False where it may not look)
        raise Unusable(
            f"The database of this house is {before}: earlier versions read # ? and % in {path.parent} as parts of an "
            f"address. Stop every house that uses it, and move it, and what is named {before.name}-wal beside it, to "
            f"{path}. Two houses whose folders differ only behind such a sign had one database: copy it to each."
        )


def layer(redis_url: str) -> dict[str, Any]:
    """Return Channels' settings of the layer: Redis, or without it only this process."""
    if not redis_url:
        return {"BACKEND": "channels.layers.InMemoryChannelLayer", "CONFIG": {"capacity": 2000}}
    # A Redis that does not answer must not delay commits.
    patience = {"socket_connect_timeout": 2, "socket_timeout": 4, "socket_keepalive": True}
    return {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [{"address": redis_url, **patience}]},
    }


def cache(redis_url: str) -> dict[str, Any]:
    """Return Django's settings of the cache, which counts for the limits."""
    if not redis_url:
        return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    return {
        "BACKEND": "games.ops.shared_cache.SharedCache",
        "LOCATION": redis_url,
        "OPTIONS": {
            "serializer": "games.ops.shared_cache.JsonSerializer",
            "socket_connect_timeout": 1,
            "socket_timeout": 1,
        },
        "KEY_PREFIX": "stammtisch",
        # Values of version 1 could not be read as JSON.
        "VERSION": 2,
    }


# The house

_CODE = re.compile(r"[A-Z]{2}")


def house(env: Environment, languages: Iterable[str]) -> dict[str, str]:
    """Return what the environment says of the house, by the names of games/models/house.py; raises Unusable."""
    if env.house_country and not _CODE.fullmatch(env.house_country):
        raise Unusable(f"HOUSE_COUNTRY is {env.house_country!r}: a code of two letters such as NO is needed.")
    if env.house_language not in {"", *languages}:
        raise Unusable(f"HOUSE_LANGUAGE is {env.house_language!r}: one of {', '.join(languages)} is needed.")
    said = {
        "name": env.house_name,
        "country": env.house_country,
        "language": env.house_language,
        "time_zone": env.time_zone,
    }
    return {name: value for name, value in said.items() if value}


# The data folder

SECRET = "secret_key"  # noqa: S105 (the name of a file)
KEPT = (
    "*.sqlite3",
    "*.sqlite3-wal",
    "*.sqlite3-shm",
    "before-*",
    "*.backup",
    "*.log",
    "*.log.1",
    "*.stamp",
    "*.lock",
    SECRET,
)
"""Files that the house writes into its data folder, readable only by its owner."""


def usual_folder() -> Path:
    """Return the data folder without STAMMTISCH_DATA: var/ of the sources, or the user's data folder."""
    if IS_INSTALLED:
        return platformdirs.user_data_path("stammtisch", appauthor=False)
    return SOURCES / "var"


def data_folder(path: Path) -> Path:
    """Return the data folder, made if it is missing; files written from now on are private.

    Files of earlier versions, which others could read, become private, too. Raises Unusable.
    """
    os.umask(0o077)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(f"The data folder {path} can't be made: {error}. STAMMTISCH_DATA names another.") from None
    keep_private(found for pattern in KEPT for found in path.glob(pattern))
    return path


def keep_private(paths: Iterable[Path]) -> None:
    """Remove the rights of group and others from our own files; other users' files are left alone."""
    for path in paths:
        with suppress(OSError):
            found = path.lstat()
            if stat.S_ISREG(found.st_mode) and found.st_mode & 0o077:
                path.chmod(stat.S_IMODE(found.st_mode) & 0o700)


def kept_secret(folder: Path) -> str:
    """Return the secret key of a folder, made at the first call; raises Unusable for a broken one."""
    path = folder / SECRET
    try:
        if not path.exists():
            make_once(path, secrets.token_urlsafe(50))
        key = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(
            f"The secret key {path} can't be read or made: {error}. Let this user read and write in {folder}, or name "
            "another folder by STAMMTISCH_DATA."
        ) from None
    # A full disk or a power cut leaves nothing, or a block of zeros.
    if not key or not key.isprintable():
        raise Unusable(
            f"The secret key {path} is {'broken' if key else 'empty'}: it was not written to its end. "
            "Put back the one of your last backup. Or delete the file: a new key is made at the next start, "
            "all browsers are strangers then, and join links, QR codes and TV links are new."
        )
    return key
