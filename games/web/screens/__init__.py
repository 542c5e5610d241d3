"""Pages of the house's screens: what they show, and where they are taken in."""
