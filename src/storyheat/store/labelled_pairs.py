"""What the corrections that hold say about reports, for evaluation."""

from sqlalchemy import Connection, func, select

from storyheat.core.corrections.rules import Correction, Merge, Move, Pin, Split, undone
from storyheat.core.evaluation.correction_pairs import DEFAULT_PARAMS, Claim, LabelledPair, PairParams, labelled_pairs
from storyheat.core.model import ItemId, Role, StoryId
from storyheat.store.conclusions import MembershipRow
from storyheat.store.rows import table
from storyheat.store.story_log import corrections

MEMBERSHIP = table(MembershipRow)


def pairs_by_hand(connection: Connection, params: PairParams = DEFAULT_PARAMS) -> list[LabelledPair]:
    """The labelled pairs of all corrections that hold, sorted; see `core.evaluation.correction_pairs`."""
    made = corrections(connection)
    ended = undone(made)
    holding = [one for one in made if one.number not in ended]
    claims = [_claim(connection, one, params.each_side + 1) for one in holding]
    return labelled_pairs([claim for claim in claims if claim is not None], params)


def _claim(connection: Connection, correction: Correction, most: int) -> Claim | None:
    """What one correction says; None: nothing about reports. `most`: reports read of each group."""
    first = select(func.min(MEMBERSHIP.c.id)).where(MEMBERSHIP.c.correction_id == correction.number)
    line = connection.execute(first).scalar()
    if line is None:  # it changed nothing when it was replayed
        return None

    def before(story: StoryId | None, but: tuple[ItemId, ...] = ()) -> tuple[ItemId, ...]:
        reports = () if story is None else _reports_before(connection, story, line, most + len(but))
        return tuple(item for item in reports if item not in but)

    number, claim = correction.number, None
    match correction.order:
        case Merge(story, into):
            claim = Claim(number, before(story), beside=before(into))
        case Move(item, story, Role.REPORT):
            left = _left(connection, number, item)
            claim = Claim(number, (item,), beside=before(story, (item,)), apart=before(left, (item,)))
        case Move(item, story):
            claim = Claim(number, (item,), apart=before(story, (item,)))
        case Split(story, items):
            claim = Claim(number, _reported(connection, number), apart=before(story, items), together=True)
        case Pin(item, story, Role.REPORT):
            claim = Claim(number, (item,), beside=before(story, (item,)))
    return claim


def _reports_before(connection: Connection, story: StoryId, line: int, most: int) -> tuple[ItemId, ...]:
    """The reports of a story before a line of the log was written, by id, at most so many."""
    newer = MEMBERSHIP.alias("newer")
    overtaken = select(newer.c.id).where(
        newer.c.item_id == MEMBERSHIP.c.item_id,
        newer.c.story_id == MEMBERSHIP.c.story_id,
        newer.c.id > MEMBERSHIP.c.id,
        newer.c.id < line,
    )
    query = select(MEMBERSHIP.c.item_id).where(
        MEMBERSHIP.c.story_id == story,
        MEMBERSHIP.c.role == Role.REPORT.value,
        MEMBERSHIP.c.id < line,
        ~overtaken.exists(),
    )
    rows = connection.execute(query.order_by(MEMBERSHIP.c.item_id).limit(most)).scalars()
    return tuple(ItemId(item) for item in rows)


def _reported(connection: Connection, correction: int) -> tuple[ItemId, ...]:
    """The items that a correction made reports, by id."""
    mine = MEMBERSHIP.c.correction_id == correction, MEMBERSHIP.c.role == Role.REPORT.value
    query = select(MEMBERSHIP.c.item_id).where(*mine).order_by(MEMBERSHIP.c.item_id)
    return tuple(ItemId(item) for item in connection.execute(query).scalars())


def _left(connection: Connection, correction: int, item: ItemId) -> StoryId | None:
    """The story that a correction took an item out of; None: none."""
    query = select(MEMBERSHIP.c.story_id).where(
        MEMBERSHIP.c.correction_id == correction, MEMBERSHIP.c.item_id == item, MEMBERSHIP.c.role == "none"
    )
    return connection.execute(query.limit(1)).scalar()
