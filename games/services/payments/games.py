"""The games of a night whose points are worth something, as transfers between people, by currency."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import QuerySet

from games import plugin
from games.kernel import replay
from games.kernel.payments.owed import PlayedGame, Pot, Transfer
from games.kernel.payments.point_values import PointTerms
from games.models import Night, Result, ResultLine, Table
from games.services.history import payments, score_sheets
from games.services.point_values import own_values
from games.services.tables import log


@dataclass(slots=True)
class Games:
    """The games of one currency at a night: in their order, the ids of tables that are over, and people by line."""

    played: list[PlayedGame[int]] = field(default_factory=list)
    over: set[int] = field(default_factory=set)
    line: list[int] = field(default_factory=list)


def _worth(night: Night) -> QuerySet[Table]:
    return night.tables.filter(own_values.are_worth(), game_id__in=plugin.all_games())


def has_values(night: Night) -> bool:
    """Tell whether points are worth something at any table of a night."""
    return _worth(night).exists()


def valued_tables(night: Night) -> dict[int, tuple[Table, PointTerms]]:
    """Return the night's tables whose points are worth something, by id, each with its terms."""
    found = {}
    for table in _worth(night).defer("state", "clocks").order_by("number"):
        terms = own_values.terms_of(table)
        if terms is not None:
            found[table.pk] = (table, terms)
    return found


def of_night(night: Night, also: Collection[int] = ()) -> dict[str, Games]:
    """Return the games of a night by currency, corrections with the game that they correct.

    Past games count once everybody in them has agreed; `also` has the ids of those that are taken to count already.
    """
    tables = valued_tables(night)
    found: dict[str, Games] = {}
    for table, terms in tables.values():
        games = found.setdefault(terms.currency, Games())
        if table.status == Table.Status.FINISHED:
            games.over.add(table.pk)
    rows = score_sheets.night_results(night).filter(table__in=tables).order_by("finished_at", "pk")
    for root, corrections in _with_corrections(rows.prefetch_related("lines")):
        table, terms = tables[root.table_id]
        root.table = table
        games = found[terms.currency]
        counts = _is_agreed(root) or root.pk in also
        transfers = [each for row in (root, *corrections) if counts for each in transfers_of(row, table)]
        values = {line.player_id: line.point_value for line in _people(root) if line.point_value is not None}
        own = {player_id: value for player_id, value in values.items() if player_id is not None}
        games.played.append(PlayedGame(table.pk, terms, transfers, own, has_part=not root.is_correction))
        if counts:
            games.line = list(dict.fromkeys([*games.line, *(_id(line) for line in _people(root))]))
    return found


def _with_corrections(rows: Iterable[Result]) -> list[tuple[Result, list[Result]]]:
    """Return results in their order, each with the corrections of it; a correction of nothing stands by itself."""
    results = {row.pk: row for row in rows}
    found: dict[int, list[Result]] = {pk: [] for pk, row in results.items() if row.corrects_id not in results}
    for row in results.values():
        root = row
        while root.corrects_id in results:
            root = results[root.corrects_id]
        if root is not row:
            found[root.pk].append(row)
    return [(results[pk], more) for pk, more in found.items()]


def _is_agreed(result: Result) -> bool:
    """Tell whether everybody in a result has agreed to it; until then a past game names nobody."""
    return all(line.consent == ResultLine.Consent.GIVEN for line in result.lines.all())


def _people(result: Result) -> list[ResultLine]:
    lines = sorted(result.lines.all(), key=lambda line: line.seat)
    return [line for line in lines if line.player_id is not None and not line.is_bot]


def transfers_of(result: Result, table: Table) -> list[Transfer[int]]:
    """Return the points that people owe each other, or the table, by a result; bots owe and are owed nothing.

    Where the result does not know who pays whom, the losers pay the winners in the fewest payments.
    """
    people = {line.seat: line for line in _people(result)}
    if plugin.game(result.game_id).lower_is_better:
        return [Transfer(_id(line), Pot.TABLE, line.points) for line in people.values()]
    known = result.transfers if result.transfers is not None else _from_log(result, table)
    if not known:
        return _fewest(result)
    pairs = [(people.get(payer), people.get(payee), points) for payer, payee, points in known]
    return [Transfer(_id(a), _id(b), points) for a, b, points in pairs if a is not None and b is not None]


def _id(line: ResultLine) -> int:
    return int(line.player_id or 0)


def _from_log(result: Result, table: Table) -> list[tuple[int, int, int]]:
    """Return the transfers of a result that is older than their column, from its entry of the log."""
    if result.seq is None:
        return []
    entries = log.entries(table.pk, upto=result.seq, after=result.seq - 1)
    found = replay.outcomes(plugin.game(result.game_id).rules, entries)
    return [each for _seq, outcome in found for each in outcome.transfers]


def _fewest(result: Result) -> list[Transfer[int]]:
    lines = sorted(result.lines.all(), key=lambda line: line.seat)
    if sum(line.points for line in lines) != 0:
        return []
    is_nobody = [line.is_bot or line.player_id is None for line in lines]
    balances = payments.among_people([line.points for line in lines], is_nobody)
    by_person: Mapping[int, int] = {
        _id(line): n for line, n, gone in zip(lines, balances, is_nobody, strict=True) if not gone
    }
    return [Transfer(payer, payee, points) for payer, payee, points in payments.transfers(by_person)]
