"""The tournaments of a night: making one, reading it, and its acts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.act_bodies import ActOf
from games.api.auth import night_access
from games.api.base import ListView, View
from games.api.errors import BadOptions
from games.api.fields import Body, Json, PersonSerializer, Shape, Text, Whole
from games.api.nights.nights import INSIDE
from games.api.pagination import Pages
from games.api.schema import described
from games.kernel.contract import Illegal
from games.kernel.options import OptionErrors
from games.models import Tournament
from games.services import arguments, server_time
from games.services.nights import night_rights
from games.services.tournaments import acts, formats, modes, overview, rights, tournaments
from games.services.tournaments.overview import MatchShown, Person, SessionShown, SessionTable
from games.services.tournaments.rights import ACTS
from games.services.tournaments.tables import match_tables

TAG = "tournaments"
ROW = (
    "public_id", "night", "name", "status", "game_id", "medium", "format", "length", "created_at",
    "fee", "prizes", "waits_for_paid",
)  # fmt: skip
IN_TOURNAMENT = "not_known no_such_tournament not_inside removed log_unread"


class TournamentSerializer(Shape):
    """A tournament of a night; `format` is one of docs/tournaments.md."""

    id = serializers.CharField(source="public_id")
    night = serializers.CharField(source="night.public_id")
    name = serializers.CharField()
    status = serializers.ChoiceField(Tournament.Status.values)
    game = serializers.CharField(source="game_id")
    medium = serializers.CharField(allow_blank=True)
    format = Json()
    session_minutes = serializers.SerializerMethodField()
    entries = serializers.IntegerField(source="length")
    fee = serializers.IntegerField()
    prizes = serializers.ListField(child=serializers.IntegerField())
    waits_for_paid = serializers.BooleanField()
    modes = serializers.SerializerMethodField()
    hash = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_hash(self, tournament: Any) -> str:
        """Return the fingerprint of the secret number of the draws."""
        return tournaments.hash_of(_value(tournament, "seed"))

    @extend_schema_field(serializers.DictField(child=serializers.IntegerField(allow_null=True)))
    def get_modes(self, tournament: Any) -> dict[str, int | None]:
        """Return for each kind of proposals the seconds after which the house confirms them; null: it asks."""
        found = tournament["tournament"] if isinstance(tournament, dict) else tournament
        return {kind: modes.seconds_of(found, kind) for kind in modes.KINDS}

    def get_session_minutes(self, tournament: Any) -> int:
        """Return the minutes of the money session that each match is; 0 for matches of a length."""
        found = tournament["tournament"] if isinstance(tournament, dict) else tournament
        return match_tables.session_minutes(found)

    def get_url(self, tournament: Any) -> str:
        """Return the address of the tournament's page."""
        return reverse("tournament", args=[_value(tournament, "public_id")])


def _value(tournament: Any, name: str) -> str:
    return str(tournament[name] if isinstance(tournament, dict) else getattr(tournament, name))


class ParticipantSerializer(Shape):
    """A person in a tournament, by the `key` that acts and the log use; a deleted player is null."""

    key = serializers.CharField()
    player = PersonSerializer(allow_null=True)
    status = serializers.ChoiceField(["free", "playing", "pausing", "out", "withdrawn"])
    since = serializers.DateTimeField()
    place = serializers.IntegerField(allow_null=True)
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    lives = serializers.IntegerField(allow_null=True)
    accepted = serializers.BooleanField()
    paid = serializers.BooleanField()
    bank = serializers.IntegerField(allow_null=True, help_text="Of the kind `world_cup`.")
    agrees = serializers.BooleanField(help_text="To a last session of the kind `world_cup`.")


class SessionTableSerializer(Shape):
    """A table of a session: `table` is the id of its table, `points` are by the people's keys, null while it plays."""

    number = serializers.IntegerField()
    table = serializers.CharField(allow_null=True)
    people = serializers.ListField(child=serializers.CharField())
    points = serializers.DictField(child=serializers.IntegerField(), allow_null=True)


class SessionSerializer(Shape):
    """A session of a World-Cup Chouette; the games that run at `ends_at` are played out."""

    number = serializers.IntegerField()
    is_last = serializers.BooleanField()
    is_over = serializers.BooleanField()
    ends_at = serializers.DateTimeField()
    tables = SessionTableSerializer(many=True)


