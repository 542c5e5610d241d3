"""What the page works out from what the server states: the steps of a roll, the sets of a rule."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from chouette.board.notation import listed_plays
from chouette.board.pasted import find_id
from chouette.board.position import START as POSITION
from chouette.board.position import swap
from games.kernel.sets import Alike, Least, Requires, Sets
from tests.browser.chouette.boards import START, MakePerson, seated, xgid
from tests.chouette.board.step_graph import step_graph
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]
LOOSE_MODULES = True

STEPS = """async ([points, dice, plays]) => {
    const { stepsOf } = await import("chouette/board/moving/steps.js");
    return stepsOf(points, dice, plays);
}"""
LISTED = """async (sets) => {
    const { listed } = await import("games/kit/sets.js");
    return listed(sets);
}"""
ROLLS = [
    *((points, roll) for points in (POSITION, swap(POSITION)) for roll in ((3, 1), (6, 6), (2, 2), (5, 4))),
    ((0, 2, 2, *[0] * 21, -2, 0), (6, 5)),
    ((-1, 2, 2, 2, 2, 2, 2, *[0] * 15, 0, -2, -2, 1), (6, 1)),
    ((0, 3, 0, 0, 0, 1, *[0] * 18, -2, 0), (4, 3)),
]
RULES = (
    Sets("take", (0, 1, 2), (), True),
    Sets("take", (0, 1, 2, 3), (Alike("a", ((0, 1), (2, 3))),), True),
    Sets("cubes", (2, 5, 7), (Requires("b", (2, 7), 5),)),
    Sets("take", (0, 1, 2, 3, 4), (Least("c", 3, ((0,), (1, 2))), Requires("b", (4,), 0)), True),
)


@pytest.mark.day(parts=17, turn=9)
def test_the_board_finds_the_steps_of_the_rules_and_the_sets_that_are_allowed(
    person: MakePerson, server: Server
) -> None:
    page = seated(person, xgid(START, "31"))[0].page
    for points, roll in ROLLS:
        found = page.evaluate(STEPS, [points, roll, list(listed_plays(points, roll))])
        assert found == list(step_graph(points, roll)), (points, roll)
    for sets in RULES:
        assert sorted(map(str, page.evaluate(LISTED, sets.to_json()))) == sorted(map(str, sets))


READ = """async (texts) => {
    const { read } = await import("chouette/study/position.js");
    return texts.map((text) => read(text)).map((found) => found && [found.points, found.rest.replace(/:10?$/, "")]);
}"""
DRAWN = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
TEXTS = {
    f"See this:\n{DRAWN}\nX:Anna   O:Bert\n +13-14-15-16-17-18------19-20-21-22-23-24-+\n": True,
    " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n   Match ID   : cAkAAAAAAAAA\n +13-14-15-16-17-18-\n": True,
    "GNUBGID 4HPwATDgc/ABMA:cAkAAAAAAAAA": True,
    "My recommendation: 4HPwATDgc/ABMA": True,
    "My recommendation is to think": False,
    "OGID=11jjjjjhhhccccc:ooddddd88866666:N0N:13:W:IB:0:0:7:0": True,
    f"https://example.org/study/?position={quote(DRAWN)}": True,
    DRAWN.replace("-", "\u2013"): True,
    DRAWN.replace("--", "\u2014"): True,
    f"{DRAWN[:20]}\n{DRAWN[20:]} and on": True,
}


@pytest.mark.day(parts=17, turn=9)
def test_the_editor_draws_the_first_id_of_a_pasted_text(person: MakePerson, server: Server) -> None:
    page = seated(person, xgid(START, "31"))[0].page
    start = page.evaluate(READ, [DRAWN])[0][0]
    assert [found is not None and found[0] == start for found in page.evaluate(READ, list(TEXTS))] == list(
        TEXTS.values()
    )
    ogids = ["1cccccchhhjjjjj:666668888ddddko:N0N:36:W:R:0:0:0:2", "00jjj:66ppp:W2N::W:C:3:5:7", "11cqqq:6q:B1O::B:D"]
    asked = page.evaluate(READ, [*ogids, *map(find_id, ogids)])
    assert asked[: len(ogids)] == asked[len(ogids) :] and None not in asked
