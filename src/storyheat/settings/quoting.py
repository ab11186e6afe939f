"""How a message shows a value; beside what reads feeds.yaml, since a command without one has messages as well."""

import json

MAX_SHOWN = 60  # characters of a wrong value that a message shows


def quoted(value: object) -> str:
    """`value` on one line, in quotes where it is text, at most MAX_SHOWN characters of it."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    shown = "".join(sign if sign.isprintable() else "�" for sign in text[:MAX_SHOWN])
    shown += "…" if len(text) > MAX_SHOWN else ""
    return f'"{shown}"' if isinstance(value, str) else shown
