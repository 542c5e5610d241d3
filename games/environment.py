"""Reading the environment, for the settings; and keeping what is kept to its owner."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

SECRET = "secret_key"  # noqa: S105 (the name of a file)
KEPT = ("*.sqlite3", "*.sqlite3-wal", "*.sqlite3-shm", "before-*", "*.backup", "*.log", "*.stamp", "*.lock", SECRET)
"""What the house writes into its data folder, and nobody else is to read."""


class Unusable(Exception):
    """The house can't start as it is; the text says why and what helps."""


def env_flag(name: str, default: bool = False) -> bool:
    """Return an environment variable as yes or no."""
    return os.environ.get(name, "1" if default else "0").lower() in {"1", "true", "yes", "on"}


def env_list(name: str, default: str = "") -> list[str]:
    """Return a comma-separated environment variable as a list."""
    return [item.strip() for item in os.environ.get(name, default).split(",") if item.strip()]


def data_folder(path: Path) -> Path:
    """Return the folder of everything that is kept; nobody else reads what is written from now on.

    Files of earlier versions, which others could read, are kept to their owner, too. Raises
    Unusable.
    """
    os.umask(0o077)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(f"The data folder {path} can't be made: {error}. STAMMTISCH_DATA names another.") from None
    keep_private(found for pattern in KEPT for found in path.glob(pattern))
    return path


def keep_private(paths: Iterable[Path]) -> None:
    """Take the rights of group and others from files that are ours; those of others are left alone."""
    for path in paths:
        with suppress(OSError):
            found = path.lstat()
            if stat.S_ISREG(found.st_mode) and found.st_mode & 0o077:
                path.chmod(stat.S_IMODE(found.st_mode) & 0o700)


def origins(url: str) -> list[str]:
    """Return the origin (scheme, host and port) of an address such as PUBLIC_URL; none for an empty one."""
    scheme, separator, rest = url.partition("://")
    return [f"{scheme}{separator}{rest.partition('/')[0]}"] if url else []


def kept_secret(folder: Path) -> str:
    """Return the secret key: from SECRET_KEY, or made once and kept in a folder.

    Raises Unusable for one that is broken.
    """
    if key := os.environ.get("SECRET_KEY"):
        return key
    path = folder / SECRET
    try:
        if not path.exists():
            _make_secret(path)
        key = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"The secret key {path} can't be read or made: {error}.") from None
    # What a full disk or a power cut leaves: nothing, or a block of zeros.
    if not key or not key.isprintable():
        raise Unusable(
            f"The secret key {path} is {'broken' if key else 'empty'}: it was not written to its end. "
            "Put back the one of your last backup. Or delete the file: a new key is made at the next start, "
            "all browsers are strangers then, and join links, QR codes and TV links are new."
        )
    return key


def _make_secret(path: Path) -> None:
    """Write a new key, whole or not at all; of two first starts at once both get the same one."""
    new = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
            file.flush()
            os.fsync(file.fileno())
        _put(new, path)
    finally:
        new.unlink(missing_ok=True)
    sync_folder(path.parent)


def _put(new: Path, path: Path) -> None:
    """Give a file its name, unless another start has just put one there."""
    try:
        os.link(new, path)
    except FileExistsError:
        return
    except OSError:  # a file system without second names
        new.replace(path)


def sync_folder(folder: Path) -> None:
    """See to it that the names in a folder outlast a power cut."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
