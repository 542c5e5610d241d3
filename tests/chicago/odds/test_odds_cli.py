"""`python -m chicago.rules odds`: what it prints, and one line for every mistake."""

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from chicago.odds.exact import beat_chance, targets, three_ones
from chicago.rules.__main__ import main
from chicago.rules.options.declaration import OPTIONS
from chicago.rules.throwing.scoring import Valuation

ROOT = Path(__file__).parents[3]


def run(capsys, *argv):
    code = main(["odds", *argv])
    out, err = capsys.readouterr()
    return code, out.splitlines(), err


def test_it_runs_from_the_shell_without_settings():
    line = "odds --preset bavarian --set keep=any --throws 2 --above 123"
    env = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    command = [sys.executable, "-m", "chicago.rules", *line.split()]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "775/1458 0.531550068587\n", "")


def test_it_prints_the_chance_as_a_fraction_and_a_decimal(capsys):
    code, lines, err = run(capsys, "--preset", "bavarian", "--throws", "1", "--above", "64")
    assert (code, lines, err) == (0, ["149/216 0.689814814815"], "")


def test_without_above_it_lists_every_target(capsys):
    code, lines, _ = run(capsys, "--preset", "bavarian", "--throws", "3")
    options = OPTIONS.values("bavarian")
    assert code == 0
    assert [int(line.split()[0]) for line in lines] == list(targets(options))
    value, exact, decimal = lines[7].split()
    assert Fraction(exact) == beat_chance(options, 3, int(value))
    assert abs(float(decimal) - Fraction(exact)) < 1e-12


def test_without_throws_it_answers_for_one_two_and_three(capsys):
    _, lines, _ = run(capsys, "--preset", "bavarian", "--above", "123")
    assert [line.split()[0] for line in lines] == ["1", "2", "3"]


def test_where_the_starter_declares_flags_say_what(capsys):
    options = OPTIONS.values("classic")
    _, lines, _ = run(capsys, "--preset", "classic", "--throws", "2", "--above", "10")
    assert Fraction(lines[0].split()[0]) == beat_chance(options, 2, 10, Valuation())
    flags = ("--ones", "1", "--sixes", "6", "--low")
    _, lines, _ = run(capsys, "--preset", "classic", "--throws", "2", "--above", "10", *flags)
    assert Fraction(lines[0].split()[0]) == beat_chance(options, 2, 10, Valuation(1, 6, False))


def test_set_may_be_repeated_and_is_typed_by_the_declaration(capsys):
    sets = ("--set", "keep=any", "--set", "hints=off", "--set", "turn_seconds=30")
    code, lines, err = run(capsys, "--preset", "bavarian", *sets, "--throws", "2", "--above", "123")
    assert (code, lines, err) == (0, ["775/1458 0.531550068587"], "")


def test_three_ones(capsys):
    _, lines, _ = run(capsys, "--preset", "bavarian", "--three-ones")
    exact = [three_ones(OPTIONS.values("bavarian"), k) for k in (1, 2, 3)]
    assert [Fraction(line.split()[1]) for line in lines] == exact
    _, lines, _ = run(capsys, "--preset", "bavarian", "--three-ones", "--throws", "3")
    assert lines[0].startswith("54271/629856 ")


def test_a_house_rule_without_meaning_is_noted(capsys):
    code, _, err = run(capsys, "--set", "sixes_turn=off", "--set", "three_sixes=forced")
    assert code == 0
    assert err.startswith("note: three_sixes changes nothing here.")


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        ("--preset berlin", "unknown_preset"),
        ("--set colour=red", "unknown_option"),
        ("--set keep", "bad_set"),
        ("--set keep=twos", "not_a_choice"),
        ("--set rounds=many", "not_int"),
        ("--set rounds=-1", "out_of_range"),
        ("--set hints=maybe", "not_bool"),
        ("--set forfeits=on --set mats=fixed", "forfeits_with_mats"),
        ("--throws 4", "bad_throws"),
        ("--throws two", "bad_usage"),
        ("--above high", "bad_usage"),
        ("--ones 50", "bad_usage"),
        ("--preset bavarian --low", "valuation_fixed"),
        ("--three-ones --above 3", "bad_usage"),
        ("--frobnicate", "bad_usage"),
    ],
)
def test_every_mistake_is_one_line_with_a_code_and_exit_2(capsys, argv, code):
    exit_code, lines, err = run(capsys, *argv.split())
    assert (exit_code, lines) == (2, [])
    assert err.startswith(f"error: {code}: ")
    assert err.count("\n") == 1


def test_help_names_the_house_rules(capsys):
    with pytest.raises(SystemExit) as left:
        main(["odds", "--help"])
    assert left.value.code == 0
    out = capsys.readouterr().out
    assert "sixes_turn=off|first_throw|same_throw" in out
    assert "--above" in out
