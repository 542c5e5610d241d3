"""Attacks: what strangers, guests and other accounts of the computer try, and what they get."""
