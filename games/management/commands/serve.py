"""Serve the house to everybody on the network, until Ctrl-C."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from channels.routing import get_default_application
from daphne.endpoints import build_endpoint_description_strings
from daphne.server import Server
from django.conf import settings
from django.core.management.base import BaseCommand

from games.management import lan


class Command(BaseCommand):
    """`manage.py serve`."""

    help = "Serve the house by daphne on all interfaces, and show how phones get there."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take host and port, from the environment by default."""
        add_address(parser)

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        """Check the port, tell the addresses, serve."""
        lan.check_port(host, port)
        urls = lan.addresses(host, port)
        if not settings.PUBLIC_URL:
            # QR codes on the screen must lead phones here, whatever address the laptop used.
            settings.PUBLIC_URL = urls[0]
        self._tell(urls)
        self._serve(host, port)
        self.stdout.write("\nClosed. Everything that was played is kept.")

    def _tell(self, urls: list[str]) -> None:
        """Say where the house is, with a QR code where a person looks at a terminal."""
        public = settings.PUBLIC_URL
        if self.stdout.isatty():
            self.stdout.write(lan.qr_text(public))
        self.stdout.write(f"\nStammtisch is open:  {public}")
        for url in urls:
            if url != public:
                self.stdout.write(f"                     {url}")
        if all("localhost" in url for url in urls):
            self.stdout.write("No network found: only this computer can reach the house.")
        self.stdout.write("Ctrl-C closes it.\n")
        self.stdout.flush()

    def _serve(self, host: str, port: int) -> None:
        """Run daphne in this process until it is told to stop."""
        Server(
            application=get_default_application(),
            endpoints=build_endpoint_description_strings(host=host, port=port),
            server_name="Stammtisch",
        ).run()


def add_address(parser: ArgumentParser) -> None:
    """Add --host and --port, whose defaults are HOST and PORT of the environment."""
    host, port = os.environ.get("HOST") or lan.EVERYWHERE, os.environ.get("PORT") or "8000"
    parser.add_argument("--host", default=host, help="where to listen (HOST; all interfaces)")
    parser.add_argument("--port", type=int, default=port, help="the port (PORT; 8000)")
