"""The file of one's own data has every column that the notice says of a person, or it is said here why not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from itertools import count
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import models, transaction
from django.db.models import Field, Model
from django.utils import timezone

from games.models import Membership, Participant, Player, ResultLine, Screen
from games.services import personal_rooms
from games.services.personal_rooms import Kept
from tests.people.test_notice import is_person

pytestmark = pytest.mark.django_db
SECRET = "A secret, a mark that nobody can read, or a number of the house's own."
OTHERS = "It tells of others, or of a night, season or tournament as a whole; one's own part stands in another column."
FOLLOWS = "It follows from what is in the file."
STAFFS = "What the house notes of its own work."
SEALED = "It is encrypted with the night's key, and in no file (docs/security.md)."
OF_NOBODY = "It is said with a list of a device that nobody here is known by."
IN_PLACE = "It stands in place of another column, which is walked: a mail is about a date or a season."
THERE = "It is taken from its own page, as it was brought."
A_DAY = "It is gone a day after it was asked, and is on the page meanwhile."
LEFT_OUT = {
    OF_NOBODY: {"HandOver": "said_name"},
    SECRET: {
        "ApiToken": "digest",
        "Authenticator": "data",
        "Answer": "secret_hash",
        "BroughtMatch": "public_id digest",
        "HandOver": "seq",
        "KeptPosition": "public_id",
        "EmailConfirmation": "key",
        "MailRecipient": "digest sent_at confirmations asked_at last_at",
        "Mail": "key",
        "PositionVote": "key",
        "Seat": "nonce",
        "SentForm": "player user form_id digest made unused_key sent_at",
        "UserSession": "session_key data",
        "Session": "session_data",
        "User": "password",
        "Player": "user devices_since",
    },
    OTHERS: {
        "AuditEntry": "data subject",
        "GamePolicy": "updated_by",
        "HistoryClaim": "agreed",
        "JoinProposal": "agreed",
        "HouseRules": "hosts_may is_default created_by updated_by",
        "HouseRulesVersion": "name by_name",
        "LogEntry": "command_id events dice throw",
        "LogFile": "name",
        "Night": "former_hosts",
        "NightEvent": "type data",
        "Pairing": "match start taken",
        "Result": "author_account by_name transfers",
        "ResultLine": "is_bot",
        "ScreenShow": "by",
        "Season": "frozen",
        "SeasonEvent": "data",
        "SeasonSheet": "digest cells columns",
        "Seat": "bot_level",
        "SeriesDate": "place",
        "Table": "corrections state",
        "TournamentEntry": "by",
    },
    FOLLOWS: {
        "ChatMessage": "name",
        "DeclinedEntry": "created_at",
        "HandOver": "is_conflict",
        "KeptLine": "name",
        "Mail": "due_at number",
        "MailStop": "created_at",
        "Match": "seq",
        "NightTally": "player night game_id unit preset medium points played",
        "Payment": "settling",
        "QuizCard": "schedule",
        "Tally": "player game_id unit venue played won points stats last_at",
    },
    STAFFS: {
        "BackgroundTask": "done_by",
        "BroughtMatch": "claimed_at tries graded_at fault",
        "KeptPosition": "answer",
        "AdminLogEntry": "user action_time content_type object_id object_repr action_flag change_message",
        "Mail": "claimed_at tries lost ended fault",
        "Screen": "origin",
        "Player": "merged_into deleted_at",
        "User": "is_superuser is_active first_name last_name",
    },
    SEALED: {
        "BankDetails": "player night sealed",
        "Night": "wifi_name wifi_sealed wifi_password phone_address",
        "Series": "wifi_name wifi_sealed",
    },
    IN_PLACE: {"Mail": "season"},
    THERE: {"BroughtMatch": "content"},
    A_DAY: {"DeviceMove": "player night number secret_hash agreed is_own wrong asked_at expires_at used_at"},
}
"""Why columns are in no file of own data: their names by model."""
FILLED = {"Mail": "date", "Webhook": "night", "ScreenShow": "night", "Session": ""}
"""References that a row must have, although each of them may be empty."""
ONE_PERSON = {
    "JoinProposal": "by",
    "JoinProposal.source_agreed": "source",
    "JoinProposal.target_agreed": "target",
    "HistoryClaim": "account",
}
"""Where two columns name two people: the one that is oneself."""
GIVEN: Mapping[tuple[str, str], Any] = {("GameGrades", "formula"): 1, ("SeasonSheet", "is_in"): True}
"""Values without which a row is none of the file's."""
CHANGED: Mapping[tuple[str, str], Any] = {
    ("Pairing", "told"): {"p1": {"winner": "p1"}},
    ("TournamentEntry", "data"): {"type": "enter", "player": "p1"},
    ("GameGrades", "rows"): [{"seat": 0, "n": 1}],
}
"""Values of JSON by which a row tells of oneself."""
BESIDE: Mapping[str, Callable[[Player, Any], object]] = {
    "Night": lambda player, row: Membership.objects.create(night=row, player=player),
    "Pairing": lambda player, row: Participant.objects.create(tournament=row.tournament, key="p1", player=player),
    "TournamentEntry": lambda player, row: Participant.objects.create(
        tournament=row.tournament, key="p1", player=player
    ),
    "GameGrades": lambda player, row: ResultLine.objects.create(
        result=row.result, player=player, seat=0, points=1, rank=1, name="Kari"
    ),
    "SheetRow": lambda player, row: type(row.name).objects.filter(pk=row.name_id).update(player=player),
}
"""What makes a row, which names nobody itself, one's own."""
_numbers = count(1000)


