"""The examples of the API's description: asked of the night of api_world, and cut short.

`MAKE_EXAMPLES=1 make test ARGS=tests/api/test_openapi.py` writes them anew, into
games/api/answers.json.
"""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime, timedelta
from typing import Any

from chouette.analysis import exercises
from games.models import BroughtMatch, GameGrades, Night, Result, ResultLine, Table, Tournament, Webhook
from games.models.night import today
from games.services import server_time
from games.services.commands import Actor, Request, new_command_id
from games.services.draws import drawn_tables
from games.services.grades import quiz
from games.services.history import past_games
from games.services.history.past_games import PastGame, PastLine
from games.services.house_rules.cards import card_mark
from games.services.nights import membership
from games.services.people import players
from games.services.tables import commit
from games.services.tournaments import acts, formats, tournaments
from tests.api.world import World, waiting_correction
from tests.chouette.analysis.files import SHORT
from tests.draws.test_drawn_rounds import started
from tests.draws.test_regrouping import played
from tests.grades.test_quiz import play

MOST = 2
AT = "2026-05-28T21:15:00+02:00"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
CUT = ("options", "properties", "required", "view", "bots", "stats", "about")

GET, POST, DELETE = "get", "post", "delete"
# Operation → method, path, body. Asked in this order: the later ones change what the first tell.
Asked = dict[str, tuple[str, str, Any]]


