"""The addresses of the site. Games have none of their own: routes use the table's id."""

from __future__ import annotations

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path
from django.urls.resolvers import RoutePattern

from games.web.assets import catalogues, manifest
from games.web.calendar import acts as calendar_acts
from games.web.calendar import mails, webhooks
from games.web.calendar import making as calendar_making
from games.web.calendar import page as calendar_page
from games.web.history import corrections, dice, exports, figures, leaderboards, past_games, replay, results
from games.web.house import notice
from games.web.house import page as house_page
from games.web.house_rules import rules, sets
from games.web.nights import acts as night_acts
from games.web.nights import device_transfer, door, home, join, practice, study_engine
from games.web.nights import page as night_page
from games.web.payments import acts as payment_acts
from games.web.payments import page as payment_page
from games.web.people import brought, claims, kept_positions, own_data, own_play, player, quiz, tokens
from games.web.screens import listing, screen
from games.web.seasons import acts as season_acts
from games.web.seasons import asking, making, sheets
from games.web.seasons import page as season_page
from games.web.sharing import page as sharing_page
from games.web.tables import acts as table_acts
from games.web.tables import dice_check, drawing, handed, opening, paper_sheet, tv, tv_plain
from games.web.tables import page as table_page
from games.web.tournaments import acts as tournament_acts
from games.web.tournaments import making as tournament_making
from games.web.tournaments import page as tournament_page


class AdminResolver(URLResolver):
    """The admin's addresses, loaded with the first request for one of them: few processes ever get one."""

    def _populate(self) -> None:
        """Look up no name for the tables of all pages: by its namespace a name is found without."""


