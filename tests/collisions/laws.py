"""What must hold whatever has met: asked of the rows alone, in one place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.apps import apps
from django.db.models import CharField, F, JSONField, Model, Q, TextField
from django.db.models.fields.reverse_related import ForeignObjectRel
from django.db.models.functions import Cast

from games.models import (
    DELETED_NAME,
    ChatMessage,
    DeviceMove,
    DiceTally,
    HistoryClaim,
    KeptLine,
    Membership,
    Night,
    NightEvent,
    Player,
    Result,
    ResultLine,
    Seat,
    Table,
    Tally,
    Tournament,
)
from games.services.tournaments import log

IN = Membership.Status.IN
UNFINISHED = ~Q(status=Table.Status.FINISHED)


def broken(names: set[str]) -> list[str]:
    """Return what does not hold, in words; `names` are those that people of the scene have had."""
    laws = (_merged(), _deleted(), _names(names), _hosts(), _closed(), _seated(), _results(), _news(), _tournaments())
    return [text for law in laws for text in law]


def _merged() -> Iterator[str]:
    """A player that was merged has nothing any more."""
    for relation in Player._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel) and not relation.many_to_many and relation.related_model != Player:
            rows = relation.related_model._default_manager
            for row in rows.filter(**{f"{relation.field.name}__merged_into__isnull": False}):
                yield f"{type(row).__name__}.{relation.field.name} is a merged player"
    if Player.objects.filter(merged_into__deleted_at__isnull=False, deleted_at=None).exclude(nickname=DELETED_NAME):
        yield "a deleted player's earlier self has a name"


def _deleted() -> Iterator[str]:
    """A deleted player is at no night, and has no line, request or tally."""
    for model in (Membership, ChatMessage, KeptLine, DeviceMove, Tally, DiceTally):
        if model.objects.filter(player__deleted_at__isnull=False).exists():
            yield f"{model.__name__} of a deleted player"
    if HistoryClaim.objects.filter(~Q(guest__deleted_at=None) | ~Q(account__deleted_at=None)).exists():
        yield "HistoryClaim of a deleted player"
    if Membership.objects.filter(keeper__deleted_at__isnull=False).exists():
        yield "a deleted player is a keeper"


def _names(names: set[str]) -> Iterator[str]:
    """No row has a name of a player that was deleted."""
    living = set(Player.objects.filter(deleted_at=None, nickname__in=names).values_list("nickname", flat=True))
    gone = Player.objects.filter(deleted_at__isnull=False).exists()
    if not gone or not (left := {each for each in names - living if not any(each in name for name in living)}):
        return
    for model in apps.get_app_config("games").get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, CharField | TextField | JSONField) and _has_any(model, field.name, left):
                yield f"{model.__name__}.{field.name} has a deleted name"


def _has_any(model: type[Model], field: str, names: set[str]) -> bool:
    found = Q()
    for name in names:
        found |= Q(text_of_field__contains=name)
    rows = model._default_manager.annotate(text_of_field=Cast(field, TextField()))
    return rows.filter(found).exists()


def _hosts() -> Iterator[str]:
    """The host of an open night is in, and nobody who is banned is in at one."""
    for night in Night.objects.exclude(status=Night.Status.CLOSED).select_related("host"):
        member = night.memberships.filter(player=night.host).first()
        if member is None or member.status != IN or not night.host.is_somebody or night.host.banned_at:
            yield f"the host of an open night is {'not a member' if member is None else member.status}"
        if night.memberships.filter(status=IN, player__banned_at__isnull=False).exists():
            yield "a banned player is in"
        kept = night.memberships.filter(status=IN, keeper__isnull=False)
        if any(not night.memberships.filter(player=each.keeper_id, status=IN).exists() for each in kept):
            yield "a keeper is not in"


def _closed() -> Iterator[str]:
    """A closed night stays closed: no code, no table at play."""
    if Night.objects.filter(~Q(status=Night.Status.CLOSED), closed_at__isnull=False).exists():
        yield "a closed night is open again"
    closed = Night.objects.filter(status=Night.Status.CLOSED)
    if closed.filter(Q(closed_at=None) | Q(code__isnull=False)).exists():
        yield "a closed night has a code, or no end"
    if Table.objects.filter(night__in=closed, status__in=[Table.Status.PLAYING, Table.Status.PAUSED]).exists():
        yield "a table plays at a closed night"


def _seated() -> Iterator[str]:
    """Who sits, or keeps score, at a table that is not over is in at its night."""
    inside = set(Membership.objects.filter(status=IN).values_list("night", "player"))
    tables = Table.objects.filter(UNFINISHED)
    seats = Seat.objects.filter(table__in=tables, player__isnull=False).values_list("table__night", "player")
    if set(seats) - inside:
        yield "a player sits who is not in"
    keepers = tables.filter(scorekeeper__isnull=False).values_list("night", "scorekeeper")
    if set(keepers) - inside:
        yield "a scorekeeper is not in"


def _results() -> Iterator[str]:
    """A game has one result, and the tallies are the sums of the living players' lines that they have agreed to."""
    games = Counter(Result.objects.filter(seq__isnull=False).values_list("table", "seq"))
    if any(count > 1 for count in games.values()):
        yield "a game has two results"
    given = ResultLine.Consent.GIVEN
    lines = ResultLine.objects.filter(player__isnull=False, player__deleted_at=None, consent=given)
    sums: Counter[tuple[int, str]] = Counter()
    for player, unit, points in lines.exclude(result__table__night__is_practice=True).values_list(
        "player", "result__unit", "points"
    ):
        sums[player, unit] += points
    kept = Tally.objects.filter(venue=None).values_list("player", "unit", "points")
    if {(p, u): n for p, u, n in kept if n} != {key: n for key, n in sums.items() if n}:
        yield "the tallies are not the sums of the results"


def _news() -> Iterator[str]:
    """Everything that is told has happened, once."""
    told = Counter(NightEvent.objects.filter(type__in=["code_rotated", "closed"]).values_list("night", "type"))
    for night, version in Night.objects.annotate(turns=F("code_version") - 1).values_list("pk", "turns"):
        if told[night, "code_rotated"] != version:
            yield f"{told[night, 'code_rotated']} new codes were told, and {version} made"
        if told[night, "closed"] > 1:
            yield "a night was closed twice"


def _tournaments() -> Iterator[str]:
    """The log of a tournament has no gap, the kernel takes it, a match has one pairing, and nobody plays two."""
    for tournament in Tournament.objects.all():
        rows = list(tournament.entries.order_by("number"))
        if [row.number for row in rows] != list(range(tournament.length)):
            yield "the log of a tournament has gaps, or another length"
        state = log.read(tournament).state
        ids = [match["id"] for match in state["matches"]]
        if sorted(ids) != sorted(tournament.pairings.values_list("match", flat=True)):
            yield "a tournament's matches are not its pairings"
        busy = Counter(key for m in state["matches"] if m["status"] == "running" for key in m["players"])
        if any(count > 1 for count in busy.values()):
            yield "somebody plays two matches of a tournament"
