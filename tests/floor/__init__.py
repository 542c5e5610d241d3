"""What the oldest browsers lack is not served to them."""
