"""Games that were played without the house are handed over: in order, once, by whom, and after what came meanwhile."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.kernel.contract import Illegal, JsonObject
from games.models import HandOver, LogEntry, Membership, Player, Result, Table
from games.services.history import corrections, exports, results
from games.services.people import deletion, merging
from games.services.tables import handover, log
from games.services.tables.handover import HandedOver, PlayedList
from tests.tables.host.test_host_commands import act, refused
from tests.tables.test_table_pages import config_of
from tests.tables.test_wood_tables import answer
from tests.web.pages import browser_of, page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def wood(start_table: Any) -> Table:
    """A chouette of four at a real board, whose line is that of the seats, before its first game."""
    table: Table = start_table(seats=4, game="chouette", preset="wood", line_order="by_hand")
    table.refresh_from_db()
    return table


@pytest.fixture
def cup(start_table: Any) -> Table:
    """A game of mats with a real cup, of four."""
    table: Table = start_table(seats=4, game="chicago", preset="tschigg", dice="typed", entry="result")
    table.refresh_from_db()
    return table


def now(table: Table) -> Table:
    return Table.objects.select_related("night").get(pk=table.pk)


def state(table: Table) -> Any:
    return log.state_of(Table.objects.get(pk=table.pk))


def played(number: int, box: int, winner: str = "box", **more: Any) -> JsonObject:
    """Return a game of a list, as the device of a chouette has it."""
    told = {"game": {"box": box, "winner": winner, "level": "1"}, "seats": {}}
    return {"id": f"made-here-{number}", "number": number, "at": "21:14", "game": told} | more


def hand_over(table: Table, by: Player, *games: JsonObject, seq: int | None = None, **more: Any) -> HandedOver:
    seen = now(table).seq if seq is None else seq
    return handover.hand_over(table.pk, by, PlayedList(seen, handover.read([*games]), **more))


def points(table: Table) -> list[int]:
    """Return the points by seat of all results of a table."""
    found = [0] * 4
    for result in table.results.all():
        for line in result.lines.all():
            found[line.seat] += line.points
    return found


def person(table: Table, seat: int) -> Player:
    found = table.seats.get(index=seat).player
    assert found is not None
    return found


def test_games_are_entries_in_the_order_of_their_numbers_and_marked_everywhere(wood: Table, host: Player) -> None:
    found = hand_over(wood, host, played(2, 0), played(1, 0))
    assert [own_id for own_id, _ in found.written] == ["made-here-1", "made-here-2"]
    assert found.refused is None
    heads = [entry.events[0] for entry in log.entries(wood.pk, after=1)]
    assert [(head.type, head.data["number"], head.data["at"], head.data["by"]) for head in heads] == [
        ("table.handed_over", 1, "21:14", host.nickname),
        ("table.handed_over", 2, "21:14", host.nickname),
    ]
    assert [result.is_without_house for result in Result.objects.order_by("number")] == [True, True]
    assert points(wood) == [6, -2, -2, -2]
    browser = browser_of(host)
    told = browser.get("/api/results/").json()["results"]
    assert [each["without_house"] for each in told] == [True, True]
    page = browser.get(f"/night/{wood.night.public_id}/results/").content.decode()
    assert page.count("played without the house") == 2
    rows = list(csv.DictReader("".join(exports.results_csv(wood.night)).splitlines()))
    assert {row["without_house"] for row in rows} == {"1"}


def test_a_list_counts_once_however_often_and_whoever_hands_it_over(wood: Table, host: Player) -> None:
    seq = wood.seq
    games = [played(1, 0), played(2, 0)]
    first = hand_over(wood, host, games[0], seq=seq)
    again = hand_over(wood, host, *games, seq=seq)
    third = hand_over(wood, person(wood, 1), *games, seq=seq)
    assert again.written == third.written == (*first.written, ("made-here-2", seq + 2))
    assert Result.objects.count() == 2


def test_an_id_whose_game_was_another_one_is_refused(wood: Table, host: Player) -> None:
    seq = wood.seq
    hand_over(wood, host, played(1, 0), seq=seq)
    with refused("form_changed"):
        hand_over(wood, host, played(1, 0, "team"), seq=seq)
    assert Result.objects.count() == 1


def test_the_first_game_that_the_rules_refuse_stays_with_all_after_it(wood: Table, host: Player) -> None:
    found = hand_over(wood, host, played(1, 0), played(2, 3), played(3, 0))
    assert [own_id for own_id, _ in found.written] == ["made-here-1"]
    assert found.refused is not None
    assert (found.refused[0], found.refused[1].code) == ("made-here-2", "other_box")
    assert Result.objects.count() == 1


@pytest.mark.parametrize("seed", range(4))
def test_a_list_in_any_pieces_and_orders_gives_what_one_hand_over_gives(
    start_table: Any, host: Player, seed: int
) -> None:
    """Two devices with parts of one list, tried again and again: nothing is lost and nothing doubled."""
    rng = random.Random(seed)
    rules = {"seats": 4, "game": "chouette", "preset": "wood", "line_order": "by_hand"}
    at_once, in_pieces = start_table(**rules), start_table(**rules)
    games: list[JsonObject] = []
    for number in range(1, 13):
        line = state(at_once).line
        games.append(played(number, line[0], rng.choice(["box", "team"])))
        assert hand_over(at_once, host, games[-1]).refused is None
    seq = now(in_pieces).seq
    upto = 0
    while upto < len(games):
        upto = min(len(games), upto + rng.randint(0, 4))
        for _try in range(rng.randint(1, 3)):
            part = games[:upto] or games[:1]
            rng.shuffle(part)
            hand_over(in_pieces, rng.choice([host, person(in_pieces, 2)]), *part, seq=seq)
    assert in_pieces.results.count() == at_once.results.count() == 12
    assert points(in_pieces) == points(at_once)
    assert state(in_pieces).line == state(at_once).line
    assert results.differences(in_pieces, log.entries(in_pieces.pk)) == []


def test_rounds_of_a_cup_move_the_mats_as_ever(cup: Table, host: Player) -> None:
    games = [
        {"id": f"round-no-{n}", "number": n, "at": "22:05", "game": {"rounds": [{"low": low}]}}
        for n, low in enumerate([1, 1, 2], start=1)
    ]
    assert hand_over(cup, host, *games).refused is None
    assert [player.mats for player in state(cup).players] == [0, 2, 1, 0]


# Who may.


def test_at_a_table_without_a_scorekeeper_whoever_sits_there_hands_over(wood: Table) -> None:
    assert hand_over(wood, person(wood, 2), played(1, 0)).written


def test_with_a_scorekeeper_the_list_of_another_waits_and_the_host_takes_it_or_not(wood: Table, host: Player) -> None:
    act(wood, host, "scorekeeper", player=person(wood, 1).pk)
    seq = now(wood).seq
    assert hand_over(wood, person(wood, 1), played(1, 0)).written, "the scorekeeper's counts"
    found = hand_over(wood, person(wood, 2), played(2, 0))
    assert found.waits is not None and not found.written
    assert Result.objects.count() == 1
    for by in (1, 2):
        with refused("not_host"):
            handover.answer(wood.pk, found.waits, person(wood, by), "both", None)
    taken = handover.answer(wood.pk, found.waits, host, "both", None)
    assert taken.written == (("made-here-2", seq + 2),)
    assert [event.data["by"] for event in log.entries(wood.pk)[-1].events[:1]] == [person(wood, 2).nickname]
    assert not HandOver.objects.exists()


def test_a_list_that_waits_is_dropped_by_the_host_or_by_who_proposed_it(wood: Table, host: Player) -> None:
    act(wood, host, "scorekeeper", player=person(wood, 1).pk)
    for by in (host, person(wood, 2)):
        found = hand_over(wood, person(wood, 2), played(1, 0))
        assert found.waits is not None
        with refused("not_host"):
            handover.answer(wood.pk, found.waits, person(wood, 3), "house", None)
        assert handover.answer(wood.pk, found.waits, by, "house", None) == HandedOver()
        with refused("no_such_list"):
            handover.answer(wood.pk, found.waits, host, "both", None)
    assert not Result.objects.exists()


def test_the_host_takes_the_games_that_were_seen_and_no_others_in_their_place(wood: Table, host: Player) -> None:
    act(wood, host, "scorekeeper", player=person(wood, 1).pk)
    seen = hand_over(wood, person(wood, 2), played(1, 0)).waits
    assert seen is not None
    assert hand_over(wood, person(wood, 2), played(1, 0)).waits == seen, "the same list once more"
    other = hand_over(wood, person(wood, 2), played(1, 0), played(2, 0)).waits
    with refused("no_such_list"):
        handover.answer(wood.pk, seen, host, "both", None)
    assert [row.pk for row in HandOver.objects.all()] == [other]
    assert not Result.objects.exists()


def test_a_person_has_one_list_that_waits_and_a_table_ten(
    wood: Table, host: Player, make_player: Callable[[str], Player]
) -> None:
    guests = [make_player(f"Guest {number}") for number in range(11)]
    Membership.objects.bulk_create(Membership(night=wood.night, player=guest) for guest in guests)
    for guest in guests[:10]:
        assert hand_over(wood, guest, played(1, 0)).waits
    with refused("too_many_lists"):
        hand_over(wood, guests[10], played(1, 0))
    assert hand_over(wood, guests[0], played(2, 0)).waits
    assert [len(row.games) for row in HandOver.objects.filter(player=guests[0])] == [1]
    assert Result.objects.count() == 0


def test_who_has_left_the_night_proposes_nothing(wood: Table, make_player: Callable[[str], Player]) -> None:
    with refused("not_inside"):
        hand_over(wood, make_player("Stranger"), played(1, 0))


# What came meanwhile.


def _conflict(wood: Table, host: Player) -> int:
    """Let a game begin at the house after the device was cut off; return the entry that the device saw."""
    hand_over(wood, host, played(100, 0, id="at-the-house"))
    seq = now(wood).seq
    answer(wood, 0, "begin_game")
    act(wood, host, "state_result", result={"winner": "team", "level": 1})
    return seq


def test_what_the_host_alone_chooses_counts_after_a_conflict(wood: Table, host: Player) -> None:
    seq = _conflict(wood, host)
    told = hand_over(wood, host, played(1, 0), seq=seq)
    assert [entry.seq for entry in told.since] == [seq + 1, seq + 2]
    assert not told.written and Result.objects.count() == 2
    waits = hand_over(wood, person(wood, 2), played(1, 0), seq=seq)
    assert waits.waits is not None
    with refused("not_host"):
        hand_over(wood, person(wood, 2), played(1, 0), seq=seq, keep="device", upto=now(wood).seq)
    assert hand_over(wood, host, played(1, 0), seq=seq, keep="house", upto=now(wood).seq) == HandedOver()
    assert Result.objects.count() == 2


def test_the_houses_list_is_kept_also_where_nothing_has_come_since(wood: Table, host: Player) -> None:
    """The host chose on a page that had not heard yet that its list goes on from a later entry."""
    assert hand_over(wood, host, played(1, 0), keep="house", upto=now(wood).seq) == HandedOver()
    assert not Result.objects.exists()


def test_both_lists_count_one_after_the_other(wood: Table, host: Player) -> None:
    seq = _conflict(wood, host)
    box = state(wood).line[0]
    found = hand_over(wood, host, played(1, box), seq=seq, keep="both", upto=now(wood).seq)
    assert found.refused is None
    assert points(wood) == [3 if seat == box else -1 for seat in range(4)], "what was won and lost before is even"


def test_with_the_devices_list_what_came_since_is_taken_back(wood: Table, host: Player) -> None:
    seq = _conflict(wood, host)
    found = hand_over(wood, host, played(1, 0), played(2, 0, "team"), seq=seq, keep="device", upto=now(wood).seq)
    assert found.refused is None
    assert points(wood) == [3 + 3 - 3, -1 - 1 + 1, -1 - 1 + 1, -1 - 1 + 1]
    assert [len(row.transfers) > 0 for row in state(wood).sheet] == [True, True, True]
    correction = Result.objects.get(is_correction=True)
    assert correction.corrects is not None and correction.corrects.number == 2
    assert {line.stats["played"] for line in correction.corrects.lines.all()} == {0}
    assert results.differences(wood, log.entries(wood.pk)) == []


def test_a_choice_is_for_the_table_that_the_host_saw(wood: Table, host: Player) -> None:
    seq = _conflict(wood, host)
    upto = now(wood).seq
    answer(wood, state(wood).line[0], "begin_game")
    found = hand_over(wood, host, played(1, 0), seq=seq, keep="device", upto=upto)
    assert len(found.since) == 3 and not found.written


def test_where_a_game_of_the_device_is_refused_the_houses_list_stays(wood: Table, host: Player) -> None:
    seq = _conflict(wood, host)
    before = now(wood).seq
    found = hand_over(wood, host, played(1, 0), played(2, 3), seq=seq, keep="device", upto=before)
    assert found.refused is not None and found.written == ()
    assert now(wood).seq == before
    assert points(wood) == [0, 0, 0, 0]


def test_what_cannot_be_taken_back_stays(wood: Table, host: Player) -> None:
    seq = _conflict(wood, host)
    result = Result.objects.latest("number")
    corrections.correct(result, host, {0: -1, 1: 1}, "Counted wrong")
    with refused("cannot_take_back"):
        hand_over(wood, host, played(1, 0), seq=seq, keep="device", upto=now(wood).seq)


def test_games_of_the_list_that_would_go_with_the_houses_are_not_lost(wood: Table, host: Player) -> None:
    seq = _conflict(wood, host)
    box = state(wood).line[0]
    games = [played(1, box), played(2, box)]
    hand_over(wood, host, games[0], seq=seq, keep="both", upto=now(wood).seq)
    with refused("cannot_take_back"):
        hand_over(wood, host, *games, seq=seq, keep="device", upto=now(wood).seq)
    assert points(wood)[box] == 3


def test_a_conflict_of_a_list_that_waits_is_the_hosts_to_choose(wood: Table, host: Player) -> None:
    seq = _conflict(wood, host)
    found = hand_over(wood, person(wood, 2), played(1, 0), seq=seq)
    assert found.waits is not None
    told = handover.answer(wood.pk, found.waits, host, "device", None)
    assert told.since and not told.written
    taken = handover.answer(wood.pk, found.waits, host, "device", now(wood).seq)
    assert taken.written and not HandOver.objects.exists()
    assert points(wood) == [6, -2, -2, -2]


def test_what_the_house_alone_has_written_is_no_conflict(wood: Table, host: Player) -> None:
    seq = now(wood).seq
    act(wood, host, "pause")
    act(wood, host, "resume")
    assert hand_over(wood, host, played(1, 0), seq=seq).written


# Taking back.


def test_the_host_takes_back_the_last_one_while_nothing_has_come_after_it(wood: Table, host: Player) -> None:
    hand_over(wood, host, played(1, 0), played(2, 0))
    with refused("not_host"):
        act(wood, person(wood, 1), "take_back_game")
    act(wood, host, "take_back_game")
    assert points(wood) == [3, -1, -1, -1]
    with refused("not_open"):
        act(wood, host, "take_back_game")
    hand_over(wood, host, played(3, 0))
    answer(wood, 0, "begin_game")
    with refused("not_open"):
        act(wood, host, "take_back_game")


def test_a_result_is_corrected_by_the_host_like_any(wood: Table, host: Player) -> None:
    hand_over(wood, host, played(1, 0))
    corrections.correct(Result.objects.get(), host, {1: -1, 2: 1}, "Counted wrong")
    assert points(wood) == [3, -2, 0, -1]


def test_what_is_taken_back_leaves_no_correction_that_waits(wood: Table, host: Player) -> None:
    """Agreed to afterwards, it would move points of a game that counts for nothing."""
    hand_over(wood, host, played(1, 0), played(2, 0))
    for result in Result.objects.order_by("number"):
        corrections.correct(result, person(wood, 1), {1: 1, 2: -1}, "Counted wrong")
    act(wood, host, "take_back_game")
    first = Result.objects.get(number=1)
    assert [found["result"] for found in now(wood).corrections] == [first.pk]
    assert points(wood) == [3, -1, -1, -1]


# Enemies.


@pytest.mark.parametrize(
    ("games", "field"),
    [
        ([], "games"),
        ({}, "games"),
        (["x"], "games"),
        ([{**played(1, 0), "more": 1}], "games"),
        ([played(1, 0, id="short")], "id"),
        ([played(1, 0, id="x" * 33)], "id"),
        ([played(1, 0, id="with blank")], "id"),
        ([played(1, 0, id="handed:other")], "id"),
        ([played(1, 0), played(1, 0, id="another-id")], "number"),
        ([played(1, 0), played(2, 0, id="made-here-1")], "id"),
        ([played(1, 0) | {"number": True}], "number"),
        ([played(1, 0) | {"number": 0}], "number"),
        ([played(1, 0, at="half past nine, Anna says")], "at"),
        ([played(1, 0, game=[])], "game"),
    ],
)
def test_a_list_that_no_device_made_is_refused_with_its_field(games: Any, field: str) -> None:
    with pytest.raises(Illegal) as refusal:
        handover.read(games)
    assert (refusal.value.code, refusal.value.params) == ("bad_form", {"field": field})


def test_a_list_of_ten_thousand_lines_is_refused_before_anything_is_read(wood: Table, host: Player) -> None:
    with refused("too_many_games"):
        hand_over(wood, host, *[played(number, 0) for number in range(1, 10_001)])
    browser = browser_of(host)
    games = [played(number, 0) for number in range(1, 10_001)]
    told = browser.post(
        f"/api/tables/{wood.public_id}/played/", {"seq": 1, "games": games}, content_type="application/json"
    )
    assert told.status_code == 413
    assert not LogEntry.objects.filter(table=wood, seq__gt=wood.seq).exists()


@pytest.mark.parametrize("address", ["played/", "played/proposals/"])
@pytest.mark.parametrize(
    ("games", "status"),
    [
        ('[{"id": "made-here-1", "number": 1, "at": "21:14", "game": ' + "[" * 30_000 + "]" * 30_000 + "}]", 400),
        ("[" + ",".join(["{}"] * 10_000) + "]", 400),
        ('"' + "x" * 70_000 + '"', 413),
    ],
)
def test_a_list_that_is_deep_long_or_large_is_refused_and_nothing_is_written(
    wood: Table, address: str, games: str, status: int
) -> None:
    name = '"name": "Kari", ' if "proposals" in address else ""
    body = f'{{{name}"seq": 1, "games": {games}}}'
    browser = browser_of(person(wood, 2))
    told = browser.post(f"/api/tables/{wood.public_id}/{address}", body, content_type="application/json")
    assert (told.status_code, now(wood).seq) == (status, wood.seq), told.content[:300]
    assert not HandOver.objects.exists()


@pytest.mark.parametrize(
    "game",
    [
        {},
        {"rounds": 5},
        {"game": {"box": 0, "winner": "box", "level": "1"}, "seats": {"0": 5}},
        {"game": {"box": 4, "winner": "box", "level": "1"}, "seats": {}},
    ],
)
def test_a_game_that_the_hosts_page_could_not_show_never_waits(wood: Table, host: Player, game: JsonObject) -> None:
    """The host's page shows one list after the other: one that stops it would stop all after it."""
    assert _propose(Client(), wood, played(1, 0, game=game)).json()["code"] == "bad_form"
    act(wood, host, "scorekeeper", player=person(wood, 1).pk)
    with refused("bad_form"):
        hand_over(wood, person(wood, 2), played(1, 0), played(2, 0, game=game))
    assert not HandOver.objects.exists()


