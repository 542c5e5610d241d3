"""Django's backend for PostgreSQL, with the pages' pool (games/database)."""

from __future__ import annotations

import threading
from typing import Any

from django.conf import settings
from django.db.backends.postgresql import base
from psycopg import IsolationLevel

from games import database
from games.database.pool import Pool

_pools: dict[tuple[str, ...], Pool] = {}
_lock = threading.Lock()


class DatabaseWrapper(base.DatabaseWrapper):
    """A thread's way to PostgreSQL: by a shared connection for pages, else by its own."""

    @property
    def pool(self) -> None:
        """Django's own pool is not used."""
        return None

    def close_pool(self) -> None:
        """Close the connections that no page uses now."""
        for pool in list(_pools.values()):
            pool.close()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open this thread's connection, or take one of the pages'."""
        if not database.is_page():
            return super().get_new_connection(conn_params)
        # What Django keeps here is per thread, and the same for all connections.
        self.isolation_level = IsolationLevel.READ_COMMITTED
        return self._shared().take(lambda: self.Database.connect(**{**conn_params, "autocommit": True}))

    def _shared(self) -> Pool:
        """Return the pages' pool of this database."""
        where = tuple(str(self.settings_dict[name]) for name in ("HOST", "PORT", "NAME", "USER"))
        with _lock:
            if where not in _pools:
                _pools[where] = Pool(settings.DATABASE_POOL)
            return _pools[where]

    def _close(self) -> None:
        """Close the connection, or give it back."""
        held, pool = self.connection, getattr(self.connection, "_pool", None)
        if pool is None:
            super()._close()  # type: ignore[misc]
            return
        self.connection = None
        pool.give_back(held)

    def close_if_unusable_or_obsolete(self) -> None:
        """Give a shared connection back; look at an own one as Django does."""
        if getattr(self.connection, "_pool", None) is None:
            super().close_if_unusable_or_obsolete()
        elif not self.in_atomic_block:
            self.close()

    def __del__(self) -> None:
        """Give a shared connection back where a thread has ended without doing so."""
        held = getattr(self, "connection", None)
        pool = getattr(held, "_pool", None)
        if pool is not None:
            self.connection = None
            pool.give_back(held)
