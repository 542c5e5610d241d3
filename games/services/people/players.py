"""People: nicknames, guests, and the players of browser sessions.

Joining two players to one is in `merging`, shutting somebody out in `bans`, deleting in
`deletion`; what is known of a person is handed out by `own_data`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import regex
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth import SESSION_KEY as USER_KEY
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils.crypto import constant_time_compare

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, ResultLine, Seat
from games.row_ids import can_be_id
from games.services.people import confusable_names
from games.services.tables import publication

LONGEST_NICKNAME = 24
SESSION_KEY = "player_id"
DEVICES_KEY = "devices_since"
# Controls, formats (zero-width, bidi), private use, surrogates, line and paragraph breaks.
# U+200D is let through: it joins the parts of one emoji.
_FORBIDDEN = regex.compile(r"[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}--\u200d]", regex.V1)
# Some letters and symbols are drawn as nothing: Hangul fillers, the empty Braille cell.
_VISIBLE = regex.compile(r"[[\p{L}\p{N}\p{S}\p{P}]--[\p{DI}\u2800]]", regex.V1)


def is_plain(text: str) -> bool:
    """Tell whether a line of text is free of control, bidi and zero-width characters."""
    return _FORBIDDEN.search(text) is None


def clean_nickname(raw: str) -> str:
    """Return a nickname in NFKC with single spaces.

    Raises Illegal `nickname_empty`, `nickname_characters` or `nickname_long`
    (more than 24 graphemes).
    """
    name = " ".join(unicodedata.normalize("NFKC", raw).split())
    if not is_plain(name):
        raise Illegal("nickname_characters")
    if not _VISIBLE.search(name):
        raise Illegal("nickname_empty")
    if len(regex.findall(r"\X", name)) > LONGEST_NICKNAME or len(name) > 96:
        raise Illegal("nickname_long", longest=LONGEST_NICKNAME)
    return name


def rough_shape(name: str) -> str:
    """Return a nickname's rough shape: two with the same shape are easily confused."""
    return confusable_names.shape(name)


def new_guest(nickname: str, language: str = "") -> Player:
    """Create a player without an account; raises as `clean_nickname`."""
    return Player.objects.create(nickname=clean_nickname(nickname), language=language[:8])


@transaction.atomic
def rename(player: Player, nickname: str, by: AbstractBaseUser | None = None) -> None:
    """Give a player another nickname; seats and results keep the name they were played under.

    At nights that are still open everybody is told; that somebody of the staff did it (`by`)
    goes to the audit. Raises as `clean_nickname`, and `gone_player`.
    """
    from games.services import audit
    from games.services.nights import events

    if not player.is_somebody:
        raise Illegal("gone_player")

    old, player.nickname = player.nickname, clean_nickname(nickname)
    if player.nickname == old:
        return
    player.save(update_fields=["nickname"])
    if by is not None:
        audit.note("player_renamed", by, f"{old} → {player.nickname}", player=player.pk)
    inside = Night.objects.filter(memberships__player=player, memberships__status="in")
    for night in inside.exclude(status=Night.Status.CLOSED):
        events.record(night, "renamed", name=old, to=player.nickname, player=player.pk)


def set_listed(player: Player, is_listed: bool) -> None:
    """Show a player in leaderboards to everybody who has been at a night, or to nobody."""
    player.is_listed = is_listed
    player.save(update_fields=["is_listed"])


def current_player(player_id: object) -> Player | None:
    """Return the player that an id means today, with its `user`: the one it was joined to.

    None for one that never was or was deleted.
    """
    return current_players([player_id])[0]


def current_players(player_ids: Sequence[object]) -> list[Player | None]:
    """Return the player that each of some ids means today, as `present`."""
    found = _rows(player_ids)
    return [_today(found.get(pk), found) if isinstance(pk, int) else None for pk in player_ids]


def _rows(player_ids: Sequence[object]) -> dict[int, Player]:
    """Return the rows of some players, and of those that they were joined to."""
    known = Player.objects.select_related("user")
    found = known.in_bulk([pk for pk in player_ids if can_be_id(pk)])
    while joined := {p.merged_into_id for p in found.values()} - found.keys() - {None}:
        found |= known.in_bulk(joined)
    return found


