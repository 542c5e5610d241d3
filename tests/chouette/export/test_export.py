"""Files for other programs hold every play, cube and result of a member against the Box."""

import random

import pytest

from chouette.board.position import swap
from chouette.export import files as export_files
from chouette.export import mat, sgf
from chouette.rules import rules
from chouette.rules.options.declaration import OPTIONS
from tests.chouette.botplay import session
from tests.chouette.export import mat_reader, sgf_reader
from tests.chouette.sessions import Session, house_rules
from tests.chouette.table import LONG_RACE, Table

NAMES = ("Anna", "Bert", "Carla", "Dirk", "Edda", "Fritz")


def told(log, member):
    """Return what the log says of a member's games: positions after each play, and the result.

    In the member's view, up to the moment at which the cube that is followed is out.
    """
    found = []
    for event in (event for entry in log for event in entry.events):
        data = event.data
        if event.type == "game_started":
            box, *team = data["line"]
            members = [seat for seat in team if seat != data["partner"]]
            follows = box == member or member in members
            is_open = follows
            if follows:
                cube = members.index(team[0] if member == box else member)
                found.append({"number": data["number"], "positions": [], "result": None})
        elif not found or not is_open:
            continue
        elif event.type == "play_made":
            position = tuple(data["position"])
            found[-1]["positions"].append(position if member == box else swap(position))
        elif event.type == "play_taken_back":
            found[-1]["positions"].pop()
        elif event.type == "cube_settled" and data["cube"] == cube:
            is_open = False
            found[-1]["result"] = -data["points"] if member == box else data["points"]
            found[-1]["how"] = data["how"]
    return found


def check(options, seats, log, member):
    """Read both files back and hold them to the log; return the games and the matches."""
    games = told(log, member)
    match = mat_reader.read(mat(options, seats, log, member, NAMES))
    trees = sgf_reader.read(sgf(options, seats, log, member, NAMES))
    assert [tree.info["game"] for tree in trees] == [game["number"] for game in games]
    usual = {game.number: game for game in match.games}
    score = [0, 0]
    for game, tree in zip(games, trees, strict=True):
        assert tree.positions == game["positions"]
        assert [tree.info["ws"], tree.info["bs"]] == score
        hold_result(game, tree.root["RE"][0])
        if game["number"] in usual:
            written = usual[game["number"]]
            assert written.positions == game["positions"]
            assert list(written.score) == score
            hold_wins(game, written, match.comments)
        else:
            assert "AE" in tree.nodes[1] or "CO" in tree.nodes[1]
        if game["result"]:
            score[game["result"] < 0] += abs(game["result"])
    return games, match


def hold_result(game, written):
    if game["result"] is None:
        assert written == "?"
    elif game["result"] == 0:
        assert written == "0"
    else:
        side, gave_up = "WB"[game["result"] < 0], game["how"] in ("resigned", "left")
        assert written == f"{side}+{abs(game['result'])}{'R' * gave_up}"


def hold_wins(game, written, comments):
    if written.won is not None:
        side, points = written.won
        assert (points if side == 0 else -points) == game["result"]
    elif game["result"] is None:
        assert f"Game {game['number']}: It was not finished." in comments
    else:
        assert game["how"] == "settled"
        assert f"Game {game['number']}: It brought {game['result']:+d} (settled)." in comments


def random_session(seed, start=None):
    """Play a random session with players coming and going; every seat has its files."""
    rng = random.Random(seed)
    options = {**house_rules(rng), "bot_plays_on": seed % 2 == 0}
    if start is not None:
        options["start_position"] = start
    table = Session(rng, options, rng.choice([3, 4, 4, 5]))
    for _ in range(rng.randint(60, 160)):
        if rules.is_over(table.state):
            break
        name = rng.choice(["join", "leave"]) if rng.random() < 0.02 else ""
        if not name or not table.house(name):
            table.act()
    return table


@pytest.mark.parametrize("start", [None, "start"])
def test_random_sessions_are_read_back_play_by_play(start):
    hows = set()
    for seed in range(45):
        table = random_session(seed, start)
        for member in range(len(table.state.players)):
            games, _ = check(table.options, table.seats, table.log, member)
            hows |= {game.get("how") for game in games}
    assert {"dropped", "settled", "resigned", "left", "beaver_dropped"} <= hows


def test_whole_games_of_bots_are_read_back():
    for preset, seats in (("club", 4), ("german", 3), ("money", 2)):
        table = session(OPTIONS.values(preset), ["net"] * seats, 2, 3, asides=False)
        hows = set()
        for member in range(seats):
            hows |= {game["how"] for game in check(table.options, seats, table.log, member)[0]}
        assert len(hows) > 1


def test_a_match_has_its_length_its_scores_and_the_crawford_game():
    options = OPTIONS.values("match", {"match_length": 5})
    for seed in range(3):
        table = session(options, ["net", "noisy"], seed, 99, asides=False)
        score = rules.view(table.state, None)["score"]
        _, match = check(options, 2, table.log, 0)
        assert match.length == 5
        assert '[Crawford "On"]' in match.comments
        last = match.games[-1]
        side, points = last.won
        assert last.is_last and not any(game.is_last for game in match.games[:-1])
        assert last.score[side] + points >= 5
        assert last.score[1 - side] == min(score)
        trees = sgf_reader.read(sgf(options, 2, table.log, 0, NAMES))
        crawford = [tree for tree in trees if tree.root["RU"] == ["Crawford:CrawfordGame"]]
        leads = [max(t.info["ws"], t.info["bs"]) for t in crawford]
        assert leads in ([], [4])
        assert all(tree.nodes[1].get("CO") == ["n"] and not tree.said for tree in crawford)


