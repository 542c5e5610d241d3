"""Promises that every page keeps: no inline code, one heading, labels, languages, errors."""

import gzip
import json
import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.test import Client, override_settings
from django.urls import path, reverse
from django.utils.translation import override

from games import plugin
from games.models import Night
from games.services.commands import Actor, Request, new_command_id
from games.services.hosting import device_transfer
from games.services.nights import membership
from games.services.people import players
from games.services.tables.commit import submit
from games.templatetags.house import breaks_at_signs
from games.urls import urlpatterns as real_urls
from games.web import charts
from games.web.assets import catalogues, import_map
from games.web.context import typefaces
from tests import database
from tests.conftest import opening, starting
from tests.languages import EVERY
from tests.people.browsers import account_pages
from tests.web.pages import browser_of, join_link, night_page, page_of, read

pytestmark = pytest.mark.django_db
CSS = Path(__file__).resolve().parents[2] / "games/static/games"


def broken(request):
    raise RuntimeError("on purpose")


urlpatterns = [*real_urls, path("broken/", broken)]
handler500 = "games.web.errors.server_error"


@pytest.fixture(scope="module")
def pages(django_db_setup, django_db_blocker):
    """Return {name: html} of every page of the site, as those see it who have most of it."""
    with django_db_blocker.unblock(), database.undone():
        return every_page()


def office() -> Client:
    """Return the browser of an admin."""
    client = browser_of()
    client.force_login(User.objects.create_superuser("chief", password="x"))
    return client


def every_page() -> dict[str, str]:
    host, kari, waiting = (players.new_guest(name) for name in ("Hanna", "Kari", "Willy"))
    night = membership.host_night(host, "Thursday")
    open_table = opening(night, host)
    start_table = starting(open_table, host)
    membership.join(night, kari)
    device_transfer.request_move(night, kari.pk)
    done = start_table("chicago", "bavarian", seats=2)
    submit(done.pk, Actor(host.pk), Request("table.end", {}, new_command_id()))
    playing = start_table("chicago", "classic", seats=2)
    waiting_room = open_table("chicago", "bavarian", seats=2, ties="roll_off")
    membership.set_admission(night, host, True, 60)
    membership.join(night, waiting)
    door = [night.public_id, night.token("join")]
    tv = reverse("tv", args=[night.public_id, night.token("tv")])
    mine, guest = browser_of(host), browser_of()
    guest.post(reverse("move_ask", args=door), {"player": kari.pk})
    paths = {
        "home": (guest, "/"),
        "home again": (mine, "/"),
        "join": (guest, join_link(night)),
        "move_ask": (guest, reverse("move_ask", args=door)),
        "move_wait": (guest, reverse("move_wait", args=door)),
        "me": (mine, reverse("me")),
        "night": (mine, night_page(night)),
        "night of a guest": (browser_of(kari), night_page(night)),
        "night at the door": (browser_of(waiting), night_page(night)),
        "new game": (mine, reverse("new_table", args=[night.public_id])),
        "new table": (mine, reverse("new_table", args=[night.public_id]) + "?game=chicago"),
        "rules form": (mine, reverse("table_rules", args=[waiting_room.public_id])),
        "waiting room": (mine, page_of(waiting_room)),
        "waiting room of a guest": (browser_of(kari), page_of(waiting_room)),
        "playing": (mine, page_of(playing)),
        "played": (mine, page_of(done)),
        "results": (mine, reverse("night_results", args=[night.public_id])),
        "player": (mine, reverse("player", args=[host.pk])),
        "sheet on paper": (mine, reverse("table_sheet", args=[playing.public_id])),
        "dice sealed": (mine, reverse("dice_check", args=[playing.public_id])),
        "dice": (mine, reverse("dice_check", args=[done.public_id])),
        "dice of a table": (mine, reverse("table_dice", args=[done.public_id])),
        "dice of a player": (mine, reverse("player_dice", args=[host.pk])),
        "dice of the house": (guest, reverse("house_dice")),
        "rules index": (guest, reverse("rules_index")),
        "rules": (guest, reverse("rules", args=["chicago"])),
        "rules by declaration": (guest, reverse("rules", args=["dummygame"])),
        "tv": (guest, tv),
        **account_pages(night),
        "the house": (office(), reverse("house")),
        "denied": (guest, night_page(night)),
        "missing": (guest, "/night/nothing/"),
    }
    return {name: browser.get(where).content.decode() for name, (browser, where) in paths.items()}


