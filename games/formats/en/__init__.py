"""The English formats."""
