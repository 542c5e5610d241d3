"""Past games: finished games that were played without the server, entered as one sheet of results.

A past game is a result at a table of its own that has no log and is archived from the start. It stands in its night's
sheet at once, and in a person's history when that person has agreed (`consent`); figures of luck or dice it has none.
Mistakes are fixed by a correction.

Past nights: evenings that were held without the house, closed from the start, for their past games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Max, Min, Q, QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import plugin
from games.kernel import dice
from games.kernel.contract import Illegal, JsonObject, Outcome
from games.kernel.figures import told_games
from games.kernel.options import Values
from games.kernel.standings import ranking
from games.models import Membership, Night, Player, Result, ResultLine, Seat, Table, Venue
from games.models.house import zone
from games.models.night import DAY_BEGINS, today
from games.services import audit, form_ids, row_locks
from games.services.acts import LogLine
from games.services.history import consent, player_history, results, score_sheets
from games.services.history.corrections import MOST_POINTS
from games.services.history.player_history import FIRST_DAY
from games.services.nights import former_hosts, night_rights, venues, without_phone
from games.services.nights.events import LOG, record
from games.services.people import name_order, players
from games.services.point_values import own_values
from games.services.regions import written
from games.services.tables import setup

MOST_AT_FIRST = 1_000
"""The most points of a person in a sheet without a result."""
FEWEST_OF_EVENING, MOST_OF_EVENING = 2, 100
"""The people of an evening's totals."""
USUAL_END = timedelta(hours=23)
"""The local time at which a game of a past night ended if none is given."""

By = Player | AbstractBaseUser


@dataclass(frozen=True, slots=True)
class PastLine:
    """A person's line of a past game: points, or the words of the game's own sheet (`plugin.GameConfig.past`).

    The person is a player by id, or with None somebody without a phone, by `name`: the one whom the author knows by it,
    else a new one.
    """

    player: int | None
    points: int | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    name: str = ""


@dataclass(frozen=True, slots=True)
class PastGame:
    """A past game as entered; `at` is its end, None for now, or for the end of a night that is over.

    `medium` is one of the game's `media`; "" stands for the first of them. `is_totals`: the lines are everybody's
    points of a whole evening, of more people than a table has, if need be. `told` is the game in its form
    (`rules.form`), whose seats are the lines; then lines have neither points nor words.
    """

    game_id: str
    preset: str
    lines: Sequence[PastLine]
    at: datetime | None = None
    medium: str = ""
    is_totals: bool = False
    told: JsonObject | None = None


@transaction.atomic
def enter(night: Night, by: By, past_game: PastGame, form_id: str | None = None) -> Result:
    """Write a past game of a night, once for a `form_id`.

    At an open night its host enters it, or a player of the game: then it stands as soon as a second person agrees.
    At a closed night only staff, at a past night its author too. Its points are worth what those of the night's newest
    table of the game are. A refusal about one line has its index as `line`.
    Raises Illegal `past_by_staff`, `not_host`, `taken_over_lately`, `not_inside`, `removed`, `no_part`,
    `practice_night`, `no_such_game`, `no_such_preset`, `no_such_medium`, `too_few_seats`, `too_many_seats`,
    `no_such_player`, `player_twice`, `night_full`, `bad_points`, `not_zero`, `bad_word`, `not_in_night`,
    `too_many_tables`, the errors of a nickname, of the game's own sheet and of `form_ids.once`.
    """
    content = ["past game", night.pk, asdict(past_game)]
    named = _named(night, by, past_game)
    hold_people(by, named)
    return entered(form_ids.once(by, form_id, content, lambda: write(night, by, named).pk))


def _named(night: Night | None, by: By, past_game: PastGame) -> PastGame:
    """Return a past game in which the names of people without a phone whom its author knows are these people."""
    if all(line.player is not None for line in past_game.lines):
        return past_game
    known = list(without_phone.among(candidates(night, by)))
    lines = [
        replace(line, player=without_phone.of_name(known, line.name)) if line.player is None else line
        for line in past_game.lines
    ]
    return replace(past_game, lines=lines)


def entered(result_id: int | None) -> Result:
    """Return a past game; raises Illegal `not_found` for one that was taken back since."""
    result = Result.objects.select_related("table__night").filter(pk=result_id or 0).first()
    if result is None:
        raise Illegal("not_found")
    return result