def test_no_page_has_inline_styles_handlers_or_scripts_without_the_nonce(pages):
    for name, html in pages.items():
        for tag in read(html).tags:
            assert "style" not in tag.attrs, (name, tag)
            assert tag.name != "style", name
            assert not [a for a in tag.attrs if a.startswith(("on", "hx-on"))], (name, tag)
            if tag.name == "script" and "src" not in tag.attrs:
                is_data = tag.attrs.get("type") == "application/json"
                assert is_data or tag.attrs.get("nonce"), (name, tag)
            assert not tag.attrs.get("href", "").startswith("javascript:"), (name, tag)


def test_every_page_loads_from_this_server_alone(pages):
    for name, html in pages.items():
        for tag in read(html).tags:
            for key in ("src", "href", "action"):
                where = tag.attrs.get(key, "")
                outside = re.match(r"(https?:)?//", where) and "testserver" not in where
                assert not outside, (name, tag)


def test_every_page_has_one_heading_a_language_a_title_and_landmarks(pages):
    for name, html in pages.items():
        page = read(html)
        assert len(page.all("h1")) == 1, name
        assert page.all("html")[0].attrs["lang"] == "en", name
        assert page.all("title")[0].text.strip(), name
        assert len(page.all("main")) == 1, name
        assert page.all("a", class_="skip"), name
        if name != "tv":
            assert page.all("header"), name


def test_every_field_has_a_label(pages):
    for name, html in pages.items():
        page = read(html)
        labelled = {t.attrs["for"] for t in page.all("label") if "for" in t.attrs}
        stack = re.findall(r"<label[^>]*>\s*<input[^>]*name=\"([^\"]+)\"", html)
        for tag in page.tags:
            if tag.name not in {"input", "select", "textarea"} or tag.attrs.get("type") == "hidden":
                continue
            known = tag.attrs.get("id") in labelled or "aria-label" in tag.attrs
            assert known or tag.attrs.get("name") in stack, (name, tag)


def test_no_id_is_used_twice_and_what_describes_is_there(pages):
    for name, html in pages.items():
        ids = [t.attrs["id"] for t in read(html).tags if "id" in t.attrs]
        assert len(ids) == len(set(ids)), (name, [i for i in ids if ids.count(i) > 1])
        for tag in read(html).tags:
            for key in ("aria-describedby", "aria-labelledby", "aria-controls", "for"):
                for wanted in tag.attrs.get(key, "").split():
                    assert wanted in ids, (name, key, wanted)


def test_every_button_and_link_says_what_it_does(pages):
    for name, html in pages.items():
        for kind, attrs, body in re.findall(r"<(button|a)\b([^>]*)>(.*?)</\1>", html, re.S):
            text = re.sub(r"<[^>]+>", "", body).strip()
            assert text or "aria-label=" in attrs, (name, kind, attrs)


def test_the_policy_allows_scripts_of_this_server_and_of_this_answer_only(night, host):
    answer = browser_of(host).get(night_page(night))
    policy = answer["Content-Security-Policy"]
    nonce = re.search(r"nonce-([^']+)'", policy).group(1)
    assert f'nonce="{nonce}"' in answer.content.decode()
    assert "unsafe" not in policy
    again = browser_of(host).get(night_page(night))["Content-Security-Policy"]
    assert nonce not in again


@pytest.mark.parametrize("code", EVERY)
def test_the_pages_come_in_the_browsers_language(night, code):
    html = browser_of().get("/", headers={"accept-language": code}).content.decode()
    assert read(html).all("html")[0].attrs["lang"] == code


def test_the_look_is_kept_in_a_cookie_and_drawn_by_the_server():
    browser = browser_of()
    browser.cookies["theme"] = "dark"
    assert 'data-theme="dark"' in browser.get("/").content.decode()
    browser.cookies["theme"] = '"><script>'
    assert "data-theme=" not in browser.get("/").content.decode()


