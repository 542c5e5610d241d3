"""Share links: results of a night and standings for outsiders, who read listed names alone."""

from __future__ import annotations

import html
import io
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from games.models import Night, Player, Season, ShareLink
from games.services.people import deletion, players
from games.services.seasons import seasons, sheet_names
from games.services.sharing import links, results
from games.services.sheets import sheets
from games.web.sharing import letters
from tests.languages import TRANSLATED
from tests.seasons.test_pages import act, browser, page
from tests.seasons.test_seasons import refused
from tests.seasons.world import FIRST, THURSDAYS, evening, guests, night_of, set_rules
from tests.sheets.test_sheets import take

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(olga: Player) -> Night:
    """A night of Olga's, where Anna is listed and Bert and Carl are not."""
    anna, bert, carl = guests("Anna", "Bert", "Carl")
    players.set_listed(anna, True)
    return evening(olga, FIRST, {anna: 5, bert: 2, carl: -7})


def night_act(player: Player, night: Night, name: str) -> str:
    """Carry out an act at a night; return the page after it."""
    return browser(player).post(reverse("night_act", args=[night.public_id, name]), follow=True).content.decode()


def outsiders(link: ShareLink, name: str = "shared") -> str | int:
    """Return what an outsider reads at a link, or the status of a refusal."""
    answer = Client().get(reverse(name, args=[link.key]))
    return answer.content.decode() if answer.status_code == 200 else answer.status_code


def test_outsiders_read_listed_names_and_everybodys_points(olga: Player, night: Night) -> None:
    links.open_night(night, olga)
    seen = outsiders(ShareLink.objects.get())
    assert "Anna" in seen and seen.count("a guest") >= 2
    assert not any(name in seen for name in ("Bert", "Carl", "Olga"))
    (ranking,) = results.of_night(night)
    assert [(row.place, row.name, row.total) for row in ranking.rows] == [(1, "Anna", "5"), (2, "", "2"), (3, "", "-7")]
    assert sum(Fraction(row.total) for row in ranking.rows) == 0


def test_a_seasons_standing_adds_up_for_outsiders_too(olga: Player, season: Season, night: Night) -> None:
    few = guests("Dora", "Emil")
    evening(olga, THURSDAYS[1], dict(zip(few, (9, -9), strict=True)))
    links.open_season(season, olga)
    seen = outsiders(ShareLink.objects.get())
    assert "Anna" in seen and not any(name in seen for name in ("Bert", "Carl", "Dora", "Emil"))
    assert [row.name for row in results.of_season(season).rows] == ["", "Anna", "", "", ""]
    assert sum(Fraction(row.total) for row in results.of_season(season).rows) == 0
    act(olga, season, "close")
    assert "The standing is final." in outsiders(ShareLink.objects.get())


@pytest.mark.parametrize("name", ["shared", "shared_picture"])
def test_a_closed_link_is_gone_and_opened_again_it_is_another_one(olga: Player, night: Night, name: str) -> None:
    links.open_night(night, olga)
    links.open_night(night, olga)
    first = ShareLink.objects.get()
    links.close_night(night, olga)
    assert outsiders(first, name) == 410
    links.open_night(night, olga)
    assert outsiders(first, name) == 410
    assert ShareLink.objects.filter(closed_at=None).get().key != first.key
    assert Client().get(reverse(name, args=["made-up"])).status_code == 404


def test_a_link_of_what_was_deleted_or_archived_is_gone(olga: Player, season: Season, night: Night) -> None:
    links.open_season(season, olga)
    of_season = ShareLink.objects.get()
    assert not seasons.remove(season, olga)
    assert outsiders(of_season) == 410
    with refused("share_closed"):
        links.open_season(season, olga)
    links.open_night(night, olga)
    of_night = ShareLink.objects.get(night=night)
    Night.objects.filter(pk=night.pk).delete()
    assert outsiders(of_night) == 410


