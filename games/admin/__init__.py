"""The admin: for looking things up and correcting them, by acts of the services."""
