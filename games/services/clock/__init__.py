"""The clock: deadlines, bots and due decisions."""
