"""Answers as the JSON objects that other programs rely on: instants in UTC, numbers unrounded."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime, tzinfo
from typing import Any

from storyheat.answers.developments import DevelopmentAnswer
from storyheat.answers.explain import ExplainAnswer, ItemAnswer
from storyheat.answers.search import SearchAnswer
from storyheat.answers.sources import FeedAnswer, SourceAnswer, SourcesAnswer
from storyheat.answers.story import HeatAnswer, StoryAnswer, TimelineItem
from storyheat.answers.summary import Summary
from storyheat.answers.top import TopAnswer
from storyheat.core.addresses.urls import without_credentials
from storyheat.core.heat.series import Hour
from storyheat.core.model import Url
from storyheat.core.stories.polls import Poll
from storyheat.present import briefs, developments, reasons, words
from storyheat.store.heartbeat import Heartbeat

Json = dict[str, Any]


def instant(at: datetime) -> str:
    """`2026-10-26T23:00:00Z`."""
    return at.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"  # strftime takes ten times as long


def maybe(at: datetime | None) -> str | None:
    """The same, or null for unknown."""
    return None if at is None else instant(at)


def top(answer: TopAnswer) -> Json:
    """storyheat.top/1"""
    return {
        "schema": "storyheat.top/1",
        "at": instant(answer.at),
        "period": answer.period,
        "sort": answer.order.value,
        "stories": [
            {
                **story_fields(one.story),
                "hours": [_short_hour(hour) for hour in one.hours],
                "latest_development": None if one.latest is None else development(one.latest),
            }
            for one in answer.stories
        ],
    }


def story(answer: StoryAnswer, zone: tzinfo) -> Json:
    """storyheat.story/1"""
    told = story_fields(answer.story)
    told["heat"]["peak"]["because"] = [
        {"voice": term.voice, "item": term.item, "points": term.points}
        for term in answer.story.figures.trend.peak.terms
    ]
    return {
        "schema": "storyheat.story/1",
        **told,
        "at": instant(answer.at),
        "period": answer.period,
        "aliases": list(answer.aliases),
        "widget": words.widget(answer.story.figures.trend, zone, answer.at),
        "latest_development": development(answer.developments[-1]) if answer.developments else None,
        "developments": [development(one) for one in answer.developments],
        "summary": briefs.summary_json(answer),
        "details": [{"text": one.text, "items": list(one.items)} for one in answer.extracted.details],
        "players": [{"name": one.name, "text": one.text, "items": [one.item]} for one in answer.extracted.players],
        "brief": briefs.brief_json(answer),
        "timeline": [
            {"date": date, "items": [item(one) for one in items]} for date, items in days(answer, zone).items()
        ],
        "related": [{"id": one.id, "title": one.title, "why": one.why, "heat": one.heat} for one in answer.related],
        "disagreements": [
            {"first": asdict(pair.first), "second": asdict(pair.second)} for pair in answer.disagreements
        ],
        "poll": None if answer.poll is None else poll(answer.poll),
    }


def poll(one: Poll) -> Json:
    """The reader poll of a story."""
    return {
        "question": one.question,
        "asked_at": instant(one.asked_at),
        "closed_at": maybe(one.closed_at),
        "total": one.total,
        "answers": [
            {"text": text, "count": one.counts[place], "percent": one.percent(place)}
            for place, text in enumerate(one.answers)
        ],
    }


def days(answer: StoryAnswer, zone: tzinfo) -> dict[str, list[TimelineItem]]:
    """The items of a story by day of their effective time in a zone, newest first."""
    found: dict[str, list[TimelineItem]] = {}
    for one in answer.items:
        found.setdefault(words.iso_day(one.facts.effective_at, zone), []).append(one)
    return found


def heat(answer: HeatAnswer) -> Json:
    """storyheat.heat/1"""
    now = answer.series.now
    return {
        "schema": "storyheat.heat/1",
        "story": answer.story.id,
        "at": instant(answer.at),
        "period": answer.period,
        "now": {"heat": now.heat, "voices": now.voices, "standing": now.standing.value, "behind": list(now.behind)},
        "rule": {
            "name": answer.rule.name,
            "version": answer.rule.version,
            "half_life_hours": answer.rule.half_life_hours,
            "window_hours": answer.rule.window_hours,
        },
        "hours": [
            {
                "at": instant(hour.at),
                "heat": hour.heat,
                "voices": hour.voices,
                "new_reports": hour.new_reports,
                "standing": hour.standing.value,
                "behind": list(hour.behind),
            }
            for hour in answer.series.hours
        ],
    }


def explain(answer: ExplainAnswer) -> Json:
    """storyheat.explain/1"""
    receipt = answer.receipt
    return {
        "schema": "storyheat.explain/1",
        "story": answer.story.id,
        "title": answer.story.title,
        "at": instant(receipt.at),
        "heat": receipt.heat,
        "terms": [
            {
                "voice": term.voice,
                "item": term.item,
                "source": term.source,
                "effective_at": instant(term.effective_at),
                "age_hours": term.age_hours,
                "weight": term.weight,
                "points": term.points,
            }
            for term in receipt.terms
        ],
        "spent": [{"item": one.item, "because": one.because} for one in receipt.spent],
        "not_counted": [{"item": one.item, "because": one.because} for one in receipt.not_counted],
    }


def explain_item(answer: ItemAnswer) -> Json:
    """storyheat.explain-item/1"""
    facts = answer.item
    return {
        "schema": "storyheat.explain-item/1",
        "item": facts.id,
        "title": facts.title,
        "url": facts.url,
        "source": facts.source,
        "published_at": maybe(facts.published_at),
        "first_seen_at": instant(facts.first_seen_at),
        "effective_at": instant(facts.effective_at),
        "effective_because": facts.effective_because,
        "stories": [
            {
                "story": seat.story,
                "title": answer.titles.get(seat.story, ""),
                "role": seat.role.value,
                "decided_at": instant(seat.decided_at),
                "decided_by": seat.decided_by,
                "not_counted_because": answer.not_counted.get(seat.story),
                **_because(seat.because, answer),
            }
            for seat in answer.seats
        ],
        "alone": None
        if answer.alone is None or answer.seats
        else {
            "decided_at": instant(answer.alone.decided_at),
            "decided_by": answer.alone.decided_by,
            **_because(answer.alone.because, answer),
        },
        "earlier": [
            {
                "story": line.story,
                "title": answer.titles.get(line.story, ""),
                "role": None if line.role is None else line.role.value,
                "decided_at": instant(line.decided_at),
                "decided_by": line.decided_by,
                **_because(line.because, answer),
            }
            for line in answer.earlier
        ],
    }


def _because(record: Mapping[str, Any], answer: ItemAnswer) -> Json:
    """A decision's record: as stored, in sentences, and feature by feature."""
    return {
        "because": dict(record),
        "reasons": list(reasons.sentences(record, answer.titles)),
        "features": [
            {"name": one.name, "meaning": one.meaning, "value": one.value, "weight": one.weight, "adds": one.adds}
            for one in reasons.measured(record)
        ],
    }


