"""Mails about dates: when, to whom and how often they go out, through a real mail server."""

from __future__ import annotations

import importlib
import threading
from datetime import datetime, time, timedelta
from smtplib import SMTPServerDisconnected
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import close_old_connections, connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.kernel.contract import Illegal
from games.models import Answer, House, Mail, Player, Season, Series, SeriesDate, Webhook, WebhookMessage, house
from games.models.night import today
from games.ops.doctor import mails
from games.services import deliveries, tasks
from games.services.calendar import all_series, answers, dates, next_season
from games.services.calendar.answers import Said
from games.services.mails import links, outbox, wishes
from games.services.people import accounts, bans, deletion, merging
from tests.calendar.conftest import draft
from tests.mails.conftest import Server, eve_of, links_of, reader, send, stop_link
from tests.seasons.world import account, guests, make

pytestmark = pytest.mark.django_db
YES, NO, MAYBE = Said("yes"), Said("no"), Said("maybe")


# Reminders


def test_a_reminder_goes_out_at_18_00_of_the_day_before_once(server: Server, date: SeriesDate) -> None:
    send(eve_of(date, 17, 59))
    assert server.got == []
    send(eve_of(date))
    send(eve_of(date, 18, 1))
    send(eve_of(date, 23))
    assert server.addressees == ["olga@example.org"]
    (mail,) = server.got
    assert "Club" in str(mail["Subject"])
    assert set(links_of(mail)) == {"yes", "no", "maybe"}
    assert str(mail["List-Unsubscribe-Post"]) == "List-Unsubscribe=One-Click"


def test_a_reminder_that_was_missed_goes_out_until_two_hours_before_and_then_never(
    server: Server, date: SeriesDate
) -> None:
    late = date.starts_at - timedelta(hours=2)
    send(late)
    send(date.starts_at)
    assert not server.got
    assert not Mail.objects.exists()
    send(late - timedelta(seconds=1))
    assert len(server.got) == 1


def test_the_hour_is_the_houses_own_over_a_change_of_clocks(server: Server, olga: Player) -> None:
    House.objects.create(pk=1, time_zone="America/New_York")
    house.forget()
    try:
        # Clocks change in New York on Sunday 14 March 2027 at 2:00, between reminder and date.
        sunday = timezone.datetime(2027, 3, 14).date()
        club = all_series.create(olga, draft(first_day=sunday, weekday=6))
        date = club.dates.get(day=sunday)
        there = ZoneInfo("America/New_York")
        six = timezone.datetime(2027, 3, 13, 18, 0, tzinfo=there)
        send(six - timedelta(minutes=1))
        assert not server.got
        send(six)
        assert len(server.got) == 1
        assert date.starts_at - six == timedelta(hours=25, minutes=30) or date.starts_at.utcoffset() != six.utcoffset()
    finally:
        house.forget()


def test_the_people_of_a_series_are_reminded_and_who_said_no_is_not(server: Server, olga: Player) -> None:
    club = all_series.create(olga, draft())
    date, later = club.dates.all()[:2]
    for each in (date, later):
        each.series = club
    said_yes, said_no, came_last_time, stranger = (reader(name) for name in ("Anna", "Bert", "Carl", "Dora"))
    answers.answer(date, said_yes, YES)
    answers.answer(date, said_no, NO)
    answers.answer(later, came_last_time, NO)
    send(eve_of(date))
    assert server.addressees == ["anna@example.org", "carl@example.org", "olga@example.org"]
    assert stranger.wants_mail


@pytest.mark.parametrize("why", ["not wanted", "not confirmed", "no address", "stopped", "banned", "inactive"])
def test_who_does_not_want_or_may_not_get_mails_gets_none(
    server: Server, date: SeriesDate, anna: Player, why: str
) -> None:
    answers.answer(date, anna, YES)
    addresses = EmailAddress.objects.filter(user=anna.user)
    if why == "not wanted":
        wishes.set_wanted(anna, False)
    elif why == "not confirmed":
        addresses.update(verified=False)
    elif why == "no address":
        addresses.delete()
    elif why == "stopped":
        wishes.stop(date.series, anna)
    elif why == "banned":
        bans.ban(anna, account("Chief").user)
    else:
        type(anna.user).objects.filter(pk=anna.user_id).update(is_active=False)
    send(eve_of(date))
    assert server.addressees == ["olga@example.org"]


