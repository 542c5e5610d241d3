"""What is served of our modules says the same as the source, without its comments."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.apps import apps
from django.core.files.base import File

from games import plugin
from games.ops.static_storage import Storage, is_ours, minified
from games.web.import_map import js_apps, needed_by, style_sheets
from tests.web.pages import browser_of

MODULES = sorted(file for label in js_apps() for file in Path(apps.get_app_config(label).path).rglob("*.js"))


def name_of(file: Path) -> str:
    """Return a module's name: "<app>/<file>.js" or "<app>/<folder>/<file>.js"."""
    return str(file).rsplit("/static/", 1)[1]


STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"')


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_a_module_keeps_its_texts_and_loses_its_comments(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    served = minified(source.encode()).decode()
    assert "@param" not in served and "// @ts-check" not in served
    without_comments = re.sub(r"/\*.*?\*/|(?<![:\"'`\w])//[^\n]*", "", source, flags=re.S)
    assert STRINGS.findall(served) == STRINGS.findall(without_comments)
    assert len(served) < len(source)


def test_every_module_is_kept_whole_under_its_own_name_and_the_one_with_its_hash(
    tmp_path: Path,
) -> None:
    storage = Storage(location=str(tmp_path), base_url="/static/")
    found = {}
    for file in MODULES:
        name = name_of(file)
        with file.open("rb") as source:
            storage.save(name, File(source))
        found[name] = (storage, name)
    failed = [str(error) for *_, error in storage.post_process(found) if isinstance(error, Exception)]
    assert failed == []
    for file in MODULES:
        name = name_of(file)
        served = (tmp_path / storage.stored_name(name)).read_bytes()
        assert served == (tmp_path / name).read_bytes() == minified(file.read_bytes()), name


@pytest.mark.parametrize("game", plugin.all_games().values(), ids=lambda game: game.game_id)
def test_a_table_is_seen_after_at_most_60_kb_of_our_javascript(game: plugin.GameConfig) -> None:
    """Gzipped, as it is served; what the page asks for later, when it is opened, is not in it."""
    total = 0
    for name in needed_by("games/shell/table.js", game.script):
        label = name.split("/")[0]
        source = Path(apps.get_app_config(label).path) / "static" / name
        total += len(gzip.compress(minified(source.read_bytes()), 6))
    assert total <= 60_000


def test_what_others_bring_is_left_alone() -> None:
    assert is_ours("games/shell/table.js") and is_ours("chicago/board.js")
    assert not is_ours("admin/js/core.js") and not is_ours("django_htmx/htmx.js")


def test_a_page_fetches_what_its_modules_need_and_nothing_that_can_wait() -> None:
    found = needed_by("games/shell/table.js", "chouette/table.js")
    assert {"games/kit/dom.js", "games/shell/socket.js", "chouette/board/board.js"} <= set(found)
    assert len(found) == len(set(found))
    assert not any("page_" in name for name in found)
    assert "chouette/dock/more.js" not in found, "it is loaded when it is opened"


@pytest.mark.django_db
def test_the_waiting_room_fetches_meanwhile_what_the_table_needs(open_table, host) -> None:
    for game in plugin.all_games().values():
        table = open_table(game.game_id)
        page = browser_of(host).get(f"/table/{table.public_id}/").content.decode()
        fetched = re.findall(r'<link rel="prefetch" href="/static/([^"]+)">', page)
        needed = needed_by("games/shell/table.js", game.script)
        assert set(fetched) == {*needed, "games/table.css", *style_sheets(game.game_id)}
