"""Storage of the served static files: our modules and styles without comments, joined, hashed, compressed.

Modules are served for browsers without import maps: they name each other by relative addresses. Joins import from each
other in both directions, so no hash in an address can be of one file's content: all modules of the house and its games
have one in common.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cached_property
from io import BytesIO
from typing import Any

from django.core.files.base import ContentFile, File
from django.core.files.storage import InMemoryStorage
from servestatic.compress import Compressor
from servestatic.storage import CompressedManifestStaticFilesStorage

from games import plugin
from games.packing import packed, short_module
from games.web.assets import joined_modules

FORM = 9
"""The format of the stored files; a new number makes an upgraded house collect its files again."""
_TEXT = rb"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
"""A text in quotes in a style sheet: what looks like a comment in it is none."""
_SOURCE_MAP = re.compile(rb"(?m)^(?://|/\*)# sourceMappingURL=.*$")


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Removes comments and blanks from the modules and style sheets of the house and the games, and joins them.

    The sources are written for readers; a phone on a slow connection needs no comments, and each file costs it time.
    Files of other packages are left unchanged, but for what names their source maps, which are not stored.
    """

    has_joins = True
    # Django looks for every file that a script or a style sheet names.
    patterns = tuple(
        (kind, tuple(each for each in found if "sourceMappingURL" not in (each if isinstance(each, str) else each[0])))
        for kind, found in CompressedManifestStaticFilesStorage.patterns
    )

    def _save(self, name: str, content: File[Any]) -> str:
        if name.endswith(".js") and is_ours(name):
            content.seek(0)  # it was read before, for its hash
            text = short_module(content.read().decode())
            content = File(BytesIO(joined_modules.addressed(text, _unhashed(name), self.modules_hash).encode()))
        elif name.endswith(".css") and is_ours(name):
            content.seek(0)
            content = File(BytesIO(short_style(content.read())))
        elif name.endswith((".js", ".css")):
            content.seek(0)
            content = File(BytesIO(_SOURCE_MAP.sub(b"", content.read())))
        return str(super()._save(name, content))

    def file_hash(self, name: str | None, content: File[Any] | None = None) -> str | None:
        """Return the hash in a file's address: of its content, or the one that all our modules have in common."""
        if name and name.endswith(".js") and is_ours(name):
            return self.modules_hash
        found: str | None = super().file_hash(name, content)
        return found

    @cached_property
    def modules_hash(self) -> str:
        """Return the hash of all modules of the house and the games, as they are written and as they are joined."""
        labels = (joined_modules.HOUSE, *plugin.all_games())
        texts = [joined_modules.source_of(name) for label in labels for name in joined_modules.modules_of(label)]
        texts += [text for name, text in joined_files() if name.endswith(".js")]
        return hashlib.sha256("\0".join([str(FORM), *texts]).encode()).hexdigest()[:12]

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Write the joins, then hash and compress all files."""
        if not dry_run:
            sources = InMemoryStorage()
            for name, text in joined_files():
                sources.save(name, ContentFile(text.encode()))
                self.delete(name)
                self.save(name, ContentFile(text.encode()))
                paths[name] = (sources, name)
        yield from super().post_process(paths, dry_run, **options)

    def create_compressor(self, **kwargs: Any) -> Compressor:
        """Return what compresses the files when they are collected."""
        return _Compressor(**kwargs)


class _Compressor(Compressor):  # type: ignore[misc]
    @staticmethod
    def compress_gzip(data: bytes) -> bytes:
        """Return a file's content as gzip."""
        return packed(data)


def joined_files() -> Iterator[tuple[str, str]]:
    """Yield the names and texts of files to write besides the collected: joins, modules beside them, style sheets."""
    for join in joined_modules.all_joins():
        yield join.name, joined_modules.text_of(join)
    for name in joined_modules.beside():
        yield name, joined_modules.beside_joins(joined_modules.source_of(name))
    labels = (joined_modules.HOUSE, *plugin.all_games())
    yield from ((joined_modules.sheet_name(label), joined_modules.style_sheet(label)) for label in labels)


def _unhashed(name: str) -> str:
    """Return a module's name without the hash that its stored file may have."""
    return re.sub(r"\.[0-9a-f]{12}(?=\.js$)", "", name.replace("\\", "/"))


def short_style(source: bytes) -> bytes:
    """Return a style sheet without comments and indentation."""
    without = re.sub(rb"/\*.*?\*/|" + _TEXT, lambda found: found[1] or b"", source, flags=re.DOTALL)
    return re.sub(rb"\n\s*", b"\n", without).strip() + b"\n"


def is_ours(name: str) -> bool:
    """Tell whether a static file is the house's or a game's."""
    return name.replace("\\", "/").split("/")[0] in ("games", *plugin.all_games())
