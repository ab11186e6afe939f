"""Times as feeds, pages and people write them."""
