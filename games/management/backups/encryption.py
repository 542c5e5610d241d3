"""Encrypted backups: AES-256-GCM with a key made of BACKUP_KEY by scrypt, both by the `cryptography` package.

An encrypted file is MAGIC, a salt of 16 bytes, a nonce of 12, the encrypted archive, and a tag of 16. Everything before
the archive is authenticated with it. What is decrypted is used only when the tag has proved the whole file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from django.conf import settings
from django.core.management.base import CommandError

MAGIC = b"stammtisch backup, AES-256-GCM, 1\n"
_SALT, _NONCE, _TAG = 16, 12, 16
_HEAD = len(MAGIC) + _SALT + _NONCE
_CHUNK = 1 << 20
# Scrypt's cost: 32 MB of memory and about a tenth of a second.
_COST = {"n": 2**15, "r": 8, "p": 1}


def _key(salt: bytes) -> bytes:
    return Scrypt(salt=salt, length=32, **_COST).derive(settings.BACKUP_KEY.encode())


def encrypt(source: Path, target: Path) -> None:
    """Write the file `source` encrypted to `target`."""
    salt, nonce = os.urandom(_SALT), os.urandom(_NONCE)
    head = MAGIC + salt + nonce
    cipher = Cipher(algorithms.AES(_key(salt)), modes.GCM(nonce)).encryptor()
    cipher.authenticate_additional_data(head)
    with source.open("rb") as plain, target.open("wb") as out:
        out.write(head)
        while chunk := plain.read(_CHUNK):
            out.write(cipher.update(chunk))
        out.write(cipher.finalize() + cipher.tag)


def is_encrypted(path: Path) -> bool:
    """Tell whether a file is an encrypted backup; raises OSError."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


@contextmanager
def opened(path: Path, folder: Path) -> Iterator[Path]:
    """Return the archive of a backup, decrypted into `folder` where it is encrypted; raises CommandError, OSError."""
    if not is_encrypted(path):
        yield path
        return
    plain = folder / "decrypted"
    try:
        _decrypt(path, plain)
        yield plain
    finally:
        plain.unlink(missing_ok=True)


def _decrypt(source: Path, target: Path) -> None:
    """Write an encrypted file's content to `target`; raises CommandError for another key or a damaged file."""
    if not settings.BACKUP_KEY:
        raise CommandError(f"{source} is encrypted: set BACKUP_KEY to the key with which it was made.")
    left = source.stat().st_size - _HEAD - _TAG
    with source.open("rb") as file, target.open("wb") as out:
        head = file.read(_HEAD)
        if left < 0:
            raise _refused(source)
        salt, nonce = head[len(MAGIC) : -_NONCE], head[-_NONCE:]
        cipher: Any = Cipher(algorithms.AES(_key(salt)), modes.GCM(nonce)).decryptor()
        cipher.authenticate_additional_data(head)
        while left and (chunk := file.read(min(_CHUNK, left))):
            left -= len(chunk)
            out.write(cipher.update(chunk))
        try:
            out.write(cipher.finalize_with_tag(file.read(_TAG)))
        except (InvalidTag, ValueError):
            raise _refused(source) from None


def _refused(source: Path) -> CommandError:
    return CommandError(f"{source} was encrypted with another BACKUP_KEY, or is damaged. Nothing was changed.")
