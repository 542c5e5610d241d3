"""Kept sums and standings: after any acts they are what the results say."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import F
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.kernel.contract import Illegal
from games.models import Night, NightTally, Player, Result, ResultLine, Season
from games.services.history import consent, corrections, past_games
from games.services.history.past_games import PastGame, PastLine
from games.services.people import deletion, merging
from games.services.seasons import played, season_nights, seasons, standing_cache, standings
from games.services.tables import log
from tests.seasons.world import FIRST, THURSDAYS, evening, guests, make, night_of, play

pytestmark = pytest.mark.django_db

ACTS = ("result", "result", "correct", "past game", "agree", "merge", "delete", "attach", "detach", "weigh", "part")


class Acts:
    """Random acts at four nights of five people, and a season of three of them."""

    def __init__(self, olga: Player, data: st.DataObject) -> None:
        self.olga, self.data = olga, data
        self.people = guests("Anna", "Bert", "Carl", "Dora", "Emil")
        self.season = make(olga)
        days = [THURSDAYS[0], THURSDAYS[1], THURSDAYS[1], FIRST.replace(month=9)]
        self.nights = [night_of(olga, day, *self.people, close=False) for day in days]

    def pick(self, *choices: object):
        """Draw one of several."""
        return self.data.draw(st.sampled_from(choices))

    def act(self, name: str) -> None:
        """Carry an act out, unless it is refused."""
        try:
            with transaction.atomic():
                getattr(self, f"_{name.replace(' ', '_')}")(self.pick(*self.nights))
        except Illegal:
            pass

    def _there(self, count: int) -> list[Player]:
        """Draw people who are neither merged nor deleted."""
        here = [player for player in Player.objects.filter(pk__in=[p.pk for p in self.people]) if player.is_somebody]
        return self.data.draw(st.permutations(here))[:count]

    def _points(self) -> list[int]:
        won = self.data.draw(st.integers(-9, 9))
        return [won, -won]

    def _result(self, night: Night) -> None:
        two = self._there(2)
        if len(two) == 2:
            play(night, dict(zip(two, self._points(), strict=True)), self.pick("german", "money"))

    def _past_game(self, night: Night) -> None:
        two = self._there(2)
        lines = [PastLine(player.pk, points) for player, points in zip(two, self._points(), strict=False)]
        past_games.enter(night, self.olga, PastGame("chouette", "german", lines))

    def _agree(self, night: Night) -> None:
        for result in consent.waiting(night):
            consent.answer(result.pk, self.pick(*self._there(5), self.olga), agrees=self.pick(True, False))

    def _correct(self, night: Night) -> None:
        for result in Result.objects.filter(table__night=night, is_correction=False)[:1]:
            won, lost = self._points()
            corrections.correct(result, self.olga, {0: won, 1: lost}, "counted wrongly")

    def _merge(self, _night: Night) -> None:
        two = self._there(2)
        if len(two) == 2:
            merging.merge(*two)

    def _delete(self, _night: Night) -> None:
        for player in self._there(1):
            deletion.delete(player)

    def _attach(self, night: Night) -> None:
        season_nights.attach(self.season, self.olga, night)

    def _detach(self, night: Night) -> None:
        season_nights.detach(self.season, self.olga, night)

    def _weigh(self, night: Night) -> None:
        season_nights.weigh(self.season, self.olga, night, self.pick(1, 2, 9))

    def _part(self, night: Night) -> None:
        season_nights.part(self.season, self.olga, night)


def from_nothing() -> dict[tuple[object, ...], list[int]]:
    """Return points and games by night, player, game, unit, variant and medium, straight from the results."""
    found: dict[tuple[object, ...], list[int]] = {}
    counted = ResultLine.objects.filter(player__isnull=False, is_bot=False, consent="given")
    for line in counted.select_related("result__table"):
        result = line.result
        about = (result.game_id, result.unit, result.preset, result.medium)
        sums = found.setdefault((result.table.night_id, line.player_id, *about), [0, 0])
        sums[0] += line.points
        sums[1] += not result.is_correction
    return found


def kept() -> dict[tuple[object, ...], list[int]]:
    """Return the same from the kept rows."""
    about = ("night", "player", "game_id", "unit", "preset", "medium")
    return {tuple(row[:6]): list(row[6:]) for row in NightTally.objects.values_list(*about, "points", "played")}


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_after_any_acts_the_kept_sums_and_the_kept_standing_are_what_the_results_say(
    olga: Player, data: st.DataObject
) -> None:
    with transaction.atomic():
        acts = Acts(olga, data)
        for name in data.draw(st.lists(st.sampled_from(ACTS), min_size=4, max_size=14)):
            acts.act(name)
            season = Season.objects.get(pk=acts.season.pk)
            assert kept() == from_nothing()
            found = played.played(season)
            assert standing_cache.season_standing(season, found) == standings.computed(season, found)
            course = standing_cache.course(season, found, standing_cache.season_standing(season, found), 12)
            ends = range(1, len(found.columns) + 1)
            fresh = [standings.computed(season, found, columns=found.columns[:end]) for end in ends]
            if fresh:
                assert course == [{str(row.player): row.place for row in step.rows} for step in fresh]
        transaction.set_rollback(True)
    log.forget_all()


def test_the_sums_are_compared_with_the_results_and_computed_again(olga: Player, season: Season) -> None:
    anna, bert = guests("Anna", "Bert")
    evening(olga, FIRST, {anna: 3, bert: -3})
    before = kept()
    assert rebuilt("--check") == rebuilt() == "All sums are right.\n"
    NightTally.objects.filter(player=anna).update(points=F("points") + 1)
    NightTally.objects.filter(player=bert).delete()
    with pytest.raises(CommandError, match="2 sums"):
        rebuilt("--check")
    assert kept() != before
    assert rebuilt() == "2 sums were wrong, and are right now.\n"
    assert kept() == before


def rebuilt(*options: str) -> str:
    """Return what the command says."""
    out = StringIO()
    call_command("rebuild_tallies", *options, stdout=out)
    return out.getvalue()


def test_a_closed_season_whose_night_is_corrected_says_so_though_its_standing_was_kept(
    olga: Player, season: Season
) -> None:
    anna, bert = guests("Anna", "Bert")
    night = evening(olga, FIRST, {anna: 3, bert: -3})
    seasons.close(season, olga)
    assert not standing_cache.is_outdated(season)
    play(night, {anna: -9, bert: 9})
    assert standing_cache.is_outdated(season)
