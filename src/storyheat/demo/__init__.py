"""The bundled demo week: invented sources, what they publish in seven days, and how it is played."""