def asked(world: World) -> Asked:
    """Return what is asked of the API, as Kari, the host."""
    night, rules = world.night.public_id, world.rules.public_id
    player = world.players["kari"].pk
    past_lines = [{"player": player, "points": 0}, {"player": world.players["nils"].pk, "points": 1}]
    waits, plays, over = (f"tables/{t.public_id}/" for t in (world.lobby, world.playing, world.finished))
    mark = card_mark(world.lobby.preset, world.lobby.options)
    exercise, match = graded_elsewhere(world)
    code, key, planned = world.night.code, world.date.series.key, world.date.planned.isoformat()
    return {
        "getMe": (GET, "me/", None),
        "getQuiz": (GET, "me/quiz/", None),
        "answerQuiz": (POST, "me/quiz/", {"key": exercise, "choice": "8/5 6/5", "reviews": 0}),
        "listMatches": (GET, "me/matches/", None),
        "bringMatch": (POST, "me/matches/", {"game": "chouette", "name": "final.mat", "content": SHORT}),
        "getMatch": (GET, f"me/matches/{match}/", None),
        "listVenues": (GET, "venues/", None),
        "listGames": (GET, "games/", None),
        "getGameRules": (GET, "games/chicago/rules/", None),
        "getGameEvents": (GET, "games/chicago/events/", None),
        "getGameView": (GET, "games/chicago/view/", None),
        "getOdds": (GET, "games/chicago/odds/?preset=bavarian", None),
        "listHouseRules": (GET, "house-rules/", None),
        "getHouseRules": (GET, f"house-rules/{rules}/", None),
        "listHouseRulesVersions": (GET, f"house-rules/{rules}/versions/", None),
        "listNights": (GET, "nights/", None),
        "getNight": (GET, f"nights/{night}/", None),
        "listPeople": (GET, f"nights/{night}/people/", None),
        "listTables": (GET, f"nights/{night}/tables/", None),
        "getNightLeaderboard": (GET, f"nights/{night}/leaderboard/", None),
        "getNightPosition": (GET, f"nights/{elsewhere(world)}/position/", None),
        "voteOnPosition": (
            POST,
            f"nights/{elsewhere(world)}/position/",
            {"key": exercise, "choice": "8/5 6/5"},
        ),
        "listNightFiles": (GET, f"nights/{night}/files/", None),
        "getTable": (GET, plays, None),
        "listEvents": (GET, f"{plays}events/?after=0", None),
        "getTableRules": (GET, f"{waits}rules/", None),
        "getReplay": (GET, f"{over}replay/?first=1", None),
        "getGrades": (GET, f"{over}grades/", None),
        "getGradesLine": (GET, f"{over}grades/line/", None),
        "getDeeper": (GET, f"{over}grades/deeper/?ended={world.graded.result.seq}&row=0", None),
        "askDeeper": (POST, f"{over}grades/deeper/", {"ended": world.graded.result.seq, "row": 0}),
        "listTableFiles": (GET, f"{over}files/", None),
        "listResults": (GET, f"results/?night={night}", None),
        "listPlayers": (GET, "players/?q=ka", None),
        "getPlayer": (GET, f"players/{player}/", None),
        "listPlayerResults": (GET, f"players/{player}/results/", None),
        "listRivals": (GET, f"players/{player}/rivals/", None),
        "getLeaderboard": (GET, "leaderboards/?game=chicago", None),
        "listSeasons": (GET, "seasons/", None),
        "getSeason": (GET, f"seasons/{world.season.public_id}/", None),
        "listSeries": (GET, "series/", None),
        "getSeries": (GET, f"series/{key}/", None),
        "getDate": (GET, f"series/{key}/dates/{planned}/", None),
        "actAtDate": (POST, f"series/{key}/dates/{planned}/acts/", {"act": "places", "args": {"places": 12}}),
        "actAtSeries": (
            POST,
            f"series/{key}/acts/",
            {"act": "add", "args": {"day": (today() + timedelta(days=3)).isoformat()}},
        ),
        "listWebhooks": (GET, "webhooks/", None),
        "getWebhook": (GET, "webhooks/{hook}/", None),
        "makeSeries": (POST, "series/", {"name": "Fridays", "weekday": 4, "start": "19:30"}),
        "getSeasonFigures": (GET, f"seasons/{world.season.public_id}/figures/", None),
        "getShared": (GET, f"shared/{world.share.key}/", None),
        "getNightShare": (GET, f"nights/{night}/share/", None),
        "getSeasonShare": (GET, f"seasons/{world.season.public_id}/share/", None),
        "actAtSeason": (POST, f"seasons/{world.season.public_id}/acts/", {"act": "stay", "args": {"stays": True}}),
        "actAtOwed": (POST, f"nights/{night}/owed/acts/", {"act": "kitty", "args": {"player": player}}),
        "actAtWebhook": (POST, "webhooks/{hook}/acts/", {"act": "remove"}),
        "actAtRules": (POST, f"house-rules/{rules}/acts/", {"act": "duplicate"}),
        "actAtNight": (POST, f"nights/{night}/acts/", {"act": "admission", "args": {"by_hand": False, "cap": 40}}),
        "actAtTable": (POST, f"{waits}acts/", {"act": "add_bot", "args": {"level": "easy"}}),
        "getOwed": (GET, f"nights/{night}/owed/", None),
        "hostNight": (POST, "nights/", {"name": "Friday", "venue": world.venue.public_id}),
        "joinNight": (POST, "nights/join/", {"code": code}),
        "openTable": (
            POST,
            f"nights/{night}/tables/",
            {"game": "chicago", "preset": "bavarian", "options": {"rounds": 2}},
        ),
        "takeSeat": (POST, f"{waits}seats/", {"accept": True, "mark": mark, "nonce": "7f3a"}),
        "leaveSeat": (DELETE, f"{waits}seats/{world.lobby.seats.get(index=1).seat_id}/", None),
        "nameScorekeeper": (POST, f"{waits}scorekeeper/", {"player": world.night.host_id}),
        "startTable": (POST, f"{waits}start/", {"id": "start-1"}),
        "sendCommand": (
            POST,
            f"{plays}commands/",
            {"id": "pause-1", "name": "table.pause", "args": {}},
        ),
        "correctResult": (
            POST,
            f"results/{world.finished.results.earliest('pk').pk}/corrections/",
            {"points": {"0": 1}, "reason": "One round more"},
        ),
        "enterPastGame": (
            POST,
            f"nights/{night}/past-games/",
            {"game": "chicago", "preset": "bavarian", "lines": past_lines},
        ),
        "listPastGames": (GET, "past-games/", None),
        "answerPastGame": (POST, "results/{nils}/consent/", {"agrees": True}),
        "withdrawPastGame": (DELETE, "results/{kari}/consent/", None),
        "enterPastNight": (
            POST,
            "past-games/",
            {
                "day": "2026-04-30",
                "game": "chicago",
                "preset": "bavarian",
                "lines": [{"player": player, "points": 0}, {"name": "Opa Karl", "points": 1}],
                "id": "evening-1",
            },
        ),
        "answerCorrection": (
            POST,
            f"{over}corrections/{waiting_correction(world.finished)}/",
            {"agrees": True},
        ),
        "playAgain": (POST, f"{over}again/", {}),
        "drawTables": (POST, f"nights/{night}/draws/", {"game": "chicago", "size": 2}),
        "openRound": (
            POST,
            f"nights/{night}/rounds/",
            {"game": "chicago", "preset": "bavarian", "tables": [], "minutes": 60},
        ),
        "listRounds": (GET, f"nights/{night}/rounds/", None),
        "listTournaments": (GET, f"nights/{night}/tournaments/", None),
        "makeTournament": (
            POST,
            f"nights/{night}/tournaments/",
            {"name": "Cup", "game": "chouette", "kind": "open_end", "length": 3, "medium": "wood", "auto_seconds": 20},
        ),
        "getTournament": (GET, "tournaments/{cup}/", None),
        "actAtTournament": (POST, "tournaments/{cup}/acts/", {"act": "enter", "args": {"players": [player]}}),
        "removeNewcomers": (POST, f"nights/{night}/remove-newcomers/", {"since": AT}),
        "getTakeOver": (GET, f"nights/{night}/take-over/", None),
        "takeOver": (POST, f"nights/{night}/take-over/", {}),
        "reclaimNight": (POST, f"nights/{night}/reclaim/", {}),
        "listRegroupings": (GET, f"nights/{night}/regroupings/", None),
        "regroupTables": (POST, f"nights/{night}/regroupings/", {}),
        "closeNight": (POST, f"nights/{night}/close/", {}),
        "deleteMatch": (DELETE, f"me/matches/{match}/", None),
    }