def test_each_page_sets_the_chosen_look_again_for_a_year_and_nothing_that_nobody_chose():
    """Safari forgets in a week what a script has set."""
    browser = browser_of()
    assert "theme" not in browser.get("/").cookies
    browser.cookies["theme"] = "dark"
    kept = browser.get("/").cookies["theme"]
    assert (kept.value, kept["max-age"], kept["path"], kept["httponly"]) == ("dark", 365 * 24 * 3600, "/", "")
    browser.cookies["theme"] = "purple"
    assert "theme" not in browser.get("/").cookies


def test_a_form_from_elsewhere_gets_a_friendly_page(night):
    browser = browser_of(enforce_csrf_checks=True)
    answer = browser.post(join_link(night), {"nickname": "Kari"})
    assert answer.status_code == 403
    assert "Please send that again" in answer.content.decode()
    assert night.memberships.count() == 1


def test_what_does_not_exist_gets_a_page_in_the_guests_language():
    answer = browser_of().get("/nowhere/", headers={"accept-language": "de"})
    assert answer.status_code == 404
    assert read(answer.content.decode()).all("html")[0].attrs["lang"] == "de"


@override_settings(ROOT_URLCONF="tests.web.test_pages")
def test_what_breaks_gets_a_page_and_no_details():
    answer = browser_of(raise_request_exception=False).get("/broken/")
    assert answer.status_code == 500
    assert "nothing you played is lost" in answer.content.decode()
    assert "on purpose" not in answer.content.decode()


def test_the_import_map_names_the_modules_of_the_house_and_of_every_game():
    names = import_map.import_map()["imports"]
    assert "games/shell/table.js" in names
    for game in plugin.all_games().values():
        assert game.script in names
    for name, address in names.items():
        assert finders.find(name), name
        assert address.endswith(".js")
    assert not any("page_" in name for name in names)


def test_the_import_map_stands_before_every_module_of_the_tables_page(pages):
    html = pages["playing"]
    found = json.loads(read(html).all("script", type="importmap")[0].text)
    assert found == import_map.import_map("chicago")
    owners = {name.split("/", 1)[0] for name in found["imports"]}
    assert owners == {"games", "chicago"}, "no other game's modules weigh on it"
    assert html.index('type="importmap"') < html.index("games/shell/table.js", html.index("</head>"))


def test_a_running_table_takes_no_styles_of_other_pages(pages):
    sheets = {name: [link.attrs["href"] for link in read(html).all("link", rel="stylesheet")]
              for name, html in pages.items() if name in ("playing", "waiting room", "night")}  # fmt: skip
    of_pages = {name: any("games/pages." in href for href in hrefs) for name, hrefs in sheets.items()}
    assert of_pages == {"playing": False, "waiting room": True, "night": True}
    assert "rules-card" in pages["playing"] and ".rules-card {" in (CSS / "parts.css").read_text(), (
        "its card has its look"
    )


def test_what_every_page_runs_and_the_icons_of_other_pages_do_not_come_before_a_running_table(pages):
    scripts = {name: [script.attrs.get("src", "") for script in read(html).all("script")]
               for name, html in pages.items() if name in ("playing", "waiting room", "night")}  # fmt: skip
    has_base = {name: static("games/pages/base.js") in found for name, found in scripts.items()}
    assert has_base == {"playing": False, "waiting room": True, "night": True}
    config = json.loads(read(pages["playing"]).all("script", id="config")[0].text)
    assert config["scripts"] == [static("games/pages/base.js")], "it is loaded after the board"
    assert "icons.svg" not in pages["playing"] and "icons.svg" in pages["waiting room"]


def test_a_table_comes_with_the_typefaces_on_a_device_that_has_told_that_it_has_them(start_table, host):
    url, browser = reverse("table", args=[start_table("chicago").public_id]), browser_of(host)
    for noted, has_them in (("", False), ("sans.0123.woff2", False), (typefaces(), True)):
        browser.cookies["typefaces"] = noted
        html = read(browser.get(url).content.decode())
        assert bool(html.all("link", rel="preload")) == has_them, noted
        assert ("without-typefaces" in html.all("html")[0].attrs["class"].split()) != has_them, noted
    assert html.all("html")[0].attrs["data-typefaces"] == typefaces()


