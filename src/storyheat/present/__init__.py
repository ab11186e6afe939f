"""How answers are said: words and numbers, text charts, JSON objects, tables; the same for terminal and page."""
