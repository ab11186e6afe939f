"""A small planted world: one event told by many sources, and the traps around it; the texts are invented."""

from datetime import timedelta

from tests.make import Post, rss, source, utc

from storyheat.core.model import Source, Url

NOON = utc("2026-11-10 12:00")
HOUR = timedelta(hours=1)

SOURCES: tuple[Source, ...] = (
    source("ahead"),
    source("bumper"),
    source("copycat"),
    source("daily"),
    source("digest", digest=True),
    source("late"),
    source("wire", owner="house", site=Url("https://wire.example/")),
    source("world", owner="house"),
)

WIRE_TEXT = (
    "Port Elling closed the Harbour Bridge on Tuesday after storm Berta cracked its northern pylon. Engineers found "
    "the crack at dawn and the city sent all traffic through the old Elling tunnel. Mayor Ada Quist said the Harbour "
    "Bridge would stay shut until the pylon is safe. Ferries across the bay run every ten minutes until then, and the "
    "port expects queues of lorries at the tunnel for some weeks."
)
WIRE = Post(
    "Port Elling closes Harbour Bridge after storm Berta cracks pylon",
    "https://wire.example/a/1", NOON - 4 * HOUR, "w1", WIRE_TEXT,
)  # fmt: skip
WORLD = Post(
    "Storm Berta: Harbour Bridge in Port Elling shut, pylon cracked",
    "https://world.example/berta", NOON - 2 * HOUR, "x1",
    "A cracked pylon has shut the Harbour Bridge in Port Elling, where storm Berta blew all night. Mayor Ada Quist "
    "asked drivers to take the Elling tunnel and promised ferries across the bay.",
)  # fmt: skip
DAILY = Post(
    "Harbour Bridge closed: Berta cracks pylon in Port Elling",
    "https://daily.example/n/77", NOON - HOUR, "d1",
    "Commuters in Port Elling woke to a closed Harbour Bridge. Storm Berta had cracked the northern pylon, engineers "
    "told Mayor Ada Quist, and lorries now queue at the Elling tunnel.",
)  # fmt: skip
COPY = Post(
    "Harbour Bridge in Port Elling closes after storm Berta",
    "https://copycat.example/9", NOON - HOUR / 2, "c1", WIRE_TEXT,
)  # fmt: skip
DIGEST = Post(
    "Morning briefing",
    "https://digest.example/morning", NOON - HOUR / 4, "m1",
    "Port Elling closes the Harbour Bridge after storm Berta cracks its pylon. The bank of Lund holds its rate. "
    "A ferret called Pim wins the Torvale village show.",
)  # fmt: skip
AHEAD = Post(
    "Port Elling: Harbour Bridge stays shut after Berta cracks pylon",
    "https://ahead.example/1", NOON + 30 * HOUR, "f1",
    "Mayor Ada Quist says storm Berta damaged the pylon of the Harbour Bridge in Port Elling more than first thought; "
    "the Elling tunnel takes all traffic.",
)  # fmt: skip
LATE = Post(
    "Berta cracks Harbour Bridge pylon, Port Elling closes it",
    "https://late.example/1", None, "l1",
    "Storm Berta has cracked a pylon of the Harbour Bridge; Port Elling closed it and Mayor Ada Quist pointed to the "
    "Elling tunnel.",
)  # fmt: skip


def restamped(hours: int) -> str:
    """What the feed `bumper` lists that many hours after noon: old pieces with the date of the minute."""
    stamp = NOON + hours * HOUR - timedelta(minutes=2)
    prune = Post(
        "How to prune an apple tree in winter", "https://bumper.example/prune", stamp, "b1",
        "Wait for a dry day without frost, cut dead wood first, then open the crown so that light falls in.",
    )  # fmt: skip
    knots = Post(
        "Six knots every sailor knows", "https://bumper.example/knots", stamp, "b2",
        "From the bowline to the rolling hitch: where each rope trick holds, and where it slips.",
    )  # fmt: skip
    return rss(prune, knots)


def documents(hours: int = 0) -> dict[str, str]:
    """What every feed of `SOURCES` says that many hours after noon, by address."""
    posts = {
        "ahead": AHEAD, "copycat": COPY, "daily": DAILY, "digest": DIGEST, "late": LATE, "wire": WIRE, "world": WORLD,
    }  # fmt: skip
    listed = {f"https://{name}.example/feed": rss(post) for name, post in posts.items()}
    return {**listed, "https://bumper.example/feed": restamped(hours)}
