"""Fixtures of what is shared: those of seasons."""

from tests.seasons.conftest import olga, season

__all__ = ["olga", "season"]
