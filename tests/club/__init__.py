"""A club's whole year, by pages and mails on a moved clock: `make year`. Not a part of the daily tests."""
