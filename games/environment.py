"""Reading the environment, for the settings."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def env_flag(name: str, default: bool = False) -> bool:
    """Return an environment variable as yes or no."""
    return os.environ.get(name, "1" if default else "0").lower() in {"1", "true", "yes", "on"}


def env_list(name: str, default: str = "") -> list[str]:
    """Return a comma-separated environment variable as a list."""
    return [item.strip() for item in os.environ.get(name, default).split(",") if item.strip()]


def origins(url: str) -> list[str]:
    """Return the origin (scheme, host and port) of an address such as PUBLIC_URL; none for an empty one."""
    scheme, separator, rest = url.partition("://")
    return [f"{scheme}{separator}{rest.partition('/')[0]}"] if url else []


def kept_secret(folder: Path) -> str:
    """Return the secret key: from SECRET_KEY, or made once and kept in a folder."""
    if key := os.environ.get("SECRET_KEY"):
        return key
    path = folder / "secret_key"
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50), encoding="utf-8")
    return path.read_text(encoding="utf-8").strip()
