"""A page in an engine: a process of its own, which is asked by lines (tests/engines/drivers/lines.py)."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.engines.engines import ROOT, Engine

PATIENCE = 45.0
"""Seconds that something may take on a machine that is busy with other work."""
LOOKS_AGAIN = 0.05


class EngineError(AssertionError):
    """What an engine's driver said of what it could not do."""


def draw(picture: Callable[[Path], None], what: str) -> None:
    """Draw a picture into the folder SHOTS, if there is one; its name says of what."""
    if folder := os.environ.get("SHOTS"):
        picture(Path(folder) / f"{re.sub(r'[^a-z0-9]+', '-', what.lower())}.png")


class Page:
    """A page with cookies of its own, in a viewport of so many pixels."""

    def __init__(self, engine: Engine, size: tuple[int, int]) -> None:
        self.engine = engine
        self._said = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed with the page)
        self._process = subprocess.Popen(
            [engine.python, "-m", f"tests.engines.drivers.{engine.driver}", engine.name, *map(str, size)],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said, text=True,
            # With all processes of its browser in a group of their own, which can be stopped.
            start_new_session=True,
        )  # fmt: skip

    def _ask(self, do: str, *args: Any) -> Any:
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.write(json.dumps({"do": do, "with": args}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise EngineError(self._last_words()) from None
        if not (told := self._process.stdout.readline()):
            raise EngineError(self._last_words())
        answer = json.loads(told)
        if "error" in answer:
            raise EngineError(answer["error"])
        return answer["value"]

    def _last_words(self) -> str:
        self._process.wait(timeout=PATIENCE)
        self._said.seek(0)
        return f"the driver of {self.engine.name} has ended: {self._said.read()[-3000:]}"

    def version(self) -> str:
        """Return the engine's name and version."""
        return str(self._ask("version"))

    def open(self, url: str) -> None:
        """Load an address and wait until it is loaded."""
        self._ask("open", url)

    def resize(self, width: int, height: int) -> None:
        """Give the viewport a size."""
        self._ask("resize", width, height)

    def evaluate(self, script: str, *args: Any) -> Any:
        """Call a function of JavaScript with arguments and return what it gives or promises; raises EngineError."""
        return self._ask("evaluate", script, list(args))

    def tap(self, x: float, y: float) -> None:
        """Tap a place of the viewport."""
        self._ask("tap", x, y)

    def type(self, text: str) -> None:
        """Type a text into what has the focus."""
        self._ask("type", text)

    def names(self, css: str) -> list[tuple[str, str]]:
        """Return role and name of elements as the engine computes them for screen readers, where its driver tells."""
        return [(role, name) for role, name in self._ask("names", css)]

    def picture(self, path: Path) -> None:
        """Draw the viewport into a file."""
        self._ask("picture", str(path))

    def picture_of(self, what: str) -> None:
        """Draw the viewport into the folder SHOTS, if there is one; its name says of what."""
        draw(self.picture, f"{self.engine.name} {what}")

    def faults(self) -> list[str]:
        """Return the errors of scripts that nobody caught, where the driver hears of them."""
        return list(self._ask("faults"))

    def wait_for(self, script: str, *args: Any, seconds: float = PATIENCE) -> Any:
        """Call a function until what it returns is true, and return that.

        A page that is on its way to another one answers when it is there. Raises EngineError after so many seconds.
        """
        until, said = time.monotonic() + seconds, "it is not so"
        while True:
            try:
                if found := self.evaluate(script, *args):
                    return found
            except EngineError as error:
                if self._process.poll() is not None:
                    raise
                said = str(error)
            if time.monotonic() > until:
                raise EngineError(f"{args or script}: {said}: {self._looks_like()}")
            time.sleep(LOOKS_AGAIN)

    def _looks_like(self) -> str:
        try:
            return str(self.evaluate("() => `${location} ${document.body.innerText}`"))[:1500]
        except EngineError as error:
            return str(error)

    def stop(self) -> None:
        """Let nothing of the browser run, until it goes on."""
        self._tell_all(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let the browser run again."""
        self._tell_all(signal.SIGCONT)

    def _tell_all(self, what: signal.Signals) -> None:
        # Of a browser that has ended nobody is left to be told.
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, what)

    def begin_to_close(self) -> None:
        """Let the browser end, which takes it a while."""
        assert self._process.stdin
        self.go_on()
        # A driver that has ended by itself took not all that was asked: what it said last was told then.
        with suppress(BrokenPipeError):
            self._process.stdin.close()

    def close(self) -> None:
        """End the browser, and what is left of it."""
        self.begin_to_close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=PATIENCE)
        self._tell_all(signal.SIGKILL)
        self._process.wait()
        self._said.close()
