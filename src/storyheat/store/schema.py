"""The schema as a whole: its tables by kind, its views, and its description for people."""

import re
from importlib import resources

from sqlalchemy.dialects import sqlite
from sqlmodel import SQLModel

from storyheat.store import conclusions, editorial, facts, upkeep, written

FACT_TABLES = tuple(
    row.__tablename__
    for row in (
        facts.SourceRow, facts.FeedRow, facts.FetchRow, facts.RestingHostRow, facts.HoleRow, facts.ItemRow,
        facts.EntryRow, facts.ArticleRow, facts.RobotsRow, facts.RevisionRow,
        facts.CorrectionRow, editorial.PollRow, editorial.PollAnswerRow,
        editorial.SelectionRow, upkeep.HorizonRow,
        upkeep.TombstoneRow, upkeep.SettledStateRow, upkeep.SettledTermRow,
    )
)  # fmt: skip
CONCLUSION_TABLES = tuple(
    row.__tablename__
    for row in (
        conclusions.CopyRow, conclusions.SketchRow, conclusions.StoryRow, conclusions.MembershipRow,
        conclusions.LonerRow, conclusions.MergeRow, conclusions.MeasureRow, conclusions.HeatRow,
        conclusions.DevelopmentRow, conclusions.HeadlineRow, conclusions.StoryNameRow, conclusions.BystanderRow,
        conclusions.DisagreementRow,
        conclusions.StoryStateRow, conclusions.TermRow, conclusions.WatchedRow,
        conclusions.DerivationRow,
    )
)  # fmt: skip

# What was costly to make, and from which nothing else is made: part of no comparison and of no digest.
CACHE_TABLES = tuple(
    str(row.__tablename__)
    for row in (conclusions.ItemVectorRow, upkeep.SearchedRow, upkeep.SourceTallyRow, written.BriefRow)
)

# Who worked on the database and when, and what was spent: no part of what it holds, so of no digest either.
LOG_TABLES = tuple(row.__tablename__ for row in (facts.RunRow, upkeep.DaemonRow, written.ModelRequestRow))


def views() -> list[tuple[str, str]]:
    """Name and CREATE VIEW statement of every view for people, in order."""
    text = resources.files("storyheat.store").joinpath("views.sql").read_text("utf-8")
    statements = [part.strip() for part in text.split(";\n") if part.strip()]
    found = []
    for statement in statements:
        body = statement[statement.index("CREATE VIEW") :]
        found.append((body.split()[2], statement))
    return found


_COLUMN = re.compile(r"^    .*?(\w+),?  -- (.+)$", re.MULTILINE)


def columns_of(statement: str) -> list[tuple[str, str]]:
    """Name and meaning of every column of a view, in order, as its statement comments them."""
    return [(match[1], match[2]) for match in _COLUMN.finditer(statement)]


def described_views() -> str:
    """The views as Markdown: what each is for, and what its columns mean."""
    lines: list[str] = []
    for name, statement in views():
        about = " ".join(re.findall(r"^-- (.+)$", statement, re.MULTILINE))
        lines += [f"### `{name}`", "", about, "", "| column | meaning |", "|---|---|"]
        lines += [f"| `{column}` | {meaning} |" for column, meaning in columns_of(statement)]
        lines.append("")
    return "\n".join(lines)


def described() -> str:
    """The tables as Markdown: every column with its type and meaning, from the classes themselves."""
    lines: list[str] = []
    kinds = {"Facts": FACT_TABLES, "Conclusions": CONCLUSION_TABLES, "Caches": CACHE_TABLES, "Logs": LOG_TABLES}
    for kind, names in kinds.items():
        lines += [f"### {kind}", ""]
        for name in names:
            table = SQLModel.metadata.tables[str(name)]
            lines += [f"#### `{name}`", "", "| column | type | meaning |", "|---|---|---|"]
            for column in table.columns:
                key = " (key)" if column.primary_key else ""
                target = "".join(f" → `{key.target_fullname}`" for key in column.foreign_keys)
                kind_of = column.type.compile(dialect=sqlite.dialect()).lower()
                null = ", may be NULL" if column.nullable else ""
                lines.append(f"| `{column.name}`{key}{target} | {kind_of}{null} | {column.comment} |")
            lines.append("")
    return "\n".join(lines)