def test_the_texts_of_the_browser_come_with_gettext():
    answer = browser_of().get(reverse("jsi18n"), headers={"accept-language": "nb"})
    assert answer["Content-Type"].startswith("text/javascript")
    assert "gettext" in answer.content.decode()


@pytest.mark.parametrize("language", EVERY)
def test_texts_at_an_address_with_their_digest_are_kept_for_ever_in_its_language(language):
    with override(language):
        address = catalogues.address("chouette")
    own = browser_of().get(address, headers={"accept-language": "fi", "accept-encoding": "gzip"})
    assert own["Cache-Control"] == catalogues.FOR_EVER
    assert own["Vary"] == "Accept-Encoding", "a new cookie does not make a device load them again"
    assert gzip.decompress(own.content) == catalogues.texts(language, "chouette")
    old = browser_of().get(f"{address}0", headers={"accept-language": language})
    assert "max-age=0" in old["Cache-Control"]
    assert {"Accept-Language", "Cookie"} < set(old["Vary"].split(", "))
    assert old.content == catalogues.texts(language, "chouette")


@pytest.mark.parametrize("game", ["chouette", "chicago"])
def test_texts_of_a_table_are_all_that_its_modules_ask_for_with_and_without_a_context(game):
    """A text that the German catalogue has, and a module of a table's page names, is in the table's part."""
    every, table = (catalogues.texts("de", game, part).decode() for part in (catalogues.ALL, catalogues.TABLE))
    asked = catalogues._sources(["games", game], is_later=False)
    calls = re.findall(r'\bp?gettext\(\s*("(?:[^"\\]|\\.)*")(?:,\s*("(?:[^"\\]|\\.)*"))?', asked)
    keys = ["\x04".join(json.loads(part) for part in call if part) for call in calls]
    keys = [json.dumps(key, ensure_ascii=True) for key in keys]
    translated = [key for key in keys if f"{key}:" in every or f"{key}: " in every]
    assert len(translated) > 100
    assert [key for key in translated if key not in table] == []


def test_every_static_file_that_a_page_names_exists(pages):
    for name, html in pages.items():
        for where in re.findall(r'(?:src|href)="/static/([^"#]+)', html):
            assert finders.find(where), (name, where)


def missing_icons(sources):
    """Return the icons that templates name, and the sprite has not, by template."""
    known = set(re.findall(r'<symbol id="([a-z-]+)"', (CSS / "icons.svg").read_text()))
    named = {path: re.findall(r"\{%\s*(?:drawn_)?icon\s+([^\s%]+)", text) for path, text in sources.items()}
    return {path: gone for path, names in named.items() if (gone := [n for n in names if n.strip("\"'") not in known])}


def test_icons_that_pages_use_are_in_the_sprite(pages):
    sprite = (CSS / "icons.svg").read_text()
    for name, html in pages.items():
        for icon in re.findall(r"icons\.svg#([a-z-]+)", html):
            assert f'id="{icon}"' in sprite, (name, icon)


def test_icons_that_any_template_names_are_in_the_sprite():
    folders = [Path(folder) for folder in ("templates", "games", "chouette", "chicago")]
    sources = {str(path): path.read_text() for folder in folders for path in folder.rglob("*.html")}
    assert len(sources) > 100
    assert missing_icons(sources) == {}
    planted = {"a": '{% icon "check" %}{% icon "calender" %}', "b": "{% drawn_icon 'moon' %}{% icon kind %}"}
    assert missing_icons(planted) == {"a": ['"calender"'], "b": ["'moon'", "kind"]}


def test_an_address_goes_on_in_a_new_line_before_its_port_and_never_within_a_number():
    assert breaks_at_signs("192.168.178.45:8000") == "192.168.178.45<wbr>:8000"
    assert breaks_at_signs("calf.example/a/<b>") == "calf.example/<wbr>a/<wbr>&lt;b&gt;"


def test_numbers_below_zero_have_a_minus_sign_in_charts():
    several = {"chart": charts.tracks([("Anna", 0, [-3]), ("Bert", 1, [3])])}
    one = {"chart": charts.line([0, -3]), "label": "Anna"}
    for name, context in (("tracks", several), ("line", one)):
        html = render_to_string(f"history/parts/{name}_chart.html", context)
        assert "\u22123<" in html and ">-3<" not in html


