"""One run: poll what is due, place what is new, measure what is hot."""
