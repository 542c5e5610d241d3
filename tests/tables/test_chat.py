"""Words at the table: kept back while advice is bound, shown in order, once; greetings go through."""

from __future__ import annotations

import pytest
from django.db.models import F

from games.kernel.contract import Illegal
from games.models import ChatMessage, KeptLine, Player, Table
from games.services import publication, rate_limit
from games.services.chat import chat
from games.services.commands import Actor, Request, new_command_id
from games.services.nights import membership
from games.services.people import players
from games.services.tables import commit, log, queue
from games.services.tables.relay import TableNews
from tests.conftest import answer, choices_at
from tests.languages import EVERY

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(start_table) -> Table:
    return start_table("dummygame", "endless", seats=2)


def player_at(table: Table, seat: int) -> Player:
    return table.seats.get(index=seat).player


@pytest.fixture
def onlooker(table) -> Player:
    found = players.new_guest("Olga")
    membership.join(table.night, found)
    return found


def bid(table: Table, seat: int) -> None:
    answer(table, next(c for c in choices_at(table) if c.name == "bid" and c.seat == seat))


def said(table: Table) -> list[str]:
    return list(ChatMessage.objects.filter(table=table).order_by("pk").values_list("text", flat=True))


def test_words_of_who_may_not_advise_are_kept_back_until_the_game_is_over_in_order(table, onlooker):
    assert isinstance(chat.say(table.pk, onlooker.pk, "before"), ChatMessage)
    bid(table, 0)
    for who, text in ((onlooker, "one"), (player_at(table, 0), "two"), (onlooker, "three")):
        assert isinstance(chat.say(table.pk, who.pk, text), KeptLine)
    assert isinstance(chat.say(table.pk, player_at(table, 1).pk, "I still think"), ChatMessage)
    assert said(table) == ["before", "I still think"]
    bid(table, 1)
    assert said(table) == ["before", "I still think", "one", "two", "three"]
    assert not KeptLine.objects.exists()
    bid(table, 0)
    bid(table, 1)
    assert said(table)[2:] == ["one", "two", "three"], "exactly once"


def test_greetings_go_through_in_every_language(table, onlooker):
    bid(table, 0)
    for language in EVERY:
        for key, text in chat.greeting_in_language(language).items():
            ChatMessage.objects.update(created_at=F("created_at") - chat.BETWEEN_GREETINGS)
            line = chat.say(table.pk, onlooker.pk, f" {text} ")
            assert isinstance(line, ChatMessage)
            assert chat.message_json(line)["greeting"] == key, "each reader gets their own words for it"
    assert isinstance(chat.say(table.pk, onlooker.pk, "Well played! Take it."), KeptLine)


def test_a_player_greets_once_in_five_seconds_in_any_words_and_may_talk_meanwhile(table, onlooker):
    english, german = (chat.greeting_in_language(language) for language in ("en", "de"))
    chat.say(table.pk, onlooker.pk, english["cheers"])
    for text in (english["cheers"], german["ouch"]):
        with pytest.raises(Illegal, match="too_many") as refused:
            chat.say(table.pk, onlooker.pk, text)
        assert 1 <= refused.value.params["seconds"] <= 5
    assert isinstance(chat.say(table.pk, onlooker.pk, "Nice dice."), ChatMessage)
    assert isinstance(chat.say(table.pk, player_at(table, 0).pk, german["cheers"]), ChatMessage), "each for themselves"
    ChatMessage.objects.update(created_at=F("created_at") - chat.BETWEEN_GREETINGS)
    assert isinstance(chat.say(table.pk, onlooker.pk, english["ouch"]), ChatMessage)


def test_who_is_muted_sends_no_greeting(table, onlooker):
    membership.mute(table.night, table.night.host, onlooker.pk)
    with pytest.raises(Illegal, match="muted"):
        chat.say(table.pk, onlooker.pk, chat.greeting_in_language("en")["cheers"])


def test_greetings_count_as_lines_of_chat(table, onlooker, settings, monkeypatch):
    monkeypatch.setattr(rate_limit, "per_minute", lambda name: 2)
    greeting = chat.greeting_in_language("en")["cheers"]
    for text in (greeting, "and a line"):
        chat.say(table.pk, onlooker.pk, text)
    ChatMessage.objects.update(created_at=F("created_at") - chat.BETWEEN_GREETINGS)
    with pytest.raises(Illegal, match="too_many"):
        chat.say(table.pk, onlooker.pk, greeting)


def test_kept_lines_survive_a_restart(table, onlooker):
    bid(table, 0)
    chat.say(table.pk, onlooker.pk, "patience")
    log.forget_all()
    bid(table, 1)
    assert said(table) == ["patience"]


def test_they_are_shown_when_the_writer_commits_the_end_too_and_told_to_the_room(table, onlooker):
    bid(table, 0)
    chat.say(table.pk, onlooker.pk, "late")
    heard: list[publication.News] = []
    listener = heard.append
    publication.subscribe(listener)
    try:
        choice = next(c for c in choices_at(table) if c.name == "bid" and c.seat == 1)
        request = Request("bid", choice.options[0], new_command_id(), choice.opened_at)
        queue.submit(table.pk, Actor(player_at(table, 1).pk), request)
    finally:
        publication._listeners.remove(listener)
        queue.stop()
    assert said(table) == ["late"]
    kinds = [type(news).__name__ for news in heard if isinstance(news, (TableNews, publication.ChatSaid))]
    assert kinds == ["TableNews", "ChatSaid"]


def test_a_table_that_is_broken_off_or_paused_in_the_middle(table, onlooker):
    bid(table, 0)
    host = Actor(table.night.host_id)
    commit.submit(table.pk, host, Request("table.pause", {}, new_command_id()))
    assert isinstance(chat.say(table.pk, onlooker.pk, "paused"), KeptLine)
    commit.submit(table.pk, host, Request("table.end", {}, new_command_id()))
    assert said(table) == ["paused"]
    assert isinstance(chat.say(table.pk, onlooker.pk, "free"), ChatMessage)


def test_the_host_without_a_seat_is_bound_like_everybody(start_table):
    table = start_table("dummygame", "endless", seats=2)
    bid(table, 0)
    host = table.night.host
    table.seats.filter(player=host).update(player=None, bot_level="low")
    assert isinstance(chat.say(table.pk, host.pk, "take it"), KeptLine)


def test_nobody_fills_the_house_with_kept_lines(table, onlooker):
    bid(table, 0)
    for number in range(chat.MOST_KEPT):
        chat.say(table.pk, onlooker.pk, str(number))
    with pytest.raises(Illegal, match="chat_kept"):
        chat.say(table.pk, onlooker.pk, "more")
    assert KeptLine.objects.count() == chat.MOST_KEPT


def test_who_deletes_themselves_takes_what_is_kept_back_along(table, onlooker):
    from games.services.people import deletion

    bid(table, 0)
    chat.say(table.pk, onlooker.pk, "mine")
    assert [row["text"] for row in deletion.own_data(onlooker)["chat_kept_back"]] == ["mine"]
    deletion.delete(onlooker)
    assert not KeptLine.objects.exists()
    bid(table, 1)
    assert said(table) == []


def test_silence_is_over_only_where_it_was(table):
    state = log.state_of(table)
    assert not chat.is_silence_over("dummygame", state, state, is_running=True)
    assert not chat.is_silence_over("dummygame", None, state, is_running=True)
