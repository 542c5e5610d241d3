"""Corrections of a language by a reader: a CSV file, each of its rows checked before it goes into a catalogue.

A reader may be a stranger: what a translation could break (placeholders, markup, quotation marks of attributes, signs
that nobody sees) is refused row by row. What is right is written; what is refused stays in the file, to be sent again.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polib

from games.management.translations import catalogs
from games.management.translations.places import Key, PlacedText

COLUMNS = ("catalogue", "context", "text", "form", "before", "translation")
"""The columns of a file, in the order in which the page writes them; a form is the number of a plural, else ""."""
LARGEST = 4_000_000
"""Bytes of a file: all texts of a language have less than a million."""
_DELIMITERS = ",;\t"
_FORMAT = re.compile(r"%\(\w+\)[sd]|%[sd]|%%")
_GAP = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w+\}|</?\w[^>]*>")
_STEERING = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
"""Signs that turn the direction of what follows."""


class CorrectionRefused(Exception):
    """A file that is none, or a row that does not come in: a code and a sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(f"{sentence} ({code})")
        self.code = code


@dataclass(frozen=True, slots=True)
class TextCorrection:
    """A row of a file, by its number: a text, the form, what stood there, and what shall stand there."""

    row: int
    key: Key
    form: str
    before: str
    translation: str


@dataclass
class TakenCorrections:
    """The end of a file: rows written, rows that change nothing; refusals and warnings by their row."""

    written: int = 0
    same: int = 0
    refused: list[str] = field(default_factory=list)
    warned: list[str] = field(default_factory=list)


def read(path: Path) -> list[TextCorrection]:
    """Return the rows of a file; raises CorrectionRefused, OSError."""
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise CorrectionRefused(
            "texts_large", f"{path} has more than {LARGEST // 1_000_000} MB: nobody corrects so much."
        )
    rows = _rows(_decoded(data))
    head = next(rows, [])
    if missing := [name for name in COLUMNS if name not in head]:
        raise CorrectionRefused(
            "texts_columns", f"{path} lacks the columns {', '.join(missing)}: take the file that the page saves."
        )
    return [_correction(number, dict(zip(head, row, strict=False))) for number, row in enumerate(rows, 2) if any(row)]


