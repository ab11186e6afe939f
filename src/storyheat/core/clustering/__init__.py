"""Which items make one story."""
