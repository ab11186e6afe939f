"""The commands that change what is followed: sources add, remove, pause, resume, import-opml, export-opml."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from storyheat.cli import common
from storyheat.cli.common import UsualJson
from storyheat.cli.files import refuse_own_files, write_whole
from storyheat.cli.screen import show, show_json, show_raw, tell
from storyheat.errors import DocumentError, NotFound, UsageError, WorkError

if TYPE_CHECKING:
    from storyheat.core.addresses.secrets import Secrets
    from storyheat.settings import Settings
    from storyheat.settings.document import Document
    from storyheat.settings.edit import Edited, Entry, Template

SourceName = Annotated[str, typer.Argument(metavar="ID", help="Id of a source.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and write nothing.")]


def register(app: typer.Typer) -> None:
    """Adds the commands of this module that stand alone."""
    common.add(app, import_opml, "storyheat import-opml subscriptions.opml --dry-run", name="import-opml")
    common.add(app, export_opml, "storyheat export-opml -o subscriptions.opml", name="export-opml")


def register_group(group: typer.Typer) -> None:
    """Adds those that belong to `storyheat sources`."""
    common.add(group, add, "storyheat sources add https://www.example.org/ --topic science")
    common.add(group, remove, "storyheat sources remove lmsys")
    common.add(group, pause, "storyheat sources pause lmsys")
    common.add(group, resume, "storyheat sources resume lmsys")


def add(
    usual: UsualJson,
    url: Annotated[str, typer.Argument(metavar="URL", help="A feed, or a page that names its feeds.")],
    identity: Annotated[str | None, typer.Option("--id", metavar="ID", help="[default: from the name]")] = None,
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="[default: the feed's title]")] = None,
    owner: Annotated[str | None, typer.Option("--owner", metavar="OWNER", help="Whose voice it is.")] = None,
    level: Annotated[
        str | None, typer.Option("--level", metavar="LEVEL", help="first_party, press or discussion.")
    ] = None,
    language: Annotated[
        str | None, typer.Option("--language", metavar="TAG", help="[default: what the feed says]")
    ] = None,
    timezone: Annotated[
        str | None, typer.Option("--timezone", metavar="ZONE", help="IANA zone of dates that come without one.")
    ] = None,
    topic: Annotated[list[str] | None, typer.Option("--topic", metavar="TOPIC", help="May be repeated.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Of several feeds take the first.")] = False,
    dry_run: DryRun = False,
) -> None:
    """Follow a feed, or the feed of a page.

    It is fetched once and read before it is written to feeds.yaml. ${NAME} in the address takes a value from the
    environment, and is written as such.
    """
    from storyheat.core.addresses.secrets import Secrets, secrets_in
    from storyheat.core.addresses.urls import feed_address, feed_key
    from storyheat.core.model import Url
    from storyheat.ingest.http import HttpFetcher
    from storyheat.ingest.lookup import look_up
    from storyheat.ingest.subscriptions import KEY_IN_PLAIN, entry_of
    from storyheat.present.words import count
    from storyheat.settings.document import fill
    from storyheat.settings.edit import Template, with_sources
    from storyheat.settings.entries import mistake_in

    options = {"id": identity, "name": name, "owner": owner, "level": level, "language": language, "timezone": timezone}
    given: dict[str, object] = {key: value for key, value in options.items() if value is not None}
    if topic:
        given["topics"] = list(topic)
    if (mistake := mistake_in({"id": "x", **given})) is not None:
        raise UsageError(mistake)
    try:
        asked, filled = fill(url, os.environ)
    except ValueError as error:
        raise UsageError(f"{error}; set it, or write $${{ for the signs themselves") from error
    address = feed_address(asked)
    if address is None:
        raise UsageError(f'"{url[:100]}" is no address; it must look like https://www.example.org/feed.xml')
    if filled and address != asked:
        raise UsageError(f'"{url[:100]}" is not written as it is asked for; percent-encode what must be')
    settings = usual.settings(config_required=True)
    _refuse_known(settings, address, identity)
    secrets = Secrets((*settings.secrets.known, *secrets_in(address, filled)))
    now = common.present_instant()
    found = look_up(Url(address), HttpFetcher(settings.network), now, secrets, take_first=yes)
    settings = usual.settings(config_required=True)  # it may have changed since
    _refuse_known(settings, found.address, identity)
    typed = filled and found.address == address
    where = Template(url, address) if typed else _as_written(found.address, secrets)
    entry = entry_of(found, where, given, [source.id for source in settings.sources])
    written = _rewrite(settings, lambda document: with_sources(document, [entry]), dry_run=dry_run)
    remarks = [f"{entry['id']}: {KEY_IN_PLAIN}"] if isinstance(where, str) and any(secrets_in(where)) else []
    if usual.as_json:
        show_json(_report(settings, written, secrets, added=[entry], remarks=remarks))
        return
    shown = secrets.shown(found.address)
    if not usual.quiet:
        show(*_added(entry, dry_run=dry_run))
        entries = count(len(found.feed.entries), "entry", "entries")
        show(f"  feed      {shown} ({entries} now, format {found.feed.format})")
        if not dry_run:
            show(f'Next: "storyheat ingest --source {entry["id"]}" polls it.')
    for remark in (*remarks, *(found.feed.remarks if usual.verbose else ())):
        tell(remark)
    if feed_key(found.address) != feed_key(address) and not usual.quiet:
        tell(f"{secrets.shown(address)} led to {shown}")


def remove(
    usual: UsualJson,
    name: SourceName,
) -> None:
    """Take a source out of feeds.yaml.

    A comment right above it goes too. What it brought stays in the database.
    """
    from storyheat.settings.edit import without_source

    settings = usual.settings(config_required=True)
    _rewrite(settings, lambda document: without_source(document, name))
    if usual.as_json:
        show_json(_report(settings, True, settings.secrets, removed=[name]))
    elif not usual.quiet:
        show(f"{settings.config}: {name} removed; what it brought stays in the database")


def pause(
    usual: UsualJson,
    name: SourceName,
) -> None:
    """Keep a source, but poll it no more."""
    _switch(name, usual.settings(config_required=True), False, as_json=usual.as_json, quiet=usual.quiet)


def resume(
    usual: UsualJson,
    name: SourceName,
) -> None:
    """Poll a paused source again."""
    _switch(name, usual.settings(config_required=True), True, as_json=usual.as_json, quiet=usual.quiet)


def _switch(name: str, settings: "Settings", enabled: bool, *, as_json: bool, quiet: bool) -> None:
    from storyheat.settings.edit import with_enabled

    written = _rewrite(settings, lambda document: with_enabled(document, name, enabled))
    if as_json:
        show_json(_report(settings, written, settings.secrets, switched=[{"id": name, "enabled": enabled}]))
    elif not quiet:
        done = ("polled again from the next run on" if enabled else "paused") if written else "is so already"
        show(f"{settings.config}: {name} {done}")


def import_opml(
    usual: UsualJson,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The list that a feed reader exported.")],
    dry_run: DryRun = False,
) -> None:
    """Follow the feeds of an OPML list.

    All that can be followed is added at once; what cannot is named with the reason. Nothing is fetched.
    """
    from storyheat.ingest.opml import read_opml
    from storyheat.ingest.subscriptions import planned
    from storyheat.present.words import count
    from storyheat.settings.edit import with_sources

    settings = usual.settings(config_required=True)
    try:
        listed = read_opml(_list_in(file), settings.network.allow_hosts)
    except DocumentError as error:
        raise WorkError(f"{file}: {error.message}") from error
    plan = planned(listed, settings.sources, settings.secrets)
    written = False
    if plan.entries:
        written = _rewrite(settings, lambda document: with_sources(document, plan.entries), dry_run=dry_run)
    if usual.as_json:
        skipped = [{"name": each.name, "address": each.address, "reason": each.reason} for each in plan.skipped]
        entries, secrets = plan.entries, settings.secrets
        show_json(_report(settings, written, secrets, added=entries, skipped=skipped, remarks=plan.remarks))
        return
    if usual.quiet:
        return
    for entry in plan.entries:
        show(f"  {'would add' if dry_run else 'added'}: {entry['id']} ({entry.get('name', entry['id'])})")
    for each in plan.skipped:
        show(f"  skipped: {each.name}{f' ({each.address})' if each.address else ''}: {each.reason}")
    for remark in plan.remarks:
        show(f"  remark: {remark}")
    added = f"{count(len(plan.entries), 'source')} {'would be ' if dry_run else ''}added"
    show(f"{settings.config}: {added}, {count(len(plan.skipped), 'outline')} skipped")


def export_opml(
    usual: UsualJson,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where it goes [default: standard output].")
    ] = None,
) -> None:
    """Write the sources as an OPML list.

    Feed readers take it, and import-opml gets every setting back. No user, password or value of the environment is
    in it.
    """
    from storyheat.present.opml import opml
    from storyheat.present.words import count

    if usual.as_json and output is None:
        raise UsageError("--json: name a file for the list with --output")
    settings = usual.settings(config_required=True)
    if output is not None:
        refuse_own_files(output, settings)
    exported = opml(settings.sources, settings.hidden, settings.secrets, common.present_instant())
    if output is None:
        show_raw(exported.text)
    else:
        write_whole(output, exported.text)
    if usual.as_json:
        show_json(
            {
                "schema": "storyheat.export-opml/1",
                "file": str(output),
                "sources": len(settings.sources),
                "feeds": exported.feeds,
                "remarks": list(exported.remarks),
            }
        )
    elif not usual.quiet:
        for remark in exported.remarks:
            tell(remark)
        if output is not None:
            show(f"{output}: {count(exported.feeds, 'feed')} of {count(len(settings.sources), 'source')}")


# -- what they share ------------------------------------------------------------------------------


def _file(settings: "Settings") -> Path:
    assert settings.config is not None, "a configuration was required"
    return settings.config


def _rewrite(settings: "Settings", edit: "Callable[[Document], Edited | None]", *, dry_run: bool = False) -> bool:
    """Whether the file was changed."""
    from storyheat.settings.rewrite import rewrite

    return rewrite(_file(settings), os.environ, edit, dry_run=dry_run) and not dry_run


def _refuse_known(settings: "Settings", address: str, identity: str | None) -> None:
    from storyheat.core.addresses.urls import feed_key
    from storyheat.ingest.subscriptions import followed

    known = followed(settings.sources).get(feed_key(address))
    if known is not None:
        shown = settings.secrets.shown(address)
        raise UsageError(f'{shown} is followed already, as "{known}" in {settings.config}')
    if identity is not None and identity.casefold() in {source.id.casefold() for source in settings.sources}:
        raise UsageError(f'--id: {settings.config} has a source "{identity}"; choose another id')


def _list_in(file: Path) -> bytes:
    """The bytes of a list, one more than may be read at most."""
    from storyheat.ingest.opml import DEFAULT_PARAMS

    try:
        with file.open("rb") as opened:
            return opened.read(DEFAULT_PARAMS.max_bytes + 1)
    except OSError as error:
        raise NotFound(f"cannot read {file}: {error.strerror}") from error


def _as_written(address: str, secrets: "Secrets") -> "str | Template":
    """An address as it goes into the file: with the variables whose values are keys in it."""
    from storyheat.settings.document import fill
    from storyheat.settings.edit import Template

    written = secrets.in_text(address)
    value, filled = fill(written, os.environ)
    return Template(written, address) if filled and value == address else address


def _added(entry: "Entry", *, dry_run: bool) -> list[str]:
    """The keys of a new source, a line each."""
    lines = [f"{'Would add' if dry_run else 'Added'} {entry['id']}"]
    for key in ("name", "owner", "site", "level", "language", "timezone", "topics"):
        if key in entry:
            value = entry[key]
            lines.append(f"  {key:<9} {', '.join(value) if isinstance(value, list) else value}")
    return lines


def _report(
    settings: "Settings",
    written: bool,
    secrets: "Secrets",
    *,
    added: "Iterable[Entry]" = (),
    removed: Iterable[str] = (),
    switched: Iterable[dict[str, Any]] = (),
    skipped: Iterable[dict[str, str]] = (),
    remarks: Iterable[str] = (),
) -> dict[str, Any]:
    """The object of every command that changes the file."""
    from storyheat.settings.edit import given

    return {
        "schema": "storyheat.edit/1",
        "file": str(settings.config),
        "written": written,
        "added": [
            {
                "id": entry["id"],
                "name": entry.get("name"),
                "site": entry.get("site"),
                "language": entry.get("language"),
                "topics": list(_list(entry.get("topics"))),
                "feeds": [secrets.shown(str(given(feed)["url"])) for feed in _list(entry["feeds"])],
            }
            for entry in added
        ],
        "removed": list(removed),
        "switched": list(switched),
        "skipped": list(skipped),
        "remarks": list(remarks),
    }


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
