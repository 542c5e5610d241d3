"""Forms as a browser sends them: what stands in their fields, with what somebody types or taps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.web.pages import Tag, read

Fields = dict[str, list[str]]


def form(page: str, action: str, having: str = "") -> Fields | None:
    """Return the fields of a page's first form to an address that ends so and holds a text; None without one.

    A button is no field: it is what one taps (`buttons`).
    """
    text = form_text(page, action, having)
    return None if text is None else dict(_filled(read(text).tags))


def form_text(page: str, action: str, having: str = "") -> str | None:
    """Return a page's first form to an address that ends so and holds a text."""
    found = (each for each in re.findall(r"<form\b.*?</form>", page, re.DOTALL) if having in each)
    return next((each for each in found if _goes_to(each, action)), None)


def _goes_to(text: str, action: str) -> bool:
    tags = read(text).tags
    addresses = [tags[0].attrs.get("action", ""), *(tag.attrs.get("formaction", "") for tag in tags)]
    return any(each.partition("?")[0].endswith(action) for each in addresses)


def buttons(page: str, action: str, name: str) -> dict[str, str]:
    """Return the buttons of a form by what they say: the values that they send as `name`."""
    found = re.findall(r"<button\b.*?</button>", form_text(page, action, f'name="{name}"') or "", re.DOTALL)
    tags = [(each, read(each).tags[0].attrs) for each in found]
    return {said(each): attrs.get("value", "") for each, attrs in tags if attrs.get("name") == name}


def said(html: str) -> str:
    """Return what a piece of a page says."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).strip()


def _filled(tags: list[Tag]) -> Iterator[tuple[str, list[str]]]:
    found: Fields = {}
    for place, tag in enumerate(tags):
        name, kind = tag.attrs.get("name", ""), tag.attrs.get("type", "text")
        if not name or name == "csrfmiddlewaretoken":
            continue
        if tag.name == "select":
            found.setdefault(name, []).append(_chosen(tags[place + 1 :]))
        elif tag.name == "textarea":
            found.setdefault(name, []).append(tag.text)
        elif tag.name == "input" and (kind not in ("checkbox", "radio") or "checked" in tag.attrs):
            found.setdefault(name, []).append(tag.attrs.get("value", ""))
    yield from found.items()


def _chosen(tags: list[Tag]) -> str:
    """Return the value of the chosen option of a select, the first one's if none is chosen."""
    options = []
    for tag in tags:
        if tag.name not in ("option", "optgroup"):
            break
        options += [tag] if tag.name == "option" else []
    chosen = [tag for tag in options if "selected" in tag.attrs] or options[:1]
    return chosen[0].attrs.get("value", chosen[0].text.strip()) if chosen else ""


def options(page: str, action: str, name: str) -> dict[str, str]:
    """Return the options of a select of a form: the values by what they say."""
    select = re.search(rf'<select[^>]*name="{name}".*?</select>', form_text(page, action, f'name="{name}"') or "", re.S)
    tags = read(select[0] if select else "").all("option")
    return {" ".join(tag.text.split()): tag.attrs["value"] for tag in tags}