def daemon(beat: Heartbeat, at: datetime) -> Json:
    """The heartbeat of the daemon, and whether it is believed to live."""
    return {
        "lives": beat.lives(at),
        "host": beat.host,
        "pid": beat.pid,
        "started_at": instant(beat.started_at),
        "last_beat_at": instant(beat.last_beat_at),
        "last_run_at": maybe(beat.last_run_at),
        "next_wake_at": maybe(beat.next_wake_at),
        "errors_in_row": beat.errors_in_row,
        "last_error": beat.last_error,
        "ended_at": maybe(beat.ended_at),
    }


def sources(answer: SourcesAnswer) -> Json:
    """storyheat.sources/1"""
    return {
        "schema": "storyheat.sources/1",
        "at": instant(answer.at),
        "daemon": None if answer.daemon is None else daemon(answer.daemon, answer.at),
        "sources": [_source(one) for one in answer.sources],
    }


def _source(one: SourceAnswer) -> Json:
    return {
        "id": one.source.id,
        "name": one.source.name,
        "owner": one.source.owner,
        "site": None if one.source.site is None else without_credentials(one.source.site),
        "enabled": one.source.enabled,
        "level": one.source.level.value,
        "digest": one.source.digest,
        "language": one.source.language,
        "topics": list(one.source.topics),
        "weight": one.source.weight,
        "health": one.health.value,
        "items": one.items,
        "newest_at": maybe(one.newest_at),
        "feeds": [_feed(feed) for feed in one.feeds],
    }


