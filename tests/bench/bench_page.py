"""How heavy a table's page is, when its board stands and how much it shifts, as it is served, on a slow line.

`python -m tests.bench.bench_page` starts a house of its own with collected static files, opens a
table of each game with a bot and loads its page in Chromium, by 1.6 Mbit/s with 150 ms there and
back: cold (nothing kept) and warm (everything kept that may be).
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import django
from playwright.sync_api import Browser, BrowserContext

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from tests.bench.live.report import aim_line  # noqa: E402
from tests.browser.gallery.laws import PARTS  # noqa: E402
from tests.browser.gallery.stage import browser_of  # noqa: E402
from tests.browser.people import Person  # noqa: E402
from tests.conftest import CHROMIUM  # noqa: E402
from tests.server import Server  # noqa: E402

BITS_PER_SECOND, LATENCY_MS = 1_600_000, 150
SECONDS = {"chouette": 1.0, "chicago": 0.8}
PRESETS = {"chouette": "money", "chicago": "classic"}
# When the board is drawn for the first time: read by the page's own clock, before anything else of the page runs.
STANDS = """(() => {
  const look = () => {
    const table = document.querySelector("#game > :not([aria-busy])");
    if (!table?.querySelector(BOARD)?.checkVisibility()) return;
    window.stoodAt = performance.timeOrigin + performance.now();
    changes.disconnect();
  };
  const changes = new MutationObserver(look);
  changes.observe(document, { subtree: true, childList: true, attributes: true });
  window.shifted = 0;
  const add = (list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) window.shifted += each.value;
  };
  new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
})()"""


@dataclass(frozen=True)
class Load:
    """A page that was loaded: when its board stood, and what had been fetched by then.

    `shift` is the sum of the scores of layout shifts without a touch; `all_requests`, `all_script`: until the end.
    """

    seconds: float
    requests: int
    bytes: int
    script: int
    texts: int
    shift: float = 0.0
    all_requests: int = 0
    all_script: int = 0


@contextmanager
def house(folder: Path, module: str = "games.settings") -> Iterator[Server]:
    """Run a house as `make play` does, by the settings of a module, with its static files collected."""
    settings = {"DJANGO_SETTINGS_MODULE": module, "DEBUG": "0", "ALLOWED_HOSTS": "127.0.0.1"}
    server = Server(folder, COLLECTED_STATIC=str(folder / "static"), **settings)
    server.migrate()
    server.manage("collectstatic", "--noinput", "--verbosity", "0")
    server.start()
    try:
        yield server
    finally:
        server.stop()


def table_page(host: Person, game: str) -> str:
    """Open a table of a game with a bot, start it, and return its page's address."""
    night = host.page.url.rstrip("/")
    host.page.goto(f"{night}/tables/new/?game={game}&preset={PRESETS[game]}")
    host.tap("Open the table")
    host.page.wait_for_url(re.compile(r"/table/[a-z0-9]+/$"))
    url = host.page.url
    host.open_more()
    host.page.locator("#bot-random, [id^='bot-']").last.click()
    host.accept_the_rules()
    host.page.locator("#start:not([disabled])").click()
    host.page.locator(PARTS[game]["board"]).wait_for()
    host.page.goto(night)
    return url


