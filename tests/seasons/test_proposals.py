"""The proposal that two people of a season are one: who makes it, who is asked, and when they are joined."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.kernel.contract import Illegal
from games.models import JoinProposal, Membership, Night, Player, Season
from games.services.nights import night_rights
from games.services.people import deletion, merging
from games.services.seasons import proposals, season_nights, seasons
from tests.seasons.test_pages import act, browser, page
from tests.seasons.world import FIRST, THURSDAYS, account, evening, guests, make, night_of, play, totals

pytestmark = pytest.mark.django_db


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


def without_phone(night: Night, keeper: Player, name: str) -> Player:
    """Return somebody without a phone at a night."""
    person = guests(name)[0]
    Membership.objects.create(night=night, player=person, keeper=keeper)
    return person


@pytest.fixture
def karls(olga: Player, season: Season) -> tuple[Player, Player]:
    """Two rows of one man without a phone, at two nights of Olga's."""
    found = []
    for day, name in ((THURSDAYS[0], "Opa Karl"), (THURSDAYS[1], "Karl")):
        night = night_of(olga, day)
        karl = without_phone(night, olga, name)
        play(night, {olga: 3, karl: -3})
        found.append(karl)
    return found[0], found[1]


def test_the_host_of_all_nights_of_two_without_phones_joins_them_by_proposing_it(
    olga: Player, season: Season, karls: tuple[Player, Player]
) -> None:
    first, second = karls
    shown = page(olga, season)
    assert "Two who are one person" in shown
    act(olga, season, "propose", one=second.pk, other=first.pk)
    second.refresh_from_db()
    assert second.merged_into == first
    assert totals(season) == {"Olga": "6", "Opa Karl": "-6"}
    assert {event.type for event in season.events.all()} >= {"join_proposed", "joined"}
    assert not JoinProposal.objects.exists()


def test_the_own_device_is_asked_of_who_has_one(
    olga: Player, season: Season, karls: tuple[Player, Player], settings
) -> None:
    settings.VETO_SECONDS = 60
    anna = guests("Anna")[0]
    evening(olga, THURSDAYS[2], {olga: 1, anna: -1})
    row = proposals.propose(season, olga, karls[0].pk, anna.pk)
    assert row is not None and (row.source, row.target) == (karls[0], anna)
    with refused("too_soon"):
        proposals.answer(row.pk, olga, is_true=True)
    phone = browser(anna)
    assert "are one person. Is that so?" in phone.get(reverse("seasons")).content.decode()
    answer = phone.post(reverse("season_proposal", args=[row.pk]), {"answer": "yes"}, follow=True)
    assert "The two are one person now." in answer.content.decode()
    karls[0].refresh_from_db()
    assert karls[0].merged_into == anna


def test_a_host_speaks_for_a_guest_after_the_own_device_was_asked(
    olga: Player, season: Season, karls: tuple[Player, Player], settings
) -> None:
    settings.VETO_SECONDS = 0
    anna = guests("Anna")[0]
    evening(olga, THURSDAYS[2], {olga: 1, anna: -1})
    row = proposals.propose(season, olga, karls[0].pk, anna.pk)
    assert row is not None
    assert proposals.answer(row.pk, olga, is_true=True)


def test_nobody_speaks_for_an_account_and_a_refusal_ends_it(
    olga: Player, season: Season, karls: tuple[Player, Player], settings
) -> None:
    settings.VETO_SECONDS = 0
    per = account("Per")
    evening(olga, THURSDAYS[2], {olga: 1, per: -1})
    row = proposals.propose(season, olga, karls[0].pk, per.pk)
    assert row is not None
    assert proposals.asked_of(olga) == []
    with refused("no_proposal"):
        proposals.answer(row.pk, olga, is_true=True)
    assert not proposals.answer(row.pk, per, is_true=False)
    assert not JoinProposal.objects.exists()
    with refused("no_proposal"):
        proposals.answer(row.pk, per, is_true=True)
    karls[0].refresh_from_db()
    assert karls[0].merged_into is None


def test_all_hosts_of_somebody_without_a_phone_are_asked(olga: Player, season: Season) -> None:
    hedda = account("Hedda")
    theirs = night_of(hedda, THURSDAYS[0])
    karl = without_phone(theirs, hedda, "Karl")
    play(theirs, {hedda: 2, karl: -2})
    season_nights.put_in(season, theirs)
    own = night_of(olga, THURSDAYS[1])
    opa = without_phone(own, olga, "Opa Karl")
    play(own, {olga: 2, opa: -2})
    row = proposals.propose(season, olga, karl.pk, opa.pk)
    assert row is not None
    assert [each.pk for each in proposals.asked_of(hedda)] == [row.pk]
    assert proposals.answer(row.pk, hedda, is_true=True)
    opa.refresh_from_db()
    assert opa.merged_into == karl


def test_two_who_sat_at_one_table_are_never_joined(olga: Player, season: Season) -> None:
    night = night_of(olga, FIRST)
    people = [without_phone(night, olga, name) for name in ("Karl", "Opa Karl")]
    play(night, {people[0]: 2, people[1]: -2})
    with refused("same_table"):
        proposals.propose(season, olga, people[0].pk, people[1].pk)
    assert not JoinProposal.objects.exists()


