"""Chicago's odds from the shell: `python -m chicago.rules odds --preset bavarian --throws 2`.

Needs no settings and no database. Errors are one line on stderr, `error: <code>: <text>`,
and exit code 2.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NoReturn

from chicago.odds.exact import beat_chance, targets, three_ones
from chicago.rules.options.declaration import OPTIONS
from chicago.rules.throwing.scoring import Valuation
from chicago.rules.throwing.turn import MOST_THROWS
from games.kernel.options import (
    BoolOption,
    ChoiceOption,
    IntOption,
    Option,
    OptionErrors,
    Value,
    Values,
)

_BOOLS = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}

_DESCRIPTION = """\
The best chance of a follower to end strictly better than a result, exactly: the starter
used --throws throws, and what stands is --above. A Chick counts as better than any value.
"""

_EPILOG = """\
what is printed:
  with --throws and --above   FRACTION DECIMAL
  without --above             VALUE FRACTION DECIMAL for every value, worst first
  without --throws            the same for one, two and three throws, with THROWS in front

examples:
  python -m chicago.rules odds --preset bavarian --set keep=any --throws 2 --above 123
  python -m chicago.rules odds --preset classic --ones 1 --low --throws 1
  python -m chicago.rules odds --preset tschigg --three-ones

house rules that --set understands:
"""


class CommandLineRefused(Exception):
    """A command line without a meaning: a code and a sentence."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"error: {code}: {text}")


class _OddsParser(argparse.ArgumentParser):
    """A parser that raises CommandLineRefused instead of printing its usage and leaving."""

    def error(self, message: str) -> NoReturn:
        raise CommandLineRefused("bad_usage", f"{message} (--help shows how)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code: 0, or 2 with one line on stderr."""
    try:
        args = _parser().parse_args(argv)
        lines = list(_odds(args))
    except CommandLineRefused as refused:
        sys.stderr.write(f"{refused}\n")
        return 2
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = _OddsParser(prog="python -m chicago.rules", description="Chicago from the shell.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="odds")
    odds = commands.add_parser(
        "odds",
        help="exact odds for any house rules",
        allow_abbrev=False,
        description=_DESCRIPTION,
        epilog=_EPILOG + "\n".join(map(_described, _odds_options())),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_house(odds)
    _add_question(odds)
    return parser


def _add_house(odds: argparse.ArgumentParser) -> None:
    presets = [preset.id for preset in OPTIONS.presets]
    house = odds.add_argument_group("house rules")
    house.add_argument("--preset", default=presets[0], help=f"{', '.join(presets)} (first: default)")
    house.add_argument(
        "--set",
        dest="sets",
        action="append",
        default=[],
        metavar="ID=VALUE",
        help="change one house rule; may be repeated",
    )
    declared = odds.add_argument_group(
        "what the starter declares", "only where valuation = starter; default 100, 60, high"
    )
    declared.add_argument("--ones", choices=("100", "1"), help="what a one counts")
    declared.add_argument("--sixes", choices=("60", "6"), help="what a six counts")
    declared.add_argument("--low", action="store_true", help="the lowest result is best")


def _add_question(odds: argparse.ArgumentParser) -> None:
    question = odds.add_argument_group("question")
    question.add_argument("--throws", type=int, metavar="K", help="throws of the starter: 1 to 3")
    question.add_argument("--above", type=int, metavar="VALUE", help="the value to end better than")
    question.add_argument(
        "--three-ones",
        action="store_true",
        help="instead: the chance of three ones within K throws, playing only for them",
    )


def _odds_options() -> list[Option]:
    """Return the house rules that the odds depend on."""
    ids = ("followers", "keep", "free_return", "sixes_turn", "three_sixes", "turn_laid_six")
    worth = ("valuation", "ones", "sixes", "direction", "chick", "fish")
    return [OPTIONS[option_id] for option_id in ids + worth]


def _described(option: Option) -> str:
    values = "|".join(p.id for p in option.picks) if isinstance(option, ChoiceOption) else ""
    return f"  {option.id}={values}"


def _odds(args: argparse.Namespace) -> Iterator[str]:
    if args.three_ones and args.above is not None:
        raise CommandLineRefused("bad_usage", "--three-ones and --above are two different questions")
    options = _house(args.preset, args.sets)
    valuation = _valuation(args, options)
    several = args.throws is None
    for throws in _throws(args.throws):
        front = f"{throws} " if several else ""
        if args.three_ones:
            yield front + _in_figures(three_ones(options, throws))
        elif args.above is not None:
            yield front + _in_figures(beat_chance(options, throws, args.above, valuation))
        else:
            for value in targets(options, valuation):
                chance = beat_chance(options, throws, value, valuation)
                yield f"{front}{value} {_in_figures(chance)}"


def _in_figures(chance: Fraction) -> str:
    return f"{chance.numerator}/{chance.denominator} {float(chance):.12f}"


def _throws(given: int | None) -> Iterable[int]:
    if given is None:
        return range(1, MOST_THROWS + 1)
    if not 1 <= given <= MOST_THROWS:
        raise CommandLineRefused("bad_throws", f"--throws is 1, 2 or 3, not {given}")
    return (given,)


def _house(preset: str, sets: Iterable[str]) -> Values:
    """Return the complete house rules; raises CommandLineRefused."""
    changes = dict(map(_change, sets))
    try:
        values = OPTIONS.values(preset, changes)
    except KeyError:
        known = ", ".join(p.id for p in OPTIONS.presets)
        raise CommandLineRefused("unknown_preset", f"there is no preset {preset!r} ({known})") from None
    except OptionErrors as errors:
        raise _refused(errors) from None
    for option_id in changes:
        _note_inactive(OPTIONS[option_id], values)
    return values


def _change(text: str) -> tuple[str, Value]:
    """Return the id and the typed value of one ID=VALUE; raises CommandLineRefused."""
    option_id, equals, value = text.partition("=")
    if not equals:
        raise CommandLineRefused("bad_set", f"--set wants ID=VALUE, not {text!r}")
    try:
        option = OPTIONS[option_id]
    except KeyError:
        raise CommandLineRefused("unknown_option", f"there is no house rule {option_id!r}") from None
    return option_id, _typed(option, value)


def _typed(option: Option, text: str) -> Value:
    """Return a value of the option's type; unreadable text is left to the validation."""
    if isinstance(option, BoolOption):
        return _BOOLS.get(text.lower(), text)
    if isinstance(option, IntOption):
        return int(text) if text.removeprefix("-").isdecimal() else text
    return text


def _refused(errors: OptionErrors) -> CommandLineRefused:
    option_id, (code, params) = next(iter(errors.errors.items()))
    more = ", ".join(f"{key}: {value}" for key, value in params.items())
    return CommandLineRefused(code, f"house rule {option_id}" + (f" ({more})" if more else ""))


def _note_inactive(option: Option, values: Values) -> None:
    if not OPTIONS.is_active(option, values):
        reason = option.needs.reason if option.needs else ""
        sys.stderr.write(f"note: {option.id} changes nothing here. {reason}\n")


def _valuation(args: argparse.Namespace, options: Values) -> Valuation | None:
    """Return the starter's declaration; None if the house rules fix the valuation."""
    if options["valuation"] == "starter":
        return Valuation(int(args.ones or 100), int(args.sixes or 60), not args.low)
    if args.ones or args.sixes or args.low:
        raise CommandLineRefused(
            "valuation_fixed",
            "here the house rules say what counts: --set ones, sixes or direction instead",
        )
    return None


if __name__ == "__main__":
    sys.exit(main())
