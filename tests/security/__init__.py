"""Attacks: each is tried here, and fails as docs/security.md promises."""
