"""Frames on a slow phone: a throw, a play and a reveal of five answers, with the processor slowed down 6 ×.

`python -m tests.bench.bench_motion` shows each state without a server (tests/browser/gallery), then tells the page
the entry that moves something, and prints what the browser says of its frames: how many there were, the longest, and
those over 50 ms with what ran in them. It tells of work in the page only when the machine has nothing else to do.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import django
from playwright.sync_api import Browser

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from tests.browser.gallery.chouette import picks  # noqa: E402
from tests.browser.gallery.stage import SCREENS, Stage, browser_of, told  # noqa: E402
from tests.browser.gallery.states import Course, Finds, Look, Shown, Wanted, states_of  # noqa: E402
from tests.conftest import CHROMIUM  # noqa: E402

SLOWER = 6
LONGEST_MS = 50
SECONDS = 3.5
WATCH = """() => {
  window.frames_seen = { long: [], times: [] };
  const tell = (list) => {
    for (const one of list.getEntries()) {
      const scripts = one.scripts.map((s) =>
        `${s.sourceURL.split("/static/").pop()} ${s.sourceFunctionName || s.invoker}`
        + ` ${Math.round(s.duration)} (layout forced ${Math.round(s.forcedStyleAndLayoutDuration)})`);
      const drawn = one.styleAndLayoutStart ? one.startTime + one.duration - one.styleAndLayoutStart : 0;
      window.frames_seen.long.push({ ms: one.duration, scripts, drawn });
    }
  };
  new PerformanceObserver(tell).observe({ type: "long-animation-frame" });
  const next = (now) => { window.frames_seen.times.push(now); requestAnimationFrame(next); };
  requestAnimationFrame(next);
}"""


@dataclass(frozen=True)
class Motion:
    """What was seen of a motion: the milliseconds between its frames, and the frames over 50 ms."""

    name: str
    gaps: list[float]
    long: list[dict[str, Any]]


def thrown(look: Look) -> tuple[int | None] | None:
    """Find a throw of all three dice, as another sees it."""
    turn = look.view["turn"]
    is_so = look.is_command("throw") and len(look.view["cup"]["rolled"]) == 3 and turn is not None
    return ((turn + 1) % look.seats,) if is_so else None


def played(look: Look) -> tuple[int | None] | None:
    """Find a play of four moves, as another sees it."""
    is_so = look.is_command("move") and look.command is not None and len(look.command.args["play"]) == 4
    return (look.view["line"][-1],) if is_so and look.view["phase"] == "playing" else None


def revealed(look: Look) -> tuple[int | None] | None:
    """Find the opening of five answers, as a member sees it."""
    opened = next((event for event in look.events if event.type == "answers_opened"), None)
    is_so = opened is not None and len(opened.data["takes"]) + len(opened.data["drops"]) == 5
    return (look.view["line"][-1],) if is_so and look.view["phase"] == "playing" else None


def course(game: str, preset: str, name: str, finds: Finds, **options: Any) -> Callable[[], Shown]:
    """Return what finds a state with six seats."""
    return lambda: states_of(Course(game, 6, preset, (Wanted(name, finds),), **options))[0]


MOTIONS = (
    course("chicago", "classic", "a throw", thrown),
    course("chouette", "german", "a play", played, picks=picks()),
    course("chouette", "german", "five answers", revealed, picks=picks()),
)


def seen(browser: Browser, state: Shown) -> Motion:
    """Show a state's beginning, tell its entry, and return the frames that follow."""
    stage = Stage(browser, "de", calm=False)
    stage.resize(SCREENS[0])
    before, entry = state.frames[:-1], state.frames[-1]
    stage.open(replace(state, frames=before))
    # Once unmeasured: from then on the modules are compiled, as on any phone after the first throw.
    for frames in (before, [entry], before):
        stage.show(replace(state, frames=frames))
        stage.page.wait_for_timeout(2000)
    line = stage.context.new_cdp_session(stage.page)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    stage.page.evaluate(WATCH)
    stage.page.wait_for_timeout(500)
    stage.page.evaluate("() => { frames_seen.long.length = frames_seen.times.length = 0; }")
    stage.page.evaluate("told => gallery.show(told)", told(replace(state, frames=[entry])))
    stage.page.wait_for_timeout(SECONDS * 1000)
    found = stage.page.evaluate("frames_seen")
    assert stage.faults == [], stage.faults
    stage.close()
    gaps = [after - before for before, after in zip(found["times"], found["times"][1:], strict=False)]
    return Motion(state.name, gaps, found["long"])


def main() -> None:
    """Print the figures of each motion."""
    print(f"{'frames, processor 6 × slower':30} {'frames':>7} {'median':>7} {'longest':>8} {'over 50 ms':>11}")
    with browser_of(CHROMIUM) as browser:
        for find in MOTIONS:
            motion = seen(browser, find())
            middle = sorted(motion.gaps)[len(motion.gaps) // 2]
            counts = f"{len(motion.gaps):7} {middle:7.0f} {max(motion.gaps):8.0f} {len(motion.long):11}"
            print(f"{motion.name:30} {counts}")
            for one in motion.long:
                print(f"    {one['ms']:.0f} ms, drawing {one['drawn']:.0f} ms: {'; '.join(one['scripts'])}")


if __name__ == "__main__":
    main()