def elsewhere(world: World) -> str:
    """Return the public id of Kari's other night, at which backgammon was played."""
    return Night.objects.get(name="Elsewhere", host=world.players["kari"]).public_id


def graded_elsewhere(world: World) -> tuple[str, str]:
    """Grade a mistake of Kari's at another night, and a match file; return the key and the id of these."""
    kari = world.players["kari"]
    night = membership.host_night(kari, "Elsewhere")
    table = Table.objects.create(night=night, game_id="chouette", preset="money", status=Table.Status.FINISHED, seq=9)
    made = {"number": 1, "seq": 9, "preset": "money", "reason": "", "unit": "points", "finished_at": datetime.now(UTC)}
    result = Result.objects.create(table=table, game_id="chouette", **made)
    ResultLine.objects.create(result=result, seat=0, player=kari, name="Kari", points=0, rank=1)
    row = play(0)
    made = {"graded_at": datetime.now(UTC), "engine": "judge 1", "level": "2-ply", "formula": 1}
    GameGrades.objects.create(result=result, rows=[row], **made)
    match = BroughtMatch.objects.create(
        owner=kari,
        game_id="chouette",
        name="final.mat",
        content=SHORT.encode(),
        digest=hashlib.sha256(SHORT.encode()).hexdigest(),
        about={"players": ["Kari", "Per"], "games": 1, "length": 0},
        brought_at=datetime.now(UTC),
    )
    exercise = exercises.exercise(row)
    assert exercise is not None
    return quiz.key_of("chouette", exercise), match.public_id


def with_past_game(world: World, path: str) -> str:
    """Return a path with the id of a past game that waits for an answer, in place of the name of its author."""
    if "{hook}" in path:
        hook = Webhook.objects.create(series=world.date.series, address="https://chat.example.org/in")
        return path.format(hook=hook.public_id)
    if "{cup}" in path:
        return path.format(cup=tournament_of(world).public_id)
    author = next((name for name in ("kari", "nils") if f"{{{name}}}" in path), "")
    return path.format(**{author: _past_game(world, author)}) if author else path


def tournament_of(world: World) -> Tournament:
    """Return the tournament of the night; the first time it is made, with a known secret number."""
    found = world.night.tournaments.order_by("pk").first()
    if found is None:
        cup = tournaments.TournamentDraft("Club cup", "chouette", "wood", formats.ChosenFormat("lives", 5, 240), 20)
        found = tournaments.make(world.night, world.players["kari"], cup)
        acts.carry_out(found, world.players["kari"], "enter", {"players": [world.players["nils"].pk]})
        world.night.tournaments.update(seed="0" * 64)
    return found


SMALL = ("k3vt8wnd2ycq", "z7qfb5mhr9xp")
"""The ids of two small chouettes in examples."""


def two_small_tables(world: World) -> list[str]:
    """Open two chouettes of three under the same rules where one has left after a game; return their public ids."""
    host = world.players["kari"]
    guests = [players.new_guest(name) for name in ("Ada", "Bo", "Eva", "Cem", "Dag", "Finn")]
    for guest in guests:
        membership.join(world.night, guest)
    groups = [[guest.pk for guest in three] for three in (guests[:3], guests[3:])]
    rules = drawn_tables.DrawnRules("chouette", "german")
    tables = [played(started(table, host)) for table in drawn_tables.open_together(world.night, host, rules, groups)]
    for table, third in zip(tables, (guests[2], guests[5]), strict=True):
        commit.submit(table.pk, Actor(third.pk), Request("table.leave", {}, new_command_id()))
    return [table.public_id for table in tables]


