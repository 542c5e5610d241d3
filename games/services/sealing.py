"""Texts that the database keeps encrypted, each under a key of its own in the data folder.

A key is a file in a folder that `backup` does not copy: a backup holds nothing of these texts that anybody can read.
What was sealed is gone for good with its key.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from math import inf
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

from games.ops.files import make_once


def seal(folder: str, name: str, text: str) -> bytes:
    """Return a text encrypted with a key, which is made at first.

    `folder` is the key's folder in the data folder, `name` a public id. Raises OSError if the key cannot be written,
    as on a full disk.
    """
    path = _key_file(folder, name)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    make_once(path, Fernet.generate_key().decode())
    return Fernet(path.read_bytes()).encrypt(text.encode())


def opened(folder: str, name: str, sealed: bytes) -> str | None:
    """Return a sealed text; None where its key is gone or another, as in a house that was restored from a backup."""
    try:
        return Fernet(_key_file(folder, name).read_bytes()).decrypt(sealed).decode()
    except (OSError, InvalidToken, ValueError):
        return None


def names(folder: str, *, made_before: datetime | None = None) -> set[str]:
    """Return the names of the keys in a folder, of those made before a time."""
    place = Path(settings.DATA_DIR) / folder
    latest = inf if made_before is None else made_before.timestamp()
    return {path.stem for path in place.glob("*.key") if path.stat().st_mtime < latest} if place.is_dir() else set()


def throw_away(folder: str, found: Iterable[str]) -> None:
    """Delete keys; what was sealed with them is gone."""
    for name in found:
        _key_file(folder, name).unlink(missing_ok=True)


def _key_file(folder: str, name: str) -> Path:
    return Path(settings.DATA_DIR) / folder / f"{name}.key"
