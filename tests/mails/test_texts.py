"""What mails say: whose house it is, and who comes, by the names of those who show theirs."""

from __future__ import annotations

from collections.abc import Iterator
from email.utils import parseaddr

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from games.models import House, Player, Series, SeriesDate, house
from games.services.calendar import answers
from games.services.calendar.answers import Said
from tests.mails.conftest import Server, eve_of, reader, send
from tests.seasons.world import guests

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def golden_lamb(db: None) -> Iterator[None]:
    """A house that has a name."""
    House.objects.create(pk=1, name="Zum Löwen, Köln")
    house.forget()
    yield
    house.forget()


def texts(server: Server) -> dict[str, str]:
    """Return the text of each mail by its addressee's first name."""
    return {str(mail["To"]).partition("@")[0]: mail.get_content().replace("\r\n", "\n") for mail in server.got}


def test_a_mail_comes_in_the_houses_name_unless_its_sender_has_one(
    server: Server, date: SeriesDate, settings: LazySettings
) -> None:
    settings.DEFAULT_FROM_EMAIL = "pub@games.example.org"
    send(eve_of(date))
    (mail,) = server.got
    assert parseaddr(str(mail["From"])) == ("Zum Löwen, Köln", "pub@games.example.org")
    assert mail.get_content().count("Zum Löwen, Köln") == 1
    settings.DEFAULT_FROM_EMAIL = "The pub <pub@games.example.org>"
    Client().post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    assert parseaddr(str(server.got[-1]["From"]))[0] == "The pub"
    assert "Zum Löwen, Köln" in server.got[-1].get_content()


def test_a_mail_names_those_who_show_their_names_and_counts_the_others(
    server: Server, date: SeriesDate, club: Series
) -> None:
    anna, bert = guests("Anna", "Bert")
    Player.objects.filter(pk=anna.pk).update(is_listed=True)
    dora = reader("Dora")
    for player, said in ((anna, Said("yes", 1)), (bert, Said("yes")), (dora, Said("yes"))):
        answers.answer(date, player, said)
    answers.answer_by_name(date, "Walburga", Said("yes"))
    send(eve_of(date))
    assert "Come so far: Anna and 4 more" in texts(server)["olga"], "Dora is one of the four"
    assert not any(name in texts(server)["dora"] for name in ("Anna", "Bert", "Walburga")), "never at a night here"
    assert "5 come" in texts(server)["dora"]


def test_where_the_list_is_open_a_mail_names_all(server: Server, date: SeriesDate, club: Series) -> None:
    Series.objects.update(names_open=True)
    club.names_open = True
    (bert,) = guests("Bert")
    dora = reader("Dora")
    answers.answer(date, bert, Said("yes"))
    answers.answer_by_name(date, "Walburga", Said("yes"))
    answers.answer(date, dora, Said("yes"))
    send(eve_of(date))
    assert "Come so far: Bert and Walburga\n" in texts(server)["dora"]
    assert "Come so far: Bert, Walburga and Dora\n" in texts(server)["olga"]
