"""Webhooks: what they are told and when, the signature, repeats, rights, and whose names go out."""

from __future__ import annotations

import hashlib
import hmac
import threading
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import close_old_connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.kernel.contract import Illegal
from games.models import Night, Player, Series, SeriesDate, Webhook, WebhookMessage
from games.models.night import today
from games.services import deliveries
from games.services.calendar import all_series, answers, dates, season_days
from games.services.calendar.answers import Said
from games.services.nights import membership
from games.services.people import deletion
from games.services.webhooks import outbox, sending, webhooks
from tests.calendar.conftest import draft
from tests.mails.conftest import eve_of
from tests.seasons.test_pages import browser
from tests.seasons.world import account, guests, make, play
from tests.webhooks.conftest import Server

pytestmark = pytest.mark.django_db
HOOK = "http://hooks.example/club?x=1"


def send(server: Server, minutes: float = 0) -> None:
    """Do the background task, so many minutes from now."""
    sending.run(timezone.now() + timedelta(minutes=minutes), server.network)


def add(series: Series, by: Player, shape: str = "json") -> Webhook:
    return webhooks.add(series, by, HOOK, shape)


@pytest.fixture
def tonight(olga: Player) -> SeriesDate:
    """A date of today, in a season."""
    series = all_series.create(
        olga, draft(first_day=today(), weekday=today().weekday(), counts="chouette:points", size=0)
    )
    found = series.dates.first()
    assert found is not None
    found.series = series
    return found


def evening(date: SeriesDate, organiser: Player) -> Night:
    """Hold the night of a date, with a listed guest and one who is not, and close it."""
    night = dates.open_night(date, organiser, "10.0.0.1")
    anna, bert = guests("Anna", "Bert")
    Player.objects.filter(pk=anna.pk).update(is_listed=True)
    for guest in (anna, bert):
        membership.join(night, guest)
    play(night, {anna: 3, bert: -3})
    membership.close(night, organiser)
    return night


def test_a_night_tells_when_it_opens_its_results_and_the_standing_with_listed_names_alone(
    server: Server,
    tonight: SeriesDate,
    olga: Player,
) -> None:
    add(tonight.series, olga)
    evening(tonight, olga)
    send(server)
    send(server)
    assert [each["kind"] for each in server.messages] == ["opened", "results", "standing"]
    _opened, results, standing = server.messages
    assert results["results"][0]["lines"] == [
        {"place": 1, "name": "Anna", "points": 3},
        {"place": 2, "name": "a guest", "points": -3},
    ]
    assert [row["name"] for row in standing["standing"]["places"]] == ["Anna", "a guest"]
    assert b"Bert" not in b"".join(body for _path, _head, body in server.got)
    assert b"Olga" not in b"".join(body for _path, _head, body in server.got)


def test_each_season_of_that_day_tells_its_standing(server: Server, tonight: SeriesDate, olga: Player) -> None:
    for name, days in (("Year", 200), ("Over", -1)):
        last = tonight.day + timedelta(days=days)
        tonight.series.seasons.add(make(olga, name=name, first_day=tonight.day - timedelta(days=90), last_day=last))
    add(tonight.series, olga)
    evening(tonight, olga)
    send(server)
    send(server)
    told = [each["standing"]["season"] for each in server.messages if each["kind"] == "standing"]
    assert sorted(told) == sorted({"Year", *(each.name for each in season_days.holding(tonight.series, tonight.day))})
    assert len(told) == 2


def test_the_next_date_is_told_on_the_eve_once_and_a_change_at_once(
    server: Server,
    date: SeriesDate,
    olga: Player,
) -> None:
    add(date.series, olga)
    for minute in (0, 1, 30):
        sending.run(eve_of(date, 18, minute), server.network)
    assert [each["kind"] for each in server.messages] == ["date"]
    assert server.messages[0]["date"]["people"] == 0
    server.got.clear()
    dates.move(date, olga, date.day, date.start, "At the lake")
    dates.cancel(date, olga)
    send(server)
    (message,) = server.messages
    assert (message["kind"], message["date"]["cancelled"], message["date"]["place"]) == ("changed", True, "At the lake")


def test_names_of_answers_go_to_no_webhook(server: Server, date: SeriesDate, olga: Player) -> None:
    add(date.series, olga)
    answers.answer_by_name(date, "Karl", Said("yes", 0, "with cake"))
    sending.run(eve_of(date), server.network)
    assert server.messages[0]["date"]["people"] == 1
    assert not any(part in server.got[0][2] for part in (b"Karl", b"cake"))


