"""The API's addresses, below /api/."""

from __future__ import annotations

from django.urls import path
from rest_framework.decorators import api_view, throttle_classes

from games.api import views
from games.api.authentication import CommandThrottle

get = api_view(["GET"])
post = api_view(["POST"])
commands = post(throttle_classes([CommandThrottle])(views.commands))

urlpatterns = [
    path("games/", get(views.games), name="api_games"),
    path("tables/<slug:public_id>/", get(views.table), name="api_table"),
    path("tables/<slug:public_id>/events/", get(views.events), name="api_events"),
    path("tables/<slug:public_id>/commands/", commands, name="api_commands"),
]
