"""What is served of our modules says the same as the source, without its comments."""

from __future__ import annotations

import gzip
import posixpath
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.staticfiles.finders import get_finders
from django.core.files.base import File
from django.core.files.storage import FileSystemStorage
from django.test import Client
from django.utils import translation

from games import packing, plugin
from games.ops.static.storage import Storage, is_ours
from games.web.assets import catalogues, joined_modules
from games.web.assets.import_map import js_apps, needed_by, style_sheets
from tests.web.pages import browser_of

FOLDERS = [Path(apps.get_app_config(label).path, "static") for label in js_apps()]
MODULES = sorted(file for folder in FOLDERS for file in folder.rglob("*.js"))


def name_of(file: Path) -> str:
    """Return a module's name: "<app>/<file>.js" or "<app>/<folder>/<file>.js"."""
    return str(file).rsplit("/static/", 1)[1]


STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def _said(text: str) -> str:
    """Return what a text of a script says: with the characters that are written by their numbers, no backslashes."""
    return re.sub(r"\\(?:u([0-9a-f]{4}))?", lambda found: chr(int(found[1], 16)) if found[1] else "", text)


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_a_module_keeps_its_texts_and_loses_its_comments(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    served = packing.short_module(source)
    assert "@param" not in served and "// @ts-check" not in served
    without_comments = re.sub(r"/\*.*?\*/|(?<![:\"'`\w])//[^\n]*", "", source, flags=re.S)
    texts = [_said(text[1:-1]) for text in STRINGS.findall(without_comments) if "${" not in text]
    assert [text for text in texts if text not in _said(served)] == []
    assert len(served) < len(source)


def test_served_modules_name_each_other_by_addresses_that_are_there(kept: tuple[Storage, Path]) -> None:
    """Browsers without import maps find them; no name is left that needs one."""
    _, folder = kept
    for name in [*map(name_of, MODULES), *(join.name for join in joined_modules.all_joins())]:
        text = (folder / name).read_text(encoding="utf-8")
        for address in re.findall(r'(?:\bfrom ?|\bimport(?: |\()?)"([^"]+)"', text):
            assert address.startswith("."), (name, address)
            assert (folder / name).parent.joinpath(address).is_file(), (name, address)


def test_all_modules_have_one_hash_that_changes_with_each_of_them(
    kept: tuple[Storage, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    storage, _ = kept
    marks = {storage.stored_name(name).split(".")[-2] for name in map(name_of, MODULES)}
    assert marks == {storage.modules_hash}
    source_of = joined_modules.source_of
    more = "\nexport const more = 1;"
    monkeypatch.setattr(
        joined_modules, "source_of", lambda name: source_of(name) + (more if name == "chicago/table.js" else "")
    )
    assert storage_in(tmp_path).modules_hash != storage.modules_hash


def storage_in(folder: Path) -> Storage:
    """Return a storage of a folder with the typefaces, which the style sheet of every page names."""
    storage = Storage(location=str(folder), base_url="/static/")
    for file in (Path(apps.get_app_config("games").path) / "static/games/fonts").glob("*.woff2"):
        with file.open("rb") as source:
            storage.save(f"games/fonts/{file.name}", File(source))
    return storage


@pytest.fixture(scope="module", params=["minified", "plain"])
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Storage, Path]]:
    """All modules as they are kept for serving, and the folder; also where the minifier has no wheel."""
    folder = tmp_path_factory.mktemp("static")
    with pytest.MonkeyPatch.context() as patched:
        if request.param == "plain":
            patched.setattr(packing, "minifier", lambda: None)
        storage = _stored(folder)
    yield storage, folder


def _stored(folder: Path) -> Storage:
    storage = storage_in(folder)
    found = {}
    for file in MODULES:
        name = name_of(file)
        with file.open("rb") as source:
            storage.save(name, File(source))
        found[name] = (FileSystemStorage(str(file).removesuffix(name)), name)
    failed = [str(error) for *_, error in storage.post_process(found) if isinstance(error, Exception)]
    assert failed == []
    return storage


def test_without_the_minifier_the_same_modules_are_made_with_more_blanks(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS on ARM, which has no wheel of it."""
    labels = ["games", *plugin.all_games()]
    sources = {name: joined_modules.source_of(name) for label in labels for name in joined_modules.modules_of(label)}
    assert len(sources) > 100
    for name, text in sources.items():
        assert packing.short_module(packing.short_script(text)) == packing.short_module(text), name
    monkeypatch.setattr(packing, "minifier", lambda: None)
    assert packing.short_module("a = '/* x */'; // y\n  /* z\n */ b = /[/*]\"/;\n") == "a = '/* x */'; \n b = /[/*]\"/;"


def test_what_is_kept_under_its_own_name_is_kept_with_its_hash(kept: tuple[Storage, Path]) -> None:
    storage, folder = kept
    for name in [*map(name_of, MODULES), *(join.name for join in joined_modules.all_joins())]:
        assert (folder / storage.stored_name(name)).read_bytes() == (folder / name).read_bytes(), name


def test_what_is_served_of_ours_is_packed_smaller_than_zlib_does_and_the_same(kept: tuple[Storage, Path]) -> None:
    storage, folder = kept
    for join in joined_modules.joins():
        name = storage.stored_name(join.name)
        content, served = (folder / name).read_bytes(), (folder / f"{name}.gz").read_bytes()
        assert gzip.decompress(served) == content
        assert len(served) < len(gzip.compress(content, 9)), name


def test_a_join_holds_each_of_its_modules_after_those_that_it_needs() -> None:
    before: list[str] = []
    for join in joined_modules.joins():
        for name in join.modules:
            assert name not in before
            assert set(joined_modules.imports_of(joined_modules.source_of(name))) <= set(before), name
            before.append(name)
    for game in plugin.all_games().values():
        assert game.script in before or not game.has_element


def test_no_module_that_a_join_holds_is_imported_from_its_own_file(kept: tuple[Storage, Path]) -> None:
    """Or there would be two of it."""
    _, folder = kept
    outside = [name for name in map(name_of, MODULES) if joined_modules.join_of(name) == name]
    for name in [*outside, *(join.name for join in joined_modules.all_joins())]:
        addresses = re.findall(r'from ?"([^"]+)"', (folder / name).read_text(encoding="utf-8"))
        files = [(folder / name).parent.joinpath(address).resolve() for address in addresses]
        imported = {re.sub(r"\.\w+(?=\.js$)", "", str(file.relative_to(folder.resolve()))) for file in files}
        assert all(joined_modules.join_of(other) == other for other in imported), (name, imported)
    assert "games/shell/table.js" in outside, "it acts as it is loaded"


def test_what_is_imported_later_is_one_file_with_all_that_nothing_else_needs() -> None:
    late = {join.name: join for join in joined_modules.late_joins()}
    held = [name for join in joined_modules.all_joins() for name in join.modules]
    assert len(held) == len(set(held)), "each module exists once"
    dice = late["games/shell/dice/dice.js"]
    assert dice.roots == ("games/shell/dice/dice.js",)
    assert {"games/dice/device.js", "games/dice/chains.js", "games/shell/dice/log.js"} < set(dice.modules)
    wood = late["chouette/dock/wood_decisions.js"]
    assert wood.roots == ("chouette/dock/wood_decisions.js", "chouette/wood/picture.js"), "they are fetched together"
    assert set(wood.roots) < set(wood.modules)
    result = late["chouette/dock/results.js"]
    assert "chouette/words/outcome.js" in result.modules, "the first card of a result waits for one file alone"
    for join in late.values():
        before: set[str] = set()
        for name in join.modules:
            needed = joined_modules.imports_of(joined_modules.source_of(name))
            assert {each for each in needed if each in join.modules} <= before, name
            before.add(name)


def test_a_file_of_what_is_imported_later_exports_all_that_is_imported_from_it_by_name(
    kept: tuple[Storage, Path],
) -> None:
    _, folder = kept
    for join in joined_modules.late_joins():
        text = (folder / join.name).read_text(encoding="utf-8")
        exported = set(re.findall(r"\bexport (?:(?:async )?function|class|const) (\w+)", text))
        assert exported >= {export for root in join.roots for export in joined_modules.exports_of(root)}, join.name


def joined(monkeypatch: pytest.MonkeyPatch, **sources: str) -> str:
    """Return the join of modules "games/<name>.js" with these sources, without blanks beside marks."""
    names = {f"games/{name}.js": source for name, source in sources.items()}
    monkeypatch.setattr(joined_modules, "source_of", names.__getitem__)
    monkeypatch.setattr(joined_modules, "join_of", lambda name: "games/joined.js" if "far" in name else name)
    inside = tuple(name for name in names if "far" not in name)
    text = joined_modules.text_of(joined_modules.JoinedFile(inside[0], inside))
    return re.sub(r"\s*([{}()=>,;+])\s*", r"\1", text)


def test_two_modules_of_one_file_may_not_export_or_import_different_things_by_one_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(joined_modules.NotJoinable, match="two modules have \\['a'\\]"):
        joined(monkeypatch, x="export const a = 1;", y="export const a = 2;")
    with pytest.raises(joined_modules.NotJoinable, match="two modules have \\['a'\\]"):
        joined(monkeypatch, x="export const a = 1;", y='import { a } from "games/far.js";', far="export const a = 2;")


def test_modules_of_one_file_share_a_scope_and_import_each_thing_once(monkeypatch: pytest.MonkeyPatch) -> None:
    use = 'import { a } from "games/far.js";\n'
    text = joined(
        monkeypatch,
        far="export const a = 1;",
        x=f"{use}export function b() {{ return a; }}",
        y=f'{use}import {{ b }} from "games/x.js";\nb(a);',
    )
    assert text == 'import{a}from "games/joined.js";export function b(){return a;}b(a);'


@pytest.mark.parametrize(
    "own",
    [
        "const a = 2;",
        "let b = 1, a = 2;",
        "let b = 1,\n  a = 2;",
        "const { b, a } = Math;",
        "const { b: a } = Math;",
        "const [a] = [2];",
        "function a() {}",
        "async function a() {}",
        "class a {}",
    ],
)
def test_what_a_module_has_for_itself_is_not_what_another_module_has_by_that_name(
    monkeypatch: pytest.MonkeyPatch, own: str
) -> None:
    """Of two that have it for themselves the second is a function, and one beside which another exports it."""
    for x in ("const a = 1;", "export const a = 1;"):
        text = joined(monkeypatch, x=x, y=f"{own}\nexport const c = 3;")
        assert text.startswith(f"{x.replace(' = ', '=')}export const{{c}}=(()=>{{"), text
        assert text.endswith("const c=3;return{c};})();"), text


def test_a_module_may_import_by_another_name_what_it_has_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    source = 'import { a as b } from "games/far.js";\nconst a = 2;\nexport const c = a + b;'
    assert joined(monkeypatch, far="export const a = 1;", x=source) == (
        'import{a}from "games/joined.js";export const{c}=((b)=>{const a=2;const c=a+b;return{c};})(a);'
    )


def test_what_is_imported_later_is_imported_from_the_file_that_holds_it() -> None:
    for join in joined_modules.late_joins():
        for root in join.roots:
            text = joined_modules.addressed(f'import("{root}")', "games/x.js", "1f2e")
            assert text == f'import("{posixpath.relpath(join.name, "games").removesuffix(".js")}.1f2e.js")'.replace(
                '("', '("./' if join.name.startswith("games/") else '("'
            )


def test_the_address_of_a_module_is_relative_and_a_text_like_it_stays() -> None:
    text = 'import{a}from "games/fa.js";say("games/fa.js",`from"x/y.js"`);import("chicago/table.js");import"games/b.js"'
    assert joined_modules.addressed(text, "games/pages/x.js", "1f2e") == (
        'import{a}from "../fa.1f2e.js";say("games/fa.js",`from"x/y.js"`);import("../../chicago/joined.1f2e.js");'
        'import"../b.1f2e.js"'
    )


def test_a_module_that_cannot_be_joined_is_told_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined_modules, "source_of", lambda _name: "export default 1;")
    join = joined_modules.JoinedFile("games/joined.js", ("games/x.js",))
    with pytest.raises(joined_modules.NotJoinable, match=r"games/x\.js: export default"):
        joined_modules.text_of(join)
    monkeypatch.setattr(joined_modules, "source_of", lambda _name: 'import { b } from "games/x.js";')
    with pytest.raises(joined_modules.NotJoinable, match="no declaration exports"):
        joined_modules.text_of(join)


@pytest.mark.parametrize("game", plugin.all_games().values(), ids=lambda game: game.game_id)
def test_a_table_is_seen_after_at_most_60_kb_of_our_javascript(game: plugin.GameConfig) -> None:
    """Gzipped, as it is served; what the page asks for later, when it is opened, is not in it."""
    house, *games = joined_modules.joins()
    own = next((join for join in games if join.name.startswith(f"{game.game_id}/")), house)
    texts = {joined_modules.text_of(join) for join in (house, own)}
    texts.add(joined_modules.beside_joins(joined_modules.source_of("games/shell/table.js")))
    total = sum(len(gzip.compress(packing.short_module(text).encode(), 6)) for text in texts)
    assert total <= 60_000


def test_what_others_bring_is_left_alone() -> None:
    assert is_ours("games/shell/table.js") and is_ours("chicago/felt/board.js")
    assert not is_ours("admin/js/core.js") and not is_ours("django_htmx/htmx.js")


def test_a_page_fetches_what_its_modules_need_and_nothing_that_can_wait() -> None:
    found = needed_by("games/shell/table.js", "chouette/table.js")
    assert {"games/kit/page/dom.js", "games/shell/connection/socket.js", "chouette/board/board.js"} <= set(found)
    assert len(found) == len(set(found))
    assert not any("page_" in name for name in found)
    assert "chouette/dock/more.js" not in found, "it is loaded when it is opened"


def test_a_table_takes_no_styles_of_its_games_rules_or_of_big_screens() -> None:
    assert joined_modules.big_screen_sheets("chouette") == ("chouette/tv.css",)
    assert joined_modules.big_screen_sheets("chicago") == ("chicago/tv.css",)
    for game in plugin.all_games():
        names = style_sheets(game)
        assert names[0] == "games/table.css" and len(names) > 1
        assert [name for name in names if "/pages/" in name or name.endswith("/tv.css")] == []


@pytest.mark.django_db
def test_the_waiting_room_fetches_meanwhile_what_the_table_needs(open_table, host) -> None:
    for game in plugin.all_games().values():
        table = open_table(game.game_id)
        page = browser_of(host).get(f"/table/{table.public_id}/").content.decode()
        fetched = re.findall(r'<link rel="prefetch" href="/static/([^"]+)">', page)
        needed = needed_by("games/shell/table.js", game.script)
        texts = re.findall(r'<link rel="prefetch" href="(/jsi18n/[^"]+)">', page)
        assert set(fetched) == {*needed, *style_sheets(game.game_id)}
        assert texts == [catalogues.address(game.game_id, catalogues.TABLE)]


@pytest.mark.django_db
def test_a_tables_texts_are_kept_and_leave_out_what_only_other_pages_show(client: Client) -> None:
    parts = (catalogues.ALL, catalogues.TABLE, catalogues.LATER)
    with translation.override("de"):
        addresses = [catalogues.address("chouette", part) for part in parts]
    answers = [client.get(address) for address in addresses]
    assert all("immutable" in answer.headers["Cache-Control"] for answer in answers)
    whole, of_table, of_later = (answer.content.decode() for answer in answers)
    editor, place, button = "What a tap does", "Your bar", "Take all"
    assert all(text in whole for text in (editor, place, button))
    assert editor not in of_table + of_later
    assert place in of_table and place not in of_later
    assert button in of_later and button not in of_table


def test_a_house_keeps_no_source_maps_and_nothing_that_no_page_asks_for(tmp_path: Path) -> None:
    """They were three fifths of each data folder."""
    left_out = apps.get_app_config("staticfiles").ignore_patterns
    collected = [name for finder in get_finders() for name, _ in finder.list(left_out)]
    assert "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js" in collected
    assert [name for name in collected if name.endswith(".map") or "redoc" in name] == []


@pytest.mark.parametrize(
    ("name", "line"), [("x/y.js", b"//# sourceMappingURL=y.js.map"), ("x/y.css", b"/*# sourceMappingURL=y.css.map */")]
)
def test_what_others_bring_names_no_source_map(tmp_path: Path, name: str, line: bytes) -> None:
    """Or browsers with open tools ask for it, and the house looks for it while collecting."""
    storage = storage_in(tmp_path)
    storage.save(name, File(BytesIO(b"a;\n" + line + b"\n")))
    assert [each for *_, each in storage.post_process({name: (storage, name)}) if isinstance(each, Exception)] == []
    for path in (tmp_path / "x").glob("*.[jc]s*"):
        if path.suffix != ".gz":
            assert path.read_bytes().strip() == b"a;"