def test_what_is_sent_is_signed_with_its_time(server: Server, date: SeriesDate, olga: Player) -> None:
    hook = add(date.series, olga)
    webhooks.test(hook, olga)
    send(server)
    ((path, head, body),) = server.got
    said = head["Stammtisch-Timestamp"].encode() + b"." + body
    wanted = hmac.new(hook.secret.encode(), said, hashlib.sha256).hexdigest()
    assert head["Stammtisch-Signature"] == f"v1={wanted}"
    assert abs(int(head["Stammtisch-Timestamp"]) - timezone.now().timestamp()) < 60
    assert (path, head["Host"]) == ("/club?x=1", "hooks.example")
    webhooks.renew_secret(hook, olga)
    assert hook.secret not in wanted


def test_what_fails_is_repeated_with_longer_pauses_and_then_given_up(
    server: Server,
    date: SeriesDate,
    olga: Player,
) -> None:
    hook = add(date.series, olga)
    server.statuses = [500] * 20
    dates.cancel(date, olga)
    at, pauses = 0.0, [1, 5, 30, 120, 360]
    for tries, pause in enumerate(pauses, 1):
        send(server, at)
        assert len(server.got) == tries
        send(server, at + pause - 0.1)
        assert len(server.got) == tries
        at += pause
    send(server, at)
    send(server, at + 1000)
    assert len(server.got) == 6
    hook.refresh_from_db()
    assert hook.fault == "webhook_status"
    server.statuses = []
    webhooks.test(hook, olga)
    send(server, 20_000)
    hook.refresh_from_db()
    assert (hook.fault, hook.sent_at is not None) == ("", True)


def ends() -> list[tuple[str, int]]:
    """How each message ended, and how often it was lost."""
    return list(WebhookMessage.objects.order_by("pk").values_list("ended", "lost"))


def test_a_lost_message_is_sent_again_with_the_id_of_its_body_in_the_header(
    server: Server, date: SeriesDate, olga: Player
) -> None:
    add(date.series, olga)
    dates.cancel(date, olga)
    server.statuses = [500]
    send(server)
    WebhookMessage.objects.update(claimed_at=timezone.now())
    send(server, 9)
    assert ends() == [("", 0)]
    send(server, 11)
    assert ends() == [("sent", 1)]
    ids = [
        (head["Stammtisch-Id"], message["id"])
        for (_, head, _), message in zip(server.got, server.messages, strict=True)
    ]
    assert len(ids) == 2
    assert len({each for pair in ids for each in pair}) == 1


def test_a_lost_message_is_given_up_after_three_more_tries_and_stands_on_the_staffs_page(
    server: Server, date: SeriesDate, olga: Player, client: Client, django_user_model: type[User]
) -> None:
    add(date.series, olga)
    dates.cancel(date, olga)
    WebhookMessage.objects.update(claimed_at=timezone.now(), lost=3)
    send(server, 11)
    assert (server.got, ends()) == ([], [("given_up", 3)])
    client.force_login(django_user_model.objects.create_superuser("boss"))
    page = client.get(reverse("admin:background")).content.decode()
    assert all(words in page for words in ("Webhook: Club", "hooks.example", "its process ended"))
    assert "club?x=1" not in page


def test_what_is_not_true_any_more_is_not_sent_again(server: Server, tonight: SeriesDate, olga: Player) -> None:
    add(tonight.series, olga)
    server.statuses = [500]
    night = dates.open_night(tonight, olga, "10.0.0.1")
    send(server)
    membership.close(night, olga)
    send(server, 5)
    assert ends()[0] == ("not_wanted", 0)
    assert [each["kind"] for each in server.messages] == ["opened"]


def test_a_test_that_fails_is_told_on_its_own_page_alone(server: Server, date: SeriesDate, olga: Player) -> None:
    server.statuses = [500]
    webhooks.test(add(date.series, olga), olga)
    send(server)
    assert ends() == [("given_up", 0)]
    assert deliveries.given_up() == []


def test_one_that_fails_keeps_no_other_waiting(server: Server, date: SeriesDate, olga: Player) -> None:
    webhooks.add(date.series, olga, "http://dead.example/", "json")
    add(date.series, olga)
    server.names = {"dead.example": [["127.0.0.1"]]}
    dates.cancel(date, olga)
    send(server)
    assert len(server.got) == 1
    assert set(Webhook.objects.values_list("fault", flat=True)) == {"webhook_refused", ""}


@pytest.mark.parametrize("shape", ["discord", "slack", "matrix"])
def test_a_chats_form_has_the_text_and_calls_nobody(
    server: Server,
    date: SeriesDate,
    olga: Player,
    shape: str,
) -> None:
    Series.objects.update(name="<!channel> @everyone **Club** & [x](http://evil)")
    add(date.series, olga, shape)
    sending.run(eve_of(date), server.network)
    (message,) = server.messages
    text = message["content" if shape == "discord" else "text"]
    assert "Club" in text
    wanted = {
        "discord": message.get("allowed_mentions") == {"parse": []} and "**Club**" not in text,
        "slack": "&lt;!channel&gt;" in text and "<" not in text,
        "matrix": "@everyone" not in text,
    }
    assert wanted[shape]


