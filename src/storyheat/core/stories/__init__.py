"""What is told of a story: its name, what became known when, what contradicts what, what to read first."""
