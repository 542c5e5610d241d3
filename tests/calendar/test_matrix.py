"""Who sees who comes, and who may do what at a date: one table over the site, the API, feeds and links of mails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games.models import Answer, Mail, Player, Series, SeriesDate
from games.models.night import today
from games.services.calendar import all_series, answers, dates
from games.services.calendar.answers import Said
from games.services.mails import links
from games.services.nights import membership
from games.services.people import deletion
from tests.calendar.conftest import draft
from tests.seasons.test_pages import browser
from tests.seasons.world import account, guests

pytestmark = pytest.mark.django_db

NAMED, KNOWN = "Walburga", "Ottokar"
"""Those who come: one by a mere name, one with an account, who gets mails."""
BOTH = {NAMED, KNOWN}
SEES: dict[str, set[str]] = {
    "stranger": set(),
    "guest of another night": set(),
    "guest of a night": BOTH,
    "entrant": BOTH,
    "organiser": BOTH,
    "second organiser": BOTH,
    "host of the night": BOTH,
    "staff": BOTH,
}
MARKS = {"organiser", "second organiser", "host of the night", "staff"}
"""Those who answer for others, and delete answers."""
ORGANISES = {"organiser", "second organiser", "staff"}


@dataclass
class World:
    """A date of today with an open night, its readers, and the links of Ottokar's mails."""

    date: SeriesDate
    readers: dict[str, Client]
    known: Player
    mail: str
    stop: str


@pytest.fixture
def world(olga: Player, settings) -> World:
    settings.PUBLIC_URL = "https://house.example"
    club = all_series.create(olga, draft(first_day=today(), weekday=today().weekday(), counts="chouette:points"))
    date = club.dates.get(planned=today())
    date.series = club
    siri, hedda, boss, ottokar = (account(name) for name in ("Siri", "Hedda", "Boss", KNOWN))
    User.objects.filter(pk=boss.user_id).update(is_staff=True)
    fred, gina, eva = guests("Fred", "Gina", "Eva")
    membership.join(membership.host_night(account("Per"), "Elsewhere"), fred)
    answers.answer_by_name(date, NAMED, Said("yes", 1, "late"))
    answers.answer(date, ottokar, Said("yes"))
    night = dates.open_night(date, olga, "192.0.2.7")
    for each in (gina, hedda):
        membership.join(night, each)
    membership.give_host(night, olga, hedda.pk)
    Series.objects.filter(pk=club.pk).update(second=siri)
    club.seasons.get().entrants.create(player=eva)
    address = EmailAddress.objects.create(user=ottokar.user, email="otto@example.org", verified=True, primary=True)
    Player.objects.filter(pk=ottokar.pk).update(wants_mail=True)
    boss.refresh_from_db()
    people = {
        "guest of another night": fred,
        "guest of a night": gina,
        "entrant": eva,
        "organiser": olga,
        "second organiser": siri,
        "host of the night": hedda,
        "staff": boss,
    }
    readers = {"stranger": Client(), **{name: browser(player) for name, player in people.items()}}
    made = {
        what: links.token(what, pk, ottokar.pk, address.email) for what, pk in (("answer", date.pk), ("stop", club.pk))
    }
    date.refresh_from_db()
    date.series = Series.objects.get(pk=club.pk)
    return World(date, readers, ottokar, made["answer"], made["stop"])


def addresses(world: World) -> dict[str, str]:
    """Return every address that tells of a date: those of the site and the API, of feeds, and of mails."""
    key, day = world.date.series.key, world.date.planned.isoformat()
    return {
        "page": reverse("series_date", args=[key, day]),
        "api": reverse("api_date", args=[key, day]),
        "series": reverse("series", args=[key]),
        "api of the series": reverse("api_series", args=[key]),
        "poster": reverse("series_poster", args=[key]),
        "feed": reverse("series_feed", args=[world.date.series.feed_key]),
        "file": reverse("date_ics", args=[key, day]),
        "mail": reverse("mail_answer", args=[world.mail, "yes"]),
        "stop": reverse("mail_stop", args=[world.stop]),
    }


def named(client: Client, where: str) -> set[str]:
    """Return who is named at an address."""
    answer = client.get(where)
    assert answer.status_code == 200, (where, answer.status_code)
    return {each for each in BOTH if each in answer.content.decode()}


