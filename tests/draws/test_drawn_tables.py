"""Tables drawn for many: the proposal, a person moved by a tap, and all tables opened together or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import DrawnRound, Night, Player, Strength, Table
from games.services import server_time
from games.services.draws import drawn_tables, strengths
from games.services.draws.drawn_tables import DrawnRules, DrawWish
from games.services.nights import membership
from games.services.people import deletion, players
from tests.seasons.world import account, make
from tests.tournaments.world import Evening
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
RULES = DrawnRules("chouette", "german")
FORM = {"rules": "chouette:preset-german", "size": "4", "way": "lot"}


@pytest.fixture
def club() -> tuple[Night, Player, list[int]]:
    """A night of Hanna's with eight guests."""
    host = players.new_guest("Hanna")
    night = membership.host_night(host, "Club night")
    guests = [players.new_guest(f"Guest {number}") for number in range(8)]
    for guest in guests:
        membership.join(night, guest)
    return night, host, [guest.pk for guest in guests]


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


def test_a_proposal_is_shown_a_tap_moves_a_person_and_one_more_opens_all_tables_once(
    club: tuple[Night, Player, list[int]],
) -> None:
    night, host, ids = club
    browser, url = browser_of(host), reverse("draw_tables", args=[night.public_id])
    shown = browser.post(url, {**FORM, "players": ids, "draw": "1"})
    places = dict(shown.context["places"])
    assert sorted(places) == sorted(ids)
    moved = ids[0]
    shown = browser.post(url, {**posted(places), "move": f"{moved}:{1 - places[moved]}"})
    assert dict(shown.context["places"]) == {**places, moved: 1 - places[moved]}
    assert not night.tables.exists()
    for _ in range(2):
        sent = browser.post(url, {**posted(dict(shown.context["places"])), "form_id": "once", "open": "1"})
        assert sent.status_code == 302
    assert sorted(table.seats.count() for table in night.tables.all()) == [3, 5]
    assert all(seat.accepted_at is None for table in night.tables.all() for seat in table.seats.all())


def posted(places: dict[int, int]) -> dict[str, object]:
    """Return the form with a proposal."""
    return {**FORM, **{f"at-{pk}": at for pk, at in places.items()}}


@pytest.mark.parametrize("way", drawn_tables.WAYS)
def test_every_way_seats_everybody_once(club: tuple[Night, Player, list[int]], way: str) -> None:
    night, host, ids = club
    if way == "ladder":
        drawn_tables.open_together(night, host, RULES, [ids[:4], ids[4:]])
        Table.objects.update(status=Table.Status.FINISHED)
    tables, over = drawn_tables.draw_tables(night, DrawWish("chouette", 4, way, tuple(ids[:2])), ids)
    assert sorted(pk for table in [*tables, over] for pk in table) == sorted(ids)
    if way == "captains":
        assert all(len(set(table) & set(ids[:2])) == 1 for table in tables)


@pytest.mark.parametrize("way", drawn_tables.WAYS)
def test_the_page_draws_by_each_way_and_opens_what_it_has_shown(
    club: tuple[Night, Player, list[int]], way: str
) -> None:
    night, host, ids = club
    if way == "ladder":
        drawn_tables.open_together(night, host, RULES, [ids[:4], ids[4:]])
        Table.objects.update(status=Table.Status.FINISHED)
    browser, url = browser_of(host), reverse("draw_tables", args=[night.public_id])
    form = {**FORM, "way": way, "captains": ids[:2]}
    shown = browser.post(url, {**form, "players": ids, "draw": "1"})
    places = dict(shown.context["places"])
    assert shown.status_code == 200 and sorted(places) == sorted(ids)
    sent = browser.post(url, {**posted(places), "way": way, "form_id": f"{way}-1", "open": "1"})
    assert sent.status_code == 302
    opened = night.tables.exclude(status=Table.Status.FINISHED)
    seated = [{seat.player_id for seat in table.seats.all()} for table in opened]
    assert sorted(map(sorted, seated)) == sorted(sorted(pk for pk in ids if places[pk] == at) for at in (0, 1))
    assert DrawnRound.objects.latest("pk").way == way


