"""People in a tournament: entered by themselves or by a director, with the acceptance of the rules card.

People of a tournament who go home or are removed are withdrawn; who was withdrawn so and is back plays again.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal, JsonObject
from games.models import Membership, Participant, Player, Tournament
from games.services import row_locks, server_time
from games.services.arguments import RowIds, Short, Ticked
from games.services.house_rules.cards import RulesCard, table_card
from games.services.nights import night_rights
from games.services.people import name_order
from games.services.tables.seating import leaving
from games.services.tournaments import entering, log
from games.services.tournaments.log import LogReading
from games.services.tournaments.rights import ACTS, TournamentRight

MOST = 200
"""The most people of a tournament."""


def card(tournament: Tournament) -> RulesCard:
    """Return the rules card of a tournament's tables."""
    return table_card(tournament)


def not_entered(tournament: Tournament) -> list[Membership]:
    """Return the members who are here and not in a tournament, by name, without those who direct only."""
    known = tournament.participants.values("player")
    present = leaving.members_here(tournament.night).select_related("player")
    found = present.exclude(player__in=known).exclude(player__in=tournament.non_playing.values("player"))
    return list(found.order_by(name_order.order("player__nickname"), "pk"))


@ACTS.act("enter", TournamentRight.DIRECTOR, label=_("Enter all who are here"))
@transaction.atomic
def add(tournament: Tournament, by: Player, players: RowIds) -> int:
    """Enter members who are here, as a director; return how many: who is in already is passed over among several.

    For people without a phone the director accepts the rules card; others are asked on their phones. Raises Illegal
    `nobody_named`, `no_such_player`, `too_many_entered`, and as `log.append`.
    """
    log.hold(tournament)
    if not players:
        raise Illegal("nobody_named")
    present = leaving.members_here(tournament.night).filter(player__in=players)
    members = {row.player_id: row for row in present.select_related("player")}
    if set(players) - members.keys():
        raise Illegal("no_such_player")
    known = dict(tournament.participants.values_list("player", "key"))
    if list(players) == [by.pk]:
        play_along(tournament, by)
    directing = set(tournament.non_playing.values_list("player", flat=True))
    if len(players) == 1 and directing.intersection(players):
        raise Illegal("only_directs", name=members[players[0]].player.nickname)
    wanted = [pk for pk in dict.fromkeys(players) if len(players) == 1 or pk not in {*known, *directing}]
    entries = [_entry(tournament, members[pk], known.get(pk), by) for pk in wanted]
    if entries:
        entering.enter(tournament, entries, by)
    return len(entries)


def _entry(tournament: Tournament, member: Membership, key: str | None, by: Player) -> JsonObject:
    """Return the entry that enters a member, with a row where the tournament has none."""
    if key is None:
        key = _new_key(tournament)
        accepted = {} if member.keeper_id is None else {"accepted_at": server_time.now(), "accepted_by": by}
        Participant.objects.create(tournament=tournament, key=key, player=member.player, **accepted)
    return {"type": "enter", "player": key}


def _new_key(tournament: Tournament) -> str:
    count = tournament.participants.count()
    if count >= MOST:
        raise Illegal("too_many_entered", most=MOST)
    return f"p{count + 1}"


@ACTS.act(
    "come_in",
    TournamentRight.MEMBER,
    done=_("You are in."),
    label=_("I play"),
    words={"rules": _("Accept the rules and play")},
)
@transaction.atomic
def come_in(tournament: Tournament, player: Player, mark: Short) -> None:
    """Enter oneself, accepting the rules card of `mark` for all tables; raises `card_changed`, and as `log.append`."""
    log.hold(tournament)
    _check_mark(tournament, mark)
    row = own(tournament, player)
    if row is None:
        key = _new_key(tournament)
        row = Participant.objects.create(tournament=tournament, key=key, player=player)
    leaving.note_back(row_locks.night(tournament.night), player)
    play_along(tournament, player)
    _accept(row)
    entering.enter(tournament, [{"type": "enter", "player": row.key}], player)


def play_along(tournament: Tournament, player: Player) -> None:
    """Take back that a player directs only: whoever enters oneself plays."""
    row_locks.night(tournament.night)
    tournament.non_playing.filter(player=player).delete()


def check_plays(tournament: Tournament, player: Player) -> None:
    """Raise Illegal `only_directs` for a player who directs only."""
    if tournament.non_playing.filter(player=player).exists():
        raise Illegal("only_directs", name=player.nickname)


