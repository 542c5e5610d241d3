"""A person's own data, as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.db.models import Q

from games.kernel.contract import JsonObject
from games.models import (
    Answer,
    ChatMessage,
    HouseRules,
    KeptLine,
    LogEntry,
    Mail,
    Match,
    Membership,
    Participant,
    Payment,
    Player,
    PointValue,
    Result,
    ResultLine,
    Season,
    SeasonNotice,
    Seat,
    Settling,
    Table,
    Webhook,
)
from games.services import log_files
from games.services.grades import figures
from games.services.history import matches
from games.services.people import players
from games.services.sheets import names
from games.services.webhooks import posting

FORMAT = 1


def collect(player: Player) -> JsonObject:
    """Return all stored data of a player, and of the player's account if there is one.

    It contains no other people's names. Times are ISO 8601 in UTC.
    """
    return {
        "format": FORMAT,
        "made_at": _time(datetime.now(UTC)),
        "player": {
            "id": player.pk,
            "nickname": player.nickname,
            "language": player.language,
            "in_leaderboards": player.is_listed,
            "hides_grades": player.hides_grades,
            "wants_mail": player.wants_mail,
            "since": _time(player.created_at),
            "names": sorted(_names(player)),
        },
        "account": _account(player.user),
        "nights": [_night(row) for row in _memberships(player)],
        "seats": [_seat(row) for row in Seat.objects.filter(player=player).select_related("table")],
        "results": [_line(row) for row in _lines(player)],
        "grades": [row for line in _lines(player) for row in figures.own_rows(line)],
        "past_games_entered": [_entered(row) for row in player.entered_results.select_related("table")],
        "seasons": [_season(row) for row in _seasons(player)],
        "matches": [_match(row, player) for row in matches.of_player(player)],
        "tournaments": [_tournament(row) for row in player.participations.select_related("tournament__night")],
        "season_notices": [_notice(row) for row in player.season_notices.select_related("season", "night")],
        "season_names": names.own(player),
        "answers": [_answer(row) for row in player.answers.select_related("date__series")],
        "mails": [_mail(row) for row in player.mails.select_related("date__series")],
        "webhooks": [_webhook(row) for row in player.webhooks.all()],
        "mails_stopped": [row.series.name for row in player.mail_stops.select_related("series")],
        "payments": [_payment(row, player) for row in _payments(player)],
        "point_values": [_point_value(row) for row in player.point_values.select_related("table")],
        "settlings": [_settling(row) for row in player.settlings.select_related("night")],
        "chat": [_chat(row) for row in _chats(player)],
        "chat_kept_back": [_kept(row) for row in player.kept_lines.select_related("table")],
        "commands": [_command(row) for row in _entries(player)],
        "house_rules": [_rules(row) for row in HouseRules.objects.filter(owner=player)],
    }


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat()


def _names(player: Player) -> set[str]:
    """Return the nicknames that a player has had."""
    seats = Seat.objects.filter(player=player).values_list("name", flat=True)
    lines = ResultLine.objects.filter(player=player).values_list("name", flat=True)
    merged = Player.objects.filter(merged_into=player).values_list("nickname", flat=True)
    return {player.nickname, *seats, *lines, *merged}


def _account(user: Any) -> JsonObject | None:
    """Return the stored data of an account, without the password's hash; None without an account."""
    if user is None:
        return None
    return {
        "username": user.get_username(),
        "email": user.email,
        "since": _time(user.date_joined),
        "last_login": _time(user.last_login),
        "devices": [
            {"address": row.ip, "browser": row.user_agent, "since": _time(row.created_at)}
            for row in user.usersession_set.order_by("created_at")
        ],
        "tokens": [
            {"name": row.name, "may": row.scope, "since": _time(row.created_at)}
            for row in user.api_tokens.order_by("created_at")
        ],
    }


def _memberships(player: Player) -> Iterable[Membership]:
    rows = Membership.objects.filter(player=player).select_related("night")
    return rows.order_by("joined_at", "pk")


def _night(row: Membership) -> JsonObject:
    return {
        "night": row.night.public_id,
        "name": row.night.name,
        "joined_at": _time(row.joined_at),
        "gone_at": _time(row.gone_at),
        "status": row.status,
        "host": row.night.host_id == row.player_id,
    }


def _seat(row: Seat) -> JsonObject:
    return {
        "table": row.table.public_id,
        "game": row.table.game_id,
        "seat": row.index,
        "name": row.name,
        "accepted_at": _time(row.accepted_at),
    }


def _lines(player: Player) -> Iterable[ResultLine]:
    rows = ResultLine.objects.filter(player=player).select_related("result__table")
    return rows.order_by("result__finished_at", "pk")


def _line(row: ResultLine) -> JsonObject:
    return {
        "table": row.result.table.public_id,
        "game": row.result.game_id,
        "preset": row.result.preset,
        "number": row.result.number,
        "finished_at": _time(row.result.finished_at),
        "name": row.name,
        "seat": row.seat,
        "points": row.points,
        "unit": row.result.unit,
        "rank": row.rank,
        "figures": row.stats,
        "consent": row.consent,
    }


