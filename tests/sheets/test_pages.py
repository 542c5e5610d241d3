"""A spreadsheet by its pages: six steps, refusals that lose nothing, and enemies."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from games.models import Player, Season, SeasonName, SeasonSheet, SheetRow
from games.ops.requests.body_limit import LONGEST_BODY, cut_line, longest_body
from games.services.sheets import address, sheets
from tests.seasons.test_pages import act, browser, page
from tests.seasons.world import FIRST, account, guests, night_of
from tests.sheets.test_sheets import TOTALS, WIDE, take
from tests.web.pages import read

pytestmark = pytest.mark.django_db


def send(client: Client, season: Season, by: Player, **sent: object):
    """Send a table to the address that the page of an organiser would have signed."""
    token = address.token(by.user_id or 0, season.public_id)
    return client.post(reverse("season_sheet_read", args=[season.public_id, token]), sent)


def fields(text: str) -> dict[str, str]:
    """Return the fields of a page's form as it stands: inputs, and the chosen options of its selects."""
    tree = read(text)
    found = {tag.attrs["name"]: tag.attrs.get("value", "") for tag in tree.all("input") if "name" in tag.attrs}
    return {name: value for name, value in found.items() if name != "csrfmiddlewaretoken"}


def test_a_table_is_taken_in_and_undone_by_its_pages(olga: Player, season: Season) -> None:
    (anna,) = guests("Anna")
    night_of(olga, FIRST, anna)
    client = browser(olga)
    form = client.get(reverse("season_sheet", args=[season.public_id])).content.decode()
    where = next(tag.attrs["action"] for tag in read(form).all("form") if "sheet/read/" in tag.attrs.get("action", ""))
    file = SimpleUploadedFile("season.csv", WIDE.encode("cp1252"))
    columns = client.post(where, {"file": file}, follow=True)
    kinds = {"kind-0": "name", "kind-1": "night", "kind-2": "night", "head": "0", "read_head": "0"}
    days = {"day-1": "2026-10-01", "day-2": "2026-10-08"}
    assert all(f'value="{day}"' in columns.content.decode() for day in days.values())
    asked = client.post(columns.redirect_chain[-1][0], kinds | days, follow=True)
    text = asked.content.decode()
    assert "Who is this?" in text
    assert "1 known name" in text
    said = fields(text) | {"who-0": str(anna.pk), "who-1": "text"}
    done = client.post(asked.redirect_chain[-1][0], said, follow=True).content.decode()
    assert "The spreadsheet is in the season." in done
    assert "Opa Karl" in done
    assert "A spreadsheet was taken in: 4 rows." in done
    assert "is you" in browser(anna).get(reverse("seasons")).content.decode()
    address_of = reverse("season_name", args=[SeasonName.objects.get(asked=anna).pk])
    browser(anna).post(address_of, {"answer": "yes"})
    assert SeasonName.objects.get(player=anna).name == "Anna"
    undone = act(olga, season, "undo_sheet", sheet=SeasonSheet.objects.get().pk)
    assert "Opa Karl" not in undone
    assert not SheetRow.objects.exists()


def test_sums_that_are_not_zero_and_nights_that_are_there_are_shown_and_taken(olga: Player, season: Season) -> None:
    night_of(olga, FIRST)
    client = browser(olga)
    columns = send(client, season, olga, pasted=WIDE.replace("-5", "-4"))
    client.post(
        columns.url, {"kind-0": "name", "kind-1": "night", "day-1": "2026-10-01", "head": "0", "read_head": "0"}
    )
    text = client.get(columns.url.replace("columns", "names")).content.decode()
    assert "sum 1, not 0" in text
    assert "added to the night that is there" in text


def test_a_number_with_a_mark_that_may_be_two_things_is_asked_about(olga: Player, season: Season) -> None:
    client = browser(olga)
    columns = send(client, season, olga, pasted="Name;Punkte\nAnna;1.200\nBert;950\n")
    text = client.get(columns.url).content.decode()
    assert "How much is 1.200 in this spreadsheet?" in " ".join(text.split())
    (chosen,) = [
        tag.attrs["value"]
        for tag in read(text).all("option")
        if tag.attrs["value"] in ("yes", "no") and "selected" in tag.attrs
    ]
    assert chosen == "yes", "of thousands"
    said = {"kind-0": "name", "kind-1": "points", "head": "0", "read_head": "0"}
    names = columns.url.replace("columns", "names")
    for comma, points in (("yes", "1200"), ("no", "1.2"), ("", "1200")):
        client.post(columns.url, said | {"comma": comma})
        (sheet,) = SeasonSheet.objects.all()
        assert {f"{each.points.normalize():f}" for each in sheets.entries_of(sheet)} == {points, "950"}
        assert client.get(names).status_code == 200
    assert "How much is" not in client.get(send(client, season, olga, pasted=TOTALS).url).content.decode()


