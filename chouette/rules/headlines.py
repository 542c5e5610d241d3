"""The evening as headlines of a big screen: several events joined into one, and what a game came to in a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from chouette.rules.events.fold import EVENTS
from chouette.rules.view_shape import Company, EndedGame, Following, View
from games.kernel.contract import Event, JsonObject, Seat
from games.kernel.words import Gain, Headline, Line

MOST_NAMED = 3
"""Most names in a headline; of more, it has their number."""


def headlines(events: Sequence[Event], view: View) -> list[Headline]:
    """Return the headlines of an entry: doubles and answers, lines of their own, results, the end."""
    is_end = any(event.type == "game_ended" for event in events)
    found = [*_doubles(events, view), *_answers(events, view), *_raises(events)]
    # The result includes a settled cube, and the next game the line.
    found += [] if is_end else _lines(events)
    return [*found, *_results(events, view), *_end(events, view)]


def _lines(events: Sequence[Event]) -> list[Headline]:
    """Return the lines that are headlines; cubes that go out by an answer are told with it."""
    shown = (e for e in events if e.type in EVENTS.kinds and EVENTS.kinds[e.type].is_headline)
    return [
        Headline(line := Line(event.type, event.data), "line", calls=[line] if event.data.get("crawford") else ())
        for event in shown
        if event.type != "cube_settled" or event.data["how"] == "settled"
    ]


def is_duel(view: Company) -> bool:
    """Tell whether two people play, not a Box against a Team."""
    return view["format"] != "chouette" or len(view["line"]) <= 2


def _doubles(events: Sequence[Event], view: View) -> Iterator[Headline]:
    for event in events:
        if event.type == "cubes_doubled":
            value = event.data["value"]
            yield Headline(Line("all_doubled", {"value": value}), rise=(value // 2, value))
        elif event.type == "doubled":
            yield _doubled(event.data, view)


def _doubled(data: JsonObject, view: View) -> Headline:
    made, values = _of_doubles(data, view), data["values"]
    return replace(made, rise=(values[0], values[0] * 2)) if len(set(values)) == 1 else made


def _of_doubles(data: JsonObject, view: View) -> Headline:
    members, values = data["members"], data["values"]
    value, is_alike, is_many = values[0] * 2, len(set(values)) == 1, len(members) > MOST_NAMED
    if (by := data.get("by")) is not None:
        return Headline(Line("doubles_for_team", {"seat": by, "value": value}))
    people = [Gain(seat, str(before * 2)) for seat, before in zip(members, values, strict=True)]
    if data["side"] == "box":
        facts = {"seat": data["box"], "value": value}
        if is_duel(view):
            return Headline(Line("doubles_to", facts))
        if not is_alike:
            return Headline(Line("doubles", {"seat": data["box"]}), people=people)
        to = Line("doubles_everybody", facts) if is_many else Line("doubles_these", {**facts, "seats": members})
        return Headline(to, people=people)
    if not is_alike:
        return Headline(Line("team_doubles"), people=people)
    if is_many:
        return Headline(Line("many_double", {"count": len(members), "value": value}), people=people)
    return Headline(Line("these_double", {"seats": members, "value": value}), people=[] if is_duel(view) else people)


def _answers(events: Sequence[Event], view: View) -> Iterator[Headline]:
    """Yield the opened answers: takes and drops."""
    if not any(event.type == "answers_opened" for event in events):
        return
    taken = [event.data for event in events if event.type == "double_taken"]
    dropped = [e.data for e in events if e.type == "cube_settled" and e.data["how"] == "dropped"]
    takes, drops = [one["member"] for one in taken], [one["member"] for one in dropped]
    is_box = any(one["owner"] == "against" for one in taken) or any(one["points"] > 0 for one in dropped)
    if is_box:
        by_take = next((one["seat"] for one in taken if one["owner"] == "against"), None)
        text: Line | None = _of_box(dropped[0]["against"] if dropped else by_take, takes, drops)
    else:
        text = _of_team(takes, drops, view)
    marks = [*(Gain(seat, "✓") for seat in takes), *(Gain(one["member"], signed(one["points"])) for one in dropped)]
    if text is not None:
        yield Headline(text, people=[] if is_duel(view) else marks)


def _of_box(box: Seat | None, takes: list[Seat], drops: list[Seat]) -> Line:
    """Return the Box's answers to the doubles of these members."""
    if takes and drops:
        return Line("takes_and_drops", {"seat": box, "takes": takes, "drops": drops})
    how = "all" if len(takes) + len(drops) > 1 else "one"
    return Line(f"{'takes' if takes else 'drops'}_{how}", {"seat": box})