def test_every_reader_is_told_the_same_names_on_the_site_and_the_api_and_none_by_feeds(world: World) -> None:
    told = {
        (reader, what): named(client, where)
        for reader, client in world.readers.items()
        for what, where in addresses(world).items()
    }
    wanted = {}
    for reader, seen in SEES.items():
        shown = {"page": seen, "api": seen, "mail": {KNOWN}}
        wanted |= {(reader, what): shown.get(what, set()) for what in addresses(world)}
    assert told == wanted


def test_with_an_open_list_everybody_with_the_link_reads_names_and_feeds_still_have_none(world: World) -> None:
    Series.objects.update(names_open=True)
    for reader, client in world.readers.items():
        for what, where in addresses(world).items():
            wanted = BOTH if what in ("page", "api") else {KNOWN} if what == "mail" else set()
            assert named(client, where) == wanted, (reader, what)


def test_who_answers_for_others_and_who_changes_a_date_is_this_table(world: World) -> None:
    """On the site; the API has acts of organisers alone. What is refused changes nothing."""
    key, day = world.date.series.key, world.date.planned.isoformat()
    acts: dict[str, tuple[set[str], Callable[[Client, str], HttpResponse]]] = {
        "mark": (MARKS, lambda c, who: c.post(_act(key, day, "mark"), {"name": f"For {who}"[:20], "says": "yes"})),
        "list": (MARKS, lambda c, _who: c.post(_act(key, day, "list"), {"only": "no"})),
        "add by api": (ORGANISES - {"staff"}, lambda c, _who: c.post(
            reverse("api_series_acts", args=[key]), {"act": "add", "args": {"day": "2098-01-01"}},
            content_type="application/json")),
    }  # fmt: skip
    for name, (may, act) in acts.items():
        for reader, client in world.readers.items():
            before = Answer.objects.count(), SeriesDate.objects.count()
            answer = act(client, reader)
            is_done = answer.status_code in (200, 201, 302)
            SeriesDate.objects.filter(planned="2098-01-01").delete()
            assert is_done == (reader in may or (name == "add by api" and reader == "staff")), (name, reader)
            if not is_done:
                assert before == (Answer.objects.count(), SeriesDate.objects.count())


def _act(key: str, day: str, act: str) -> str:
    return reverse("date_act", args=[key, day, act])


def test_two_links_of_one_person_give_one_answer_and_the_last_word_counts(world: World) -> None:
    """The mail's link, the page of the login and the API: whichever is used, it is the same answer."""
    mail, key, day = reverse("mail_answer", args=[world.mail, "no"]), world.date.series.key, world.date.planned
    own = browser(world.known)
    for client, where, says in (
        (Client(), mail, "no"),
        (own, reverse("date_answer", args=[key, day.isoformat()]), "maybe"),
        (Client(), mail, "yes"),
    ):
        assert client.post(where, {"says": says}).status_code == 302
        (row,) = world.date.answers.filter(player=world.known)
        assert row.says == says
    where = reverse("api_date_acts", args=[key, day.isoformat()])
    assert (
        own.post(where, {"act": "answer", "args": {"says": "no"}}, content_type="application/json").status_code == 200
    )
    assert [row.says for row in world.date.answers.filter(player=world.known)] == ["no"]


def test_of_a_deleted_person_no_byte_is_left_in_feeds_mails_dates_and_standings(world: World) -> None:
    Mail.objects.create(date=world.date, player=world.known, kind=Mail.Kind.PLACE)
    deletion.delete(world.known)
    assert not Mail.objects.exists()
    for reader, client in world.readers.items():
        for what, where in addresses(world).items():
            answer = client.get(where)
            if what in ("mail", "stop"):
                assert answer.status_code == 404
            assert KNOWN not in answer.content.decode(), (reader, what)
    season = world.date.series.seasons.get()
    for name in ("season", "season_live", "season_csv", "season_figures", "api_season", "api_season_figures"):
        answer = world.readers["organiser"].get(reverse(name, args=[season.public_id]))
        body = b"".join(answer) if answer.streaming else answer.content
        assert KNOWN not in body.decode(), name