def test_a_refused_table_leaves_what_was_typed(olga: Player, season: Season) -> None:
    client = browser(olga)
    long = "x" * 201
    answer = send(client, season, olga, pasted=long)
    assert answer.status_code == 400
    assert long in answer.content.decode()
    assert 'data-code="sheet_cell"' in answer.content.decode()
    assert 'data-code="sheet_none"' in send(client, season, olga).content.decode()
    columns = send(client, season, olga, pasted=WIDE)
    wrong = client.post(columns.url, {"kind-0": "name", "kind-1": "night", "day-1": "soon"})
    assert wrong.status_code == 400
    assert 'data-code="sheet_days"' in wrong.content.decode()
    assert SeasonSheet.objects.get().columns["kinds"] == ["name", "night", "night"]
    names = client.post(columns.url.replace("columns", "names"), {"name-0": "Anna", "who-0": "text"})
    assert 'data-code="sheet_undecided"' in names.content.decode()
    assert 'value="text" selected' in names.content.decode()


def test_nobody_but_an_organiser_reads_a_table_in(olga: Player, season: Season) -> None:
    eve, (anna,) = account("Eve"), guests("Anna")
    night_of(olga, FIRST, eve, anna)
    waits = send(browser(olga), season, olga, pasted=WIDE).url
    for enemy in (eve, anna):
        client = browser(enemy)
        for by in (enemy, olga):
            assert send(client, season, by, pasted=TOTALS).status_code == 403
        for where in (waits, waits.replace("columns", "names"), reverse("season_sheet", args=[season.public_id])):
            assert client.get(where).status_code == 403
        assert client.post(waits.replace("columns", "names"), {"who-0": "text"}).status_code == 403
    sheet = take(season, olga, TOTALS)
    act(eve, season, "undo_sheet", sheet=sheet.pk)
    assert SheetRow.objects.count() == 2
    # A page of one organiser's is no other one's, and neither is a made-up table.
    night_of(eve, FIRST, olga)
    own = Season.objects.get(pk=season.pk)
    own.second = eve
    own.save()
    assert 'data-code="sheet_expired"' in send(browser(eve), season, olga, pasted=WIDE).content.decode()
    assert browser(eve).get(reverse("season_sheet_columns", args=[season.public_id, 10**9])).status_code != 200
    assert act(olga, season, "undo_sheet", sheet="9" * 30)
    assert SheetRow.objects.count() == 2


def test_names_that_are_nobodys_are_read_by_organisers_alone(olga: Player, season: Season) -> None:
    (anna,) = guests("Anna")
    night_of(olga, FIRST, anna)
    take(season, olga, WIDE)
    assert "Opa Karl" in page(olga, season)
    for where in ("season", "season_csv", "season_live"):
        text = browser(anna).get(reverse(where, args=[season.public_id])).content.decode()
        assert "a guest" in text
        assert "Karl" not in text
    where = reverse("api_season", args=[season.public_id])
    for reader, told in ((olga, {"Anna", "Opa Karl"}), (anna, {""})):
        assert {place["name"] for place in browser(reader).get(where).json()["standing"]} == told


def test_a_spreadsheet_of_a_mebibyte_is_taken_at_its_signed_address_alone(olga: Player, season: Season) -> None:
    where = reverse("season_sheet_read", args=[season.public_id, address.token(1, season.public_id)])
    assert longest_body(where) == address.MOST == 1 << 20
    token = address.token(1, season.public_id)
    others = [
        f"/x{where}",
        where.replace("/read/", "/reads/"),
        where.replace(season.public_id, "another"),
        where.replace(token, "1.x:aaaa:bbbb"),
        reverse("season_sheet", args=[season.public_id]),
    ]
    assert {longest_body(each) for each in others} == {LONGEST_BODY}
    assert cut_line(LONGEST_BODY) == 1 << 20
    big = SimpleUploadedFile("season.csv", WIDE.encode() + b"\n" * 900_000)
    assert send(browser(olga), season, olga, file=big).status_code == 302


def test_ten_megabytes_and_long_pasted_cells_are_refused_with_a_code(olga: Player, season: Season) -> None:
    client = browser(olga)
    large = send(client, season, olga, file=SimpleUploadedFile("season.csv", b"x" * 10_000_000))
    assert (large.status_code, "1 MiB" in large.content.decode()) == (413, True)
    pasted = send(client, season, olga, pasted="x;1\n" * 20_000)
    assert (pasted.status_code, "64 KiB" in pasted.content.decode()) == (413, True)
