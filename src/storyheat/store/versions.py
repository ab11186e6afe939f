"""By what a file tells that it is a database of ours, and which version of the schema it has."""

APPLICATION_ID = 0x53746879  # "Sthy": tells a SQLite file of ours from others
KNOWN_VERSIONS = ("0001", "0002")  # every migration, oldest first
HEAD = KNOWN_VERSIONS[-1]
