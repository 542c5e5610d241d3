"""What the staff does at a table that is stuck, and what it sees of it: nothing hidden, and no turn of anybody."""