def test_who_sat_together_tonight_is_parted_where_that_is_possible(club: tuple[Night, Player, list[int]]) -> None:
    night, host, ids = club
    four = ids[:4]
    drawn_tables.open_together(night, host, RULES, [four[:2] + ids[4:6], four[2:] + ids[6:]])
    Table.objects.update(status=Table.Status.FINISHED)
    tables, _over = drawn_tables.draw_tables(night, DrawWish("chouette", 2, "strangers"), ids)
    together = {frozenset(group) for group in tables}
    assert frozenset(four[:2]) not in together


def sat_together(host: Player, ago: int, pairs: list[list[int]]) -> Night:
    """Return a night of the host so many days ago, at which people sat in pairs."""
    night = membership.host_night(host, f"{ago} days ago")
    for pk in [pk for pair in pairs for pk in pair]:
        membership.join(night, Player.objects.get(pk=pk))
    drawn_tables.open_together(night, host, RULES, pairs)
    Table.objects.filter(night=night).update(status=Table.Status.FINISHED)
    before = server_time.now() - timedelta(days=ago)
    Night.objects.filter(pk=night.pk).update(day=before.date(), created_at=before, status=Night.Status.CLOSED)
    return night


def drawn_in_pairs(night: Night, ids: list[int]) -> set[frozenset[int]]:
    """Return the pairs of some draws among strangers."""
    draws = [drawn_tables.draw_tables(night, DrawWish("chouette", 2, "strangers"), ids)[0] for _ in range(4)]
    return {frozenset(pair) for tables in draws for pair in tables}


def test_people_of_a_nights_season_are_parted_and_those_of_no_season_by_the_hosts_last_five_nights(
    club: tuple[Night, Player, list[int]],
) -> None:
    night, host, ids = club
    four = ids[:4]
    one, two, three = [[four[0], four[at]] for at in (1, 2, 3)]
    rest = [[each for each in four if each not in pair] for pair in (one, two, three)]
    long_ago, last = sat_together(host, 40, [one, rest[0]]), sat_together(host, 7, [two, rest[1]])
    assert frozenset(two) not in drawn_in_pairs(night, four) and frozenset(one) not in drawn_in_pairs(night, four)
    for ago in range(1, 6):
        sat_together(host, ago, [ids[4:6]])
    # Five nights have come between: neither counts now, and all pairs are free again.
    seen = set().union(*(drawn_in_pairs(night, four) for _ in range(8)))
    assert frozenset(one) in seen and frozenset(two) in seen
    season = make(account("Olga"), first_day=night.day, last_day=night.day)
    for each in (night, long_ago):
        season.nights.create(night=each)
    seen = set().union(*(drawn_in_pairs(night, four) for _ in range(8)))
    assert frozenset(one) not in seen
    assert last.pk not in {row.night_id for row in season.nights.all()} and frozenset(two) in seen


def test_a_number_of_tables_is_drawn_as_equal_as_can_be_and_is_the_next_rounds_wish(
    club: tuple[Night, Player, list[int]],
) -> None:
    night, host, ids = club
    browser, url = browser_of(host), reverse("draw_tables", args=[night.public_id])
    shown = browser.post(url, {**FORM, "size": "t3", "players": ids, "draw": "1"})
    places = dict(shown.context["places"])
    assert sorted(Counter(places.values()).values()) == [2, 3, 3]
    sent = browser.post(url, {**posted(places), "size": "t3", "form_id": "three", "open": "1"})
    assert sent.status_code == 302 and night.tables.count() == 3
    Table.objects.update(status=Table.Status.FINISHED)
    page = browser.get(url)
    assert page.context["size"] == "t3"
    assert '<option value="t3" selected' in " ".join(page.content.decode().split())


