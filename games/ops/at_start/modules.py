"""Modules that are imported long after the start are those of the start."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

Source: TypeAlias = tuple[str, tuple[int, int], bytes]
"""A module's file, its time (ns) and size at the start, and its packed text."""


class _Loader(SourceFileLoader):
    """Compiles a kept text; what Python has compiled is of another text by now."""

    def __init__(self, name: str, path: str, packed: bytes) -> None:
        super().__init__(name, path)
        self._packed = packed

    def get_data(self, path: str) -> bytes:
        """Return the kept text."""
        return zlib.decompress(self._packed)

    def path_stats(self, path: str) -> Mapping[str, float]:
        """Raise OSError, so that nothing compiled is read or written."""
        raise OSError


class _Finder(MetaPathFinder):
    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = sources

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return a module whose file is another one by now; None leaves it to Python."""
        if name not in self._sources:
            return None
        place, state, packed = self._sources[name]
        try:
            status = Path(place).stat()
        except OSError:
            status = None
        if status is not None and (status.st_mtime_ns, status.st_size) == state:
            return None
        folders = [str(Path(place).parent)] if Path(place).name == "__init__.py" else None
        return spec_from_file_location(
            name, place, loader=_Loader(name, place, packed), submodule_search_locations=folders
        )


def keep(sources: Mapping[str, Source]) -> None:
    """Import these modules, by name, as they were."""
    sys.meta_path.insert(0, _Finder(sources))
