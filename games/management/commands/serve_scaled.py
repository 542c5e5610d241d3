"""Serve the house on this computer as a federation does: with PostgreSQL, Redis and several processes."""

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
from django.core.management.base import BaseCommand, CommandError

from games.management import local_servers
from games.management.commands.serve import add_address
from games.management.processes import ends

LEAST_WORKERS = 2


class Command(BaseCommand):
    """`manage.py serve_scaled`."""

    help = "Start PostgreSQL and Redis on spare ports, and play on them with several processes."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the address, the number of processes, and the option for an empty folder."""
        add_address(parser)
        parser.add_argument("--forget", action="store_true", help="use an empty folder, deleted at the end")

    def handle(self, *args: Any, host: str, port: int, workers: int, forget: bool, **options: Any) -> None:
        """Start the servers, run `play` with them until Ctrl-C, stop them."""
        if sys.platform == "win32":
            raise CommandError("serve_scaled needs Linux or macOS: on Windows one process serves, by `serve`.")
        # From now on every exit stops the servers.
        for number in ends.stop_signals():
            signal.signal(number, _leave)
        with ExitStack() as stack:
            folder = _folder(stack, forget=forget)
            postgres, redis = local_servers.Postgres(folder, port), local_servers.Redis(folder, port)
            for server in (postgres, redis):
                stack.callback(server.stop)
                server.start()
                self.stdout.write(f"{server.name}: {server.public_url}")
            self.stdout.flush()
            places = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
            # The processes are started in another folder.
            places["STAMMTISCH_DATA"] = str(settings.DATA_DIR)
            count = max(workers, LEAST_WORKERS)
            code = _play({**places, "HOST": host, "PORT": str(port), "WORKERS": str(count)})
        sys.exit(code)


def _folder(stack: ExitStack, *, forget: bool) -> Path:
    """Return the servers' folder: the house's, or one that is deleted at the end."""
    if not forget:
        return local_servers.folder_for(settings.DATA_DIR)
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stammtisch-scaled-")))
    folder.chmod(0o711)
    return folder


def _leave(number: int, _: Any) -> None:
    """Exit once: further signals are ignored while the servers stop."""
    for each in ends.stop_signals():
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(0)


def _play(places: dict[str, str]) -> int:
    """Run `play` in a process of its own, configured for the new servers; return its exit code."""
    command = [sys.executable, "-m", "django", "play", "--end-with-parent"]
    environment = {**os.environ, **places}
    with subprocess.Popen(  # noqa: S603 (our own program)
        command, cwd=settings.BASE_DIR, env=environment, start_new_session=True, stdin=subprocess.PIPE
    ) as house:
        try:
            return house.wait()
        except SystemExit:
            house.terminate()
            house.wait()
            return house.returncode
