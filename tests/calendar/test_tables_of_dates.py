"""A date that opens by itself has its tables ready, seats nobody, and leaves nothing where nobody comes."""

from __future__ import annotations

from datetime import time

import pytest
from django.urls import reverse

from games.models import Answer, GamePolicy, Night, Player, Series, SeriesDate, Table
from games.services.calendar import all_series, answers, dates, evening_hosts, opening
from games.services.calendar.answers import Said
from games.services.draws import waiting_tables
from games.services.nights import membership
from games.services.people import deletion, merging
from tests.calendar.conftest import draft
from tests.calendar.test_opening import at
from tests.seasons.test_pages import browser
from tests.seasons.world import account, guests

pytestmark = pytest.mark.django_db
YES, NO = Said("yes"), Said("no")


@pytest.fixture
def club(olga: Player) -> Series:
    """A series of chouettes that opens by itself."""
    return all_series.create(olga, draft(opens_itself=True, start=time(19, 30), game_id="chouette", size=0))


@pytest.fixture
def date(club: Series, olga: Player) -> SeriesDate:
    found = club.dates.first()
    assert found is not None
    found.series = club
    answers.answer(found, olga, YES)
    return found


def opened(date: SeriesDate) -> Night:
    """Open the night of a date by itself."""
    opening.run(at(date, 0))
    date.refresh_from_db()
    assert date.night is not None
    return date.night


# Tables


@pytest.mark.parametrize(("come", "tables"), [(0, 1), (5, 1), (6, 2), (11, 2), (12, 3)])
def test_as_many_tables_wait_as_those_who_said_yes_give_and_nobody_sits(
    date: SeriesDate, come: int, tables: int
) -> None:
    for number in range(come):
        answers.answer_by_name(date, f"Guest {number}", YES)
    night = opened(date)
    assert [table.status for table in night.tables.all()] == [Table.Status.LOBBY] * tables
    assert not any(table.seats.exists() for table in night.tables.all())
    assert night.memberships.count() == 1


def test_they_have_the_rules_of_the_series_else_the_houses_choice(date: SeriesDate) -> None:
    date.series.preset, date.series.options = "german", {}
    date.series.save()
    (table,) = opened(date).tables.all()
    assert (table.game_id, table.preset) == ("chouette", "german")


def test_without_a_game_or_rules_none_is_set_up(date: SeriesDate) -> None:
    GamePolicy.objects.create(game_id="chouette", hosts_may=GamePolicy.HostsMay.SETS_ONLY)
    assert not opened(date).tables.exists()


def test_who_has_no_phone_and_said_yes_is_a_tap_there(olga: Player, date: SeriesDate) -> None:
    answers.answer_by_name(date, "Opa Karl", YES)
    (table,) = opened(date).tables.all()
    assert "Opa Karl" in browser(olga).get(reverse("table", args=[table.public_id])).content.decode()


def test_guests_who_come_sit_at_the_first_until_it_is_full(date: SeriesDate) -> None:
    for number in range(6):
        answers.answer_by_name(date, f"Guest {number}", YES)
    night = opened(date)
    for each in guests("Anna", "Bert", "Carl", "Dora"):
        membership.join(night, each)
        waiting_tables.seat_newcomer(night, each)
    assert [table.seats.count() for table in night.tables.all()] == [4, 0]


def test_a_night_that_nobody_comes_to_closes_with_its_tables_which_stand_nowhere(date: SeriesDate) -> None:
    night = opened(date)
    assert opening.run(date.ends_at) == "opened=0 closed=1"
    night.refresh_from_db()
    assert night.status == Night.Status.CLOSED
    assert not Table.objects.filter(archived_at=None).exists()
    assert not night.events.filter(type="table_opened").exists()


def test_of_a_night_that_was_used_the_tables_that_never_began_stand_nowhere_after_it(
    olga: Player, date: SeriesDate
) -> None:
    for number in range(6):
        answers.answer_by_name(date, f"Guest {number}", YES)
    night = opened(date)
    (anna,) = guests("Anna")
    membership.join(night, anna)
    waiting_tables.seat_newcomer(night, anna)
    assert opening.run(date.ends_at) == "opened=0 closed=0"
    membership.close(night, olga)
    assert not night.tables.filter(archived_at=None).exists()


# Who hosts


