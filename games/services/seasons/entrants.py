"""Entrants of a season: players who are counted in; and what a season keeps of a person."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import DeclinedEntry, Entrant, JoinProposal, Player, Season, SeasonRequest
from games.models.night import today
from games.services import row_locks
from games.services.acts import LogLine
from games.services.arguments import Moment, Ticked
from games.services.nights import newcomers
from games.services.people import confusable_names, name_order, players
from games.services.seasons import frozen, season_log, season_matches, season_nights, seasons, sheet_names
from games.services.seasons.registry import ACTS, EntrantId, SeasonRight
from games.services.seasons.rights import SeasonReader, check_open, check_organiser, reader_of

MOST_ENTRANTS = 500
"""The most entrants whom a season's link counts in."""
LONGEST_CHAIN = 3
"""The seasons that follow on each other of which the entrants are asked for the last one, itself included."""
season_log.LOG.add(
    LogLine("handed_over", _("The season has another organiser.")),
)


@ACTS.act("enter", SeasonRight.PERSON, done=_("You are counted in."), label=_("Count me in"))
@transaction.atomic
def enter(season: Season, player: Player, listed: Ticked = False) -> None:
    """Count a player in; `listed`: the name may be shown to everybody from now on.

    Raises Illegal `season_closed`, `gone_player`, `not_in_season` for who was at no night, nor counted in at the season
    before.
    """
    check_open(season)
    player = row_locks.person(player)
    reader = reader_of(season, player, [placed.night for placed in season_nights.nights_of(season)])
    if not (reader.may_read or is_asked(season, player)):
        raise Illegal("not_in_season")
    _count_in(season, player)
    if listed:
        players.set_listed(player, True)


def _count_in(season: Season, player: Player) -> None:
    Entrant.objects.get_or_create(season=season, player=player)
    season.declined.filter(player=player).delete()


def is_asked(season: Season, player: Player) -> bool:
    """Tell whether somebody who was counted in at a season before is asked for this one: until they say yes or no."""
    each: Season | None = season
    for _step in range(LONGEST_CHAIN):
        if each is None or each.declined.filter(player=player).exists():
            return False
        if each.entrants.filter(player=player).exists():
            return each.pk != season.pk and season.status == Season.Status.OPEN
        each = each.former
    return False


def asked_of(player: Player | None) -> list[Season]:
    """Return the seasons that ask a player anew whether they are counted in, the soonest first."""
    if player is None:
        return []
    earlier = Q(former__entrants__player=player) | Q(former__former__entrants__player=player)
    rows = Season.objects.filter(earlier, status=Season.Status.OPEN).distinct().order_by("first_day", "pk")
    return [season for season in rows if is_asked(season, player)]


@ACTS.act("decline", SeasonRight.PERSON, done=_("You are not asked again."), label=_("Not this time"))
@transaction.atomic
def decline(season: Season, player: Player) -> None:
    """Ask a player no more who was counted in at the season before; raises `gone_player`, `no_question`."""
    player = row_locks.person(player)
    if not is_asked(season, player):
        raise Illegal("no_question")
    DeclinedEntry.objects.get_or_create(season=season, player=player)


def find_by_key(public_id: str, key: str) -> Season:
    """Return the season of a link by which people are counted in; raises Illegal `no_such_season`.

    Of a season that is over it is the next one's, until an organiser renews or closes that one's.
    """
    season = seasons.find(public_id)
    if not season.entry_key or not constant_time_compare(season.entry_key, key):
        raise Illegal("no_such_season")
    while season.last_day < today() or season.status != Season.Status.OPEN:
        same = season.followers.filter(entry_key=season.entry_key, status=Season.Status.OPEN)
        following = same.order_by("first_day", "pk").first()
        if following is None:
            break
        season = following
    return season


@transaction.atomic
def enter_by_key(public_id: str, key: str, player: Player) -> Season:
    """Count in who has the link for it, whether they were at a night or not; return the season.

    Raises Illegal `no_such_season`, `season_closed`, `banned`, `gone_player`, `too_many_entrants`, and for a guest who
    was at no night and whose name looks like the organiser's `nickname_of_organiser`.
    """
    season = find_by_key(public_id, key)
    check_open(season)
    player = row_locks.person(player)
    players.check_welcome(player)
    if season.entrants.filter(player=player).exists():
        return season
    if season.entrants.count() >= MOST_ENTRANTS:
        raise Illegal("too_many_entrants", most=MOST_ENTRANTS)
    if player.user_id is None and not player.memberships.exists():
        _check_name(season, player)
    _count_in(season, player)
    return season


def _check_name(season: Season, player: Player) -> None:
    """Raise `nickname_of_organiser` for a name that looks like the organiser's, which stands on the link's page."""
    organiser = season.organiser
    if organiser is not None and confusable_names.flags({0: player.nickname, 1: organiser.nickname}):
        raise Illegal("nickname_of_organiser", organiser=organiser.nickname)


def seen(season: Season, reader: SeasonReader, *, hosts: bool) -> tuple[Sequence[Player], int]:
    """Return the entrants that are visible to a reader, sorted by nickname, and the number of all.

    Organisers, entrants and, as `hosts` says, hosts of the season's nights see all of them.
    """
    found = [row.player for row in season.entrants.select_related("player")]
    sees_all = reader.sees_all or reader.is_entrant or hosts
    named = [player for player in found if sees_all or player.is_listed or reader.sees(player.pk)]
    return name_order.by_name(named, lambda player: player.nickname), len(found)


