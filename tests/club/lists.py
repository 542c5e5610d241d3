"""Lists of the club's secretary, of evenings that were held without the house, as people keep them."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

from django.urls import reverse

from tests.club import forms
from tests.club.world import Club

WEEKDAYS = ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So")


def text_of(evenings: dict[date, Counter[str]]) -> str:
    """Return a list as it is copied from a spreadsheet: a row a person, a column an evening, sums on both sides."""
    names = sorted({name for sums in evenings.values() for name in sums})
    lines = [
        ["Club, Liste von Schorsch"],
        [],
        ["Name", *(f"{WEEKDAYS[day.weekday()]} {day:%d.%m.%y}" for day in evenings), "Summe"],
    ]
    for name in names:
        own = [sums.get(name, "") for sums in evenings.values()]
        lines.append([name, *map(str, own), str(sum(n for n in own if isinstance(n, int)))])
    lines.append(["Summe", *(str(sum(sums.values())) for sums in evenings.values()), "0"])
    return "\n".join("\t".join(line) for line in lines)


def take_in(club: Club, season: str, evenings: dict[date, Counter[str]], replaced: set[date]) -> None:
    """Take in a list as the house proposes it, and see which evenings replace earlier ones."""
    where, page = _read(club, season, evenings)
    columns = forms.form(page, "", "kind-0")
    assert columns is not None
    kinds = [columns[f"kind-{n}"][0] for n in range(len(evenings) + 2)]
    days = [columns[f"day-{n}"][0] for n in range(1, len(evenings) + 1)]
    assert kinds == ["name", *["night"] * len(evenings), "sum"], kinds
    assert days == [day.isoformat() for day in evenings], days
    answer = club.phones["Olga"].post(where, columns, follow=True)
    club.ok(answer)
    page, where = answer.content.decode(), answer.redirect_chain[-1][0]
    said = forms.form(page, "", "form_id")
    assert said is not None
    assert {date.fromisoformat(field.removeprefix("way-")) for field in said if field.startswith("way-")} == replaced
    assert not [field for field, values in said.items() if field.startswith("who-") and not values[0]], "all are known"
    done = club.tap("Olga", where, **said)
    assert "The spreadsheet is in the season." in done, done
    for name in club.phones:
        for asked in set(re.findall(r'action="(/seasons/named/\d+/)"', club.see(name, reverse("seasons")))):
            club.tap(name, asked, answer="yes")


def _read(club: Club, season: str, evenings: dict[date, Counter[str]]) -> tuple[str, str]:
    """Paste a list; return the address and the page of its columns."""
    shown = club.see("Olga", reverse("season_sheet", args=[season]))
    found = re.search(rf'action="(/season/{season}/sheet/read/[^"]+)"', shown)
    assert found is not None
    answer = club.phones["Olga"].post(found[1], {"pasted": text_of(evenings)}, follow=True)
    club.ok(answer)
    return answer.redirect_chain[-1][0], answer.content.decode()