def _entered(row: Result) -> JsonObject:
    return {
        "table": row.table.public_id,
        "game": row.game_id,
        "finished_at": _time(row.finished_at),
        "entered_at": _time(row.entered_at),
    }


def _seasons(player: Player) -> Iterable[Season]:
    """Return the seasons that a player organises or is counted in."""
    rows = Season.objects.filter(Q(organiser=player) | Q(second=player) | Q(entrants__player=player))
    return rows.distinct().order_by("first_day", "pk")


def _match(row: Match, player: Player) -> JsonObject:
    return {
        "table": row.table.public_id,
        "won": row.winner_id == player.pk,
        "length": row.length,
        "score": [row.winner_score, row.loser_score],
        "ended": row.how,
        "finished_at": _time(row.finished_at),
    }


def _tournament(row: Participant) -> JsonObject:
    told = [entry for entry in row.tournament.entries.all() if row.key in _keys(entry.data)]
    return {
        "tournament": row.tournament.public_id,
        "night": row.tournament.night.public_id,
        "name": row.tournament.name,
        "key": row.key,
        "accepted_at": _time(row.accepted_at),
        "entries": [entry.data for entry in told],
    }


def _keys(entry: JsonObject) -> set[str]:
    """Return the people in an entry of a tournament's log, by their keys."""
    return {entry.get("player", ""), entry.get("winner", ""), *entry.get("players", ())}


def _notice(row: SeasonNotice) -> JsonObject:
    return {"season": row.season.public_id, "night": row.night.public_id, "kind": row.kind}


def _answer(row: Answer) -> JsonObject:
    said = {"says": row.says, "extra": row.extra, "word": row.word, "answered_at": _time(row.answered_at)}
    return {"series": row.date.series.name, "day": row.date.day.isoformat(), **said}


def _mail(row: Mail) -> JsonObject:
    about = {"series": row.date.series.name, "day": row.date.day.isoformat()}
    return {**about, "kind": row.kind, "sent_at": _time(row.sent_at)}


def _webhook(row: Webhook) -> JsonObject:
    return {"address": posting.shown(row.address), "form": row.shape, "since": _time(row.created_at)}


def _season(row: Season) -> JsonObject:
    return {"season": row.public_id, "name": row.name, "from": str(row.first_day), "to": str(row.last_day)}


def _payments(player: Player) -> Iterable[Payment]:
    """Return the payments from and to a player, the oldest first."""
    rows = Payment.objects.filter(Q(payer=player) | Q(payee=player)).select_related("night")
    return rows.order_by("pk")


def _payment(row: Payment, player: Player) -> JsonObject:
    return {
        "night": row.night.public_id,
        "pays": row.payer_id == player.pk,
        "amount": row.amount,
        "currency": row.currency,
        "paid_at": _time(row.payer_ticked_at),
        "received_at": _time(row.payee_ticked_at),
        "booked_at": _time(row.booked_at),
    }


def _point_value(row: PointValue) -> JsonObject:
    return {"table": row.table.public_id, "value": row.value, "since": _time(row.since)}


def _settling(row: Settling) -> JsonObject:
    about = {"night": row.night.public_id, "amount": row.amount, "currency": row.currency}
    return {**about, "proposed_at": _time(row.proposed_at), "agreed_at": _time(row.agreed_at)}


def _chats(player: Player) -> Iterable[ChatMessage]:
    return ChatMessage.objects.filter(player=player).select_related("table").order_by("pk")


def _chat(row: ChatMessage) -> JsonObject:
    return {"table": row.table.public_id, "at": _time(row.created_at), "text": row.text}


def _kept(row: KeptLine) -> JsonObject:
    return {"table": row.table.public_id, "at": _time(row.said_at), "text": row.text}


def _entries(player: Player) -> Iterable[LogEntry]:
    rows = LogEntry.objects.filter(actor=player).select_related("table")
    rows = rows.only("table__public_id", "seq", "seat", "command", "created_at")
    yield from rows.order_by("table", "seq").iterator(chunk_size=1000)
    # A file keeps the ids of players who have been merged into this one since.
    ids = {player.pk, *players.joined_to(player.pk)}
    for table in Table.objects.filter(pk__in=log_files.acted_at([player.pk])):
        for row in log_files.rows(table.pk):
            if row.actor_id in ids:
                row.table = table
                yield row


def _command(row: LogEntry) -> JsonObject:
    return {
        "table": row.table.public_id,
        "seq": row.seq,
        "at": _time(row.created_at),
        "seat": row.seat,
        "command": row.command,
    }


def _rules(row: HouseRules) -> JsonObject:
    return {"name": row.name, "game": row.game_id, "preset": row.preset, "options": row.options}
