"""Acts of the staff at one table: pause, go on, a stand-in, the end. Each is the host's own act, in the house's name.

The log tells it, the audit tells who did it. The staff plays nobody's turn and sees nothing hidden (docs/security.md).
"""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.kernel.contract import Illegal, JsonObject
from games.models import Membership, Table
from games.services import audit
from games.services.commands import HOUSE, Request, new_command_id
from games.services.tables.commit import submit

PAUSE, RESUME, SUBSTITUTE = "table.pause", "table.resume", "table.substitute"
CLOSE, END = "table.close", "table.end"
_CODES = {
    PAUSE: "table_paused",
    RESUME: "table_resumed",
    SUBSTITUTE: "table_substitute",
    CLOSE: "table_close",
    END: "table_end",
}
"""Command → its code in the audit; a host's pause has no entry there."""


def pause(table: Table, by: AbstractBaseUser) -> None:
    """Pause a table; raises `paused`, `not_started`, `finished`."""
    _act(table, by, PAUSE, {})


def resume(table: Table, by: AbstractBaseUser) -> None:
    """Let a paused table go on; raises `not_paused`, `not_started`, `finished`."""
    _act(table, by, RESUME, {})


def put_bot(table: Table, by: AbstractBaseUser, seat: int, sitter: int | None, level: str) -> None:
    """Let a bot take a seat from a person (`sitter`, None: nobody or a bot); raises `other_sitter`, `bad_level`, …"""
    _act(table, by, SUBSTITUTE, {"seat": seat, "sitter": sitter, "bot": level})


def put_member(table: Table, by: AbstractBaseUser, seat: int, sitter: int | None, player_id: int) -> None:
    """Give a seat to a member of the night who has a phone, and accepts the rules there.

    For somebody without a phone whoever seats them accepts the rules: that is a person at the night, not the staff.
    Raises `no_phone`, `other_sitter`, `no_such_player`, `seated`.
    """
    member = table.night.memberships.filter(player__id=player_id, status=Membership.Status.IN).first()
    if member is not None and member.keeper_id is not None:
        raise Illegal("no_phone")
    _act(table, by, SUBSTITUTE, {"seat": seat, "sitter": sitter, "player": player_id})


def end(table: Table, by: AbstractBaseUser, *, with_result: bool) -> None:
    """End a table, with the result so far if the game allows it, else without one; raises `not_open`, …"""
    _act(table, by, CLOSE if with_result else END, {})


@transaction.atomic
def _act(table: Table, by: AbstractBaseUser, name: str, args: JsonObject) -> None:
    submit(table.pk, HOUSE, Request(name, args, new_command_id()))
    about = {"table": table.public_id, **({"seat": args["seat"]} if "seat" in args else {})}
    subject = f"{table.game_id} {table.number}"
    audit.note(_CODES[name], by, subject, night=table.night, **about)
