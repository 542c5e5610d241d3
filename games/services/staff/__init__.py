"""Acts of the staff at a table that is stuck, and its view of it: nothing hidden, and no turn of anybody."""
