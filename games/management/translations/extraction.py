"""Collection of the project's marked texts into its catalogues, with GNU gettext.

Django's makemessages does the work, in a temporary copy with one folder for each app. The shared templates belong to
the house's own app and its catalogue.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import polib
from django.apps import AppConfig
from django.conf import settings

from games.management.translations.catalogs import languages_of, own_apps

DOMAINS = {"django": "html,txt,py", "djangojs": "js"}
_NOT_TEXT = shutil.ignore_patterns("*.mo", "__pycache__", "migrations")


def is_possible() -> bool:
    """Tell whether GNU gettext is installed."""
    return all(shutil.which(tool) for tool in ("xgettext", "msgmerge", "msguniq"))


@contextmanager
def merged_catalogs() -> Iterator[dict[Path, Path]]:
    """Yield the updated catalogues: path of the catalogue → a temporary file."""
    with TemporaryDirectory() as scratch:
        found: dict[Path, Path] = {}
        for app in own_apps():
            copy = Path(scratch) / app.label
            _copy(app, copy)
            languages = languages_of(app)
            for domain, extensions in DOMAINS.items() if languages else ():
                _make_messages(copy, languages, domain, extensions)
            for path in sorted((copy / "locale").glob("*/LC_MESSAGES/*.po")):
                _steady_header(path)
                found[Path(app.path) / path.relative_to(copy)] = path
        yield found


def _copy(app: AppConfig, target: Path) -> None:
    shutil.copytree(app.path, target, ignore=_NOT_TEXT)
    (target / "locale").mkdir(exist_ok=True)
    if app.label == "games":
        shutil.copytree(Path(settings.BASE_DIR) / "templates", target / "templates")


def _make_messages(folder: Path, codes: list[str], domain: str, extensions: str) -> None:
    """Run makemessages in one folder; without line numbers, so that catalogues change only with texts."""
    languages = [flag for code in codes for flag in ("-l", code)]
    environment = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    options = ["--no-location", "--no-wrap", "--no-obsolete", "-v", "0"]
    done = subprocess.run(  # noqa: S603 (our own arguments)
        [
            *[sys.executable, "-m", "django", "makemessages", *languages],
            *["-d", domain, "-e", extensions, *options],
        ],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)


def _steady_header(path: Path) -> None:
    """Give a catalogue a header without dates, names and machines, so that it changes only with texts."""
    catalog = polib.pofile(str(path), wrapwidth=0)
    plural_forms = catalog.metadata["Plural-Forms"]
    catalog.header = "How to translate: docs/translating.md"
    catalog.metadata_is_fuzzy = False
    catalog.metadata = {
        "Project-Id-Version": "Stammtisch",
        "Language": path.parent.parent.name,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": plural_forms,
    }
    catalog.save()