def test_forms_have_at_most_the_length_that_their_chat_takes() -> None:
    for shape, most in (("discord", 2000), ("slack", 3000), ("matrix", 8000)):
        made = sending.SHAPES[shape]("x" * 20_000)
        assert max(len(value) for value in made.values() if isinstance(value, str)) == most


@pytest.mark.django_db(transaction=True)
def test_two_processes_tell_once(server: Server, date: SeriesDate, olga: Player) -> None:
    add(date.series, olga)
    dates.cancel(date, olga)
    barrier = threading.Barrier(3)

    def process() -> None:
        barrier.wait()
        try:
            send(server)
        finally:
            close_old_connections()

    threads = [threading.Thread(target=process) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(server.got) == 1


# Rights


def test_organisers_and_hosts_add_webhooks_and_nobody_else(olga: Player, club: Series) -> None:
    anna, bert = guests("Anna", "Bert")
    night = membership.host_night(anna, "Thursday")
    membership.join(night, bert)
    hook = webhooks.add(night, anna, HOOK, "json")
    for about, enemy in ((club, anna), (club, bert), (night, bert), (night, olga)):
        with pytest.raises(Illegal):
            webhooks.add(about, enemy, HOOK, "json")
    with pytest.raises(Illegal, match="'not_host'"):
        webhooks.find(hook.public_id, bert)
    with pytest.raises(Illegal, match="'not_host'"):
        webhooks.remove(hook, bert)
    assert webhooks.find(hook.public_id, anna) == hook
    night.is_practice = True
    with pytest.raises(Illegal, match="'practice_night'"):
        webhooks.add(night, anna, HOOK, "json")


def test_a_series_has_five_webhooks_and_bad_ones_are_refused(olga: Player, club: Series) -> None:
    for address, shape, code in (
        ("http://127.0.0.1/", "json", "webhook_refused"),
        ("ftp://hooks.example/", "json", "webhook_address"),
        (HOOK, "teams", "webhook_shape"),
    ):
        with pytest.raises(Illegal, match=f"'{code}'"):
            webhooks.add(club, olga, address, shape)
    for _number in range(webhooks.MOST):
        add(club, olga)
    with pytest.raises(Illegal, match="'too_many_webhooks'"):
        add(club, olga)


def test_an_ended_series_tells_its_cancelled_dates_and_nothing_after_that(
    server: Server,
    date: SeriesDate,
    olga: Player,
) -> None:
    add(date.series, olga)
    all_series.end(date.series, olga)
    send(server)
    told = len(server.got)
    assert told == 10
    assert all("url" not in each["date"] for each in server.messages)
    sending.run(eve_of(date), server.network)
    assert len(server.got) == told


def test_rows_have_nobodys_name_and_go_after_a_month(
    server: Server,
    tonight: SeriesDate,
    olga: Player,
) -> None:
    hook = add(tonight.series, olga)
    night = evening(tonight, olga)
    anna = night.memberships.get(player__nickname="Anna").player
    deletion.delete(anna)
    send(server)
    assert b"Anna" not in b"".join(body for _path, _head, body in server.got)
    texts = [str(value) for row in WebhookMessage.objects.values() for value in row.values()]
    assert not any(part in text for text in texts for part in ("Anna", "Bert", "Olga"))
    assert outbox.forget_old(timezone.now() + timedelta(days=31)) == 3
    assert Webhook.objects.get() == hook


# The page


def test_the_page_adds_tests_and_removes_and_tells_what_came_of_it(
    server: Server,
    olga: Player,
    club: Series,
) -> None:
    client, where = browser(olga), reverse("series_webhooks", args=[club.key])
    wrong = client.post(where, {"address": "http://10.0.0.1/", "shape": "json"})
    assert wrong.status_code == 400
    assert "http://10.0.0.1/" in wrong.content.decode()
    client.post(where, {"address": HOOK, "shape": "json"})
    hook = Webhook.objects.get()
    client.post(reverse("webhook_act", args=[hook.public_id, "test"]))
    server.names = {"hooks.example": [["10.0.0.9"]]}
    send(server)
    assert "WEBHOOKS_PRIVATE" in client.get(where).content.decode()
    assert "club?x=1" not in client.get(where).content.decode()
    assert Client().get(where).status_code == 403
    assert browser(account("Eve")).post(reverse("webhook_act", args=[hook.public_id, "remove"])).status_code == 403
    client.post(reverse("webhook_act", args=[hook.public_id, "remove"]))
    assert not Webhook.objects.exists()
