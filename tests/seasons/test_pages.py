"""The pages of seasons: made in a few fields, read by those who may, changed by organisers."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.models import Night, NightTally, Player, Season
from games.models.night import today
from games.services.nights import membership
from games.services.seasons import entrants, season_nights, seasons
from games.web.tables import tv_slides
from tests.seasons.world import FIRST, THURSDAYS, evening, guests, make, night_of, play, set_rules
from tests.web.pages import browser_of, read

pytestmark = pytest.mark.django_db


def browser(player: Player) -> Client:
    """Return a browser of a guest or of an account."""
    client = browser_of(player)
    if player.user is not None:
        client.force_login(player.user)
        session = client.session
        session["player_id"] = player.pk
        session.save()
    return client


def page(player: Player, season: Season) -> str:
    """Return the text of a season's page for a player."""
    return browser(player).get(reverse("season", args=[season.public_id])).content.decode()


def act(player: Player, season: Season, name: str, /, **posted: object) -> str:
    """Carry out an act; return the page after it."""
    address = reverse("season_act", args=[season.public_id, name])
    return browser(player).post(address, posted, follow=True).content.decode()


FORM = {
    "name": "Autumn",
    "first_day": "2026-10-01",
    "last_day": "2026-12-17",
    "counts": "chouette:points",
    "preset": "",
}


def test_a_season_is_made_with_a_name_alone(olga: Player) -> None:
    client = browser(olga)
    form = read(client.get(reverse("season_new")).content.decode())
    typed = {tag.attrs["name"]: tag.attrs.get("value", "") for tag in form.all("input") if "name" in tag.attrs}
    boards = [tag.attrs["value"] for tag in form.all("option") if ":" in tag.attrs["value"]]
    answer = client.post(reverse("season_new"), {**typed, "name": "Autumn", "counts": boards[0], "preset": ""})
    season = Season.objects.get()
    assert answer.url == reverse("season", args=[season.public_id])
    assert (season.name, season.first_day, season.organiser) == ("Autumn", today(), olga)
    client.post(reverse("season_new"), {**typed, "name": "Autumn", "counts": boards[0], "preset": ""})
    assert Season.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": " "}, "season-name-error"),
        ({"last_day": "2026-09-30"}, "season-last-error"),
        ({"first_day": "soon"}, "season-last-error"),
        ({"counts": "chouette:stones"}, "season-counts-error"),
        ({"counts": "chicago:rounds", "preset": "points"}, "season-preset-error"),
    ],
)
def test_a_wrong_value_is_told_at_its_field_and_nothing_typed_is_lost(
    olga: Player, wrong: dict[str, str], field: str
) -> None:
    answer = browser(olga).post(reverse("season_new"), {**FORM, **wrong})
    text = answer.content.decode()
    assert answer.status_code == 400
    assert f'id="{field}"' in text
    assert 'value="2026-12-17"' in text or "last_day" in wrong
    assert not Season.objects.exists()


def test_an_account_that_never_played_makes_a_season_too() -> None:
    client = Client()
    assert client.get(reverse("seasons")).status_code == 403, "a stranger"
    client.force_login(User.objects.create_user("nils", password="x"))
    listed = client.get(reverse("seasons"))
    assert listed.status_code == 200 and reverse("season_new") in listed.content.decode()
    assert not Player.objects.exists()
    client.post(reverse("season_new"), FORM)
    assert Season.objects.get().organiser.nickname == "nils"


def test_a_guest_without_an_account_reads_and_makes_none(olga: Player, season: Season) -> None:
    anna, eve = guests("Anna", "Eve")
    night_of(olga, FIRST, anna)
    assert browser(anna).get(reverse("season_new")).status_code == 400
    assert "New season" not in browser(anna).get(reverse("seasons")).content.decode()
    assert browser(eve).get(reverse("season", args=[season.public_id])).status_code == 403
    assert Client().get(reverse("season", args=[season.public_id])).status_code == 403
    assert season.name in browser(anna).get(reverse("seasons")).content.decode()


def test_the_table_names_whom_the_reader_may_see_and_the_rest_is_a_guest(olga: Player, season: Season) -> None:
    anna, bert, carl, dora = guests("Anna", "Bert", "Carl", "Dora")
    evening(olga, THURSDAYS[0], {anna: 3, bert: -3})
    evening(olga, THURSDAYS[1], {carl: 40, dora: -40})
    seen = page(anna, season)
    assert all(name in seen for name in ("Anna", "Bert", "a guest", "40"))
    assert not any(name in seen for name in ("Carl", "Dora"))
    everybody = page(olga, season)
    assert all(name in everybody for name in ("Anna", "Bert", "Carl", "Dora"))
    for path in ("season_csv", "season_live"):
        text = browser(anna).get(reverse(path, args=[season.public_id])).content.decode()
        assert "Bert" in text
        assert "Carl" not in text


