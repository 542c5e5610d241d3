"""The right to look at a table, checked for many requests at once.

After a lost connection many phones come back together and ask the same. So all functions here take
several questions and need as many statements for a hundred as for one. Nothing here writes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from games import plugin
from games.kernel.contract import Illegal
from games.models import Membership, Table
from games.services.nights import tv_screens
from games.services.tables import sql


@dataclass(frozen=True, slots=True)
class Access:
    """The right to look at a table. `player_id` is None for a TV screen, which only looks.

    `person_id` is the player of the browser's session, also on a TV screen; `is_guest` says that the
    right is that of a member, and not of a TV link. `code_version` is the version of the night's room code
    at that time: the right of a TV link ends with a new room code. `screen` is the digest of a screen of the house
    that has the right; it ends when the screen shows the night no more.
    """

    table_id: int
    night_id: int
    game_id: str
    player_id: int | None
    name: str
    person_id: int | None
    is_guest: bool
    code_version: int = 1
    screen: str = ""

    @property
    def is_tv(self) -> bool:
        """Tell whether this is a TV screen."""
        return self.player_id is None


@dataclass(frozen=True, slots=True)
class Asker:
    """The player, or the unknown browser, that asks for a table (public id).

    `tv` lists the nights (public ids) whose TV link the browser has opened; `as_tv` asks for the TV screen
    although the player is in. `screen` is the digest of a screen of the house, "" for none.
    `is_staff`: may look at any table of these nights, while a screen may only look at
    the one that it shows.
    """

    public_id: str
    player_id: int | None
    tv: Collection[str] = ()
    as_tv: bool = False
    is_staff: bool = False
    screen: str = ""


def access(
    public_id: str, player_id: int | None, tv: Collection[str] = (), *, is_staff: bool = False, screen: str = ""
) -> Access:
    """Return a browser's right to look at a table; raises the refusals of `accesses`."""
    (found,) = accesses([Asker(public_id, player_id, tv, is_staff=is_staff, screen=screen)])
    if isinstance(found, Illegal):
        raise found
    return found


def accesses(askers: Sequence[Asker]) -> list[Access | Illegal]:
    """Return each asker's right to look at a table: as a player of its night, or as a TV screen of it.

    A refused asker gets Illegal `no_such_table`, `removed`, `not_inside` or `no_such_game` in its place.
    """
    rows = Table.objects.filter(public_id__in={asker.public_id for asker in askers})
    fields = ("public_id", "pk", "night_id", "night__public_id", "night__code_version", "game_id")
    tables = {row[0]: row for row in rows.values_list(*fields)}
    players = {asker.player_id for asker in askers if asker.player_id is not None}
    members = Membership.objects.filter(
        night_id__in={row[2] for row in tables.values()}, player_id__in=players
    ).select_related("player")
    found = {(member.night_id, member.player_id): member for member in members}
    screens = {night for asker in askers if not asker.is_staff for night in asker.tv}
    shown = tv_screens.shown_tables(screens & {row[3] for row in tables.values()})
    read = tv_screens.readable({asker.screen for asker in askers})
    return [
        _access(asker, tables.get(asker.public_id), found, shown, read.get(asker.screen, set())) for asker in askers
    ]


def _access(
    asker: Asker,
    table: tuple[str, int, int, str, int, str] | None,
    members: Mapping[tuple[int, int], Membership],
    shown: Collection[int],
    read: Collection[int],
) -> Access | Illegal:
    if table is None:
        return Illegal("no_such_table")
    _, table_id, night_id, night, version, game_id = table
    member = members.get((night_id, asker.player_id)) if asker.player_id is not None else None
    if member is not None and member.status == Membership.Status.KICKED:
        return Illegal("removed")
    is_in = member is not None and member.status == Membership.Status.IN
    is_visible = night in asker.tv and (asker.is_staff or table_id in shown)
    screen = asker.screen if table_id in read and not is_visible else ""
    if not is_in and not is_visible and not screen:
        return Illegal("not_inside")
    if not plugin.is_installed(game_id):
        return plugin.UnknownGame(game_id)
    if member is None or not is_in or asker.as_tv:
        return Access(table_id, night_id, game_id, None, "", asker.player_id, is_in, version, screen)
    return Access(
        table_id, night_id, game_id, member.player_id, member.player.nickname, member.player_id, is_in, version
    )


def pulses(rights: Sequence[Access]) -> list[int | Illegal]:
    """Return the last seq of each table while the right to look at it holds.

    A lost right gives Illegal `removed` (for a TV link also after a new room code), a missing table `no_such_table`.
    """
    seqs = sql.seqs({right.table_id for right in rights})
    players = {right.person_id for right in rights if right.person_id is not None}
    inside = sql.members({right.night_id for right in rights}, players)
    shown = {digest: each.night.pk for digest, each in tv_screens.showing({right.screen for right in rights}).items()}
    return [_pulse(right, seqs, inside, shown) for right in rights]


def _pulse(
    right: Access,
    seqs: Mapping[int, tuple[int, int]],
    inside: Collection[tuple[int, int]],
    shown: Mapping[str, int],
) -> int | Illegal:
    if (found := seqs.get(right.table_id)) is None:
        return Illegal("no_such_table")
    seq, code_version = found
    if right.screen and not right.is_guest and shown.get(right.screen) != right.night_id:
        return Illegal("removed")
    if not right.screen and not right.is_guest and code_version != right.code_version:
        return Illegal("removed")
    if right.is_guest and (right.night_id, right.person_id) not in inside:
        return Illegal("removed")
    return seq
