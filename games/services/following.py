"""Rooms that act upon occurrences in rooms before them (`games.services.occurrences`), in their order."""

from __future__ import annotations

from games.services.calendar import all_series, answers, dates
from games.services.chat import chat_lines
from games.services.history import matches, results
from games.services.mails import outbox as mail_outbox
from games.services.nights import banned, host_names, membership
from games.services.people import bans, players
from games.services.screens import screens
from games.services.tables import decisions, leaving
from games.services.webhooks import outbox as webhook_outbox


def register() -> None:
    """Connect each occurrence with those who follow it."""
    players.RENAMING.follow(host_names.check)
    players.RENAMED.follow(host_names.tell_renamed)
    bans.BANNED.follow(banned.remove, screens.end_of_banned)
    decisions.ADDED.follow(results.follow_log, matches.follow_log, chat_lines.follow_log)
    membership.LEFT.follow(leaving.free_seats)
    membership.CLOSING.follow(leaving.end_tables)
    membership.CLOSED.follow(webhook_outbox.tell_closed)
    dates.OPENED.follow(webhook_outbox.tell_opened)
    all_series.CHANGED.follow(mail_outbox.tell_change, webhook_outbox.tell_change)
    answers.MOVED_UP.follow(mail_outbox.tell_place)
