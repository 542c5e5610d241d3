"""Points per game and ratings: they equal a recount from results, and the pages call nothing else a rating."""

from __future__ import annotations

import math
import re
import statistics
from fractions import Fraction

import pytest
from django.urls import reverse

from games.models import Match, Player, ResultLine
from games.services.history import corrections, figures, player_history
from games.services.history.player_history import Filters
from games.services.people import merging, players
from games.services.seasons import entrants, season_nights, standings
from tests.kernel.test_figures import naive_ratings
from tests.seasons.test_matches import won
from tests.seasons.test_pages import browser
from tests.seasons.world import FIRST, THURSDAYS, account, evening, guests, make, night_of, play, set_rules

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(db: None) -> Player:
    """An organiser with an account."""
    return account("Olga")


def naive_games(player: Player) -> list[int]:
    """Return the points of each game of a player, corrections included, by reading every line."""
    games: dict[int, int] = {}
    for line in ResultLine.objects.filter(player=player, result__is_correction=False):
        games[line.result_id] = line.points
    for line in ResultLine.objects.filter(player=player, result__is_correction=True):
        if line.result.corrects_id in games:
            games[line.result.corrects_id] += line.points
    return list(games.values())


def seen(player: Player, name: str, *args: object, **query: str) -> str:
    """Return the text of a page for a player."""
    text = browser(player).get(reverse(name, args=args), query).content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def test_points_per_game_are_those_of_the_games_with_their_corrections(olga: Player) -> None:
    anna, bert = guests("Anna", "Bert")
    night = night_of(olga, FIRST, anna, bert)
    rows = [play(night, {anna: n, bert: -n}) for n in (4, -2, 6, 1, 3)]
    corrections.correct(rows[1], olga, {0: 5, 1: -5}, "counted wrongly")
    (kind,) = figures.means_by_kind(player_history.lines_of(anna, Filters()))
    games = naive_games(anna)
    assert sorted(games) == [1, 3, 3, 4, 6]
    assert kind.of.n == 5 and kind.of.mean == Fraction(sum(games), 5)
    half = (kind.of.high - kind.of.low) / 2
    assert half == pytest.approx(2.7764451 * statistics.stdev(games) / 5**0.5)


def test_games_that_a_person_has_not_agreed_to_are_in_no_mean(olga: Player) -> None:
    anna, bert = guests("Anna", "Bert")
    result = play(night_of(olga, FIRST, anna, bert), {anna: 4, bert: -4})
    result.lines.filter(player=anna).update(consent=ResultLine.Consent.ASKED)
    assert [key[0] for key in figures.means(ResultLine.objects.all())] == [bert.pk]


def test_a_seasons_figures_are_of_its_nights_and_of_what_counts_alone(olga: Player) -> None:
    season = make(olga)
    anna, bert, carl = guests("Anna", "Bert", "Carl")
    first, second = (evening(olga, day, {anna: n, bert: -n}) for day, n in zip(THURSDAYS, (4, 1), strict=False))
    evening(olga, THURSDAYS[2], {anna: 9, carl: -9})
    won(first, bert, anna)
    won(second, anna, bert)
    won(second, anna, bert)
    season_nights.detach(season, olga, second)
    found = {each.player: each for each in standings.figures_of(season, season_nights.nights_of(season))}
    assert {who: (each.mean.n, each.mean.mean) for who, each in found.items()} == {
        anna.pk: (2, Fraction(13, 2)),
        bert.pk: (1, Fraction(-4)),
        carl.pk: (1, Fraction(-9)),
    }
    naive = naive_ratings([(bert.pk, anna.pk, 5)])
    rating = found[bert.pk].rating
    assert rating is not None and rating.value == pytest.approx(float(naive[bert.pk][0]))
    assert found[carl.pk].rating is None
    entrants.enter(season, bert)
    set_rules(season, olga, who="entrants")
    (alone,) = standings.figures_of(season, season_nights.nights_of(season))
    assert (alone.player, alone.rating) == (bert.pk, None)


