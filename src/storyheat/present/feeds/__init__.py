"""Stories as feeds for other programs: Atom, RSS and JSON Feed, made of the same values."""
