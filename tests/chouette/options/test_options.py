"""The declaration of the house rules (docs/rules-chouette.md), and tables from a position."""

import inspect
import re

import pytest
from django.utils import translation

from chouette.board.match_id import MatchState, match_id
from chouette.board.position import START, BoardError
from chouette.rules.options.declaration import OPTIONS, rule
from chouette.rules.session.start import parse
from games import plugin
from games.kernel.options import OptionErrors
from games.refusals import translate_option
from tests.chouette.table import Table
from tests.languages import EVERY

START_ID = "4HPwATDgc/ABMA"
AFTER_31 = "sGfwATDgc/ABMA"


@pytest.mark.parametrize("option", OPTIONS.options, ids=lambda option: option.id)
def test_every_option_is_explained(option):
    assert option.label
    assert option.group
    for preset in OPTIONS.presets:
        values = OPTIONS.values(preset.id)
        lines = {line.option for line in OPTIONS.card(values, preset.id)}
        assert lines
    picks = getattr(option, "picks", ())
    assert all(pick.label and pick.card.endswith(".") for pick in picks)


def test_the_cards_say_what_the_presets_are():
    german = {line.option: line.sentence for line in OPTIONS.card(OPTIONS.values("german"))}
    assert "must_break_even" not in german, "it means nothing without game_result"
    assert german["jacoby"].startswith("Gammons and backgammons count only")
    assert "raccoons" not in german
    match = {line.option for line in OPTIONS.card(OPTIONS.values("match"))}
    assert not {"jacoby", "beavers", "automatics", "rotation", "settlements"} & match
    assert "match_length" in match


def test_defaults_are_those_of_the_page():
    values = OPTIONS.values("german")
    assert (values["max_players"], values["automatics_limit"]) == (6, 1)
    assert (values["cube_order"], values["join_position"]) == ("sealed", "behind_loser")
    assert (values["partner"], values["settlements"]) == ("off", True)


def test_nobody_can_be_made_to_beaver_where_there_are_no_beavers():
    with pytest.raises(OptionErrors) as refused:
        OPTIONS.values("german", {"sole_taker": "must_beaver_or_drop"})
    assert set(refused.value.errors) == {"sole_taker"}
    values = OPTIONS.values("german", {"sole_captain_beaver": True})
    assert rule(values, "sole_captain_beaver") is False


@pytest.mark.parametrize(
    ("option", "value"),
    [("jacoby", True), ("beavers", True), ("automatics", "box_decides"), ("settlements", True)],
)
def test_an_option_that_means_nothing_is_not_enforced(option, value):
    values = OPTIONS.values("match", {option: value})
    assert not rule(values, option) or rule(values, option) == "off"


# A study table: a position id or an XGID starts every game.


def test_a_position_id_starts_a_table_from_that_position_with_the_captain_on_roll():
    table = Table("ABC", start_position=AFTER_31)
    assert (table.required("A"), table.required("B")) == ([], ["start_study"])
    table.start()
    assert (table.stage, table.game["turn"]) == ("window", "team")
    assert table.game["position_id"] == AFTER_31


def test_the_usual_start_may_be_named_too():
    table = Table("ABC", start_position=START_ID)
    table.start()
    assert table.game["points"] == list(parse("start").position)


def test_an_xgid_brings_its_roll_and_its_cube():
    table = Table("AB", start_position="XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:0:0:0:0:10")
    table.start()
    assert (table.stage, table.game["dice"]) == ("move", [3, 1])
    assert (table.value("B"), table.owner("B")) == (2, "against")
    table = Table("AB", start_position="XGID=-b----E-C---eE---c-e----B-:2:1:1:00:0:0:0:0:10")
    table.start()
    assert (table.value("B"), table.owner("B"), table.stage) == (4, "member", "window")


