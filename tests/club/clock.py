"""A clock of the test's own: every module of the house reads it, and so do sessions, signatures and limits."""

from __future__ import annotations

import sys
import time
from datetime import datetime, timedelta, tzinfo

import pytest

from games.services import server_time

_OF_HOUSE = ("games", "chouette", "chicago", "allauth", "django.utils.timezone", "django.contrib")
_real_now, _real_time = datetime.now, time.time


class _AnyDatetime(type):
    """Lets every datetime be an instance of the moved class."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, datetime)


class Clock:
    """The time of the house, `ahead` of the computer's."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, start: datetime) -> None:
        self.ahead = timedelta()
        clock = self

        class Moved(datetime, metaclass=_AnyDatetime):
            """Datetime whose `now` is the clock's."""

            @classmethod
            def now(cls, tz: tzinfo | None = None) -> datetime:
                return _real_now(tz) + clock.ahead

        for name, module in list(sys.modules.items()):
            if name.startswith(_OF_HOUSE) and getattr(module, "datetime", None) is datetime:
                monkeypatch.setattr(module, "datetime", Moved)
        monkeypatch.setattr(time, "time", lambda: _real_time() + clock.ahead.total_seconds())
        self.go(start)

    def go(self, moment: datetime) -> None:
        """Set the time."""
        self.ahead = moment - _real_now(moment.tzinfo)
        server_time.set_time(moment.timestamp() * 1000)
