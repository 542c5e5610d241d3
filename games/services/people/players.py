"""Players: nicknames, guests, and the players of browser sessions.

Merging is in `merging`, banning in `bans`, deleting in `deletion`, the export of a person's data
in `deletion.own_data`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import regex
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth import SESSION_KEY as USER_KEY
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils.crypto import constant_time_compare

from games.kernel.contract import Illegal
from games.models import AuditEntry, Membership, Player, ResultLine, Seat
from games.row_ids import LARGEST_ID
from games.services import audit, publication, row_locks
from games.services.publication import Occurrence

LONGEST_NICKNAME = 24
SESSION_KEY = "player_id"
DEVICES_KEY = "devices_since"
RENAMING: Occurrence[Player, str] = Occurrence()
"""A player asks for another nickname; Illegal where it may not be."""
RENAMED: Occurrence[Player, str] = Occurrence()
"""A player had another nickname until now."""
# Controls, formats (zero-width, bidi), private use, surrogates, line and paragraph breaks.
# U+200D is allowed: it joins the parts of one emoji.
_FORBIDDEN = regex.compile(r"[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}--\u200d]", regex.V1)
# Flags of parts of a country, such as Scotland's, are made of such formats: a black flag and its letters as tags.
_FLAG = regex.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f")
# A letter of any script has four marks at most above and below it; a pile of them lies across the lines around it.
_PILE = regex.compile(r"(?:[\p{Mn}\p{Me}]\p{Mc}*){5,}")
# Some letters and symbols are invisible: Hangul fillers, the empty Braille cell.
_VISIBLE = regex.compile(r"[[\p{L}\p{N}\p{S}\p{P}]--[\p{DI}\u2800]]", regex.V1)


def is_plain(text: str) -> bool:
    """Tell whether a line of text is free of control, bidi and zero-width characters, and of piles of marks."""
    return _FORBIDDEN.search(_FLAG.sub("", text)) is None and _PILE.search(text) is None


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


def new_guest(nickname: str, language: str = "") -> Player:
    """Create a player without an account, who is written to in a language of the house; raises as `clean_nickname`."""
    spoken = language if language in dict(settings.LANGUAGES) else ""
    return Player.objects.create(nickname=clean_nickname(nickname), language=spoken)


@transaction.atomic
def rename(player: Player, nickname: str, by: AbstractBaseUser | None = None) -> None:
    """Give a player another nickname; seats and results keep the nickname of that time.

    The player's open nights are told; a rename by staff (`by`) is written to the audit. Raises as
    `clean_nickname`, `gone_player`, and `nickname_of_host` at a night where the name looks like the host's.
    """
    player = row_locks.person(player)
    old, new = player.nickname, clean_nickname(nickname)
    if new == old:
        return
    if by is None:
        RENAMING.tell(player, new)
    player.nickname = new
    player.save(update_fields=["nickname"])
    if by is not None:
        audit.note("player_renamed", by, f"{old} → {player.nickname}", player=player.pk)
    RENAMED.tell(player, old)


@transaction.atomic
def set_listed(player: Player, is_listed: bool) -> None:
    """Show a player in leaderboards to all players that have been at a night, or to nobody; raises `gone_player`."""
    player = row_locks.person(player)
    player.is_listed = is_listed
    player.save(update_fields=["is_listed"])


@transaction.atomic
def set_hides_grades(player: Player, hides: bool) -> None:
    """Hide a player's grades from everybody else, or leave that to the tables' house rules; raises `gone_player`."""
    player = row_locks.person(player)
    player.hides_grades = hides
    player.save(update_fields=["hides_grades"])


def current_player(player_id: object, **more: Any) -> Player | None:
    """Return the present player of an id, with its `user`: the one into which it was merged, if any.

    None for an unknown id or a deleted player. `more` are expressions over players that are asked in the same query.
    """
    return current_players([player_id], **more)[0]


def current_players(player_ids: Sequence[object], **more: Any) -> list[Player | None]:
    """Return the present player of each id, as `current_player` does for one."""
    found = _rows(player_ids, **more)
    return [_today(found.get(pk), found) if isinstance(pk, int) else None for pk in player_ids]


def stored_player(player_id: int | None) -> Player | None:
    """Return the row of a player's present data, also of a deleted player; None for None."""
    if player_id is None:
        return None
    found = _rows([player_id])
    player = found.get(player_id)
    while player is not None and player.merged_into_id is not None:
        player = found.get(player.merged_into_id)
    return player


def _rows(player_ids: Sequence[object], **more: Any) -> dict[int, Player]:
    """Return the rows of the given players, and of the players into which they were merged."""
    players = Player.objects.select_related("user").annotate(**more)
    found = players.in_bulk([pk for pk in player_ids if isinstance(pk, int) and 0 <= pk <= LARGEST_ID])
    while joined := {p.merged_into_id for p in found.values()} - found.keys() - {None}:
        found |= players.in_bulk(joined)
    return found


