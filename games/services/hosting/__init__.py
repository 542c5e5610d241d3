"""Acts of a host upon an evening: opening, take-over, change of phone, people without one, practice, demo, closing."""
