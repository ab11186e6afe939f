"""How loud a story is at an instant, who counts in it, and what is known about the hour."""