def test_a_guests_made_up_list_for_a_table_of_another_night_is_refused(
    wood: Table, make_player: Callable[[str], Player]
) -> None:
    told = _post(browser_of(make_player("Stranger")), wood, seq=1, games=[played(1, 0)])
    assert told.status_code in (403, 404)
    assert (now(wood).seq, HandOver.objects.count()) == (wood.seq, 0)


def test_a_list_that_waits_is_answered_at_its_own_table_alone(wood: Table, start_table: Any, host: Player) -> None:
    act(wood, host, "scorekeeper", player=person(wood, 1).pk)
    other = start_table(seats=4, game="chouette", preset="wood", line_order="by_hand")
    found = hand_over(wood, person(wood, 2), played(1, 0))
    assert found.waits is not None
    for keep in ("both", "house"):
        with refused("no_such_list"):
            handover.answer(other.pk, found.waits, host, keep, None)
    assert HandOver.objects.count() == 1
    assert not Result.objects.exists()


@pytest.mark.parametrize("seq", [0, 999])
def test_an_entry_that_the_table_does_not_have_is_none_that_a_device_saw(wood: Table, host: Player, seq: int) -> None:
    with refused("bad_form"):
        hand_over(wood, host, played(1, 0), seq=seq)


def test_as_many_games_as_a_device_keeps_are_handed_over_at_once(wood: Table, host: Player) -> None:
    seats = {str(seat): {"winner": "box", "level": "2"} for seat in range(1, 3)} | {"3": {"cube": "2"}}
    games = [
        played(
            number, 0, id=f"g-{number:018}", game={"game": {"box": 0, "winner": "box", "level": "1"}, "seats": seats}
        )
        for number in range(1, handover.MOST_GAMES + 1)
    ]
    assert len(json.dumps(games)) > 32 * 1024
    told = _post(browser_of(host), wood, seq=1, games=games)
    assert (told.status_code, len(told.json()["written"])) == (200, handover.MOST_GAMES), told.content[:300]
    asked = _post(browser_of(host), wood, seq=1, games=games, asks=True).json()
    assert len(asked["written"]) == wood.results.count() == handover.MOST_GAMES


