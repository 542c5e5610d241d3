"""Everybody who may come to an address or a socket, and the tables of what each is told.

The tables are roles_pages.txt and roles_socket.txt: a line for each page, act, API endpoint
and socket command, a column for each role. The columns are read from the first line. `python
-m pytest tests/security/roles/test_roles.py` fails with the lines that are missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from games import plugin
from games.kernel.seasons.options import SEASON_RULES
from games.models import (
    HouseRules,
    Night,
    Player,
    Result,
    ResultLine,
    Season,
    Series,
    SeriesDate,
    ShareLink,
    Table,
    Tournament,
)
from games.services import commands
from games.services.acts import ALL
from games.services.commands import new_command_id
from games.services.house_rules import sets
from games.services.nights import membership
from games.services.people import bans, players
from games.services.tables import commit, setup
from games.services.tournaments import acts as tournament_acts
from games.services.tournaments import formats, tournaments
from tests.web.pages import browser_of

HERE = Path(__file__).resolve().parent
POINTS = SEASON_RULES.values("points")
# A screen shows the night by its TV link. `guest` has a seat, `onlooker` is in without one,
# `other` hosts another night, `staff` is logged in and was never at the night.
ROLES = (
    "nobody", "screen", "waiting", "onlooker", "guest", "host", "other", "kicked", "banned",
    "staff",
)  # fmt: skip


@dataclass
class World:
    """A night with a table in play, one that waits, one that is over; a season of its host's; and everybody."""

    night: Night
    playing: Table
    lobby: Table
    over: Table
    rules: HouseRules
    season: Season
    date: SeriesDate
    share: ShareLink
    tournament: Tournament
    people: dict[str, Player] = field(default_factory=dict)

    def browser(self, role: str) -> Client:
        """Return a browser of a role."""
        browser = browser_of(self.people.get(role))
        if role == "screen":
            browser.get(reverse("tv", args=[self.night.public_id, self.night.token("tv")]))
        if role == "staff":
            browser.force_login(get_user_model().objects.get(username="chief"))
        return browser


def make_world() -> World:
    """Make it all."""
    host = players.new_guest("Hanna")
    night = membership.host_night(host, "Thursday")
    roles = {role: players.new_guest(role.title()) for role in ROLES if role not in NAMELESS}
    roles["host"] = host
    for role in ("onlooker", "guest", "kicked", "banned"):
        membership.join(night, roles[role])
    found = [setup.open_table(night, host, "dummygame", "endless", {}) for _ in range(3)]
    for table in found:
        for role in ("host", "guest"):
            setup.sit(table, roles[role], accept=True)
    for table in (found[0], found[2]):
        setup.start(table, host, new_command_id())
    commit.submit(found[2].pk, commands.Actor(host.pk), commands.Request("table.end", {}, "end"))
    membership.remove(night, host, roles["kicked"].pk)
    chief = get_user_model().objects.create_superuser("chief", password="a-good-one-1")
    bans.ban(roles["banned"], chief)
    membership.set_admission(night, host, True, 60)
    membership.join(night, roles["waiting"])
    membership.host_night(roles["other"], "Elsewhere")
    preset = plugin.game("dummygame").options.presets[0].id
    draft = sets.SetDraft(name="Ours", preset=preset, options={})
    rules = sets.create(sets.SetKeeper(player=host), "dummygame", draft)
    for table in found:
        table.refresh_from_db()
    # Counted from outside of the log: the table itself was broken off.
    result = Result.objects.create(
        table=found[2],
        number=1,
        game_id="dummygame",
        preset=found[2].preset,
        reason="told",
        unit="points",
        finished_at=datetime.now(UTC),
    )
    for seat, role in enumerate(("host", "guest")):
        line = {"player": roles[role], "name": role.title(), "points": 1 - 2 * seat, "rank": 1 + seat}
        ResultLine.objects.create(result=result, seat=seat, **line)
    waits = {"id": "waits", "result": result.pk, "seat": 0, "points": {"0": 1, "1": -1}, "reason": "A slip"}
    found[2].corrections = [{**waits, "waiting": [1]}]
    found[2].save(update_fields=["corrections"])
    days = {"first_day": date(2026, 1, 1), "last_day": date(2099, 12, 31)}
    season = Season.objects.create(
        name="Ours", organiser=host, game_id="dummygame", unit="points", preset="points", options=POINTS,
        entry_key="entry", **days,
    )  # fmt: skip
    about = {"name": "Club", "organiser": host, "weekday": 3, "first_day": date(2099, 1, 1), "start": time(19)}
    held = {"planned": date(2099, 1, 1), "day": date(2099, 1, 1), "start": time(19)}
    series_date = Series.objects.create(**about).dates.create(**held)
    cup = tournaments.TournamentDraft("Cup", "chouette", "", formats.ChosenFormat("open_end", 3, 240))
    tournament = tournaments.make(night, host, cup)
    tournament_acts.carry_out(tournament, host, "enter", {"players": [roles["guest"].pk]})
    share = ShareLink.objects.create(season=season)
    return World(night, *found, rules, season, series_date, share, tournament, roles)


