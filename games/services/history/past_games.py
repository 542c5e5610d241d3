"""Past games: finished games of a night that were played without the server, entered as one sheet of results.

A past game is a result at a table of its own that has no log and is archived from the start. It counts
like any other game in sheets, tallies and history, but not in figures of luck or dice. Mistakes are fixed
by a correction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games import plugin
from games.kernel import dice
from games.kernel.contract import Illegal, Outcome
from games.kernel.options import Values
from games.kernel.standings import ranking
from games.models import Membership, Night, Player, Result, Table
from games.services import audit
from games.services.history import results
from games.services.history.corrections import MOST_POINTS
from games.services.nights import membership
from games.services.tables import setup


@dataclass(frozen=True, slots=True)
class PastLine:
    """A player's line of a past game: points, or the words of the game's own sheet (`plugin.GameConfig.past`)."""

    player: int
    points: int | None = None
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PastGame:
    """A past game as entered; `at` is its end, None for now or for the end of a closed night.

    `medium` is one of the game's `media`; "" stands for the first of them.
    """

    game_id: str
    preset: str
    lines: Sequence[PastLine]
    at: datetime | None = None
    medium: str = ""


@transaction.atomic
def enter(night: Night, by: Player | AbstractBaseUser, past_game: PastGame) -> Result:
    """Write a past game, entered by the night's host or by staff.

    Raises Illegal `not_host`, `practice_night`, `no_such_game`, `no_such_preset`, `no_such_medium`, `too_few_seats`,
    `too_many_seats`, `no_such_player`, `player_twice`, `bad_points`, `not_zero`, `bad_word`, `not_in_night`,
    `too_many_tables`, and the errors of the game's own sheet.
    """
    if isinstance(by, Player):
        membership.check_host(night, by)
    if night.is_practice:
        raise Illegal("practice_night")
    night = Night.objects.select_for_update(no_key=True).get(pk=night.pk)
    game, options = _game(past_game)
    people = _people(night, past_game, game, options)
    points = _points(game, past_game.lines)
    at = _time(night, past_game.at)
    table = _table(night, by, past_game, options, at)
    result = results.enter(table, _outcome(game, options, points), people, str(by), at)
    audit.note("past_game_entered", by, result, night=night, points=points)
    return result


def _game(past_game: PastGame) -> tuple[plugin.GameConfig, Values]:
    """Return the game, and the house rules of its variant at the medium of the past game."""
    game = plugin.all_games().get(past_game.game_id)
    if game is None:
        raise Illegal("no_such_game")
    if past_game.preset not in {preset.id for preset in game.options.presets}:
        raise Illegal("no_such_preset")
    medium = past_game.medium or next(iter(game.media))
    if medium not in game.media:
        raise Illegal("no_such_medium", known=", ".join(game.media))
    return game, game.at_medium(game.options.values(past_game.preset), medium)


def _people(night: Night, past_game: PastGame, game: plugin.GameConfig, options: Values) -> list[Player]:
    """Return the players in the order of the lines: members of the night, each once."""
    player_ids = [line.player for line in past_game.lines]
    few, many = game.options.seats(past_game.preset, options)
    if len(player_ids) < few:
        raise Illegal("too_few_seats", few=few)
    if len(player_ids) > many:
        raise Illegal("too_many_seats", many=many)
    if len(set(player_ids)) < len(player_ids):
        raise Illegal("player_twice")
    rows = night.memberships.filter(status=Membership.Status.IN, player__in=player_ids).select_related("player")
    members = {row.player_id: row.player for row in rows}
    if members.keys() != set(player_ids):
        raise Illegal("no_such_player")
    return [members[one] for one in player_ids]


def _points(game: plugin.GameConfig, lines: Sequence[PastLine]) -> list[int]:
    """Return the points of each line: as entered, or as computed by the game's own sheet."""
    entered = [line.points for line in lines]
    if game.past is not None and all(points is None for points in entered):
        found = game.past.points([_words(game, line) for line in lines])
    elif any(line.words for line in lines):
        raise Illegal("bad_word")
    else:
        found = [points for points in entered if points is not None]
    lowest = 0 if game.lower_is_better else -MOST_POINTS
    # True and False are ints in Python, but no points.
    if len(found) < len(lines) or any(isinstance(n, bool) or not isinstance(n, int) for n in found):
        raise Illegal("bad_points", most=MOST_POINTS)
    if not any(found) or not all(lowest <= n <= MOST_POINTS for n in found):
        raise Illegal("bad_points", most=MOST_POINTS)
    if game.is_zero_sum and sum(found) != 0:
        raise Illegal("not_zero")
    return found


def _words(game: plugin.GameConfig, line: PastLine) -> dict[str, str]:
    """Return a word for every field of the game's sheet; raises `bad_word`."""
    fields = {} if game.past is None else {one.id: one.words for one in game.past.FIELDS}
    if line.words.keys() - fields.keys():
        raise Illegal("bad_word")
    words = {name: line.words.get(name, next(iter(known))) for name, known in fields.items()}
    if not all(words[name] in known for name, known in fields.items()):
        raise Illegal("bad_word")
    return words


def _time(night: Night, at: datetime | None) -> datetime:
    """Return the time at which the game ended, within the night; raises `not_in_night`."""
    last = night.closed_at or datetime.now(UTC)
    if at is None:
        return last
    if not night.created_at <= at <= last:
        raise Illegal("not_in_night")
    return at


def _table(night: Night, by: Player | AbstractBaseUser, past_game: PastGame, options: Values, at: datetime) -> Table:
    """Return a new table without a log, archived from the start: no list of tables shows it."""
    return setup.add_table(
        night,
        by,
        game_id=past_game.game_id,
        preset=past_game.preset,
        options=options,
        dice_seed=dice.new_seed(),
        status=Table.Status.FINISHED,
        started_at=at,
        finished_at=at,
        archived_at=datetime.now(UTC),
    )


def _outcome(game: plugin.GameConfig, options: Values, points: Sequence[int]) -> Outcome:
    """Return the outcome of the game, without figures of dice."""
    sign = 1 if game.lower_is_better else -1
    ranked = ranking({seat: (sign * value,) for seat, value in enumerate(points)})
    return Outcome(
        Result.ENTERED,
        dict(enumerate(points)),
        tuple(tuple(group) for group in ranked),
        {seat: {"won": int(value > 0)} if game.is_zero_sum else {} for seat, value in enumerate(points)},
        game.unit_of(options),
    )
