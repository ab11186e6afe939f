"""Words, names, numbers and markup of a text, whatever it is about."""
