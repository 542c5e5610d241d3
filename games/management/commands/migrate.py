"""Bring the database up to this version: Django's command, without looking over pages and admin first."""

from __future__ import annotations

from django.core.checks import Tags
from django.core.management.commands import migrate


class Command(migrate.Command):
    """`manage.py migrate`."""

    requires_system_checks = [Tags.database]
