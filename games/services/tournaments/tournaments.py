"""Tournaments of a night: made, given away, and ended by its host."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import plugin
from games.kernel.contract import Illegal
from games.kernel.tournaments.forecast import length_of_minutes
from games.kernel.tournaments.phases import world_cup
from games.models import Director, Night, NonPlayingDirector, Player, Tournament
from games.services import form_ids, row_locks, server_time
from games.services.acts import LogLine
from games.services.arguments import Number, RowId, Short
from games.services.house_rules import offers, sets
from games.services.nights import events, night_rights
from games.services.people import players
from games.services.tables.seating import keeping
from games.services.tournaments import formats, modes
from games.services.tournaments.rights import ACTS, TournamentRight
from games.services.tournaments.tables import match_tables

LONGEST_NAME = 60
MOST_OF_A_NIGHT = 20
MOST_DIRECTORS = 3
SESSION_TABLE = (3, 6)
"""The fewest and the most people at a table of a session."""
MOST_MINUTES = 60
"""The most minutes of a tournament's rules about late results and people."""
events.LOG.add(
    LogLine("tournament_made", _("The tournament “%(title)s” was made. Fingerprint of its draws: %(hash)s")),
)


@dataclass(frozen=True, slots=True)
class TournamentDraft:
    """A tournament as it is entered. `medium` "" for boards that the house knows nothing of.

    `rules` are values of the house rules of a match that its host chooses (`match_rules` of the game); the minutes are
    those of `models.Tournament`.
    """

    name: str
    game_id: str
    medium: str
    choice: formats.ChosenFormat
    auto_seconds: int | None = modes.AUTO_SECONDS
    closes_at: datetime | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    alone_minutes: int | None = 3
    late_minutes: int = 5
    table_rules: str = ""
    """The house rules of tables for many: "set-" and the public id of a rule set, or "preset-" and a variant."""


def hash_of(seed: str) -> str:
    """Return the fingerprint of a secret number that is published before the draws."""
    return hashlib.sha256(seed.encode()).hexdigest()


def games_with_matches() -> dict[str, plugin.GameConfig]:
    """Return the installed games that are played in matches, by their ids."""
    return {key: game for key, game in plugin.all_games().items() if game.match_preset}


@transaction.atomic
def make(night: Night, host: Player, draft: TournamentDraft, form_id: str | None = None) -> Tournament:
    """Make a tournament of a night, once for a `form_id`, and publish the hash of its secret number.

    Raises Illegal `not_host`, `practice_night`, `night_closed`, `too_many_tournaments`, `tournament_name`,
    `tournament_format`, `no_such_game`, `no_such_medium`, `bad_match_length`, `bad_session_minutes`,
    `bad_auto_seconds`, `bad_rule_minutes`, `sets_only`, `bad_argument` for a house rule that no host of a tournament
    chooses, OptionErrors, as `form_ids.once`, and for a World-Cup Chouette as `_of_tables`.
    """
    made = form_ids.once(host, form_id, ["tournament", night.pk, asdict(draft)], lambda: _make(night, host, draft).pk)
    return Tournament.objects.select_related("night__host").get(pk=made or 0)


def _make(night: Night, host: Player, draft: TournamentDraft) -> Tournament:
    night_rights.check_host(row_locks.night(night), host)
    if night.is_practice:
        raise Illegal("practice_night")
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    if night.tournaments.count() >= MOST_OF_A_NIGHT:
        raise Illegal("too_many_tournaments", most=MOST_OF_A_NIGHT)
    name = " ".join(draft.name.split())
    if not 0 < len(name) <= LONGEST_NAME or not players.is_plain(name):
        raise Illegal("tournament_name", longest=LONGEST_NAME)
    terms = _of_tables(host, draft) if formats.kind_of(draft.choice.kind).is_of_tables else _terms(draft)
    modes.check_seconds(draft.auto_seconds)
    _check_minutes(draft)
    seed = secrets.token_hex(32)
    found = Tournament.objects.create(
        night=night,
        name=name,
        game_id=draft.game_id,
        **terms.fields(),
        # Tables for many are always tables of the house.
        medium=draft.medium or (plugin.SCREEN if formats.kind_of(draft.choice.kind).is_of_tables else ""),
        format=formats.made(draft.choice),
        seed=seed,
        modes=modes.of_everything(draft.auto_seconds),
        closes_at=draft.closes_at,
        alone_minutes=draft.alone_minutes,
        late_minutes=draft.late_minutes,
        created_at=server_time.now(),
    )
    events.record(night, "tournament_made", tournament=found.public_id, title=name, hash=hash_of(seed))
    return found


