"""The rooms in their orders: those with data of a person, and those that act upon what happens in others.

Deletion and merging go over the rooms with data of a person in the order of `ROOMS`.

Rooms that act upon occurrences in rooms before them (`games.services.publication`), in their order.
"""

from __future__ import annotations

from games.services import personal_rooms
from games.services.calendar import all_series, answers, dates
from games.services.calendar import personal as calendar_personal
from games.services.chat import chat
from games.services.chat import personal as chat_personal
from games.services.draws import personal as draw_personal
from games.services.grades import personal as grade_personal
from games.services.history import corrections, exports, matches, results
from games.services.history import personal as history_personal
from games.services.hosting import ban_removals
from games.services.house_rules import personal as house_rule_personal
from games.services.logs import personal as log_personal
from games.services.mails import outbox as mail_outbox
from games.services.mails import personal as mail_personal
from games.services.nights import membership, newcomers
from games.services.nights import personal as night_personal
from games.services.payments import personal as payment_personal
from games.services.people import bans, players
from games.services.people import personal as people_personal
from games.services.rolls import personal as roll_personal
from games.services.screens import personal as screen_personal
from games.services.screens import screens
from games.services.seasons import personal as season_personal
from games.services.sheets import personal as sheet_personal
from games.services.tables import decisions
from games.services.tables import personal as table_personal
from games.services.tables.seating import leaving
from games.services.tournaments import files
from games.services.tournaments import personal as tournament_personal
from games.services.webhooks import outbox as webhook_outbox
from games.services.webhooks import personal as webhook_personal

ROOMS = (
    people_personal.KEPT,
    night_personal.KEPT,
    log_personal.KEPT,
    table_personal.KEPT,
    draw_personal.KEPT,
    chat_personal.KEPT,
    house_rule_personal.KEPT,
    roll_personal.KEPT,
    grade_personal.KEPT,
    season_personal.KEPT,
    sheet_personal.KEPT,
    tournament_personal.KEPT,
    calendar_personal.KEPT,
    mail_personal.KEPT,
    webhook_personal.KEPT,
    screen_personal.KEPT,
    payment_personal.KEPT,
    # Corrections that waited for a person who is deleted go on, without the name, at last.
    history_personal.KEPT,
)


def register() -> None:
    """Let deletion, merging and the export of own data go over all rooms."""
    personal_rooms.register(*ROOMS)


def connect_followers() -> None:
    """Connect each occurrence with those who follow it, and a night's files with the rooms that add to them."""
    players.RENAMING.follow(newcomers.check_name)
    players.RENAMED.follow(newcomers.tell_renamed)
    bans.BANNED.follow(ban_removals.remove, screens.end_of_banned)
    decisions.ADDED.follow(results.follow_log, matches.follow_log, corrections.follow_log, chat.follow_log)
    membership.LEFT.follow(leaving.free_seats)
    membership.CLOSING.follow(leaving.end_tables)
    membership.CLOSED.follow(webhook_outbox.tell_closed)
    dates.OPENED.follow(webhook_outbox.tell_opened)
    all_series.CHANGED.follow(mail_outbox.tell_change, webhook_outbox.tell_change)
    answers.MOVED_UP.follow(mail_outbox.tell_place)
    exports.add_files(files.of_night)