def test_ids_of_another_table_are_other_games(wood: Table, start_table: Any, host: Player) -> None:
    other = start_table(seats=4, game="chouette", preset="wood", line_order="by_hand")
    hand_over(wood, host, played(1, 0))
    hand_over(other, host, played(1, 0))
    assert [table.results.count() for table in (wood, other)] == [1, 1]


def test_a_table_on_the_screen_waits_for_the_house_and_says_so(start_table: Any, host: Player) -> None:
    table = start_table(seats=3, game="chouette", preset="german")
    with refused("not_without_house"):
        hand_over(table, host, played(1, 0))
    told = browser_of(host).get(f"/api/tables/{table.public_id}/played/").json()
    assert (told["form"], told["schema"]) == (None, None)


def test_a_table_that_waits_is_paused_or_over_takes_nothing(wood: Table, host: Player) -> None:
    act(wood, host, "pause")
    with refused("paused"):
        hand_over(wood, host, played(1, 0))
    act(wood, host, "resume")
    act(wood, host, "close")
    with refused("finished"):
        hand_over(wood, host, played(1, 0))


# By program.


def _post(browser: Client, table: Table, **body: Any) -> Any:
    return browser.post(f"/api/tables/{table.public_id}/played/", body, content_type="application/json")


def test_a_device_reads_the_form_and_hands_over_by_the_api(wood: Table, host: Player) -> None:
    browser = browser_of(host)
    told = browser.get(f"/api/tables/{wood.public_id}/played/", headers={"accept-language": "de"}).json()
    assert [field["id"] for field in told["form"]["game"]] == ["box", "winner", "level"]
    assert {word["label"] for word in told["form"]["game"][2]["words"]} == {"einfach", "Gammon", "Backgammon"}
    assert told["schema"]["properties"]["game"]["required"] == ["box", "winner", "level"]
    assert (told["seq"], told["enters"], told["waiting"]) == (wood.seq, True, [])
    found = _post(browser, wood, seq=told["seq"], games=[played(1, 0), played(2, 2)]).json()
    assert found["written"] == [{"id": "made-here-1", "entry": told["seq"] + 1}]
    assert found["refused"]["code"] == "other_box"
    assert found["refused"]["message"].startswith("By the rules")
    assert _post(browser, wood, seq=1, games=[played(1, 0, id="x")]).json()["code"] == "bad_form"


