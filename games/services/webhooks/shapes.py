"""The forms of a message: the house's own JSON, and those of Discord, Slack and Matrix."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from games.kernel.contract import JsonObject
from games.models import Webhook

DISCORD_MOST, SLACK_MOST, MATRIX_MOST = 2000, 3000, 8000
_MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()-])")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def discord(text: str) -> JsonObject:
    """Return a message for an incoming webhook of Discord; no name in it formats or calls anybody."""
    return {"content": _cut(_MARKDOWN.sub(r"\\\1", text), DISCORD_MOST), "allowed_mentions": {"parse": []}}


def slack(text: str) -> JsonObject:
    """Return a message for an incoming webhook of Slack, whose own signs are escaped."""
    plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": _cut(plain, SLACK_MOST), "mrkdwn": False}


def matrix(text: str) -> JsonObject:
    """Return a message for a generic webhook of Matrix (hookshot); an @ in it calls nobody."""
    return {"text": _cut(text.replace("@", "@\u200b"), MATRIX_MOST)}


SHAPES: Mapping[str, Callable[[str], JsonObject]] = {
    Webhook.Shape.DISCORD: discord,
    Webhook.Shape.SLACK: slack,
    Webhook.Shape.MATRIX: matrix,
}


def body(shape: str, message: JsonObject) -> bytes:
    """Return the bytes of a message, which has all its facts and a `text`, in a form."""
    made = SHAPES[shape](str(message["text"])) if shape in SHAPES else message
    return json.dumps(made, ensure_ascii=False).encode()
