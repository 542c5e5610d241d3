"""What can be pressed or filled in and has no name that is spoken (WCAG 2.2, 4.1.2), as the browser computes names."""

from __future__ import annotations

from playwright.sync_api import Page

NAMED = (
    *("button", "link", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch", "slider"),
    *("spinbutton", "tab", "menuitem", "image", "dialog", "navigation", "region"),
)
"""Roles that say nothing without a name; Chromium calls a graphic `image`, and a section with a name `region`."""


def unnamed(page: Page) -> list[str]:
    """Return the role and the source of everything on a page that has no name."""
    session = page.context.new_cdp_session(page)
    found = []
    for node in session.send("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value", "")
        if node.get("ignored") or role not in NAMED or node.get("name", {}).get("value", "").strip():
            continue
        what = session.send("DOM.describeNode", {"backendNodeId": node["backendDOMNodeId"]})["node"]
        words = [what["localName"], *what.get("attributes", [])]
        found.append(f"{role}: {' '.join(words)[:120]}")
    session.detach()
    return found