def test_the_host_sees_the_lists_that_wait_and_answers_by_the_api(wood: Table, host: Player) -> None:
    act(wood, host, "scorekeeper", player=person(wood, 1).pk)
    guest, browser = browser_of(person(wood, 2)), browser_of(host)
    found = _post(guest, wood, seq=now(wood).seq, games=[played(1, 0)]).json()
    address = f"/api/tables/{wood.public_id}/played/"
    assert guest.get(address).json()["enters"] is False
    assert [one["id"] for one in guest.get(address).json()["waiting"]] == [found["waits"]]
    assert browser_of(person(wood, 3)).get(address).json()["waiting"] == []
    (waiting,) = browser.get(address).json()["waiting"]
    assert (waiting["by"]["name"], waiting["conflict"]) == (person(wood, 2).nickname, False)
    taken = browser.post(f"{address}{waiting['id']}/", {"keep": "both"}, content_type="application/json")
    assert taken.json()["written"]
    assert browser.get(address).json()["waiting"] == []


def test_who_leaves_for_good_leaves_no_list(wood: Table, make_player: Callable[[str], Player]) -> None:
    guest = make_player("Guest")
    Membership.objects.create(night=wood.night, player=guest)
    hand_over(wood, guest, played(1, 0))
    deletion.delete(guest)
    assert not HandOver.objects.exists()


