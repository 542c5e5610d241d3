"""Every address of a page that takes a form: its acts are declared, or it is written here why they are none."""

from __future__ import annotations

import pytest
from django.urls import URLPattern

from games.api.urls import urlpatterns
from games.services.acts import ALL
from tests.security.roles import roles
from tests.security.roles.roles import expected

THINGS = {"rule_act": "rules"} | {f"{thing}_act": thing for thing in ALL if thing not in ("rules", "command")}
"""The address of a thing's acts → the thing."""
FORMS_OF_ACTS = {
    "series_webhooks": ("series", "add_webhook"),
    "night_webhooks": ("night", "add_webhook"),
    "date_answer": ("date", "answer"),
    "date_own": ("date", "answer"),
    "mail_answer": ("date", "answer"),
    "mail_stop": ("series", "mails"),
    "season_asked": ("season", "enter"),
    "season_entry": ("season", "enter"),
}
"""A page that carries out a declared act: its form is shown again with its faults, or its link stands for a right."""
BY_API = {
    "host": "api_nights",
    "join": "api_join",
    "join_link": "api_join",
    "poster_door": "api_join",
    "new_table": "api_night_tables",
    "draw_tables": "api_night_draws",
    "regroup": "api_night_regroupings",
    "tournament_new": "api_night_tournaments",
    "past_game": "api_night_past_games",
    "past_night": "api_past_games",
    "answer_past_game": "api_result_consent",
    "answer_evening": "api_result_consent",
    "correct": "api_result_corrections",
    "answer_correction": "api_table_correction",
    "night_position": "api_night_position",
    "my_quiz": "api_my_quiz",
    "my_match_bring": "api_my_matches",
    "my_match": "api_my_match",
    "series_new": "api_all_series",
}
"""What makes a thing, or answers one, and has an address of its own in the API."""
OWN = "It is about one's own account, name, device or language, which a token of that account does not change."
DOCUMENT = "A document is edited as a whole in a form of many fields, which shows what follows from them."
ASKED = "Who is asked answers on the page that asks; the API asks nobody."
PLAYED = "It plays with the computer, or shows a poster: a program needs no page for it."
READS = "It takes a form and writes nothing."
REASONS = {
    **dict.fromkeys(("me", "be_listed", "hide_grades", "want_mail", "set_language", "my_tokens", "my_moves"), OWN),
    **dict.fromkeys(("date_not_me", "screen_letters", "position_keep", "position_delete"), OWN),
    **dict.fromkeys(
        ("my_data_file", "my_data_delete", "usersessions_list", "night_claim", "move_ask", "move_use"), OWN
    ),
    **dict.fromkeys(("season_new", "season_change", "season_rules", "series_change"), DOCUMENT),
    **dict.fromkeys(("rule_import", "rule_new", "rule_policy", "rule_change", "house"), DOCUMENT),
    **dict.fromkeys(("season_sheet_read", "season_sheet_columns", "season_sheet_names"), DOCUMENT),
    **dict.fromkeys(("season_request", "season_name", "season_proposal"), ASKED),
    **dict.fromkeys(("practice", "study", "study_engine", "series_poster"), PLAYED),
    **dict.fromkeys(("rules_preview", "past_points"), READS),
    "screen_act": "Whoever takes in a screen of the house reads its letters in the room; a program does not.",
    "admin:index": "The admin has acts of its own, each in the audit.",
}
"""Address → why its form is no declared act."""


def posts() -> set[str]:
    """Return the names of the pages that take a POST: the lines of roles_pages.txt, which test_roles.py walks."""
    rows = (row.split()[1].split("/")[0] for row in expected("roles_pages.txt") if row.startswith("POST "))
    return {name for name in rows if not name.startswith("api_")} | {"night_act"}


def undeclared(names: set[str]) -> set[str]:
    """Return the pages that neither carry out acts of the registry nor have their reason here."""
    known = THINGS.keys() | FORMS_OF_ACTS.keys() | BY_API.keys() | REASONS.keys()
    return {name for name in names - known if not name.startswith(("account_", "mfa_"))}


def test_every_form_of_a_page_is_an_act_of_the_registry_or_says_why_not() -> None:
    """The pages of accounts (`account_…`, `mfa_…`) are about one's own account."""
    assert undeclared(posts()) == set()
    assert (FORMS_OF_ACTS.keys() | BY_API.keys() | REASONS.keys()) - posts() == set()


def test_a_planted_address_without_a_reason_is_found() -> None:
    assert undeclared({*posts(), "night_dance"}) == {"night_dance"}


def test_the_acts_and_addresses_that_stand_for_forms_are_there() -> None:
    assert all(name in ALL[thing] for thing, name in FORMS_OF_ACTS.values())
    assert set(BY_API.values()) <= {pattern.name for pattern in urlpatterns}


@pytest.mark.parametrize(("address", "thing"), sorted(THINGS.items()))
def test_a_things_acts_have_one_address_on_the_pages_and_one_in_the_api(address: str, thing: str) -> None:
    found = [pattern for _route, pattern in roles.patterns() if pattern.name in (address, f"api_{thing}_acts")]
    assert {each.name for each in found if isinstance(each, URLPattern)} == {address, f"api_{thing}_acts"}