def test_hosts_and_organisers_alone_open_and_close_links(olga: Player, season: Season, night: Night) -> None:
    anna = Player.objects.get(nickname="Anna")
    for wrong in (links.open_night, links.close_night):
        with refused("not_host"):
            wrong(night, anna)
    for wrong in (links.open_season, links.close_season):
        with refused("not_organiser"):
            wrong(season, anna)
    assert not ShareLink.objects.exists()


def test_the_results_page_opens_the_link_and_closes_it(olga: Player, night: Night) -> None:
    anna = Player.objects.get(nickname="Anna")
    assert "Make a link" not in browser(anna).get(reverse("night_results", args=[night.public_id])).content.decode()
    assert "Whoever has the link reads the results." in night_act(olga, night, "share")
    key = ShareLink.objects.get().key
    assert f"/shared/{key}/" in browser(anna).get(reverse("night_results", args=[night.public_id])).content.decode()
    assert "The link is closed" in night_act(olga, night, "unshare")
    assert outsiders(ShareLink.objects.get()) == 410


def test_the_seasons_page_opens_the_link_and_its_log_says_so(olga: Player, season: Season, night: Night) -> None:
    act(olga, season, "share")
    assert f"/shared/{ShareLink.objects.get().key}/" in page(olga, season)
    act(olga, season, "unshare")
    seen = page(olga, season)
    assert "The standing was opened to outsiders" in seen and "not open to outsiders any more" in seen
    assert "Only an organiser" in act(Player.objects.get(nickname="Anna"), season, "share")


def test_whose_data_are_deleted_is_a_guest_at_the_next_look(olga: Player, night: Night) -> None:
    links.open_night(night, olga)
    link = ShareLink.objects.get()
    before = Client().get(reverse("shared_picture", args=[link.key]))
    assert "Anna" in outsiders(link)
    deletion.delete(Player.objects.get(nickname="Anna"))
    assert "Anna" not in outsiders(link)
    again = Client().get(reverse("shared_picture", args=[link.key]), headers={"If-None-Match": before.headers["ETag"]})
    assert again.status_code == 200 and again.content != before.content


def test_the_text_for_a_messenger_has_the_places_and_the_link(olga: Player, night: Night) -> None:
    links.open_night(night, olga)
    link = ShareLink.objects.get()
    seen = outsiders(link)
    text = seen.partition('rows="8">')[2].partition("</textarea>")[0]
    assert "1. Anna: 5\n2. a guest: 2\n3. a guest: \N{MINUS SIGN}7" in text
    assert text.endswith(f"/shared/{link.key}/")


SHEET = "Name;1.10.2026;8.10.2026\nAnna;5;2,5\nOpa Karl;-5;-2,5\nMeta;0;0\n"
CARRIED = "Name;Total\nAnna;40\nOpa Karl;-40\n"


def text_of(link: ShareLink, language: str = "en") -> list[str]:
    """Return the lines of a link's text for a messenger."""
    seen = Client().get(reverse("shared", args=[link.key]), headers={"Accept-Language": language}).content.decode()
    return html.unescape(seen.partition('rows="8">')[2].partition("</textarea>")[0]).splitlines()


