"""A house with everything in it, for tests of links: evenings past, tonight's, to come, and everybody at the door."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import time, timedelta

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games import plugin
from games.models import Answer, Night, Player, Series, ShareLink, Venue, Webhook
from games.models.night import today
from games.services import commands
from games.services.calendar import all_series, answers, dates
from games.services.calendar.all_series import SeriesDraft
from games.services.calendar.answers import Said
from games.services.commands import new_command_id
from games.services.house_rules import sets
from games.services.mails import links
from games.services.nights import membership
from games.services.people import players
from games.services.seasons import entrants
from games.services.tables import commit, setup
from games.services.tournaments import acts, formats, tournaments
from tests.seasons.world import account, make, night_of, play
from tests.web.pages import browser_of

DAY = timedelta(days=1)


@dataclass
class Everything:
    """A series with a season, one night a week ago, one that goes on, dates to come; and a browser for each role."""

    series: Series
    night: Night
    last: Night
    browsers: dict[str, Client] = field(default_factory=dict)
    given: dict[str, list[str]] = field(default_factory=dict)
    """Role → the addresses that they were given: links, codes and mails."""


def make_everything() -> Everything:
    """Make it all."""
    olga, rita, hanna = account("Olga"), account("Rita"), account("Hanna")
    greta, otto = players.new_guest("Greta"), players.new_guest("Otto")
    for each in (olga, rita, hanna):
        EmailAddress.objects.create(
            user=each.user, email=f"{each.nickname}@example.org".lower(), verified=True, primary=True
        )
    Player.objects.filter(pk__in=[rita.pk, otto.pk]).update(is_listed=True)
    Venue.objects.create(name="Golden Lamb")
    series = _series(olga)
    last = _last_night(series, olga, rita, greta, otto)
    night = _tonight(series, olga, hanna, greta)
    entrants.enter(series.season, rita)
    found = Everything(series, night, last)
    _browsers(found, {"guest": greta, "regular": rita, "organiser": olga, "host": hanna})
    _given(found, rita)
    return found


def _series(olga: Player) -> Series:
    first = today() - 7 * DAY
    about = {"name": "Club", "weekday": first.weekday(), "first_day": first, "size": 4, "is_listed": True}
    series = all_series.create(olga, SeriesDraft(start=time(19, 30), game_id="chouette", **about))
    season = make(olga, first_day=first, last_day=first + 90 * DAY)
    before = make(olga, first_day=first - 90 * DAY, last_day=first - DAY)
    ShareLink.objects.create(season=season)
    series.season = season
    series.save()
    night_of(olga, before.last_day)
    all_series.plan(series)
    Webhook.objects.create(series=series, address="https://chat.example.org/hook", shape="json")
    return series


def _last_night(series: Series, olga: Player, *guests: Player) -> Night:
    day = today() - 7 * DAY
    night = night_of(olga, day, *guests, close=False)
    about = {"day": day, "start": series.start, "minutes": series.minutes}
    series.dates.update_or_create(planned=day, defaults={**about, "night": night})
    play(night, dict(zip((olga, *guests), (3, -1, -2, 0), strict=False)))
    membership.close(night, olga)
    return night


def _tonight(series: Series, olga: Player, hanna: Player, greta: Player) -> Night:
    date = series.dates.get(planned=today())
    date.series = series
    night = dates.open_night(date, olga, "192.0.2.7")
    for each in (hanna, greta):
        membership.join(night, each)
    membership.give_host(night, olga, hanna.pk)
    night.refresh_from_db()
    tables = [setup.open_table(night, hanna, "dummygame", "endless", {}) for _ in range(3)]
    for table in tables:
        for each in (hanna, greta):
            setup.sit(table, each, accept=True)
    for table in (tables[0], tables[2]):
        setup.start(table, hanna, new_command_id())
    commit.submit(tables[2].pk, commands.Actor(hanna.pk), commands.Request("table.end", {}, "end"))
    play(night, {hanna: 1, greta: -1})
    preset = plugin.game("dummygame").options.presets[0].id
    sets.create(sets.SetKeeper(player=hanna), "dummygame", sets.SetDraft(name="Ours", preset=preset, options={}))
    cup = tournaments.TournamentDraft("Cup", "chouette", "", formats.ChosenFormat("open_end", 3, 240))
    tournament = tournaments.make(night, hanna, cup)
    acts.carry_out(tournament, hanna, "enter", {"players": [greta.pk]})
    night.refresh_from_db()
    return night


def _browsers(found: Everything, people: dict[str, Player]) -> None:
    found.browsers |= {"stranger": browser_of(), "invited": browser_of(), "fresh": browser_of(), "staff": browser_of()}
    for role, player in people.items():
        found.browsers[role] = browser_of(player)
        if player.user is not None:
            found.browsers[role].force_login(player.user)
    found.browsers["fresh"].force_login(User.objects.create_user("fresh", password="x"))
    found.browsers["staff"].force_login(User.objects.create_superuser("chief", password="x"))


def _given(found: Everything, rita: Player) -> None:
    """Give everybody the links that they get outside of the house."""
    series, night = found.series, found.night
    date, following = series.dates.filter(day__gte=today())[:2]
    share = ShareLink.objects.get()
    open_to_all = [
        "/",
        *(reverse(name, args=[series.key]) for name in ("series", "series_poster", "poster_door")),
        *(reverse("series_date", args=[series.key, each.planned.isoformat()]) for each in (date, following)),
        reverse("series_feed", args=[series.feed_key]),
        reverse("shared", args=[share.key]),
        reverse("join_link", args=[night.public_id, night.token("join")]),
        reverse("tv", args=[night.public_id, night.token("tv")]),
    ]
    found.given = {role: list(open_to_all) for role in found.browsers}
    _row, secret = answers.answer_by_name(date, "Ida", Said("yes"))
    found.browsers["invited"].cookies[f"answer-{date.pk}"] = secret
    own = reverse("date_own", args=[series.key, date.planned.isoformat(), secret])
    found.given["invited"] += [own, reverse("night", args=[night.public_id])]
    for each in (date, following):
        answers.answer(each, rita, Said(Answer.Says.YES))
    address = "rita@example.org"
    token = links.token(links.ANSWER, following.pk, rita.pk, address)
    stop = links.token(links.STOP, series.pk, rita.pk, address)
    found.given["regular"] += [
        reverse("mail_answer", args=[token, "yes"]),
        reverse("mail_stop", args=[stop]),
        reverse("night", args=[night.public_id]),
    ]
