"""Rolls of tables: read from logs, counted, and written as files that anybody can throw again."""
