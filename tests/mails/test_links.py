"""Links in mails: what they may, who else they are good for, and when they end; the setting of an account."""

from __future__ import annotations

import itertools
import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core import mail as django_mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Answer, MailStop, Player, Series, SeriesDate
from games.models.night import today
from games.services.calendar import all_series, answers
from games.services.calendar.answers import Said
from games.services.mails import links, outbox, wishes
from games.services.people import bans, deletion, merging
from tests.calendar.conftest import draft
from tests.mails.conftest import Server, eve_of, links_of, reader, send, stop_link
from tests.seasons.test_pages import browser
from tests.seasons.world import account, guests
from tests.security.roles.roles import patterns

pytestmark = pytest.mark.django_db


def answer_link(date: SeriesDate, player: Player, says: str = "yes") -> str:
    token = links.token(links.ANSWER, date.pk, player.pk, wishes.address_of(player))
    return reverse("mail_answer", args=[token, says])


def the_stop_link(series: Series, player: Player) -> str:
    return reverse("mail_stop", args=[links.token(links.STOP, series.pk, player.pk, wishes.address_of(player))])


def strict() -> Client:
    """Return a browser that must send a page's token, as all of them must."""
    return Client(enforce_csrf_checks=True)


def post_by_page(client: Client, address: str, says: str) -> int:
    """Answer by the page of a link, with its token."""
    text = client.get(address).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', text)
    assert token is not None
    return client.post(address, {"says": says, "csrfmiddlewaretoken": token.group(1)}).status_code


# Answers


def test_one_tap_of_a_mail_answers_without_a_login(server: Server, date: SeriesDate, anna: Player) -> None:
    answers.answer(date, anna, Said("maybe", 2, "late"))
    send(eve_of(date))
    (mail,) = [each for each in server.got if "anna" in str(each["To"])]
    client = strict()
    assert post_by_page(client, links_of(mail)["yes"], "yes") == 302
    own = answers.of_player(date, anna)
    assert (own.says, own.extra, own.word) == ("yes", 2, "late")
    assert "player_id" not in client.session
    assert client.get(reverse("my_data")).status_code == 403


def test_a_scanner_that_opens_every_link_answers_and_stops_nothing(
    server: Server, date: SeriesDate, anna: Player
) -> None:
    answers.answer(date, anna, Said("maybe"))
    send(eve_of(date))
    for mail in server.got:
        for link in [*links_of(mail).values(), stop_link(mail)]:
            for method in ("get", "head"):
                assert getattr(Client(), method)(link).status_code == 200
    assert [row.says for row in Answer.objects.all()] == ["maybe"]
    assert not MailStop.objects.exists()


def test_a_link_is_used_twice_and_the_last_answer_counts(date: SeriesDate, anna: Player) -> None:
    client, link = strict(), answer_link(date, anna)
    assert [post_by_page(client, link, says) for says in ("yes", "yes", "no")] == [302, 302, 302]
    assert answers.of_player(date, anna).says == "no"
    assert date.answers.count() == 1


def test_a_posted_answer_needs_the_pages_token(date: SeriesDate, anna: Player) -> None:
    assert strict().post(answer_link(date, anna), {"says": "yes"}).status_code == 403
    assert not date.answers.exists()


def test_a_link_ends_with_its_date_and_with_its_series(date: SeriesDate, anna: Player, olga: Player) -> None:
    link = answer_link(date, anna)
    SeriesDate.objects.filter(pk=date.pk).update(day=today() - timedelta(days=1))
    assert Client().get(link).status_code == 410
    assert Client().post(link, {"says": "yes"}).status_code == 410
    SeriesDate.objects.filter(pk=date.pk).update(day=today())
    assert Client().get(link).status_code == 200
    all_series.end(date.series, olga)
    assert Client().get(link).status_code == 410
    assert not date.answers.exists()


def test_a_cancelled_date_takes_no_answer_and_says_so(date: SeriesDate, anna: Player) -> None:
    SeriesDate.objects.update(is_cancelled=True)
    answer = Client().get(answer_link(date, anna))
    assert answer.status_code == 200
    assert "This date is cancelled." in answer.content.decode()
    assert Client().post(answer_link(date, anna), {"says": "yes"}).status_code == 400
    assert not date.answers.exists()


def test_no_other_link_opens_anything(date: SeriesDate, anna: Player) -> None:
    good = links.token(links.ANSWER, date.pk, anna.pk, "anna@example.org")
    about, person, signature = good.split("-")
    bert = reader("Bert")
    flipped = ("0" if signature[0] != "0" else "1") + signature[1:]
    others = [
        f"{about}-{person}-{flipped}",
        f"{about}-{bert.pk}-{signature}",
        f"{date.pk + 1}-{person}-{signature}",
        f"0{good}",
        f"{about}-{person}",
        f"{about}-{person}-",
        f"{about}-{person}-{signature.upper()}",
        f"{about}-{'9' * 40}-{signature}",
        "x",
        links.token(links.STOP, date.pk, anna.pk, "anna@example.org"),
        links.token(links.ANSWER, date.pk, anna.pk, ""),
    ]
    for token in others:
        for method in ("get", "post"):
            assert getattr(Client(), method)(reverse("mail_answer", args=[token, "yes"])).status_code == 404, token
    assert Client().get(reverse("mail_stop", args=[good])).status_code == 404
    assert Client().get(reverse("mail_answer", args=[good, "perhaps"])).status_code == 404
    assert not date.answers.exists()