def test_the_list_that_waits_goes_along_where_two_players_are_joined(
    wood: Table, host: Player, make_player: Callable[[str], Player]
) -> None:
    """The page of the joined player looks for no list of the other one: nobody would hand it over again."""
    guest, account = make_player("Guest"), make_player("Kari")
    Membership.objects.create(night=wood.night, player=guest)
    found = hand_over(wood, guest, played(1, 0))
    assert found.waits is not None
    merging.merge(guest, account)
    assert HandOver.objects.get().player == account
    assert handover.answer(wood.pk, found.waits, host, "both", None).written


def test_a_page_names_the_lists_that_its_device_kept_before_two_players_were_joined(
    wood: Table, make_player: Callable[[str], Player]
) -> None:
    guest, account = make_player("Guest"), make_player("Kari")
    for player in (guest, account):
        Membership.objects.create(night=wood.night, player=player)
    before = config_of(browser_of(guest), page_of(wood))
    assert before["joined"] == []
    merging.merge(guest, account)
    after = config_of(browser_of(account), page_of(wood))
    assert after["joined"] == [before["outbox"]]
    assert after["outbox"] != before["outbox"]


# From another address of the house, where the device is nobody.


def _propose(browser: Client, table: Table, *games: JsonObject, name: str = "Kari", **more: Any) -> Any:
    sent = {"name": name, "seq": now(table).seq, "games": [*games], **more}
    return browser.post(f"/api/tables/{table.public_id}/played/proposals/", sent, content_type="application/json")