def hold_people(by: By, past_game: PastGame) -> None:
    """Hold the people of a game with its author until it is written; raises `gone_player`."""
    ids = {line.player for line in past_game.lines if line.player is not None}
    here = Player.objects.filter(pk__in=ids, merged_into=None, deleted_at=None)
    own = [by.pk] if isinstance(by, Player) else []
    row_locks.people(*here.values_list("pk", flat=True), *own)


def write(night: Night, by: By, past_game: PastGame) -> Result:
    """Write a past game whose people are held, as `enter`."""
    row_locks.night(night)
    is_proposed = _needs_second(night, by, past_game.lines)
    game, options = game_at(past_game)
    options |= own_values.rules_of_night(night, game.game_id)
    check_number(past_game, game, options)
    most = most_points(night, by, game.game_id, game.unit_of(options))
    points = _points(game, past_game, most)
    people = _people(night, by, past_game.lines)
    at = _time(night, past_game.at)
    table = _table(night, by, past_game, options, at)
    gains = list(consent.gains(game.game_id, dict(enumerate(points))).values())
    said = consent.of_new_game(night, by, people, gains)
    entry = results.PastGameEntry(by, said, is_proposed=is_proposed, is_totals=past_game.is_totals)
    result = results.enter(table, _outcome(game, options, points), people, entry, at)
    audit.note("past_game_entered", by, result, night=night, points=points)
    return result


def _needs_second(night: Night, by: By, lines: Sequence[PastLine]) -> bool:
    """Tell whether a second person must agree before the game stands.

    Raises as `check_author`, and `no_part`, `taken_over_lately`.
    """
    check_author(night, by)
    if not isinstance(by, Player) or consent.is_of_staff(by):
        return False
    if night.host_id == by.pk:
        former_hosts.check_trial(night)
        return False
    if by.pk not in {line.player for line in lines}:
        raise Illegal("no_part")
    return True


def check_author(night: Night, by: By) -> None:
    """Raise Illegal unless a person may enter past games of a night.

    `practice_night`, `past_by_staff`, `not_inside`, `removed`; at a past night `not_host`, `not_venue_host`.
    """
    if night.is_practice:
        raise Illegal("practice_night")
    if not isinstance(by, Player) or consent.is_of_staff(by):
        return
    if night.is_past:
        night_rights.check_host(night, by)
        venues.check_host(night.venue, by)
    elif night.status == Night.Status.CLOSED:
        raise Illegal("past_by_staff")
    else:
        night_rights.check_inside(night, by)


def candidates(night: Night | None, by: By) -> QuerySet[Player]:
    """Return the persons that may be in a past game of a night, by name; None is a past night still to be made.

    Who is or was there, removed people too; people without a phone that the author has brought or had at own nights;
    for a past night everybody whom the author has met.
    """
    own = by if isinstance(by, Player) else players.account_player(by)
    condition = Q(pk__in=set() if own is None else {own.pk, *without_phone.regulars(own)})
    if night is not None:
        been = night.memberships.exclude(status=Membership.Status.WAITING)
        condition |= Q(pk__in=been.values("player"))
        condition |= Q(pk__in=Seat.objects.filter(table__night=night, player__isnull=False).values("player"))
        lines = ResultLine.objects.filter(result__table__night=night, player__isnull=False)
        condition |= Q(pk__in=lines.values("player"))
    if (night is None or night.is_past) and own is not None:
        condition |= Q(pk__in=player_history.met(own).values("player"))
    return Player.objects.filter(condition, merged_into=None, deleted_at=None).order_by(
        name_order.order("nickname"), "pk"
    )


def most_points(night: Night | None, by: By, game_id: str, unit: str) -> int:
    """Return the most points of a person in a past game: twice the largest that the night's sheet counts."""
    if consent.is_of_staff(by):
        return MOST_POINTS
    largest = 0
    if night is not None:
        rows = score_sheets.night_results(night).filter(game_id=game_id, unit=unit, is_correction=False)
        lines = ResultLine.objects.filter(result__in=rows.values("pk"), consent=consent.Consent.GIVEN)
        ends = lines.aggregate(low=Min("points"), high=Max("points"))
        largest = max(abs(ends["low"] or 0), abs(ends["high"] or 0))
    return 2 * largest or MOST_AT_FIRST