def test_who_is_counted_in_sees_the_others_who_are_and_leaves_at_once(olga: Player, season: Season) -> None:
    anna, bert, carl = guests("Anna", "Bert", "Carl")
    evening(olga, THURSDAYS[0], {anna: 3, bert: -3})
    evening(olga, THURSDAYS[1], {carl: 3, bert: -3})
    entrants.enter(season, carl)
    assert "Carl" not in page(anna, season)
    assert "Carl" in act(anna, season, "enter")
    assert "Carl" not in act(anna, season, "leave")


def test_a_season_names_each_nights_worth_and_what_is_struck(olga: Player) -> None:
    season = make(olga, "race")
    anna, bert = guests("Anna", "Bert")
    for day, points in zip(THURSDAYS[:4], (3, 3, -1, 2), strict=True):
        evening(olga, day, {anna: points, bert: -points})
    found = read(page(olga, season))
    assert len(found.all("s")) == 4
    assert "25 18 15" in page(olga, season)


def test_what_tonight_changes_is_told_while_the_night_goes_on(olga: Player, season: Season) -> None:
    anna, bert, carl = guests("Anna", "Bert", "Carl")
    evening(olga, THURSDAYS[0], {anna: 5, bert: 2, carl: -7})
    assert "Tonight so far" not in page(olga, season)
    night = night_of(olga, THURSDAYS[1], anna, bert, carl, close=False)
    play(night, {bert: 4, anna: -4, carl: 0})
    live = browser(anna).get(reverse("season_live", args=[season.public_id])).content.decode()
    assert "Tonight so far" in live
    assert "passes Anna" in live
    night.refresh_from_db()
    membership.close(night, olga)
    assert "Tonight so far" not in page(olga, season)