def test_who_neither_organises_nor_hosts_proposes_nothing(
    olga: Player, season: Season, karls: tuple[Player, Player]
) -> None:
    anna = guests("Anna")[0]
    evening(olga, THURSDAYS[2], {olga: 1, anna: -1})
    with refused("not_organiser"):
        proposals.propose(season, anna, karls[0].pk, karls[1].pk)
    stranger = guests("Stranger")[0]
    for one, other in ((karls[0].pk, stranger.pk), (karls[0].pk, None), (2**60, karls[1].pk)):
        with refused("no_such_player"):
            proposals.propose(season, olga, one, other)
    with refused("same_player"):
        proposals.propose(season, olga, anna.pk, anna.pk)
    assert "Two who are one person" not in page(anna, season)


def test_the_host_of_a_night_proposes_those_alone_whom_they_see_by_name(
    olga: Player, season: Season, karls: tuple[Player, Player]
) -> None:
    hedda = account("Hedda")
    theirs = night_of(hedda, THURSDAYS[3])
    met = without_phone(theirs, hedda, "Kari")
    play(theirs, {hedda: 2, met: -2})
    season_nights.put_in(season, theirs)
    assert {each.nickname for each in proposals.candidates(season, hedda)} == {"Hedda", "Kari"}
    with refused("no_such_player"):
        proposals.propose(season, hedda, met.pk, karls[0].pk)


def test_a_pair_is_proposed_once_and_taken_back(olga: Player, season: Season, karls: tuple[Player, Player]) -> None:
    per = account("Per")
    evening(olga, THURSDAYS[2], {olga: 1, per: -1})
    row = proposals.propose(season, olga, karls[0].pk, per.pk)
    assert row is not None
    with refused("proposed_already"):
        proposals.propose(season, olga, per.pk, karls[0].pk)
    with refused("not_organiser"):
        proposals.withdraw(season, per, row.pk)
    assert "not all have answered yet" in page(olga, season)
    assert "The proposal is gone." in act(olga, season, "withdraw", proposal=row.pk)
    with refused("no_proposal"):
        proposals.withdraw(season, olga, row.pk)


def test_after_a_week_a_proposal_asks_nobody(olga: Player, season: Season, karls: tuple[Player, Player]) -> None:
    per = account("Per")
    evening(olga, THURSDAYS[2], {olga: 1, per: -1})
    row = proposals.propose(season, olga, karls[0].pk, per.pk)
    assert row is not None
    JoinProposal.objects.update(created_at=timezone.now() - timedelta(days=8))
    assert proposals.asked_of(per) == []
    with refused("no_proposal"):
        proposals.answer(row.pk, per, is_true=True)
    assert proposals.propose(season, olga, karls[0].pk, per.pk) is not None


def test_what_is_left_of_a_proposal_goes_with_its_people(
    olga: Player, season: Season, karls: tuple[Player, Player]
) -> None:
    per, kari = account("Per"), account("Kari")
    evening(olga, THURSDAYS[2], {per: 1, kari: -1})
    for other in (per, kari):
        proposals.propose(season, olga, karls[0].pk, other.pk)
    deletion.delete(kari)
    assert [row.target for row in JoinProposal.objects.all()] == [per]
    merging.merge(karls[0], karls[1])
    assert not JoinProposal.objects.exists()


def test_a_closed_season_takes_no_proposal_and_no_answer(
    olga: Player, season: Season, karls: tuple[Player, Player]
) -> None:
    per = account("Per")
    evening(olga, THURSDAYS[2], {olga: 1, per: -1})
    row = proposals.propose(season, olga, karls[0].pk, per.pk)
    assert row is not None
    seasons.close(season, olga)
    with refused("season_closed"):
        proposals.propose(season, olga, karls[1].pk, per.pk)
    with refused("no_proposal"):
        proposals.answer(row.pk, per, is_true=True)


def test_a_stranger_answers_no_proposal(olga: Player, season: Season, karls: tuple[Player, Player]) -> None:
    per = account("Per")
    evening(olga, THURSDAYS[2], {olga: 1, per: -1})
    row = proposals.propose(season, olga, karls[0].pk, per.pk)
    assert row is not None
    where = reverse("season_proposal", args=[row.pk])
    assert Client().post(where, {"answer": "yes"}).status_code == 403
    browser(guests("Fred")[0]).post(where, {"answer": "yes"})
    assert JoinProposal.objects.filter(source_agreed=True, target_agreed=False).exists()


def test_a_host_of_a_night_whose_season_ended_is_offered_nothing(olga: Player) -> None:
    season = make(olga)
    assert proposals.candidates(season, account("Hedda")) == []
    assert night_rights.is_inside(night_of(olga, FIRST, close=False), olga)


def test_own_data_tell_of_proposals_and_name_nobody(olga: Player, season: Season, karls: tuple[Player, Player]) -> None:
    first, second = karls
    JoinProposal.objects.create(season=season, by=olga, source=second, target=first)
    told = [deletion.own_data(each)["join_proposals"] for each in (olga, first)]
    assert [(rows[0]["proposed"], rows[0]["concerns_me"]) for rows in told] == [(True, False), (False, True)]
    assert "Karl" not in str(told)
