"""The stored backups as they were written: the database's own note of each, beside its checksum's file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from games.models import StoredBackup


def note(name: str, size: int, sha256: str, made_at: datetime) -> None:
    """Note a backup as it was written; raises DatabaseError."""
    values = {"size": size, "sha256": sha256, "made_at": made_at}
    StoredBackup.objects.update_or_create(pk=name, defaults=values)


def noted() -> dict[str, StoredBackup]:
    """Return all that are noted, by their names; raises DatabaseError."""
    return StoredBackup.objects.in_bulk()


def forget(names: Iterable[str]) -> None:
    """Delete the notes of backups that are there no longer; raises DatabaseError."""
    StoredBackup.objects.filter(pk__in=list(names)).delete()


def note_faults(found: Mapping[str, str]) -> None:
    """Note what a look at the files has found: name → sentence, "" for no fault."""
    for name, fault in found.items():
        StoredBackup.objects.filter(pk=name).exclude(fault=fault).update(fault=fault)


def note_proof(name: str, fault: str, now: datetime) -> None:
    """Note that a backup was restored into an empty house, and the fault that was found; "" for none."""
    StoredBackup.objects.filter(pk=name).update(proved_at=now, proof_fault=fault)


def damaged() -> set[str]:
    """Return the names of those whose file was last seen to be another one than was written; raises DatabaseError."""
    return set(StoredBackup.objects.exclude(fault="").values_list("pk", flat=True))
