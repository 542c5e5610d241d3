"""A night with everything that the API tells of: for its fuzzing, its examples and docs/api.md."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.test import Client

from games.kernel.figures.skill import Depth
from games.models import ApiToken, GameGrades, HouseRules, Night, Player, Season, SeriesDate, ShareLink, Table, Venue
from games.models.night import today
from games.services.calendar import all_series
from games.services.commands import new_command_id
from games.services.history import corrections
from games.services.house_rules import sets
from games.services.nights import membership
from games.services.people import accounts, tokens
from games.services.people import players as people_players
from games.services.seasons import seasons
from games.services.seasons.seasons import SeasonDraft
from games.services.sharing import links
from games.services.tables import setup
from tests import snapshots
from tests.conftest import answer, choices_at

GAME, PRESET = "chicago", "bavarian"
PASSWORD = "drei-wuerfel-im-becher"


@dataclass
class World:
    """Kari hosts "Thursday" at the Anker; Nils plays there; `chief` is of the staff.

    The night is in Kari's season; `date` is today's of a series of Kari's. Table 1 is finished, graded and corrected,
    table 2 is played, table 3 waits for Nils.
    """

    night: Night
    finished: Table
    playing: Table
    lobby: Table
    rules: HouseRules
    venue: Venue
    season: Season
    date: SeriesDate
    share: ShareLink
    graded: GameGrades
    players: dict[str, Player]
    tokens: dict[str, str]

    def client(self, who: str) -> Client:
        """Return a program that asks with somebody's token; "guest" has none."""
        token = self.tokens.get(who)
        return Client(headers={"Authorization": f"Bearer {token}"} if token else None)

    def path(self, operation: str) -> dict[str, Any]:
        """Return what is in the address of an operation."""
        table = self.lobby if operation in WAITING else self.playing
        if operation in OVER:
            table = self.finished
        file = "log.json" if operation == "getTableFile" else "results.csv"
        about = self.rules if "HouseRules" in operation else table
        about = self.night if operation in OF_THE_NIGHT else about
        about = self.season if operation.startswith("getSeason") else about
        return {
            "planned": self.date.planned.isoformat(),
            "public_id": about.public_id,
            "key": self.share.key if operation == "getShared" else self.date.series.key,
            "player_id": self.players["kari"].pk,
            "game_id": GAME,
            "name": file,
            "number": 1,
            "seat": self.lobby.seats.get(index=1).seat_id,
            "correction": waiting_correction(self.finished),
        }


def waiting_correction(table: Table) -> str:
    """Return the id of the correction that waits at a table as it is stored now."""
    table.refresh_from_db(fields=["corrections"])
    return str(table.corrections[0]["id"]) if table.corrections else "none"


WAITING = ("takeSeat", "leaveSeat", "nameScorekeeper", "startTable", "getTableRules")
OVER = (
    "getReplay",
    "getGrades",
    "getDeeper",
    "askDeeper",
    "playAgain",
    "listTableFiles",
    "getTableFile",
    "answerCorrection",
)
OF_THE_NIGHT = (
    "getNight", "closeNight", "getTakeOver", "takeOver", "reclaimNight", "listPeople", "listTables", "openTable",
    "getNightLeaderboard", "getNightPosition", "voteOnPosition", "listNightFiles", "getNightFile",
)  # fmt: skip


def account(name: str, **kwargs: Any) -> AbstractUser:
    """Return an account with a player."""
    user = get_user_model().objects.create_user(name.lower(), password=PASSWORD, **kwargs)
    accounts.own_player(user, name)
    return user


def make_world() -> World:
    """Make it all; the choices are the same each time, dice, ids and secrets are not."""
    users = {name: account(name.title()) for name in ("kari", "nils", "else")}
    users["chief"] = account("Chief", is_staff=True, is_superuser=True)
    players = {name: people_players.account_player(user) for name, user in users.items()}
    venue = Venue.objects.create(name="Zum Anker")
    night = membership.host_night(players["kari"], "Thursday", venue.public_id)
    membership.join(night, players["nils"])
    membership.host_night(players["else"], "Elsewhere")
    draft = sets.SetDraft(name="Thursday rules", preset=PRESET, options={"rounds": 1})
    keeper = sets.SetKeeper(user=users["chief"])
    rules = sets.create(keeper, GAME, draft)
    found = [_table(night, players, rules) for _ in range(3)]
    for table in found[:2]:
        _start(table, players)
    _play_out(found[0], players)
    for player in players.values():
        people_players.set_listed(player, True)
    tokens.create(users["kari"], "Old script")
    season = _season(players["kari"])
    links.open_season(season, players["kari"])
    return World(
        night, *found, rules, venue, season, _date(players["kari"]), ShareLink.objects.get(season=season),
        _graded(found[0]), players,
        {
            "host": tokens.create(users["kari"], "Script", ApiToken.Scope.PLAY)[1],
            "player": tokens.create(users["nils"], "Nils plays", ApiToken.Scope.PLAY)[1],
            "reader": tokens.create(users["nils"], "Nils reads")[1],
            "other": tokens.create(users["else"], "Other", ApiToken.Scope.PLAY)[1],
            "staff": tokens.create(users["chief"], "Chief", ApiToken.Scope.PLAY)[1],
        },
    )  # fmt: skip


def _graded(table: Table) -> GameGrades:
    """Grade the only game of a table: a choice of Kari's, which was looked at more deeply."""
    result = table.results.get(seq__isnull=False, is_correction=False)
    row = {"seq": result.seq, "seat": 0, "kind": "play", "counts": True, "error": 0.12, "graded": True}
    return GameGrades.objects.create(
        result=result,
        graded_at=datetime(2026, 1, 1, tzinfo=UTC),
        engine="judge 1",
        level="2-ply",
        depth=Depth.DEEP,
        formula=1,
        rows=[row | {"deeper": "3-ply"}],
    )


def _season(kari: Player) -> Season:
    """Return Kari's season, which the night is in."""
    first = today() - timedelta(days=30)
    draft = SeasonDraft("Spring", first, first + timedelta(days=90), GAME, "rounds")
    return seasons.create(kari, draft, seasons.proposed_preset(GAME))


def _date(kari: Player) -> SeriesDate:
    """Return today's date of a series of Kari's."""
    draft = all_series.SeriesDraft("Thursdays", today().weekday(), time(19, 30), size=4)
    date = all_series.create(kari, draft).dates.select_related("series").first()
    assert date is not None
    return date


def _table(night: Night, players: dict[str, Player], rules: HouseRules) -> Table:
    """Return a table with Kari, Nils and a bot."""
    table = setup.open_table(night, players["kari"], GAME, PRESET, {}, rules=rules)
    setup.sit(table, players["kari"], accept=True, nonce="k")
    setup.sit(table, players["nils"])
    return table


def _start(table: Table, players: dict[str, Player]) -> None:
    setup.sit(table, players["nils"], accept=True, nonce="n")
    setup.start(table, players["kari"], new_command_id())
    table.refresh_from_db()


@snapshots.kept()
def _play_out(table: Table, players: dict[str, Player]) -> None:
    """Play a table to its end, and correct its result."""
    rng = random.Random(7)
    while required := [c for c in choices_at(table) if c.required]:
        answer(table, required[0], option=rng.randrange(len(required[0].options)))
    table.refresh_from_db()
    result = table.results.get()
    corrections.correct(result, players["kari"], {0: 1}, "Kari took Nils's round")
    corrections.correct(result, players["nils"], {0: 1}, "And another one")
