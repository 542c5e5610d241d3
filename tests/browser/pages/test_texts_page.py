"""A native reader's evening: the page of a language's texts on a narrow screen, and the file that comes back."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.core.management import CommandError, call_command
from playwright.sync_api import Browser, Locator, Page, expect

from games.management.translations import catalogs
from tests.browser import whole
from tests.browser.people import close_context

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture
def french(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Path]]:
    """The French catalogues, as copies that may be changed."""
    copies = []
    for number, (name, path) in enumerate(catalogs.of_language("fr")):
        copies.append((name, Path(shutil.copy(path, tmp_path / f"{number}.po"))))
    monkeypatch.setattr(catalogs, "of_language", lambda _language: copies)
    monkeypatch.setattr(catalogs, "compile_changed", list)
    return copies


@pytest.fixture
def page(chrome: Browser, french: list[tuple[str, Path]], tmp_path: Path) -> Iterator[Page]:
    """The page on a small phone."""
    to = tmp_path / "texts.html"
    call_command("texts", language="fr", to=to, without_pictures=True, stdout=io.StringIO())
    context = chrome.new_context(viewport={"width": 360, "height": 640})
    shown = context.new_page()
    shown.goto(to.as_uri())
    yield shown
    close_context(context)


def field(page: Page, row: str) -> Locator:
    """Return the field of the first row that is meant."""
    return page.locator(f".row{row} textarea").first


def taken(path: Path) -> str:
    """Return what the command says about a file of corrections, and about one that it refuses."""
    told = io.StringIO()
    try:
        call_command("texts", language="fr", corrections=path, stdout=told)
    except CommandError as refusal:
        told.write(str(refusal))
    return told.getvalue()


def test_corrections_are_made_on_the_page_saved_from_wherever_one_reads_and_taken_in(
    page: Page, french: list[tuple[str, Path]], tmp_path: Path
) -> None:
    assert whole.overflow(page) <= 0
    leader = page.locator(".row[data-leader]").first.get_attribute("data-leader")
    first, twin = (field(page, f"[data-{name}='{leader}']") for name in ("number", "leader"))
    first.fill("Tout autre chose")
    expect(twin).to_have_value("Tout autre chose")
    twin.fill("Encore autre chose")
    expect(first).to_have_value("Tout autre chose")
    others = page.locator(f".row[data-leader='{leader}']").count() - 1
    gap, roomy = field(page, "[data-text*='%(name)s']"), page.locator(".row", has_text="letters have room").nth(3)
    gap.fill("Rien de tel ici")
    roomy.locator("textarea").fill("Un texte qui ne tient nulle part, sur aucun écran de la maison et du monde")
    page.locator(".row").last.scroll_into_view_if_needed()
    save = page.get_by_role("button", name=f"Save {4 + others} corrections")
    with page.expect_download() as saved:
        save.click()
    saved.value.save_as(tmp_path / "back.csv")
    told = taken(tmp_path / "back.csv")
    assert f"{3 + others} corrected, 0 as before, 1 refused" in told
    assert "longer than its room" in told
    assert "(texts_placeholders)" in told
    said = [entry.msgstr for _name, path in french for entry in polib.pofile(str(path))]
    assert said.count("Tout autre chose") == 1 + others
    assert "Rien de tel ici" not in said
