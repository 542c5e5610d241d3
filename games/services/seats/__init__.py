"""Seats: taking, giving and freeing them, the sittings on them, and people without a phone."""