def test_only_a_confirmed_address_of_an_account_is_taken(olga: Player) -> None:
    (guest,) = guests("Gast")
    with pytest.raises(Illegal, match="'no_account'"):
        wishes.set_wanted(guest, True)
    with pytest.raises(Illegal, match="'no_confirmed_address'"):
        wishes.set_wanted(account("Bert"), True)


def test_console_counts_as_no_mail_and_so_does_a_house_that_nobody_reaches_from_home(
    server: Server, date: SeriesDate, settings: LazySettings
) -> None:
    settings.PUBLIC_URL = ""
    send(eve_of(date))
    settings.PUBLIC_URL = "https://house.example"
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    send(eve_of(date))
    assert (server.got, Mail.objects.count()) == ([], 0)
    assert not wishes.are_sent()


# Changes


def test_a_date_cancelled_moved_or_changed_in_place_is_told_at_once_to_who_said_yes_or_maybe(
    server: Server, olga: Player, date: SeriesDate
) -> None:
    people = {name: reader(name) for name in ("Anna", "Bert", "Carl")}
    for name, said in (("Anna", YES), ("Bert", MAYBE), ("Carl", NO)):
        answers.answer(date, people[name], said)
    dates.move(date, olga, date.day, date.start, "At the lake")
    send(timezone.now())
    assert server.addressees == ["anna@example.org", "bert@example.org"]
    assert "At the lake" in server.got[0].get_content()
    server.got.clear()
    dates.cancel(date, olga)
    send(timezone.now())
    assert server.got == []
    send(timezone.now() + outbox.APART)
    assert server.addressees == ["anna@example.org", "bert@example.org"]
    assert "cancelled" in str(server.got[0]["Subject"])
    assert links_of(server.got[0]) == {}


def test_a_hundred_changes_in_ten_minutes_are_two_mails_and_the_last_one_is_told(
    server: Server, olga: Player, date: SeriesDate, anna: Player
) -> None:
    answers.answer(date, anna, YES)
    for number in range(100):
        dates.move(date, olga, date.day, date.start, f"Place {number}")
        send(timezone.now())
    send(timezone.now() + outbox.APART)
    assert len(server.got) == 2
    assert "Place 99" in server.got[-1].get_content()


def test_who_said_no_meanwhile_or_whose_date_is_over_is_told_nothing(
    server: Server, olga: Player, date: SeriesDate, anna: Player
) -> None:
    answers.answer(date, anna, YES)
    dates.move(date, olga, date.day, date.start, "At the lake")
    send(date.ends_at)
    assert server.got == []
    answers.answer(date, anna, YES)
    dates.move(date, olga, date.day, date.start, "In the wood")
    answers.answer(date, anna, NO)
    send(timezone.now() + outbox.APART)
    assert server.got == []


def test_a_change_makes_the_task_due_at_once(
    server: Server, olga: Player, date: SeriesDate, anna: Player, django_capture_on_commit_callbacks: object
) -> None:
    answers.answer(date, anna, YES)
    task = tasks.every()[outbox.TASK]
    tasks.run(task)
    assert tasks.row(outbox.TASK).due_at > timezone.now()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        dates.cancel(date, olga)
    assert tasks.row(outbox.TASK).due_at <= timezone.now()


def test_an_ended_series_tells_its_cancelled_dates_and_sends_no_reminder(
    server: Server, olga: Player, date: SeriesDate, anna: Player
) -> None:
    answers.answer(date, anna, YES)
    all_series.end(date.series, olga)
    send(timezone.now())
    assert server.addressees == ["anna@example.org"]
    assert "/series/" not in server.got[0].get_content()
    send(eve_of(date))
    assert len(server.got) == 1


