"""What runs in the environment of an engine, in a process for each page; it needs nothing of the house."""
