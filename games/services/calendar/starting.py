"""House rules of a series, with which its nights begin: chosen, or taken over from a night."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any

from games import plugin
from games.kernel.contract import Illegal
from games.kernel.options import OptionErrors
from games.models import Night, Player, Series, Table
from games.models.house import zone
from games.services.house_rules import offers, sets
from games.services.house_rules.compatibility import fit

SAME = "same"
"""The house rules that a series has already, or those of the night from which it is made."""
QUARTER = timedelta(minutes=15)


def newest_table(night: Night) -> Table | None:
    """Return the table of a night that was opened last, without those of tournaments."""
    return night.tables.filter(pairing=None).select_related("house_rules").order_by("-number").first()


def start_of(night: Night) -> time:
    """Return the local time at which a night was opened, to the nearest quarter of an hour."""
    opened = night.created_at.astimezone(zone()).replace(tzinfo=None)
    passed = (opened - datetime.combine(opened.date(), time())) / QUARTER
    return (datetime.combine(opened.date(), time()) + round(passed) * QUARTER).time()


def rules_of_night(night: Night, game_id: str) -> dict[str, Any]:
    """Return the house rules of a night's newest table as a series keeps them, if it is of that game."""
    table = newest_table(night)
    if table is None or table.game_id != game_id:
        return chosen_rules(None)
    if table.house_rules is not None:
        return {"house_rules": table.house_rules, "preset": "", "options": {}}
    return {"house_rules": None, "preset": table.preset, "options": table.options}


def chosen_rules(series: Series | None) -> dict[str, Any]:
    """Return the house rules of a series as fields of it; without one the house's own choice."""
    if series is None:
        return {"house_rules": None, "preset": "", "options": {}}
    return {"house_rules": series.house_rules, "preset": series.preset, "options": series.options}


def rules_fields(by: Player, game_id: str, said: str, same: dict[str, Any]) -> dict[str, Any]:
    """Return the house rules that a draft says: "" for the house's choice, SAME, or a set's public id.

    Raises Illegal `no_such_rules`, `rules_archived`, `sets_only`.
    """
    if said == SAME:
        return same
    if not said:
        return chosen_rules(None)
    rules = sets.find(said)
    offers.check_offer(by, game_id, rules)
    return {"house_rules": rules, "preset": "", "options": {}}


def terms_of(series: Series, host: Player) -> offers.Terms | None:
    """Return the house rules under which the house sets up tables of a series, None where game or rules are not known.

    They are those of the series, else the house's first choice (`offers.first_choice`).
    """
    game = plugin.all_games().get(series.game_id)
    if game is None:
        return None
    try:
        if series.house_rules is not None and series.house_rules in offers.on_offer(host, game.game_id):
            return offers.agree(host, game.game_id, "", {}, rules=series.house_rules)
        if series.house_rules is None and series.preset:
            now = fit(game.options, series.preset, series.options)
            return offers.agree(host, game.game_id, now.preset.id, now.values)
    except (Illegal, OptionErrors):
        # Such as rules that the house does not allow any more.
        pass
    return offers.first_choice(host, game.game_id)


def check_night(night: Night, by: Player) -> None:
    """Raise Illegal `not_host`, `night_of_series` unless a series may be made of a night."""
    if night.host_id != by.pk or night.is_practice:
        raise Illegal("not_host")
    if hasattr(night, "series_date"):
        raise Illegal("night_of_series")