def value(field: Field, old: Any = None) -> Any:
    """Return a value of a column: another one than the old one."""
    if field.choices:
        return next(each for each, _label in field.flatchoices if each != old)
    match field:
        case models.BooleanField():
            return not old
        case models.DateTimeField():
            return (old or timezone.now()) + timedelta(days=3)
        case models.DateField():
            return (old or timezone.now().date()) + timedelta(days=3)
        case models.TimeField():
            return timezone.now().time()
        case models.JSONField():
            return [*(old or []), "seen"] if isinstance(old, list) else {**(old or {}), "seen": next(_numbers)}
        case models.BinaryField():
            return str(next(_numbers)).encode()
        case models.GenericIPAddressField():
            return f"192.0.2.{next(_numbers) % 250}"
        case models.DecimalField():
            return (old or Decimal(0)) + 1
        case models.IntegerField() | models.AutoField():
            return (old or 0) + 1 if old is not None else next(_numbers)
        case _:
            return f"x{next(_numbers)}"[: field.max_length or 40]


class Planter:
    """Makes rows of any model: what must refer to a person refers to somebody else, where nobody is given."""

    def __init__(self, other: Player) -> None:
        self._made: dict[type[Model], Model] = {User: other.user}

    def row(self, model: type[Model], **given: Any) -> Any:
        values = dict(given)
        for field in model._meta.concrete_fields:
            if field.name in values or (field.primary_key and isinstance(field, models.AutoField)):
                continue
            if (model.__name__, field.name) in GIVEN:
                values[field.name] = GIVEN[model.__name__, field.name]
            elif field.is_relation:
                if not field.null or field.name in FILLED.get(model.__name__, "").split():
                    values[field.name] = self._some(field.related_model)
            elif not (field.has_default() or field.null or field.blank):
                values[field.name] = value(field)
        made = model(**values)
        made.save(force_insert=True)
        made.refresh_from_db()
        return made

    def _some(self, model: type[Model]) -> Model:
        if model is Player:
            return Player.objects.create(nickname=f"Guest {next(_numbers)}")
        if model not in self._made:
            self._made[model] = self.row(model)
        return self._made[model]


def name_of(model: type[Model]) -> str:
    return f"Admin{model.__name__}" if model._meta.app_label == "admin" else model.__name__


