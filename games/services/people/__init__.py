"""People: players, accounts, claims, bans, tokens."""