def test_the_page_offers_each_size_that_the_people_fill_and_keeps_the_last_rounds(
    club: tuple[Night, Player, list[int]],
) -> None:
    night, host, ids = club
    browser, url = browser_of(host), reverse("draw_tables", args=[night.public_id])
    offered = [value for value, _words in browser.get(url).context["sizes"]]
    assert offered == [*map(str, range(2, 10)), "t1", "t2", "t3", "t4"]
    for number in range(8, 19):
        membership.join(night, players.new_guest(f"Guest {number}"))
    offered = [value for value, _words in browser.get(url).context["sizes"]]
    assert offered == [*map(str, range(2, 11)), *(f"t{n}" for n in range(1, 11))]
    shown = browser.post(
        url,
        {
            **FORM,
            "size": "t10",
            "players": Night.objects.get().memberships.values_list("player", flat=True),
            "draw": "1",
        },
    )
    sent = browser.post(url, {**posted(dict(shown.context["places"])), "size": "t10", "form_id": "ten", "open": "1"})
    assert sent.status_code == 302 and night.tables.count() == 10
    Table.objects.update(status=Table.Status.FINISHED)
    night.memberships.exclude(player__in=[host.pk, *ids[:3]]).delete()
    page = browser.get(url)
    assert (page.context["size"], [value for value, _words in page.context["sizes"]]) == (
        "t10",
        ["2", "3", "4", "t1", "t2", "t10"],
    )


@pytest.mark.parametrize("size", ["t0", "t", "0", "-2", "t99", "x"])
def test_a_size_that_no_draw_has_is_refused_and_nothing_is_lost(
    club: tuple[Night, Player, list[int]], size: str
) -> None:
    night, host, ids = club
    browser, url = browser_of(host), reverse("draw_tables", args=[night.public_id])
    shown = browser.post(url, {**FORM, "size": size, "players": ids, "draw": "1"})
    assert shown.status_code == 400 and "choose another size" in shown.content.decode()
    assert browser.post(url, {**posted(dict.fromkeys(ids, 0)), "size": size, "open": "1"}).status_code == 400
    assert not night.tables.exists()


def test_programs_draw_by_a_size_or_by_a_number_of_tables(club: tuple[Night, Player, list[int]]) -> None:
    night, host, _ids = club
    browser, url = browser_of(host), f"/api/v1/nights/{night.public_id}/draws/"
    drawn = browser.post(url, {"game": "chouette", "tables": 3}, content_type="application/json")
    assert drawn.status_code == 200 and [len(table) for table in drawn.json()["tables"]] == [3, 3, 3]
    for wrong in ({}, {"size": 4, "tables": 2}):
        answer = browser.post(url, {"game": "chouette", **wrong}, content_type="application/json")
        assert answer.json()["code"] == "bad_draw"


