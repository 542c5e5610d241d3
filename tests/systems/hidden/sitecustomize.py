"""Python runs this before a program whose PYTHONPATH has this folder: the program is on Windows, or on macOS."""

import os

if system := os.environ.get("HIDDEN_SYSTEM"):
    import other_system

    other_system.pretend(system)
