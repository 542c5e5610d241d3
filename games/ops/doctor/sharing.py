"""The doctor's findings about data folders that share one database."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.utils.translation import gettext as _

from games.command_line import shell_command
from games.ops.doctor.findings import Finding, good, look, wrong
from games.services.logs import data_folders


def folders() -> Iterator[Finding]:
    """Check that all log files are in this data folder, and that no other one writes some."""
    topic = _("log files")
    if missing := data_folders.missing_files():
        yield wrong(
            topic,
            _("%(count)s old logs are not in this data folder.") % {"count": missing},
            _("Put logs/ of the folder that has them into this one, or restore the last backup."),
        )
        return
    others = data_folders.others() if data_folders.is_shared() else []
    if not others:
        yield good(topic, _("All old logs are in this data folder."))
        return
    text = _("%(count)s other data folders are used with this database.") % {"count": len(others)}
    if settings.COMPRESS_LOGS_DAYS:
        command = shell_command("prepare --only-folder")
        yield look(topic, text, _("If they are gone for good: %(command)s") % {"command": command})
    else:
        yield good(topic, text)


CHECKS = (folders,)
