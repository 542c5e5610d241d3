"""Tournaments, seasons and series in the admin: things that organisers and directors make; read alone.

The staff act upon seasons and series on their pages, where they count as organisers.
"""