def personal() -> Iterator[tuple[Kept, type[Model], Field]]:
    """Return the columns of which the notice says something, by room, without those that are left out."""
    found: dict[tuple[int, type[Model]], list[str]] = {}
    for number, room in enumerate(personal_rooms.rooms()):
        for row in room.said:
            for model, names in row.columns.items():
                found.setdefault((number, model), []).extend(names.split())
    for (number, model), names in found.items():
        out = {name for columns in LEFT_OUT.values() for name in columns.get(name_of(model), "").split()}
        yield from (
            (personal_rooms.rooms()[number], model, model._meta.get_field(name)) for name in names if name not in out
        )


def file_of(room: Kept, player: Player) -> str:
    """Return what a room gives to somebody's file."""
    return json.dumps(room.own(Player.objects.get(pk=player.pk)), default=str)


@pytest.fixture
def people(make_player) -> tuple[Player, Player]:
    """Two people with accounts: whose file it is, and somebody else."""
    found = make_player("Kari"), make_player("Ola")
    for each in found:
        each.user = User.objects.create_user(each.nickname.lower(), f"{each.nickname}@example.org")
        each.save()
    return found


def oneself(field: Field, player: Player) -> Any:
    return player if field.related_model is Player else player.user


def is_told(people: tuple[Player, Player], room: Kept, model: type[Model], field: Field) -> bool:
    """Tell whether the file is another one where a column of one's own row is, or where a row is one's own by it."""
    return (is_person(field) and _makes_ones_own(people, room, model, field)) or _is_seen(people, room, model, field)


def _makes_ones_own(people: tuple[Player, Player], room: Kept, model: type[Model], field: Field) -> bool:
    player, other = people
    with transaction.atomic():
        before = file_of(room, player)
        Planter(other).row(model, **{field.name: oneself(field, player)})
        is_other = file_of(room, player) != before
        transaction.set_rollback(True)
    return is_other


def _is_seen(people: tuple[Player, Player], room: Kept, model: type[Model], field: Field) -> bool:
    player, other = people
    persons = [each for each in model._meta.concrete_fields if is_person(each) and each != field]
    one = ONE_PERSON.get(f"{model.__name__}.{field.name}", ONE_PERSON.get(model.__name__))
    if one is not None:
        persons = [each for each in persons if each.name == one]
    with transaction.atomic():
        mine = {each.name: oneself(each, player) for each in persons}
        row = oneself_row(model, player) or Planter(other).row(model, **mine)
        BESIDE.get(model.__name__, lambda *_: None)(player, row)
        before = file_of(room, player)
        model.objects.filter(pk=row.pk).update(**{field.name: _another(people, model, field, row)})
        is_other = file_of(room, player) != before
        transaction.set_rollback(True)
    return is_other


def _another(people: tuple[Player, Player], model: type[Model], field: Field, row: Model) -> Any:
    player, other = people
    old = getattr(row, field.name)
    if is_person(field):
        return oneself(field, other if old == oneself(field, player) else player)
    if field.is_relation:
        return Planter(other).row(field.related_model)
    return CHANGED.get((model.__name__, field.name)) or value(field, old)


def oneself_row(model: type[Model], player: Player) -> Any:
    return {Player: player, User: player.user}.get(model)


def untold(people: tuple[Player, Player]) -> list[str]:
    """Return the columns of one's own rows that are nowhere in one's file."""
    return [f"{name_of(model)}.{field.name}" for room, model, field in personal()
            if not is_told(people, room, model, field)]  # fmt: skip


def test_everything_that_the_notice_says_of_a_person_is_in_their_file_or_it_is_said_why_not(people) -> None:
    assert untold(people) == []


def test_what_is_left_out_is_a_column_of_which_the_notice_tells() -> None:
    told = {(name_of(model), name) for room in personal_rooms.rooms() for row in room.said
            for model, names in row.columns.items() for name in names.split()}  # fmt: skip
    out = [(model, name) for columns in LEFT_OUT.values() for model, names in columns.items() for name in names.split()]
    assert set(out) - told == set()
    assert len(out) == len(set(out))


def test_a_planted_room_that_tells_nothing_is_found(people) -> None:
    (room,) = [each for each in personal_rooms.rooms() if Screen in each.models]
    name = Screen._meta.get_field("name")
    assert is_told(people, room, Screen, name)
    assert not is_told(people, replace(room, own=lambda _player: {}), Screen, name)