def _check_minutes(draft: TournamentDraft) -> None:
    """Raise Illegal `bad_rule_minutes` for minutes that no tournament has."""
    if not (draft.alone_minutes is None or 0 < draft.alone_minutes <= MOST_MINUTES):
        raise Illegal("bad_rule_minutes", most=MOST_MINUTES)
    if not 0 <= draft.late_minutes <= MOST_MINUTES:
        raise Illegal("bad_rule_minutes", most=MOST_MINUTES)


def check_lengths(game: plugin.GameConfig, lengths: Sequence[int]) -> None:
    """Raise Illegal `bad_match_length` unless a game is played in matches of these lengths."""
    option = game.options[game.match_length]
    low, high = getattr(option, "low", 1), getattr(option, "high", formats.LENGTHS[-1])
    if not all(low <= each <= high for each in lengths):
        raise Illegal("bad_match_length", low=low, high=high)


def _of_tables(host: Player, draft: TournamentDraft) -> offers.Terms:
    """Return the rules of tables for many: of a rule set or a variant that takes three to six people, else the first.

    Raises Illegal `no_such_game`, `no_such_medium`, `no_such_preset`, `rules_too_small`, and as `sets.find` and
    `offers.agree`.
    """
    game = games_with_matches().get(draft.game_id)
    if game is None or not game.is_zero_sum:
        raise Illegal("no_such_game")
    if draft.medium and draft.medium not in game.media:
        raise Illegal("no_such_medium", known=", ".join(game.media))
    kind, _dash, name = draft.table_rules.partition("-")
    if kind == "set":
        rules = sets.find(name)
        agreed = offers.agree(host, draft.game_id, rules.preset, {}, rules=rules)
    else:
        agreed = offers.agree(host, draft.game_id, name or _first_preset(game), {})
    if not takes_sessions(game, agreed.preset, agreed.options):
        raise Illegal("rules_too_small", few=SESSION_TABLE[0], most=SESSION_TABLE[1])
    values = game.at_medium(agreed.options, draft.medium) if draft.medium else agreed.options
    return replace(agreed, options=values)


def takes_sessions(game: plugin.GameConfig, preset: str, values: Mapping[str, Any]) -> bool:
    """Tell whether house rules take all tables that a session can have."""
    few, most = game.options.seats(preset, values)
    return few <= SESSION_TABLE[0] and most >= SESSION_TABLE[1]


def _first_preset(game: plugin.GameConfig) -> str:
    """Return the first variant whose tables a session can have; "" without one."""
    found = [each.id for each in game.options.presets if takes_sessions(game, each.id, game.options.values(each.id))]
    return found[0] if found else ""


@ACTS.act(
    "phase", TournamentRight.DIRECTOR, done=_("The phase is added."), label=_("Another phase"), yes=_("Add the phase")
)
def add_phase(tournament: Tournament, _by: Player, kind: Short, count: Number, length: Number) -> None:
    """Add a phase for the best of the last one to a tournament that is not over; money sessions keep their minutes.

    Raises `not_open`, `tournament_format`, `bad_match_length`.
    """
    if tournament.status == Tournament.Status.FINISHED or world_cup.is_played(tournament.format):
        raise Illegal("not_open")
    if session := match_tables.session_minutes(tournament):
        length = length_of_minutes(session)
    check_lengths(plugin.game(tournament.game_id), (length,))
    tournament.format = formats.with_phase(tournament.format, kind, length, max(0, count))
    tournament.countdowns = {}
    tournament.save(update_fields=["format", "countdowns"])


def _terms(draft: TournamentDraft) -> offers.Terms:
    """Return the rules of the match tables: the game's matches at the wanted length and medium."""
    game = games_with_matches().get(draft.game_id)
    if game is None:
        raise Illegal("no_such_game")
    if draft.medium and draft.medium not in game.media:
        raise Illegal("no_such_medium", known=", ".join(game.media))
    offers.check_anything(draft.game_id)
    if unknown := draft.rules.keys() - rules_of_matches(game, is_session=bool(draft.choice.session)):
        raise Illegal("bad_argument", name=min(unknown))
    preset, own = _session_rules(game, draft) if draft.choice.session else _match_rules(game, draft)
    values = sets.complete(draft.game_id, preset, {**own, **draft.rules})
    return offers.Terms(preset, game.at_medium(values, draft.medium or plugin.SCREEN))


