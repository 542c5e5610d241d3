"""Figures: counts and chances of dice, and the ranges in which those of honest dice lie."""
