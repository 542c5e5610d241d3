"""What screens show: what was let show there and nothing else, by turns, and what ends a screen's right."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import AuditEntry, Night, Player, Screen, ScreenShow, Series
from games.models.night import today
from games.services import rate_limit, server_time
from games.services.calendar import all_series
from games.services.nights import events, membership, tv_screens, wifi
from games.services.people import bans, deletion, players
from games.services.screens import screens
from games.services.tables import access
from tests.calendar.conftest import draft
from tests.live.wire import connect, in_thread
from tests.screens.houses import TV, row_of, shown_letters, shows, taken_in, television
from tests.seasons.world import account
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_tries_yet():
    cache.clear()


def refused(code: str, act: object, *args: object, **more: object) -> None:
    with pytest.raises(Illegal) as heard:
        act(*args, **more)  # type: ignore[operator]
    assert heard.value.code == code


def elsewhere(make_player, name: str = "Olav") -> tuple[Night, Player]:
    other = make_player(name)
    return membership.host_night(other, "Elsewhere"), other


def test_a_screen_follows_from_the_door_to_the_table_and_to_the_results(night, host, start_table):
    tv = taken_in(night, host)
    assert "-door-" in shows(tv)
    table = start_table(seats=2)
    assert shows(tv) == f"{night.public_id}-play-{table.public_id}"
    live = tv.get(reverse("screen_live"), {"shown": "letters"}, headers={"hx-request": "true"})
    assert live["HX-Refresh"] == "true"
    assert tv.get(f"/api/tables/{table.public_id}/").status_code == 200
    membership.close(night, host)
    assert tv.get(TV).context["mode"] == "door"
    assert tv.get(f"/api/tables/{table.public_id}/").status_code == 403
    Night.objects.filter(pk=night.pk).update(closed_at=server_time.now() - tv_screens.RESULTS_STAND)
    assert shows(tv) == "between"


def test_it_shows_the_name_of_whom_it_obeys_first(night, host):
    tv = taken_in(night, host)
    page = tv.get(TV)
    assert page.context["greets"] is True
    assert host.nickname in page.content.decode()
    ScreenShow.objects.update(at=server_time.now() - timedelta(minutes=5))
    page = tv.get(TV)
    assert page.context["greets"] is False
    assert host.nickname in page.content.decode()


def test_a_night_that_nobody_let_it_show_is_not_shown(night, host, make_player, start_table):
    other_night, other = elsewhere(make_player)
    tv, table = taken_in(other_night, other), start_table(seats=2)
    assert shows(tv).startswith(other_night.public_id)
    assert tv.get(f"/api/tables/{table.public_id}/").status_code == 403
    refused("no_such_screen", screens.show, night, host, row_of(tv).public_id)
    for act in (screens.hide, screens.end):
        refused("no_such_screen", act, night, host, row_of(tv).public_id)
    refused("no_such_screen", screens.rename, night, host, row_of(tv).public_id, "Mine")
    refused("no_such_screen", screens.send, night, host, row_of(tv).public_id, "turns")


def test_the_last_tap_counts_and_the_other_night_comes_back_when_it_is_over(night, host, make_player):
    tv = taken_in(night, host)
    other_night, other = elsewhere(make_player)
    # Between nights the screen shows letters; while it shows one, whoever hosts that takes it off first.
    screens.hide(night, host, row_of(tv).public_id)
    assert shows(tv) == "between"
    tv.post(reverse("screen_letters"))
    screens.enter(other_night, other, shown_letters(tv))
    assert shows(tv).startswith(other_night.public_id)
    screens.show(night, host, row_of(tv).public_id)
    assert shows(tv).startswith(night.public_id)
    membership.close(night, host)
    assert shows(tv).startswith(other_night.public_id)


def test_while_it_shows_a_night_it_shows_no_letters(night, host):
    tv = taken_in(night, host)
    tv.post(reverse("screen_letters"))
    row = row_of(tv)
    assert row.letters
    assert row.letters not in tv.get(TV).content.decode()


def test_the_next_night_of_the_same_host_is_one_tap(night, host):
    tv = taken_in(night, host)
    membership.close(night, host)
    following = membership.host_night(host, "A week later")
    row = row_of(tv)
    assert list(screens.usable(following, host)) == [row]
    screens.show(following, host, row.public_id)
    assert shows(tv).startswith(following.public_id)


@pytest.fixture
def olga(db: None) -> Player:
    return account("Olga")


@pytest.fixture
def club(olga: Player) -> Series:
    return all_series.create(olga, draft(weekday=today().weekday(), first_day=today()))


def night_of(club: Series, by: Player, day: int = 0) -> Night:
    """Return an open night of a date of a series."""
    found = membership.host_night(by, f"Club {day}")
    date = club.dates.order_by("day")[day]
    date.night = found
    date.save(update_fields=["night"])
    return found


def test_an_organiser_says_once_that_all_nights_of_a_series_are_shown(club, olga, make_player):
    first = night_of(club, olga)
    tv = taken_in(first, olga, all_nights=True)
    noted = AuditEntry.objects.get(act="series_screen_shown")
    assert (noted.player, noted.data["screen"]) == (olga, row_of(tv).public_id)
    membership.close(first, olga)
    second = night_of(club, make_player("Hanna"), 1)
    assert shows(tv).startswith(second.public_id)
    screens.hide(second, second.host, row_of(tv).public_id)
    assert not shows(tv).startswith(second.public_id), "the host of a night has the last word on it"
    screens.hide_series(club, olga, row_of(tv).public_id)
    third = night_of(club, olga, 2)
    assert not shows(tv).startswith(third.public_id)


def test_who_does_not_organise_a_series_lets_no_screen_show_all_its_nights(club, make_player):
    other = make_player("Hanna")
    found, tv = night_of(club, other), television()
    refused("not_series_organiser", screens.enter, found, other, shown_letters(tv), all_nights=True)
    assert shows(tv) == "letters", "the letters are not used up"
    refused("not_series_organiser", screens.show_series, club, other, row_of(tv).public_id)


def test_an_organiser_uses_screens_of_the_series_nights_and_no_others(club, olga, night, host):
    tv = taken_in(night, host)
    refused("no_such_screen", screens.show_series, club, olga, row_of(tv).public_id)


def test_between_nights_it_shows_the_next_date_and_the_posters_code(club, olga):
    tv = taken_in(night_of(club, olga, 1), olga, all_nights=True)
    Night.objects.update(status="closed", closed_at=server_time.now() - timedelta(days=1))
    context = tv.get(TV).context
    assert context["shown"] == "between"
    assert context["next"].series == club
    assert context["poster_qr"]
    assert context["letters"] == ""
    assert "Olga" in tv.get(TV).content.decode()


def test_between_nights_a_guest_who_is_not_listed_has_no_name(club, olga):
    """A standing on a screen names listed people alone."""
    from games.web.tables import tv_slides

    assert tv_slides._named(olga.pk, None) != "Olga"
    players.set_listed(olga, True)
    assert tv_slides._named(olga.pk, None) == "Olga"


def test_a_series_that_is_not_on_the_front_page_is_on_no_screen_that_its_organisers_did_not_choose(night, host, club):
    tv = taken_in(night, host)
    Screen.objects.update(is_staffs=True)
    Night.objects.update(status="closed", closed_at=server_time.now() - timedelta(days=1))
    assert tv.get(TV).context["next"] is None
    Series.objects.update(is_listed=True)
    assert tv.get(TV).context["next"].series == club
    Screen.objects.update(is_staffs=False, taken_by=None)
    assert tv.get(TV).context["next"] is None, "nobody of the house stands for it any more"


def test_a_screen_is_sent_to_one_table_and_to_all_by_turns(night, host, start_table, monkeypatch):
    tv, tables = taken_in(night, host), [start_table(seats=2) for _ in range(2)]
    row = row_of(tv)
    assert shows(tv).endswith(tables[1].public_id)
    screens.send(night, host, row.public_id, tables[0].public_id)
    assert shows(tv).endswith(tables[0].public_id)
    assert tv.get(f"/api/tables/{tables[0].public_id}/").status_code == 200
    assert tv.get(f"/api/tables/{tables[1].public_id}/").status_code == 403
    screens.send(night, host, row.public_id, "turns")
    seen, at = set(), server_time.now()
    for turn in range(2):
        moment = at + timedelta(seconds=turn * tv_screens.TURN_SECONDS)
        monkeypatch.setattr(server_time, "now", lambda moment=moment: moment)
        seen.add(shows(tv))
    assert seen == {f"{night.public_id}-play-{table.public_id}" for table in tables}
    assert {tv.get(f"/api/tables/{table.public_id}/").status_code for table in tables} == {200}


def test_a_screen_is_sent_to_no_table_of_another_night(night, host, make_player, start_table):
    tv, table = taken_in(night, host), start_table(seats=2)
    other_night, other = elsewhere(make_player)
    theirs = taken_in(other_night, other)
    refused("no_such_table_here", screens.send, other_night, other, row_of(theirs).public_id, table.public_id)
    refused("no_such_table_here", screens.send, night, host, row_of(tv).public_id, "nothing")


def test_only_staff_or_who_took_it_in_takes_a_screen_away(night, host, make_player):
    tv, heir = taken_in(night, host), make_player("Berta")
    for each in (host, heir):
        membership.join(night, each)
    membership.give_host(night, host, heir.pk)
    night.refresh_from_db()
    row = row_of(tv)
    assert list(screens.usable(night, heir)) == [row]
    refused("not_screens_keeper", screens.end, night, heir, row.public_id)
    screens.hide(night, heir, row.public_id)
    assert shows(tv) == "between"
    membership.give_host(night, heir, host.pk)
    night.refresh_from_db()
    screens.end(night, host, row.public_id)
    assert shows(tv) == "letters"


async def test_when_staff_take_a_screen_away_its_lines_close_and_nobody_elses_do(night, host, start_table, staff):
    table = await in_thread(start_table, "dummygame", "quick", seats=2)
    tv = await in_thread(taken_in, night, host)
    cookie = f"screen={tv.cookies['screen'].value}"
    lines = [await connect(place, None, cookie=cookie) for place in (table, night)]
    await lines[0].join()
    member = await connect(table, host)
    await member.join()
    row = await in_thread(row_of, tv)
    await in_thread(screens.end_by_staff, row, staff)
    for line in lines:
        assert await line.closed() is not None
    assert await member.rest() is not None
    again = await connect(table, None, cookie=cookie)
    await again.send({"type": "hello", "protocol": 1, "seq": None})
    assert (await again.any())["code"] == "not_inside"
    await member.leave()


def test_a_screens_line_that_missed_the_news_loses_its_right_at_the_next_ping(night, host, start_table):
    table, tv = start_table(seats=2), taken_in(night, host)
    digest = row_of(tv).secret_hash
    right = access.access(table.public_id, None, screen=digest)
    assert (right.is_tv, right.is_guest) == (True, False)
    assert access.pulses([right]) == [1]
    membership.rotate_code(night, host)
    assert access.pulses([right]) == [1], "a screen of the house has no right by the code"
    screens.hide(night, host, row_of(tv).public_id)
    (refusal,) = access.pulses([right])
    assert refusal.code == "removed"


@pytest.mark.parametrize("log", ["events/?after=0", "replay/?first=1", "files/", "files/log.json"])
def test_a_screen_of_the_house_reads_no_log(night, host, start_table, log):
    table, tv = start_table(seats=2), taken_in(night, host)
    assert tv.get(f"/api/tables/{table.public_id}/{log}").status_code == 403


def test_a_screen_reads_no_page_of_the_night_and_acts_nowhere(night, host, start_table):
    table, tv = start_table(seats=2), taken_in(night, host)
    for name, about in (("night", night), ("table", table), ("night_results", night), ("replay", table)):
        assert tv.get(reverse(name, args=[about.public_id])).status_code == 403
    assert tv.post(reverse("night_act", args=[night.public_id, "close"])).status_code == 403
    assert tv.get(f"/api/nights/{night.public_id}/").status_code in {401, 403}


def test_the_wifis_password_stands_on_no_page_but_in_its_code(night, host, tmp_path, settings):
    settings.DATA_DIR = tmp_path
    wifi.set_of_night(night, host, "Anker", "drei-wuerfel")
    tv = taken_in(night, host)
    page = tv.get(TV).content.decode()
    assert "Anker" in page
    assert "drei-wuerfel" not in page


def test_no_page_of_a_screen_has_its_secret_or_the_nights_tokens(night, host, start_table):
    tv = taken_in(night, host)
    secrets = [tv.cookies["screen"].value, row_of(tv).secret_hash, night.token("tv"), night.token("code")]
    for _ in range(2):
        page = tv.get(TV).content.decode()
        assert not [secret for secret in secrets if secret in page]
        start_table(seats=2)


def test_a_link_of_a_night_works_as_before_beside_a_screen(night, host):
    tv = taken_in(night, host)
    assert tv.get(reverse("tv", args=[night.public_id, night.token("tv")])).status_code == 200
    assert shows(tv).startswith(night.public_id)
    membership.rotate_code(night, host)
    assert shows(tv).startswith(night.public_id)


def test_an_overlay_is_without_the_code(night, host, start_table):
    tv = taken_in(night, host)
    for shown in (tv.get(TV, {"overlay": ""}), tv.get(TV)):
        assert (night.code in shown.content.decode()) != shown.context["is_overlay"]
    start_table(seats=2)
    page = tv.get(TV, {"overlay": ""}).content.decode()
    assert "is-overlay" in page
    assert "tv-corner" not in page
    assert "&amp;overlay" in page, "it stays one after its next load"


def test_a_ban_takes_the_persons_screens_away_and_leaves_the_staffs(night, host, staff):
    own, of_house = taken_in(night, host), television()
    screens.enter_by_staff(shown_letters(of_house), "Bar", staff)
    bans.ban(host, staff)
    assert (shows(own), shows(of_house)) == ("letters", "between")


def test_a_deletion_leaves_nothing_of_the_person_in_screens(night, host, staff, make_player):
    own, of_house = taken_in(night, host, name="Private"), television()
    screens.enter_by_staff(shown_letters(of_house), f"{host.nickname}'s corner", staff)
    screens.enter(night, host, shown_letters(television()), name="Mine")
    assert len(deletion.own_data(host)["screens"]) == 2
    membership.close(night, host)
    deletion.delete(host)
    assert shows(own) == "letters"
    assert row_of(of_house).name == ""
    assert not ScreenShow.objects.filter(by=host).exists()


def test_the_news_of_the_night_tell_everybody_that_it_is_shown(night, host):
    tv = taken_in(night, host)
    screens.hide(night, host, row_of(tv).public_id)
    told = set(night.events.values_list("type", flat=True))
    assert {"screen_shown", "screen_hidden"} <= told
    assert {"screen_shown", "screen_hidden", "screen_ended"} <= set(events.LOG)


def test_staff_send_a_screen_among_the_nights_that_it_may_show_and_to_no_other(night, host, make_player, staff):
    tv = taken_in(night, host)
    other_night, other = elsewhere(make_player)
    refused("no_such_screen", screens.send_by_staff, row_of(tv), other_night, staff)
    screens.hide(night, host, row_of(tv).public_id)
    refused("no_such_screen", screens.send_by_staff, row_of(tv), night, staff)
    tv.post(reverse("screen_letters"))
    screens.enter(other_night, other, shown_letters(tv))
    screens.show(night, host, row_of(tv).public_id)
    screens.send_by_staff(row_of(tv), other_night, staff)
    assert shows(tv).startswith(other_night.public_id)


def test_the_hosts_page_lists_the_screens_and_their_address_is_short(night, host):
    taken_in(night, host, name="Over the bar")
    page = browser_of(host).get(reverse("night", args=[night.public_id]))
    assert "Over the bar" in page.content.decode()
    assert all(len(address) <= 26 for address in page.context["screens_addresses"])
    guest = players.new_guest("Greta")
    membership.join(night, guest)
    assert "Over the bar" not in browser_of(guest).get(reverse("night", args=[night.public_id])).content.decode()


def test_the_api_takes_a_screen_in_as_the_page_does(night, host):
    tv = television()
    sent = {"act": "enter_screen", "args": {"letters": shown_letters(tv)}}
    answer = browser_of(host).post(f"/api/nights/{night.public_id}/acts/", sent, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert shows(tv).startswith(night.public_id)


def test_a_flood_of_an_address_keeps_no_screen_of_it_dark(night, host, monkeypatch):
    tv, stranger = taken_in(night, host), browser_of()
    monkeypatch.setattr(rate_limit, "per_minute", lambda name: 3 if name == "stranger" else 100)
    for _ in range(5):
        flooding = stranger.get(TV)
    assert flooding.status_code == 429
    assert tv.get(TV).status_code == 200
    assert tv.get(reverse("screen_live")).status_code == 204
