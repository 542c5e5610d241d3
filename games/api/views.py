"""The views: a table's state, its log, its commands; and the games with their house rules.

Plain functions; urls.py says by which method each is asked.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.request import Request as HttpRequest
from rest_framework.response import Response

from games import plugin
from games.kernel.contract import Illegal, JsonObject, Seat
from games.models import Player
from games.realtime.messages import Bad, load, read_command
from games.services import attendance, play, reading


def games(request: HttpRequest) -> Response:
    """List the games: titles, presets, and the JSON schema of their house rules."""
    return Response({"games": [_game_json(game) for game in plugin.all_games().values()]})


def _game_json(game: plugin.GameConfig) -> JsonObject:
    presets = [
        {
            "id": preset.id,
            "label": _(preset.label),
            "seats": list(preset.seats),
            "options": game.options.values(preset.id),
        }
        for preset in game.options.presets
    ]
    return {
        "id": game.game_id,
        "title": str(game.title),
        "tagline": str(game.tagline),
        "seats": [game.min_seats, game.max_seats],
        "bots": {level: str(label) for level, label in game.bot_levels.items()},
        "presets": presets,
        "schema": game.options.json_schema(),
    }


def _access(request: HttpRequest, public_id: str) -> reading.Access:
    player: Player | None = request.user
    _player_id, tv = attendance.whoever(request.session)
    right = reading.access(public_id, player.pk if player else None, tv)
    request.game_id = right.game_id  # whose words a refusal is told in (errors.py)
    return right


def _head(right: reading.Access) -> tuple[reading.Head, Seat | None]:
    """Return a table as it stands, and the asker's seat."""
    head = reading.page(right.table_id, None).head
    return head, reading.seat_of(head.table, right.player_id)


def table(request: HttpRequest, public_id: str) -> Response:
    """Return the table object and the state as the asker may see it."""
    head, seat = _head(_access(request, public_id))
    return Response({"table": head.table, "state": head.state_for(seat)})


def events(request: HttpRequest, public_id: str) -> Response:
    """Return at most 200 entries after `?after=`, with those events hidden that must be."""
    after = request.query_params.get("after", "0")
    if not after.isascii() or not after.isdigit() or len(after) > 9:
        raise Bad("bad_field", "after")
    right = _access(request, public_id)
    head, seat = _head(right)
    found = reading.lines(right.table_id, int(after), head.seq, reading.LONGEST_TAIL)
    return Response({"seq": head.seq, "entries": [line.seen_by(seat) for line in found]})


def commands(request: HttpRequest, public_id: str) -> Response:
    """Carry out a command; return its entry, again for an id that was accepted before."""
    raw = load(_body(request))
    right = _access(request, public_id)
    if right.player_id is None:
        raise Illegal("not_seated")
    frame = read_command(raw)
    asked = play.Request(frame.name, frame.args, frame.id, frame.basis)
    receipt = play.submit(right.table_id, play.Actor(right.player_id), asked)
    head, seat = _head(right)
    line = reading.Line(receipt.seq, receipt.events, frame.id, right.player_id)
    entry: dict[str, Any] = {**line.seen_by(seat), "id": frame.id}
    return Response(entry | head.seen_by(seat) if head.seq == receipt.seq else entry)


def _body(request: HttpRequest) -> str:
    """Return the request's text; it must say that it is JSON, which no form can."""
    if request.content_type.split(";")[0].strip() != "application/json":
        raise UnsupportedMediaType(request.content_type)
    try:
        return str(request.body, "utf-8")
    except UnicodeDecodeError:
        raise Bad("binary") from None
