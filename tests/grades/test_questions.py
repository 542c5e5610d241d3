"""A position that is studied: the analyser answers what is asked of the engine, and a failure is told as one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from io import StringIO

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from chouette.analysis import house, study
from chouette.analysis.engine import Candidate, CubeEquities, EngineFailed, Stakes
from chouette.board.plays import Dice, results
from chouette.board.position import Position
from games.kernel.figures.skill import Depth
from games.models import EngineQuestion, Night
from games.services.grades import questions
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
CUBE = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
THEIRS = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10"


class Sayer:
    """An engine that says what it is told to, each play worse than the one before by 0.01; silent ones fail."""

    name, level = "sayer 1", "deep"
    is_silent = False

    def __init__(self, no_double: float = 0.2, take: float = 0.1) -> None:
        self.equities = CubeEquities(no_double, take)
        self.asked: list[tuple[Position, Stakes]] = []

    def plays(self, position: Position, dice: Dice, stakes: Stakes, played: Position) -> Sequence[Candidate]:
        """Return all legal plays."""
        self.asked.append((position, stakes))
        if self.is_silent:
            raise EngineFailed("silence")
        return [Candidate(each, 0.3 - 0.01 * n, 1) for n, each in enumerate(sorted(results(position, dice)))]

    def cube(self, position: Position, stakes: Stakes) -> CubeEquities:
        """Return the equities that were given."""
        self.asked.append((position, stakes))
        return self.equities

    def at(self, depth: Depth) -> Sayer:
        """Return itself."""
        return self

    def close(self) -> None:
        """Nothing runs."""


@pytest.fixture
def sayer(monkeypatch: pytest.MonkeyPatch) -> Sayer:
    found = Sayer()
    monkeypatch.setattr(house, "has_engine", lambda: True)
    monkeypatch.setattr(house, "engine", lambda: found)
    return found


def address() -> str:
    return reverse("study_engine", args=["chouette"])


def asked(client: Client, position: str) -> tuple[int, str]:
    """Ask, let the analyser work, and look."""
    client.post(address(), {"position": position})
    call_command("analyser", "--once", stdout=StringIO(), stderr=StringIO())
    answer = client.get(address(), {"position": position})
    return answer.status_code, answer.content.decode()


def test_the_best_plays_of_a_roll_stand_in_their_order_with_what_they_cost(sayer: Sayer) -> None:
    assert browser_of().post(address(), {"position": OPENING}).status_code == 204
    status, text = asked(browser_of(), OPENING)
    assert status == 200 and "sayer 1, deep" in text and OPENING.removeprefix("XGID=")[:26] in text
    assert text.count("<tr>") == 1 + study.MOST_PLAYS
    assert text.index("0.300") < text.index("0.290") < text.index("0.280")
    assert EngineQuestion.objects.count() == 1, "the same position is one question"


@pytest.mark.parametrize(
    ("no_double", "take", "advice"),
    [
        (0.2, 0.1, "Do not double; a double is taken."),
        (0.5, 0.7, "Double; it is taken."),
        (0.9, 1.3, "Double; it is dropped."),
        (1.2, 1.5, "Too good to double: play on."),
    ],
)
def test_of_the_cube_the_best_of_both_sides_is_said(sayer: Sayer, no_double: float, take: float, advice: str) -> None:
    sayer.equities = CubeEquities(no_double, take)
    text = asked(browser_of(), CUBE)[1]
    assert advice in text and all(f"{each:.3f}" in text for each in (no_double, take, 1.0))


def test_nobody_is_advised_to_double_a_cube_of_the_other_side(sayer: Sayer) -> None:
    text = asked(browser_of(), THEIRS)[1]
    assert "The other side owns the cube." in text and "Double" not in text
    assert sayer.asked[-1][1] == Stakes(cube=2, owner=-1)


def test_a_failure_of_the_engine_is_told_and_asking_again_tries_again(sayer: Sayer) -> None:
    sayer.is_silent = True
    assert "No answer came" in asked(browser_of(), OPENING)[1]
    sayer.is_silent = False
    assert "sayer 1" in asked(browser_of(), OPENING)[1]


def test_an_answer_that_nobody_gives_is_given_up_and_a_day_later_forgotten(sayer: Sayer) -> None:
    client = browser_of()
    client.post(address(), {"position": OPENING})
    question = EngineQuestion.objects.get()
    EngineQuestion.objects.update(asked_at=question.asked_at - questions.PATIENCE - timedelta(seconds=1))
    assert "No answer came" in client.get(address(), {"position": OPENING}).content.decode()
    call_command("analyser", "--once", stdout=StringIO(), stderr=StringIO())
    assert not sayer.asked, "nobody waits for it any more"
    assert questions.forget_old(question.asked_at + questions.DAY) == 1


@pytest.mark.parametrize("position", ["", "rubbish", "XGID=" + "A" * 5000, OPENING.replace("31", "DD"), "\0"])
def test_what_is_no_position_gets_a_sentence_and_asks_nobody(sayer: Sayer, position: str) -> None:
    answer = browser_of().post(address(), {"position": position})
    assert answer.status_code == 400 and 'class="error"' in answer.content.decode()
    assert not EngineQuestion.objects.exists()


def test_positions_are_asked_about_sixty_times_an_hour(sayer: Sayer) -> None:
    cache.clear()
    client = browser_of()
    found = [client.post(address(), {"position": OPENING}).status_code for _ in range(61)]
    assert (found[59], found[60]) == (204, 429)


def test_the_page_of_the_study_says_how_to_get_an_engine_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for has_engine in (True, False):
        monkeypatch.setattr(house, "has_engine", lambda has_engine=has_engine: has_engine)
        page = browser_of().get(reverse("study", args=["chouette"]), {"position": OPENING}).content.decode()
        assert ("ask-engine" in page) == has_engine
        assert ("apt install gnubg, or pip install stammtisch[analysis]" in page) != has_engine
        assert f'value="{OPENING}"' in page


def test_asking_opens_no_table(sayer: Sayer) -> None:
    asked(browser_of(), OPENING)
    assert not Night.objects.exists()
