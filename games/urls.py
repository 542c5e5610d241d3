"""The addresses of the site. Games have none of their own: routes go by the table."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from games.web import (
    device,
    dice,
    health,
    home,
    join,
    night_acts,
    nights,
    players,
    results,
    rules,
    scripts,
    table_acts,
    table_page,
    table_rules,
    tv,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("host/", home.host, name="host"),
    path("me/", home.me, name="me"),
    path("language/", home.set_language, name="set_language"),
    path("jsi18n/", scripts.jsi18n, name="jsi18n"),
    path("join/", join.join, name="join"),
    path("j/<slug:public_id>/<slug:token>/", join.join_link, name="join_link"),
    path("j/<slug:public_id>/<slug:token>/again/", device.move_ask, name="move_ask"),
    path("j/<slug:public_id>/<slug:token>/again/wait/", device.move_wait, name="move_wait"),
    path("j/<slug:public_id>/<slug:token>/again/use/", device.move_use, name="move_use"),
    path("night/<slug:public_id>/", nights.night, name="night"),
    path("night/<slug:public_id>/live/", nights.night_live, name="night_live"),
    path("night/<slug:public_id>/do/<slug:act>/", night_acts.night_act, name="night_act"),
    path("night/<slug:public_id>/tables/new/", table_rules.new_table, name="new_table"),
    path("night/<slug:public_id>/results/", results.night_results, name="night_results"),
    path("table/<slug:public_id>/", table_page.table, name="table"),
    path("table/<slug:public_id>/live/", table_page.table_live, name="table_live"),
    path("table/<slug:public_id>/rules/", table_rules.table_rules, name="table_rules"),
    path("table/<slug:public_id>/do/<slug:act>/", table_acts.table_act, name="table_act"),
    path("table/<slug:public_id>/dice/", dice.dice_check, name="dice_check"),
    path("tv/<slug:public_id>/<slug:token>/", tv.tv, name="tv"),
    path("tv/<slug:public_id>/<slug:token>/live/", tv.tv_live, name="tv_live"),
    path("player/<int:player_id>/", players.player, name="player"),
    path("rules/", rules.index, name="rules_index"),
    path("rules/<slug:game_id>/", rules.rules, name="rules"),
    path("rules/<slug:game_id>/preview/", table_rules.rules_preview, name="rules_preview"),
    path("api/", include("games.api.urls")),
    path("admin/", admin.site.urls),
    path("healthz", health.healthz, name="healthz"),
]

handler400 = "games.web.errors.bad_request"
handler403 = "games.web.errors.denied"
handler404 = "games.web.errors.not_found"
handler500 = "games.web.errors.server_error"
