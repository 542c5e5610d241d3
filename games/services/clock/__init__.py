"""The clock: deadlines, bots, due decisions, background tasks and housekeeping."""
