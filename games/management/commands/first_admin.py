"""Make the first admin account, once."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand

NAME = "admin"


class Command(BaseCommand):
    """`manage.py first_admin`."""

    help = "Make an admin account with a random password, printed once, if there is none yet."

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the account unless there is an admin already."""
        users = get_user_model()
        if users.objects.filter(is_superuser=True).exists():
            return
        password = secrets.token_urlsafe(12)
        users.objects.create_superuser(NAME, password=password)
        where = f"/{settings.ADMIN_PATH}"
        self.stdout.write(f'Admin account at {where}: name "{NAME}", password "{password}".')
        self.stdout.write("The password is shown this once; `manage.py changepassword admin` sets another.")
