"""The store: facts and conclusions in one SQL database; the only home of SQLModel and SQLAlchemy."""
