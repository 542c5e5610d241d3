"""What Chicago says, in every language: docs/rules-chicago.md §1, §3 and §4, as people read them."""

import json
import re
from functools import partial

import polib
import pytest
from django.utils.translation import override

from chicago.rules.game.played_rounds import form
from chicago.rules.options.declaration import OPTIONS
from games.game_texts import gettext_of
from games.plugin import game
from games.refusals import translate
from games.services.house_rules.cards import rules_card
from tests.architecture.sources import ROOT
from tests.languages import EVERY

CATALOGS = sorted((ROOT / "chicago/locale/de/LC_MESSAGES").glob("*.po"))


def card(preset, lang="en", **changes):
    with override(lang):
        lines = rules_card("chicago", preset, OPTIONS.values(preset, changes)).groups
        return {line.option: line.text for _, group in lines for line in group}


def german(path):
    return [text for e in polib.pofile(str(path)) for text in (e.msgstr, *e.msgstr_plural.values()) if text]


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_nobody_wins_by_being_tief(path):
    """High and low are places: "tief" is who must be overbid, never what wins or counts."""
    for text in german(path):
        assert not re.search(r"tief (gewinnt|zählt)|tiefste|das Tief", text), text


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_no_sentence_has_both_filz_and_deckel(path):
    for text in german(path):
        for sentence in re.split(r"[.:;] ", text):
            assert not ("ilz" in sentence and "deckel" in sentence.lower()), sentence


@pytest.mark.parametrize(
    ("preset", "word", "other"), [("bavarian", "Bierfilz", "deckel"), ("tschigg", "Bierdeckel", "ilz")]
)
def test_the_german_card_of_a_preset_has_one_word_for_the_mats(preset, word, other):
    text = " ".join(card(preset, "de").values())
    assert word in text and other not in text
    with override("de"):
        assert other not in rules_card("chicago", preset, OPTIONS.values(preset)).blurb


@pytest.mark.parametrize(("preset", "word"), [("bavarian", "Bierfilze"), ("tschigg", "Bierdeckel")])
def test_the_german_form_of_a_round_has_the_word_of_its_preset(preset, word):
    with override("de"):
        sent = form(OPTIONS.values(preset, {"dice": "typed"})).to_json(partial(gettext_of, game("chicago")))
    assert [field["label"] for field in sent["rounds"] if field["id"] == "mats"] == [word]


@pytest.mark.parametrize(("code", "word"), [("other_bavarian_mats", "Bierfilze"), ("other_mats", "Bierdeckel")])
def test_the_german_refusal_of_told_mats_has_the_word_of_its_preset(code, word):
    with override("de"):
        assert f"die {word} in Runde 4" in translate(code, {"round": 4}, "chicago")


@pytest.mark.parametrize("lang", EVERY)
@pytest.mark.parametrize("preset", [p.id for p in OPTIONS.presets])
def test_no_word_of_a_card_is_left_open(preset, lang):
    for changes in ({}, {"mats": "fixed", "forfeits": False}):
        assert not re.search(r"[{}]", " ".join(card(preset, lang, **changes).values()))


@pytest.mark.parametrize("changes", [{"ones": "1"}, {"sixes": "6"}, {"direction": "low"}])
def test_the_cards_fish_sentence_stands_only_where_there_is_fish(changes):
    assert "fish" in card("bavarian") and "fish" not in card("bavarian", **changes)
    assert "fish" in card("classic", **changes), "the starter may still declare 100/60 high"
    assert card("classic")["fish"].startswith("While ones count 100, sixes 60")


def test_the_card_tells_that_one_may_stand_on_a_3():
    assert "whoever stops may stand on any dice" in card("bavarian")["keep"]
    assert "keep" in card("tschigg") and "any of the dice" in card("tschigg")["keep"].lower()


def test_a_card_on_which_the_smallest_number_is_best_says_what_is_high():
    assert (
        card("bavarian", direction="low")["direction"] == "The smallest number is best: it is high, the largest is low."
    )


def test_the_card_says_what_a_breach_costs():
    assert "also loses the round" in card("forfeits")["breaches"]


@pytest.mark.parametrize(
    ("lang", "default"),
    [("en", "a point"), ("de", "ein Punkt"), ("nb", "et poeng"), ("fr", "un point"), ("it", "un punto")],
)
def test_results_call_a_forfeit_by_its_name(lang, default):
    config = game("chicago")
    with override(lang):
        named = str(config.unit_label("forfeits", OPTIONS.values("forfeits", {"forfeit_name": "a push-up"})))
        assert named.endswith(": a push-up")
        assert str(config.unit_label("forfeits", OPTIONS.values("forfeits"))).endswith(f": {default}")
        assert config.unit_label("rounds", OPTIONS.values("classic")) == config.units["rounds"]


def test_the_rules_page_says_who_pays_when_somebody_went_home():
    page = (ROOT / "chicago/templates/chicago/rules_variants.html").read_text()
    assert "Nobody else pays because somebody went home" not in page
    assert "below everybody who stays" in page


def test_every_seat_bound_of_a_preset_is_that_of_its_rules():
    for preset in OPTIONS.presets:
        assert OPTIONS.seats(preset.id, OPTIONS.values(preset.id)) == preset.seats
    assert json.dumps(OPTIONS.seats("classic", OPTIONS.values("classic", {"forfeits": True}))) == "[3, 8]"