def game_at(past_game: PastGame) -> tuple[plugin.GameConfig, Values]:
    """Return the game, and the house rules of its variant at the medium of the past game; raises as `enter`."""
    game = plugin.game(past_game.game_id)
    if past_game.preset not in {preset.id for preset in game.options.presets}:
        raise Illegal("no_such_preset")
    medium = past_game.medium or next(iter(game.media))
    if medium not in game.media:
        raise Illegal("no_such_medium", known=", ".join(game.media))
    return game, game.at_medium(game.options.values(past_game.preset), medium)


def check_number(past_game: PastGame, game: plugin.GameConfig, options: Values) -> None:
    """Raise Illegal `too_few_seats`, `too_many_seats` for another number of lines than a game has players."""
    few, many = game.options.seats(past_game.preset, options)
    if past_game.is_totals:
        few, many = FEWEST_OF_EVENING, MOST_OF_EVENING
    if len(past_game.lines) < few:
        raise Illegal("too_few_seats", few=few)
    if len(past_game.lines) > many:
        raise Illegal("too_many_seats", many=many)


def _people(night: Night, by: By, lines: Sequence[PastLine]) -> list[Player]:
    """Return the players in the order of the lines, each once; new people are members without a phone from now on."""
    everybody = Player.objects.filter(merged_into=None, deleted_at=None)
    rows = everybody if consent.is_of_staff(by) else candidates(night, by)
    here = rows.in_bulk([line.player for line in lines if line.player is not None])
    seen: set[object] = set()
    for index, line in enumerate(lines):
        who = line.player if line.player is not None else _clean_name(line.name, index).casefold()
        if who in seen:
            raise Illegal("player_twice", line=index)
        if line.player is not None and line.player not in here:
            raise Illegal("no_such_player", line=index)
        seen.add(who)
    _check_room(night, sum(line.player is None for line in lines))
    keeper = by if isinstance(by, Player) else night.host
    found = [players.new_guest(line.name) if line.player is None else here[line.player] for line in lines]
    for line, person in zip(lines, found, strict=True):
        if line.player is None or without_phone.is_without_phone(person):
            without_phone.note_at(night, keeper, person)
    return found


def _clean_name(name: str, index: int) -> str:
    """Return a new person's name; a refusal has the line's index."""
    try:
        return players.clean_nickname(name)
    except Illegal as refusal:
        raise Illegal(refusal.code, **refusal.params, line=index) from None


def _check_room(night: Night, count: int) -> None:
    """Raise `night_full` if so many new people do not fit into an open night."""
    inside = night.memberships.exclude(status=Membership.Status.KICKED).count()
    if count and night.status != Night.Status.CLOSED and inside + count > night.cap:
        raise Illegal("night_full", cap=night.cap)


def points_of(game: plugin.GameConfig, past_game: PastGame) -> list[int | None]:
    """Return the points of each line: as entered, or by the rules from the game as told, or by the game's own sheet.

    Raises as `enter`.
    """
    lines = past_game.lines
    if past_game.told is not None:
        return list(_told_points(game, past_game.preset, len(lines), past_game.told))
    entered = [line.points for line in lines]
    if game.past is not None and all(points is None for points in entered):
        return list(game.past.points([_words(game, line, index) for index, line in enumerate(lines)]))
    for index, line in enumerate(lines):
        if line.words:
            raise Illegal("bad_word", line=index)
    return entered


def _told_points(game: plugin.GameConfig, preset: str, seats: int, told: JsonObject) -> list[int]:
    found = game.told_form(game.options.values(preset))
    if found is None:
        raise Illegal("not_without_house")
    return told_games.points(game.rules, found[1], seats, told)


def _points(game: plugin.GameConfig, past_game: PastGame, most: int) -> list[int]:
    """Return the points of each line; raises Illegal if they are no result."""
    lowest = 0 if game.lower_is_better else -most
    found: list[int] = []
    for index, points in enumerate(points_of(game, past_game)):
        # True and False are ints in Python, but no points.
        if isinstance(points, bool) or not isinstance(points, int) or not lowest <= points <= most:
            raise Illegal("bad_points", most=most, line=index)
        found.append(points)
    if not any(found):
        raise Illegal("bad_points", most=most)
    if game.is_zero_sum and sum(found) != 0:
        raise Illegal("not_zero")
    return found


