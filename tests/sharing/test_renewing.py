"""Share links renewed, and opened, closed and renewed by programs and by the staff."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import AuditEntry, Night, NightEvent, Player, Season, ShareLink
from games.services.sharing import links
from tests.admin.pages import ask_path, staff_browser
from tests.calendar.test_api import program
from tests.seasons.test_pages import act
from tests.seasons.world import FIRST, account, evening, guests
from tests.sharing.test_sharing import night_act, outsiders

pytestmark = pytest.mark.django_db


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


@pytest.fixture
def night(olga: Player) -> Night:
    """A night of Olga's with a result."""
    anna, bert = guests("Anna", "Bert")
    return evening(olga, FIRST, {anna: 3, bert: -3})


def open_keys() -> list[str]:
    return [link.key for link in ShareLink.objects.filter(closed_at=None)]


def test_a_renewed_link_has_another_address_and_the_old_one_is_gone(olga: Player, season: Season, night: Night) -> None:
    links.open_night(night, olga)
    links.open_season(season, olga)
    old = {link.pk: link for link in ShareLink.objects.all()}
    assert "The link is a new one" in night_act(olga, night, "renew_share")
    assert "The link is a new one" in act(olga, season, "renew_share")
    assert all(outsiders(link) == 410 for link in old.values())
    new = ShareLink.objects.filter(closed_at=None)
    assert new.count() == 2 and not {link.key for link in old.values()} & set(open_keys())
    assert NightEvent.objects.filter(night=night, type="share_renewed").exists()
    assert season.events.filter(type="share_renewed").exists()
    assert AuditEntry.objects.filter(act="night_share_renewed", player=olga).exists()


def test_what_is_not_open_is_not_renewed_and_nobody_else_renews(olga: Player, season: Season, night: Night) -> None:
    anna = Player.objects.get(nickname="Anna")
    for code, renew in (
        ("share_closed", lambda: links.renew_night(night, olga)),
        ("share_closed", lambda: links.renew_season(season, olga)),
        ("not_host", lambda: links.renew_night(night, anna)),
        ("not_organiser", lambda: links.renew_season(season, anna)),
    ):
        with refused(code):
            renew()
    assert not ShareLink.objects.exists()


def send(client: Client, where: str, name: str = "") -> tuple[int, dict]:
    """Carry out an act at a thing by the API; without one read its link."""
    if not name:
        answer = client.get(f"/api/v1/{where}/share/")
    else:
        answer = client.post(f"/api/v1/{where}/acts/", {"act": name}, content_type="application/json")
    return answer.status_code, answer.json()


@pytest.mark.parametrize("kind", ["nights", "seasons"])
def test_programs_open_renew_and_close_links(olga: Player, season: Season, night: Night, kind: str) -> None:
    about = night if kind == "nights" else season
    where, client = f"{kind}/{about.public_id}", program(olga)
    assert send(client, where) == (200, {"key": None, "url": None, "opened_at": None})
    assert send(client, where, "share")[0] == 200
    opened = send(client, where)[1]
    assert [opened["key"]] == open_keys()
    assert Client().get(opened["url"]).status_code == 200
    assert send(client, where, "share")[0] == 200
    assert send(client, where)[1] == opened
    assert send(client, where, "renew_share")[0] == 200
    renewed = send(client, where)[1]
    assert [renewed["key"]] == open_keys() != [opened["key"]]
    assert Client().get(opened["url"]).status_code == 410
    assert send(client, where, "unshare")[0] == 200
    assert send(client, where)[1]["key"] is None
    assert Client().get(renewed["url"]).status_code == 410
    assert send(client, where, "renew_share")[1]["code"] == "share_closed"


@pytest.mark.parametrize("kind", ["nights", "seasons"])
def test_other_programs_read_and_change_no_link(olga: Player, season: Season, night: Night, kind: str) -> None:
    about = night if kind == "nights" else season
    (links.open_night if kind == "nights" else links.open_season)(about, olga)
    kept, other = open_keys(), program(account("Per"))
    for client, status in ((other, 403), (Client(), 401)):
        for name in ("", "share", "unshare", "renew_share"):
            found = send(client, f"{kind}/{about.public_id}", name)
            assert found[0] == status, (name, found)
            assert kept[0] not in str(found)
    assert open_keys() == kept


def test_the_staff_closes_and_renews_any_link_and_reads_no_key(olga: Player, season: Season, night: Night) -> None:
    links.open_night(night, olga)
    links.open_season(season, olga)
    first = open_keys()
    bar = staff_browser("bar", ["view_sharelink", "change_sharelink"])
    for link in ShareLink.objects.all():
        shown = bar.get(reverse("admin:games_sharelink_change", args=[link.pk])).content.decode()
        listed = bar.get(reverse("admin:games_sharelink_changelist")).content.decode()
        assert link.key not in shown + listed
        assert bar.post(ask_path("sharelink", "renew", link)).status_code == 302
    assert len(open_keys()) == 2 and not set(first) & set(open_keys())
    for link in ShareLink.objects.filter(closed_at=None):
        assert bar.post(ask_path("sharelink", "close", link)).status_code == 302
        assert bar.post(ask_path("sharelink", "close", link)).status_code == 400
    assert open_keys() == []
    acts = set(AuditEntry.objects.filter(user__username="bar").values_list("act", flat=True))
    assert acts == {"night_unshared", "night_share_renewed", "season_unshared", "season_share_renewed"}


def test_the_staff_opens_the_results_of_a_night(olga: Player, night: Night) -> None:
    bar = staff_browser("bar", ["view_night", "change_night"])
    assert bar.post(ask_path("night", "share", night)).status_code == 302
    assert len(open_keys()) == 1
    assert staff_browser("reader", ["view_night"]).post(ask_path("night", "share", night)).status_code == 403


def test_a_link_of_what_is_gone_is_neither_closed_nor_renewed(olga: Player, night: Night) -> None:
    links.open_night(night, olga)
    link = ShareLink.objects.get()
    Night.objects.filter(pk=night.pk).delete()
    link.refresh_from_db()
    staff = staff_browser("bar", ["view_sharelink", "change_sharelink"])
    assert staff.post(ask_path("sharelink", "renew", link)).status_code == 400