def test_the_text_of_a_season_of_spreadsheet_nights_adds_up_and_tells_no_name_of_the_spreadsheet(
    olga: Player, season: Season
) -> None:
    (anna,) = guests("Anna")
    night_of(olga, FIRST, anna)
    players.set_listed(anna, True)
    take(season, olga, SHEET, Anna=anna)
    links.open_season(season, olga)
    link = ShareLink.objects.get()
    sheet_names.answer(anna.season_names_asked.get().pk, anna, agrees=True)
    lines = text_of(link)
    assert lines == [
        "Autumn",
        "1 October 2026 – 17 December 2026",
        "",
        "Backgammon · Points",
        "1. Anna: 7.5",
        "2. a guest: 0",
        "3. a guest: \N{MINUS SIGN}7.5",
        "",
        "The season still goes on.",
        f"http://testserver/shared/{link.key}/",
    ]
    assert "1. Anna: 7,5" in text_of(link, "de")
    take(season, olga, CARRIED)
    set_rules(season, olga, least_nights=3)
    assert not any(line.startswith("1.") for line in text_of(link))
    (waiting,) = (line for line in text_of(link) if line.startswith("No place yet: "))
    assert sorted(waiting.partition(": ")[2].split(", ")) == ["Anna (2 nights)", *["a guest (2 nights)"] * 2]
    set_rules(season, olga, least_nights=1)
    sheets.undo(season, olga, season.sheets.order_by("pk").first().pk)
    assert text_of(link)[4:6] == ["1. Anna: 40", "2. a guest: \N{MINUS SIGN}40"]
    for language in TRANSLATED:
        text = "\n".join(text_of(link, language))
        assert not any(name in text for name in ("Opa Karl", "Meta", "guest", "still"))


def test_the_picture_is_a_png_that_is_drawn_anew_when_anything_changes(olga: Player, night: Night) -> None:
    links.open_night(night, olga)
    where = reverse("shared_picture", args=[ShareLink.objects.get().key])
    first = Client().get(where)
    assert first.headers["Content-Type"] == "image/png"
    with Image.open(io.BytesIO(first.content)) as found:
        found.load()
        assert found.width == 1080 and found.height > 400
    assert Client().get(where, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    players.rename(Player.objects.get(nickname="Anna"), "Annika")
    assert Client().get(where).headers["ETag"] != first.headers["ETag"]


@pytest.mark.parametrize("letter", ["W", "🎲", "👨‍👩‍👧", "ä\u0323", "أ", "\U0001f3f4\U000e0067\U000e0062\U000e007f"])
def test_the_longest_names_are_shared_as_page_text_and_picture(olga: Player, night: Night, letter: str) -> None:
    name = (letter * 80)[: 80 // len(letter) * len(letter)]
    Night.objects.filter(pk=night.pk).update(name=name)
    players.rename(Player.objects.get(nickname="Anna"), letter * min(24, 96 // len(letter)))
    night.refresh_from_db()
    links.open_night(night, olga)
    key = ShareLink.objects.get().key
    for where in (reverse("shared", args=[key]), reverse("shared_picture", args=[key])):
        assert Client().get(where).status_code == 200


def test_neither_searchers_nor_caches_keep_what_is_shared(olga: Player, night: Night) -> None:
    links.open_night(night, olga)
    for name in ("shared", "shared_picture"):
        answer = Client().get(reverse(name, args=[ShareLink.objects.get().key]))
        assert "noindex" in answer.headers["X-Robots-Tag"]
        assert "no-cache" in answer.headers["Cache-Control"]


@pytest.mark.parametrize(
    "text", ["Jürgen Škoda", "Ωμέγα", "Ольга", "Łukasz Ţăran", "דוד", "أحمد", "Ærø – „Kari“", "😀"]
)
def test_pictures_have_the_letters_of_people(text: str) -> None:
    assert "\N{WHITE SQUARE}" not in "".join(part for part, _font in letters.parts(text, 30))
    for part, font in letters.parts(text, 30):
        no_letter = bytes(font.getmask("\uffff"))
        assert all(bytes(font.getmask(each)) != no_letter for each in part if not each.isspace()), part


def test_a_letter_that_no_typeface_has_is_one_square() -> None:
    assert "".join(part for part, _font in letters.parts("山a👩‍👩‍👧", 30)) == "\N{WHITE SQUARE}a\N{WHITE SQUARE}"


def test_a_name_that_is_too_wide_ends_with_dots() -> None:
    found = letters.fitted("W" * 60, 34, letters.BOLD, 600)
    assert found.endswith("…") and letters.width(found, 34, letters.BOLD) <= 600
