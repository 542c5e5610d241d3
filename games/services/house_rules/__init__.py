"""House rules: sets by name, offers, cards and files."""
