"""The house on pages: its time zone and language, its logo, and the page on which its staff describe it."""
