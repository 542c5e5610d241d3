"""Seats: taking, giving and freeing them, who sat there when, and people without a phone."""
