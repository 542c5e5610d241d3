"""The admin's account: create it, or set a new password."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from games.command_line import shell_command
from games.services import house

NAME = "admin"


class Command(BaseCommand):
    """`manage.py admin`."""

    help = "Make the account of the admin, with a password that is printed once; or print a new password."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option for a new password."""
        parser.add_argument("--new-password", action="store_true", help=f'give "{NAME}" a new password, and print it')

    def handle(self, *args: Any, new_password: bool, **options: Any) -> None:
        """Make the account unless there is an admin already, or set its password."""
        users = get_user_model()
        if not new_password and users.objects.filter(is_superuser=True).exists():
            return
        password = secrets.token_urlsafe(12)
        account = users.objects.filter(username=NAME, is_superuser=True).first()
        if not new_password:
            account = users.objects.create_superuser(NAME, password=password)
        elif account is None:
            raise CommandError(f'There is no admin of the name "{NAME}"; `changepassword` takes another name.')
        else:
            account.set_password(password)
            account.save(update_fields=["password"])
        house.note_printed_password(account)
        self.stdout.write(f'Admin account at {settings.ADMIN_PATH}: name "{NAME}", password "{password}".')
        self.stdout.write(f"The password is shown this once; `{shell_command('admin --new-password')}` makes another.")
