"""Figures: counts and chances of dice, and the ranges in which honest dice lie."""
