"""One registry of what the rooms keep of a person: every reference to a player stands in it, once."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.db.models import Model, OuterRef
from django.db.models.fields.reverse_related import ForeignObjectRel

from games.models import AuditEntry, ChatMessage, HistoryClaim, Night, Player
from games.services import personal_rooms, room_order
from games.services.hosting import claims
from games.services.nights import membership
from games.services.people import deletion, merging

pytestmark = pytest.mark.django_db


GOES = {
    "a table has seats": {"Table"},
    "a place in a result or at a table stays with the person in it": {
        "Result",
        "Match",
        "Tally",
        "NightTally",
        "DiceTally",
    },
    "a request of a guest whom nobody knows any more": {"HistoryClaim", "DeviceMove", "JoinProposal", "SentForm"},
    "a mark of what the guest had read or sent": {
        *("SeasonNotice", "Mail", "MailStop", "QuizCard", "PositionVote", "DeclinedEntry", "HandOver")
    },
    "a wish for games that the guest never played": {"PointValue", "Strength", "BankDetails"},
    "a helper of another's season, series or tournament": {
        "Season",
        "Series",
        "Director",
        "NonPlayingDirector",
        "Webhook",
        "Screen",
        "ScreenShow",
    },
    "a line of history, which keeps its words": {"AuditEntry", "SeasonEvent", "SeasonSheet", "TournamentEntry"},
    "an earlier row of the same person, which is kept with it": {"Player"},
    "of an account, and a guest has none": {
        *("ApiToken", "UserSession", "EmailAddress", "Authenticator", "Venue", "EveningHost")
    },
}
"""Why rows do not keep a guest who never played: their models."""


def referring() -> set[type[Model]]:
    """Return all models that refer to a player or an account, also where these do not lead back to them."""
    relations = (field for person in (Player, User) for field in person._meta.get_fields(include_hidden=True))
    found = {relation.related_model for relation in relations if isinstance(relation, ForeignObjectRel)}
    return {model for model in found if not model._meta.auto_created}


def traced() -> set[str]:
    """Return the names of the models whose rows keep a guest who never played."""
    now = datetime.now(UTC)
    return {trace.model.__name__ for room in personal_rooms.rooms() for trace in room.traces(OuterRef("pk"), now)}


def faults() -> list[str]:
    """Return the models that refer to a player and stand in no room's part, or in those of several."""
    listed = Counter(model for room in personal_rooms.rooms() for model in room.models)
    missing = [f"{model.__name__} stands in no room" for model in referring() - listed.keys()]
    return sorted(missing + [f"{model.__name__} stands in {n} rooms" for model, n in listed.items() if n > 1])


def test_every_model_that_refers_to_a_person_stands_in_one_room() -> None:
    assert faults() == []


def test_a_planted_model_that_no_room_keeps_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    left = [room for room in personal_rooms.rooms() if ChatMessage not in room.models]
    monkeypatch.setattr(personal_rooms, "_rooms", left)
    assert "ChatMessage stands in no room" in faults()


@pytest.mark.parametrize("model", [AuditEntry, UserSession], ids=["hidden relation", "account"])
def test_a_planted_model_is_found_also_by_a_relation_that_is_hidden_or_to_an_account(
    monkeypatch: pytest.MonkeyPatch, model: type[Model]
) -> None:
    others = [
        replace(room, models=tuple(each for each in room.models if each is not model))
        for room in personal_rooms.rooms()
    ]
    monkeypatch.setattr(personal_rooms, "_rooms", others)
    assert faults() == [f"{model.__name__} stands in no room"]


def test_of_every_model_it_is_said_whether_it_keeps_a_guest_who_never_played() -> None:
    listed = {model.__name__ for room in personal_rooms.rooms() for model in room.models}
    goes = [name for names in GOES.values() for name in names]
    assert len(goes) == len(set(goes))
    assert set(goes) | traced() == listed
    # A night keeps its host, and no one else who is named in it.
    assert set(goes) & traced() == set()


def test_a_model_of_two_rooms_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(personal_rooms, "_rooms", [*personal_rooms.rooms(), personal_rooms.Kept((ChatMessage,))])
    assert "ChatMessage stands in 2 rooms" in faults()


def test_no_two_rooms_give_the_same_key_of_the_export(make_player) -> None:
    player = make_player("Kari")
    keys = Counter(key for room in personal_rooms.rooms() for key in room.own(player))
    assert [key for key, n in keys.items() if n > 1] == []
    assert deletion.own_data(player).keys() == {"format", "made_at", *keys}


def test_deletion_and_merging_go_over_every_room(make_player, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    planted = personal_rooms.Kept(
        (),
        stop=lambda leaver: called.append(f"stop {leaver.player.nickname}"),
        forget=lambda leaver: called.append(f"forget {sorted(leaver.names)}"),
        join=lambda source, target: called.append(f"join {source.nickname} {target.nickname}"),
        joined=lambda source, target: called.append(f"joined {source.nickname} {target.nickname}"),
    )
    monkeypatch.setattr(personal_rooms, "_rooms", [planted, *room_order.ROOMS])
    kari, per = make_player("Kari"), make_player("Per")
    merging.merge(kari, per)
    deletion.delete(per)
    assert called == ["join Kari Per", "joined Kari Per", "stop Per", "forget ['Kari', 'Per']"]


def test_a_confirmed_claim_goes_over_every_room(
    night: Night, make_player, monkeypatch: pytest.MonkeyPatch, django_user_model: type[User]
) -> None:
    called: list[str] = []
    planted = personal_rooms.Kept((), join=lambda source, target: called.append(f"{source.nickname} {target.nickname}"))
    guest, account = make_player("Kari"), make_player("Karin")
    account.user = django_user_model.objects.create_user("karin", password="x")
    account.save()
    for player in (guest, account):
        membership.join(night, player)
    claim = claims.create(night, account, guest.pk)
    monkeypatch.setattr(personal_rooms, "_rooms", [planted, *room_order.ROOMS])
    claims.answer_myself(guest, claim.pk, True)
    assert called == ["Kari Karin"]
    assert not HistoryClaim.objects.exists()
