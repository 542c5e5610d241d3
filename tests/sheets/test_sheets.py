"""Points of a spreadsheet in a season: names, questions, standing, undoing; people who are merged or go."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import AuditEntry, NightTally, Player, ResultLine, Season, SeasonName, SeasonSheet, SheetRow
from games.services.people import deletion, merging
from games.services.seasons import entrants, seasons, sheet_names
from games.services.sheets import grids, sheets
from tests.club.forms import form
from tests.seasons.test_pages import browser
from tests.seasons.world import FIRST, account, evening, guests, make, night_of, set_rules, standing_of

pytestmark = pytest.mark.django_db

WIDE = "Name;1.10.2026;8.10.2026\nAnna;5;3\nOpa Karl;-5;-3\n"
TOTALS = "Name;Total\nAnna;40\nOpa Karl;-40\n"


def take(season: Season, by: Player, text: str, form_id: str | None = None, **said: object) -> SeasonSheet:
    """Take a table in; `said` is name → who it is, a text of the season by default."""
    sheet = sheets.read_in(season, by, grids.read_text(text))
    found = {entry.name: "text" for entry in sheets.entries_of(sheet)}
    found |= {name.replace("_", " "): str(getattr(who, "pk", who)) for name, who in said.items()}
    return sheets.take_in(season, by, sheet.pk, found, form_id)


def shown(season: Season) -> list[tuple[int | None, str, str, int]]:
    """Return the standing: place, name, total and nights of each row."""
    texts = sheet_names.texts(season)
    people = dict(Player.objects.values_list("pk", "nickname"))
    rows = standing_of(season).rows
    return [(row.place, texts.get(row.player) or people.get(row.player, ""), row.total, row.nights) for row in rows]


def refused(code: str, act: object, *args: object, **named: object) -> None:
    """Check that an act is refused with a code."""
    with pytest.raises(Illegal) as refusal:
        act(*args, **named)
    assert refusal.value.code == code


# The standing


def test_nights_of_a_table_are_nights_of_the_season_and_join_those_of_the_house(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    evening(olga, FIRST, {anna: 2, bert: -2})
    take(season, olga, WIDE)
    assert shown(season) == [
        (1, "Anna", "8", 2), (2, "Anna", "2", 1), (3, "Bert", "-2", 1), (4, "Opa Karl", "-8", 2),
    ]  # fmt: skip
    assert [column.id for column in standing_of(season).columns] == ["2026-10-01", "2026-10-08"]
    assert not ResultLine.objects.filter(points=5).exists()
    assert not NightTally.objects.filter(points=5).exists()


def test_points_carried_over_count_in_the_total_and_are_no_attendance_and_nothing_strikes_them(
    olga: Player, season: Season
) -> None:
    take(season, olga, TOTALS)
    assert shown(season) == [(1, "Anna", "40", 0), (2, "Opa Karl", "-40", 0)]
    anna, bert = guests("Anna", "Bert")
    evening(olga, FIRST, {anna: 2, bert: -2})
    set_rules(season, olga, count="without_worst", worst=1)
    assert shown(season)[0][2] == "40"
    set_rules(season, olga, count="all", least_nights=2)
    assert all(place is None for place, *_ in shown(season))
    assert [column.is_carried for column in standing_of(season).columns] == [True, False]


def test_a_closed_season_keeps_what_a_table_gave_and_takes_no_other(olga: Player, season: Season) -> None:
    take(season, olga, WIDE)
    before = shown(season)
    seasons.close(season, olga)
    assert shown(season) == before
    refused("season_closed", take, season, olga, TOTALS)
    refused("season_closed", sheets.undo, season, olga, season.sheets.get().pk)
    assert not seasons.remove(season, olga)


def test_points_per_game_want_games_before_and_after(olga: Player, season: Season) -> None:
    take(season, olga, WIDE)
    refused("sheet_no_games", set_rules, season, olga, worth="per_game")
    other = make(olga, "per_game", name="Per game")
    refused("sheet_no_games", take, other, olga, TOTALS)
    set_rules(other, olga, least_nights=1)
    take(other, olga, "Name;Points;Games\nAnna;9;6\nBert;-9;3\n")
    assert [total for _place, _name, total, _nights in shown(other)] == ["3/2", "-3"]


def test_a_season_of_matches_takes_totals_alone(olga: Player) -> None:
    season = make(olga, "matches")
    refused("sheet_matches", take, season, olga, WIDE)
    take(season, olga, TOTALS)
    assert [total for _place, _name, total, _nights in shown(season)] == ["40", "-40"]


def test_where_entrants_alone_count_a_name_counts_once_it_is_an_entrants(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    night_of(olga, FIRST, anna, bert)
    set_rules(season, olga, who="entrants")
    take(season, olga, WIDE, Anna=anna)
    sheet_names.answer(SeasonName.objects.get(asked=anna).pk, anna, agrees=True)
    assert shown(season) == []
    entrants.enter(season, anna)
    entrants.enter(season, bert)
    take(season, olga, TOTALS.replace("Opa Karl", "Bert"), Bert=bert)
    assert [row[1:3] for row in shown(season)] == [("Anna", "40")]


# Once, and undone


def test_a_table_is_undone_in_one_act_with_names_and_questions(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    evening(olga, FIRST, {anna: 2, bert: -2})
    before = shown(season)
    sheet = take(season, olga, WIDE, Anna=anna)
    assert shown(season) != before
    sheets.undo(season, olga, sheet.pk)
    assert shown(season) == before
    assert not (SeasonSheet.objects.exists() or SeasonName.objects.exists() or SheetRow.objects.exists())
    refused("no_such_sheet", sheets.undo, season, olga, sheet.pk)
    assert [event.type for event in season.events.all()[:2]] == ["sheet_undone", "sheet_taken"]
    told = AuditEntry.objects.filter(act__startswith="sheet")
    assert {entry.act for entry in told} == {"sheet_taken", "sheet_undone"}
    assert "Karl" not in json.dumps([[entry.subject, entry.data] for entry in told])


def test_names_of_two_tables_are_one_and_undoing_one_leaves_the_other(olga: Player, season: Season) -> None:
    first = take(season, olga, WIDE)
    take(season, olga, TOTALS)
    assert [row[1:] for row in shown(season)] == [("Anna", "48", 2), ("Opa Karl", "-48", 2)]
    sheets.undo(season, olga, first.pk)
    assert [row[1:] for row in shown(season)] == [("Anna", "40", 0), ("Opa Karl", "-40", 0)]


def test_the_same_table_is_taken_once_and_the_same_form_too(olga: Player, season: Season) -> None:
    waits = sheets.read_in(season, olga, grids.read_text(WIDE))
    said = {"Anna": "text", "Opa Karl": "out"}
    made = sheets.take_in(season, olga, waits.pk, said, "form")
    assert sheets.take_in(season, olga, waits.pk, said, "form") == made
    refused("form_changed", sheets.take_in, season, olga, waits.pk, {"Anna": "out"}, "form")
    refused("no_such_sheet", sheets.take_in, season, olga, waits.pk, said, "another")
    refused("bad_form_id", sheets.take_in, season, olga, waits.pk, said, "x" * 49)
    refused("sheet_twice", sheets.read_in, season, olga, grids.read_text(WIDE.replace(";", "\t")))
    assert SheetRow.objects.count() == 2


def test_of_two_organisers_with_one_table_the_first_takes_it_in(olga: Player, season: Season) -> None:
    paul = account("Paul")
    night_of(olga, FIRST, paul)
    seasons.name_second(season, olga, paul.pk)
    hers, his = (sheets.read_in(season, by, grids.read_text(WIDE)) for by in (olga, paul))
    said = {"Anna": "text", "Opa Karl": "text"}
    refused("no_such_sheet", sheets.take_in, season, paul, hers.pk, said, None)
    sheets.take_in(season, olga, hers.pk, said, None)
    refused("sheet_twice", sheets.take_in, season, paul, his.pk, said, None)
    assert SheetRow.objects.count() == 4


def test_a_table_that_waits_is_forgotten_after_a_day(olga: Player, season: Season) -> None:
    sheets.read_in(season, olga, grids.read_text(WIDE))
    now = datetime.now(UTC)
    assert sheets.forget_old(now + timedelta(hours=23)) == 0
    assert sheets.forget_old(now + timedelta(hours=25)) == 1


# Names


def test_a_known_name_is_proposed_and_every_other_one_is_asked_about(olga: Player, season: Season) -> None:
    anna, other = guests("Anna", "Anna")
    night_of(olga, FIRST, anna)
    people = sheet_names.candidates(season, olga)
    assert sheet_names.proposed(["anna", "Opa Karl"], people) == {"anna": anna.pk}
    assert sheet_names.proposed(["Anna"], [*people, other]) == {}
    sheet = sheets.read_in(season, olga, grids.read_text(WIDE))
    refused("sheet_undecided", sheets.take_in, season, olga, sheet.pk, {"Anna": str(anna.pk)}, None)
    refused("no_such_player", sheets.take_in, season, olga, sheet.pk, {"Anna": str(other.pk)}, None)
    both = {"Anna": str(anna.pk), "Opa Karl": str(anna.pk)}
    refused("sheet_person_twice", sheets.take_in, season, olga, sheet.pk, both, None)
    assert not SeasonName.objects.exists()
    take(season, olga, TOTALS, Anna=anna)
    again = sheets.read_in(season, olga, grids.read_text("Name;Total\nanna;1\nBert;2\n"))
    refused("sheet_person_twice", sheets.take_in, season, olga, again.pk, {"Bert": str(anna.pk)}, None)


def test_a_person_with_a_phone_has_the_points_after_their_own_yes(olga: Player, season: Season) -> None:
    anna, eve = guests("Anna", "Eve")
    night_of(olga, FIRST, anna, eve)
    take(season, olga, WIDE, Anna=anna)
    row = SeasonName.objects.get(name="Anna")
    assert standing_of(season).rows[0].player == -row.pk
    refused("no_question", sheet_names.answer, row.pk, eve, agrees=True)
    sheet_names.answer(row.pk, anna, agrees=True)
    assert standing_of(season).rows[0].player == anna.pk
    refused("no_question", sheet_names.answer, row.pk, anna, agrees=False)
    assert season in seasons.seasons_of(anna)


def test_after_a_no_the_name_stands_and_nobody_is_asked_again(olga: Player, season: Season) -> None:
    (anna,) = guests("Anna")
    night_of(olga, FIRST, anna)
    take(season, olga, WIDE, Anna=anna)
    sheet_names.answer(SeasonName.objects.get(name="Anna").pk, anna, agrees=False)
    assert shown(season)[0][1:3] == ("Anna", "8")
    assert not sheet_names.asked_of(anna).exists()
    take(season, olga, TOTALS)
    assert not sheet_names.asked_of(anna).exists()


def test_a_person_without_a_phone_and_the_organiser_are_not_asked(olga: Player, season: Season) -> None:
    (karl,) = guests("Opa Karl")
    night_of(olga, FIRST).memberships.create(player=karl, keeper=olga, status="in")
    take(season, olga, WIDE.replace("Anna", "Olga"), Olga=olga, Opa_Karl=karl)
    assert {row.player for row in standing_of(season).rows} == {olga.pk, karl.pk}


def test_a_name_that_was_nobodys_is_asked_about_once_somebody_without_a_phone_has_come(
    olga: Player, season: Season
) -> None:
    (karl,) = guests("Opa Karl")
    take(season, olga, WIDE)
    night_of(olga, FIRST).memberships.create(player=karl, keeper=olga)
    again = sheets.read_in(season, olga, grids.read_text(TOTALS))
    page = browser(olga).get(reverse("season_sheet_names", args=[season.public_id, again.pk])).content.decode()
    fields = form(page, "", "form_id")
    assert fields is not None
    assert {name: values for name, values in fields.items() if name.startswith(("name-", "who-"))} == {
        "name-1": ["Opa Karl"], "who-1": [str(karl.pk)],
    }  # fmt: skip
    sheets.take_in(season, olga, again.pk, {"Opa Karl": str(karl.pk)}, None)
    assert [name.player for name in SeasonName.objects.order_by("name")] == [None, karl]
    assert totals_of(season) == {"Anna": "48", "Opa Karl": "-48"}
    assert sheet_names.come_since(season, ["Opa Karl"], sheet_names.candidates(season, olga)) == {}


def test_whoever_says_so_leaves_such_a_name_nobodys(olga: Player, season: Season) -> None:
    (karl,) = guests("Opa Karl")
    take(season, olga, WIDE)
    night_of(olga, FIRST).memberships.create(player=karl, keeper=olga)
    again = sheets.read_in(season, olga, grids.read_text(TOTALS))
    sheets.take_in(season, olga, again.pk, {"Opa Karl": sheet_names.TEXT}, None)
    assert not SeasonName.objects.exclude(player=None).exists()


# Merged, deleted, own data


def test_points_follow_a_merger(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    night_of(olga, FIRST, anna)
    take(season, olga, WIDE, Anna=anna)
    merging.merge(anna, bert)
    sheet_names.answer(SeasonName.objects.get(asked=bert).pk, bert, agrees=True)
    (carl,) = guests("Carl")
    merging.merge(bert, carl)
    assert totals_of(season) == {"Carl": "8", "Opa Karl": "-8"}


def totals_of(season: Season) -> dict[str, str]:
    """Return name → total of a season."""
    return {name: total for _place, name, total, _nights in shown(season)}


def test_whose_data_are_deleted_leave_points_and_no_name(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    night_of(olga, FIRST, anna, bert)
    take(season, olga, WIDE.replace("Opa Karl", "Bert"), Anna=anna, Bert=bert)
    sheet_names.answer(SeasonName.objects.get(asked=anna).pk, anna, agrees=True)
    for player in (anna, bert):
        deletion.delete(Player.objects.get(pk=player.pk))
    assert [total for _place, _name, total, _nights in shown(season)] == ["8", "-8"]
    assert list(SeasonName.objects.values_list("name", flat=True)) == ["", ""]
    assert not SeasonName.objects.exclude(asked=None).exists()


def test_an_organiser_who_goes_leaves_the_table_and_nothing_that_waits(olga: Player, season: Season) -> None:
    take(season, olga, WIDE)
    sheets.read_in(season, olga, grids.read_text(TOTALS))
    deletion.delete(olga)
    assert list(SeasonSheet.objects.values_list("is_in", flat=True)) == [True]
    assert totals_of(season) == {"Anna": "8", "Opa Karl": "-8"}


def test_ones_own_data_have_the_points_of_tables(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    night_of(olga, FIRST, anna, bert)
    take(season, olga, WIDE, Anna=anna)
    (told,) = deletion.own_data(anna)["season_names"]
    assert (told["name"], told["confirmed"], [each["points"] for each in told["points"]]) == (
        "Anna",
        False,
        ["5.0000", "3.0000"],
    )
    assert deletion.own_data(bert)["season_names"] == []