def test_a_device_that_is_nobody_here_proposes_and_the_host_sees_who_they_say_they_are(
    wood: Table, host: Player
) -> None:
    seq = wood.seq
    assert _propose(Client(), wood, played(1, 0), name=" Kari ").status_code == 204
    assert Result.objects.count() == 0
    browser, address = browser_of(host), f"/api/tables/{wood.public_id}/played/"
    (waiting,) = browser.get(address).json()["waiting"]
    assert waiting["by"] == {"player": None, "name": "Kari"}
    assert "Kari" in browser.get(f"/night/{wood.night.public_id}/").content.decode()
    assert browser_of(person(wood, 1)).get(address).json()["waiting"] == []
    with refused("not_host"):
        handover.answer(wood.pk, waiting["id"], person(wood, 1), "both", None)
    taken = handover.answer(wood.pk, waiting["id"], host, "both", None)
    assert taken.written == (("made-here-1", seq + 1),)
    (head, *_rest) = log.entries(wood.pk)[-1].events
    assert (head.data["by"], head.data["by_player"]) == (host.nickname, host.pk), "who takes it answers for it"


def test_games_that_came_by_both_addresses_count_once(wood: Table, host: Player) -> None:
    seq = wood.seq
    _propose(Client(), wood, played(1, 0), played(2, 0), seq=seq)
    hand_over(wood, host, played(1, 0), played(2, 0), seq=seq)
    row = HandOver.objects.get()
    assert len(handover.answer(wood.pk, row.pk, host, "both", None).written) == 2
    assert Result.objects.count() == 2


