"""Which decisions about items and stories hold now, as the start of other questions.

A module of its own, so that what only reads need not load the clusterer.
"""

from functools import cache

from sqlalchemy import Select, exists, select

from storyheat.store.conclusions import MembershipRow
from storyheat.store.rows import table

MEMBERSHIP = table(MembershipRow)


@cache  # statements are values; this one is slow to build and begins many others
def current_memberships() -> Select[tuple[object, ...]]:
    """Of each pair of item and story the newest decision, unless it took the item out."""
    newer = MEMBERSHIP.alias("newer")
    overtaken = exists().where(
        newer.c.item_id == MEMBERSHIP.c.item_id,
        newer.c.story_id == MEMBERSHIP.c.story_id,
        newer.c.id > MEMBERSHIP.c.id,
    )
    return select(MEMBERSHIP).where(~overtaken, MEMBERSHIP.c.role != "none")
