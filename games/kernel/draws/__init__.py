"""Draws of tables of several people. Pure: the answer follows from the input alone."""
