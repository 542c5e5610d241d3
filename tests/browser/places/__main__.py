"""Write where each text stands (`make text-places`), or draw the screens in a language (for `manage.py texts`)."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from games.management.translations import places  # noqa: E402
from tests.browser.gallery import pseudo  # noqa: E402
from tests.browser.gallery.stage import browser_of  # noqa: E402
from tests.browser.places import making, pages, pictures  # noqa: E402
from tests.conftest import CHROMIUM  # noqa: E402


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.places", description=__doc__)
    parser.add_argument("--language", help="draw the screens in this language")
    parser.add_argument("--into", metavar="FOLDER", type=Path, help="the folder of the pictures, which is there")
    parser.add_argument(
        "--sent", metavar="ROLE", choices=pages.ROLES, help="print the pages that a role is sent, as JSON"
    )
    args = parser.parse_args()
    if args.sent:
        with pseudo.spoken() as marked:
            sent, _mails = pages.all_of(args.language or marked, roles=[args.sent])
        print(json.dumps([asdict(page) for page in sent]))
        return
    if args.language:
        sent, _mails = pages.all_of(args.language, {shot.name for shot in places.read().shots})
        with browser_of(CHROMIUM) as browser:
            print(f"{pictures.draw(browser, sent, args.language, args.into)} pictures")
        return
    with pseudo.spoken():
        sent, mails, language = making.sent_in_marks()
        with browser_of(CHROMIUM) as browser:
            found, unknown = making.make(browser, sent, mails, language)
    places.write(found)
    print(f"{len(found.texts)} texts on {len(found.shots)} screens; {unknown} parts in marks are no text of ours")


main()