def test_a_round_for_one_at_a_table_is_refused_to_programs(club: tuple[Night, Player, list[int]]) -> None:
    night, host, ids = club
    body = {"game": "chouette", "tables": [ids[:4], ids[4:]], "size": 1}
    url = f"/api/v1/nights/{night.public_id}/rounds/"
    answer = browser_of(host).post(url, body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_draw")
    assert not night.tables.exists()


def test_all_tables_open_or_none(club: tuple[Night, Player, list[int]], settings) -> None:
    night, host, ids = club
    settings.TABLES_PER_NIGHT = 1
    with refused("too_many_tables"):
        drawn_tables.open_together(night, host, RULES, [ids[:4], ids[4:]])
    assert not night.tables.exists()
    with refused("bad_draw"):
        drawn_tables.open_together(night, host, RULES, [ids[:4], ids[3:]])
    with refused("no_such_player"):
        drawn_tables.open_together(night, host, RULES, [[*ids[:3], host.pk + 10**6]])
    assert not night.tables.exists()


def test_a_person_without_a_phone_is_accepted_for_by_the_host(club: tuple[Night, Player, list[int]]) -> None:
    night, host, ids = club
    uncle = membership.bring(night, host, "Uncle")
    drawn_tables.open_together(night, host, RULES, [[uncle.pk, *ids[:3]]])
    seat = night.tables.get().seats.get(player=uncle)
    assert (seat.accepted_at is not None, seat.accepted_by) == (True, host)


def test_bad_forms_are_answered_in_words(club: tuple[Night, Player, list[int]]) -> None:
    night, host, ids = club
    browser, url = browser_of(host), reverse("draw_tables", args=[night.public_id])
    said: Callable[[dict[str, object]], str] = lambda form: page(browser, url, form)  # noqa: E731
    assert "choose somebody" in said({**FORM, "players": ids[:1], "draw": "1"})
    assert "This house has no such game." in said({"rules": "chess:preset-x", "at-1": "0", "open": "1"})
    assert "Tables can’t be drawn" in said({**FORM, "players": ids, "way": "magic", "draw": "1"}).replace("&#x27;", "’")


def page(browser: Client, url: str, form: dict[str, object]) -> str:
    """Return the page that answers a form."""
    answer = browser.post(url, form)
    assert answer.status_code in (400, 404)
    return answer.content.decode()


# Strengths


def test_the_host_keeps_strengths_by_the_form_and_the_draw_seats_the_strong_together(
    club: tuple[Night, Player, list[int]],
) -> None:
    night, host, ids = club
    browser, url = browser_of(host), reverse("draw_tables", args=[night.public_id])
    strong = ids[1::2]
    values = {f"strength-{pk}": "1" if pk in strong else "5" for pk in ids}
    browser.post(url, {**FORM, **values, "players": ids, "keep": "1"})
    assert strengths.of(host, strong) == dict.fromkeys(strong, 1)
    tables, _over = drawn_tables.draw_tables(night, DrawWish("chouette", 4, "strength"), ids)
    assert set(strong) in [set(table) for table in tables]
    browser.post(url, {**FORM, f"strength-{ids[0]}": "", "players": ids, "keep": "1"})
    assert strengths.of(host, ids[:1]) == {}


def test_a_bad_strength_or_one_of_a_stranger_keeps_nothing(club: tuple[Night, Player, list[int]]) -> None:
    night, host, ids = club
    stranger = players.new_guest("Stranger")
    for values, code in (({ids[0]: 2, ids[1]: 10}, "bad_strength"), ({ids[0]: 2, stranger.pk: 1}, "no_such_player")):
        with refused(code):
            strengths.keep(night, host, values)
    with refused("not_host"):
        strengths.keep(night, Player.objects.get(pk=ids[0]), {ids[0]: 1})
    assert not Strength.objects.exists()


def test_strengths_are_the_persons_data_exported_joined_and_erased(club: tuple[Night, Player, list[int]]) -> None:
    night, host, ids = club
    kari, nils = (Player.objects.get(pk=pk) for pk in ids[:2])
    strengths.keep(night, host, {kari.pk: 2, nils.pk: 7})
    assert deletion.own_data(kari)["strengths"] == [{"kept_by": "Hanna", "strength": 2}]
    assert deletion.own_data(host)["strengths"] == [
        {"of": kari.nickname, "strength": 2},
        {"of": nils.nickname, "strength": 7},
    ]
    strengths.join(nils, kari)
    assert strengths.of(host, [kari.pk, nils.pk]) == {kari.pk: 2}
    strengths.forget([kari.pk])
    assert not Strength.objects.exists()


def test_only_the_host_and_directors_see_strengths(club: tuple[Night, Player, list[int]]) -> None:
    evening = Evening("Kari", "Nils", "Uli")
    evening.enter()
    strengths.keep(evening.night, evening.host, {evening.people["Nils"].pk: 4})
    evening.do(evening.host, "name_director", player=evening.people["Kari"].pk)
    page = reverse("tournament", args=[evening.tournament.public_id])
    readers = {"Hanna": evening.host, **evening.people}
    seen = {name for name, player in readers.items() if "strength 4" in browser_of(player).get(page).content.decode()}
    assert seen == {"Hanna", "Kari"}
