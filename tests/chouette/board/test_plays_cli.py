"""`python -m chouette.rules plays`: answers, conversations, and one line for every mistake."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from chouette.board.gnubg_id import parse_position_id, position_id
from chouette.board.plays import results
from chouette.board.position import swap
from chouette.rules.__main__ import main
from tests.chouette.vectors import load_moves

ROOT = Path(__file__).parents[3]
START = "4HPwATDgc/ABMA"


def shell(*argv, questions=None):
    """Run it in a process of its own, without settings."""
    env = {key: value for key, value in os.environ.items() if key != "DJANGO_SETTINGS_MODULE"}
    command = [sys.executable, "-m", "chouette.rules", *argv]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, input=questions, check=False)


def test_each_distinct_play_with_the_id_after_it():
    done = shell("plays", START, "31")
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr, len(lines)) == (0, b"", 16)
    assert "8/5 6/5 sGfwATDgc/ABMA" in lines


def ask(capsys, monkeypatch, *questions):
    """Return the answers, each a list of lines."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{q}\n" for q in questions)))
    assert main(["plays"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.endswith("\n\n") or not questions
    return [answer.splitlines() for answer in out.split("\n\n")[:-1]]


def test_questions_are_answered_in_turn(capsys, monkeypatch):
    cases = load_moves("forced")[:40]
    questions = [f"{position_id(where)} {rolled[0]}{rolled[1]}" for where, rolled, _ in cases]
    answers = ask(capsys, monkeypatch, *questions)
    for (where, rolled, _), answer in zip(cases, answers, strict=True):
        ids = [line.rsplit(" ", 1)[1] for line in answer]
        found = sorted(swap(parse_position_id(text)) for text in ids)
        assert found == sorted(results(where, rolled))


def test_a_line_that_can_not_be_read_is_answered_and_the_next_one_too(capsys, monkeypatch):
    bad = ["", "nonsense", f"{START} 07", f"{START}x 31", f"{START} 31 31", "AAAAAAAAAAAAAA 31"]
    answers = ask(capsys, monkeypatch, *bad, f"{START} 66")
    codes = ["bad_line", "bad_line", "bad_dice", "bad_position_id", "bad_line", "both_off"]
    assert [answer[0].split(": ")[:2] for answer in answers[:-1]] == [["error", c] for c in codes]
    assert all(len(answer) == 1 for answer in answers[:-1])
    assert len(answers[-1]) == 11


def test_without_questions_there_are_no_answers(capsys, monkeypatch):
    assert ask(capsys, monkeypatch) == []


def test_bytes_that_are_no_text_are_a_bad_line():
    done = shell("plays", questions=b"\xff\xfe 31\n\x00\n" + f"{START} 31".encode())
    assert done.returncode == 0
    first, second, third = done.stdout.decode().strip().split("\n\n")
    assert first.startswith("error: bad_position_id: ")
    assert second.startswith("error: bad_line: ")
    assert len(third.splitlines()) == 16


def test_an_answer_comes_before_the_next_question_is_asked():
    command = [sys.executable, "-m", "chouette.rules", "plays"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as talk:
        for _ in range(2):
            talk.stdin.write(f"{START} 31\n")
            talk.stdin.flush()
            answer = iter(talk.stdout.readline, "\n")
            assert "8/5 6/5 sGfwATDgc/ABMA\n" in list(answer)
        talk.stdin.close()
    assert talk.returncode == 0


def test_a_reader_that_leaves_early_is_no_error():
    command = [sys.executable, "-m", "chouette.rules", "plays"]
    questions = f"{START} 66\n" * 3000
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as talk:
        talk.stdout.close()
        try:
            talk.stdin.write(questions.encode())
            talk.stdin.close()
        except BrokenPipeError:
            pass
        assert talk.stderr.read() == b""
        assert talk.wait() == 0


def test_a_roll_that_can_not_be_played_has_one_line(capsys):
    where = position_id((0, -2, *[0] * 18, -2, -2, -2, -2, -2, 2))
    assert main(["plays", where, "41"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line == f"cannot move {position_id(swap(parse_position_id(where)))}"


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        ("", "bad_usage"),
        ("moves", "bad_usage"),
        ("plays --frobnicate", "bad_usage"),
        (f"plays {START}", "bad_usage"),
        (f"plays {START} 31 31", "bad_usage"),
        (f"plays {START} 37", "bad_dice"),
        ("plays 4HPwATDgc 31", "bad_position_id"),
    ],
)
def test_every_mistake_is_one_line_with_a_code_and_exit_2(capsys, argv, code):
    assert main(argv.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: {code}: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("argv", [["--help"], ["plays", "--help"]])
def test_help_shows_how(capsys, argv):
    with pytest.raises(SystemExit) as left:
        main(argv)
    assert left.value.code == 0
    out = capsys.readouterr().out
    assert "python -m chouette.rules plays 4HPwATDgc/ABMA 31" in out
    assert "standard input" in out
