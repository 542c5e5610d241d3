"""The content of a share link in words: for its page, as text for a messenger, and for its picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import plugin
from games.kernel.contract import Illegal
from games.models import Night, Season, ShareLink
from games.services.regions import written
from games.services.seasons.standing_columns import TOTAL, Shown, columns, line, nights_in_words
from games.services.sharing import results
from games.services.sharing.results import SharedMatch, SharedRow, SharedTournament
from games.web.labels import exact
from games.web.tournaments.words import format_text


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A row in words; `is_guest` says that its name is hidden.

    `total` stands at its end, `beside` is smaller; `text` and `drawn` are the numbers of a messenger and a picture.
    """

    place: str
    name: str
    total: str
    times: str
    beside: str
    text: str
    drawn: str
    is_bot: bool
    is_guest: bool


@dataclass(frozen=True, slots=True)
class RankingTable:
    """A ranking in words; `waiting` has those without a place, `matches` are those of a tournament."""

    heading: str
    lines: tuple[RankingRow, ...]
    waiting: tuple[RankingRow, ...]
    matches: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShareCard:
    """The content of a share link: a title, a line below it, its tables, and a note that something may still change.

    Hashable, so that its picture is drawn once.
    """

    title: str
    about: str
    note: str
    tables: tuple[RankingTable, ...]


def card_of(link: ShareLink) -> ShareCard:
    """Return what an open link shows, in the language of the reader; raises `share_closed` for one of nothing."""
    if link.night is not None:
        return _of_night(link.night)
    if link.season is not None:
        return _of_season(link.season)
    raise Illegal("share_closed")


def _of_night(night: Night) -> ShareCard:
    about = [written.day(night.day), night.venue.name if night.venue else ""]
    note = "" if night.status == Night.Status.CLOSED else _("The night still goes on.")
    tournaments = tuple(_tournament(each) for each in results.of_tournaments(night))
    tables = tuple(_table(ranking, _games) for ranking in results.of_night(night))
    return ShareCard(night.name, " · ".join(filter(None, about)), note, tournaments + tables)


def _tournament(found: SharedTournament) -> RankingTable:
    rows = []
    for row in found.rows:
        name = row.name or _("a guest")
        times = ngettext("%(n)s match", "%(n)s matches", row.times) % {"n": row.times} if found.matches else ""
        rows.append(
            RankingRow(str(row.place), name, row.total, times, times, row.total, row.total, False, not row.name)
        )
    heading = f"{found.tournament.name} · {format_text(found.tournament)}"
    return RankingTable(heading, tuple(rows), (), tuple(map(_match, found.matches)))


def _match(match: SharedMatch) -> str:
    """Return a match in words: the winner first, and the score where it is known."""
    names = {"winner": match.winner or _("a guest"), "loser": match.loser or _("a guest")}
    if match.score is None:
        return _("%(winner)s won against %(loser)s") % names
    return f"{names['winner']} – {names['loser']} {match.score[0]}:{match.score[1]}"


def _of_season(season: Season) -> ShareCard:
    days = f"{written.day(season.first_day)} – {written.day(season.last_day)}"
    about = [days, season.venue.name if season.venue else ""]
    is_open = season.status == Season.Status.OPEN
    note = _("The season still goes on.") if is_open else _("The standing is final.")
    table = _table(results.of_season(season), nights_in_words)
    return ShareCard(season.name, " · ".join(filter(None, about)), note, (table,))


def _table(ranking: results.Ranking, times: Callable[[int], str]) -> RankingTable:
    game = plugin.all_games().get(ranking.game_id)
    parts = [str(game.title) if game else ranking.game_id, ranking.unit_label]
    if ranking.is_fewer_better:
        parts.append(_("fewer is better"))
    rows = [_row(row, times) for row in ranking.rows]
    placed = tuple(row for row in rows if row.place)
    return RankingTable(" · ".join(parts), placed, tuple(row for row in rows if not row.place))


def _row(row: SharedRow, times: Callable[[int], str]) -> RankingRow:
    name = row.name or _("a guest")
    place = "" if row.place is None else str(row.place)
    values = {TOTAL.key: row.total, **row.further}
    beside, text, drawn = (line(values, columns(at), exact) for at in (Shown.LIST, Shown.TEXT, Shown.PICTURE))
    played = times(row.times)
    beside = " · ".join(filter(None, (played, beside)))
    return RankingRow(place, name, exact(row.total), played, beside, text, drawn, row.is_bot, not row.name)


def _games(n: int) -> str:
    return ngettext("%(n)s game", "%(n)s games", n) % {"n": n}


def as_text(card: ShareCard, address: str) -> str:
    """Return a card as text for a messenger, with the address of its page at the end."""
    lines = [card.title, card.about]
    for table in card.tables:
        lines += ["", table.heading]
        lines += [f"{row.place}. {_named(row)}: {row.text}" for row in table.lines]
        if table.matches:
            lines += ["", _("Matches") + ":", *table.matches]
        if table.waiting:
            names = ", ".join(f"{_named(row)} ({row.times})" for row in table.waiting)
            lines.append(_("No place yet:") + f" {names}")
    return "\n".join([*lines, "", *filter(None, [card.note]), address])


def _named(row: RankingRow) -> str:
    return f"{row.name} ({_('bot')})" if row.is_bot else row.name
