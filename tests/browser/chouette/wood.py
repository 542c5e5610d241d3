"""A real board at the browser: devices that enter for one seat or for several, until all pages have seen it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.browser.chouette import chouettes
from tests.browser.people import Person

# What of a table all who look at it are told.
TOLD = """(() => {
  const v = document.querySelector('chouette-table')?.now?.view;
  const { stage, batch, answered, cubes, told, asks } = v?.game ?? {};
  return v && JSON.stringify([v.phase, v.line, v.last_act, v.sheet.length, v.seats.map((s) => s.status), stage, batch,
    answered, told, asks?.length, cubes?.map((c) => [c.value, c.owner, c.result])]);
})()"""
# A device shows a seat that is asked, unless none of its seats is; what it entered has arrived, and is drawn.
SETTLED = """isShared => {
  const chips = [...document.querySelectorAll('.keeping .chip')];
  const asked = chips.filter((chip) => 'asked' in chip.dataset);
  const { canAct, me } = document.querySelector('chouette-table')?.now ?? {};
  return canAct && chips.length > 0 === isShared
    && chips.every((chip) => chip.ariaPressed !== 'true' || chip.dataset.seat === String(me))
    && (!asked.length || asked.some((chip) => chip.ariaPressed === 'true'));
}"""
COUNT = 'addEventListener("click", (event) => { if (event.isTrusted) tapped(); }, true);'


def press(one: Person, label: str, *, taps: int = 1) -> None:
    """Press a button of the dock by what stands on it; with two taps as a hurried thumb does."""
    buttons = one.page.locator(f"chouette-table .bt-dock button{chouettes.READY}")
    buttons.filter(has_text=re.compile(label)).first.click(click_count=taps)


def counted(one: Person) -> list[None]:
    """Return the list that grows with each tap of a person, from the next page on."""
    taps: list[None] = []
    one.context.expose_binding("tapped", lambda _source: taps.append(None))
    one.context.add_init_script(COUNT)
    return taps


def view(one: Person) -> Any:
    """Return what this person's page shows."""
    return chouettes.now(one)["view"]


@dataclass
class RealBoard:
    """People round a real board: each seat's device, and whoever else looks on."""

    devices: dict[int, Person]
    watching: list[Person] = field(default_factory=list)

    @property
    def pages(self) -> list[Person]:
        """All who look at the table."""
        return [*dict.fromkeys(self.devices.values()), *self.watching]

    def enter(self, seat: int, label: str, *, taps: int = 1) -> None:
        """Press a button for a seat on its device; all pages see what came of it."""
        one = self.shown(seat)
        before = one.page.evaluate(TOLD)
        press(one, label, taps=taps)
        self.seen(one, before)

    def shown(self, seat: int) -> Person:
        """Let the device of a seat show it: most often it does so by itself."""
        one = self.devices[seat]
        one.page.wait_for_function(SETTLED, arg=list(self.devices.values()).count(one) > 1)
        if chouettes.now(one)["me"] != seat:
            one.page.locator(f".keeping [data-seat='{seat}']").click()
        one.page.wait_for_function(
            "seat => { const n = document.querySelector('chouette-table')?.now; return n?.me === seat && n.canAct; }",
            arg=seat,
        )
        return one

    def seen(self, one: Person, before: str) -> None:
        """Wait until something has happened on a device, and all pages have seen it."""
        one.page.wait_for_function(f"before => {{ const told = {TOLD}; return told && told !== before; }}", arg=before)
        told = one.page.evaluate(TOLD)
        for other in self.pages:
            if other is not one:
                other.page.wait_for_function(f"told => {TOLD} === told", arg=told)

    def ends(self, teller: int, other: int, winner: str, level: int) -> None:
        """Tell how the game has ended; another device of the other side agrees. All see the new row of the sheet."""
        one = self.shown(teller)
        games = len(view(one)["sheet"])
        press(one, "The game is over")
        one.page.locator(f"[data-act='ends {winner} {level}']").click()
        if self.devices[other] is not one:
            press(self.devices[other], "That is right")
        for page in self.pages:
            page.page.wait_for_function(
                "games => document.querySelector('chouette-table').now?.view.sheet.length === games", arg=games + 1
            )

    def answer(self, answers: Mapping[int, str]) -> None:
        """Answer a double for seat after seat."""
        for seat, word in answers.items():
            self.enter(seat, word)