def _of_team(takes: list[Seat], drops: list[Seat], view: View) -> Line | None:
    if not takes and not drops:
        return None
    if len(takes) + len(drops) > 2 and not is_duel(view) and not (takes and drops):
        return Line("everybody_takes" if takes else "everybody_drops")
    return Line("members_answer", {"takes": takes, "drops": drops})


def _raises(events: Sequence[Event]) -> Iterator[Headline]:
    for what in ("beavered", "raccooned"):
        raised = [event.data for event in events if event.type == what]
        if raised:
            who = list(dict.fromkeys(one["seat"] for one in raised))
            people = [Gain(one["member"], str(one["value"])) for one in raised]
            yield Headline(Line(f"these_{what}", {"seats": who}), people=people)


def _results(events: Sequence[Event], view: View) -> Iterator[Headline]:
    """Yield how a game ended, its points for each player, and the next Box with the reason."""
    for event in events:
        if event.type != "game_ended":
            continue
        last = view["last_game"] if view["format"] == "chouette" and view["phase"] != "over" else None
        detail = Line("following", {**last["following"]}) if last else None
        is_two = is_duel(view) and len(event.data["line_after"]) < 3
        won = result_line(event.data, is_two=is_two)
        calls = [won, *([detail] if detail else [])]
        yield Headline(won, "result", detail, gains(event.data["points"]), calls=calls)


def result_line(game: Any, *, is_two: bool) -> Line:
    """Return how a game ended: the winner, or that neither side has won, with points."""
    side = winner_of(game)
    seat = game["last_captain"] if is_two and side == "team" else game["box"]
    if not side:
        return Line("undecided", {"number": game["number"], "seat": game["box"], "points": game["points"][game["box"]]})
    how = game["reason"] if game["reason"] in ("gammon", "backgammon") else "two" if is_two else side
    return Line("game_won", {"how": how, "seat": seat, "points": game["points"][seat]})


def winner_of(game: Any) -> str:
    """Return the side that has won a game, "" if each has won cubes, or none: only the last checker decides for all."""
    if "gammon" in game["reason"] or "single" in game["reason"]:
        return str(game["winner"])
    points, box = game["points"], game["box"]
    sides = (box, game["partner"])
    is_split = any(gain * points[box] > 0 and seat not in sides for seat, gain in enumerate(points))
    return "" if not points[box] or is_split else "box" if points[box] > 0 else "team"


def gains(points: Sequence[int]) -> list[Gain]:
    """Return all points, the most first."""
    rows = sorted(((amount, seat) for seat, amount in enumerate(points) if amount), key=lambda row: -row[0])
    return [Gain(seat, signed(amount), "plus" if amount > 0 else "minus") for amount, seat in rows]


def _end(events: Sequence[Event], view: View) -> Iterator[Headline]:
    ended = view["ended"]
    if ended is not None and any(event.type == "session_ended" for event in events):
        won = Line.from_json(ended["headline"])
        yield Headline(won, "result", people=gains(view["totals"]), calls=[won])


def end_line(ended: JsonObject) -> Line:
    """Return the winner of the session or the match; `ended` as in the view."""
    if ended.get("winner") is not None and not ended["score"]:
        return Line("session_won_by", {"seat": ended["winner"]})
    if ended.get("winner") is not None:
        return Line("match_won_by", {"seat": ended["winner"], "score": ended["score"]})
    if ended["best"] <= 0:
        return Line("session_over")
    return Line("evening_won", {"seats": ended["leaders"], "points": ended["best"]})


def following_json(view: Company, last: EndedGame) -> Following:
    """Return why the next Box is the next Box (docs/rules-chouette.md §7), for its phrases."""
    roles = view["roles"]
    return {
        "why": roles["box_why"] if roles else last["why"],
        "now": roles and roles["box"],
        "next": last["line_after"][0],
        "box": last["box"],
        "captain": last["captain"],
        "stood_in": roles["captain"] if roles and roles["captain_why"] == "stood_in" else None,
    }


def signed(points: int) -> str:
    """Return points with their sign: +3, −1, 0."""
    return f"+{points}" if points > 0 else str(points).replace("-", "−")
