"""The rules card for pages; it is made in `games.services.cards`, for the API too."""

from games.models import Table
from games.services.cards import (
    Card,
    Difference,
    Line,
    card_mark,
    differences,
    fill,
    rules_card,
    shown,
    worded,
)

__all__ = [
    "Card",
    "Difference",
    "Line",
    "card_mark",
    "differences",
    "fill",
    "rules_card",
    "shown",
    "table_card",
    "worded",
]


def table_card(table: Table) -> Card:
    """Return the rules card of a table, under the name that its rules were opened by."""
    name, version = table.house_rules_name, table.house_rules_version
    return rules_card(table.game_id, table.preset, table.options, name, version)
