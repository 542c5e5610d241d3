"""Refusals of the API alone, and of its tokens: code → message id."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

API: dict[str, Any] = {
    "not_known": _("This is for guests of the house: join a night first, or send a token."),
    "bad_token": _("This token opens nothing: it is unknown, too old or revoked."),
    "token_reads": _("This token may only read."),
    "unknown_param": _("This is not known here: %(name)s."),
    "not_one": _("Give this once, and with a value."),
    "no_odds": _("This game tells no odds."),
    "no_such_unit": _("The results of this game count in: %(units)s."),
    "no_such_file": _("There is no such file."),
    "card_changed": _("The rules have just changed. Please read them again."),
    "token_name": _("Give the token a name of at most %(longest)s characters."),
    "token_over": _("A token must be valid for some time to come."),
    "bad_scope": _("A token either reads or plays."),
    "too_many_tokens": _("There are %(most)s tokens already. Revoke one first."),
    "no_such_token": _("There is no such token."),
}