def test_a_member_proposes_as_themselves_whatever_name_they_say(wood: Table, host: Player) -> None:
    assert _propose(browser_of(person(wood, 2)), wood, played(1, 0), name=host.nickname).status_code == 204
    assert HandOver.objects.get().player == person(wood, 2)
    assert Result.objects.count() == 0, "a page of another address writes nothing at once"


def test_a_device_has_one_list_and_strangers_fill_no_places_of_members(
    wood: Table, make_player: Callable[[str], Player]
) -> None:
    for again in range(3):
        assert _propose(Client(), wood, played(1, 0), played(2, again)).status_code == 204
    assert HandOver.objects.count() == 1
    for number in range(3):
        assert _propose(Client(), wood, played(1, 0, id=f"of-device-{number}")).status_code == 204
    told = _propose(Client(), wood, played(1, 0, id="of-a-fifth-one"))
    assert told.json()["code"] == "too_many_lists"
    guest = make_player("Guest")
    Membership.objects.create(night=wood.night, player=guest)
    assert hand_over(wood, guest, played(1, 0)).waits


def test_who_was_shown_the_door_proposes_nothing(wood: Table) -> None:
    shown = person(wood, 3)
    Membership.objects.filter(player=shown).update(status=Membership.Status.KICKED)
    assert _propose(browser_of(shown), wood, played(1, 0)).json()["code"] == "removed"


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"name": ""}, "bad_field"),
        ({"name": "\u202ekari"}, "nickname_characters"),
        ({"name": "x" * 25}, "nickname_long"),
        ({"seq": 10**6}, "bad_form"),
        ({"games": []}, "bad_form"),
        ({"keep": "device"}, "bad_field"),
    ],
)
def test_a_made_up_proposal_is_refused_with_a_code(wood: Table, sent: JsonObject, code: str) -> None:
    told = _propose(Client(), wood, played(1, 0), **sent)
    assert (told.status_code >= 400, told.json()["code"]) == (True, code)
    assert not HandOver.objects.exists()


