"""The acts at a tournament, each declared once: its right, its arguments, what carries it out, what is said then.

Pages (POST tournament/<id>/do/<act>/) and the API (POST tournaments/<id>/acts/) carry them out by `carry_out`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal, JsonObject
from games.kernel.tournaments import formats, world_cup
from games.models import Pairing, Player, Tournament
from games.services import publication, server_time
from games.services.nights import membership
from games.services.seasons import season_nights, standing_cache
from games.services.tournaments import (
    entering,
    entry_fees,
    log,
    match_tables,
    modes,
    out_tables,
    participants,
    presence,
    rights,
    tournaments,
)
from games.services.tournaments.formats import is_seeded
from games.services.tournaments.log import LogReading, ProposedAt, seeds_of

LONGEST_BREAK = 240


class TournamentRight(StrEnum):
    """The right needed for an act."""

    HOST = "host"
    DIRECTOR = "director"
    MEMBER = "member"


@dataclass(frozen=True, slots=True)
class TournamentAct:
    """An act; `args` are its arguments by name, those of a name with "?" may be missing (None)."""

    right: TournamentRight
    args: tuple[str, ...]
    carry_out: Callable[..., Any]
    done: Any = ""


@transaction.atomic
def carry_out(tournament: Tournament, player: Player, name: str, args: Mapping[str, Any]) -> str:
    """Carry out an act under the hold of the night, and return the message to the player.

    Raises Illegal `not_host`, `not_director`, `not_inside`, `removed`, `night_closed`, and as the act.
    """
    act = ACTS[name]
    log.hold(tournament)
    if act.right == TournamentRight.HOST:
        membership.check_host(tournament.night, player)
    elif act.right == TournamentRight.DIRECTOR:
        rights.check_director(tournament, player)
    else:
        membership.check_inside(tournament.night, player)
    names = [each.removesuffix("?") for each in act.args]
    act.carry_out(tournament, player, *(args.get(each) for each in names))
    night = tournament.night
    publication.publish_later(publication.NightTouched(night.pk, night.public_id))
    return str(act.done)


# Proposals


def confirm(tournament: Tournament, by: Player, seen: int | None, minute: int | None, which: int | None) -> None:
    """Confirm the proposals that a page showed after `seen` entries for a minute, or (`which`) one of them.

    Raises `tournament_moved_on` if the log has gone on, `nothing_proposed` without such a proposal.
    """
    if seen != tournament.length:
        raise Illegal("tournament_moved_on")
    presence.check_followed(tournament)
    now = log.read(tournament)
    if minute is None or not (now.log[-1]["at"] if now.log else 0) <= minute <= now.minute:
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


def hold_on(tournament: Tournament, _by: Player) -> None:
    """Let the house confirm nothing by itself until `go_on`."""
    tournament.is_held, tournament.countdowns = True, {}
    tournament.save(update_fields=["is_held", "countdowns"])


def go_on(tournament: Tournament, _by: Player) -> None:
    """Let the house confirm proposals by itself again."""
    tournament.is_held = False
    tournament.save(update_fields=["is_held"])


# Matches


def pair(tournament: Tournament, by: Player, one: str | None, other: str | None) -> None:
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


def _result(reading: LogReading, match_id: str | None, winner: str | None, points: int | None) -> JsonObject:
    """Return a result as an entry without its type; `points` are those of the loser, None if nobody says."""
    match = reading.match(match_id or "")
    if winner not in match["players"]:
        raise Illegal("not_entered")
    found: JsonObject = {"match": match["id"], "winner": winner}
    if points is not None:
        if not 0 <= points < match["length"]:
            raise Illegal("bad_loser_points", most=match["length"] - 1)
        found["score"] = [match["length"] if key == winner else points for key in match["players"]]
    return found


def result(tournament: Tournament, by: Player, match: str | None, winner: str | None, points: int | None) -> None:
    """Enter the result of a match, with the loser's points if they are known; its table ends."""
    entry = _result(log.read(tournament), match, winner, points)
    entering.enter(tournament, [{"type": "result", **entry}], by)


def correct(tournament: Tournament, by: Player, match: str | None, winner: str | None, points: int | None) -> None:
    """Correct the result of a match; what is recounted may bring warnings about later ones."""
    entry = _result(log.read(tournament), match, winner, points)
    entering.enter(tournament, [{"type": "correct", **entry}], by)


def penalty(tournament: Tournament, started: int, minute: int) -> int:
    """Return the points that the opponent of a player who comes in this minute starts with."""
    return (minute - started) // tournament.late_minutes if tournament.late_minutes else 0


def is_lost(length: int, points: int) -> bool:
    """Tell whether a penalty of so many points is the match: more than half its length."""
    return 2 * points > length


