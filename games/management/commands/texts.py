"""A language's texts where they stand: a page for whoever reads them, and the corrections that come back."""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.management.translations import catalogs, corrections, places, reading_page
from games.version import IS_INSTALLED, SOURCES

_KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT", "CHROMIUM")
"""The part of the environment that the drawing is told: nothing of a house whose data could be touched."""
_SECONDS = 1800


class Command(BaseCommand):
    """`manage.py texts`."""

    help = "Write a page with a language's texts where they stand, or take in the corrections that came back."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the language, the page's file, and the file of corrections."""
        parser.add_argument("--language", required=True, help="de, nb, …")
        parser.add_argument("--to", metavar="FILE", type=Path, help="the page (texts-LANGUAGE.html in the data folder)")
        parser.add_argument("--without-pictures", action="store_true", help="draw nothing: outlines alone")
        parser.add_argument("--corrections", metavar="FILE", type=Path, help="take in this file, as the page saves it")

    def handle(self, *args: Any, language: str, **options: Any) -> None:
        """Do what the options say; raises CommandError."""
        if IS_INSTALLED:
            raise CommandError(
                "An installed house has no catalogues of texts: take a checkout of the sources. (texts_installed)"
            )
        if language not in catalogs.wanted_languages():
            wanted = ", ".join(catalogs.wanted_languages())
            raise CommandError(f"{language} is no language that is translated: {wanted}. (texts_language)")
        try:
            read = places.read()
        except FileNotFoundError:
            read = places.TextPlaces((), {})
            self.stdout.write("Where the texts stand is not known: make text-places writes it.")
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CommandError(f"{places.PATH} cannot be read: make text-places writes it. (texts_places)") from error
        if options["corrections"]:
            self._take(language, options["corrections"], read)
        else:
            self._write(language, options["to"], read, draws=not options["without_pictures"])

    def _write(self, language: str, to: Path | None, read: places.TextPlaces, *, draws: bool) -> None:
        path = to or Path(settings.DATA_DIR) / f"texts-{language}.html"
        with TemporaryDirectory() as folder:
            fault = self._draw(language, Path(folder)) if draws and read.shots else "No pictures were asked for."
            pictures = {} if fault else reading_page.read_pictures(Path(folder))
            try:
                count, placed = reading_page.write(path, language, read, pictures, fault)
            except OSError as error:
                raise CommandError(f"{path} cannot be written: {error.strerror}. (texts_unwritten)") from error
        self.stdout.write(f"{path}: {count} texts, {placed} of them with a place, {len(pictures)} pictures. {fault}")

    def _draw(self, language: str, folder: Path) -> str:
        """Draw the screens in a language; return why there are no pictures, "" where there are."""
        catalogs.compile_changed()
        self.stdout.write("Drawing the screens; some minutes.")
        try:
            done = subprocess.run(  # noqa: S603 (our own arguments)
                [sys.executable, "-m", "tests.browser.places", "--language", language, "--into", str(folder)],
                cwd=SOURCES,
                env={name: os.environ[name] for name in _KEPT if name in os.environ},
                capture_output=True,
                text=True,
                check=False,
                timeout=_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"There are no pictures: {error}"
        said = [line.strip() for line in done.stderr.splitlines() if "Error" in line] or ["it does not say why"]
        return f"There are no pictures, as they could not be drawn: {said[-1]}" if done.returncode else ""

    def _take(self, language: str, path: Path, read: places.TextPlaces) -> None:
        """Take in a file of corrections, and say what has become of each row; raises CommandError."""
        try:
            rows = corrections.read(path)
            catalogues = corrections.LanguageCatalogues(language)
            outcome = catalogues.take(rows, read.texts)
            catalogues.write()
        except corrections.CorrectionRefused as refusal:
            raise CommandError(str(refusal)) from None
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}. (texts_unread)") from error
        catalogs.compile_changed()
        for line in outcome.warned:
            self.stdout.write(f"longer than its room: {line}")
        for line in outcome.refused:
            self.stdout.write(f"refused: {line}")
        self.stdout.write(f"{outcome.written} corrected, {outcome.same} as before, {len(outcome.refused)} refused.")
        if outcome.refused:
            raise CommandError(
                f"{len(outcome.refused)} rows of {path} did not come in; correct them, and send it again."
            )