@ACTS.act(
    "take_out",
    SeasonRight.ORGANISER,
    LogLine("entrant_taken_out", _("Somebody is counted in no more, by an organiser.")),
    done=_("Counted in no more. Their points stay."),
    label=_("Take out"),
    words={"name": _("Take %(name)s out")},
)
@transaction.atomic
def take_out(season: Season, by: Player, player_id: EntrantId) -> None:
    """Count somebody in no more, as an organiser; their points stay, and they may be counted in again.

    Raises Illegal `not_organiser`, `season_closed`, `no_such_entrant`.
    """
    check_organiser(season, by)
    check_open(season)
    row = season.entrants.filter(player=player_id).first()
    if row is None:
        raise Illegal("no_such_entrant")
    row.delete()
    season_log.note(season, "entrant_taken_out", by)


@ACTS.act(
    "take_out_newcomers",
    SeasonRight.ORGANISER,
    LogLine(
        "newcomers_taken_out", _("People who never played here are counted in no more, by an organiser: %(count)s.")
    ),
    done=_("They are counted in no more."),
    label=_("Take made-up people out"),
    question=_(
        "Everybody who was counted in since then and never played here is counted in no more. Renew the link as well "
        "if strangers have it."
    ),
    yes=_("Yes, take them out"),
)
@transaction.atomic
def take_out_newcomers(season: Season, by: Player, since: Moment) -> str:
    """Count in no more who was counted in at a time or later and never played here, as an organiser.

    Organisers stay. Raises Illegal `not_organiser`, `season_closed`.
    """
    check_organiser(season, by)
    check_open(season)
    rows = season.entrants.filter(newcomers.never_played(), joined_at__gte=since)
    count = rows.exclude(player__in=[pk for pk in (season.organiser_id, season.second_id) if pk]).delete()[0]
    if not count:
        return gettext("Nobody who never played here was counted in since then.")
    season_log.note(season, "newcomers_taken_out", by, count=count)
    return ""


@ACTS.act(
    "open_entry",
    SeasonRight.ORGANISER,
    LogLine("entry_opened", _("A link was made by which people are counted in.")),
    done=_("Whoever has the link can be counted in."),
    label=_("Make a link for “Count me in”"),
    words={"again": _("Renew the link")},
)
@transaction.atomic
def open_entry(season: Season, by: Player) -> None:
    """Make the link by which people are counted in; an earlier one opens nothing any more.

    Raises Illegal `season_closed`, `not_organiser`.
    """
    check_open(season)
    _set_entry(season, by, secrets.token_urlsafe(16))


@ACTS.act(
    "close_entry",
    SeasonRight.ORGANISER,
    LogLine("entry_closed", _("The link by which people are counted in was closed.")),
    done=_("The link is closed: it opens nothing."),
    label=_("Close the link"),
)
@transaction.atomic
def close_entry(season: Season, by: Player) -> None:
    """Close the link by which people are counted in; raises Illegal `not_organiser`."""
    _set_entry(season, by, "")


def _set_entry(season: Season, by: Player, key: str) -> None:
    check_organiser(season, by)
    season.entry_key = key
    season.save(update_fields=["entry_key"])
    season_log.note(season, "entry_opened" if key else "entry_closed", by)


@ACTS.act(
    "leave", SeasonRight.PERSON, done=_("You are counted in no more. Your points stay."), label=_("Count me in no more")
)
@transaction.atomic
def leave(season: Season, player: Player) -> None:
    """Count a player in no more; their points stay. Raises `gone_player`."""
    player = row_locks.person(player)
    Entrant.objects.filter(season=season, player=player).delete()
    if is_asked(season, player):
        decline(season, player)


def join(source: Player, target: Player) -> None:
    """Give a merged player's places to the player into which it is merged."""
    theirs = Entrant.objects.filter(player=target).values("season")
    Entrant.objects.filter(player=source, season__in=list(theirs.values_list("season", flat=True))).delete()
    declined = DeclinedEntry.objects.filter(player=target).values_list("season", flat=True)
    DeclinedEntry.objects.filter(player=source, season__in=list(declined)).delete()
    Season.objects.filter(organiser__in=(source, target), second__in=(source, target)).update(second=None)
    season_matches.join(source, target)
    JoinProposal.objects.filter(Q(source__in=(source, target)) | Q(target__in=(source, target)) | Q(by=source)).delete()
    frozen.rename(source.pk, target.pk)


def forget(player: Player) -> None:
    """Leave what a deleted player organised to the second organiser, else to the staff; places stay without a name."""
    Entrant.objects.filter(player=player).delete()
    DeclinedEntry.objects.filter(player=player).delete()
    sheet_names.forget(player)
    JoinProposal.objects.filter(Q(source=player) | Q(target=player) | Q(by=player)).delete()
    SeasonRequest.objects.filter(night__host=player).delete()
    Season.objects.filter(second=player).update(second=None)
    for season in Season.objects.filter(organiser=player):
        season_nights.keep(season)
        season.organiser, season.second = season.second, None
        season.save(update_fields=["organiser", "second"])
        season_log.note(season, "handed_over", None)