# Places


def test_who_is_moved_up_from_the_waiting_order_is_told(
    server: Server, olga: Player, date: SeriesDate, anna: Player
) -> None:
    bert, carl = reader("Bert"), reader("Carl")
    dates.set_places(date, olga, 1)
    for each in (anna, bert, carl):
        answers.answer(date, each, YES)
    answers.answer(date, anna, NO)
    send(timezone.now())
    assert server.addressees == ["bert@example.org"]
    assert "place" in str(server.got[0]["Subject"])
    assert answers.of_player(date, bert).moved_up_at is not None
    answers.delete(date, olga, answers.of_player(date, bert).pk)
    deletion.delete(bert)
    send(timezone.now())
    assert server.addressees == ["bert@example.org", "carl@example.org"]


def test_more_places_and_a_deleted_person_move_the_waiting_up(
    server: Server, olga: Player, date: SeriesDate, anna: Player
) -> None:
    bert, carl = reader("Bert"), reader("Carl")
    dates.set_places(date, olga, 1)
    for each in (anna, bert, carl):
        answers.answer(date, each, YES)
    deletion.delete(anna)
    send(timezone.now())
    dates.set_places(date, olga, 2)
    send(timezone.now())
    assert server.addressees == ["bert@example.org", "carl@example.org"]


def test_who_makes_room_for_themselves_is_told_on_the_page_alone(
    server: Server, olga: Player, date: SeriesDate, anna: Player
) -> None:
    dates.set_places(date, olga, 2)
    answers.answer(date, anna, Said("yes", 4))
    answers.answer(date, anna, Said("yes", 1))
    send(timezone.now())
    assert server.got == []


# The server


def test_without_a_server_nothing_is_claimed_and_the_staff_see_why(
    server: Server, date: SeriesDate, settings: LazySettings
) -> None:
    port, settings.EMAIL_PORT = settings.EMAIL_PORT, 1
    with pytest.raises(tasks.TaskFailed, match="no mail server"):
        send(eve_of(date))
    settings.EMAIL_PORT = port
    send(eve_of(date, 18, 5))
    assert len(server.got) == 1


def test_a_mail_that_is_put_off_is_tried_again_and_one_that_is_refused_is_not(
    server: Server, date: SeriesDate, anna: Player
) -> None:
    server.answers = ["451 Later", "250 OK"]
    send(eve_of(date))
    send(eve_of(date, 18, 1))
    assert server.got == []
    send(eve_of(date, 18, 2))
    assert len(server.got) == 1
    answers.answer(date, anna, YES)
    server.answers = ["550 Never"]
    send(eve_of(date, 18, 3))
    send(eve_of(date, 23))
    assert len(server.got) == 1
    assert Mail.objects.get(player=anna).sent_at is None


def test_a_reminder_that_is_put_off_past_its_time_is_never_sent(server: Server, date: SeriesDate) -> None:
    server.answers = ["451 Later"]
    send(eve_of(date))
    send(date.starts_at - timedelta(hours=1))
    assert server.got == []


def ends() -> list[tuple[str, int]]:
    """How each mail ended, and how often it was lost."""
    return list(Mail.objects.order_by("pk").values_list("ended", "lost"))


def test_a_row_says_how_it_ended(server: Server, date: SeriesDate, anna: Player) -> None:
    people = {name: reader(name) for name in ("Bert", "Carl")}
    for each in (anna, *people.values()):
        answers.answer(date, each, YES)
    outbox.put(date, Mail.Kind.REMINDER, [each.pk for each in (anna, *people.values())], eve_of(date))
    wishes.stop(date.series, people["Bert"])
    server.answers = ["250 OK", "550 Never"]
    send(eve_of(date))
    assert [ended for ended, _lost in ends()] == ["sent", "not_wanted", "given_up", "sent"]
    assert Mail.objects.get(ended="given_up").fault == "SMTPDataError 550"


