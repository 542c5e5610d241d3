"""The house as a federation runs it, on this computer: PostgreSQL, Redis, several processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games.management import ends, local_servers
from games.management.commands.serve import add_address

LEAST_WORKERS = 2


class Command(BaseCommand):
    """`manage.py serve_scaled`."""

    help = "Start PostgreSQL and Redis on spare ports, and play on them with several processes."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the address, the number of processes, and whether to forget everything."""
        add_address(parser)
        parser.add_argument("--forget", action="store_true", help="use an empty folder, deleted at the end")

    def handle(self, *args: Any, host: str, port: int, workers: int, forget: bool, **options: Any) -> None:
        """Start the servers, run `play` on them until Ctrl-C, end them."""
        # From now on every way out of here leads past the servers' ends.
        for number in ends.heeded():
            signal.signal(number, _leave)
        with ExitStack() as stack:
            folder = _folder(stack, forget=forget)
            postgres, redis = local_servers.Postgres(folder, port), local_servers.Redis(folder, port)
            for server in (postgres, redis):
                stack.callback(server.stop)
                server.start()
                self.stdout.write(f"{server.name}: {server.shown}")
            self.stdout.flush()
            places = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
            # The processes are started in another folder.
            places["STAMMTISCH_DATA"] = str(settings.DATA_DIR)
            count = max(workers, LEAST_WORKERS)
            code = _play({**places, "HOST": host, "PORT": str(port), "WORKERS": str(count)})
        sys.exit(code)


def _folder(stack: ExitStack, *, forget: bool) -> Path:
    """Return the servers' folder: the house's, or one that is deleted when all is closed."""
    if not forget:
        return local_servers.folder_for(settings.DATA_DIR)
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stammtisch-scaled-")))
    folder.chmod(0o711)
    return folder


def _leave(number: int, _: Any) -> None:
    """Leave once: whoever presses Ctrl-C again waits for the servers' ends all the same."""
    for each in ends.heeded():
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(0)


def _play(places: dict[str, str]) -> int:
    """Run `play` in a process of its own, whose settings are those of the new servers."""
    command = [sys.executable, "-m", "django", "play"]
    environment = {**os.environ, **places}
    with subprocess.Popen(  # noqa: S603 (our own program)
        command, cwd=settings.BASE_DIR, env=environment, start_new_session=True
    ) as house:
        try:
            return house.wait()
        except SystemExit:
            house.terminate()
            house.wait()
            return house.returncode
