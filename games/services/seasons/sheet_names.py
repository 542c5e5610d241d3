"""Names in a season's spreadsheets: which person each of them is, and the answers of people with phones.

A name that an organiser says is a person with a phone counts for that person after their own yes; until then, and
after a no, it stands as a text of the season.

Rows of a season's spreadsheets as its standing counts them, and what they ask of its rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal, JsonObject
from games.kernel.seasons import Number
from games.models import Membership, Player, Season, SeasonName, SeasonSheet, SheetRow
from games.services import row_locks
from games.services.acts import LogLine
from games.services.history import player_history
from games.services.nights import without_phone
from games.services.people import name_order, players
from games.services.seasons import season_log
from games.services.seasons.rights import check_open

TEXT, OUT = "text", "out"
"""Answers to "who is this?" that name nobody: the name stays a text of the season, or its rows are left out."""
season_log.LOG.add(
    LogLine("name_agreed", _("Somebody agreed that a name of a spreadsheet is theirs.")),
    LogLine("name_refused", _("Somebody said that a name of a spreadsheet is not theirs.")),
)


def candidates(season: Season, by: Player) -> list[Player]:
    """Return the people that an organiser may choose for a name: themselves, the season's, and those they met."""
    known = Q(pk=by.pk) | Q(pk__in=player_history.people_met(by).values("pk"))
    known |= Q(pk__in=season.entrants.values("player"))
    rows = Player.objects.filter(known, merged_into=None, deleted_at=None)
    return list(rows.distinct().order_by(name_order.order("nickname"), "pk"))


def known(season: Season) -> dict[str, SeasonName]:
    """Return the names that a season has already, by their text without case."""
    return {row.name.casefold(): row for row in season.names.select_related("player", "asked") if row.name}


def texts(season: Season) -> dict[int, str]:
    """Return the names of a season's spreadsheets that are nobody's, by the negative ids that its standing has."""
    return {-pk: name for pk, name in season.names.filter(player=None).values_list("pk", "name")}


def proposed(names: Iterable[str], people: Sequence[Player]) -> dict[str, int]:
    """Return name → the id of the one person who is called so; names of nobody or of several are left out."""
    called: dict[str, list[int]] = defaultdict(list)
    for person in people:
        called[person.nickname.casefold()].append(person.pk)
    found = {name: called.get(name.casefold(), []) for name in names}
    return {name: ids[0] for name, ids in found.items() if len(ids) == 1}


def come_since(season: Season, names: Iterable[str], people: Sequence[Player]) -> dict[str, Player]:
    """Return the names of a season that are nobody's so far, and by now those of people without a phone.

    They cannot say so themselves; who has another name of the season is not among them.
    """
    rows = season.names.filter(player=None, asked=None, claimant=None).exclude(name="")
    texts = {row.name.casefold() for row in rows}
    found = proposed((name for name in names if name.casefold() in texts), people)
    kept = without_phone.among(Player.objects.filter(pk__in=found.values()).exclude(season_names__season=season))
    by_id = kept.in_bulk()
    return {name: by_id[pk] for name, pk in found.items() if pk in by_id}


def decide(season: Season, by: Player, names: Sequence[str], said: Mapping[str, str]) -> dict[str, SeasonName | None]:
    """Return name → its row in a season, None for one that is left out; a name of the season stays what it is.

    But for one of `come_since` that is said to be that person. `said` is name → `TEXT`, `OUT`, or a player's id. The
    caller holds the season. Raises Illegal `sheet_undecided`, `no_such_player`, `sheet_person_twice`.
    """
    present = known(season)
    new = [name for name in names if name.casefold() not in present]
    allowed = {str(person.pk): person for person in candidates(season, by)}
    people: dict[str, Player | None] = {}
    for name in new:
        answer = said.get(name, "")
        if not answer:
            raise Illegal("sheet_undecided", name=name)
        if answer not in (TEXT, OUT, *allowed):
            raise Illegal("no_such_player")
        people[name] = allowed.get(answer)
    since = come_since(season, names, list(allowed.values())).items()
    given = {name: person for name, person in since if said.get(name) == str(person.pk)}
    chosen = [person.pk for person in (*people.values(), *given.values()) if person is not None]
    earlier = [present[name.casefold()] for name in names if name.casefold() in present]
    chosen += [pk for row in earlier if (pk := row.player_id or row.asked_id) is not None]
    if len(set(chosen)) < len(chosen):
        raise Illegal("sheet_person_twice")
    row_locks.people(*(person for person in (*people.values(), *given.values()) if person is not None))
    for name, person in given.items():
        present[name.casefold()].player = person
        present[name.casefold()].save(update_fields=["player"])
    made = {name: None if said[name] == OUT else _made(season, by, name, people[name]) for name in new}
    return {name: made[name] if name in made else present[name.casefold()] for name in names}


