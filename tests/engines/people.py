"""Somebody at a page in an engine: sees by its words what is there, and taps it once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.browser.people import NOTHING_BY_ITSELF
from tests.engines.engines import Engine
from tests.engines.page import Page

_HELPERS = """
const isSeen = (one) => {
  const { width, height } = one.getBoundingClientRect();
  return width > 0 && height > 0 && getComputedStyle(one).visibility === "visible";
};
const saidOf = (one) => (one.getAttribute("aria-label") || one.textContent).trim().replace(/\\s+/g, " ");
const all = (css, words) => [...document.querySelectorAll(css)]
  .filter((one) => isSeen(one) && new RegExp(words).test(saidOf(one)));
const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
"""
_SEEN = f"(css, words) => {{ {_HELPERS} return all(css, words).length > 0; }}"
_UNSEEN = f"(css) => {{ {_HELPERS} return all(css, '').length === 0; }}"
_PLACE = f"""async (css, words) => {{ {_HELPERS}
  const hears = (one) => !one.closest("[disabled], [aria-disabled=true], [data-deaf]");
  const one = all(css, words).find(hears);
  if (!one) return null;
  one.scrollIntoView({{ block: "nearest" }});
  const place = () => {{
    const {{ left, top, width, height }} = one.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  }};
  const before = place();
  await frame();
  await frame();
  const [x, y] = place(), hit = document.elementFromPoint(x, y);
  const isThere = one.isConnected && hears(one) && one.contains(hit) && before[0] === x && before[1] === y;
  return isThere ? [x, y] : null;
}}"""
"""Where something is that hears a tap, stands still, and that nothing lies over; null where there is none (yet)."""
_FILL = """(css, value) => {
  const field = document.querySelector(css);
  if (!field) return false;
  for (let one = field; one; one = one.parentElement) if (one.open === false) one.open = true;
  field.value = value;
  return true;
}"""
_LINK = "(kind) => document.documentElement.outerHTML.match(`http[^\"'\\\\s<]*/${kind}/[a-z0-9]+/[a-z0-9]+/`)?.[0]"
_TABLE = "document.querySelector('chouette-table, chicago-table')"
_NOW = f"() => {{ const {{ view, me }} = {_TABLE}?.now ?? {{}}; return view && {{ view, me }}; }}"
_TOLD = f"JSON.stringify([{_TABLE}.now.view, {_TABLE}.now.choices])"
_ON_BOARD = "[...document.querySelectorAll('[role=gridcell]')].map((cell) => cell.getAttribute('aria-label')).join()"
_KEEP_FAULTS = """() => {
  if (window.faultsHeard) return;
  window.faultsHeard = [];
  addEventListener("error", ({ message, filename, lineno }) => faultsHeard.push(`${message} (${filename}:${lineno})`));
  addEventListener("unhandledrejection", ({ reason }) => faultsHeard.push(`${reason} ${reason?.stack}`));
}"""


class Guest:
    """A page of the house in an engine, in a viewport of so many pixels; `name` is whose it is."""

    def __init__(self, engine: Engine, house: str, name: str, screen: tuple[int, int]) -> None:
        self.house, self.name = house, name
        self.page = Page(engine, screen)

    def open(self, url: str) -> None:
        """Load an address; nothing of a table is then done by itself."""
        self.page.open(url)
        self.page.evaluate(f"() => {{ {NOTHING_BY_ITSELF} }}")

    def see(self, css: str, words: str = "") -> None:
        """Wait until something is seen whose name or text has a match of `words`."""
        self.page.wait_for(_SEEN, css, words)

    def sees(self, css: str, words: str = "") -> bool:
        """Tell whether something is seen now."""
        return bool(self.page.evaluate(_SEEN, css, words))

    def see_no_more(self, css: str) -> None:
        """Wait until something is no longer seen."""
        self.page.wait_for(_UNSEEN, css)

    def tap(self, css: str, words: str = "") -> None:
        """Tap something once, as soon as it hears and stands still."""
        self.page.tap(*self.page.wait_for(_PLACE, css, words))

    def tap_if_there(self, css: str, words: str = "") -> bool:
        """Tap something once if it is there now, hears and stands still; tell whether it was."""
        place = self.page.evaluate(_PLACE, css, words)
        if place:
            self.page.tap(*place)
        return bool(place)

    def type_into(self, css: str, text: str) -> None:
        """Tap a field and type into it."""
        self.tap(css)
        self.page.type(text)
        self.page.wait_for("(css, text) => document.querySelector(css).value === text", css, text)

    def fill(self, css: str, value: str) -> None:
        """Give a field a value as soon as it is there, wherever it is folded away."""
        self.page.wait_for(_FILL, css, value)

    @property
    def address(self) -> str:
        """The address of what is shown."""
        return str(self.page.evaluate("() => location.href"))

    def link(self, kind: str) -> str:
        """Return the link for guests (`j`) or for the big screen (`tv`) on the night's page."""
        return str(self.page.wait_for(_LINK, kind))

    def host_a_night(self, night: str) -> str:
        """Open a night from the front page; return its address."""
        self.open(self.house)
        self.type_into("#host-name", night)
        self.type_into("#host-nickname", self.name)
        self.tap("button", "^Open the night$")
        self.see("h1", f"^{night}$")
        return self.address

    def open_table(self, night: str, game: str, preset: str, **rules: str) -> None:
        """Open a table at a night of one's own."""
        self.open(f"{night}tables/new/?game={game}&preset={preset}")
        for name, value in rules.items():
            self.fill(f"[name=o-{name}]", value)
        self.tap("button", "^Open the table$")

    def join(self, link: str) -> None:
        """Follow a link, as the QR code does, and say a name."""
        self.open(link)
        self.type_into("#nickname", self.name)
        self.tap("#join-form button.go")

    def at_the_table(self, game: str) -> None:
        """Wait until a game's table is shown; from then on errors of scripts are kept."""
        self.page.wait_for(f"() => document.querySelector('{game}-table')?.now")
        self.page.evaluate(_KEEP_FAULTS)

    @property
    def now(self) -> dict[str, Any]:
        """What the table was told last."""
        told: dict[str, Any] = self.page.wait_for(_NOW)
        return told

    def press(self, css: str, words: str = "") -> None:
        """Tap a button of the table once, and wait until the table was told something else."""
        self._tap_until_changed(_TOLD, css, words)

    def touch(self, css: str, words: str = "") -> None:
        """Tap something of the board once, and wait until the board says something else."""
        self._tap_until_changed(_ON_BOARD, css, words)

    def press_if_there(self, css: str, words: str = "") -> bool:
        """Press a button of the table if it is there now; tell whether it was."""
        place = self.page.evaluate(_PLACE, css, words)
        if place:
            self._tap_at(place, _TOLD)
        return bool(place)

    def _tap_until_changed(self, seen: str, css: str, words: str) -> None:
        self._tap_at(self.page.wait_for(_PLACE, css, words), seen)

    def _tap_at(self, place: tuple[float, float], seen: str) -> None:
        before = self.page.evaluate(f"() => {seen}")
        self.page.tap(*place)
        self.page.wait_for(f"(before) => {seen} !== before", before)

    def sleep(self) -> None:
        """Let the phone sleep: nothing of its browser runs, and its line stays as it is."""
        self.page.stop()

    def wake(self) -> None:
        """Wake the phone."""
        self.page.go_on()

    def picture(self, name: str) -> None:
        """Draw what is seen into the folder SHOTS, if there is one."""
        self.page.picture_of(f"{name}-{self.name}")

    def faults(self) -> list[str]:
        """Return the errors of scripts that nobody caught."""
        return [*self.page.faults(), *self.page.evaluate("() => window.faultsHeard ?? []")]


@contextmanager
def at_their_screens(engine: Engine, house: str, **screens: tuple[int, int]) -> Iterator[list[Guest]]:
    """People by their names, with the sizes of their screens; no script of theirs has an error."""
    people = [Guest(engine, house, name, screen) for name, screen in screens.items()]
    try:
        yield people
        found = [f"{one.name}: {fault}" for one in people for fault in one.faults()]
        assert found == [], found
    except AssertionError:
        for one in people:
            one.page.go_on()
            one.picture("failed")
        raise
    finally:
        for one in people:
            one.page.begin_to_close()
        for one in people:
            one.page.close()
