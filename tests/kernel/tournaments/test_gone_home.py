"""Who has gone home: what follows from it in the standing at the end, and nothing before it."""

from __future__ import annotations

import pytest

from games.kernel.tournaments.answers import answer
from tests.kernel.tournaments.nights import Json, Night


def begun(format_: Json, people: int) -> Night:
    """Return a night whose first matches have begun."""
    night = Night(format_, people, 3)
    night.add("start")
    return night


def play_until(night: Night, name: str, count: int) -> None:
    """Play until a person has ended so many matches and is not playing."""
    for found in night.steps():
        mine = [m for m in found["state"]["matches"] if name in m["players"]]
        if sum(m["status"] == "done" for m in mine) == count and all(m["status"] == "done" for m in mine):
            return


def standing(found: Json) -> dict[str, Json]:
    return {row["player"]: row for row in found["standing"]}


def leave(night: Night, name: str, count: int) -> None:
    """Let a person go home after so many matches."""
    play_until(night, name, count)
    night.add("withdraw", player=name, when="now")


ROUND_ROBINS: list[Json] = [{"kind": "round_robin", "tie": "lot"}, {"kind": "schedule", "matches": 6}]


@pytest.mark.parametrize("format_", ROUND_ROBINS)
def test_who_has_played_less_than_half_leaves_the_standing_for_everybody_and_stays_among_the_matches(
    format_: Json,
) -> None:
    night = begun(format_, 8)
    leave(night, "p0", 2)
    found = night.play()
    played = [m for m in found["state"]["matches"] if "p0" in m["players"]]
    assert len(played) == 2 and all(m["winner"] for m in played)
    rows = standing(found)
    assert found["standing"][-1] == {"player": "p0", "place": 8, "wins": 0, "losses": 0}
    for name, row in rows.items():
        mine = [m for m in found["state"]["matches"] if name in m["players"] and "p0" not in m["players"]]
        assert row["wins"] == (0 if name == "p0" else sum(m["winner"] == name for m in mine if m["round"]))
    # As they were played: in the state, and so in all that is drawn.
    state = next(each for each in found["state"]["players"] if each["player"] == "p0")
    assert state["wins"] + state["losses"] == 2
    (gone,) = found["gone"]
    assert (gone["player"], gone["counts"], gone["is_final"], gone["played"]) == ("p0", False, True, 2)


@pytest.mark.parametrize("format_", ROUND_ROBINS)
def test_who_has_played_half_loses_the_others_without_points(format_: Json) -> None:
    night = begun(format_, 8)
    leave(night, "p0", 4)
    of = 7 if format_["kind"] == "round_robin" else 6
    found = night.play()
    row = standing(found)["p0"]
    won = sum(m["winner"] == "p0" for m in found["state"]["matches"])
    assert (row["wins"], row["losses"]) == (won, of - won)
    assert sum(each["wins"] for each in found["standing"]) == sum(each["losses"] for each in found["standing"])
    assert [(each["of"], each["counts"]) for each in found["gone"]] == [(of, True)]
    # A walkover is no match.
    assert len([m for m in found["state"]["matches"] if "p0" in m["players"]]) == 4


def test_of_two_who_have_both_gone_both_lose_what_was_between_them() -> None:
    night = begun({"kind": "round_robin", "tie": "lot"}, 5)
    play_until(night, "p0", 2)
    met = {name for m in night.ask()["state"]["matches"] if "p0" in m["players"] for name in m["players"]}
    other = next(name for name in ("p1", "p2", "p3", "p4") if name not in met)
    night.add("withdraw", player="p0", when="now")
    play_until(night, other, 3)
    night.add("withdraw", player=other, when="now")
    found = night.play()
    rows = standing(found)
    assert rows["p0"]["wins"] + rows["p0"]["losses"] == 4
    assert rows[other]["wins"] + rows[other]["losses"] == 4


def test_until_the_end_the_standing_is_as_played_and_who_comes_back_plays_on() -> None:
    night = begun({"kind": "round_robin", "tie": "lot"}, 6)
    leave(night, "p0", 1)
    found = night.ask()
    won = sum(m["winner"] == "p0" for m in found["state"]["matches"])
    assert (standing(found)["p0"]["wins"], found["gone"][0]["is_final"]) == (won, False)
    night.add("return", player="p0")
    found = night.play()
    assert "gone" not in found
    assert all(row["wins"] + row["losses"] == 5 for row in found["standing"])


def test_a_running_match_goes_to_the_other_as_ever() -> None:
    night = begun({"kind": "round_robin"}, 6)
    while not night.confirm(night.ask()["proposals"]):
        pass
    match = next(m for m in night.ask()["state"]["matches"] if "p0" in m["players"])
    night.add("withdraw", player="p0", when="now")
    found = next(m for m in night.ask()["state"]["matches"] if m["id"] == match["id"])
    assert found["winner"] == next(name for name in match["players"] if name != "p0")


def test_what_was_settled_when_the_next_phase_began_stays() -> None:
    format_ = {"phases": [{"kind": "round_robin", "tie": "lot"}, {"kind": "knockout"}], "advance": [2]}
    night = begun(format_, 6)
    leave(night, "p0", 1)
    while night.ask()["state"]["phase"] == 0:
        if not night.confirm(night.ask()["proposals"]):
            night.wait_until(night.ask()["proposals"], night.ask()["state"])
    before = standing(night.ask())["p0"]
    night.add("return", player="p0")
    assert standing(night.ask())["p0"] == before
    assert before["wins"] == before["losses"] == 0


def test_an_open_end_places_who_has_played_half_the_median_and_the_others_behind() -> None:
    night = begun({"kind": "open_end", "last_start": 120, "cup": 2}, 9)
    leave(night, "p0", 1)
    found = night.ask()
    assert standing(found)["p0"]["place"] < 9 or not found["standing"][-1]["wins"]
    while night.ask()["state"]["phase"] == 0:
        found = night.ask()
        if not night.confirm(found["proposals"]):
            night.wait_until(found["proposals"], found["state"])
    cup = night.ask()
    assert cup["standing"][-1]["player"] == "p0" and cup["gone"][0]["is_final"]
    assert all(p["status"] != "withdrawn" for p in cup["state"]["players"] if p["player"] in night.log[-1]["players"])


def test_everybody_who_goes_home_after_the_last_match_was_there_at_the_end() -> None:
    night = begun({"kind": "open_end", "last_start": 90}, 6)
    for found in night.steps():
        if night.now > 90 and not night.running(found["state"]):
            break
    before = standing(night.ask())
    for name in list(before):
        night.now += 1
        night.add("withdraw", player=name, when="now")
    assert standing(night.ask()) == before


@pytest.mark.parametrize("format_", [*ROUND_ROBINS, {"kind": "open_end", "last_start": 90}])
def test_a_tournament_that_began_with_an_earlier_version_is_played_by_its_rules(format_: Json) -> None:
    night = begun(format_, 8)
    night.version = 3
    leave(night, "p0", 1)
    found = night.play()
    assert "gone" not in found
    won = sum(m["winner"] == "p0" for m in found["state"]["matches"])
    assert standing(found)["p0"]["wins"] == won
    named = [entry | {"version": 4} if "version" in entry else entry for entry in night.log]
    asked = {"format": format_, "log": named, "now": night.now, "seed": night.seed}
    assert "gone" in answer(asked)