def _made(season: Season, by: Player, name: str, person: Player | None) -> SeasonName:
    is_asked = person is not None and person.pk != by.pk and has_phone(person)
    return SeasonName.objects.create(
        season=season, name=name, player=None if is_asked else person, asked=person if is_asked else None
    )


def has_phone(person: Player) -> bool:
    """Tell whether a person has an account, or was at a night on a device of their own."""
    return person.user_id is not None or Membership.objects.filter(player=person, keeper=None).exists()


def asked_of(player: Player) -> QuerySet[SeasonName]:
    """Return the names of open seasons of which a player is asked whether they are theirs."""
    rows = SeasonName.objects.filter(asked=player, season__status=Season.Status.OPEN)
    return rows.select_related("season__organiser")


@transaction.atomic
def answer(name_id: int | None, by: Player, *, agrees: bool) -> SeasonName:
    """Say whether a name is one's own; raises Illegal `no_question`, `banned`, `gone_player`, `season_closed`."""
    by = row_locks.person(by)
    players.check_welcome(by)
    row = asked_of(by).select_for_update(of=("self",)).filter(pk=name_id or 0).first()
    if row is None:
        raise Illegal("no_question")
    check_open(row.season)
    row.asked = None
    row.player = by if agrees else None
    row.save(update_fields=["asked", "player"])
    season_log.note(row.season, "name_agreed" if agrees else "name_refused", by)
    return row


def forget(player: Player) -> None:
    """Leave the points of a deleted player without the text of the name; tables that they have read in go, too."""
    SeasonName.objects.filter(Q(player=player) | Q(asked=player)).update(name="")
    SeasonName.objects.filter(asked=player).update(asked=None)
    SeasonName.objects.filter(claimant=player).update(claimant=None)
    SeasonSheet.objects.filter(by=player, is_in=False).delete()


def own(player: Player) -> list[JsonObject]:
    """Return what spreadsheets of seasons hold of a player: the names, and the points of each night."""
    rows = SeasonName.objects.filter(Q(player=player) | Q(asked=player)).select_related("season")
    return [_own(row, is_confirmed=row.player_id == player.pk) for row in rows]


def _own(row: SeasonName, *, is_confirmed: bool) -> JsonObject:
    points = rows_of(row.season).filter(name=row).order_by("day", "pk")
    return {
        "season": row.season.public_id,
        "name": row.name,
        "confirmed": is_confirmed,
        "points": [
            {"day": None if each.day is None else each.day.isoformat(), "points": str(each.points), "games": each.games}
            for each in points
        ],
    }


Sums = Mapping[int, tuple[Number, int]]
"""Points and games by player; a name that is nobody's is the negative id of its row."""


@dataclass(frozen=True, slots=True)
class SheetPoints:
    """The points of a season's spreadsheets by night and carried over, with the texts of names that are nobody's."""

    nights: Mapping[date, Sums]
    carried: Sums
    names: Mapping[int, str]


def rows_of(season: Season) -> QuerySet[SheetRow]:
    """Return the rows of a season's spreadsheets that count: those that no newer one has replaced."""
    return SheetRow.objects.filter(sheet__season=season, sheet__is_in=True, replaced_by=None)


def points_of(season: Season, entrants: set[int] | None, *, with_nights: bool) -> SheetPoints:
    """Return the points of a season's spreadsheets, of entrants alone where these are given.

    A row of a night without games counts as one game. Where matches count no nights are taken (`with_nights`).
    """
    nights: dict[date, dict[int, tuple[Number, int]]] = defaultdict(dict)
    carried: dict[int, tuple[Number, int]] = {}
    names: dict[int, str] = {}
    rows = rows_of(season).order_by("day", "pk")
    about = rows.values_list("day", "points", "games", "name", "name__name", "name__player")
    for day, points, games, name_id, text, player_id in about:
        key = -name_id if player_id is None else player_id
        if (day is not None and not with_nights) or (entrants is not None and key not in entrants):
            continue
        sums = carried if day is None else nights[day]
        before = sums.get(key, (0, 0))
        sums[key] = (_plain(before[0] + Fraction(points)), before[1] + (games or (0 if day is None else 1)))
        if player_id is None:
            names[key] = text
    return SheetPoints(nights, carried, names)


def _plain(number: Fraction) -> Number:
    return number.numerator if number.denominator == 1 else number


def check_rules(season: Season, worth: object, *, lacks_games: bool | None = None) -> None:
    """Raise `sheet_no_games` where points per game count and the spreadsheets, or a new one, have no games."""
    if lacks_games is None:
        lacks_games = rows_of(season).filter(games=None).exists()
    if worth == "per_game" and lacks_games:
        raise Illegal("sheet_no_games")
