"""One registry of what the rooms keep of a person: every reference to a player stands in it, once."""

from __future__ import annotations

from collections import Counter

import pytest
from django.db.models import Model
from django.db.models.fields.reverse_related import ForeignObjectRel

from games.models import ChatMessage, Player
from games.services import kept, personal_data
from games.services.people import deletion, merging, own_data

pytestmark = pytest.mark.django_db


def referring() -> set[type[Model]]:
    """Return all models that refer to a player."""
    relations = (field for field in Player._meta.get_fields() if isinstance(field, ForeignObjectRel))
    return {relation.related_model for relation in relations}


def faults() -> list[str]:
    """Return the models that refer to a player and stand in no room's part, or in those of several."""
    listed = Counter(model for room in kept.rooms() for model in room.models)
    missing = [f"{model.__name__} stands in no room" for model in referring() - listed.keys()]
    return sorted(missing + [f"{model.__name__} stands in {n} rooms" for model, n in listed.items() if n > 1])


def test_every_model_that_refers_to_a_player_stands_in_one_room() -> None:
    assert faults() == []


def test_a_planted_model_that_no_room_keeps_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    left = [room for room in kept.rooms() if ChatMessage not in room.models]
    monkeypatch.setattr(kept, "_rooms", left)
    assert "ChatMessage stands in no room" in faults()


def test_a_model_of_two_rooms_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_rooms", [*kept.rooms(), kept.Kept((ChatMessage,))])
    assert "ChatMessage stands in 2 rooms" in faults()


def test_no_two_rooms_give_the_same_key_of_the_export(make_player) -> None:
    player = make_player("Kari")
    keys = Counter(key for room in kept.rooms() for key in room.own(player))
    assert [key for key, n in keys.items() if n > 1] == []
    assert own_data.collect(player).keys() == {"format", "made_at", *keys}


def test_deletion_and_merging_go_over_every_room(make_player, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    planted = kept.Kept(
        (),
        stop=lambda leaver: called.append(f"stop {leaver.player.nickname}"),
        forget=lambda leaver: called.append(f"forget {sorted(leaver.names)}"),
        join=lambda source, target: called.append(f"join {source.nickname} {target.nickname}"),
        joined=lambda source, target: called.append(f"joined {source.nickname} {target.nickname}"),
    )
    monkeypatch.setattr(kept, "_rooms", [planted, *personal_data.ROOMS])
    kari, per = make_player("Kari"), make_player("Per")
    merging.merge(kari, per)
    deletion.delete(per)
    assert called == ["join Kari Per", "joined Kari Per", "stop Per", "forget ['Kari', 'Per']"]
