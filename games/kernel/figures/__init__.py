"""Figures: counts and chances of dice, and the ranges of honest ones."""
