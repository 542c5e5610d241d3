"""What people organise over many tables or nights, in the admin: tournaments, seasons, series; read alone.

The staff act upon them on their pages, where they count as organisers and directors.
"""