def test_the_page_stays_as_it_is_while_nothing_changes(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    evening(olga, FIRST, {anna: 3, bert: -3})
    mark = read(page(olga, season)).by_id("live-mark").attrs["data-mark"]
    client, address = browser(olga), reverse("season_live", args=[season.public_id])
    assert client.get(address, {"have": mark}).status_code == 204


def test_organisers_weigh_part_take_out_and_put_in_and_others_may_not(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    night, other = (evening(olga, FIRST, {anna: 3, bert: -3}) for _ in range(2))
    named = {"night": night.public_id}
    assert "Only an organiser" in act(anna, season, "weigh", **named, weight=2)
    act(olga, season, "weigh", **named, weight=2)
    act(olga, season, "part", **named)
    placed = season_nights.nights_of(season)
    assert {(each.night.pk, each.weight, each.part) for each in placed} == {(night.pk, 2, 1), (other.pk, 1, 0)}
    act(olga, season, "detach", **named)
    assert [each.night for each in season_nights.nights_of(season)] == [other]
    assert "The night is in the season." in act(olga, season, "attach", **named)
    assert "A night counts once to nine times" in act(olga, season, "weigh", **named, weight="x")
    assert "no such night" in act(olga, season, "weigh", night="nothing", weight=2)


def test_rules_are_changed_in_a_form_and_the_page_says_who_moved(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    evening(olga, THURSDAYS[0], {anna: 9, bert: -9})
    for day in THURSDAYS[1:3]:
        evening(olga, day, {anna: -1, bert: 1})
    address = reverse("season_rules", args=[season.public_id])
    sent = {"preset": "points", "version": "1", "o-worth": "won", "o-least_nights": "x"}
    wrong = browser(olga).post(address, sent)
    assert wrong.status_code == 400
    assert "This is a whole number." in wrong.content.decode()
    browser(olga).post(address, {**sent, "o-least_nights": "1"})
    change = browser(olga).get(reverse("season", args=[season.public_id])).context["rule_change"]
    shown = {
        title: [(row["place"], row["name"], row["numbers"]["total"]) for row in rows]
        for title, rows in change["tables"]
    }
    assert shown == {"Before": [(1, "Anna", "7"), (2, "Bert", "−7")], "Now": [(1, "Bert", "2"), (2, "Anna", "1")]}
    assert [(move["name"], move["before"], move["after"]) for move in change["moves"]] == [
        ("Bert", 2, 1),
        ("Anna", 1, 2),
    ]
    text = page(olga, season)
    assert all(part in text for part in ("The last change of the rules", "Both standings", ">Before<", ">Now<"))
    seen_by_anna = browser(anna).get(reverse("season", args=[season.public_id])).content.decode()
    assert "Both standings" in seen_by_anna
    assert browser(olga).post(address, {**sent, "o-least_nights": "2"}).status_code == 400
    assert browser(anna).get(address).status_code == 403


def test_a_closed_season_says_that_its_table_stands(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    night = night_of(olga, FIRST, anna, bert)
    play(night, {anna: 3, bert: -3})
    assert "The standing is final." in act(olga, season, "close")
    play(night, {anna: -9, bert: 9})
    assert "A later correction would have changed this standing" in page(olga, season)
    assert browser(olga).get(reverse("season_rules", args=[season.public_id])).status_code == 400
    assert "The season is open again." in act(olga, season, "reopen")


def test_the_table_as_csv_has_a_column_a_night_and_no_formulas(olga: Player, season: Season) -> None:
    anna, bert = guests("=Anna", "Bert")
    for day in THURSDAYS[:2]:
        evening(olga, day, {anna: 3, bert: -3})
    set_rules(season, olga, count="without_worst", worst=1)
    answer = browser(olga).get(reverse("season_csv", args=[season.public_id]))
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[0] == ["Place", "Name", "Total", "Nights", "2026-10-01", "2026-10-08"]
    assert rows[1] == ["1", "'=Anna", "3", "2", "3", "(3)"]


def test_a_season_that_has_ended_says_when_its_table_is_final(olga: Player) -> None:
    ended = make(olga, first_day=today() - timedelta(days=9), last_day=today() - timedelta(days=4))
    assert "final standing in 10 days" in page(olga, ended)
    assert "stays open until you close it" in act(olga, ended, "stay", stays="yes")


def test_a_season_is_removed(olga: Player, season: Season) -> None:
    night_of(olga, FIRST)
    act(olga, season, "remove")
    assert not Season.objects.exists()
    assert Night.objects.exists()


def test_a_deleted_organisers_season_still_opens(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    evening(olga, FIRST, {anna: 3, bert: -3})
    seasons.name_second(season, olga, None)
    Season.objects.update(organiser=None)
    season_nights.SeasonNight.objects.create(season=season, night=Night.objects.get())
    assert "Anna" in page(anna, season)


def test_the_tv_shows_the_first_of_the_season_and_names_who_is_there_or_listed(olga: Player, season: Season) -> None:
    anna, bert, carl = guests("Anna", "Bert", "Carl")
    evening(olga, THURSDAYS[0], {anna: 5, carl: 2, bert: -7})
    night = night_of(olga, THURSDAYS[1], anna, bert, close=False)
    play(night, {bert: 9, anna: -9})
    (slide,) = tv_slides.season_slides(night)
    assert slide.title == season.name
    assert slide.lines == (("1. Bert ▲", "2"), ("2. a guest", "2"), ("3. Anna ▼", "−4"))
    Player.objects.filter(pk=carl.pk).update(is_listed=True)
    assert any("Carl" in text for text, _ in tv_slides.season_slides(night)[0].lines)


def test_the_results_of_a_night_lead_to_its_season(olga: Player, season: Season) -> None:
    (anna,) = guests("Anna")
    night = night_of(olga, FIRST, anna)
    address = reverse("night_results", args=[night.public_id])
    assert reverse("season", args=[season.public_id]) in browser(anna).get(address).content.decode()


def test_of_many_nights_the_newest_are_shown_and_all_when_asked(olga: Player) -> None:
    season = make(olga, last_day=FIRST + timedelta(days=60))
    anna, bert = guests("Anna", "Bert")
    play(night_of(olga, FIRST, anna, bert), {anna: 3, bert: -3})
    days = [FIRST + timedelta(days=number) for number in range(1, 20)]
    rows = [Night(name=f"Evening {d}", host=olga, opened_by=olga, code=None, day=d, status="closed") for d in days]
    rows = Night.objects.bulk_create(rows)
    of_night = {"game_id": "chouette", "unit": "points", "preset": "german", "medium": "screen", "played": 1}
    NightTally.objects.bulk_create(NightTally(night=n, player=p, **of_night) for n in rows for p in (anna, bert))
    newest, every = page(olga, season), browser(olga).get(reverse("season", args=[season.public_id]), {"nights": "all"})
    assert (newest.count("Evening 2026") > 0, "Evening 2026-10-02" in newest) == (True, False)
    assert "Evening 2026-10-02" in every.content.decode()
    assert len(every.context["columns"]) == 20
    assert every.context["rows"][0]["total"] == "3"
