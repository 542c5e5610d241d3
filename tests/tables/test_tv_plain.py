"""The big screen without script: what a game says of its state, made once however many screens ask, and no secret."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from games import plugin
from games.models import Table
from games.services.commands import Actor, Request, new_command_id
from games.services.nights import membership
from games.services.tables.commit import submit
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


@pytest.fixture
def act_as_host(host):
    def act(table, name):
        submit(table.pk, Actor(host.pk), Request(name, {}, new_command_id()))

    return act


def link_of(night, token="tv"):
    return reverse("tv_plain", args=[night.public_id, night.token(token)])


def page_of(night):
    return browser_of().get(link_of(night)).content.decode()


def test_the_page_has_no_script_loads_itself_again_and_keeps_no_cookie(night, start_table):
    start_table(seats=2)
    browser = browser_of()
    page = browser.get(link_of(night)).content.decode()
    assert '<meta http-equiv="refresh" content="5">' in page
    assert "<script" not in page
    assert "style=" not in page
    assert not browser.cookies


def test_it_says_names_points_turn_and_code_of_a_game_without_a_picture(night, start_table):
    table = start_table(seats=2)
    page = page_of(night)
    assert night.code in page
    assert 'class="qr"' in page
    for seat in table.seats.all():
        assert seat.name in page
    assert 'class="is-turn"' in page
    assert f"Table {table.number}" in page


def test_it_shows_the_waiting_room_and_who_is_here(night, host, open_table):
    assert host.nickname in page_of(night)
    table = open_table(seats=2)
    page = page_of(night)
    assert all(seat.name in page for seat in table.seats.all())
    assert str(plugin.game(table.game_id).title) in page


def test_a_paused_table_says_so(night, start_table, act_as_host):
    act_as_host(start_table(seats=2), "table.pause")
    assert "The game is paused." in page_of(night)


def test_the_last_headline_stands_until_the_next_one(night, start_table, act_as_host):
    table = start_table(seats=2)
    act_as_host(table, "table.pause")
    act_as_host(table, "table.resume")
    assert "The game goes on." in page_of(night)


def test_a_picture_is_made_once_for_a_state_however_many_screens_ask(night, start_table, act_as_host, monkeypatch):
    table, made = start_table(seats=2), []

    def picture(view, names):
        made.append((view, names))
        return "<svg></svg>"

    monkeypatch.setattr(plugin.game(table.game_id).rules, "picture", picture)
    for _screen in range(3):
        assert "<svg></svg>" in page_of(night)
    assert len(made) == 1
    act_as_host(table, "table.pause")
    page_of(night)
    assert len(made) == 2, "each entry of the log has its own"


def test_a_picture_is_made_of_what_a_spectator_sees(night, start_table, monkeypatch):
    table, made = start_table(seats=2), []
    rules = plugin.game(table.game_id).rules
    monkeypatch.setattr(rules, "picture", lambda view, names: made.append(view) or "")
    page_of(night)
    table.refresh_from_db()
    assert made == [rules.view(rules.load(table.state), None)]


@pytest.mark.parametrize("game_id", ["chouette", "chicago"])
def test_both_games_draw_their_table(night, start_table, game_id):
    start_table(seats=3, game=game_id)
    assert '<div class="picture" role="img"' in page_of(night)


def test_a_name_is_no_part_of_the_page_s_language(night, start_table):
    table = start_table(seats=2, game="chicago")
    table.seats.filter(index=1).update(name="<b>&amp;")
    page = page_of(night)
    assert "<b>&amp;</text>" not in page
    assert "&lt;b&gt;&amp;amp;" in page


def test_another_link_opens_nothing_and_neither_does_one_before_a_new_code(night, host):
    assert browser_of().get(link_of(night, "join")).status_code == 404
    old = link_of(night)
    membership.rotate_code(night, host)
    assert browser_of().get(old).status_code == 404
    night.refresh_from_db()
    assert browser_of().get(link_of(night)).status_code == 200


def test_after_the_night_it_shows_the_results_and_no_code(night, host):
    link, code = link_of(night), night.code
    membership.close(night, host)
    page = browser_of().get(link).content.decode()
    assert "Good night!" in page
    assert code not in page


def test_between_two_tables_one_slide_after_the_other_is_shown(night, start_table):
    table = start_table(seats=2)
    Table.objects.filter(pk=table.pk).update(status="finished", finished_at=timezone.now() - timedelta(minutes=4))
    assert "Come in and sit down" in page_of(night)


def test_the_big_screen_leads_here_without_script_and_by_its_script(night):
    page = browser_of().get(reverse("tv", args=[night.public_id, night.token("tv")])).content.decode()
    assert f'<noscript><meta http-equiv="refresh" content="0; url={link_of(night)}"></noscript>' in page
    assert f'data-plain="{link_of(night)}"' in page


def test_who_joins_from_a_browser_that_cannot_show_a_table_takes_no_seat(night, open_table):
    table = open_table(seats=1)
    link = reverse("join_link", args=[night.public_id, night.token("join")])
    answer = browser_of().post(link, {"nickname": "Olaf", "no_table": "yes"})
    assert answer["Location"] == reverse("night", args=[night.public_id])
    assert not table.seats.filter(player__nickname="Olaf").exists()
    browser_of().post(link, {"nickname": "Nora"})
    assert table.seats.filter(player__nickname="Nora").exists()


def test_a_host_whose_browser_cannot_show_a_table_opens_one_without_a_seat(night, host):
    form = {"game": "chicago", "preset": "classic", "sit": "on"}
    for sent, seats in ({"no_table": "yes"}, 0), ({}, 1):
        opened = browser_of(host).post(reverse("new_table", args=[night.public_id]), form | sent)
        assert night.tables.latest("number").seats.count() == seats, opened["Location"]


def test_pages_with_a_door_to_a_table_say_what_helps_without_script(night, host, open_table, start_table):
    waiting, running = open_table(seats=1), start_table(seats=2)
    pages = [
        browser_of().get(reverse("join_link", args=[night.public_id, night.token("join")])),
        browser_of(host).get(reverse("night", args=[night.public_id])),
        browser_of(host).get(reverse("table", args=[waiting.public_id])),
        browser_of(host).get(reverse("table", args=[running.public_id])),
    ]
    for page in pages:
        text = page.content.decode()
        assert "This browser runs no scripts, and a table needs them." in text
        assert "the host gives you such a seat with one tap" in text
        assert 'id="oldest"' in text
