"""Kept positions: one's own list under names, private, of a guest or an account; asked in the quiz once judged."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from games.kernel.contract import Illegal
from games.kernel.options import OptionErrors
from games.models import KeptPosition, Player
from games.services.grades import kept_positions, quiz
from games.services.people import deletion, merging
from tests.grades.test_questions import CUBE, OPENING, THEIRS, Sayer, sayer  # noqa: F401
from tests.grades.test_quiz import NOW
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


def keep(browser: Client, name: str = "Opening", position: str = OPENING) -> str:
    """Keep a position by the page's form; return the page that follows."""
    address, form = reverse("position_keep", args=["chouette"]), {"name": name, "position": position}
    return browser.post(address, form, follow=True).content.decode()


def analyse() -> None:
    call_command("analyser", "--once", stdout=StringIO(), stderr=StringIO())


class TestList:
    def test_a_guest_without_a_name_keeps_a_position_and_finds_it_again(self) -> None:
        browser = browser_of()
        assert "Opening" in keep(browser)
        (found,) = KeptPosition.objects.all()
        assert found.owner.user is None and found.position == OPENING
        assert found.public_id in browser.get(reverse("study", args=["chouette"])).content.decode()

    def test_nobody_else_reads_or_deletes_it(self, make_player) -> None:
        kari, per = make_player("Kari"), make_player("Per")
        found = kept_positions.keep(kari, "chouette", "ZZSECRET", OPENING)
        for other in (browser_of(per), browser_of()):
            for page in (reverse("study", args=["chouette"]), reverse("my_quiz")):
                assert "ZZSECRET" not in other.get(page, {"of": "kept"}).content.decode()
            assert other.post(reverse("position_delete", args=[found.public_id])).status_code in {403, 404}
        assert KeptPosition.objects.filter(pk=found.pk).exists()
        browser_of(kari).post(reverse("position_delete", args=[found.public_id]))
        assert not KeptPosition.objects.exists()

    def test_a_position_is_there_once_under_its_newest_name(self, make_player) -> None:
        kari = make_player("Kari")
        kept_positions.keep(kari, "chouette", "First", OPENING)
        kept_positions.keep(kari, "chouette", "  Second   name ", f"see: {OPENING} (Kari)")
        assert [each.name for each in kept_positions.of(kari)] == ["Second name"]

    def test_the_201st_is_refused_with_a_code_and_one_of_the_200_may_be_renamed(self, make_player) -> None:
        kari, browser = make_player("Kari"), browser_of()
        about = {"owner": kari, "game_id": "chouette", "name": "one", "kept_at": NOW}
        KeptPosition.objects.bulk_create(KeptPosition(position=f"p{n}", **about) for n in range(199))
        kept_positions.keep(kari, "chouette", "last", OPENING)
        with pytest.raises(Illegal, match="too_many_positions"):
            kept_positions.keep(kari, "chouette", "one more", CUBE)
        assert kept_positions.keep(kari, "chouette", "renamed", OPENING).name == "renamed"
        browser = browser_of(kari)
        assert "You keep 200 positions. Delete one first." in keep(browser, "one more", CUBE)
        assert kept_positions.of(kari).count() == 200

    @pytest.mark.parametrize("position", ["", "hello", "XGID=oooo", OPENING.replace("E", "O"), "x" * 5000])
    def test_what_is_no_position_is_refused_and_leaves_neither_row_nor_guest(self, position: str) -> None:
        browser = browser_of()
        assert "message" in keep(browser, "Opening", position)
        assert not KeptPosition.objects.exists() and not Player.objects.exists()

    @pytest.mark.parametrize("name", ["", "   ", "x" * 81, "a\u202eb"])
    def test_a_bad_name_is_refused(self, make_player, name: str) -> None:
        with pytest.raises(Illegal, match="position_name"):
            kept_positions.keep(make_player("Kari"), "chouette", name, OPENING)
        assert not KeptPosition.objects.exists()

    def test_a_game_without_a_study_has_none(self, make_player) -> None:
        with pytest.raises(Illegal, match="no_such_game"):
            kept_positions.keep(make_player("Kari"), "chicago", "Dice", OPENING)
        assert browser_of().post(reverse("position_keep", args=["chicago"]), {"name": "x"}).status_code == 404


class TestPersonalData:
    def test_own_data_has_it_a_merger_joins_it_and_a_deletion_takes_it(self, make_player) -> None:
        guest, account = make_player("Kari"), make_player("Karin")
        kept_positions.keep(guest, "chouette", "of the guest", OPENING)
        kept_positions.keep(guest, "chouette", "both, guest", CUBE)
        kept_positions.keep(account, "chouette", "both, account", CUBE)
        (first, _second) = deletion.own_data(guest)["positions"]
        assert (first["game"], first["name"], first["position"]) == ("chouette", "of the guest", OPENING)
        merging.merge(guest, account)
        assert {each.name for each in kept_positions.of(account)} == {"of the guest", "both, account"}
        deletion.delete(account)
        assert not KeptPosition.objects.exists()


class TestQuiz:
    def test_it_is_asked_once_an_engine_has_judged_it(self, make_player, sayer: Sayer) -> None:  # noqa: F811
        kari = make_player("Kari")
        kept_positions.keep(kari, "chouette", "Opening", OPENING)
        assert quiz.quiz(kari, NOW).all == 0
        analyse()
        found = quiz.quiz(kari, NOW, is_of_kept=True).asked
        assert found is not None and (found.name, found.result) == ("Opening", None)
        assert found.made_with["engine"] == "sayer 1" and found.exercise.position == OPENING
        browser = browser_of(kari)
        page = browser.get(reverse("my_quiz"), {"of": "kept"}).content.decode()
        assert "<h2>Opening</h2>" in page and "What do you play with 3-1?" in page
        best = found.exercise.candidates[0].text
        form = {"key": found.key, "choice": best, "reviews": 0}
        answered = browser.post(f"{reverse('my_quiz')}?of=kept", form, follow=True).content.decode()
        assert "Right." in answered and "In the replay" not in answered and "?of=kept" in answered
        told = browser.get(reverse("api_my_quiz")).json()
        assert told["exercise"] is None and told["all"] == 1

    def test_a_cube_is_asked_as_doubling_or_not(self, make_player, sayer: Sayer) -> None:  # noqa: F811
        kari = make_player("Kari")
        kept_positions.keep(kari, "chouette", "Cube", CUBE)
        analyse()
        found = quiz.quiz(kari, NOW).asked
        assert found is not None and found.exercise.kind == "double"
        assert [(way.text, way.equity) for way in found.exercise.candidates] == [("No double", 0.2), ("Double", 0.1)]

    def test_where_there_is_nothing_to_choose_and_where_the_engine_failed_nothing_is_asked(
        self,
        make_player,
        sayer: Sayer,  # noqa: F811
    ) -> None:
        kari = make_player("Kari")
        kept_positions.keep(kari, "chouette", "The other side's cube", THEIRS)
        analyse()
        sayer.is_silent = True
        kept_positions.keep(kari, "chouette", "Silence", OPENING)
        analyse()
        assert quiz.quiz(kari, NOW).all == 0
        assert not KeptPosition.objects.filter(answer__isnull=True).exists(), "what failed is not asked for ever"


@pytest.fixture(autouse=True)
def _no_limits() -> None:
    cache.clear()


def test_a_text_without_a_position_is_refused_by_the_games_own_words(make_player) -> None:
    with pytest.raises(OptionErrors):
        kept_positions.keep(make_player("Kari"), "chouette", "Opening", "hello")
