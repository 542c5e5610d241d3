"""Draws for tables of many: who sits with whom. Pure: the answer follows from the input alone."""
