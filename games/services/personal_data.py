"""Rooms with data of a person, in the order in which deletion and merging go over them."""

from __future__ import annotations

from games.services import kept
from games.services.calendar import personal as calendar_personal
from games.services.chat import personal as chat_personal
from games.services.draws import personal as draw_personal
from games.services.grades import personal as grade_personal
from games.services.history import personal as history_personal
from games.services.house_rules import personal as house_rule_personal
from games.services.logs import personal as log_personal
from games.services.mails import personal as mail_personal
from games.services.nights import personal as night_personal
from games.services.payments import personal as payment_personal
from games.services.people import personal as people_personal
from games.services.rolls import personal as roll_personal
from games.services.screens import personal as screen_personal
from games.services.seasons import personal as season_personal
from games.services.sheets import personal as sheet_personal
from games.services.tables import personal as table_personal
from games.services.tournaments import personal as tournament_personal
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
    kept.register(*ROOMS)
