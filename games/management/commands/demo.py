"""Open the demo night, for a first look at the house."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.services.hosting import demo


class Command(BaseCommand):
    """`manage.py demo`."""

    help = "Open the demo night (or refill it): bots who play, and a table where bots wait for you."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Open or refill the night and print its room code."""
        night = demo.lay_table()
        self.stdout.write(f'Demo night "{night.name}": room code {night.code}.')