def test_what_the_server_puts_off_too_often_is_given_up_and_stands_on_the_staffs_page(
    server: Server, date: SeriesDate, client: Client, django_user_model: type[User]
) -> None:
    server.answers = ["451 Later"] * 9
    for minutes in (0, 2, 12, 42, 102, 1000):
        send(eve_of(date) + timedelta(minutes=minutes))
    assert len(server.answers) == 4
    assert ends() == [("given_up", 0)]
    client.force_login(django_user_model.objects.create_superuser("boss"))
    page = client.get(reverse("admin:background")).content.decode()
    assert all(words in page for words in ("Mail: Club", "Olga", "SMTPDataError 451"))
    assert "given up" in next(mails.given_up()).text


def test_where_the_server_breaks_off_the_others_wait_and_it_is_sent_again_with_its_message_id(
    server: Server, date: SeriesDate, anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers.answer(date, anna, YES)
    whole = EmailMessage.send

    def broken(message: EmailMessage, *args: object) -> int:
        whole(message)
        raise SMTPServerDisconnected

    monkeypatch.setattr(EmailMessage, "send", broken)
    with pytest.raises(tasks.TaskFailed, match="broke off"):
        send(eve_of(date))
    monkeypatch.undo()
    assert ends() == [("", 0), ("", 0)]
    send(eve_of(date, 18, 5))
    assert server.addressees == ["anna@example.org", "olga@example.org"]
    send(eve_of(date, 18, 11))
    first, second, third = server.got
    assert (third["To"], third["Message-ID"]) == (first["To"], first["Message-ID"])
    assert second["Message-ID"] != first["Message-ID"]
    assert sorted(ends()) == [("sent", 0), ("sent", 1)]


def test_a_lost_mail_is_sent_again_only_while_it_is_wanted(server: Server, date: SeriesDate, olga: Player) -> None:
    outbox.put(date, Mail.Kind.REMINDER, [olga.pk], eve_of(date))
    Mail.objects.update(claimed_at=eve_of(date))
    send(eve_of(date, 18, 9))
    assert ends() == [("", 0)]
    send(date.starts_at - outbox.REMINDER_LATEST)
    assert (server.got, ends()) == ([], [("not_wanted", 1)])


def test_a_lost_mail_of_a_change_gives_way_to_the_next_one(
    server: Server, olga: Player, date: SeriesDate, anna: Player
) -> None:
    answers.answer(date, anna, YES)
    dates.move(date, olga, date.day, date.start, "At the lake")
    Mail.objects.update(claimed_at=timezone.now())
    dates.move(date, olga, date.day, date.start, "In the wood")
    send(timezone.now() + timedelta(minutes=11))
    (mail,) = server.got
    assert "In the wood" in mail.get_content()
    assert ends() == [("not_wanted", 1), ("sent", 0)]


def test_a_claim_of_the_future_is_one_of_before_the_clock_was_set_back(
    server: Server, date: SeriesDate, olga: Player
) -> None:
    outbox.put(date, Mail.Kind.REMINDER, [olga.pk], eve_of(date))
    Mail.objects.update(claimed_at=eve_of(date) + timedelta(days=300))
    send(eve_of(date))
    assert len(server.got) == 1


def test_a_sender_that_the_server_refuses_costs_no_reader_a_mail(
    server: Server, date: SeriesDate, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(*args: object) -> str:
        return "550 not from here"

    monkeypatch.setattr(Server, "handle_MAIL", refused, raising=False)
    for minute in (0, 5, 30):
        with pytest.raises(tasks.TaskFailed, match="EMAIL_FROM"):
            send(eve_of(date, 18, minute))
    monkeypatch.undo()
    send(eve_of(date, 19))
    assert len(server.got) == 1


def test_rows_that_the_version_before_has_sent_are_not_sent_again(server: Server, date: SeriesDate) -> None:
    send(eve_of(date))
    Mail.objects.update(ended="")
    send(eve_of(date, 19))
    assert len(server.got) == 1


def test_a_house_of_before_sends_no_old_news_and_nothing_twice(server: Server, date: SeriesDate, olga: Player) -> None:
    now = timezone.now()
    hook = Webhook.objects.create(series=date.series, address="http://hooks.example/", added_by=olga)
    claimed = {"webhook": hook, "claimed_at": now - timedelta(days=9)}
    for occasion, sent_at in (("told", now), ("failed", None)):
        WebhookMessage.objects.create(kind="results", occasion=occasion, sent_at=sent_at, **claimed)
    WebhookMessage.objects.create(webhook=hook, kind="results", occasion="waits")
    Mail.objects.create(date=date, player=olga, kind="change", claimed_at=now, sent_at=now)
    migration = importlib.import_module("games.migrations.0067_deliveries")
    migration.note_ends(apps, None)
    ended = dict(WebhookMessage.objects.values_list("occasion", "ended"))
    assert ended == {"told": "sent", "failed": "given_up", "waits": ""}
    assert ends() == [("sent", 0)]
    assert deliveries.due(WebhookMessage.objects.all(), timezone.now()).get().occasion == "waits"


@pytest.mark.django_db(transaction=True)
def test_two_processes_send_one(server: Server, date: SeriesDate) -> None:
    for name in ("Anna", "Bert", "Carl"):
        answers.answer(date, reader(name), YES)
    barrier, faults = threading.Barrier(4), []

    def process() -> None:
        barrier.wait()
        try:
            send(eve_of(date))
        except Exception as error:
            faults.append(error)
        finally:
            close_old_connections()

    threads = [threading.Thread(target=process) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert faults == []
    assert server.addressees == [f"{name}@example.org" for name in ("anna", "bert", "carl", "olga")]


@pytest.mark.django_db(transaction=True)
def test_of_two_mail_links_answered_at_once_one_has_the_last_place_and_of_one_persons_one_stands(
    date: SeriesDate,
) -> None:
    """Each by a connection of its own; on PostgreSQL the transactions run side by side."""
    SeriesDate.objects.filter(pk=date.pk).update(places=1)
    anna, bert = reader("Anna"), reader("Bert")
    for asked in ([(anna, "yes"), (bert, "yes")], [(anna, "yes"), (anna, "no")]):
        Answer.objects.all().delete()
        assert at_once([(link_of(date, player, says), says) for player, says in asked]) == [302, 302]
        date.refresh_from_db()
        rows = list(Answer.objects.order_by("player"))
        assert [row.player for row in rows] == list(dict.fromkeys(player for player, _says in asked))
        assert rows[0].says in {says for _player, says in asked}
        assert answers.coming(date).people == int(any(row.says == "yes" for row in rows))


def link_of(date: SeriesDate, player: Player, says: str) -> str:
    token = links.token(links.ANSWER, date.pk, player.pk, wishes.address_of(player))
    return reverse("mail_answer", args=[token, says])


def at_once(posts: list[tuple[str, str]]) -> list[int]:
    """Answer by several links at the same moment; return the statuses."""
    barrier, found = threading.Barrier(len(posts)), dict[int, int]()

    def answer(index: int, address: str, says: str) -> None:
        barrier.wait()
        try:
            found[index] = Client().post(address, {"says": says}).status_code
        finally:
            connection.close()

    threads = [threading.Thread(target=answer, args=(n, *each)) for n, each in enumerate(posts)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return [found[index] for index in sorted(found)]


# What is kept


def test_a_mails_row_keeps_no_address_and_no_name_and_a_deleted_persons_go(
    server: Server, date: SeriesDate, anna: Player
) -> None:
    answers.answer(date, anna, YES)
    send(eve_of(date))
    wishes.stop(date.series, anna)
    texts = [str(value) for row in Mail.objects.values() for value in row.values()]
    assert not any(part in text.lower() for text in texts for part in ("anna", "example", "mail/"))
    assert deletion.own_data(anna)["mails"][0]["kind"] == "reminder"
    assert deletion.own_data(anna)["mails_stopped"] == ["Club"]
    deletion.delete(anna)
    assert not anna.mails.exists()
    assert not anna.mail_stops.exists()
    assert not Player.objects.get(pk=anna.pk).wants_mail


def test_merged_players_have_one_row_and_the_wish_of_the_account(
    server: Server, date: SeriesDate, anna: Player
) -> None:
    (guest,) = guests("Anna's old phone")
    wishes.stop(date.series, guest)
    wishes.stop(date.series, anna)
    for each in (guest, anna):
        Mail.objects.create(date=date, player=each, kind=Mail.Kind.REMINDER)
    merging.merge(anna, guest)
    guest.refresh_from_db()
    assert guest.wants_mail
    assert guest.mail_stops.count() == guest.mails.count() == 1
    assert accounts.players.account_player(guest.user) == guest


def test_rows_go_thirty_days_after_their_date(server: Server, date: SeriesDate) -> None:
    send(eve_of(date))
    assert outbox.forget_old(date.ends_at + timedelta(days=29)) == 0
    assert outbox.forget_old(date.ends_at + timedelta(days=32)) == 1


def test_a_mail_is_in_the_readers_language(server: Server, date: SeriesDate, olga: Player) -> None:
    Player.objects.update(language="de")
    send(eve_of(date))
    (mail,) = server.got
    assert set(links_of(mail)) == {"ja", "nein", "vielleicht"}


def test_a_series_name_puts_no_header_into_a_mail(server: Server, date: SeriesDate, club: Series) -> None:
    Series.objects.update(name="Club\r\nBcc: eve@example.org")
    send(eve_of(date))
    assert all("Bcc" not in each for each in server.got)


def test_a_stop_link_is_of_one_series(server: Server, date: SeriesDate, olga: Player) -> None:
    send(eve_of(date))
    assert stop_link(server.got[0]).startswith("/mail/")


# The end of a season


@pytest.fixture
def ending(olga: Player, club: Series) -> Season:
    """A season of the series that ends in eight days."""
    first = today() - timedelta(days=30)
    found = make(olga, name="Season 3", first_day=first, last_day=today() + timedelta(days=8))
    found.series.add(club)
    return found


def at_days(season: Season, days: int, hour: int = 18) -> datetime:
    """Return a time so many days after a season's last day."""
    return datetime.combine(season.last_day + timedelta(days=days), time(hour), house.zone())


def test_organisers_are_asked_once_by_mail_a_week_before_the_seasons_end(server: Server, ending: Season) -> None:
    second = reader("Second")
    Season.objects.update(second=second, last_day=today() + timedelta(days=7))
    ending.refresh_from_db()
    send(at_days(ending, -8))
    send(at_days(ending, -7, 17))
    assert server.got == []
    for days in (-7, -7, -6):
        send(at_days(ending, days))
    assert server.addressees == ["olga@example.org", "second@example.org"]
    mail = server.got[0]
    assert "Season 3 ends on" in str(mail["Subject"])
    assert quote(reverse("season", args=[ending.public_id])) in mail.get_content()
    assert str(mail["List-Unsubscribe-Post"]) == "List-Unsubscribe=One-Click"
    assert outbox.forget_old(at_days(ending, 20)) == 0
    assert outbox.forget_old(at_days(ending, 40)) == 2


def test_who_has_begun_the_next_season_or_stopped_the_mails_is_not_asked(
    server: Server, olga: Player, club: Series, ending: Season
) -> None:
    Season.objects.update(last_day=today() + timedelta(days=7))
    ending.refresh_from_db()
    wishes.stop(club, olga)
    send(at_days(ending, -7))
    wishes.resume(club, olga)
    next_season.begin(ending, olga)
    send(at_days(ending, -6))
    assert server.got == []


def test_a_season_without_a_series_asks_too_and_says_how_mails_are_stopped(server: Server, ending: Season) -> None:
    Season.objects.update(last_day=today() + timedelta(days=7))
    ending.refresh_from_db()
    ending.series.clear()
    send(at_days(ending, -7))
    (mail,) = server.got
    assert mail["List-Unsubscribe"] is None
    assert reverse("me") in mail.get_content()
