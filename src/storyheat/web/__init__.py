"""The web page: routes, templates and the files they need, over the same answers and words as the terminal."""