def test_ratings_of_all_time_follow_every_match_and_mergers(olga: Player) -> None:
    anna, bert, karl = guests("Anna", "Bert", "Karl")
    night, other = night_of(olga, FIRST, anna, bert), night_of(olga, THURSDAYS[1], karl, bert)
    rows = [won(night, anna, bert), won(night, bert, anna), won(other, karl, bert)]
    told = figures.ratings_of(figures.all_matches("chouette"))
    naive = naive_ratings([(each.winner_id, each.loser_id, each.length) for each in rows])
    values = {who: float(value) for who, (value, _experience) in naive.items()}
    assert {who: each.value for who, each in told.items()} == pytest.approx(values)
    merging.merge(karl, anna)
    own = figures.ratings_by_game(anna)["chouette"]
    naive = naive_ratings([(1, 2, 5), (2, 1, 5), (1, 2, 5)])
    assert own.value == pytest.approx(float(naive[1][0])) and own.matches == 3
    assert figures.ratings_by_game(karl) == {}


def test_the_pages_say_what_is_a_convention_and_what_is_no_rating(olga: Player) -> None:
    season = make(olga)
    anna, bert = guests("Anna", "Bert")
    night = evening(olga, FIRST, {anna: 4, bert: -4})
    won(night, anna, bert)
    text = seen(anna, "season_figures", season.public_id)
    assert "√N is a convention" in text and "only 1 is excluded" in text
    assert "For chouettes no rating was ever published" in text
    assert f"{1500 + 4 * 4.95 * math.sqrt(5) / 2:,.2f}" in text
    Match.objects.all().delete()
    text = seen(anna, "season_figures", season.public_id)
    assert "Rating of matches" not in text and "For chouettes no rating was ever published" in text


def test_figures_name_whom_the_reader_may_see(olga: Player) -> None:
    season = make(olga)
    anna, bert, carl, eve = guests("Anna", "Bert", "Carl", "Eve")
    evening(olga, THURSDAYS[0], {anna: 4, bert: -4})
    evening(olga, THURSDAYS[1], {carl: 3, bert: -3})
    text = seen(anna, "season_figures", season.public_id)
    assert "Bert" in text and "Carl" not in text and "a guest" in text
    told = browser(anna).get(reverse("api_season_figures", args=[season.public_id])).json()["figures"]
    assert {row["player"] and row["player"]["name"] for row in told} == {"Anna", "Bert", None}
    for name in ("season_figures", "api_season_figures"):
        assert browser(eve).get(reverse(name, args=[season.public_id])).status_code == 403


def test_the_figures_of_all_time_are_of_listed_people_alone(olga: Player) -> None:
    anna, bert = guests("Anna", "Bert")
    night = evening(olga, FIRST, {anna: 4, bert: -4})
    won(night, anna, bert)
    players.set_listed(anna, True)
    text = seen(bert, "all_time_figures", game="chouette", unit="points")
    assert "Anna" in text and "Bert" not in text


def test_a_persons_page_and_the_api_have_mean_range_and_rating(olga: Player) -> None:
    anna, bert = guests("Anna", "Bert")
    night = night_of(olga, FIRST, anna, bert)
    for points in (4, 2, 3, 5):
        play(night, {anna: points, bert: -points})
    assert " … " not in seen(anna, "player_figures", anna.pk), "of four games no range is told"
    play(night, {anna: 1, bert: -1})
    won(night, anna, bert)
    text = seen(anna, "player_figures", anna.pk)
    assert "1.04 … 4.96" in text and "1,522.14" in text
    told = browser(anna).get(reverse("api_player", args=[anna.pk])).json()
    (record,) = told["per_game"]
    assert (record["game"], record["unit"], record["mean"], record["games"]) == ("chouette", "points", "3", 5)
    eve = guests("Eve")[0]
    assert browser(eve).get(reverse("player_figures", args=[anna.pk])).status_code == 403
    naive = naive_ratings([(1, 2, 5)])
    assert told["ratings"]["chouette"]["value"] == round(float(naive[1][0]), 2)


def test_figures_are_kept_nowhere(olga: Player) -> None:
    anna, bert = guests("Anna", "Bert")
    night = night_of(olga, FIRST, anna, bert)
    match = won(night, anna, bert)
    assert figures.ratings_by_game(anna)["chouette"].value > 1500
    Match.objects.filter(pk=match.pk).update(winner=bert, loser=anna)
    assert figures.ratings_by_game(anna)["chouette"].value < 1500