def test_evening_hosts_who_said_yes_host_in_their_order_after_the_organisers(olga: Player, club: Series) -> None:
    date, second = club.dates.first(), account("Second")
    evening = [account(name) for name in ("Eva", "Egon", "Else")]
    Series.objects.update(second=second)
    meet(olga, *evening)
    club.refresh_from_db()
    evening_hosts.name(club, olga, [each.pk for each in evening])
    order = [olga, second, *evening]
    for each in reversed(order):
        date.refresh_from_db()
        answers.answer(date, each, YES)
        assert opening.host_of(date) == each
    for each in order[:-1]:
        answers.answer(date, each, NO)
    date.series = club
    assert opened(date).host == evening[2]


def test_without_any_yes_it_is_the_second_as_before_and_never_an_evening_host(olga: Player, club: Series) -> None:
    date, eva = club.dates.first(), account("Eva")
    meet(olga, eva)
    evening_hosts.name(club, olga, [eva.pk])
    assert opening.host_of(date) is None
    answers.answer(date, eva, Said("maybe"))
    assert opening.host_of(date) is None


def test_three_are_named_of_accounts_that_one_has_met(olga: Player, club: Series) -> None:
    people = [account(name) for name in ("Eva", "Egon", "Else", "Edith")]
    meet(olga, *people)
    (guest,) = guests("Guest")
    where = reverse("series_act", args=[club.key, "evening_hosts"])
    browser(olga).post(where, {"players": [people[1].pk, "", people[0].pk]})
    assert evening_hosts.of(club) == [people[1], people[0]]
    assert "Egon and Eva" in browser(olga).get(reverse("series", args=[club.key])).content.decode()
    for wrong in ([each.pk for each in people], [guest.pk], [account("Stranger").pk]):
        browser(olga).post(where, {"players": wrong})
        assert evening_hosts.of(club) == [people[1], people[0]]
    assert browser(people[0]).post(where, {"players": []}).status_code == 403
    browser(olga).post(where, {"players": [""]})
    assert evening_hosts.of(club) == []


def test_an_evening_host_opens_a_date_by_hand_and_nobody_else_does(olga: Player, club: Series) -> None:
    date, eva, other = club.dates.first(), account("Eva"), account("Other")
    meet(olga, eva)
    evening_hosts.name(club, olga, [eva.pk])
    SeriesDate.objects.filter(pk=date.pk).update(day=dates.today())
    where = reverse("date_act", args=[club.key, date.planned.isoformat(), "open"])
    assert browser(other).post(where).status_code == 403
    browser(eva).post(where)
    date.refresh_from_db()
    assert date.night is not None
    assert date.night.host == eva
    move = reverse("date_act", args=[club.key, date.planned.isoformat(), "cancel"])
    assert browser(eva).post(move).status_code == 403


def test_merged_and_deleted_people_are_evening_hosts_once_or_no_more(olga: Player, club: Series) -> None:
    eva, egon = account("Eva"), guests("Egon")[0]
    club.evening_hosts.create(player=eva, place=1)
    club.evening_hosts.create(player=egon, place=2)
    merging.merge(egon, eva)
    assert [row.player for row in club.evening_hosts.all()] == [eva]
    deletion.delete(eva)
    assert not club.evening_hosts.exists()


def meet(olga: Player, *people: Player) -> None:
    """Let an organiser have met people, at a night."""
    night = membership.host_night(olga, "Before")
    for each in people:
        membership.join(night, each)
    membership.close(night, olga)


# Not tonight


def test_not_tonight_keeps_one_date_shut_and_can_be_taken_back(olga: Player, date: SeriesDate) -> None:
    page = reverse("series_date", args=[date.series.key, date.planned.isoformat()])
    where = reverse("date_act", args=[date.series.key, date.planned.isoformat(), "not_tonight"])
    assert "Not tonight" in browser(olga).get(page).content.decode()
    browser(olga).post(where, {"stays": "yes"})
    assert "does not open by itself" in browser(olga).get(page).content.decode()
    assert opening.run(at(date, 0)) == "opened=0 closed=0"
    following = date.series.dates.all()[1]
    assert not following.not_tonight
    browser(olga).post(where, {"stays": "no"})
    assert opening.run(at(date, 0)) == "opened=1 closed=0"
    assert "Not tonight" not in browser(olga).get(page).content.decode()
    browser(olga).post(where, {"stays": "yes"})
    date.refresh_from_db()
    assert not date.not_tonight
    assert Answer.objects.filter(date=date).exists()
