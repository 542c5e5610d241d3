"""Print the doctor's findings, with the remedy for each."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.ops.doctor import checks, mails
from games.ops.doctor.findings import Finding, State

MARKS: dict[State, str] = {"good": "   ok", "look": " look", "wrong": "WRONG"}


class Command(BaseCommand):
    """`manage.py doctor`."""

    help = "Look over the whole house: what is wrong, and how it is mended; exit code 1 where something is."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for JSON output and a test mail."""
        parser.add_argument("--json", action="store_true", help="print the findings as JSON")
        parser.add_argument("--mail", metavar="ADDRESS", help="send a test mail there, too")

    def handle(self, *args: Any, mail: str | None, **options: Any) -> None:
        """Examine the house, and print the findings."""
        found = checks.examine()
        if mail:
            found.append(mails.send_test(mail))
        if options["json"]:
            self.stdout.write(json.dumps([each.as_json() for each in found], ensure_ascii=False, indent=1))
        else:
            self._print(found)
        if any(each.state == "wrong" for each in found):
            sys.exit(1)

    def _print(self, found: list[Finding]) -> None:
        width = max(len(each.topic) for each in found)
        for each in found:
            self.stdout.write(f"{MARKS[each.state]}  {each.topic:{width}}  {each.text}")
            if each.remedy:
                self.stdout.write(f"{'':{width + 9}}→ {each.remedy}")
