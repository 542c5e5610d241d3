"""The pseudo-language `en_XA`: the English texts with accents, longer words and a mark at both ends.

It shows before a language is there which texts are not marked for translation, and which have no room for longer
words. A text has its accents on every letter that has one in the house's typefaces; each word is a third longer; a
bracket stands at both ends. Placeholders, tags, code and addresses stay as they are.

Its catalogues are made from those of the house, the games and the libraries, in a folder outside of the sources. Only
a development server speaks it (`PSEUDO=1`), and the gallery of the tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import django
import polib
from django.apps import AppConfig, apps

from games.management.translations import compiling
from games.management.translations.catalogs import own_apps
from games.plugin import GameConfig

LOCALE = "en_XA"
OPENING, CLOSING = "[", "]"
PLAIN = "ACDEGIKLNORSTUYZacdegiklnorstuyz"
ACCENTED = "ÁÇĐÉĞÍĶŁÑÓŘŠŤÚÝŽáçđéğíķłñóřšťúýž"
"""The letters that have an accent in the typefaces of the house, and what is said for them."""
_ACCENTS = str.maketrans(PLAIN, ACCENTED)
_KEPT = re.compile(
    # %(name)s, %s, %.1f, %%; {value}
    r"%(?:\(\w+\))?[#0+-]*\d*(?:\.\d+)?[diouxXeEfFgGcrsa%]|\{[^{}]*\}"
    # <tags>, &entities;, `code`, the target of a link in Markdown, addresses of the web
    r"|</?\w[^>]*>|&#?\w+;|`[^`]*`|(?<=\])\([^)\s]*\)|https?://[^\s<>\"]+"
)
_WORD = re.compile(r"[A-Za-z]+")
_PLURALS = "nplurals=2; plural=(n != 1);"
_READ = ("en", "de")
"""The languages in whose catalogues the English texts of a library are looked for."""


def pseudo(text: str) -> str:
    """Return a text in the pseudo-language; "" and blanks stay, as do the blanks and breaks around a text."""
    inner = text.strip()
    if not inner:
        return text
    start = text.index(inner)
    said, at = "", 0
    for kept in _KEPT.finditer(inner):
        said += _said(inner[at : kept.start()]) + kept[0]
        at = kept.end()
    said += _said(inner[at:])
    return f"{text[:start]}{OPENING}{said}{CLOSING}{text[start + len(inner) :]}"


def _said(text: str) -> str:
    return _WORD.sub(lambda word: _longer(word[0]), text).translate(_ACCENTS)


def _longer(word: str) -> str:
    """Return a word with a third of its letters said twice, spread over it."""
    more = round(len(word) / 3)
    twice = {(2 * at + 1) * len(word) // (2 * more) for at in range(more)}
    # The second of a capital letter is small, unless all are capitals.
    return "".join(
        letter + (letter if word.isupper() else letter.lower()) if at in twice else letter
        for at, letter in enumerate(word)
    )


def write(folder: Path) -> list[Path]:
    """Write the catalogues below a folder, for settings.LOCALE_PATHS; return their paths.

    The house's texts and the libraries' are one catalogue, each game's another, as in every language
    (games/game_texts.py).
    """
    target = folder / LOCALE / "LC_MESSAGES"
    target.mkdir(parents=True, exist_ok=True)
    found = catalogues()
    for name, catalogue in found.items():
        new = target / f"{name}.po"
        catalogue.save(str(new))
        compiling.compile_catalog(new, new.with_suffix(".mo"))
    return [target / f"{name}.mo" for name in found]


def catalogues() -> dict[str, polib.POFile]:
    """Return the catalogues of the pseudo-language by their domain: the house's two, and one of each game."""
    found: dict[str, dict[tuple[str | None, str], polib.POEntry]] = {"django": {}, "djangojs": {}}
    for domain, path in [*_of_libraries(), *_own()]:
        read = polib.mofile if path.suffix == ".mo" else polib.pofile
        for entry in read(str(path)):
            if not entry.obsolete and entry.msgid:
                found.setdefault(domain, {})[entry.msgctxt, entry.msgid] = _translated(entry)
    return {domain: _catalogue(entries.values()) for domain, entries in found.items()}


def _translated(entry: polib.POEntry) -> polib.POEntry:
    given = {"msgid": entry.msgid, "msgctxt": entry.msgctxt, "flags": [f for f in entry.flags if f != "fuzzy"]}
    if not entry.msgid_plural:
        return polib.POEntry(**given, msgstr=pseudo(entry.msgid))
    forms = {0: pseudo(entry.msgid), 1: pseudo(entry.msgid_plural)}
    return polib.POEntry(**given, msgid_plural=entry.msgid_plural, msgstr_plural=forms)


def _catalogue(entries: Iterable[polib.POEntry]) -> polib.POFile:
    made = polib.POFile(wrapwidth=0)
    made.metadata = {"Language": LOCALE, "Content-Type": "text/plain; charset=UTF-8", "Plural-Forms": _PLURALS}
    made.extend(entries)
    return made


def _own() -> Iterator[tuple[str, Path]]:
    """Yield domain and path of the catalogues of the house and the games, in every language that they have."""
    for app in own_apps():
        for path in sorted(Path(app.path).glob("locale/*/LC_MESSAGES/*.po")):
            is_game = isinstance(app, GameConfig) and path.stem == "django"
            yield (app.label if is_game else path.stem), path


def _of_libraries() -> Iterator[tuple[str, Path]]:
    """Yield domain and path of the catalogues of libraries; of some there are only the compiled ones."""
    own = {app.name for app in own_apps()}
    others = [app for app in apps.get_app_configs() if app.name not in own and not isinstance(app, GameConfig)]
    folders = [Path(django.__file__).parent / "conf" / "locale", *(_locale(app) for app in others)]
    for folder in folders:
        for code in _READ:
            for domain in ("django", "djangojs"):
                paths = [folder / code / "LC_MESSAGES" / f"{domain}.{kind}" for kind in ("po", "mo")]
                yield from ((domain, path) for path in paths if path.is_file())


def _locale(app: AppConfig) -> Path:
    return Path(app.path) / "locale"