def _decoded(data: bytes) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with its mark; Excel writes both."""
    is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        return data.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError:
        raise CorrectionRefused(
            "texts_encoding", "The file is not in UTF-8: save it as “CSV UTF-8” in Excel."
        ) from None


def _rows(text: str) -> Iterator[list[str]]:
    """Yield the rows of a text, divided by what its first line is divided by; raises CorrectionRefused."""
    first, _end, rest = text.partition("\n")
    if first.strip().lower().startswith("sep="):
        text, first = rest, rest.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    except csv.Error as error:
        raise CorrectionRefused("texts_csv", f"The file is no CSV that can be read: {error}.") from None


def _correction(number: int, row: Mapping[str, str]) -> TextCorrection:
    said = {name: row.get(name, "").replace("\r\n", "\n") for name in COLUMNS}
    key = said["catalogue"], said["context"], said["text"]
    return TextCorrection(number, key, said["form"].strip(), said["before"], said["translation"])


class LanguageCatalogues:
    """The catalogues of a language, in which corrections are tried and written."""

    def __init__(self, language: str) -> None:
        self._files: dict[Path, polib.POFile] = {}
        self._entries: dict[Key, tuple[Path, polib.POEntry]] = {}
        for name, path in catalogs.of_language(language):
            self._files[path] = polib.pofile(str(path), wrapwidth=0)
            for entry in self._files[path]:
                if not entry.obsolete:
                    self._entries[name, entry.msgctxt or "", entry.msgid] = path, entry
        self._changed: set[Path] = set()

    def take(self, corrections: Iterable[TextCorrection], placed: Mapping[Key, PlacedText]) -> TakenCorrections:
        """Try each correction, and keep what is right for `write`."""
        outcome = TakenCorrections()
        taken: dict[tuple[Key, str], str] = {}
        for one in corrections:
            about = f"row {one.row}, “{one.key[2][:60]}”"
            try:
                if taken.setdefault((one.key, one.form), one.translation) != one.translation:
                    raise CorrectionRefused("texts_twice", "another row says something else for this text")
                is_new = self._try(one, placed.get(one.key), outcome.warned, about)
            except CorrectionRefused as refusal:
                outcome.refused.append(f"{about}: {refusal}")
                continue
            outcome.written += is_new
            outcome.same += not is_new
        return outcome

    def _try(self, one: TextCorrection, placed: PlacedText | None, warned: list[str], about: str) -> bool:
        """Put a correction into its entry; tell whether it changes it. Raises CorrectionRefused."""
        if one.key not in self._entries:
            raise CorrectionRefused("texts_unknown", "there is no such text")
        path, entry = self._entries[one.key]
        forms = {str(n): said for n, said in entry.msgstr_plural.items()} if entry.msgid_plural else {"": entry.msgstr}
        if one.form not in forms:
            raise CorrectionRefused(
                "texts_form", f"the form is one of {', '.join(forms) or 'none'}: not “{one.form[:20]}”"
            )
        now, source = forms[one.form], entry.msgid if one.form in ("", "0") else entry.msgid_plural
        said = _fitted(one.translation, source)
        if said == now:
            return False
        if not said.strip():
            raise CorrectionRefused("texts_empty", "the translation is empty")
        if _fitted(one.before, source) != now:
            raise CorrectionRefused("texts_changed", f"it says “{now[:80]}” by now: look at it again")
        _check(said, source)
        _put(entry, one.form, said)
        self._changed.add(path)
        if placed and placed.room and _letters(said) > max(placed.room, _letters(now)):
            warned.append(f"{about}: {_letters(said)} letters, and {placed.room} have room where it stands")
        return True

    def write(self) -> None:
        """Write the changed catalogues, each whole or not at all."""
        for path in sorted(self._changed):
            new = path.with_name(f"{path.name}.new")
            try:
                self._files[path].save(str(new))
                new.chmod(path.stat().st_mode)
                new.replace(path)
            finally:
                new.unlink(missing_ok=True)


def _put(entry: polib.POEntry, form: str, said: str) -> None:
    """Put a translation into an entry; raises CorrectionRefused for other placeholders, with the entry as it was."""
    tried = polib.POEntry(
        msgid=entry.msgid,
        msgid_plural=entry.msgid_plural,
        msgstr=entry.msgstr if form else said,
        # Forms that nobody has said yet do not speak against this one.
        msgstr_plural={n: text or said for n, text in entry.msgstr_plural.items()}
        | ({int(form): said} if form else {}),
    )
    if fault := catalogs.fault_of(tried):
        wanted = ", ".join(dict.fromkeys(_GAP.findall(entry.msgid_plural or entry.msgid))) or "none"
        raise CorrectionRefused("texts_placeholders", f"{fault}: {wanted} shall stand in it, as they are")
    if form:
        entry.msgstr_plural[int(form)] = said
    else:
        entry.msgstr = said
    entry.flags = [flag for flag in entry.flags if flag != "fuzzy"]
    entry.previous_msgid = entry.previous_msgid_plural = entry.previous_msgctxt = None


def _fitted(said: str, source: str) -> str:
    """Return a translation with the blanks and breaks of its source around it."""
    inner = source.strip()
    start = source.index(inner)
    return f"{source[:start]}{said.strip()}{source[start + len(inner) :]}" if said.strip() else ""


def _check(said: str, source: str) -> None:
    """Raise CorrectionRefused for what would break a page, or what nobody could see."""
    if any(_is_unseen(letter) for letter in said):
        raise CorrectionRefused("texts_unseen", "there are signs in it that nobody sees")
    rest = _FORMAT.sub("", said)
    signs = Counter(letter for letter in rest if letter in '<>"{}%`\\')
    allowed = Counter(letter for letter in _FORMAT.sub("", source) if letter in '<>"{}%`\\')
    if more := sorted(signs - allowed):
        raise CorrectionRefused(
            "texts_markup", f"{' '.join(more)} is more than in the text; quotation marks are those of the language"
        )
    if _tags(said) != _tags(source):
        raise CorrectionRefused("texts_markup", "the tags are not those of the text")


def _tags(text: str) -> Counter[str]:
    return Counter(re.findall(r"<[^>]*>?", text))


def _is_unseen(letter: str) -> bool:
    return letter in _STEERING or (letter != "\n" and unicodedata.category(letter) in ("Cc", "Cs", "Co", "Cn"))


def _letters(text: str) -> int:
    """Return how many letters a text has beside its placeholders and tags."""
    return len(_GAP.sub("", text))
