"""House rules: named rule sets, offers, cards and files."""
