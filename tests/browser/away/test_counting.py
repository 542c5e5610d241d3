"""What a page counts while its house is away is what the rules count of the same games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from chicago.rules import rules as chicago_rules
from chouette.rules import rules as chouette_rules
from chouette.rules.state import lineup, playing
from games.kernel.contract import Command, JsonObject
from games.kernel.simulate import RandomDice, open_choices
from games.services.logs import event_texts
from tests.browser.pages.test_unit import SITE, answer
from tests.browser.people import close_context
from tests.chicago.turns.test_played_rounds import _with_fields, cup, tell, told_of
from tests.chouette.wood.test_played import told, wood

pytestmark = pytest.mark.browser

COUNT = """async ([module, view, seats, games]) => {
    const found = (await import(module)).countPlayed(view, seats, games), { next } = found;
    const others = next.among.map((box) => [box, next.members?.({ box })]);
    return { ...found, next: { ...next, members: next.members?.(next.game), others: Object.fromEntries(others) } };
}"""
ROTATIONS = ("captain_result", "last_man_standing", "game_result")


@pytest.fixture
def page(chrome: Browser) -> Iterator[Page]:
    """A page that can import every module, without a house."""
    context = chrome.new_context()
    context.route("**/*", answer)
    page = context.new_page()
    page.goto(f"{SITE}/")
    page.evaluate("(sentences) => Object.assign(django, { sentences })", event_texts.sentences_of("chicago"))
    yield page
    close_context(context)


def counted(page: Page, module: str, view: Any, games: list[JsonObject], count: int) -> Any:
    """Return what a page counts of games, from the view that it had when the house was lost."""
    seats = [{"seat": n, "name": "ABCDEFGHIJ"[n], "player": n, "bot": ""} for n in range(count)]
    return page.evaluate(COUNT, [f"/static/{module}", view, seats, games])


def any_game(table: Any, rng: random.Random) -> JsonObject:
    """Return a game as people tell it: cubes, some members out before the end, and now and then a tie.

    Now and then somebody sits it out, and the Box is passed on.
    """
    line = [table.names[seat] for seat in lineup(table.state)]
    sitter = rng.choice(line[1:]) if len(line) > 2 and rng.random() < 0.3 else ""
    line = [name for name in line if name != sitter]
    box = rng.choice(line) if rng.random() < 0.2 else line[0]
    members = [name for name in line if name != box]
    # No lower than ties and a carried double make them at the start.
    seats: dict[str, Any] = {name: {"cube": str(2 ** rng.randint(3, 5))} for name in members if rng.random() < 0.6}
    outs = rng.sample(members, rng.randrange(len(members))) if rng.random() < 0.5 else []
    for name in outs:
        seats.setdefault(name, {})["winner"] = rng.choice(["box", "team"])
        if rng.random() < 0.3:
            seats[name]["level"] = "2"
    if sitter:
        seats[sitter] = {"sits_out": "yes"}
    more: dict[str, Any] = {"box": box} | ({"ties": rng.randint(1, 2)} if rng.random() < 0.3 else {})
    if any(choice.name == "automatic" for choice in chouette_rules.choices(table.state, table.seat(box))):
        more["carried"] = rng.choice(["yes", "no"])
    return told(table, rng.choice(["box", "team"]), rng.randint(1, 3), seats, **more)


@pytest.mark.parametrize("seed", range(12))
def test_an_evening_of_a_chouette_is_counted_as_by_its_rules(page: Page, seed: int) -> None:
    rng = random.Random(seed)
    line = "ABCDEF"[: rng.randint(3, 6)]
    rules = {"jacoby": rng.random() < 0.5, "must_break_even": rng.random() < 0.5, "rotation": ROTATIONS[seed % 3]}
    automatics = rng.choice(["limit", "carry_over"])
    table = wood(line, automatics=automatics, automatics_limit=2, may_decline_box=True, **rules)
    if rng.random() < 0.3:
        table.do(rng.choice(line[2:]), "sit_out", on=True)
    more: JsonObject = {}
    if rng.random() < 0.6:
        table.do(table.box, "begin_game")
        members = "".join(table.names[seat] for seat in playing(table.state).line[1:])
        known = rng.randrange(3)
        for _tie in range(known):
            table.do(table.box, "tie")
        if rng.random() < 0.5:
            table.offer(members)
            table.answers(**{name: rng.random() < 0.7 or name == members[0] for name in members})
        elif known < 2:
            more = {"ties": 2}
    view, games = chouette_rules.view(table.state, None), []
    is_running = table.state.phase == "playing"
    for _number in range(10):
        game = any_game(table, rng)
        if is_running and not games:
            game = {
                **game,
                "seats": {},
                "game": {"box": playing(table.state).line[0], "winner": "team", "level": "2"} | more,
            }
        games.append(game)
        table.do(None, "played", **game)
        found = counted(page, "chouette/wood/counting.js", view, games, len(line))
        now = chouette_rules.view(table.state, None)
        assert found["next"]["among"] == now["line"]
        assert found["next"]["game"] == {"box": now["line"][0]}
        assert {*found["next"]["members"]} == {*now["line"][1:]}
        for box, members in found["next"]["others"].items():
            assert {*members} == {*now["line"]} - {int(box)}
        totals = {one["seat"]: int(one["total"].replace("−", "-")) for one in found["standing"]}
        assert totals == dict(enumerate(now["totals"]))


def test_a_match_is_counted_by_its_score_and_says_that_it_is_over(page: Page) -> None:
    table = wood("AB", format="match", match_length=5)
    view, games = chouette_rules.view(table.state, None), []
    for cube in ("2", "4"):
        games.append(told(table, "box", 1, cube=cube))
    found = counted(page, "chouette/wood/counting.js", view, games, 2)
    assert sorted(one["total"] for one in found["standing"]) == ["0", "6"]
    assert found["next"]["over"]
    assert not counted(page, "chouette/wood/counting.js", view, games[:1], 2)["next"]["over"]


@pytest.mark.parametrize("preset", ["classic", "bavarian", "tschigg", "forfeits"])
@pytest.mark.parametrize("seed", range(2))
def test_a_game_of_chicago_is_counted_as_by_its_rules(page: Page, preset: str, seed: int) -> None:
    rng = random.Random(f"{preset} {seed}")
    seats = rng.randint(3, 6)
    changes: dict[str, Any] = {"rounds": 12} if preset == "classic" else {}
    changes |= {"end_total": 15, "breaches": False} if preset == "forfeits" else {}
    at_house, away = cup(preset, seats, **changes), cup(preset, seats, **changes)
    view, rounds = chicago_rules.view(away.state, None), []
    way: dict[str, Any] = {}
    dice = RandomDice(rng)
    while not chicago_rules.is_over(at_house.state):
        choices = [each for each in open_choices(chicago_rules, at_house.state, seats) if each.required]
        choice = next((one for one in choices if one.name == "refill"), choices[0])
        args = rng.choice(list(choice.options))
        command = Command(choice.name, choice.seat, args)
        decided = chicago_rules.decide(at_house.state, command, dice, len(at_house.log) + 1)
        if (one := told_of(at_house._write(decided.events), way)) is None:
            continue
        way = {}
        rounds.append(_with_fields(away, one))
        tell(away, rounds[-1])
        found = counted(page, "chicago/counting.js", view, [{"rounds": rounds}], seats)
        now = chicago_rules.view(away.state, None)
        assert bool(found["next"]["over"]) == (now["phase"] == "over")
        if now["phase"] != "over":
            assert {*found["next"]["among"]} == {one["seat"] for one in now["seats"] if one["status"] == "in"}
        assert _figures(found) == {one["seat"]: _figure(one, now) for one in now["seats"]}


def _figures(found: Any) -> dict[int, int]:
    """Return the number that each seat's total says: mats, rounds paid or forfeits; none for a seat that is safe."""
    return {one["seat"]: _number(one["total"]) for one in found["standing"]}


def _number(text: str) -> int:
    digits = "".join(sign for sign in text if sign.isdigit())
    return int(digits) if digits else int(text not in ("safe", ""))


def _figure(seat: Any, view: Any) -> int:
    options = view["options"]
    if options["forfeits"]:
        return int(seat["forfeits"])
    if options["mats"] == "none":
        return int(seat["rounds_paid"])
    return 0 if seat["status"] == "safe" else int(seat["mats"])
