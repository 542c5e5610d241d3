"""Names are sorted as the reader's language sorts them, by Python and by the database alike."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import translation

from games.models import Player
from games.services.people import name_order

NAMES = (
    "Zoë",
    "Ærlig",
    "Ödön",
    "anna",
    "Åse",
    "Bert",
    "Ägidius",
    "Ole",
    "Özge",
    "Øyvind",
    "Zacharias",
    "Émile",
    "Emil",
)
ORDER = {
    "de": (
        "Ærlig",
        "Ägidius",
        "anna",
        "Åse",
        "Bert",
        "Emil",
        "Émile",
        "Ödön",
        "Ole",
        "Øyvind",
        "Özge",
        "Zacharias",
        "Zoë",
    ),
    "nb": (
        "anna",
        "Bert",
        "Emil",
        "Émile",
        "Ole",
        "Zacharias",
        "Zoë",
        "Ägidius",
        "Ærlig",
        "Ödön",
        "Øyvind",
        "Özge",
        "Åse",
    ),
}


@pytest.mark.parametrize("language", ORDER)
@pytest.mark.django_db
def test_names_stand_where_their_language_has_them(make_player: Callable[[str], Player], language: str) -> None:
    for name in NAMES:
        make_player(name)
    with translation.override(language):
        sorted_here = tuple(name_order.by_name(NAMES, lambda name: name))
        by_database = tuple(Player.objects.order_by(name_order.order("nickname")).values_list("nickname", flat=True))
    assert sorted_here == ORDER[language]
    assert by_database == ORDER[language]


@pytest.mark.django_db
def test_a_slice_of_a_query_has_the_first_of_the_language(make_player: Callable[[str], Player]) -> None:
    for name in ("Zoë", "Åse", "Ole"):
        make_player(name)
    with translation.override("nb"):
        assert [each.nickname for each in Player.objects.order_by(name_order.order("nickname"))[:2]] == ["Ole", "Zoë"]
