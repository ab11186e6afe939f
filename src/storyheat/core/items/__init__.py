"""Items: from the entries of a feed to what is kept, recognised and let go."""