class TournamentMatchSerializer(Shape):
    """A match; `people` and `winner` are keys, `table` is the id of its table.

    `score`, and the points at its `start`, are in the order of the people.
    """

    id = serializers.CharField()
    people = serializers.ListField(child=serializers.CharField())
    status = serializers.ChoiceField(["running", "done", "void"])
    length = serializers.IntegerField()
    phase = serializers.IntegerField()
    round = serializers.IntegerField(allow_null=True)
    board = serializers.IntegerField(allow_null=True)
    table = serializers.CharField(allow_null=True)
    winner = serializers.CharField(allow_null=True)
    score = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    start = serializers.ListField(child=serializers.IntegerField())
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class OneTournamentSerializer(TournamentSerializer):
    """A tournament at a `minute`: people in the order of the standing, matches, what is proposed, warnings."""

    minute = serializers.IntegerField()
    forecast_end = serializers.DateTimeField(allow_null=True)
    people = ParticipantSerializer(many=True)
    matches = TournamentMatchSerializer(many=True)
    sessions = SessionSerializer(many=True)
    proposals = serializers.ListField(child=Json())
    warnings = serializers.ListField(child=Json())
    gone = serializers.ListField(child=Json(), help_text="Who has gone home with matches left, as docs/tournaments.md.")


class TournamentBody(Body):
    """A tournament to make: `settings` are those of the kind (docs/tournaments.md)."""

    name = Text(max_length=tournaments.LONGEST_NAME)
    game = Text(max_length=32)
    kind = Text(max_length=16)
    length = Whole(min_value=1, max_value=99, required=False, help_text="Of a match; needed where there are.")
    session_minutes = Whole(
        min_value=0, max_value=formats.MOST_SESSION_MINUTES, required=False, help_text="Of a money session for a match."
    )
    table_rules = Text(
        max_length=80,
        required=False,
        help_text="Of the kind `world_cup`: set- and the id of a rule set, or preset- and a variant.",
    )
    minutes = Whole(min_value=0, max_value=1440, required=False, help_text="Until the closing time; else 240.")
    medium = Text(max_length=16, required=False, allow_blank=True, help_text="Of the match tables; none without it.")
    boards = Whole(min_value=1, max_value=99, required=False)
    after = Whole(min_value=0, max_value=64, required=False, help_text="So many play a knock-out after the rounds.")
    settings = serializers.DictField(required=False)
    auto_seconds = Whole(min_value=0, max_value=300, required=False, help_text="Else directors confirm pairings.")
    last_lengths = serializers.ListField(
        child=Whole(min_value=1, max_value=99), max_length=8, required=False, help_text="The last round first."
    )
    rules = serializers.DictField(required=False, help_text="House rules of the matches, such as clock.")
    alone_minutes = Whole(
        min_value=1, max_value=60, required=False, allow_null=True, help_text="Else 3; null: never by one side alone."
    )
    late_minutes = Whole(min_value=0, max_value=60, required=False, help_text="For a penalty point; else 5, 0: none.")


