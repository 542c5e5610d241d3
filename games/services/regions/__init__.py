"""The region by which numbers, lists and dates are written, and how each is written there."""
