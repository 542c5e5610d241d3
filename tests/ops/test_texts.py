"""`manage.py texts`: the page for whoever reads a language, and the file of corrections that comes back."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polib
import pytest
from django.core.management import CommandError, call_command
from django.utils.translation import override

from games.management.commands import texts
from games.management.translations import catalogs, corrections, places, reading_page
from games.management.translations.places import PlacedText, ScreenShot, TextPlace, TextPlaces

CATALOGUE = r"""
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

msgid "Roll"
msgstr "Würfeln"

msgctxt "dice"
msgid "Roll"
msgstr "Wurf"

msgid "%(name)s pays the round"
msgstr "%(name)s zahlt die Runde"

msgid "Read <a href=\"%(url)s\">the rules</a>"
msgstr "Lies <a href=\"%(url)s\">die Regeln</a>"

msgid "%(count)s game"
msgid_plural "%(count)s games"
msgstr[0] "%(count)s Spiel"
msgstr[1] "%(count)s Spiele"

msgid "\n  50% of <b>all</b>\n"
msgstr "\n  50 % von <b>allen</b>\n"

msgid "Not yet"
msgstr ""
"""
PAYS, PLURAL, RULES = "%(name)s pays the round", "%(count)s game", 'Read <a href="%(url)s">the rules</a>'
SHOTS = (ScreenShot("guest: night", "phone", 390, 844), ScreenShot("chicago classic 6: a throw", "TV", 1920, 1080))
PLACES = TextPlaces(
    SHOTS,
    {
        ("games/django", "", "Roll"): PlacedText(9, (TextPlace(1, (10, 20, 80, 44)), TextPlace(0, None))),
        ("games/django", "", PAYS): PlacedText(0, (TextPlace(0, (10, 300, 200, 20)),)),
        ("games/django", "", "50%"): PlacedText(0, (TextPlace(0, None),)),
    },
)
Row = tuple[str, str, str, str, str]
"""Context, text, form, what stood there, what shall."""


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalogue of a few texts, which is the only one."""
    path = tmp_path / "django.po"
    path.write_text(CATALOGUE.lstrip(), encoding="utf-8")
    monkeypatch.setattr(catalogs, "of_language", lambda _language: [("games/django", path)])
    monkeypatch.setattr(catalogs, "compile_changed", list)
    places.write(PLACES, tmp_path / "places.json")
    read = places.read
    monkeypatch.setattr(places, "read", lambda: read(tmp_path / "places.json"))
    return path


