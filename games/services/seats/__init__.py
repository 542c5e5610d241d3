"""Seats: their rows, taking, giving and freeing them, and the sittings on them."""
