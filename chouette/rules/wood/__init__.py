"""The acts of a game whose dice and checkers are on a real board (docs/rules-chouette.md §4.13)."""
