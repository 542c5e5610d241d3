"""The version of the house; pyproject.toml reads it from here."""

VERSION = "0.1.0"
