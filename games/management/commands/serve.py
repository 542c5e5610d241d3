"""Serve the house to all devices in the network, until Ctrl-C."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import tempfile
import webbrowser
from argparse import SUPPRESS, ArgumentParser
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from channels.routing import get_default_application
from daphne.endpoints import build_endpoint_description_strings
from daphne.server import Server
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from twisted.internet import reactor, task

from games import interfaces
from games.command_line import shell_command
from games.live.rooms import relay
from games.management import announcing, lan, locks, preparation, soundness
from games.management.backups import archive
from games.management.processes import analyser_process, ends, worker_line, workers
from games.ops import logs
from games.ops.diagnosis import log_level
from games.ops.system import calls, service_manager
from games.services.clock import housekeeping
from games.services.grades import jobs
from games.services.logs import data_folders
from games.version import version

logger = logging.getLogger(__name__)
CTRL_C_SECONDS = 0.3


class Command(BaseCommand):
    """`manage.py serve`."""

    help = "Serve the house by daphne on all interfaces, and show how phones get there."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add host, port and number of processes; the environment has their defaults."""
        add_address(parser)
        parser.add_argument("--fd", type=int, help=SUPPRESS)
        parser.add_argument("--all-fds", default="", help=SUPPRESS)
        parser.add_argument("--ipv6", default="", help=SUPPRESS)
        parser.add_argument("--beats", type=int, help=SUPPRESS)
        parser.add_argument(
            "--for-people", action="store_true", help="say how the house starts in sentences, not log lines"
        )
        parser.add_argument("--opens-browser", action="store_true", help=SUPPRESS)

    def handle(
        self,
        *args: Any,
        host: str,
        port: int,
        workers: int = 1,
        fd: int | None = None,
        for_people: bool = False,
        opens_browser: bool = False,
        **options: Any,
    ) -> None:
        """Check the port, print the addresses, serve."""
        if fd is not None:
            all_fds, by_ipv6 = (
                [int(each) for each in options[name].split(",") if each] for name in ("all_fds", "ipv6")
            )
            _serve_as_worker(fd, all_fds, by_ipv6, options["beats"])
            return
        check(host, port, workers)
        preparation.check()
        _register_folder()
        with locks.serving():
            housekeeping.run(names=housekeeping.AFTER_UPGRADE)
            if for_people:
                self._warn_people()
            else:
                warn()
            if opens_browser and self.stdout.isatty() and calls.has_desktop():
                lan.open_browser(f"{lan.addresses(host, port)[0]}{settings.BASE_PATH}", host or "127.0.0.1", port)
            self._open(host, port, workers)
        if fault := soundness.fault():
            raise CommandError(f"Closed. {archive.broken(fault)}")
        self.stdout.write("\nClosed. Everything that was played is kept.")

    def _warn_people(self) -> None:
        """Write the version and the warnings as sentences; the log does without them."""
        settings.LOG_START = False
        self.stdout.write(f"Stammtisch {version()}")
        for warning in logs.start_warnings():
            self.stdout.write(warning)

    def _open(self, host: str, port: int, workers: int) -> None:
        """Print the addresses, and serve until told to stop."""
        interfaces.listen_at(host)
        self._print_addresses(lan.addresses(host, port))
        with self._watch(host, port), analyser_process.beside():
            if workers == 1:
                _heed_signals()
                # For daphne an empty host is none.
                ipv4 = host or "0.0.0.0"  # noqa: S104 (phones must reach it: that is the purpose of the server)
                _serve(build_endpoint_description_strings(host=ipv4, port=port), _by_ipv6(host, port))
            else:
                _serve_by_many(host, port, workers)

    def _watch(self, host: str, port: int) -> AbstractContextManager[None]:
        """Return the watch over this computer's networks; none where links lead to a place of one's own."""
        if settings.PUBLIC_URL or host not in interfaces.EVERYWHERE:
            return nullcontext()
        name = settings.LAN_NAME
        announcer = announcing.Announcer(announcing.Mdns(), name, port) if name else None
        return lan.Watch(port, self._print_change, announcer)

    def _print_addresses(self, urls: list[str]) -> None:
        """Print the house's addresses, with a QR code if the output is a terminal."""
        public = settings.PUBLIC_URL or urls[0]
        if self.stdout.isatty():
            self._print_qr_code(f"{public}{settings.BASE_PATH}".rstrip("/"))
        below = settings.BASE_PATH.rstrip("/")
        self.stdout.write(f"\nStammtisch is open:  {public}{below}")
        for url in urls:
            if url != public:
                self.stdout.write(f"                     {url}{below}")
        tv = next((url for url in (public, *urls) if "localhost" not in url), public).split("//", 1)[-1]
        self.stdout.write(f"On a television:     {tv}{below}/tv")
        if all("localhost" in url for url in urls):
            self.stdout.write("No network found: only this computer can reach the house, until there is one.")
        if settings.ANALYSER != analyser_process.OFF and not jobs.has_engine():
            self.stdout.write(f"Games are not graded: no engine is installed ({jobs.how_to_get_engines()}).")
        self.stdout.write("Ctrl-C closes it.\n")
        self.stdout.flush()

    def _print_qr_code(self, url: str) -> None:
        """Print the QR code of an address; where the terminal can't show one, write it as a page, and open that."""
        if lan.shows_blocks(self.stdout):
            self.stdout.write(lan.qr_text(url))
        elif page := lan.write_qr_page(url):
            self.stdout.write(f"QR code: {page}")
            # Elsewhere a browser of the terminal might come up in it.
            if calls.IS_WINDOWS:
                webbrowser.open(page)

    def _print_change(self, words: str, url: str) -> None:
        """Print another way in for phones."""
        below = settings.BASE_PATH.rstrip("/")
        self.stdout.write(f"{words}  {url}{below}  (on a television: {url.split('//', 1)[-1]}{below}/tv)")
        if self.stdout.isatty() and not lan.shows_blocks(self.stdout):
            lan.write_qr_page(f"{url}{below}")
        self.stdout.flush()