@ACTS.act("direct_only", TournamentRight.DIRECTOR, done=_("Saved."), label=_("I direct only"))
@transaction.atomic
def direct_only(tournament: Tournament, by: Player, only: Ticked = False) -> None:
    """Tick, or untick, that one directs only: who is in already plays a running match out, and no other."""
    log.hold(tournament)
    if not only:
        play_along(tournament, by)
        return
    tournament.non_playing.get_or_create(player=by)
    row = own(tournament, by)
    if row is None or tournament.status == Tournament.Status.FINISHED:
        return
    status = next(each["status"] for each in log.read(tournament).state["players"] if each["player"] == row.key)
    if status not in ("withdrawn", "out"):
        entering.enter(tournament, [{"type": "withdraw", "player": row.key, "when": "after"}], by)


@ACTS.act(
    "accept", TournamentRight.MEMBER, done=_("Accepted for all matches of the tournament."), label=_("Accept the rules")
)
@transaction.atomic
def accept(tournament: Tournament, player: Player, mark: Short) -> None:
    """Accept the rules card for all tables of a tournament that one was entered for; raises `not_entered`."""
    log.hold(tournament)
    _check_mark(tournament, mark)
    row = own(tournament, player)
    if row is None:
        raise Illegal("not_entered")
    _accept(row)


def _accept(row: Participant) -> None:
    """Note the acceptance at the participant, and at the waiting tables on which the person sits."""
    row_locks.night(row.tournament.night)
    now = server_time.now()
    if row.accepted_at is None:
        row.accepted_at = now
        row.save(update_fields=["accepted_at"])
    for table in row.tournament.night.tables.filter(pairing__tournament=row.tournament, status="lobby"):
        table.seats.filter(player=row.player, accepted_at=None).update(accepted_at=now)


def _check_mark(tournament: Tournament, mark: str) -> None:
    if tournament.medium and mark != card(tournament).mark:
        raise Illegal("card_changed")


def own(tournament: Tournament, player: Player) -> Participant | None:
    """Return a player's place in a tournament."""
    return tournament.participants.filter(player=player).first()


def need_own(tournament: Tournament, player: Player) -> Participant:
    """Return a player's place in a tournament; raises Illegal `not_entered`."""
    row = own(tournament, player)
    if row is None:
        raise Illegal("not_entered")
    return row


def acts_for(tournament: Tournament, player: Player) -> set[str]:
    """Return the keys that a player acts for: the player's own, and those of people kept by the player."""
    kept = tournament.night.memberships.filter(keeper=player).values("player")
    own_rows = tournament.participants.filter(player=player) | tournament.participants.filter(player__in=kept)
    return set(own_rows.values_list("key", flat=True))


def due_presence(tournament: Tournament) -> QuerySet[Participant]:
    """Return the participants whose presence in the log differs from the one at the night."""
    present = leaving.members_here(tournament.night).values("player")
    return tournament.participants.filter(
        Q(is_gone=False) & ~Q(player__in=present) | Q(is_gone=True, player__in=present)
    )


def check_presence(tournament: Tournament) -> None:
    """Raise Illegal `tournament_moved_on` while the log does not say yet who has gone home or is back."""
    if due_presence(tournament).exists():
        raise Illegal("tournament_moved_on")


def follow_presence(tournament: Tournament) -> None:
    """Withdraw the people who are not here, and take back those it withdrew who are here again."""
    if not due_presence(tournament).exists():
        return
    with transaction.atomic():
        log.hold(tournament)
        for row in due_presence(tournament):
            entry = _presence_entry(log.read(tournament), row)
            row.is_gone = not row.is_gone
            row.save(update_fields=["is_gone"])
            if entry is not None:
                _enter_presence(tournament, entry)


def _presence_entry(reading: LogReading, row: Participant) -> JsonObject | None:
    """Return the entry that withdraws or returns a person; None where the log has it.

    A match at a table of the house is given up: the seat there is free. One at another board is played out.
    """
    if row.is_gone:
        is_directing = reading.tournament.non_playing.filter(player=row.player).exists()
        return None if is_directing else {"type": "return", "player": row.key}
    if any(each["player"] == row.key and each["status"] == "withdrawn" for each in reading.state["players"]):
        return None
    tournament = reading.tournament
    tabled = set(tournament.pairings.exclude(table=None).values_list("match", flat=True))
    running = [each for each in reading.state["matches"] if each["status"] == "running" and row.key in each["players"]]
    plays_on = any(each["id"] not in tabled for each in running)
    may_play_on = plays_on and night_rights.is_inside(tournament.night, row.player)
    return {"type": "withdraw", "player": row.key, "when": "after" if may_play_on else "now"}


def _enter_presence(tournament: Tournament, entry: JsonObject) -> None:
    """Enter it; who comes back too late for the format stays withdrawn, and may be entered by a director."""
    try:
        with transaction.atomic():
            entering.enter(tournament, [entry], None)
    except Illegal:
        if entry["type"] != "return":
            raise


def note_back(tournament: Tournament, player: Player) -> None:
    """Note that a person who plays again, or is taken back by a director, is here."""
    leaving.note_back(row_locks.night(tournament.night), player)
    tournament.participants.filter(player=player).update(is_gone=False)
