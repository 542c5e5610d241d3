"""Acts of a host upon an evening: opening, take-over, change of phone, practice, demo, closing of what is unused."""