def rules_of_matches(game: plugin.GameConfig, *, is_session: bool) -> set[str]:
    """Return the ids of the house rules that the host of a tournament chooses for matches, or for money sessions."""
    return set(game.match_rules) - ({game.session_minutes} if is_session else set())


def _match_rules(game: plugin.GameConfig, draft: TournamentDraft) -> tuple[str, Mapping[str, Any]]:
    """Return the preset of matches, and their length as a house rule."""
    check_lengths(game, (draft.choice.length, *draft.choice.last_lengths))
    return game.match_preset, {game.match_length: draft.choice.length}


def _session_rules(game: plugin.GameConfig, draft: TournamentDraft) -> tuple[str, Mapping[str, Any]]:
    """Return the preset of money sessions, and their minutes as a house rule."""
    low, high = formats.FEWEST_SESSION_MINUTES, formats.MOST_SESSION_MINUTES
    if not game.session_preset:
        raise Illegal("no_such_game")
    if not low <= draft.choice.session <= high:
        raise Illegal("bad_session_minutes", low=low, high=high)
    return game.session_preset, {game.session_minutes: draft.choice.session}


@ACTS.act(
    "name_director",
    TournamentRight.HOST,
    LogLine("director_named", _("%(name)s directs the tournament “%(title)s”.")),
    done=_("Saved."),
    label=_("Let them direct"),
)
@transaction.atomic
def name_director(tournament: Tournament, host: Player, player_id: RowId) -> None:
    """Name a member with a phone as a director; raises `not_host`, `night_closed`, `too_many_directors`.

    Raises `bad_argument`, `no_such_player`, `no_phone` as `keeping.member_with_phone`.
    """
    night = row_locks.night(tournament.night)
    night_rights.check_host(night, host)
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    member = keeping.member_with_phone(night.pk, player_id)
    if member.player_id == night.host_id or tournament.directors.filter(player=member.player_id).exists():
        return
    if tournament.directors.count() >= MOST_DIRECTORS:
        raise Illegal("too_many_directors", most=MOST_DIRECTORS)
    Director.objects.create(tournament=tournament, player=member.player)
    told: dict[str, Any] = {"name": member.player.nickname, "player": member.player_id, "title": tournament.name}
    events.record(night, "director_named", **told)


@ACTS.act(
    "dismiss_director",
    TournamentRight.HOST,
    LogLine("director_dismissed", _("%(name)s directs the tournament “%(title)s” no more.")),
    done=_("Saved."),
    label=_("No more"),
)
@transaction.atomic
def dismiss_director(tournament: Tournament, host: Player, player_id: RowId) -> None:
    """Take a director's right back; raises `not_host`, `no_such_player`."""
    night = row_locks.night(tournament.night)
    night_rights.check_host(night, host)
    row = tournament.directors.filter(player=player_id).first()
    if row is None:
        raise Illegal("no_such_player")
    row.delete()
    told: dict[str, Any] = {"name": row.player.nickname, "player": row.player_id, "title": tournament.name}
    events.record(night, "director_dismissed", **told)


@ACTS.act(
    "remove",
    TournamentRight.HOST,
    LogLine("tournament_removed", _("The tournament “%(title)s” was deleted before it began.")),
    label=_("Delete the tournament"),
    yes=_("Yes, delete"),
    done=_("The tournament is deleted."),
)
@transaction.atomic
def remove(tournament: Tournament, host: Player) -> None:
    """Delete a tournament that has not started; raises `not_host`, `match_not_running` once it has."""
    night = row_locks.night(tournament.night)
    night_rights.check_host(night, host)
    tournament.refresh_from_db()
    if tournament.status != Tournament.Status.ENTRY:
        raise Illegal("not_open")
    tournament.delete()
    events.record(night, "tournament_removed", title=tournament.name)


def usual_close(now: datetime) -> datetime:
    """Return the closing time that is proposed: four hours from now."""
    return now + timedelta(minutes=formats.USUAL_MINUTES)


def forget(ids: set[int]) -> None:
    """Forget a deleted player's directing; places in tournaments stay, without a name."""
    for model in (Director, NonPlayingDirector):
        model.objects.filter(player__in=ids).delete()


def join(source: Player, target: Player) -> None:
    """Leave a merged player one place among the directors of each tournament."""
    for model in (Director, NonPlayingDirector):
        theirs = model.objects.filter(player=target).values_list("tournament", flat=True)
        model.objects.filter(player=source, tournament__in=list(theirs)).delete()
