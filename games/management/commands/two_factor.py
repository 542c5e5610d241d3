"""List who of the staff has a second factor, or remove one after the loss of a phone."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from games.services.people import two_factor


class Command(BaseCommand):
    """`manage.py two_factor`."""

    requires_system_checks = []
    requires_migrations_checks = True
    help = "List who of the staff is asked for a code at the login; --remove NAME after the loss of a phone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option for the loss of a phone."""
        parser.add_argument("--remove", metavar="NAME", help="let this account log in by its password alone")

    def handle(self, *args: Any, remove: str | None, **options: Any) -> None:
        """Remove the second factor of an account, or list all of the staff."""
        if remove is None:
            for name, has_code in two_factor.staff().items():
                self.stdout.write(f"{name}: {'a code' if has_code else 'the password alone'}")
            return
        user = User.objects.filter(username=remove).first()
        if user is None:
            raise CommandError(f'There is no account of the name "{remove}".')
        if not two_factor.remove(user):
            raise CommandError(f'"{remove}" is asked for no code.')
        self.stdout.write(
            f'"{remove}" logs in by the password alone. Whoever found the phone may be logged in there: '
            "change the password, which ends that."
        )
