"""Chat: lines and greetings at a table."""