@pytest.mark.parametrize(
    "text",
    ["something", "4HPwATDgc/ABM", "AAAAAAAAAAAAAA", "XGID=", "XGID=-b----E:0:0:1:00",
     "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10"],
)  # fmt: skip
def test_what_is_no_position_is_refused_at_the_option(text):
    with pytest.raises(OptionErrors) as refused:
        OPTIONS.values("german", {"start_position": text})
    code, params = refused.value.errors["start_position"]
    assert code == "not_a_position"
    assert params["why"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("something", "a position id has 14 characters"),
        ("XGID=", "an XGID has ten fields"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10", "has been offered there"),
    ],
)
@pytest.mark.parametrize("language", EVERY)
def test_a_bad_position_answers_at_its_field_with_the_reason(text, why, language):
    with pytest.raises(OptionErrors) as refused:
        OPTIONS.values("german", {"start_position": text})
    code, params = refused.value.errors["start_position"]
    with translation.override(language):
        said = translate_option(OPTIONS, "start_position", code, params)
    if language == "en":
        assert said.startswith("No game can start from this: ") and why in said
    assert said.endswith(".") and "position_" not in said
    assert "That can't be done now" not in said


def test_every_reason_why_a_text_is_no_position_has_a_sentence():
    from chouette.board import gnubg_id, match_id, position, xgid
    from chouette.rules.session import start

    said = plugin.game("chouette").messages
    codes = {
        code
        for module in (gnubg_id, match_id, position, start, xgid)
        for code in re.findall(r'BoardError\("(\w+)"', inspect.getsource(module))
    }
    codes -= {"bad_match"}  # of writing an id, which nobody pastes
    assert {f"position_{code}" for code in codes} <= set(said)


@pytest.mark.parametrize(
    "text",
    [
        "4HPwATDgc/ABMA:cAkKAAAAAAAA",
        "Position ID: 4HPwATDgc/ABMA Match ID   : cAkKAAAAAAAA",
        " 4HPwATDgc/ABMA ",
    ],
)
def test_what_gnu_backgammon_shows_starts_a_table_as_it_is_pasted(text):
    assert parse(text).position == parse("4HPwATDgc/ABMA").position


def test_a_match_id_brings_its_roll_and_its_cube():
    state = MatchState(cube=4, cube_owner=1, player_on_roll=1, turn=1, dice=(6, 5), match_length=7, score=(2, 3))
    found = parse(f"4HPwATDgc/ABMA:{match_id(state)}")
    assert (found.dice, found.value, found.owner) == ((6, 5), 4, "member")


def test_a_match_id_with_an_offered_cube_starts_nothing():
    state = MatchState(cube=2, player_on_roll=1, turn=0, double_offered=True, match_length=7)
    with pytest.raises(BoardError) as refused:
        parse(f"4HPwATDgc/ABMA:{match_id(state)}")
    assert refused.value.code == "cube_offered"


def test_where_two_study_a_position_the_first_seat_is_on_roll():
    table = Table("BA", preset="money", start_position=AFTER_31)
    assert (table.required("A"), table.required("B")) == (["start_study"], [])


@pytest.mark.parametrize("partner", ["optional_from", "compulsory_from"])
def test_a_partner_from_more_players_than_the_table_takes_is_refused_at_its_field(partner):
    with pytest.raises(OptionErrors) as refused:
        OPTIONS.values("german", {"partner": partner, "partner_from": 7, "max_players": 6})
    assert refused.value.errors == {"partner_from": ("partner_above_max_players", {})}
    for fine in ({"partner_from": 6}, {"max_players": 7}, {"partner": "off"}, {"format": "money"}):
        assert OPTIONS.values("german", {"partner": partner, "partner_from": 7, "max_players": 6, **fine})


def test_automatics_are_not_promised_where_there_is_no_opening_roll():
    study = OPTIONS.values("club", {"start_position": AFTER_31})
    assert "automatics" not in {line.option for line in OPTIONS.card(study)}
    assert rule(study, "automatics") == "off"
    assert OPTIONS.lacks(OPTIONS["automatics"], study).id == "start_position"
    assert "automatics" in {line.option for line in OPTIONS.card(OPTIONS.values("club"))}
    match = OPTIONS.values("match", {"automatics": "box_decides"})
    assert OPTIONS.lacks(OPTIONS["automatics"], match).id == "format"


def test_a_study_table_shows_its_position_before_it_begins():
    table = Table("AB", start_position="XGID=-b----E-C---eE---c-e----B-:1:1:1:31:0:0:0:0:10")
    start = table.look()["start"]
    table.start()
    assert (start["points"], start["off"], start["dice"]) == (
        table.game["points"], table.game["off"], table.game["dice"],
    )  # fmt: skip
    assert (start["value"], start["owner"]) == (2, "member")
    assert table.look()["start"] is None
    assert Table("AB").look()["start"]["points"] == list(START)