class NightTournaments(ListView):
    """The tournaments of a night."""

    queryset = Tournament.objects.none()
    serializer_class = TournamentSerializer
    pagination_class = Pages

    @described(
        "listTournaments",
        "The tournaments of a night, the newest first",
        TournamentSerializer(many=True),
        tag=TAG,
        codes=f"{INSIDE} not_found",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return a page of tournaments."""
        return self.page(night_access(request, public_id).tournaments.select_related("night"))

    @described(
        "makeTournament",
        "Make a tournament (the host)",
        OneTournamentSerializer,
        tag=TAG,
        codes=f"{INSIDE} not_host night_closed practice_night too_many_tournaments tournament_name tournament_format "
        "no_such_game no_such_medium bad_match_length bad_session_minutes bad_auto_seconds bad_rule_minutes "
        "sets_only bad_argument bad_options "
        "no_such_preset no_such_rules rules_archived rules_broken rules_too_small",
        body=TournamentBody,
        status=201,
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Make a tournament; return it."""
        body = self.body(TournamentBody)
        host = self.player()
        try:
            found = tournaments.make(night_access(request, public_id), host, _draft(body))
        except OptionErrors as refusal:
            raise BadOptions(body["game"], refusal) from None
        return Response(told(found), 201)


def _draft(body: Mapping[str, Any]) -> tournaments.TournamentDraft:
    session = body.get("session_minutes", 0)
    if "length" not in body and not session and not formats.kind_of(body["kind"]).is_of_tables:
        raise Illegal("bad_argument", name="length")
    minutes = body.get("minutes", formats.USUAL_MINUTES)
    choice = formats.ChosenFormat(
        body["kind"],
        body.get("length", 1),
        minutes,
        body.get("boards"),
        body.get("after", 0),
        tuple(body.get("last_lengths", ())),
        body.get("settings"),
        session,
    )
    closes_at = server_time.now() + timedelta(minutes=minutes)
    return tournaments.TournamentDraft(
        body["name"],
        body["game"],
        body.get("medium", ""),
        choice,
        body.get("auto_seconds"),
        closes_at,
        body.get("rules", {}),
        body.get("alone_minutes", 3),
        body.get("late_minutes", 5),
        body.get("table_rules", ""),
    )


class OneTournament(View):
    """A tournament."""

    @described(
        "getTournament",
        "A tournament with its people, matches, standing and proposals",
        OneTournamentSerializer,
        tag=TAG,
        codes=IN_TOURNAMENT,
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the tournament to a member of its night."""
        found = rights.find(public_id)
        night_rights.check_inside(found.night, self.player())
        return Response(told(found))


class ActBody(ActOf):
    """An act and its arguments; people are named by their keys, new ones by their players' ids."""

    acts = ACTS


class TournamentActs(View):
    """Acts at a tournament."""

    @described(
        "actAtTournament",
        "Carry out an act at a tournament, as docs/tournaments.md lists them",
        OneTournamentSerializer,
        tag=TAG,
        codes=f"{IN_TOURNAMENT} not_director not_host night_closed bad_argument tournament_moved_on nothing_proposed "
        "entered_already not_entered entry_closed too_few_entered too_many_entered nobody_named no_such_player "
        "no_such_pairing match_decided match_not_running player_busy still_played player_gone no_such_board "
        "no_show_early bad_loser_points bad_points_ahead bad_break bad_auto_seconds not_your_match told_at_table "
        "card_changed too_many_directors "
        "no_phone not_open bad_seeds too_late_for_seeds match_begun nobody_out too_many_tables "
        "bad_prizes not_paid tournament_format bad_match_length no_last_round no_closing cup_left only_directs "
        "bad_time",
        body=ActBody,
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Carry out the act; return the tournament as it is then."""
        body = self.body(ActBody)
        player = self.player()
        found = rights.find(public_id)
        acts.carry_out(found, player, body["act"], body.get("args", {}), arguments.told_all)
        if body["act"] == "remove":
            return Response(TournamentSerializer(found).data)
        return Response(told(rights.find(public_id)))


def told(found: Tournament) -> dict[str, Any]:
    """Return a tournament as JSON for the members of its night."""
    shown = overview.of(found)
    more = {
        "minute": shown.reading.minute,
        "forecast_end": shown.forecast,
        "people": [_person(each) for each in shown.standing or shown.people.values()],
        "matches": [_match(each) for each in shown.matches],
        "sessions": [_session(each) for each in shown.sessions],
        "proposals": shown.reading.proposals,
        "warnings": shown.reading.state["warnings"],
        "gone": list(shown.reading.gone),
    }
    row = {name: getattr(found, name) for name in ROW}
    return dict(OneTournamentSerializer({**row, "seed": found.seed, "tournament": found, **more}).data)


def _person(person: Person) -> dict[str, Any]:
    names = ("key", "status", "since", "wins", "losses", "lives", "bank", "agrees")
    row = {name: getattr(person, name) for name in names}
    player = None if person.player.deleted_at else person.player
    ticks = {"accepted": person.has_accepted, "paid": person.has_paid}
    return {**row, "player": player, "place": person.place or None, **ticks}


def _session(session: SessionShown) -> dict[str, Any]:
    row = {name: getattr(session, name) for name in ("number", "is_last", "is_over")}
    return {**row, "ends_at": session.until, "tables": [_session_table(each) for each in session.tables]}


def _session_table(given: SessionTable) -> dict[str, Any]:
    return {
        "number": given.number,
        "table": None if given.table is None else given.table.public_id,
        "people": [person.key for person, _points in given.people],
        "points": {person.key: points for person, points in given.people} if given.is_over else None,
    }


def _match(match: MatchShown) -> dict[str, Any]:
    row = {name: getattr(match, name) for name in ("id", "status", "length", "phase", "round", "board")}
    return {
        **row,
        "people": [each.key for each in match.pair],
        "table": None if match.table is None else match.table.public_id,
        "winner": None if match.winner is None else match.winner.key,
        "score": None if match.score is None else list(match.score),
        "start": list(match.start),
        "started_at": match.started,
        "ended_at": match.ended,
    }
