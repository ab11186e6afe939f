"""What became known, in words: the title of a development, and why it counts as confirmed or not."""

from storyheat.answers.developments import DevelopmentAnswer
from storyheat.core.text.markup import one_line

RULE = "Confirmed: the subject itself says it, or two independent voices do."
SHOWN_VOICES = 3  # sources named in a sentence


def because(one: DevelopmentAnswer) -> str:
    """Why a development counts as confirmed, or not, as part of a sentence."""
    name = one_line(one.source.name)
    if one.subject is not None:
        subject = one_line(one.subject.name)
        return (
            f"{subject} speaks for itself" if subject == name else f"{subject}, which the story is about, says it too"
        )
    if one.said_by:
        others = [one_line(source.name) for source in one.said_by]
        more = len(others) - SHOWN_VOICES
        named = [name, *others[:SHOWN_VOICES]]
        tail = f" and {more} more" if more > 0 else ""
        listed = f"{', '.join(named[:-1])}{',' if tail else ' and'} {named[-1]}{tail}"
        return f"independent voices say so: {listed}"
    return f"only {name} says so"


def news(one: DevelopmentAnswer) -> str:
    """What was new in a development: its figures as printed; empty where it was told in words."""
    return ", ".join(one_line(figure) for figure in one.what.figures)