def _words(game: plugin.GameConfig, line: PastLine, index: int) -> dict[str, str]:
    """Return a word for every field of the game's sheet; raises `bad_word`."""
    fields = {one.id: one.words for one in game.past_fields}
    words = {name: line.words.get(name, next(iter(known))) for name, known in fields.items()}
    if line.words.keys() - fields.keys() or not all(words[name] in known for name, known in fields.items()):
        raise Illegal("bad_word", line=index)
    return words


def _time(night: Night, at: datetime | None) -> datetime:
    """Return the time at which the game ended, within the night; raises `not_in_night`."""
    first, last, usual = _span(night)
    if at is None:
        return usual
    if not first <= at <= last:
        raise Illegal("not_in_night")
    return at


def _span(night: Night) -> tuple[datetime, datetime, datetime]:
    """Return when a night began and ended, and the usual time of its games."""
    now = datetime.now(UTC)
    if not night.is_past:
        last = night.closed_at or now
        return night.created_at, last, last
    midnight = datetime(night.day.year, night.day.month, night.day.day, tzinfo=zone())
    last = min(now, midnight + timedelta(days=1) + DAY_BEGINS)
    return midnight + DAY_BEGINS, last, min(last, midnight + USUAL_END)


def _table(night: Night, by: By, past_game: PastGame, options: Values, at: datetime) -> Table:
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


LONGEST_NAME = 80
LOG.add(
    LogLine("past_night", _("%(name)s entered this evening, which was held without the house.")),
)


@dataclass(frozen=True, slots=True)
class Evening:
    """A past night as entered: its day, a name ("" for one made of the day), a venue by public id or ""."""

    day: date
    name: str = ""
    venue: str = ""


def check_night_author(by: Player) -> None:
    """Raise Illegal `no_account`, `banned` unless a player may enter past nights."""
    players.check_welcome(by)
    if by.user_id is None:
        raise Illegal("no_account")


@transaction.atomic
def enter_night(by: Player, evening: Evening, past_game: PastGame, form_id: str | None = None) -> Result:
    """Write a past game of an evening that was held without the house, once for a `form_id`.

    Its night is made with the first game; further ones of the same day, venue and author come into the same.
    Raises Illegal `no_account`, `banned`, `bad_day`, `night_name`, `no_such_venue`, `not_venue_host`, and as
    `past_games.enter`.
    """
    content = ["past night", asdict(evening), asdict(past_game)]
    named = _named(None, by, past_game)
    hold_people(by, named)
    made = form_ids.once(by, form_id, content, lambda: _enter(by, evening, named).pk)
    return entered(made)


def _enter(by: Player, evening: Evening, past_game: PastGame) -> Result:
    check_night_author(by)
    if not FIRST_DAY <= evening.day <= today():
        raise Illegal("bad_day")
    venue = _venue(evening.venue)
    venues.check_host(venue, by)
    name = " ".join(evening.name.split())
    if len(name) > LONGEST_NAME or not players.is_plain(name):
        raise Illegal("night_name")
    return write(_night(by, evening.day, name, venue), by, past_game)


def _venue(public_id: str) -> Venue | None:
    venue = Venue.objects.filter(public_id=public_id).first() if public_id else None
    if public_id and venue is None:
        raise Illegal("no_such_venue")
    return venue


def _night(by: Player, day: date, name: str, venue: Venue | None) -> Night:
    """Return the author's past night of a day at a venue, with this name if one is given; made now if there is none."""
    # Two games of one evening, entered at the same time, are of one night.
    row_locks.person(by)
    found = Night.objects.filter(is_past=True, host=by, day=day, venue=venue, **({"name": name} if name else {}))
    if (night := found.order_by("pk").first()) is not None:
        return night
    named = name or gettext("Evening of %(day)s") % {"day": written.day(day)}
    night = Night.objects.create(
        name=named, host=by, opened_by=by, venue=venue, day=day, is_past=True,
        status=Night.Status.CLOSED, code=None, closed_at=datetime.now(UTC),
    )  # fmt: skip
    Membership.objects.create(night=night, player=by)
    record(night, "past_night", name=by.nickname, player=by.pk)
    return night