def file_of(*rows: Row, delimiter: str = ",") -> str:
    """Return a file of corrections as the page saves it."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(corrections.COLUMNS)
    writer.writerows(("games/django", *row) for row in rows)
    return text.getvalue()


@pytest.fixture
def send(german: Path, tmp_path: Path) -> Callable[..., str]:
    """Sends a file of corrections: returns what is said, also of a refusal."""

    def sent(given: str | bytes) -> str:
        path = tmp_path / "corrections.csv"
        path.write_bytes(given if isinstance(given, bytes) else b"\xef\xbb\xbf" + given.encode())
        told = io.StringIO()
        try:
            call_command("texts", language="de", corrections=path, stdout=told)
        except CommandError as refusal:
            told.write(str(refusal))
        return told.getvalue()

    return sent


def said(path: Path, text: str, context: str | None = None) -> Any:
    """Return what a catalogue says for a text."""
    entry = polib.pofile(str(path)).find(text, msgctxt=context or False)
    assert entry is not None
    return entry.msgstr_plural or entry.msgstr


def test_a_correction_comes_into_the_catalogue_and_nothing_else_changes(german: Path, send) -> None:
    before = polib.pofile(str(german))
    told = send(file_of(("", "Roll", "", "Würfeln", "Wirf!")))
    assert "1 corrected, 0 as before, 0 refused" in told
    assert said(german, "Roll") == "Wirf!"
    assert said(german, "Roll", "dice") == "Wurf"
    before.find("Roll", msgctxt=False).msgstr = "Wirf!"
    assert str(polib.pofile(str(german))) == str(before)


def test_the_same_file_sent_again_changes_nothing(german: Path, send) -> None:
    file = file_of(("", "Roll", "", "Würfeln", "Wirf!"), ("", "Not yet", "", "", "Noch nicht"))
    assert "2 corrected" in send(file)
    once = german.read_bytes()
    assert "0 corrected, 2 as before" in send(file)
    assert german.read_bytes() == once


def test_a_plural_is_corrected_form_by_form(german: Path, send) -> None:
    send(
        file_of(
            ("", PLURAL, "1", "%(count)s Spiele", "%(count)s Partien"), ("", PLURAL, "0", "%(count)s Spiel", "Eine")
        )
    )
    assert said(german, PLURAL) == {0: "Eine", 1: "%(count)s Partien"}


REFUSED: dict[str, tuple[Row, str]] = {
    "a placeholder is missing": (("", PAYS, "", "%(name)s zahlt die Runde", "Jemand zahlt"), "texts_placeholders"),
    "a placeholder is another": (("", PAYS, "", "%(name)s zahlt die Runde", "%(nom)s zahlt"), "texts_placeholders"),
    "a sign of a format stands alone": (("", PAYS, "", "%(name)s zahlt die Runde", "%(name)s: 50 %"), "texts_markup"),
    "the plural says no number": (("", PLURAL, "1", "%(count)s Spiele", "Spiele"), "texts_placeholders"),
    "a form that there is not": (("", PLURAL, "7", "", "%(count)s Spiele"), "texts_form"),
    "a form of a text without plural": (("", "Roll", "0", "Würfeln", "Wirf"), "texts_form"),
    "a text that there is not": (("", "Rolls", "", "", "Wirft"), "texts_unknown"),
    "the header of the catalogue": (("", "", "", "", "Plural-Forms: nplurals=9"), "texts_unknown"),
    "another context": (("board", "Roll", "", "Würfeln", "Wirf"), "texts_unknown"),
    "a script": (("", "Roll", "", "Würfeln", "<script>alert(1)</script>"), "texts_markup"),
    "a tag without an end": (("", "Roll", "", "Würfeln", "Wirf <img src=x onerror=alert(1) "), "texts_markup"),
    "an attribute": (("", "Roll", "", "Würfeln", 'Wirf" onmouseover="alert(1)'), "texts_markup"),
    "another address": (
        ("", RULES, "", 'Lies <a href="%(url)s">die Regeln</a>', 'Lies <a href="//x.example/%(url)s">die Regeln</a>'),
        "texts_markup",
    ),
    "a comment": (("", "Roll", "", "Würfeln", "Wirf <!-- -->"), "texts_markup"),
    "a code of a template": (("", "Roll", "", "Würfeln", "{{ house }}"), "texts_markup"),
    "signs that turn the direction": (("", "Roll", "", "Würfeln", "Wirf\N{RIGHT-TO-LEFT OVERRIDE}!"), "texts_unseen"),
    "a sign of a terminal": (("", "Roll", "", "Würfeln", "Wirf\x1b[2J"), "texts_unseen"),
    "nothing": (("", "Roll", "", "Würfeln", "  "), "texts_empty"),
    "what has been changed meanwhile": (("", "Roll", "", "Werfen", "Wirf"), "texts_changed"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_break_a_page_is_refused_with_its_row_and_what_is_right_beside_it_comes_in(
    german: Path, send, name: str
) -> None:
    row, code = REFUSED[name]
    told = send(file_of(("dice", "Roll", "", "Wurf", "Würfe"), row))
    assert f"({code})" in told
    assert "row 3" in told
    assert "1 corrected, 0 as before, 1 refused" in told
    assert said(german, "Roll", "dice") == "Würfe"
    german.write_text(german.read_text(encoding="utf-8").replace('Würfe"', 'Wurf"', 1), encoding="utf-8")
    kept = polib.pofile(str(german))
    assert [(e.msgid, e.msgstr, e.msgstr_plural) for e in kept] == [
        (e.msgid, e.msgstr, e.msgstr_plural) for e in polib.pofile(CATALOGUE.lstrip())
    ]


def test_two_rows_that_say_different_things_of_one_text_are_told(german: Path, send) -> None:
    told = send(file_of(("", "Roll", "", "Würfeln", "Wirf"), ("", "Roll", "", "Würfeln", "Werfen")))
    assert "texts_twice" in told
    assert said(german, "Roll") == "Wirf"


def test_what_is_longer_than_its_room_comes_in_with_a_warning(german: Path, send) -> None:
    told = send(file_of(("", "Roll", "", "Würfeln", "Wirf jetzt die Würfel")))
    assert "longer than its room: row 2" in told
    assert said(german, "Roll") == "Wirf jetzt die Würfel"
    assert "longer" not in send(file_of(("", "Roll", "", "Wirf jetzt die Würfel", "Wirf jetzt alle")))


def test_blanks_and_breaks_around_a_text_stay_as_the_source_has_them(german: Path, send) -> None:
    text = "\n  50% of <b>all</b>\n"
    send(file_of(("", text, "", "\n  50 % von <b>allen</b>\n", "50 % der <b>Leute</b>")))
    assert said(german, text) == "\n  50 % der <b>Leute</b>\n"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_comes_in_as_spreadsheets_write_it(german: Path, send, delimiter: str, encoding: str) -> None:
    file = file_of(("", PAYS, "", "%(name)s zahlt die Runde", "%(name)s zahlt, für alle; jetzt"), delimiter=delimiter)
    assert "1 corrected" in send(file.encode(encoding))
    assert said(german, PAYS) == "%(name)s zahlt, für alle; jetzt"


def test_a_line_that_names_the_delimiter_is_read_over(german: Path, send) -> None:
    assert "1 corrected" in send("sep=;\r\n" + file_of(("", "Roll", "", "Würfeln", "Wirf"), delimiter=";"))


ROW = ("", "Roll", "", "Würfeln", "Wirf")
FILES: dict[str, tuple[bytes, str]] = {
    "another encoding": (file_of(ROW).encode("cp1252"), "texts_encoding"),
    "half of UTF-16": (b"\xff\xfe" + file_of(ROW).encode("utf-16-le")[:-1], "texts_encoding"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "texts_encoding"),
    "nothing": (b"", "texts_columns"),
    "another table": (b"name,points\nAnna,3\n", "texts_columns"),
    "a quotation mark without end": (file_of(ROW).encode() + b'games/django,"', "texts_csv"),
    "a cell without end": (file_of(ROW).encode() + b"x" * 200_000, "texts_csv"),
    "far too much": (file_of(ROW).encode() * 60_000, "texts_large"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_none_is_refused_and_nothing_is_touched(german: Path, send, name: str) -> None:
    data, code = FILES[name]
    before = german.read_bytes()
    assert f"({code})" in send(data)
    assert german.read_bytes() == before


def test_a_language_that_there_is_not_and_an_installed_house_are_refused(
    german: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CommandError, match="texts_language"):
        call_command("texts", language="../de")
    monkeypatch.setattr(texts, "IS_INSTALLED", True)
    with pytest.raises(CommandError, match=r"^An installed house .*\(texts_installed\)$"):
        call_command("texts", language="de")


def test_places_that_cannot_be_read_are_told(german: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> TextPlaces:
        return TextPlaces(**json.loads('{"shots": []}'))

    monkeypatch.setattr(places, "read", broken)
    with pytest.raises(CommandError, match="texts_places"):
        call_command("texts", language="de")


def test_places_are_read_as_they_were_written(tmp_path: Path) -> None:
    places.write(PLACES, tmp_path / "places.json")
    assert places.read(tmp_path / "places.json") == PLACES


class _Page(HTMLParser):
    """Collects the rows of a page, the sections' titles, and whatever it would load."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[dict[str, str | None]] = []
        self.loaded: list[str] = []
        self.tags: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what is looked at."""
        given = dict(attrs)
        self.tags.append(tag)
        if "data-catalogue" in given:
            self.rows.append(given)
        self.loaded += [value for name in ("src", "href") if (value := given.get(name)) and value[0] != "#"]


def page(tmp_path: Path) -> _Page:
    """Return the page that the command writes, without pictures."""
    to = tmp_path / "texts.html"
    call_command("texts", language="de", to=to, without_pictures=True, stdout=io.StringIO())
    return _Page(to.read_text(encoding="utf-8"))


def test_the_page_has_every_text_once_in_the_order_of_the_screens_and_loads_nothing(
    german: Path, tmp_path: Path
) -> None:
    shown = page(tmp_path)
    keys = [(row["data-context"], row["data-text"], row["data-form"]) for row in shown.rows]
    assert keys[:2] == [("", PAYS, ""), ("", "Roll", "")]
    assert len(keys) == len(set(keys))
    forms = [("", 1) if not entry.msgid_plural else (entry.msgid, 2) for entry in polib.pofile(str(german))]
    assert len(keys) == sum(count for _text, count in forms)
    assert shown.loaded == []


def test_a_text_of_html_is_shown_as_it_is_written(german: Path, tmp_path: Path) -> None:
    book = polib.pofile(str(german))
    book.find("Roll", msgctxt=False).msgstr = "</textarea><script>alert(1)</script><iframe>"
    book.save(str(german))
    shown = page(tmp_path)
    assert shown.tags.count("script") == 1
    assert "iframe" not in shown.tags


def test_what_the_page_says_stood_there_comes_back_as_it_stands_in_the_catalogue(
    german: Path, tmp_path: Path, send
) -> None:
    """A file with all rows of the page, each a little changed, comes in whole."""
    rows = [row for row in page(tmp_path).rows if row["data-before"]]
    sent = [
        (*(row[f"data-{name}"] or "" for name in ("context", "text", "form", "before")), f"{row['data-before']}!")
        for row in rows
    ]
    assert f"{len(rows)} corrected, 0 as before, 0 refused" in send(file_of(*sent))


def test_a_page_has_its_pictures_with_the_boxes_of_its_texts(german: Path, tmp_path: Path) -> None:
    (tmp_path / "0.webp").write_bytes(b"RIFF")
    boxes = [["games/django", "", "Roll", [192, 108, 96, 54]]]
    (tmp_path / "pictures.json").write_text(json.dumps([[SHOTS[1].name, "TV", "0.webp", 1920, 1080, boxes]]))
    with override("en"):
        drawn = reading_page.read_pictures(tmp_path)
        counted = reading_page.write(tmp_path / "texts.html", "de", PLACES, drawn, "")
    html = (tmp_path / "texts.html").read_text(encoding="utf-8")
    assert counted == (7, 2)
    assert "data:image/webp;base64,UklGRg==" in html
    assert "left: 10.00%; top: 10.00%; width: 5.00%; height: 5.00%" in html
