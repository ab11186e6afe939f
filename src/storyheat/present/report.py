"""The report of a run as lines that a log keeps."""

from collections.abc import Iterator

from storyheat.core.text.markup import one_line
from storyheat.pipeline.report import RunReport
from storyheat.present.objects import instant
from storyheat.present.words import count

NAMED = 3  # failed feeds named in a single line


def run_line(report: RunReport) -> str:
    """What a run did, in counts."""
    articles = report.articles_read or report.articles_failed
    failed, copies = len(report.failures), count(report.items_copies, "copy", "copies")
    gone = report.let_go
    parts = [
        f"feeds: {report.updated} updated, {report.unchanged} unchanged, {failed} failed, {report.skipped} not due",
        f"items: {report.items_new} new, {report.items_revised} revised, {copies}",
        *([f"articles: {report.articles_read} read, {report.articles_failed} failed"] if articles else []),
        f"stories: {report.stories_new} new, {report.stories_grown} grown, {report.stories_merged} merged",
        *([f"let go: {', '.join(_let_go(report))}"] if gone else []),
    ]
    return f"{instant(report.started_at)}  {'; '.join(parts)}"


def _let_go(report: RunReport) -> Iterator[str]:
    gone = report.let_go
    yield from (
        count(number, name)
        for number, name in (
            (gone.stories, "cold story"),
            (gone.items, "item"),
            (gone.texts, "text"),
            (gone.html, "HTML text"),
            (gone.hours, "hour"),
            (gone.fetches, "poll"),
            (gone.runs, "run"),
        )
        if number
    )


def short_line(report: RunReport) -> str:
    """The same with the failed feeds named: one line of a log."""
    failed = [f"{one.source} ({one.kind})" for one in report.failures[:NAMED]]
    more = len(report.failures) - len(failed)
    named = f"; failed: {', '.join(failed)}{f' and {more} more' if more else ''}" if failed else ""
    return f"{run_line(report)}{named}"


def failure_lines(report: RunReport, *, addresses: bool) -> Iterator[str]:
    """A line for each feed that failed."""
    for failure in report.failures:
        place = f"{failure.source} {failure.url}" if addresses else failure.source
        yield f"  failed: {place}: {one_line(failure.message)}"