def _register_folder() -> None:
    """Raise CommandError if another data folder is in the way."""
    try:
        data_folders.register()
    except data_folders.Split as split:
        command = shell_command("prepare --only-folder")
        raise CommandError(f"{split} If the other one is gone for good: `{command}`, then start again.") from None
    except OSError as error:
        raise CommandError(f"The data folder can't be written: {error}.") from None


def warn() -> None:
    """Log what makes this process more dangerous than necessary."""
    for warning in logs.start_warnings():
        logger.warning(warning)


def add_address(parser: ArgumentParser) -> None:
    """Add --host, --port and --workers, with the environment's defaults."""
    host = settings.HOST or lan.EVERYWHERE
    parser.add_argument("--host", default=host, help="where to listen (HOST; all interfaces, by IPv4 and IPv6)")
    parser.add_argument("--port", type=int, default=settings.PORT, help="the port (PORT; 8000)")
    parser.add_argument("--workers", type=int, default=settings.WORKERS, help="processes (WORKERS; 1)")


def check(host: str, port: int, count: int) -> None:
    """Raise CommandError, with the remedy, if the house cannot be served at this address by so many processes."""
    workers.check(count, host, is_shared=relay.is_shared())
    lan.check_port(host, port)


def _heed_signals() -> None:
    """Let SIGINT close the house even if the shell started it with SIGINT ignored.

    Twisted handles SIGINT only if Python's own handler is set. SIGHUP acts like SIGTERM.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform != "win32" and signal.SIGHUP in ends.stop_signals():
        signal.signal(signal.SIGHUP, lambda *_: os.kill(os.getpid(), signal.SIGTERM))


def _server(endpoints: list[str]) -> Server:
    return Server(application=get_default_application(), endpoints=endpoints, server_name="Stammtisch")


def _by_ipv6(host: str, port: int) -> list[int]:
    """Return the descriptor of a socket that listens by IPv6, too; none at one host, and where the system has none."""
    sock = lan.listen_by_ipv6(port) if host == lan.EVERYWHERE else None
    return [] if sock is None else [sock.detach()]


def _adopt(server: Server, sockets: list[int]) -> None:
    """Let daphne accept the connections of further sockets, of IPv6, once it runs."""
    loop: Any = reactor
    for fd in sockets:
        loop.callWhenRunning(lambda fd=fd: loop.adoptStreamPort(fd, socket.AF_INET6, server.http_factory))


def _serve(endpoints: list[str], by_ipv6: list[int]) -> None:
    """Run daphne in this process until it is told to stop."""
    server = _server(endpoints)
    _adopt(server, by_ipv6)
    loop: Any = reactor
    calls.heed_closed_window(lambda: loop.callFromThread(loop.stop))
    if calls.IS_WINDOWS:
        # Ctrl-C does not wake a loop that waits there.
        loop.callWhenRunning(task.LoopingCall(lambda: None).start, CTRL_C_SECONDS)
    loop.callWhenRunning(service_manager.tell, "READY=1")
    loop.addSystemEventTrigger("before", "shutdown", service_manager.tell, "STOPPING=1")
    if seconds := service_manager.beat_seconds():
        # From the event loop: a house that hangs does not beat.
        loop.callWhenRunning(task.LoopingCall(service_manager.beat).start, seconds)
    server.run()


def _serve_as_worker(fd: int, all_fds: list[int], by_ipv6: list[int], beats: int) -> None:
    """Run daphne on an inherited socket until the parent process tells it to stop, or ends."""
    # Ctrl-C reaches every process of a terminal; the parent stops its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    interfaces.listen_at(settings.HOST)
    server = _server(build_endpoint_description_strings(file_descriptor=fd))
    _adopt(server, by_ipv6)
    worker_line.WorkerLine(server, fd, all_fds, beats).open()
    server.run()


def _serve_by_many(host: str, port: int, count: int) -> None:
    """Run several server processes at one port until told to stop."""
    sockets = workers.listen(host, port, count)
    log_level.start_following()
    with tempfile.TemporaryDirectory(prefix="stammtisch-metrics-") as figures:
        workers.PortWorkers(
            sockets,
            count,
            _by_ipv6(host, port),
            HOST=host,
            PROMETHEUS_MULTIPROC_DIR=figures,
        ).run()
