"""The acts at a tournament, each declared (`ACTS`) beside its service; most of them are here.

Pages (POST tournament/<id>/do/<act>/) and the API (POST tournaments/<id>/acts/) carry them out by `carry_out`. The
rooms imported here declare the others, so that whoever carries acts out has them all.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.kernel.contract import Illegal, JsonObject
from games.kernel.tournaments import formats
from games.kernel.tournaments.phases import world_cup
from games.models import Player, Tournament
from games.services import arguments, publication, server_time
from games.services.acts import Reader
from games.services.arguments import Number, Short
from games.services.commands import HOUSE, Request, new_command_id
from games.services.seasons import season_nights, standing_cache
from games.services.tables import host_commands
from games.services.tables.commit import submit
from games.services.tournaments import closing, entering, entry_fees, log, modes, participants, rights, tournaments
from games.services.tournaments.formats import is_seeded
from games.services.tournaments.log import LogReading, ProposedAt, seeds_of
from games.services.tournaments.rights import ACTS, Seeds, TournamentRight
from games.services.tournaments.tables import match_tables, out_tables

LONGEST_BREAK = 240
MOST_AHEAD = 999
"""The largest lead, in points, that a result of a money session may have."""
_SAVED = _("Saved.")
_WON = _("%(name)s won")
_ONCE_MORE = _("Enter once more")
DECLARING = (participants, entry_fees, modes, tournaments, closing)
"""The modules that declare acts at a tournament, beside this one."""


@transaction.atomic
def carry_out(tournament: Tournament, player: Player, name: str, sent: Any, read: Reader = arguments.as_sent) -> str:
    """Carry out an act under the hold of the night; return the message to the player. `sent` as `DeclaredActs`.

    Raises Illegal `not_host`, `not_director`, `not_inside`, `removed`, `night_closed`, and as the act.
    """
    log.hold(tournament)
    done = ACTS.carry_out(tournament, player, name, sent, read)
    night = tournament.night
    publication.publish_later(publication.NightTouched(night.pk, night.public_id))
    return done


# Proposals


@ACTS.act("confirm", TournamentRight.DIRECTOR, label=_("Confirm"), words={"all": _("Confirm all"), "now": _("Now")})
def confirm(tournament: Tournament, by: Player, seen: Number, minute: Number, which: Number | None = None) -> None:
    """Confirm the proposals that a page showed after `seen` entries for a minute, or (`which`) one of them.

    Raises `tournament_moved_on` if the log has gone on, `nothing_proposed` without such a proposal.
    """
    if seen != tournament.length:
        raise Illegal("tournament_moved_on")
    participants.check_presence(tournament)
    now = log.read(tournament)
    if not (now.log[-1]["at"] if now.log else 0) <= minute <= now.minute:
        raise Illegal("tournament_moved_on")
    reading = log.read(tournament, minute)
    found = [each for each in reading.proposals if "entries" in each]
    if which is not None:
        found = found[which : which + 1] if which >= 0 else []
    if not found:
        raise Illegal("nothing_proposed")
    enter_proposed(reading, found, by)


def enter_proposed(reading: LogReading, proposals: list[JsonObject], by: Player | None) -> None:
    """Enter the entries of proposals, marked with what they were drawn from."""
    entries = [entry for each in proposals for entry in each["entries"]]
    tournament = reading.tournament
    if any(entry["type"] == "start" for entry in entries):
        entry_fees.check_paid(reading)
        _order_neighbours(tournament)
    modes.forget(reading, proposals)
    entering.enter(tournament, entries, by, ProposedAt(len(reading.log), reading.minute))


def _order_neighbours(tournament: Tournament) -> None:
    """Give neighbours the order of the season of the night; who has no place there comes last, as entered."""
    given = tournament.format
    if given.get("kind") != "neighbours":
        return
    keys = dict(tournament.participants.values_list("player", "key"))
    season = next(iter(season_nights.seasons_of(tournament.night)), None)
    rows = standing_cache.season_standing(season).rows if season is not None else ()
    order = [keys[row.player] for row in rows if row.player in keys]
    tournament.format = given | {"order": [*order, *(key for key in keys.values() if key not in order)]}
    tournament.save(update_fields=["format"])


@ACTS.act("hold", TournamentRight.DIRECTOR, label=_("Hold"))
def hold_on(tournament: Tournament, _by: Player) -> None:
    """Let the house confirm nothing by itself until `go_on`."""
    tournament.is_held, tournament.countdowns = True, {}
    tournament.save(update_fields=["is_held", "countdowns"])


@ACTS.act("go_on", TournamentRight.DIRECTOR, label=_("Go on by itself"))
def go_on(tournament: Tournament, _by: Player) -> None:
    """Let the house confirm proposals by itself again."""
    tournament.is_held = False
    tournament.save(update_fields=["is_held"])


# Matches


@ACTS.act("pair", TournamentRight.DIRECTOR, label=_("Pair by hand"), yes=_("They play"))
def pair(tournament: Tournament, by: Player, one: Short, other: Short) -> None:
    """Begin a match of two people by hand; raises as `log.append`."""
    reading = log.read(tournament)
    if not one or not other or one == other:
        raise Illegal("nobody_named")
    if world_cup.is_played(tournament.format):
        raise Illegal("not_open")
    number = len(reading.state["matches"]) + 1
    length = _length_of(reading, {one, other})
    entry: JsonObject = {"type": "match", "id": f"m{number}", "players": [one, other], "length": length}
    entry |= {"phase": reading.state["phase"], "round": reading.state["round"]}
    entering.enter(tournament, [entry], by)


def _length_of(reading: LogReading, pair: set[str]) -> int:
    """Return the length of a match of two people: as it is proposed, else that of the phase."""
    entries = [entry for each in reading.proposals for entry in each.get("entries", ())]
    proposed = [entry["length"] for entry in entries if entry["type"] == "match" and set(entry["players"]) == pair]
    phase = formats.read(reading.tournament.format).phases[reading.state["phase"]]
    return int(proposed[0]) if proposed else phase.length


def _result(reading: LogReading, match_id: str, winner: str, points: int | None) -> JsonObject:
    """Return a result as an entry without its type; `points` are those of the loser, None if nobody says.

    Of a money session they are those by which the winner is ahead.
    """
    match = reading.match(match_id)
    if winner not in match["players"]:
        raise Illegal("not_entered")
    found: JsonObject = {"match": match["id"], "winner": winner}
    if points is not None and match_tables.session_minutes(reading.tournament):
        if not 0 < points <= MOST_AHEAD:
            raise Illegal("bad_points_ahead", most=MOST_AHEAD)
        found["score"] = [points if key == winner else 0 for key in match["players"]]
    elif points is not None:
        if not 0 <= points < match["length"]:
            raise Illegal("bad_loser_points", most=match["length"] - 1)
        found["score"] = [match["length"] if key == winner else points for key in match["players"]]
    return found


@ACTS.act("result", TournamentRight.DIRECTOR, label=_WON)
def result(tournament: Tournament, by: Player, match: Short, winner: Short, points: Number | None = None) -> None:
    """Enter the result of a match, with the loser's points if they are known; its table ends.

    Of a money session the points are those by which the winner is ahead.
    """
    entry = _result(log.read(tournament), match, winner, points)
    entering.enter(tournament, [{"type": "result", **entry}], by)


@ACTS.act("correct", TournamentRight.DIRECTOR, label=_WON)
def correct(
    tournament: Tournament,
    by: Player,
    match: Short,
    winner: Short,
    points: Number | None = None,
    *,
    seen: Number | None = None,
) -> None:
    """Correct the result of a match; what is recounted may bring warnings about later ones.

    With `seen` it is meant for the log of so many entries; raises `tournament_moved_on` if that has gone on.
    """
    if seen is not None and seen != tournament.length:
        raise Illegal("tournament_moved_on")
    entry = _result(log.read(tournament), match, winner, points)
    entering.enter(tournament, [{"type": "correct", **entry}], by)


def penalty(tournament: Tournament, started: int, minute: int) -> int:
    """Return the points that the opponent of a player who comes in this minute starts with."""
    return (minute - started) // tournament.late_minutes if tournament.late_minutes else 0


def is_lost(length: int, points: int) -> bool:
    """Tell whether a penalty of so many points is the match: more than half its length."""
    return 2 * points > length


@ACTS.act("no_show", TournamentRight.DIRECTOR, label=_("%(name)s has not come"))
def no_show(tournament: Tournament, by: Player, match: Short, who: Short) -> None:
    """Decide a match by no-show, for the player that is here; raises `no_show_early` with the minutes to wait."""
    reading = log.read(tournament)
    found = reading.match(match)
    if who not in found["players"]:
        raise Illegal("not_entered")
    late = found["started"] + tournament.late_minutes * (found["length"] // 2 + 1)
    if reading.minute < late:
        raise Illegal("no_show_early", minutes=late - reading.minute)
    if found["status"] != "running":
        raise Illegal("match_not_running")
    winner = found["players"][who == found["players"][0]]
    entering.enter(tournament, [{"type": "result", "match": found["id"], "winner": winner}], by)


@ACTS.act(
    "late",
    TournamentRight.DIRECTOR,
    done=_SAVED,
    label=ngettext_lazy(
        "%(name)s comes now: the other starts with %(n)s point",
        "%(name)s comes now: the other starts with %(n)s points",
        "n",
    ),
)
def late(tournament: Tournament, by: Player, match: Short, who: Short) -> None:
    """Begin a match whose one player comes late: the other starts with the points of the penalty.

    Above half the length the match is lost. Raises `no_show_early` before the first point, `match_begun`, `not_open`
    for a money session, which has no penalty points.
    """
    if match_tables.session_minutes(tournament):
        raise Illegal("not_open")
    reading = log.read(tournament)
    found = reading.match(match)
    if who not in found["players"]:
        raise Illegal("not_entered")
    if found["status"] != "running":
        raise Illegal("match_not_running")
    points = penalty(tournament, found["started"], reading.minute)
    if not points:
        raise Illegal("no_show_early", minutes=found["started"] + tournament.late_minutes - reading.minute)
    other = found["players"][who == found["players"][0]]
    row = tournament.pairings.select_related("table").get(match=found["id"])
    if is_lost(found["length"], points):
        entering.enter(tournament, [{"type": "result", "match": found["id"], "winner": other}], by)
    else:
        match_tables.start_with(reading, found, row, row.start | {other: points})


@ACTS.act("tell", TournamentRight.MEMBER, done=_("Noted."))
def tell(tournament: Tournament, by: Player, match: Short, winner: Short) -> None:
    """Say as one of the two how a match without a table ended; when both say the same it is the result.

    Of the same winner, said again, the first time stays. Raises `not_your_match`, `told_at_table`.
    """
    entry = _result(log.read(tournament), match, winner, None)
    row = tournament.pairings.get(match=entry["match"])
    players = log.read(tournament).match(row.match)["players"]
    sides = participants.acts_for(tournament, by) & set(players)
    if not sides:
        raise Illegal("not_your_match")
    if not row.is_open:
        raise Illegal("match_decided")
    if row.table_id is not None and row.match not in match_tables.broken_off(tournament):
        raise Illegal("told_at_table")
    said = {"winner": winner, "at": server_time.now().isoformat()}
    # Whoever says the same again does not put off when it counts.
    row.told = row.told | {key: said for key in sorted(sides) if row.told.get(key, {}).get("winner") != winner}
    row.save(update_fields=["told"])
    if len(row.told) == len(players) and len({each["winner"] for each in row.told.values()}) == 1:
        entering.enter(tournament, [{"type": "result", **entry}], by)


@ACTS.act("void", TournamentRight.DIRECTOR, label=_("It does not count"))
def void(tournament: Tournament, by: Player, match: Short) -> None:
    """Let a match not count."""
    entering.enter(tournament, [{"type": "void", "match": match or "?"}], by)


@ACTS.act("stand", TournamentRight.DIRECTOR, label=_("Let it stand"))
def stand(tournament: Tournament, by: Player, match: Short) -> None:
    """Let a match stand of which a correction has made something else."""
    entering.enter(tournament, [{"type": "stand", "match": match or "?"}], by)


@ACTS.act("clock", TournamentRight.DIRECTOR, done=_("From the next game on there is a game clock."), label=_("Put in"))
def put_clock_in(tournament: Tournament, _by: Player, match: Short, kind: Short, effect: Short) -> None:
    """Put a game clock in at the table of a running match, from its next game on.

    `kind` is the clock and `effect` what follows from a reserve that is used up, both as the house rules name them.
    Raises `no_such_pairing`, `not_open` where the table can have none.
    """
    row = tournament.pairings.filter(match=match, is_open=True).select_related("table").first()
    if row is None:
        raise Illegal("no_such_pairing")
    listed = [] if row.table is None else host_commands.offered_game_clocks(row.table)
    rules = next((rules for rules, _words in listed if list(rules.values()) == [kind, effect]), None)
    if row.table is None or rules is None:
        raise Illegal("not_open")
    submit(row.table.pk, HOUSE, Request("table.clock", {"rules": rules}, new_command_id()))


# People


@ACTS.act(
    "withdraw",
    TournamentRight.DIRECTOR,
    words={
        "one": _("Pauses for one match"),
        "one_session": _("Pauses for one session"),
        "after": _("Goes home after this match"),
        "after_session": _("Goes home after this session"),
        "now": _("Goes home now"),
    },
)
def withdraw(tournament: Tournament, by: Player, who: Short, when: Short) -> None:
    """Withdraw a player: "now", "after" the running match, or for "one" match."""
    entering.enter(tournament, [{"type": "withdraw", "player": who or "?", "when": when or "after"}], by)


@ACTS.act("return", TournamentRight.DIRECTOR, label=_("Back"), words={"once_more": _ONCE_MORE})
def come_back(tournament: Tournament, by: Player, who: Short) -> None:
    """Take a player back: one who withdrew or pauses, and is here now, or one who is out and may enter again."""
    row = tournament.participants.filter(key=who).select_related("player").first()
    if row is not None:
        if row.player_id == by.pk:
            participants.play_along(tournament, by)
        participants.check_plays(tournament, row.player)
        participants.note_back(tournament, row.player)
    is_out = row is not None and row.key in log.may_enter_again(log.read(tournament))
    entering.enter(tournament, [{"type": "enter" if is_out else "return", "player": who or "?"}], by)


@ACTS.act(
    "leave",
    TournamentRight.MEMBER,
    label=_("Pause or go home"),
    words={
        "one": _("Pause for one match"),
        "one_session": _("Pause for one session"),
        "after": _("Go home"),
        "after_match": _("Go home after this match"),
        "after_session": _("Go home after this session"),
        "now": _("Give this match up and go home"),
        "now_table": _("Leave the table now and go home"),
    },
)
def leave(tournament: Tournament, by: Player, when: Short) -> None:
    """Withdraw oneself: after the match or the session that runs, or at once."""
    withdraw(tournament, by, participants.need_own(tournament, by).key, when)


@ACTS.act(
    "again", TournamentRight.MEMBER, done=_("You are in."), label=_("Play again"), words={"once_more": _ONCE_MORE}
)
def again(tournament: Tournament, by: Player) -> None:
    """Play again oneself."""
    come_back(tournament, by, participants.need_own(tournament, by).key)


@ACTS.act("seed", TournamentRight.DIRECTOR, done=_SAVED, label=_("Seeds"), yes=_("Save"))
def seed(tournament: Tournament, by: Player, seeds: Seeds) -> None:
    """Give people their seeds before the start, by their keys: 1 is the first, None has none.

    Raises `too_late_for_seeds`, `bad_seeds` for a number below 1 or given twice.
    """
    numbers = [number for number in seeds.values() if number is not None]
    if tournament.status != Tournament.Status.ENTRY or not is_seeded(tournament.format):
        raise Illegal("too_late_for_seeds")
    known = seeds_of(log.read(tournament).log)
    after = [number for number in (known | dict(seeds)).values() if number is not None]
    if min(numbers, default=1) < 1 or len(set(after)) != len(after):
        raise Illegal("bad_seeds")
    changed = [{"type": "seed", "player": key, "seed": seeds[key]} for key in seeds if seeds[key] != known.get(key)]
    if changed:
        entering.enter(tournament, changed, by)


@ACTS.act(
    "agree",
    TournamentRight.MEMBER,
    done=_("Noted."),
    label=_("%(name)s agrees: the next session is the last one"),
    words={"own": _("I agree: the next session is the last one")},
)
def agree(tournament: Tournament, by: Player, who: Short | None = None) -> None:
    """Agree to a last session: for oneself, for people without a phone as their keeper, for anybody as a director.

    Raises `not_entered`, `not_director`.
    """
    _agree(tournament, by, who, agrees=True)


@ACTS.act("disagree", TournamentRight.MEMBER, done=_("Noted."), label=_("Take it back"))
def disagree(tournament: Tournament, by: Player, who: Short | None = None) -> None:
    """Take back that one agrees to a last session; raises as `agree`."""
    _agree(tournament, by, who, agrees=False)


def _agree(tournament: Tournament, by: Player, who: str | None, *, agrees: bool) -> None:
    key = who or participants.need_own(tournament, by).key
    if key not in participants.acts_for(tournament, by):
        rights.check_director(tournament, by)
    entering.enter(tournament, [{"type": "agree", "player": key, "agrees": agrees}], by)


# The evening


@ACTS.act("break", TournamentRight.DIRECTOR, done=_SAVED, label=_("A break"), yes=_("Plan the break"))
def rest(tournament: Tournament, by: Player, after: Number, minutes: Number) -> None:
    """Plan a break: `after` so many minutes, for `minutes`; raises `bad_break`."""
    if not (0 <= after <= LONGEST_BREAK and 0 < minutes <= LONGEST_BREAK):
        raise Illegal("bad_break", most=LONGEST_BREAK)
    start = log.read(tournament).minute + after
    entering.enter(tournament, [{"type": "break", "from": start, "to": start + minutes}], by)


@ACTS.act("board_out", TournamentRight.DIRECTOR, done=_SAVED, label=_("Out of order"))
def take_board_out(tournament: Tournament, by: Player, board: Number) -> None:
    """Use a board no more; raises `no_such_board`."""
    entering.enter(tournament, [{"type": "table_out", "table": max(0, board)}], by)


@ACTS.act("board_in", TournamentRight.DIRECTOR, done=_SAVED, label=_("In use again"))
def take_board_in(tournament: Tournament, by: Player, board: Number) -> None:
    """Use a board again; raises `no_such_board`."""
    entering.enter(tournament, [{"type": "table_in", "table": max(0, board)}], by)


@ACTS.act("reopen", TournamentRight.DIRECTOR, label=_("Go on playing"))
def reopen(tournament: Tournament, by: Player) -> None:
    """Go on with a tournament that was ended."""
    entering.enter(tournament, [{"type": "reopen"}], by)


@ACTS.act("out_table", TournamentRight.DIRECTOR, done=_("The table is open."), label=_("Open a table for them"))
def open_for_out(tournament: Tournament, _by: Player) -> None:
    """Open a table for those who have played all their matches; raises `nobody_out`."""
    out_tables.open_table(log.read(tournament))
