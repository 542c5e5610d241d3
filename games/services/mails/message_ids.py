"""Message-IDs of the house's mails: below the domain of their sender, whatever this computer is called."""

from __future__ import annotations

import secrets

from games.ops import mail_settings


def new_key() -> str:
    """Return what is unique of a Message-ID: 22 characters, 128 bits."""
    return secrets.token_urlsafe(16)


def message_id(key: str = "") -> str:
    """Return a Message-ID; the same for the same key."""
    return f"<{key or new_key()}@{mail_settings.sender_domain()}>"
