"""The API's addresses, below /api/v1/; games/urls.py keeps the path of before, too."""

from __future__ import annotations

from django.urls import path, re_path

from games.api import acts, base, schema_page
from games.api.calendar import all_series, dates, webhooks
from games.api.history import exports, leaderboards, past_games, results
from games.api.house_rules import games, sets
from games.api.nights import nights
from games.api.payments import owed
from games.api.people import brought, players, position, quiz
from games.api.seasons import figures, seasons, share_links, shared
from games.api.tables import draws, grades, handover, night_tables, regroupings, seats, tables
from games.api.tournaments import tournaments

_night = "nights/<slug:public_id>/"
_tournament = "tournaments/<slug:public_id>/"
_table = "tables/<slug:public_id>/"
_player = "players/<int:player_id>/"
_season = "seasons/<slug:public_id>/"
_series = "series/<str:key>/"
_date = f"{_series}dates/<slug:planned>/"
_rules = "house-rules/<slug:public_id>/"
_webhook = "webhooks/<slug:public_id>/"
_ACTS = (
    (_night, acts.NightActs, "night"),
    (f"{_night}owed/", acts.OwedActs, "owed"),
    (_table, acts.TableActs, "table"),
    (_season, acts.SeasonActs, "season"),
    (_series, acts.SeriesActs, "series"),
    (_date, acts.DateActs, "date"),
    (_rules, acts.RulesActs, "rules"),
    (_webhook, acts.WebhookActs, "webhook"),
)

