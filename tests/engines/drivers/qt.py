"""A page in Qt's WebEngine, which is a Chromium of its years: 87 in Qt 5.15, 90 in 6.2, 108 in 6.5."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from tests.engines.drivers.lines import ANSWER_SECONDS, serve

# Software alone draws, nothing is shown, and whoever runs tests as root has no sandbox. Without a screen Qt 5 has no
# OpenGL, which its view would draw by.
os.environ["QT_QUICK_BACKEND"] = "software"
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = "--no-sandbox --disable-gpu --force-prefers-reduced-motion"

QT = "PyQt6" if find_spec("PyQt6") else "PyQt5"
core = import_module(f"{QT}.QtCore")
widgets = import_module(f"{QT}.QtWidgets")
test = import_module(f"{QT}.QtTest")
views = import_module(f"{QT}.QtWebEngineWidgets")
# What a page is moved from one module to the other with Qt 6.
engine = import_module("PyQt6.QtWebEngineCore") if QT == "PyQt6" else views

LOAD_SECONDS = 60.0
_LOOK_SECONDS = 0.01
_CALL = """(() => {
  const answers = window.engineAnswers ??= {};
  answers[%(key)d] = "";
  const tell = (answer) => { answers[%(key)d] = JSON.stringify(answer); };
  new Promise((go) => go((%(script)s)(...%(args)s))).then(
    (value) => tell({ value: value === undefined ? null : value }),
    (error) => tell({ error: `${error}\\n${error && error.stack}` }),
  );
})()"""
_ANSWER = "window.engineAnswers ? window.engineAnswers[%d] : 'gone'"


class ScriptError(Exception):
    """A script threw something, or its page went away."""


class QtPage:
    """A view with a profile, and so with cookies, of its own."""

    def __init__(self, width: int, height: int) -> None:
        self._app = widgets.QApplication([sys.argv[0], "--no-sandbox"])
        # Chromium's own work is done between events of Qt: who waits for them wakes now and then to look.
        flags = core.QEventLoop.ProcessEventsFlag
        self._flags = flags.AllEvents | flags.WaitForMoreEvents
        self._waking = core.QTimer()
        self._waking.start(round(_LOOK_SECONDS * 1000))
        self._profile = engine.QWebEngineProfile()
        self._profile.setHttpAcceptLanguage("en-GB")
        self._view = views.QWebEngineView()
        self._faults: list[str] = []
        faults = self._faults

        class Heard(engine.QWebEnginePage):  # type: ignore[misc, name-defined]
            """A page that keeps what its console says of errors."""

            def javaScriptConsoleMessage(self, level: Any, text: str, line: int, source: str) -> None:
                """Keep an error that nobody caught."""
                if text.startswith("Uncaught"):
                    faults.append(f"{text} ({source}:{line})")

        self._page = Heard(self._profile, self._view)
        self._view.setPage(self._page)
        self._keys = count()
        self.resize(width, height)
        self._view.show()

    def _wait(self, is_done: Callable[[], bool], seconds: float) -> None:
        until = time.monotonic() + seconds
        while not is_done():
            if time.monotonic() > until:
                raise TimeoutError(f"nothing for {seconds} s")
            self._app.processEvents(self._flags)

    def lines(self) -> Iterator[str]:
        """Yield what is asked; the page goes on while nobody asks, which it does by Qt's events alone."""
        asked: SimpleQueue[str] = SimpleQueue()

        def read() -> None:
            for line in sys.stdin:
                asked.put(line)
            asked.put("")

        Thread(target=read, daemon=True).start()
        while True:
            self._wait(lambda: not asked.empty(), math.inf)
            if not (line := asked.get()):
                return
            yield line

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        self._wait(lambda: time.monotonic() > until, seconds + 1)

    def _run(self, script: str) -> Any:
        got: list[Any] = []
        if QT == "PyQt6":
            self._page.runJavaScript(script, 0, got.append)
        else:
            self._page.runJavaScript(script, got.append)
        self._wait(lambda: bool(got), ANSWER_SECONDS)
        return got[0]

    def version(self) -> str:
        """Return Chromium's version, as the page says it."""
        return str(self._run("navigator.userAgent.match(/Chrome[^ ]+/)[0]"))

    def open(self, url: str) -> None:
        """Load an address."""
        loaded: list[bool] = []
        self._page.loadFinished.connect(loaded.append)
        self._view.load(core.QUrl(url))
        self._wait(lambda: bool(loaded), LOAD_SECONDS)
        self._page.loadFinished.disconnect(loaded.append)

    def resize(self, width: int, height: int) -> None:
        """Give the view a size, and wait until the page has it."""
        self._view.resize(width, height)
        if self._view.isVisible():
            self._wait(lambda: self._run("[innerWidth, innerHeight].join()") == f"{width},{height}", LOAD_SECONDS)

    def evaluate(self, script: str, args: list[Any]) -> Any:
        """Call a function with arguments; raises ScriptError with what it throws."""
        key = next(self._keys)
        self._run(_CALL % {"key": key, "script": script, "args": json.dumps(args)})
        until = time.monotonic() + ANSWER_SECONDS
        while not (told := self._run(_ANSWER % key)):
            if time.monotonic() > until:
                raise TimeoutError(script[:200])
            self._pause(_LOOK_SECONDS)
        answer = {"error": "the page went away"} if told == "gone" else json.loads(told)
        if "error" in answer:
            raise ScriptError(answer["error"])
        return answer["value"]

    def tap(self, x: float, y: float) -> None:
        """Press a place by the mouse: Qt has no finger for a page."""
        place = core.QPoint(round(x), round(y))
        to = self._view.focusProxy()
        test.QTest.mouseMove(to, place)
        test.QTest.mouseClick(to, core.Qt.MouseButton.LeftButton, core.Qt.KeyboardModifier.NoModifier, place, 10)

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        test.QTest.keyClicks(self._view.focusProxy(), text)

    def picture(self, path: str) -> None:
        """Draw the view; what has just changed needs a moment to be drawn."""
        self._pause(0.5)
        if not self._view.grab().save(str(Path(path))):
            raise OSError(path)

    def faults(self) -> list[str]:
        """Return the errors that nobody caught."""
        return self._faults

    def close(self) -> None:
        """Let the page go before its profile."""
        self._view.setPage(None)
        self._page.deleteLater()
        self._app.processEvents()


if __name__ == "__main__":
    page = QtPage(int(sys.argv[2]), int(sys.argv[3]))
    serve(page, page.lines())
    # Chromium's own end takes seconds, and nothing is kept.
    os._exit(0)
