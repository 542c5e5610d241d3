"""Messages by Apprise (an extra): to an address of one of its services, which the staff has entered.

Apprise connects by itself, so it works in a process of its own, where each connection passes the guard of webhooks.
`python -m games.services.webhooks.by_apprise` is that process: it reads {"address", "text"} as JSON, writes {"code"}.
"""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from games import json_text
from games.kernel.contract import Illegal
from games.services.webhooks import addresses
from games.services.webhooks.socket_guard import Guard, guarded

SECONDS = 40
"""The time in which Apprise has to be done; its process is ended then."""
LOCAL = frozenset({"blink1", "dbus", "glib", "gnome", "kde", "macosx", "qt", "syslog", "windows"})
"""Schemes of what happens on this computer."""
_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*)://[\x21-\x7e]+")


def is_installed() -> bool:
    """Tell whether this house has Apprise."""
    return find_spec("apprise") is not None


def check(address: str) -> None:
    """Raise Illegal `apprise_missing`, `apprise_address`, `webhook_refused` unless Apprise may be asked for an address.

    Whether it knows the service is found when something is sent: it takes seconds to look.
    """
    if not is_installed():
        raise Illegal("apprise_missing")
    found = _ADDRESS.fullmatch(address)
    if found is None or len(address) > addresses.LONGEST:
        raise Illegal("apprise_address")
    if found[1] in LOCAL:
        raise Illegal("webhook_refused")


def send(address: str, text: str) -> None:
    """Have Apprise send a text to an address.

    Raises Illegal as `check`, `apprise_address` for a service that it does not know, as `addresses.checked`, and
    `apprise_failed`.
    """
    check(address)
    # A proxy would connect to what nobody has checked.
    env = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    try:
        done = subprocess.run(  # noqa: S603 (our own program)
            [sys.executable, "-m", __name__],
            input=json.dumps({"address": address, "text": text}),
            capture_output=True,
            check=True,
            encoding="utf-8",
            env=env,
            timeout=SECONDS,
        )
        code = json_text.read(done.stdout)["code"]
    except (OSError, subprocess.SubprocessError, ValueError):
        raise Illegal("apprise_failed") from None
    if code:
        raise Illegal(code)


def code_of(address: str, text: str, guard: Guard) -> str:
    """Send a text under a guard; return "" or the code of what went wrong."""
    apprise: Any = import_module("apprise")
    # No foreign pictures, and nothing written to disk.
    asset = apprise.AppriseAsset(
        app_id="Stammtisch", app_desc="", app_url="", async_mode=False, http_redirects=False, image_url_mask="",
        image_url_logo="", image_path_mask="", storage_mode="memory",
    )  # fmt: skip
    with guarded(guard):
        service = apprise.Apprise.instantiate(address, asset=asset)
        if service is None:
            return "apprise_address"
        # An address may ask for redirects of its own.
        service.redirects = False
        is_sent = service.notify(body=text.replace("@", "@\u200b"), body_format=apprise.NotifyFormat.TEXT)
    if guard.refusals:
        return guard.refusals[0]
    return "" if is_sent else "apprise_failed"


def main() -> None:
    """Send the message on standard input, and print the code of the outcome as JSON."""
    logging.disable()
    asked = json_text.read(sys.stdin.read())
    code = code_of(asked["address"], asked["text"], Guard())
    sys.stdout.write(json.dumps({"code": code}))


if __name__ == "__main__":
    main()