def no_show(tournament: Tournament, by: Player, match: str | None, absent: str | None) -> None:
    """Decide a match by no-show, for the player that is here; raises `no_show_early` with the minutes to wait."""
    reading = log.read(tournament)
    found = reading.match(match or "")
    if absent not in found["players"]:
        raise Illegal("not_entered")
    late = found["started"] + tournament.late_minutes * (found["length"] // 2 + 1)
    if reading.minute < late:
        raise Illegal("no_show_early", minutes=late - reading.minute)
    if found["status"] != "running":
        raise Illegal("match_not_running")
    winner = found["players"][absent == found["players"][0]]
    entering.enter(tournament, [{"type": "result", "match": found["id"], "winner": winner}], by)


def late(tournament: Tournament, by: Player, match: str | None, who: str | None) -> None:
    """Begin a match whose one player comes late: the other starts with the points of the penalty.

    Above half the length the match is lost. Raises `no_show_early` before the first point, `match_begun`.
    """
    reading = log.read(tournament)
    found = reading.match(match or "")
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


def tell(tournament: Tournament, by: Player, match: str | None, winner: str | None) -> None:
    """Say as one of the two how a match without a table ended; when both say the same it is the result.

    Raises `not_your_match`, `told_at_table`.
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
    row.told = row.told | dict.fromkeys(sorted(sides), said)
    row.save(update_fields=["told"])
    if len(row.told) == len(players) and len({each["winner"] for each in row.told.values()}) == 1:
        entering.enter(tournament, [{"type": "result", **entry}], by)


def _about_match(entry_type: str) -> Callable[[Tournament, Player, str | None], None]:
    def enter(tournament: Tournament, by: Player, match: str | None) -> None:
        entering.enter(tournament, [{"type": entry_type, "match": match or "?"}], by)

    return enter


# People


def withdraw(tournament: Tournament, by: Player, player: str | None, when: str | None) -> None:
    """Withdraw a player: "now", "after" the running match, or for "one" match."""
    entering.enter(tournament, [{"type": "withdraw", "player": player or "?", "when": when or "after"}], by)


def come_back(tournament: Tournament, by: Player, player: str | None) -> None:
    """Take a player back who has withdrawn or pauses, and so is here, or who is out and may enter again."""
    row = tournament.participants.filter(key=player or "?").select_related("player").first()
    if row is not None:
        presence.note_back(tournament, row.player)
    is_out = row is not None and row.key in log.may_enter_again(log.read(tournament))
    entering.enter(tournament, [{"type": "enter" if is_out else "return", "player": player or "?"}], by)


def leave(tournament: Tournament, by: Player, when: str | None) -> None:
    """Withdraw oneself."""
    withdraw(tournament, by, participants.need_own(tournament, by).key, when)


def again(tournament: Tournament, by: Player) -> None:
    """Play again oneself."""
    come_back(tournament, by, participants.need_own(tournament, by).key)


def seed(tournament: Tournament, by: Player, seeds: Mapping[str, int | None]) -> None:
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


def agree(tournament: Tournament, by: Player, who: str | None) -> None:
    """Agree to a last session: for oneself, for people without a phone as their keeper, for anybody as a director.

    Raises `not_entered`, `not_director`.
    """
    _agree(tournament, by, who, agrees=True)


def disagree(tournament: Tournament, by: Player, who: str | None) -> None:
    """Take that back; raises as `agree`."""
    _agree(tournament, by, who, agrees=False)


def _agree(tournament: Tournament, by: Player, who: str | None, *, agrees: bool) -> None:
    key = who or participants.need_own(tournament, by).key
    if key not in participants.acts_for(tournament, by):
        rights.check_director(tournament, by)
    entering.enter(tournament, [{"type": "agree", "player": key, "agrees": agrees}], by)


# The evening


def rest(tournament: Tournament, by: Player, after: int | None, minutes: int | None) -> None:
    """Plan a break: `after` so many minutes, for `minutes`; raises `bad_break`."""
    if after is None or minutes is None or not (0 <= after <= LONGEST_BREAK and 0 < minutes <= LONGEST_BREAK):
        raise Illegal("bad_break", most=LONGEST_BREAK)
    start = log.read(tournament).minute + after
    entering.enter(tournament, [{"type": "break", "from": start, "to": start + minutes}], by)


def _about_board(entry_type: str) -> Callable[[Tournament, Player, int | None], None]:
    def enter(tournament: Tournament, by: Player, board: int | None) -> None:
        entering.enter(tournament, [{"type": entry_type, "table": board or 0}], by)

    return enter


def _turn(entry_type: str) -> Callable[[Tournament, Player], None]:
    def enter(tournament: Tournament, by: Player) -> None:
        entering.enter(tournament, [{"type": entry_type}], by)

    return enter


def open_for_out(tournament: Tournament, _by: Player) -> None:
    """Open a table for those who have played all their matches; raises `nobody_out`."""
    out_tables.open_table(log.read(tournament))


def set_modes(tournament: Tournament, _by: Player, given: Mapping[str, int | None]) -> None:
    """Set the modes of some kinds of proposals: seconds after which the house confirms by itself, None: it asks."""
    modes.change(tournament, given)


_SAVED = _("Saved.")
ACTS: Mapping[str, TournamentAct] = {
    "name_director": TournamentAct(TournamentRight.HOST, ("player",), tournaments.name_director, _SAVED),
    "dismiss_director": TournamentAct(TournamentRight.HOST, ("player",), tournaments.dismiss_director, _SAVED),
    "remove": TournamentAct(TournamentRight.HOST, (), tournaments.remove, _("The tournament is deleted.")),
    "confirm": TournamentAct(TournamentRight.DIRECTOR, ("seen", "minute", "which?"), confirm),
    "hold": TournamentAct(TournamentRight.DIRECTOR, (), hold_on),
    "go_on": TournamentAct(TournamentRight.DIRECTOR, (), go_on),
    "modes": TournamentAct(TournamentRight.DIRECTOR, ("modes",), set_modes, _SAVED),
    "enter": TournamentAct(TournamentRight.DIRECTOR, ("players",), participants.add),
    "seed": TournamentAct(TournamentRight.DIRECTOR, ("seeds",), seed, _SAVED),
    "withdraw": TournamentAct(TournamentRight.DIRECTOR, ("who", "when"), withdraw),
    "return": TournamentAct(TournamentRight.DIRECTOR, ("who",), come_back),
    "pair": TournamentAct(TournamentRight.DIRECTOR, ("one", "other"), pair),
    "result": TournamentAct(TournamentRight.DIRECTOR, ("match", "winner", "points?"), result),
    "correct": TournamentAct(TournamentRight.DIRECTOR, ("match", "winner", "points?"), correct),
    "no_show": TournamentAct(TournamentRight.DIRECTOR, ("match", "who"), no_show),
    "late": TournamentAct(TournamentRight.DIRECTOR, ("match", "who"), late, _SAVED),
    "void": TournamentAct(TournamentRight.DIRECTOR, ("match",), _about_match("void")),
    "stand": TournamentAct(TournamentRight.DIRECTOR, ("match",), _about_match("stand")),
    "prizes": TournamentAct(TournamentRight.DIRECTOR, ("fee?", "prizes", "waits?"), entry_fees.plan, _SAVED),
    "paid": TournamentAct(TournamentRight.DIRECTOR, ("who",), entry_fees.tick),
    "unpaid": TournamentAct(TournamentRight.DIRECTOR, ("who",), entry_fees.untick),
    "phase": TournamentAct(
        TournamentRight.DIRECTOR, ("kind", "count", "length"), tournaments.add_phase, _("The phase is added.")
    ),
    "break": TournamentAct(TournamentRight.DIRECTOR, ("after", "minutes"), rest, _SAVED),
    "board_out": TournamentAct(TournamentRight.DIRECTOR, ("board",), _about_board("table_out"), _SAVED),
    "board_in": TournamentAct(TournamentRight.DIRECTOR, ("board",), _about_board("table_in"), _SAVED),
    "out_table": TournamentAct(TournamentRight.DIRECTOR, (), open_for_out, _("The table is open.")),
    "finish": TournamentAct(TournamentRight.DIRECTOR, (), _turn("finish")),
    "reopen": TournamentAct(TournamentRight.DIRECTOR, (), _turn("reopen")),
    "come_in": TournamentAct(TournamentRight.MEMBER, ("mark",), participants.come_in, _("You are in.")),
    "accept": TournamentAct(
        TournamentRight.MEMBER, ("mark",), participants.accept, _("Accepted for all matches of the tournament.")
    ),
    "leave": TournamentAct(TournamentRight.MEMBER, ("when",), leave),
    "again": TournamentAct(TournamentRight.MEMBER, (), again, _("You are in.")),
    "agree": TournamentAct(TournamentRight.MEMBER, ("who?",), agree, _("Noted.")),
    "disagree": TournamentAct(TournamentRight.MEMBER, ("who?",), disagree, _("Noted.")),
    "tell": TournamentAct(TournamentRight.MEMBER, ("match", "winner"), tell, _("Noted.")),
}


def open_pairings(tournament: Tournament) -> list[Pairing]:
    """Return the running matches with what their people have said."""
    return list(tournament.pairings.filter(is_open=True).select_related("table"))