def _feed(one: FeedAnswer) -> Json:
    feed = one.feed
    failure = None
    if feed.failures_in_row and feed.last_failure_kind is not None:
        failure = {"kind": feed.last_failure_kind, "message": feed.last_failure}
    return {
        "url": without_credentials(feed.url),
        "health": one.health.value,
        "failures_in_row": feed.failures_in_row,
        "failure": failure,
        "findings": [{"kind": one.kind.value, "seen": one.seen, "todo": one.todo} for one in one.findings],
        "moved_url": None if feed.moved_url is None else without_credentials(Url(feed.moved_url)),
        "usual_gap_seconds": None if one.usual_gap is None else int(one.usual_gap.total_seconds()),
        "last_poll_at": maybe(feed.last_poll_at),
        "last_success_at": maybe(feed.last_success_at),
        "next_poll_at": maybe(feed.next_poll_at),
        "left_alone_until": maybe(feed.left_alone_until),
        "interval_seconds": int(feed.interval.total_seconds()),
        "entries": feed.entries,
        "remarks": list(feed.remarks),
    }


def story_fields(one: Summary) -> Json:
    """What lists and pages say of a story: STORY of the interface."""
    figures = one.figures
    peak, change = figures.trend.peak, figures.trend.change
    return {
        "id": one.id,
        "title": one.title,
        "url": one.url,
        "topics": list(one.topics),
        "languages": list(one.languages),
        "first_at": instant(figures.first_at),
        "last_at": instant(figures.last_at),
        "voices": figures.voices,
        "reports": figures.reports,
        "mentions": figures.mentions,
        "copies": figures.copies,
        "heat": {
            "current": figures.trend.current,
            "peak": {"value": peak.value, "at": instant(peak.at), "standing": peak.standing.value},
            "change_24h": {
                "points": change.points,
                "percent": change.percent,
                "standing": change.standing.value,
                "reason": change.reason,
            },
        },
    }


def development(one: DevelopmentAnswer) -> Json:
    """DEV of the contract."""
    return {
        "title": words.title(one.shown_by.title),
        "at": instant(one.what.at),
        "item": one.what.item,
        "source": one.source.id,
        "level": one.level.value,
        "confirmed": one.what.confirmed,
        "because": developments.because(one),
        "new_figures": list(one.what.figures),
        "said_by": list(one.what.said_by),
    }


def search(answer: SearchAnswer) -> Json:
    """storyheat.search/1"""
    return {
        "schema": "storyheat.search/1",
        "words": answer.words,
        "at": instant(answer.at),
        "stories": [{**story_fields(one.story), "hits": one.hits} for one in answer.stories],
        "items": [
            {
                "id": one.id,
                "title": one.title,
                "url": one.url,
                "source": one.source,
                "effective_at": instant(one.effective_at),
                "summary": one.summary,
                "language": one.language,
                "stories": list(answer.stories_of.get(one.id, ())),
            }
            for one in answer.items
        ],
    }


def _short_hour(hour: Hour) -> Json:
    return {"at": instant(hour.at), "heat": hour.heat, "standing": hour.standing.value}


def item(one: TimelineItem) -> Json:
    """ITEM of the contract."""
    facts = one.facts
    return {
        "id": facts.id,
        "title": facts.title,
        "url": facts.url,
        "source": facts.source,
        "voice": one.place.voice,
        "level": one.level.value,
        "role": one.place.role.value,
        "copy_of": one.copy_of,
        "published_at": maybe(facts.published_at),
        "first_seen_at": instant(facts.first_seen_at),
        "effective_at": instant(facts.effective_at),
        "weight": one.place.weight,
        "counted": one.not_counted is None,
        "not_counted_because": one.not_counted,
        "summary": facts.summary,
        "language": facts.language,
        "selected": one.selected is not None,
        "selected_because": one.selected,
    }