def _past_game(world: World, author: str) -> int:
    lines = [PastLine(world.players["kari"].pk, 0), PastLine(world.players["nils"].pk, 1)]
    return past_games.enter(world.night, world.players[author], PastGame("chicago", "bavarian", lines)).pk


def goes_before(world: World, operation: str) -> None:
    """Have Nils be the host where the example needs another one: long gone, or in place of Kari, who was it before."""
    night = Night.objects.filter(pk=world.night.pk)
    nils, kari = world.players["nils"], world.players["kari"]
    if operation == "getOwed":
        world.finished.options |= {"point_currency": "EUR", "point_value": 10}
        world.finished.save(update_fields=["options"])
    elif operation == "getTakeOver":
        night.update(host=nils, host_away_since=datetime.fromisoformat(AT) - timedelta(days=1000))
    elif operation == "reclaimNight":
        night.update(host=nils, former_hosts=[{"player": kari.pk, "at": server_time.now_ms()}])


def goes_with(world: World, operation: str, body: Any) -> Any:
    """Return a body with the people of the night, where it names them."""
    if operation == "openRound":
        return {**body, "tables": [[row.player_id for row in drawn_tables.people(world.night)]]}
    return body


def made(world: World) -> dict[str, Any]:
    """Return the examples of all operations that answer in JSON."""
    host, staff, found = world.client("host"), world.client("staff"), {}
    ids = names_of(world)
    for operation, (method, path, proposed) in asked(world).items():
        if operation == "listTournaments":
            ids[tournament_of(world).public_id] = "u3hcup7mz2ka"
        if operation == "startTable":
            host.post(f"/api/tables/{world.lobby.public_id}/seats/", {"bot": "easy"}, **JSON)
        if operation == "drawTables":
            for name in ("Uli", "Siv"):
                membership.join(world.night, players.new_guest(name))
        if operation == "removeNewcomers":
            membership.join(world.night, players.new_guest("Stranger"))
        goes_before(world, operation)
        body = goes_with(world, operation, proposed)
        if operation == "listRegroupings":
            ids |= dict(zip(two_small_tables(world), SMALL, strict=True))
        if operation == "regroupTables":
            one, other = (key for key, shown in ids.items() if shown in SMALL)
            body = {"table": other, "target": one}
        client = staff if operation == "listHouseRulesVersions" else host
        sent = {} if body is None else {"data": body, **JSON}
        answer = getattr(client, method)(f"/api/{with_past_game(world, path)}", **sent)
        assert answer.status_code < 300, (operation, answer.content)
        if operation == "makeTournament":
            ids |= {answer.json()["id"]: "n8dwq4rtyb6e", answer.json()["hash"]: f"{0xC0FFEE:064x}"}
        found[operation] = {"response": short(answer.json(), ids)}
        if body is not None:
            found[operation]["request"] = short(body, ids)
    return found


JSON = {"content_type": "application/json"}


def names_of(world: World) -> dict[str, str]:
    """Return the ids of the world with what stands for them in examples."""
    return {
        world.night.public_id: "t6kpnvq8dxh3",
        world.finished.public_id: "aw4kz7rmcy2e",
        world.playing.public_id: "h9dn3tbxq5su",
        world.lobby.public_id: "m8fvj2cgr6pa",
        world.rules.public_id: "e5qwzk9nh3dt",
        world.venue.public_id: "y2rbxc7mvj8f",
        world.date.series.key: "Jm2vW0q4Tn8sYd5xKcRz1A",
        waiting_correction(world.finished): "4f0c2a9b71de",
        str(world.night.code): "F7KQX",
    }


def short(value: Any, ids: dict[str, str], name: str = "") -> Any:
    """Return a JSON value cut short, with ids and times that stay the same."""
    if isinstance(value, dict):
        pairs = list(value.items())[: 3 if name in CUT else None]
        return {ids.get(k, k): short(v, ids, k) for k, v in pairs}
    if isinstance(value, list):
        kept = value if name in ("seats", "choices") else value[:MOST]
        return [short(one, ids, name) for one in kept]
    if isinstance(value, str):
        for old, new in ids.items():
            value = value.replace(old, new)
        if DAY.fullmatch(value):
            return AT[:10]
        return TIME.sub(AT, value)
    return value