def load(context: BrowserContext, url: str, board: str, *, slow: bool = True) -> Load:
    """Load a page and return what it took until the board stood."""
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    if slow:
        speed = BITS_PER_SECOND / 8
        limits = {"offline": False, "latency": LATENCY_MS, "downloadThroughput": speed, "uploadThroughput": speed}
        line.send("Network.emulateNetworkConditions", limits)
    kinds: dict[str, str] = {}
    sizes: dict[str, tuple[float, int]] = {}
    began: list[tuple[float, float]] = []
    line.on("Network.requestWillBeSent", lambda told: began.append((told["timestamp"], told["wallTime"])))
    line.on("Network.responseReceived", lambda told: kinds.update({told["requestId"]: kind_of(told)}))
    line.on(
        "Network.loadingFinished",
        lambda told: sizes.update({told["requestId"]: (told["timestamp"], told["encodedDataLength"])}),
    )
    page.add_init_script(STANDS.replace("BOARD", repr(board)))
    page.goto(url, wait_until="commit")
    # The page's policy lets nobody poll inside it.
    while not (at := page.evaluate("window.stoodAt ?? 0")):
        page.wait_for_timeout(50)
    monotonic, wall = began[0]
    stood = monotonic + at / 1000 - wall
    # What the browser had kept is no request; nor is what came while we asked whether the board stands.
    asked = {key: size for key, (finished, size) in sizes.items() if size and finished <= stood}
    found = _fetched(kinds, asked, at / 1000 - page.evaluate("performance.timeOrigin") / 1000)
    # What comes after the board (a font of the headings, an icon) is kept for the next load only if it has come.
    page.wait_for_load_state("networkidle")
    shift = float(page.evaluate("window.shifted"))
    page.close()
    whole = _fetched(kinds, {key: size for key, (_, size) in sizes.items() if size}, 0.0)
    return replace(found, shift=shift, all_requests=whole.requests, all_script=whole.script)


def _fetched(kinds: dict[str, str], asked: dict[str, int], seconds: float) -> Load:
    """Return what was fetched, from the size of each request."""
    script, texts = (sum(size for key, size in asked.items() if kinds.get(key) == kind) for kind in ("Script", "texts"))
    return Load(seconds, len(asked), sum(asked.values()), script, texts)


def kind_of(told: dict[str, Any]) -> str:
    """Return the kind of what is fetched: scripts that hold a language's texts are "texts"."""
    return "texts" if "/jsi18n/" in told["response"]["url"] else str(told["type"])


def cold_and_warm(browser: Browser, host: Person, url: str, board: str, *, slow: bool = True) -> tuple[Load, Load]:
    """Load a page in a browser that has kept nothing, then again."""
    # Who the host is, and nothing else: what a page keeps on a device it keeps anew, also that it has the typefaces.
    cookies = [cookie for cookie in host.context.storage_state()["cookies"] if cookie.get("name") != "typefaces"]
    state: Any = {"cookies": cookies, "origins": []}
    context = browser.new_context(storage_state=state, viewport={"width": 390, "height": 844}, locale="de")
    context.set_default_timeout(60_000)
    both = load(context, url, board, slow=slow), load(context, url, board, slow=slow)
    context.close()
    return both


def aims_of(game: str, cold: Load) -> list[str]:
    """Return what a game's page aims at, cold, with what was found."""
    told = (
        ("seconds until the board stands", cold.seconds, SECONDS.get(game, 1.0)),
        ("requests until the board stands", cold.requests, 18),
        ("requests in all", cold.all_requests, 30),
        ("kB of script in all", cold.all_script / 1000, 60),
    )
    return ["- " + aim_line(f"{game}'s page, {what}", f"≤ {most:g}", -found, -most) for what, found, most in told]


def main() -> None:
    """Print the figures of each game."""
    with tempfile.TemporaryDirectory() as folder, house(Path(folder)) as server, browser_of(CHROMIUM) as browser:
        host = Person(browser, server.url, "Hanna")
        host.host_a_night("Thursday")
        night = host.page.url
        print("game      load  board s  requests   bytes  script   texts  layout shifts  in all: requests, script")
        aims: list[str] = []
        for game, parts in PARTS.items():
            host.page.goto(night)
            url = table_page(host, game)
            for name, told in zip(("cold", "warm"), cold_and_warm(browser, host, url, parts["board"]), strict=True):
                sizes = f"{told.requests:9} {told.bytes:7} {told.script:7} {told.texts:7} {told.shift:14.3f}"
                print(f"{game:9} {name}  {told.seconds:7.2f} {sizes} {told.all_requests:17} {told.all_script:7}")
                aims += aims_of(game, told) if name == "cold" else []
        print("\n".join(aims))
        host.close()


if __name__ == "__main__":
    main()