urlpatterns = [
    path("me/", players.Me.as_view(), name="api_me"),
    path("me/quiz/", quiz.MyQuiz.as_view(), name="api_my_quiz"),
    path("me/matches/", brought.MyMatches.as_view(), name="api_my_matches"),
    path("me/matches/<slug:public_id>/", brought.MyMatch.as_view(), name="api_my_match"),
    path("venues/", nights.Venues.as_view(), name="api_venues"),
    path("games/", games.Games.as_view(), name="api_games"),
    path("games/<slug:game_id>/rules/", games.GameRules.as_view(), name="api_game_rules"),
    path("games/<slug:game_id>/events/", games.Events.as_view(), name="api_game_events"),
    path("games/<slug:game_id>/view/", games.SentShapes.as_view(), name="api_game_view"),
    path("games/<slug:game_id>/odds/", games.Odds.as_view(), name="api_odds"),
    path("house-rules/", sets.RuleSets.as_view(), name="api_rule_sets"),
    path(_rules, sets.RuleSet.as_view(), name="api_house_rules"),
    path(f"{_rules}versions/", sets.RuleVersions.as_view(), name="api_house_rules_versions"),
    path("nights/", nights.Nights.as_view(), name="api_nights"),
    path("nights/join/", nights.Join.as_view(), name="api_join"),
    path(_night, nights.OneNight.as_view(), name="api_night"),
    path(f"{_night}remove-newcomers/", nights.RemoveNewcomers.as_view(), name="api_night_remove_newcomers"),
    path(f"{_night}close/", nights.Close.as_view(), name="api_night_close"),
    path(f"{_night}take-over/", nights.TakeOver.as_view(), name="api_night_take_over"),
    path(f"{_night}reclaim/", nights.Reclaim.as_view(), name="api_night_reclaim"),
    path(f"{_night}people/", nights.People.as_view(), name="api_night_people"),
    path(f"{_night}tables/", night_tables.NightTables.as_view(), name="api_night_tables"),
    path(f"{_night}draws/", draws.Draws.as_view(), name="api_night_draws"),
    path(f"{_night}rounds/", draws.Rounds.as_view(), name="api_night_rounds"),
    path(f"{_night}regroupings/", regroupings.Regroupings.as_view(), name="api_night_regroupings"),
    path(f"{_night}tournaments/", tournaments.NightTournaments.as_view(), name="api_night_tournaments"),
    path(_tournament, tournaments.OneTournament.as_view(), name="api_tournament"),
    path(f"{_tournament}acts/", tournaments.TournamentActs.as_view(), name="api_tournament_acts"),
    path(f"{_night}leaderboard/", leaderboards.NightBoards.as_view(), name="api_night_leaderboard"),
    path("past-games/", past_games.PastNights.as_view(), name="api_past_games"),
    path("results/<int:number>/consent/", past_games.Consent.as_view(), name="api_result_consent"),
    path(f"{_night}past-games/", past_games.PastGames.as_view(), name="api_night_past_games"),
    path(f"{_night}position/", position.NightPosition.as_view(), name="api_night_position"),
    path(f"{_night}files/", exports.NightFiles.as_view(), name="api_night_files"),
    path(f"{_night}files/<path:name>", exports.NightFile.as_view(), name="api_night_file"),
    path(_table, tables.OneTable.as_view(), name="api_table"),
    path(f"{_table}events/", tables.Events.as_view(), name="api_events"),
    path(f"{_table}commands/", tables.Commands.as_view(), name="api_commands"),
    path(f"{_table}played/", handover.Played.as_view(), name="api_table_played"),
    path(f"{_table}played/<int:number>/", handover.WaitingList.as_view(), name="api_table_played_list"),
    path(f"{_table}played/proposals/", handover.ProposedList.as_view(), name="api_table_proposal"),
    path(f"{_table}rules/", tables.TableRules.as_view(), name="api_table_rules"),
    path(f"{_table}replay/", tables.Replay.as_view(), name="api_table_replay"),
    path(f"{_table}grades/", grades.Grades.as_view(), name="api_table_grades"),
    path(f"{_table}grades/deeper/", grades.Deeper.as_view(), name="api_table_grades_deeper"),
    path(f"{_table}grades/line/", grades.GradesLine.as_view(), name="api_table_grades_line"),
    path(f"{_table}seats/", seats.TakeSeat.as_view(), name="api_table_seats"),
    path(f"{_table}seats/<slug:seat>/", seats.LeaveSeat.as_view(), name="api_table_seat"),
    path(f"{_table}scorekeeper/", seats.Scorekeeper.as_view(), name="api_table_scorekeeper"),
    path(f"{_table}start/", seats.Start.as_view(), name="api_table_start"),
    path(f"{_table}again/", seats.Again.as_view(), name="api_table_again"),
    path(f"{_table}files/", exports.TableFiles.as_view(), name="api_table_files"),
    path(f"{_table}files/<path:name>", exports.TableFile.as_view(), name="api_table_file"),
    path(f"{_table}corrections/<slug:correction>/", results.AnswerCorrection.as_view(), name="api_table_correction"),
    path("results/<int:number>/corrections/", results.Correct.as_view(), name="api_result_corrections"),
    path("results/", results.Results.as_view(), name="api_results"),
    path("players/", players.Players.as_view(), name="api_players"),
    path(_player, players.OnePlayer.as_view(), name="api_player"),
    path(f"{_player}results/", players.PlayerResults.as_view(), name="api_player_results"),
    path(f"{_player}rivals/", players.PlayerRivals.as_view(), name="api_player_rivals"),
    path("leaderboards/", leaderboards.Leaderboard.as_view(), name="api_leaderboard"),
    path("seasons/", seasons.Seasons.as_view(), name="api_seasons"),
    path("seasons/<slug:public_id>/", seasons.OneSeason.as_view(), name="api_season"),
    path("webhooks/", webhooks.Webhooks.as_view(), name="api_webhooks"),
    path(_webhook, webhooks.OneWebhook.as_view(), name="api_webhook"),
    path("series/", all_series.AllSeries.as_view(), name="api_all_series"),
    path(_series, all_series.OneSeries.as_view(), name="api_series"),
    path(_date, dates.OneDate.as_view(), name="api_date"),
    path("seasons/<slug:public_id>/figures/", figures.SeasonFigures.as_view(), name="api_season_figures"),
    path("shared/<str:key>/", shared.Shared.as_view(), name="api_shared"),
    path(f"{_night}share/", share_links.NightShare.as_view(), name="api_night_share"),
    path(f"{_season}share/", share_links.SeasonShare.as_view(), name="api_season_share"),
    path(f"{_night}owed/", owed.Owed.as_view(), name="api_night_owed"),
    *(path(f"{where}acts/", view.as_view(), name=f"api_{thing}_acts") for where, view, thing in _ACTS),
    path("schema/", schema_page.Schema.as_view(), name="api_schema"),
    path("docs/", schema_page.Docs.as_view(), name="api_docs"),
    # Answers 404 in JSON; an address that lacks only its last slash is redirected first.
    re_path(r"^(?:.*/)?$", base.Nothing.as_view(), name="api_nothing"),
]