_pages: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("manifest.webmanifest", manifest.manifest, name="manifest"),
    path("host/", home.host, name="host"),
    path("play/<slug:game_id>/", practice.practice, name="practice"),
    path("study/<slug:game_id>/", practice.study, name="study"),
    path("study/<slug:game_id>/engine/", study_engine.ask, name="study_engine"),
    path("study/<slug:game_id>/keep/", kept_positions.keep, name="position_keep"),
    path("me/", home.me, name="me"),
    path("me/tokens/", tokens.my_tokens, name="my_tokens"),
    path("me/listed/", home.be_listed, name="be_listed"),
    path("me/grades/", home.hide_grades, name="hide_grades"),
    path("me/mails/", home.want_mail, name="want_mail"),
    path("me/play/", own_play.my_play, name="my_play"),
    path("me/quiz/", quiz.my_quiz, name="my_quiz"),
    path("me/matches/", brought.my_matches, name="my_matches"),
    path("me/matches/bring/<str:token>/", brought.bring, name="my_match_bring"),
    path("me/matches/<slug:public_id>/", brought.my_match, name="my_match"),
    path("me/matches/<slug:public_id>/decisions.<slug:kind>", brought.my_match_file, name="my_match_file"),
    path("me/positions/<slug:public_id>/delete/", kept_positions.delete, name="position_delete"),
    path("me/moves/", device_transfer.my_moves, name="my_moves"),
    path("me/data/", own_data.my_data, name="my_data"),
    path("me/data/file/", own_data.my_data_file, name="my_data_file"),
    path("me/data/delete/", own_data.my_data_delete, name="my_data_delete"),
    path("account/", include("games.web.people.account_urls")),
    path("language/", home.set_language, name="set_language"),
    path("jsi18n/", catalogues.jsi18n, name="jsi18n"),
    path("jsi18n/<slug:game_id>/", catalogues.jsi18n, name="jsi18n"),
    path("join/", join.join, name="join"),
    path("j/<slug:public_id>/<slug:token>/", join.join_link, name="join_link"),
    path("j/<slug:public_id>/<slug:token>/again/", device_transfer.request_move, name="move_ask"),
    path("j/<slug:public_id>/<slug:token>/again/wait/", device_transfer.move_wait, name="move_wait"),
    path("j/<slug:public_id>/<slug:token>/again/use/", device_transfer.move_use, name="move_use"),
    path("handed/", handed.handed_games, name="handed_games"),
    path("night/<slug:public_id>/", night_page.night, name="night"),
    path("night/<slug:public_id>/live/", night_page.night_live, name="night_live"),
    path("night/<slug:public_id>/do/<slug:act>/", night_acts.night_act, name="night_act"),
    path("night/<slug:public_id>/tables/new/", opening.new_table, name="new_table"),
    path("night/<slug:public_id>/tables/draw/", drawing.draw_tables, name="draw_tables"),
    path("night/<slug:public_id>/tables/regroup/", drawing.regroup, name="regroup"),
    path("night/<slug:public_id>/tournament/new/", tournament_making.new, name="tournament_new"),
    path("tournament/<slug:public_id>/", tournament_page.tournament, name="tournament"),
    path("tournament/<slug:public_id>/live/", tournament_page.tournament_live, name="tournament_live"),
    path("tournament/<slug:public_id>/print/", tournament_page.tournament_print, name="tournament_print"),
    path("tournament/<slug:public_id>/standing.csv", tournament_page.tournament_csv, name="tournament_csv"),
    path("tournament/<slug:public_id>/draws/", tournament_page.tournament_draws, name="tournament_draws"),
    path(
        "tournament/<slug:public_id>/draws.json",
        tournament_page.tournament_draws_file,
        name="tournament_draws_file",
    ),
    path("tournament/<slug:public_id>/do/<slug:act>/", tournament_acts.tournament_act, name="tournament_act"),
    path("night/<slug:public_id>/claim/", claims.night_claim, name="night_claim"),
    path("night/<slug:public_id>/results/", results.night_results, name="night_results"),
    path("night/<slug:public_id>/position/", replay.night_position, name="night_position"),
    path("night/<slug:public_id>/owed/", payment_page.night_owed, name="night_owed"),
    path("night/<slug:public_id>/owed/live/", payment_page.owed_live, name="owed_live"),
    path("night/<slug:public_id>/owed/do/<slug:act>/", payment_acts.owed_act, name="owed_act"),
    path("past-game/", past_games.past_night, name="past_night"),
    path("past-game/points/", past_games.past_points, name="past_points"),
    path("past-game/<int:result_id>/answer/", past_games.answer_past_game, name="answer_past_game"),
    path("night/<slug:public_id>/past-game/", past_games.past_game, name="past_game"),
    path("night/<slug:public_id>/past-game/answer/", past_games.answer_evening, name="answer_evening"),
    path("result/<int:result_id>/correct/", corrections.correct, name="correct"),
    path(
        "table/<slug:public_id>/correction/<slug:correction_id>/",
        corrections.answer_correction,
        name="answer_correction",
    ),
    path("table/<slug:public_id>/", table_page.table, name="table"),
    path("table/<slug:public_id>/live/", table_page.table_live, name="table_live"),
    path("table/<slug:public_id>/sheet/", paper_sheet.paper_sheet, name="table_sheet"),
    path("table/<slug:public_id>/rules/", opening.table_rules, name="table_rules"),
    path("table/<slug:public_id>/do/<slug:act>/", table_acts.table_act, name="table_act"),
    path("table/<slug:public_id>/dice/", dice_check.dice_check, name="dice_check"),
    path("table/<slug:public_id>/dice/figures/", dice.table_dice, name="table_dice"),
    path("dice/", dice.house_dice, name="house_dice"),
    path("dice/rolls.csv", dice.house_rolls, name="house_rolls"),
    path("player/<int:player_id>/dice/", dice.player_dice, name="player_dice"),
    path("player/<int:player_id>/dice/rolls.csv", dice.player_rolls, name="player_rolls"),
    path("night/<slug:public_id>/files/<str:name>", exports.night_file, name="night_file"),
    path("table/<slug:public_id>/log.json", exports.table_log, name="table_log"),
    path("table/<slug:public_id>/files/<str:name>", exports.table_file, name="table_file"),
    path("table/<slug:public_id>/replay/", replay.replay, name="replay"),
    path("table/<slug:public_id>/replay/frames/", replay.frames, name="replay_frames"),
    path("tv/", screen.screen, name="screen"),
    path("tv/live/", screen.screen_live, name="screen_live"),
    path("tv/plain/", screen.screen_plain, name="screen_plain"),
    path("tv/letters/", screen.letters, name="screen_letters"),
    path("screens/", listing.listing, name="screens"),
    path("screens/do/<slug:act>/", listing.screen_act, name="screen_act"),
    path("tv/<slug:public_id>/<slug:token>/", tv.tv, name="tv"),
    path("tv/<slug:public_id>/<slug:token>/live/", tv.tv_live, name="tv_live"),
    path("tv/<slug:public_id>/<slug:token>/plain/", tv_plain.tv_plain, name="tv_plain"),
    path("player/<int:player_id>/", player.player, name="player"),
    path("player/<int:player_id>/figures/", figures.player_figures, name="player_figures"),
    path("players/", leaderboards.players, name="players"),
    path("leaders/", leaderboards.leaderboards, name="leaders"),
    path("leaders/figures/", figures.all_time, name="all_time_figures"),
    path("seasons/", making.index, name="seasons"),
    path("seasons/asked/<int:row_id>/", season_acts.answer, {"question": "asked"}, name="season_request"),
    path("seasons/named/<int:row_id>/", season_acts.answer, {"question": "named"}, name="season_name"),
    path("seasons/same/<int:row_id>/", season_acts.answer, {"question": "same"}, name="season_proposal"),
    path("seasons/new/", making.new, name="season_new"),
    path("season/<slug:public_id>/", season_page.season, name="season"),
    path("season/<slug:public_id>/in/<str:key>/", asking.entry, name="season_entry"),
    path("season/<slug:public_id>/asked/", asking.answer_asking, name="season_asked"),
    path("season/<slug:public_id>/live/", season_page.season_live, name="season_live"),
    path("season/<slug:public_id>/standing.csv", season_page.season_csv, name="season_csv"),
    path("season/<slug:public_id>/figures/", season_page.figures, name="season_figures"),
    path("season/<slug:public_id>/edit/", making.change, name="season_change"),
    path("season/<slug:public_id>/rules/", making.rules, name="season_rules"),
    path("season/<slug:public_id>/do/<slug:act>/", season_acts.season_act, name="season_act"),
    path("season/<slug:public_id>/sheet/", sheets.sheet, name="season_sheet"),
    path("season/<slug:public_id>/sheet/read/<str:token>/", sheets.read, name="season_sheet_read"),
    path("season/<slug:public_id>/sheet/<int:sheet_id>/columns/", sheets.columns, name="season_sheet_columns"),
    path("season/<slug:public_id>/sheet/<int:sheet_id>/names/", sheets.names, name="season_sheet_names"),
    path("shared/<str:key>/", sharing_page.shared, name="shared"),
    path("shared/<str:key>/picture.png", sharing_page.picture, name="shared_picture"),
    path("series/", calendar_making.index, name="series_list"),
    path("series/new/", calendar_making.new, name="series_new"),
    path("series/<str:key>/", calendar_page.series, name="series"),
    path("series/<str:key>/edit/", calendar_making.change, name="series_change"),
    path("series/<str:key>/poster/", calendar_page.poster, name="series_poster"),
    path("series/<str:key>/door/", door.poster_door, name="poster_door"),
    path("series/<str:key>/do/<slug:act>/", calendar_acts.series_act, name="series_act"),
    path("series/<str:key>/on/<slug:planned>/", calendar_page.series_date, name="series_date"),
    path("series/<str:key>/on/<slug:planned>/answer/", calendar_acts.date_answer, name="date_answer"),
    path("series/<str:key>/on/<slug:planned>/not-me/", calendar_acts.date_not_me, name="date_not_me"),
    path("series/<str:key>/on/<slug:planned>/own/<slug:secret>/", calendar_acts.date_own, name="date_own"),
    path("series/<str:key>/on/<slug:planned>/do/<slug:act>/", calendar_acts.date_act, name="date_act"),
    path("series/<str:key>/on/<slug:planned>/date.ics", calendar_page.date_ics, name="date_ics"),
    path("mail/<slug:token>/answer/<slug:says>/", mails.mail_answer, name="mail_answer"),
    path("mail/<slug:token>/stop/", mails.mail_stop, name="mail_stop"),
    path("series/<str:key>/webhooks/", webhooks.series_webhooks, name="series_webhooks"),
    path("night/<slug:public_id>/webhooks/", webhooks.night_webhooks, name="night_webhooks"),
    path("webhook/<slug:public_id>/do/<slug:act>/", webhooks.webhook_act, name="webhook_act"),
    path("feed/<str:feed_key>.ics", calendar_page.series_feed, name="series_feed"),
    path("rules/", rules.index, name="rules_index"),
    path("rules/<slug:game_id>/", rules.rules, name="rules"),
    path("rules/<slug:game_id>/preview/", opening.rules_preview, name="rules_preview"),
    path("house/", house_page.describe, name="house"),
    path("privacy/", notice.privacy, name="privacy"),
    path("without-seeing/", notice.without_seeing, name="without_seeing"),
    path("imprint/", notice.imprint, name="imprint"),
    path("house/logo/<slug:digest>/", house_page.logo, name="house_logo"),
    path("house-rules/", sets.index, name="rule_sets"),
    path("house-rules/import/", sets.import_file, name="rule_import"),
    path("house-rules/new/<slug:game_id>/", sets.new, name="rule_new"),
    path("house-rules/policy/<slug:game_id>/", sets.policy, name="rule_policy"),
    path("house-rules/<slug:public_id>/", sets.show, name="rule_set"),
    path("house-rules/<slug:public_id>/edit/", sets.change, name="rule_change"),
    path("house-rules/<slug:public_id>/file/", sets.export, name="rule_export"),
    path("house-rules/<slug:public_id>/do/<slug:name>/", sets.act, name="rule_act"),
    path(
        "house-rules/<slug:public_id>/versions/<int:number>/",
        sets.version,
        name="rule_version",
    ),
    path(settings.API_V1_PATH.removeprefix(settings.BASE_PATH), include("games.api.urls")),
    # The path before the versions had one, for one more version; by a namespace no link leads there.
    path(settings.API_PATH.removeprefix(settings.BASE_PATH), include(("games.api.urls", "api_unversioned"))),
    AdminResolver(
        RoutePattern(settings.ADMIN_PATH.removeprefix(settings.BASE_PATH)),
        *("games.admin.urls", None, "admin", "admin"),
    ),
]
urlpatterns = _pages if settings.BASE_PATH == "/" else [path(settings.BASE_PATH[1:], include(_pages))]

handler400 = "games.web.errors.bad_request"
handler403 = "games.web.errors.denied"
handler404 = "games.web.errors.not_found"
handler500 = "games.web.errors.server_error"
