"""The pages that anybody may ask for: ms of the server's processor each, without a session, as they are served.

`python -m tests.bench.bench_strangers` starts a house of its own with collected static files. The aim is 10 ms.
"""

from __future__ import annotations

import http.client
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from django.urls import reverse  # noqa: E402

from games import plugin  # noqa: E402
from tests.bench.bench_page import house  # noqa: E402
from tests.bench.live.server import cpu_seconds  # noqa: E402
from tests.server import Server  # noqa: E402

# A process tells its time by hundredths of a second.
TIMES, WARM, MOST_MS = 200, 5, 10


def main() -> None:
    """Print the mean of each page."""
    with tempfile.TemporaryDirectory() as folder, house(Path(folder), "tests.serving") as server:
        print(f"{'pages for strangers: ms of processor':44} {'mean':>7} {'aim':>5}")
        for address in addresses():
            ask(server, address, WARM)
            assert server.process is not None
            before = cpu_seconds(server.process.pid)
            ask(server, address, TIMES)
            spent = cpu_seconds(server.process.pid) - before
            print(f"{address:44} {1000 * spent / TIMES:7.1f} {MOST_MS:5}")


def addresses() -> Iterator[str]:
    """Yield the pages that need no session and no night."""
    yield from (reverse(name) for name in ("home", "manifest", "jsi18n", "account_login", "rules_index"))
    for game_id in plugin.all_games():
        yield from (reverse(name, args=[game_id]) for name in ("rules", "jsi18n", "practice"))
    yield reverse("study", args=["chouette"])


def ask(server: Server, address: str, times: int) -> None:
    """Ask for a page so many times over one connection."""
    line = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    for _ in range(times):
        line.request("GET", address, headers={"Accept-Language": "de"})
        answer = line.getresponse()
        answer.read()
        assert answer.status == 200, f"{address}: {answer.status}"
    line.close()


if __name__ == "__main__":
    main()