def _today(player: Player | None, found: Mapping[int, Player]) -> Player | None:
    while player is not None and player.merged_into_id is not None:
        player = found.get(player.merged_into_id)
    return player if player is not None and player.deleted_at is None else None


def is_merged(player_id: int | None) -> bool:
    """Tell whether a player was merged into another one; False for None."""
    return player_id is not None and Player.objects.filter(pk=player_id, merged_into__isnull=False).exists()


def joined_to(player_id: int) -> set[int]:
    """Return the ids of all players that were merged into a player, directly or through others."""
    found: set[int] = set()
    newest = {player_id}
    while newest:
        rows = Player.objects.filter(merged_into__in=newest).values_list("pk", flat=True)
        newest = set(rows) - found
        found |= newest
    return found


def device_keys(place: str, player: Player | None) -> list[str]:
    """Return the keys of a player's lists on a device at a place: the player's own, then those of joined players."""
    joined = [] if player is None else sorted(joined_to(player.pk))
    return [f"{place}.{pk}" for pk in ("" if player is None else player.pk, *joined)]


def names_of(player: Player) -> set[str]:
    """Return every name that a player has had; the audit knows those under which a host entered a result."""
    ids = {player.pk, *joined_to(player.pk)}
    names = set(Player.objects.filter(pk__in=ids).values_list("nickname", flat=True))
    names |= set(AuditEntry.objects.filter(player=player).values_list("actor_name", flat=True))
    names |= set(Seat.objects.filter(player=player).values_list("name", flat=True))
    return names | set(ResultLine.objects.filter(player=player).values_list("name", flat=True))


def session_player(session: Any) -> Player | None:
    """Return the player of a browser session.

    A player with an account is reached by logging in: an older session of the same player as a guest has
    no player any more. Banned players are returned too; see `not_banned`.
    """
    return session_players([session])[0]


def session_players(sessions: Sequence[Any]) -> list[Player | None]:
    """Return the player of each browser session, as `session_player` does for one."""
    found = _rows([session.get(SESSION_KEY) for session in sessions])
    return [_of_session(session, found) for session in sessions]


def _of_session(session: Any, found: Mapping[int, Player]) -> Player | None:
    """Return the player of a session: the account's by its login, else the guest unless signed out."""
    named = session.get(SESSION_KEY)
    row = found.get(named) if isinstance(named, int) else None
    player = _today(row, found)
    if row is None or player is None:
        return None
    is_theirs = is_logged_in(session, player.user) if player.user else is_on(session, row)
    return player if is_theirs else None


def is_on(session: Any, named: Player) -> bool:
    """Tell whether a guest's session began after all devices of the guest were last signed out."""
    return bool(session.get(DEVICES_KEY, 0) == named.devices_since)


def browser_guest(session: Any) -> Player | None:
    """Return the player that a session names, even if the guest has got an account meanwhile.

    None if the guest's devices were signed out since.
    """
    named = session.get(SESSION_KEY)
    row = Player.objects.filter(pk=named).first() if isinstance(named, int) else None
    return current_player(named) if row is not None and (row.user_id or is_on(session, row)) else None


def bind_session(session: Any, player: Player) -> None:
    """Make a player the player of a session."""
    session[SESSION_KEY], session[DEVICES_KEY] = player.pk, player.devices_since


def take_off_devices(player: Player) -> None:
    """Sign out every session of a guest so far; their open connections close after the commit."""
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
    """Tell whether a player's account belongs to staff."""
    return player.user is not None and player.user.is_active and player.user.is_staff


def check_welcome(player: Player) -> None:
    """Raise `banned` for a banned player."""
    if player.banned_at is not None:
        raise Illegal("banned")


def come_back(player: Player) -> None:
    """Make a player's open connections reconnect after the commit, each by its own session."""
    transaction.on_commit(partial(publication.publish, publication.PlayerChanged(player.pk)))


def lines_of_account(user_id: int) -> None:
    """Make the open connections of an account's player reconnect."""
    player = Player.objects.filter(user_id=user_id).first()
    if player is not None:
        come_back(player)


def account_player(user: AbstractBaseUser) -> Player | None:
    """Return the player of an account, or None."""
    return Player.objects.filter(user_id=user.pk).first()


def name_for(user: AbstractBaseUser) -> str:
    """Return the nickname to suggest for an account: its user name, cut to length; "" if it is no valid nickname."""
    try:
        return clean_nickname("".join(regex.findall(r"\X", user.get_username())[:LONGEST_NICKNAME]))
    except Illegal:
        return ""


def has_history(player: Player) -> bool:
    """Tell whether a player has a membership, a seat or a result."""
    return (
        Membership.objects.filter(player=player).exists()
        or Seat.objects.filter(player=player).exists()
        or ResultLine.objects.filter(player=player).exists()
    )
