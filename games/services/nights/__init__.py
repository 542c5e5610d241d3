"""Nights: membership, room codes, TV screens, change of phone, venues."""