def _today(player: Player | None, found: Mapping[int, Player]) -> Player | None:
    while player is not None and player.merged_into_id is not None:
        player = found.get(player.merged_into_id)
    return player if player is not None and player.deleted_at is None else None


def joined_to(player_id: int) -> set[int]:
    """Return the ids of all players that were joined to a player, directly or by way of others."""
    found: set[int] = set()
    newest = {player_id}
    while newest:
        rows = Player.objects.filter(merged_into__in=newest).values_list("pk", flat=True)
        newest = set(rows) - found
        found |= newest
    return found


def session_player(session: Any) -> Player | None:
    """Return the player of a browser session.

    A player with an account is reached by logging in to it: an older session that was that
    guest's before is nobody's. The banned are returned too; see `not_banned`.
    """
    return session_players([session])[0]


def session_players(sessions: Sequence[Any]) -> list[Player | None]:
    """Return the player of each browser session, as `of_session`."""
    found = _rows([session.get(SESSION_KEY) for session in sessions])
    return [_of_session(session, found) for session in sessions]


def _of_session(session: Any, found: Mapping[int, Player]) -> Player | None:
    """Return the player of a session: the account's by its login, else the guest unless taken off."""
    named = session.get(SESSION_KEY)
    row = found.get(named) if isinstance(named, int) else None
    player = _today(row, found)
    if row is None or player is None:
        return None
    is_theirs = is_logged_in(session, player.user) if player.user else is_on(session, row)
    return player if is_theirs else None


def is_on(session: Any, named: Player) -> bool:
    """Tell whether a session that names a guest began since their devices were last taken off."""
    return bool(session.get(DEVICES_KEY, 0) == named.devices_since)


def browser_guest(session: Any) -> Player | None:
    """Return the player that a session names; the guest may have got an account meanwhile.

    None where the guest's devices were taken off since.
    """
    named = session.get(SESSION_KEY)
    row = Player.objects.filter(pk=named).first() if isinstance(named, int) else None
    return current_player(named) if row is not None and (row.user_id or is_on(session, row)) else None


def bind_session(session: Any, player: Player) -> None:
    """Make a session the player's."""
    session[SESSION_KEY], session[DEVICES_KEY] = player.pk, player.devices_since


def take_off_devices(player: Player) -> None:
    """End every session of a guest so far; their open connections close after the commit."""
    player.devices_since += 1
    player.save(update_fields=["devices_since"])
    come_back(player)


def is_logged_in(session: Any, user: AbstractBaseUser) -> bool:
    """Tell whether a session belongs to a user, and began under the present password."""
    if not user.is_active or str(session.get(USER_KEY)) != str(user.pk):
        return False
    return constant_time_compare(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())


def not_banned(player: Player | None) -> Player | None:
    """Return the player, or None for a banned one."""
    return None if player is None or player.banned_at is not None else player


def is_staff(player: Player) -> bool:
    """Tell whether a player is of the house's staff."""
    return player.user is not None and player.user.is_active and player.user.is_staff


def check_welcome(player: Player) -> None:
    """Raise `banned` for a player who may come to no night."""
    if player.banned_at is not None:
        raise Illegal("banned")


def come_back(player: Player) -> None:
    """Let a player's open connections come back after the commit, each by its own session."""
    transaction.on_commit(partial(publication.publish, publication.PlayerChanged(player.pk)))


def lines_of_account(user_id: int) -> None:
    """Let the open connections of an account's player come back."""
    player = Player.objects.filter(user_id=user_id).first()
    if player is not None:
        come_back(player)


def account_player(user: AbstractBaseUser) -> Player | None:
    """Return the player of an account, if it has one."""
    return Player.objects.filter(user_id=user.pk).first()


def name_for(user: AbstractBaseUser) -> str:
    """Return the nickname to offer to an account: its user name, as far as that is one."""
    try:
        return clean_nickname("".join(regex.findall(r"\X", user.get_username())[:LONGEST_NICKNAME]))
    except Illegal:
        return ""


def has_history(player: Player) -> bool:
    """Tell whether a player was ever at a night, and so has something to lose."""
    return (
        Membership.objects.filter(player=player).exists()
        or Seat.objects.filter(player=player).exists()
        or ResultLine.objects.filter(player=player).exists()
    )
