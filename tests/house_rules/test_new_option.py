"""A new option of a game appears everywhere by its declaration alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games import plugin
from games.kernel.options import BoolOption, ChoiceOption, Exclusion, IntOption, Needs, Pick
from games.models import HouseRules, Table
from games.services.house_rules import files, sets
from games.services.house_rules.sets import SetDraft, SetKeeper
from games.services.tables import setup
from tests.house_rules.test_form import new_table, posted
from tests.web.pages import browser_of, read

pytestmark = pytest.mark.django_db
GAME = "dummygame"
MUSIC = BoolOption(
    id="music", label="Music while bidding", default=True, group="The room",
    help="From the box in the corner.", on="Music plays while bids are made.", off="It is quiet.",
)  # fmt: skip
SONGS = IntOption(
    id="songs", label="Songs in a set", default=3, group="The room", low=1, high=12,
    needs=Needs("music", (True,), "There is no music."), card="Songs in a set: {value}.",
)  # fmt: skip
STYLE = ChoiceOption(
    id="style", label="What is played", default="folk", group="The room",
    picks=(Pick("folk", "folk", "Folk is played."), Pick("jazz", "jazz", "Jazz is played.")),
)  # fmt: skip
NO_JAZZ = Exclusion({"style": ("jazz",), "wins": ("lowest",)}, "style", "no_jazz", "Jazz needs the highest number.")


@pytest.fixture
def new_options() -> Iterator[None]:
    """The dummy game's declaration with three more options and a contradiction."""
    game = plugin.game(GAME)
    before = game.options
    options = (*before.options, MUSIC, SONGS, STYLE)
    game.__dict__["options"] = replace(before, options=options, exclusions=(*before.exclusions, NO_JAZZ))
    yield
    game.__dict__["options"] = before


@pytest.fixture
def bar(db: None) -> Client:
    """The browser of the admin."""
    client = browser_of()
    client.force_login(User.objects.create_superuser("bar", password="x"))
    return client


def forms(bar: Client, night, host) -> dict[str, tuple[Client, str]]:
    """Return every form of house rules there is."""
    admin_add = reverse("admin:games_houserules_add") + f"?game={GAME}"
    return {
        "admin": (bar, admin_add),
        "site": (bar, reverse("rule_new", args=[GAME])),
        "table": (browser_of(host), f"{new_table(night)}?game={GAME}"),
    }


def test_a_new_option_is_in_every_form_with_its_bounds_help_and_need(bar, night, host, new_options) -> None:
    for where, (browser, path) in forms(bar, night, host).items():
        html = browser.get(path).content.decode()
        page = read(html)
        assert page.by_id("o-music").attrs["type"] == "checkbox", where
        songs = page.by_id("o-songs").attrs
        assert (songs["min"], songs["max"], songs["value"]) == ("1", "12", "3"), where
        assert len(page.all("input", name="o-style")) == 2
        for text in ("The room", MUSIC.help, SONGS.needs.reason, "jazz"):
            assert text in html, (where, text)


def test_a_new_option_is_on_the_rules_card_and_marked_where_it_is_changed(bar, night, host, new_options) -> None:
    sent = posted(GAME, "quick", songs=7, music=True) | {"diff": "1"}
    html = bar.post(reverse("rules_preview", args=[GAME]), sent).content.decode()
    assert "Songs in a set: 7." in html
    assert "House rule, instead of: Songs in a set: 3." in html
    for _where, (browser, path) in forms(bar, night, host).items():
        assert "Music plays while bids are made." in browser.get(path).content.decode()


def test_a_new_option_is_refused_and_kept_like_every_other(bar, night, host, new_options) -> None:
    heads = {"name": "Pub", "version": "0", "hosts_may": "change"}
    for where, (browser, path) in forms(bar, night, host).items():
        for changes, reason in (
            ({"o-songs": "99"}, "This is a number from 1 to 12."),
            ({"o-style": "jazz", "o-wins": "lowest"}, NO_JAZZ.reason),
        ):
            sent = posted(GAME, "quick") | heads | changes
            answer = browser.post(path, sent)
            html = answer.content.decode()
            assert reason in html, (where, reason)
    assert not HouseRules.objects.exists()
    assert not Table.objects.exists()
    for path in [path for _browser, path in forms(bar, night, host).values()][:2]:
        bar.post(path, posted(GAME, "quick", songs=9) | heads)
        assert HouseRules.objects.get().options["songs"] == 9
        HouseRules.objects.all().delete()


def test_a_new_option_is_in_the_api(client, night, host, new_options) -> None:
    games = client.get(reverse("api_games")).json()["games"]
    schema = next(game for game in games if game["id"] == GAME)["schema"]
    assert schema["properties"]["songs"] == {
        "type": "integer", "default": 3, "minimum": 1, "maximum": 12,
    }  # fmt: skip
    rules = client.get(reverse("api_game_rules", args=[GAME])).json()
    assert rules["schema"] == schema
    for preset in rules["presets"]:
        lines = [line["text"] for group in preset["card"]["groups"] for line in group["lines"]]
        assert "Songs in a set: 3." in lines
        assert preset["options"]["songs"] == 3


def test_a_new_option_goes_into_a_table_and_a_file(night, host, new_options) -> None:
    rules = sets.create(SetKeeper(player=host), GAME, SetDraft("Mine", "quick", {"songs": 5}))
    table = setup.open_table(night, host, GAME, "quick", {}, rules=rules)
    assert table.options["songs"] == 5
    (one,) = files.read(files.export_json([rules]).encode())
    assert one.draft.options["songs"] == 5