def test_proposals_of_an_address_are_so_many_in_a_minute(wood: Table) -> None:
    answers = [_propose(Client(), wood, played(1, 0)).status_code for _try in range(11)]
    assert answers == [204] * 10 + [429]


def test_no_page_of_another_origin_can_propose(wood: Table) -> None:
    """A form cannot say that it sends JSON; a script that does is asked first, and nothing answers it."""
    address = f"/api/tables/{wood.public_id}/played/proposals/"
    asked = Client().options(
        address,
        headers={
            "origin": "http://enemy.example",
            "access-control-request-method": "POST",
            "access-control-request-headers": "content-type",
        },
    )
    assert not [name for name in asked.headers if name.lower().startswith("access-control")]
    body = '{"name": "Kari", "seq": 1, "games": []}'
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        told = Client().post(address, body, content_type=kind)
        assert told.status_code == 415
    crossed = browser_of(person(wood, 1), enforce_csrf_checks=True).post(address, body, content_type="application/json")
    assert crossed.json()["code"] == "no_csrf"


def test_the_page_of_the_new_address_knows_of_no_table(wood: Table, host: Player) -> None:
    for browser in (Client(), browser_of(host)):
        page = browser.get("/handed/").content.decode()
        assert wood.public_id not in page and wood.night.name not in page


# What a device asks afterwards.


def test_a_device_asks_which_of_its_games_stand_in_the_log(wood: Table, host: Player) -> None:
    hand_over(wood, host, played(1, 0))
    before = now(wood).seq
    told = _post(browser_of(host), wood, seq=1, games=[played(1, 0), played(2, 0)], asks=True).json()
    assert [one["id"] for one in told["written"]] == ["made-here-1"]
    assert now(wood).seq == before
    act(wood, host, "close")
    told = _post(browser_of(host), wood, seq=1, games=[played(1, 0)], asks=True).json()
    assert [one["id"] for one in told["written"]] == ["made-here-1"], "also when the table is over"


def test_the_second_of_two_devices_is_told_what_has_come_since(wood: Table, host: Player) -> None:
    """Both went on without the house: the one that comes second learns so while the host decides."""
    seq = wood.seq
    hand_over(wood, person(wood, 1), played(1, 0), seq=seq)
    told = _post(browser_of(person(wood, 2)), wood, seq=seq, games=[played(1, 0, id="of-the-second")]).json()
    assert told["waits"] is not None and not told["written"]
    assert person(wood, 1).nickname in told["since"][0]["events"][0]["text"]
