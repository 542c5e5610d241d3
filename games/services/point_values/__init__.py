"""The value of a point: per table, per player, and the house's limits of it."""
