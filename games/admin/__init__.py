"""The admin: to look things up and put them right, by acts of the services."""
