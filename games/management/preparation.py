"""Everything that must exist before the house opens: making it, and checking for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO

from django.conf import settings
from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage
from django.core.management import call_command
from django.core.management.base import CommandError, OutputWrapper
from django.db import DatabaseError, connection
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

from games.command_line import shell_command
from games.management import locks, soundness, static_files
from games.management.backups import archive, schedule, sqlite, waiting_house
from games.management.locks import Say
from games.management.translations import catalogs, pseudo
from games.ops import schema_version
from games.services import processes


def remedy() -> str:
    """Return the sentence with the command that makes everything missing."""
    return _("Run `%(command)s` first: it does all that is missing.") % {"command": shell_command("prepare")}


def prepare(say: Say) -> None:
    """Prepare translations, database and static files as far as they are missing, and say which. Raises CommandError.

    The secret key is made when the settings are read. Only one process at a
    time may call this (locks.preparing).
    """
    try:
        waiting_house.put_in_place(say)
        archive.refuse_after_crash()
        soundness.refuse_broken()
        refuse_other_versions()
        if not catalogs.is_compiled():
            say("Preparing the translations…")
        catalogs.compile_changed()
        if settings.IS_PSEUDO:
            pseudo.write(settings.PSEUDO_FOLDER)
        if count := len(steps := _missing_steps()):
            _refuse_while_open(steps)
            if made := schedule.before_upgrade():
                say(f"A backup of before the upgrade: {made}")
            say(f"Preparing the database: {count} steps…")
        call_command("migrate", interactive=False, verbosity=0)
        if _collects():
            if not static_files.is_collected():
                say("Preparing pictures and programs for the browsers: on a small computer some minutes…")
                static_files.collect_changed()
            static_files.delete_former()
        call_command("check", databases=["default"], stdout=StringIO())
    except DatabaseError as error:
        raise CommandError(archive.told(error, sqlite.path_of_house().parent)) from error
    except OSError as error:
        raise CommandError(f"Something can't be written: {error}") from error


def printer(stream: OutputWrapper) -> Say:
    """Return a function that prints each text at once, also into a file or a journal."""

    def say(text: str) -> None:
        stream.write(text)
        stream.flush()

    return say


def refuse_other_versions() -> None:
    """Raise CommandError if a newer version has changed the database, or it is of before version 1.0.0."""
    if schema_version.is_before_1_0_0(MigrationRecorder(connection).applied_migrations()):
        raise CommandError(schema_version.OLDER)
    if found := schema_version.later_migrations(connection):
        raise CommandError(
            f"A newer version of the house has been at this database ({', '.join(found)}), and this one would "
            "harm it. Install that version again, or restore the backup that was made before the upgrade."
        )


def check() -> None:
    """Raise CommandError, with the remedy, if anything is missing."""
    try:
        archive.refuse_after_crash()
        soundness.refuse_broken()
        refuse_other_versions()
        found = list(missing())
    except DatabaseError as error:
        raise CommandError(archive.told(error, sqlite.path_of_house().parent)) from error
    if found:
        raise CommandError("\n".join([*found, remedy()]))


def missing() -> Iterator[str]:
    """Yield sentences about everything that is missing and that `prepare` makes; raises DatabaseError."""
    if waiting_house.is_waiting():
        yield _("A restored house waits to be put in place.")
    if count := len(_missing_steps()):
        yield _("The database lacks %(count)s migrations.") % {"count": count}
    yield from missing_files()


def _missing_steps() -> list[Migration]:
    """Return the migrations that the database lacks; raises DatabaseError."""
    executor = MigrationExecutor(connection)
    return [step for step, _backwards in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def _refuse_while_open(steps: Sequence[Migration]) -> None:
    """Raise CommandError if steps take away what an open house of an older release needs (docs/releasing.md)."""
    applied = {None, *(name for _app, name in MigrationRecorder(connection).applied_migrations())}
    taking = [step.name for step in steps if getattr(step, "not_needed_since", None) not in applied]
    if taking and (locks.is_serving() or processes.is_running()):
        raise CommandError(
            f"This upgrade takes away what the house that is open still needs ({', '.join(taking)}): close the house, "
            "then go on. Nothing was changed."
        )


def missing_files() -> Iterator[str]:
    """Yield sentences about missing files: static files, compiled translations."""
    if _collects() and not static_files.is_collected():
        yield _("The static files are not collected, or are those of another version.")
    if not catalogs.is_compiled():
        yield _("The translations are not compiled.")


def _collects() -> bool:
    """Tell whether pages need collected static files."""
    return not settings.DEBUG and isinstance(staticfiles_storage, ManifestFilesMixin)
