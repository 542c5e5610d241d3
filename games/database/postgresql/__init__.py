"""Django's backend for PostgreSQL, where pages share a bounded number of connections."""
