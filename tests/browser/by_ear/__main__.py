"""Evenings by ear, and their figures: `python -m tests.browser.by_ear --chouettes 12 --chicagos 20`."""

from __future__ import annotations

import argparse
import os
import tempfile
from dataclasses import asdict
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from tests.browser.by_ear import evenings, tree  # noqa: E402
from tests.browser.gallery.stage import browser_of  # noqa: E402
from tests.browser.people import Person  # noqa: E402
from tests.conftest import CHROMIUM  # noqa: E402
from tests.server import Server  # noqa: E402


def main() -> None:
    """Play so many evenings, and print what each came to."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.by_ear", description=__doc__)
    parser.add_argument("--chouettes", type=int, default=1)
    parser.add_argument("--chicagos", type=int, default=1)
    parser.add_argument("--aloud", action="store_true", help="print what is heard, and what is pressed for it")
    wanted = parser.parse_args()
    if wanted.aloud:
        tree.FOLLOWERS.append(lambda text: print(text, flush=True))
    plan = [evenings.play_chouette] * wanted.chouettes + [evenings.play_chicago] * wanted.chicagos
    with tempfile.TemporaryDirectory() as folder, browser_of(CHROMIUM) as browser:
        server = Server(Path(folder))
        server.migrate()
        server.start()
        try:
            for evening in plan:
                people: list[Person] = []

                def person(name: str, people: list[Person] = people, **how: object) -> Person:
                    people.append(Person(browser, server.url, name, **how))  # type: ignore[arg-type]
                    return people[-1]

                print(asdict(evening(person)), flush=True)
                for one in people:
                    one.close()
                    assert one.faults == [], one.faults
        finally:
            server.stop()


if __name__ == "__main__":
    main()