NAMELESS = ("nobody", "screen", "host", "staff")


def patterns(resolver: URLResolver | None = None, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Return every address of the site with its pattern; the admin's own pages are one."""
    for each in (resolver or get_resolver()).url_patterns:
        route = prefix + str(each.pattern)
        if isinstance(each, URLPattern):
            yield route, each
        elif route == "admin/":
            yield route, next(p for p in each.url_patterns if getattr(p, "name", "") == "index")
        else:
            yield from patterns(each, route)


def rows() -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Return what can be asked over HTTP: row → method, address name and what is in it."""
    found: dict[str, tuple[str, str, dict[str, Any]]] = {}
    acts = {
        **{"night_act": ALL["night"], "table_act": ALL["table"], "rule_act": ALL["rules"]},
        "season_act": ALL["season"],
        "series_act": ALL["series"],
        "webhook_act": ALL["webhook"],
        "date_act": ALL["date"],
        "owed_act": ALL["owed"],
        "tournament_act": ALL["tournament"],
    }
    for route, pattern in patterns():
        name = "admin:index" if route == "admin/" else str(pattern.name)
        keys = pattern.pattern.converters
        if name in acts:
            key = next(k for k in keys if k not in ("public_id", "key", "planned"))
            names = [*acts[name], *(["rules"] if name == "table_act" else [])]
            # The acts of the registry are walked by test_acts.py.
            for act in names if name != "night_act" else ():
                found[f"POST {name}/{act}"] = ("post", name, {**dict.fromkeys(keys), key: act})
            found[f"GET {name}"] = ("get", name, {**dict.fromkeys(keys), key: names[0]})
            continue
        for method in ("get", "post", "delete") if name.startswith("api_") else ("get", "post"):
            found[f"{method.upper()} {name}"] = (method, name, dict.fromkeys(keys))
    return found


def address(world: World, name: str, wanted: dict[str, Any]) -> str:
    """Return an address of the world's: each part is filled in by what it is about."""
    if not wanted:
        return reverse(name)
    result = world.over.results.values_list("pk", flat=True).get()
    values = {
        "public_id": _about(world, name).public_id,
        "token": world.night.token("tv" if name.startswith("tv") else "join"),
        "player_id": world.people["guest"].pk,
        "game_id": {
            "practice": "chicago",
            "study": "chouette",
            "study_engine": "chouette",
            "position_keep": "chouette",
        }.get(name, "dummygame"),
        "number": result if name == "api_result_corrections" else 1,
        "result_id": result,
        "correction_id": world.over.corrections[0]["id"],
        "correction": world.over.corrections[0]["id"],
        "seat": world.lobby.seats.get(index=1).seat_id,
        "name": "log.json" if name == "api_table_file" else "results.csv",
        "digest": "0" * 32,
        "kind": "json",
        "uidb36": "1",
        "key": _key(world, name),
        "feed_key": world.date.series.feed_key,
        "planned": world.date.planned.isoformat(),
        "secret": "x" * 22,
        "says": "yes",
        "row_id": 1,
        "act": "enter",
        "sheet_id": 1,
    }
    return reverse(name, kwargs={k: v or values[k] for k, v in wanted.items()})


API_DATES = ("api_series", "api_date")


def _key(world: World, name: str) -> str:
    """Return the key of the link that an address is."""
    if name.startswith(("shared", "api_shared")):
        return world.share.key
    if name == "season_entry":
        return world.season.entry_key
    return world.date.series.key if name.startswith(("series", "date", "poster_door", *API_DATES)) else "no-such-key"


API_OVER = ("api_table_file", "api_table_replay", "api_table_again", "api_table_correction", "answer_correction")
# What a POST to the API says, by the last part of its address, so that only rights refuse it.
API_SENT: dict[str, dict[str, Any]] = {
    "nights": {"name": "Friday"},
    "tables": {"game": "dummygame"},
    "seats": {"bot": "low"},
    "start": {},
    "scorekeeper": {"player": 2**40},
    "again": {},
    "close": {},
    "tournaments": {"name": "Cup", "game": "chouette", "kind": "open_end", "length": 3},
    # Players that there are not: the host alone hears so.
    "draws": {"game": "dummygame", "size": 2, "players": [2**40, 2**41]},
    "rounds": {"game": "dummygame", "tables": [[2**40]]},
    "regroupings": {"table": "nothing", "players": [2**40]},
    "remove-newcomers": {"since": "2100-01-01T00:00:00Z"},
    "take-over": {},
    "reclaim": {},
    "corrections": {"points": {"0": 1, "1": -1}, "reason": "A slip"},
    "consent": {"agrees": True},
    # Of a game that waits for the house: who may ask hears that.
    "played": {"seq": 1, "games": [{"id": "made-here", "number": 1, "at": "21:14", "game": {}}]},
    "proposals": {"name": "Kari", "seq": 1, "games": [{"id": "made-here", "number": 1, "at": "21:14", "game": {}}]},
    "series": {"name": "Fridays", "weekday": 4, "start": "19:30"},
    "past-games": {
        "game": "chicago",
        "preset": "bavarian",
        # Players that there are not: the host alone hears so.
        "lines": [{"player": 2**40, "points": 0}, {"player": 2**41, "points": 1}],
    },
}
ACTS_SENT: dict[str, dict[str, Any]] = {
    "tournaments": {"act": "accept", "args": {"mark": "-"}},
    "nights": {"act": "admission", "args": {"by_hand": False, "cap": 60}},
    "owed": {"act": "untick", "args": {"side": "payer", "payment": 2**40}},
    "tables": {"act": "add_bot", "args": {"level": "low"}},
    "seasons": {"act": "stay", "args": {"stays": True}},
    "series": {"act": "add", "args": {"day": "2098-01-01"}},
    "dates": {"act": "restore"},
    "house-rules": {"act": "archive"},
    "webhooks": {"act": "test"},
}
"""What a POST of an act to the API says, by what it is about."""
ANSWER = {"agrees": True}


def _about(world: World, name: str) -> Any:
    """Return which thing of the world's an address is about."""
    if name in ("table_act", "table_rules"):
        return world.lobby
    if name in ("api_table_seats", "api_table_seat", "api_table_scorekeeper", "api_table_start", "api_table_acts"):
        return world.lobby
    if name.startswith(("dice", "replay", "table_log", "table_file", *API_OVER)):
        return world.over
    if name.startswith(("table", "api_table", "api_events", "api_commands")):
        return world.playing
    if name.startswith(("season", "api_season")):
        return world.season
    if name.startswith(("tournament", "api_tournament")) and name != "tournament_new":
        return world.tournament
    is_rules = name.startswith(("rule_", "api_house_rules", "api_rules"))
    return world.rules if is_rules else world.night


def told(world: World, browser: Client, method: str, where: str) -> str:
    """Return what a browser is told: the status, or "login" when it is sent there."""
    if method == "get":
        answer = browser.get(where)
    elif method == "delete":
        answer = browser.delete(where)
    elif where.startswith("/api/"):
        last = where.rstrip("/").rsplit("/", 1)[-1]
        nudge = {"id": "nudge", "name": "table.nudge", "args": {"seat": 0, "sitter": world.people["host"].pk}}
        sent = {"code": world.night.code} if last == "join" else API_SENT.get(last, nudge)
        if last == "acts":
            about = where.strip("/").split("/")
            sent = ACTS_SENT["owed" if about[-2] == "owed" else about[-3]]
        sent = ANSWER if "/corrections/" in where and last != "corrections" else sent
        sent = {"keep": "house"} if "/played/" in where and last not in API_SENT else sent
        answer = browser.post(where, sent, content_type="application/json")
    else:
        # A practice table's bots are of that game's levels.
        more: dict[str, Any] = {"level": ""} if where.startswith(("/play/", "/study/")) else {}
        # A person is put on a seat of a running table, which has a number.
        more |= {"seat": 1} if "/add_person/" in where else {}
        answer = browser.post(where, sent_form(world) | more)
    logins = (reverse("account_login"), reverse("admin:login"))
    if answer.status_code == 302 and answer["Location"].startswith(logins):
        return "login"
    return str(answer.status_code)


def sent_form(world: World) -> dict[str, Any]:
    """Return a form that makes sense wherever it is sent, so that only rights refuse it."""
    return {
        "player": world.people["guest"].pk,
        "nickname": "Somebody",
        "name": "Friday",
        "cap": 60,
        "number": "123456",
        "claim": 1,
        "seat": world.lobby.seats.get(index=1).seat_id,
        "by": "-1",
        "level": "low",
        "scope": "read",
        "code": world.night.code,
        "way": plugin.game("chicago").practice[0].id,
        "position": "4HPwATDgc/ABMA",
    }


def expected(file: str) -> dict[str, dict[str, str]]:
    """Return a table: row → role → what is told."""
    lines = [line for line in (HERE / file).read_text().splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("#")]
    roles = lines[0].split()[1:]
    found: dict[str, dict[str, str]] = {}
    for line in lines[1:]:
        cells = line.split()
        name, values = " ".join(cells[: -len(roles)]), cells[-len(roles) :]
        found[name] = dict(zip(roles, values, strict=True))
    return found


def line_of(name: str, values: dict[str, str]) -> str:
    """Return a line as the tables have it."""
    return f"{name:<44}" + "".join(f"{values[role]:<10}" for role in ROLES).rstrip()
