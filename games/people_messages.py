"""Refusals about people, accounts and claims, in words; `games.messages` puts them to the rest."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

PEOPLE: dict[str, Any] = {
    "banned": _("This house lets you in no more. Talk to the people who run it."),
    "already_banned": _("This player is banned already."),
    "no_reason_given": _("Say why, in up to %(longest)s characters."),
    "not_banned": _("This player is not banned."),
    "has_account": _("This name belongs to an account: log in on this phone instead."),
    "no_account": _("This needs an account: create one or log in."),
    "not_a_guest": _("This history belongs to an account already."),
    "wrong_password": _("This is not your password."),
    "not_confirmed": _("Tick the box first."),
    "same_player": _("This is the same player."),
    "gone_player": _("This player is gone: joined to another one, or deleted."),
    "not_met": _("You have not met this player at any night: only those who have see this page."),
    "two_accounts": _("Both players have an account of their own."),
    "same_table": _("Both sat at table %(number)s of “%(night)s”: they can't be one and the same person."),
    "claim_gone": _("This question has been answered or has become too old."),
    "too_soon": _("Their own phone is asked first. Wait %(seconds)s seconds."),
    "host_not_on_offer": _("The host's own name is not given to another phone. Hand the night over first."),
    "own_claim": _("You are the host: nobody can confirm this to you. Log in on the phone that you played on."),
    "hosts_a_night": _("You host “%(night)s”. Close the night or hand it over first."),
    "staff_account": _("This account belongs to the staff of the house: ask another admin."),
}
