"""What a host does with an evening: acts, take-over, change of phone, practice, the demo, closing what is unused."""
