"""List the states of the gallery, measure them by the laws, or draw them."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from contextlib import nullcontext

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from tests.browser.gallery import laws, pictures, pseudo  # noqa: E402
from tests.browser.gallery.stage import SCREENS, browser_of  # noqa: E402
from tests.conftest import CHROMIUM  # noqa: E402


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.gallery", description=__doc__)
    parser.add_argument("game", nargs="?", choices=[*laws.PARTS], help="only this game")
    parser.add_argument("words", nargs="*", help="only states whose name has one of these words")
    parser.add_argument("--faults", action="store_true", help="measure the states on all screens")
    parser.add_argument("--pictures", action="store_true", help="draw contact sheets into var/pictures")
    parser.add_argument("--pseudo", action="store_true", help="in the pseudo-language (docs/translating.md)")
    parser.add_argument("--language", default="de", help="in this language")
    names = [screen.name for screen in SCREENS]
    parser.add_argument("--screen", choices=names, action="append", help="only this screen (several may be named)")
    args = parser.parse_args()
    states = laws.all_states([args.game] if args.game else laws.PARTS)
    states = [one for one in states if not args.words or any(word in one.name for word in args.words)]
    screens = [screen for screen in SCREENS if not args.screen or screen.name in args.screen]
    if not (args.faults or args.pictures):
        for state in states:
            print(f"{state.game:9} {state.seats:2} {state.preset:18} {state.name}")
        return
    with browser_of(CHROMIUM) as browser, pseudo.spoken() if args.pseudo else nullcontext(args.language) as language:
        if args.pictures:
            print(f"{pictures.draw(browser, states, screens, language=language)} sheets in {pictures.FOLDER}")
        if args.faults:
            tell(laws.faults(browser, states, screens, language=language))


def tell(found: list[laws.Fault]) -> None:
    """Print faults, and how many there are of each law on each screen."""
    for fault in found:
        print(fault)
    for (game, screen, law), count in sorted(Counter((f.game, f.screen, f.law) for f in found).items()):
        print(f"{game}, {screen}: {law}: {count}")


main()
