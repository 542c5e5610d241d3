"""People without a phone are the same people every week: regulars are offered, and one tap seats them again."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, Table
from games.services.calendar import expected
from games.services.hosting import kept_seats
from games.services.nights import membership, without_phone
from games.services.people import bans, deletion
from games.services.tables import setup
from tests.seasons.test_pages import browser
from tests.seasons.world import FIRST, THURSDAYS, account, guests, make, night_of
from tests.web.pages import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(db: None) -> Player:
    """A host with an account."""
    return account("Olga")


def table_of(night: Night) -> Table:
    """Open a table of backgammon."""
    return setup.open_table(night, night.host, "chouette", "german", {})


def names(night: Night, by: Player) -> list[str]:
    """Return the names that are offered."""
    return [each.nickname for each in kept_seats.offered_regulars(night, by)]


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


def seat(table: Table, by: Player, name: str = "", known: int | None = None) -> None:
    """Seat somebody without a phone who accepts the rules of the table."""
    kept_seats.seat_person(table, by, name, known=known)


def test_a_regular_is_seated_again_as_the_same_player_by_one_tap(olga: Player) -> None:
    first = night_of(olga, FIRST, close=False)
    seat(table_of(first), olga, name="Opa Karl")
    karl = Player.objects.get(nickname="Opa Karl")
    assert names(first, olga) == []
    membership.close(first, olga)
    tonight = night_of(olga, THURSDAYS[1], close=False)
    assert names(tonight, olga) == ["Opa Karl"]
    table = table_of(tonight)
    client = browser(olga)
    page = read(client.get(reverse("table", args=[table.public_id])).content.decode())
    (button,) = [tag for tag in page.all("button") if tag.attrs.get("name") == "known"]
    card = page.by_id("person-card").attrs["value"]
    act = reverse("table_act", args=[table.public_id, "add_person"])
    client.post(act, {"known": button.attrs["value"], "card": card, "name": ""})
    assert [each.player for each in table.seats.all()] == [karl]
    assert Player.objects.filter(nickname="Opa Karl").count() == 1
    assert Membership.objects.get(night=tonight, player=karl).keeper == olga
    assert names(tonight, olga) == []


def test_the_typed_name_of_somebody_who_was_here_before_is_the_same_person(olga: Player) -> None:
    first = night_of(olga, FIRST, close=False)
    seat(table_of(first), olga, name="Käthe")
    kaethe = Player.objects.get(nickname="Käthe")
    membership.close(first, olga)
    table = table_of(night_of(olga, THURSDAYS[1], close=False))
    client = browser(olga)
    page = read(client.get(reverse("table", args=[table.public_id])).content.decode())
    act = reverse("table_act", args=[table.public_id, "add_person"])
    client.post(act, {"name": " KA\u0308THE ", "card": page.by_id("person-card").attrs["value"]})
    assert [each.player for each in table.seats.all()] == [kaethe]
    assert Player.objects.filter(nickname__iexact="käthe").count() == 1


def test_whoever_met_them_at_a_night_is_offered_them_as_host_of_another(olga: Player) -> None:
    per = account("Per")
    membership.bring(night_of(olga, FIRST, per, close=False), olga, "Opa Karl")
    tonight = night_of(per, THURSDAYS[1], close=False)
    assert names(tonight, per) == ["Opa Karl"]
    seat_typed(table_of(tonight), per, "Opa Karl")
    assert Player.objects.filter(nickname="Opa Karl").count() == 1


def seat_typed(table: Table, by: Player, name: str) -> None:
    """Seat somebody without a phone by a name that is typed."""
    expected.seat_person(table, by, name, mark=None)


def test_a_typed_name_that_two_people_have_makes_somebody_new(olga: Player) -> None:
    first = night_of(olga, FIRST, close=False)
    for _ in range(2):
        membership.bring(first, olga, "Karl")
    seat_typed(table_of(first), olga, "Karl")
    assert Player.objects.filter(nickname="Karl").count() == 3


def test_a_new_name_makes_somebody_new(olga: Player) -> None:
    night = night_of(olga, FIRST, close=False)
    for _ in range(2):
        seat(table_of(night), olga, name="Opa Karl")
    assert Player.objects.filter(nickname="Opa Karl").count() == 2


def test_who_stood_up_tonight_is_offered_for_the_next_table_and_stays_one_member(olga: Player) -> None:
    night = night_of(olga, FIRST, close=False)
    table = table_of(night)
    seat(table, olga, name="Opa Karl")
    karl = Player.objects.get(nickname="Opa Karl")
    with refused("not_offered"):
        seat(table_of(night), olga, known=karl.pk)
    setup.vacate(table, olga, table.seats.get().seat_id)
    seat(table_of(night), olga, known=karl.pk)
    assert Membership.objects.filter(player=karl).count() == 1


def test_whoever_seats_somebody_enters_for_them_though_another_has_brought_them(olga: Player) -> None:
    per = account("Per")
    night = night_of(olga, FIRST, per, close=False)
    karl = membership.bring(night, per, "Opa Karl")
    table = table_of(night)
    seat(table, olga, known=karl.pk)
    row = table.seats.get()
    assert (row.player, row.accepted_by) == (karl, olga)
    assert Membership.objects.get(player=karl).keeper == olga
    answer = browser(olga).get(reverse("api_table", args=[table.public_id]), {"seat": 0})
    assert answer.status_code == 200, answer.content


def test_a_season_offers_its_host_people_whom_other_hosts_have_kept(olga: Player) -> None:
    per = account("Per")
    season = make(olga)
    theirs = night_of(per, FIRST, close=False)
    membership.bring(theirs, per, "Oma Else")
    membership.close(theirs, per)
    tonight = night_of(olga, THURSDAYS[1], close=False)
    assert names(tonight, olga) == []
    season.nights.create(night=theirs)
    assert names(tonight, olga) == ["Oma Else"]


def test_nobody_is_offered_who_has_a_phone_is_banned_deleted_or_anothers(olga: Player) -> None:
    per = account("Per")
    first = night_of(olga, FIRST, close=False)
    people = {name: membership.bring(first, olga, name) for name in ("Phone", "Banned", "Deleted", "Karl")}
    membership.close(first, olga)
    tonight = night_of(olga, THURSDAYS[1], per, close=False)
    without_phone.got_phone(people["Phone"])
    bans.ban(people["Banned"], User.objects.create_user("chief", password="x", is_staff=True))
    deletion.delete(people["Deleted"])
    assert names(tonight, olga) == ["Karl"]
    table = table_of(tonight)
    kept_seats.name_scorekeeper(table, olga, per.pk)
    table.refresh_from_db()
    assert names(tonight, per) == []
    for who, code in (("Phone", "not_offered"), ("Banned", "not_offered"), ("Deleted", "gone_player")):
        with refused(code):
            seat(table, olga, known=people[who].pk)
    with refused("not_offered"):
        seat(table, per, known=people["Karl"].pk)
    with refused("not_host"):
        seat(table, guests("Eve")[0], known=people["Karl"].pk)
