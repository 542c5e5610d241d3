"""Screens of the house: televisions that are taken in by letters, and what they are let show."""