def tokens(block):
    return dict(re.findall(r"--([a-z0-9-]+):\s*(#[0-9a-f]{6,8})\b", block))


def themes():
    css = (CSS / "tokens.css").read_text()
    light = css[css.index(":root {") : css.index("@media screen and (prefers-color-scheme: dark)")]
    system = css[css.index("@media screen and (prefers-color-scheme: dark)") :]
    system = system[: system.index("\n}\n")]
    chosen = css[css.index(':root[data-theme="dark"] {') :]
    return tokens(light), tokens(system), tokens(chosen[: chosen.index("\n}\n")])


def test_paper_is_light_whatever_the_screen_is():
    """A style sheet prints the dark colours where they stand outside of `@media screen`."""

    def on_paper(css):
        dark = re.compile(r"^@media \(prefers-color-scheme: dark\)|^:root\[data-theme=\"dark\"\]", re.MULTILINE)
        return dark.findall(css)

    assert on_paper('a {}\n:root[data-theme="dark"] {') and on_paper("@media (prefers-color-scheme: dark) {")
    board = CSS.parents[2] / "chouette" / "static" / "chouette" / "board.css"
    assert [on_paper(each.read_text()) for each in (CSS / "tokens.css", board)] == [[], []]


def test_dark_by_the_system_and_dark_by_choice_are_the_same():
    _, system, chosen = themes()
    assert system == chosen
    assert len(chosen) > 20


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


TEXTS = [
    *((ink, ground) for ink in ("ink", "ink-2") for ground in ("paper", "surface", "surface-2")),
    *(("felt", ground) for ground in ("paper", "surface", "surface-2", "felt-soft")),
    *(("brick", ground) for ground in ("paper", "surface", "brick-soft")),
    *(("amber-ink", ground) for ground in ("paper", "surface", "amber-soft")),
    *(("ink", ground) for ground in ("felt-soft", "amber-soft", "brick-soft")),
    *((ink, "board") for ink in ("chalk", "chalk-2")),
    *((f"on-{name}", name) for name in ("felt", "amber", "brick")),
    ("wood-ink", "wood"),
    ("wood-ink", "wood-2"),
    ("cork-ink", "cork"),
]


@pytest.mark.parametrize(("ink", "ground"), TEXTS)
def test_text_colours_have_the_contrast_of_wcag_aa_in_both_themes(ink, ground):
    light, _, dark = themes()
    for theme in (light, light | dark):
        assert contrast(theme[ink], theme[ground]) >= 4.5


def test_seats_and_control_borders_can_be_told_apart_from_their_ground():
    light, _, dark = themes()
    for theme in (light, light | dark):
        assert contrast(theme["line-2"], theme["surface"]) >= 3
        assert contrast(theme["focus"], theme["surface"]) >= 3
        for seat in range(12):
            assert contrast(theme[f"seat-{seat}"], theme["seat-ink"]) >= 4.5


def test_closing_the_night_takes_the_code_from_every_page(night, host):
    browser, code = browser_of(host), night.code
    membership.close(Night.objects.get(pk=night.pk), host)
    assert code not in browser.get(night_page(night)).content.decode()


def test_a_tables_page_is_compressed_once_play_has_begun_and_never_with_a_link_to_come_in(
    open_table, start_table, host
) -> None:
    def fetched(table) -> tuple[str, bytes]:
        answer = browser_of(host).get(reverse("table", args=[table.public_id]), headers={"accept-encoding": "gzip"})
        return answer.headers.get("Content-Encoding", ""), answer.content

    waiting, playing = open_table("chicago"), start_table("chicago")
    invitation = re.compile(rb"/j/\w+/\w+/")
    coding, page = fetched(waiting)
    assert coding == "" and b"QR code of the join link" in page
    lengths = set()
    for _ in range(20):
        coding, page = fetched(playing)
        lengths.add(len(page))
        shown = gzip.decompress(page)
        assert coding == "gzip" and b"QR code" not in shown and not invitation.search(shown)
    assert len(lengths) > 5, "a length tells nothing exactly"
