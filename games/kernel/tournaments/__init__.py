"""Tournaments of matches: state, proposals and standing are a replay of a log. Pure: no clock, no files, no order
of hashes.
"""
