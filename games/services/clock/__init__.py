"""The clock: deadlines, bots, due decisions and housekeeping."""
