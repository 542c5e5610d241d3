#!/usr/bin/env python
"""Stammtisch's command line in the sources."""

from games.command_line import main

if __name__ == "__main__":
    main()
