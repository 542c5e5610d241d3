"""Attacks, as those who mean ill would carry them out: docs/security.md names each promise's tests."""
