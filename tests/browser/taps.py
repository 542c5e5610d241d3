"""The clock by which a page tells stray taps: it stands still, so that a tap comes at once however long it takes."""

from __future__ import annotations

from playwright.sync_api import Page

STOP = """() => {
  window.time = performance.now();
  performance.now = () => window.time;
  Object.defineProperty(Event.prototype, "timeStamp", { get: () => window.time });
}"""
LONG = 10_000
"""Milliseconds after which every button hears."""


def stop_clock(page: Page) -> None:
    page.evaluate(STOP)


def later(page: Page, ms: int = LONG) -> None:
    """Let time pass on a clock that stands still."""
    page.evaluate("(ms) => { window.time += ms; }", ms)