def files(table, who):
    args = (table.options, table.opened_with, table.log, table.seat(who), NAMES)
    return mat(*args), sgf(*args)


def test_a_beaver_is_written_and_taken_by_the_roll_that_follows():
    table = Table("BCA", "club")
    table.start(1, 2)
    table.move()
    table.next_turn()
    table.double("C")
    table.box_takes("C", beavers="C")
    table.reply("C", "C", "raccoon")
    table.reply("B", "C", "accept")
    table.play(3, 1)
    text, tree = files(table, "C")
    (game,) = mat_reader.read(text).games
    said = [cell for _, cell in game.cells if ":" not in cell]
    assert said == ["Doubles => 2", "Beavers => 4", "Raccoons => 8", "Takes"]
    (read,) = sgf_reader.read(tree)
    assert read.said == ["W double", "B double", "W double", "B take"]


def test_a_dropped_beaver_is_a_take_and_a_resignation_with_the_truth_beside_it():
    table = Table("BCA", "club", sole_captain_beaver=False)
    table.start(1, 2)
    table.move()
    table.next_turn()
    table.double("C")
    table.box_takes("C", beavers="C")
    table.reply("C", "C", "drop")
    text, tree = files(table, "C")
    match = mat_reader.read(text)
    assert match.games[0].won == (1, 2)
    assert "Game 1: It brought -2 (beaver dropped)." in match.comments
    (read,) = sgf_reader.read(tree)
    assert read.said == ["W double", "B double", "W drop"]
    assert read.root["RE"] == ["B+2"]


def test_automatics_stand_in_sgf_as_the_cubes_value_and_in_mat_among_the_comments():
    table = Table("BCA", automatics="limit")
    table.start(4, 4)
    table.start(6, 1)
    table.move()
    table.next_turn()
    table.offer("CA")
    table.answers(C=False, A=True)
    text, tree = files(table, "C")
    match = mat_reader.read(text)
    assert "Game 1: Automatic double: the cubes are at 2." in match.comments
    assert match.games[0].won == (1, 2)
    (read,) = sgf_reader.read(tree)
    assert read.nodes[1] == {"CV": ["2"]}
    assert "Game 1: after line 2: Anna's cube is taken." in match.comments


def test_what_the_columns_cannot_hold_is_in_the_comments():
    table = Table("BCA")
    table.start(6, 1)
    table.move("13/7 8/7")
    table.do("A", "propose", cube=table.cube("A"), points=1)
    table.do("B", "answer_proposal", cube=table.cube("A"), accept=True)
    text, tree = files(table, "A")
    comments = mat_reader.read(text).comments
    assert "Game 1: It brought +1 (settled)." in comments
    assert "Game 1: after line 1: Anna's cube: +1 (settled)." in mat_reader.read(files(table, "C")[0]).comments
    assert "Settled for +1." in tree


def test_a_correction_is_told_with_its_reason():
    table = Table("BCA", position=LONG_RACE)
    table.start()
    table.do("B", "resign", level=1)
    table.do("C", "answer_resignation", accept=True)
    table.do("A", "answer_resignation", accept=True)
    table.do("A", "correct", payer=0, payee=1, points=2, reason="Counted [wrong]: twice")
    text, tree = files(table, "A")
    assert "; Correction by Anna: Anna pays Bert 2 (Counted [wrong]: twice)." in text
    read = sgf_reader.read(tree)[-1]
    assert "Anna pays Bert 2 (Counted [wrong]: twice)" in read.root["GC"][0]


def test_nothing_that_only_some_may_know_is_in_a_file():
    table = Table("BCAD")
    table.start(1, 6)
    table.do("A", "say", text="I would take.")
    table.do("A", "suggest", play="13/7 8/7")
    table.do("A", "propose", cube=table.cube("A"), points=-3)
    table.move("24/23 13/7")
    for who in "ABCD":
        for text in files(table, who):
            assert "I would" not in text and "-3" not in text and "8/7" not in text


def test_names_stay_on_their_line():
    names = ("Anna: 7", "B(e]rt\n Game 9", "", "Dirk")
    table = Table("BCAD")
    table.start(6, 1)
    table.move()
    for member in range(4):
        text = mat(table.options, 4, table.log, member, names)
        match = mat_reader.read(text)
        assert match.games[0].number == 1
        sgf_reader.read(sgf(table.options, 4, table.log, member, names))


def test_who_took_no_part_has_a_file_without_games():
    table = Table("BCA")
    assert mat_reader.read(files(table, "A")[0]).games == []
    assert files(table, "A")[1] == ""


def test_everybody_who_took_part_has_both_files_and_two_need_one_pair():
    table = Table("BCA")
    table.start(6, 1)
    whose = ("as-anna-o", "as-bert-x", "as-seat-3")
    names = ("Anna Ö.", "Bert/../x", "", "Dirk who came late")
    found = export_files(table.options, 3, names, table.log)
    assert set(found) == {f"{stem}.{ending}" for stem in whose for ending in ("mat", "sgf")}
    assert mat_reader.read(found["as-bert-x.mat"]).length == 0
    match = Table("AB", "match")
    match.start(6, 1)
    assert set(export_files(match.options, 2, NAMES, match.log)) == {"anna-bert.mat", "anna-bert.sgf"}


def test_files_of_people_with_one_name_are_told_apart_by_their_seats():
    table = Table("BCA")
    table.start(6, 1)
    found = export_files(table.options, 3, ("Jo", "jo!", "Иван"), table.log)
    assert {name for name in found if name.endswith(".mat")} == {"as-jo-1.mat", "as-jo-2.mat", "as-seat-3.mat"}