def test_with_another_address_of_the_account_old_links_open_nothing(date: SeriesDate, anna: Player) -> None:
    link, stop = answer_link(date, anna), the_stop_link(date.series, anna)
    EmailAddress.objects.filter(user=anna.user).update(email="new@example.org")
    assert [Client().get(each).status_code for each in (link, stop)] == [404, 404]


def test_a_banned_or_deleted_persons_links_answer_nothing(date: SeriesDate, anna: Player) -> None:
    bert = reader("Bert")
    of_anna, of_bert = answer_link(date, anna), answer_link(date, bert)
    bans.ban(anna, account("Chief").user)
    deletion.delete(bert)
    assert Client().post(of_anna, {"says": "yes"}).status_code == 403
    assert Client().post(of_bert, {"says": "yes"}).status_code == 404
    assert not date.answers.exists()


def test_a_link_is_the_persons_under_whose_name_they_were_joined(date: SeriesDate, anna: Player) -> None:
    link = answer_link(date, anna)
    (guest,) = guests("Anna's phone")
    merging.merge(anna, guest)
    Client().post(link, {"says": "yes"})
    assert answers.of_player(date, guest).says == "yes"


def test_a_wrong_word_is_refused_on_the_page(date: SeriesDate, anna: Player) -> None:
    answer = Client().post(answer_link(date, anna), {"says": "perhaps"})
    assert answer.status_code == 400
    assert "Say yes, no or maybe." in answer.content.decode()


def test_who_waits_for_a_place_reads_so(date: SeriesDate, anna: Player, olga: Player) -> None:
    SeriesDate.objects.update(places=1)
    date.refresh_from_db()
    answers.answer(date, olga, Said("yes"))
    text = Client().post(answer_link(date, anna), {"says": "yes"}, follow=True).content.decode()
    assert "you wait" in text


# No more mails


def test_one_click_of_a_mail_program_stops_the_mails_of_one_series_and_nothing_else(
    server: Server, date: SeriesDate, anna: Player
) -> None:
    other = all_series.create(anna, draft(name="Other"))
    answers.answer(date, anna, Said("yes"))
    send(eve_of(date))
    mail = next(each for each in server.got if "anna" in str(each["To"]) and "Club" in str(each["Subject"]))
    before = [*Answer.objects.values(), *Player.objects.values()]
    for _twice in range(2):
        answer = strict().post(stop_link(mail), {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
    assert [*Answer.objects.values(), *Player.objects.values()] == before
    assert MailStop.objects.get().series == date.series
    assert not wishes.is_stopped(other, anna)
    answers.answer(date, anna, Said("maybe"))
    all_series.note_change(date, place="Elsewhere")
    send(timezone.now() + outbox.APART)
    assert not [each for each in server.got if "Elsewhere" in each.get_content()]


def test_it_is_the_one_address_that_takes_a_post_without_a_pages_token() -> None:
    exempt = {str(each.name) for _route, each in patterns() if getattr(each.callback, "csrf_exempt", False)}
    api = {name for name in exempt if name.startswith("api_")}
    assert exempt - api == {"mail_stop"}


def test_the_series_page_has_mails_again(server: Server, date: SeriesDate, anna: Player) -> None:
    wishes.stop(date.series, anna)
    client, page = browser(anna), reverse("series", args=[date.series.key])
    assert "You get no mails about this series." in client.get(page).content.decode()
    client.post(reverse("series_act", args=[date.series.key, "mails"]), {"wanted": "yes"})
    assert "You get mails about this series." in client.get(page).content.decode()
    assert not MailStop.objects.exists()


# The setting


def test_the_account_page_asks_for_a_confirmed_address_first(server: Server) -> None:
    bert = account("Bert")
    client = browser(bert)
    assert "Confirm an e-mail address" in client.get(reverse("me")).content.decode()
    client.post(reverse("want_mail"), {"wanted": "on"})
    bert.refresh_from_db()
    assert not bert.wants_mail
    EmailAddress.objects.create(user=bert.user, email="bert@example.org", verified=True, primary=True)
    assert "bert@example.org" in client.get(reverse("me")).content.decode()
    for sent, wanted in (({"wanted": "on"}, True), ({}, False)):
        client.post(reverse("want_mail"), sent)
        bert.refresh_from_db()
        assert bert.wants_mail is wanted


def test_an_address_is_confirmed_by_the_houses_own_mail(server: Server) -> None:
    client = Client()
    sent = {"username": "bert", "email": "bert@example.org", "password1": "a-good-one-1"}
    client.post(reverse("account_signup"), sent)
    (mail,) = server.got
    link = re.search(r"https://house\.example(/\S+)", mail.get_content())
    assert link is not None
    client.post(link.group(1))
    user = User.objects.get()
    assert EmailAddress.objects.get(user=user).verified


def test_a_house_without_mail_says_so_on_its_pages(settings: LazySettings, olga: Player, club: Series) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    for page in (reverse("me"), reverse("series", args=[club.key])):
        assert "This house sends no mail" in browser(olga).get(page).content.decode()
    assert not getattr(django_mail, "outbox", [])


def test_tokens_of_all_purposes_dates_and_people_differ() -> None:
    made = [
        links.token(purpose, about, person, address)
        for purpose, about, person, address in itertools.product(
            (links.ANSWER, links.STOP), (1, 11), (1, 11), ("a@example.org", "b@example.org")
        )
    ]
    assert len({token.rsplit("-", 1)[1] for token in made}) == len(made)
    assert all(len(token.rsplit("-", 1)[1]) == 32 for token in made)
