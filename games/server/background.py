"""The house's background tasks in one list: the clock runs them (services/tasks.py), the admin shows them."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from games.management.backups import schedule, stored
from games.management.processes import analyser_process
from games.services import tasks
from games.services.calendar import opening
from games.services.clock import housekeeping
from games.services.grades import jobs
from games.services.mails import outbox as mail_outbox
from games.services.mails import sending as mail_sending
from games.services.mails import wishes
from games.services.people import erasure
from games.services.tasks import Task
from games.services.webhooks import outbox as webhook_outbox
from games.services.webhooks import sending as webhook_sending

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)

TASKS = (
    Task(
        schedule.NAME,
        _("Backup"),
        _("Writes database, logs and secret key into one file; keeps those of seven days and four weeks."),
        schedule.run,
        schedule.HOUR,
        schedule.is_on,
    ),
    Task(
        stored.NAME,
        _("Check of the backups"),
        _("Compares the stored backups with what was written, and restores some into an empty house as a test."),
        stored.run,
        stored.HOUR,
        schedule.is_on,
    ),
    Task(
        "housekeeping",
        _("Housekeeping"),
        _("Closes nights that nobody uses, deletes what is past its term, counts dice, puts old logs into files."),
        housekeeping.run_as_task,
        housekeeping.HOUR,
    ),
    Task(
        "erasure",
        _("Erasing of deleted data"),
        _("Writes the database's file anew once somebody's data were deleted, so that nothing of them is left in it."),
        erasure.run_as_task,
        every=HOUR,
        is_on=erasure.is_needed_here,
    ),
    Task(
        mail_outbox.TASK,
        _("Mails about dates"),
        _("Sends the mails about dates of series that are due."),
        mail_sending.run_as_task,
        every=MINUTE,
        is_on=wishes.are_sent,
    ),
    Task(
        "opening",
        _("Opening of nights"),
        _("Opens the nights of series that open by themselves, and closes those to which nobody has come."),
        opening.run_as_task,
        every=MINUTE,
    ),
    Task(
        webhook_outbox.TASK,
        _("Webhooks"),
        _("Tells the webhooks of series and nights what there is to tell."),
        webhook_sending.run_as_task,
        every=MINUTE,
    ),
    Task(
        jobs.TASK,
        _("Grading of games"),
        _("Grades finished games, one by one, in a process of its own: the command “analyser”."),
        state=analyser_process.words,
    ),
)


def register() -> None:
    """Register all tasks."""
    for task in TASKS:
        tasks.register(task)
