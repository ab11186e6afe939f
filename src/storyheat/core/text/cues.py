"""What a title says about the kind of an item: a round-up of many topics, one issue of a periodic report, a live blog.

And which of its names say only where something happened.
"""

import re

_ROUNDUP = re.compile(  # what begins with a word stands behind one \b, which is looked for once
    r"\b(?:"
    r"(?:weekly|daily|week|morning|evening|news|monthly|markets?)[ -]"
    r"(?:digest|brief(?:ing)?s?|round[- ]?up|recap|newsletter|wrap(?:[- ]?up)?)\b"
    r"|round[- ]?up\s*(?:[:|–—]|$)"
    r"|(?:newsletter|news in brief|week in review|this week in|last week in|links? (?:for|of)"
    r"|what (?:we|i)(?:'re|’re| are) reading|(?:morning|evening) (?:brief|briefing|update|edition))\b"
    r"|(?:day|week|month|year) in (?:pictures|photos|numbers|quotes)\b|(?:the )?week ahead\b|ahead this week\b"
    r"|things to (?:know|watch) (?:today|tomorrow|this \w+|for \w+day)\b"
    r"|this week[’']s (?:top|best|biggest|most)\b|(?:top|best|biggest) (?:\w+ ){1,3}(?:this|of the) week\b"
    r")"
    r"|(?:top|\d+) (?:stories|headlines) (?:of|this|today)\b"
    r"|^(?:"
    r"round[- ]?up\b"
    r"|[^:]{0,30}\b(?:weekly|digest|daily)\b(?: *#?\d+)? *[:|–—]"
    # A live blog of a whole field; one of a single event is a report.
    r"|(?:[\w’']+ ){0,2}(?:news|politics|business|markets?|sports?|football|world|tech|economy) live"
    r"(?: blog| updates)?\s*(?:[:|–—-]|$)"
    # The first words of a title only: further on these are names of newspapers.
    r"|[^:]{0,12}(?:周报|早报|晚报|晨报|周刊|简报|早餐)\s*(?:[:|·】\]第(\d]|$)"
    r")"
    r"|快讯汇总|(?:一周|每周)(?:要闻|热点|回顾|新闻|精选|大事)|(?:今日|隔夜)要闻|早知道"
    r"|本周(?:要闻|热点|回顾)|盘点|合集|汇总|要闻速览|新闻速递|速览",
    re.IGNORECASE,
)
_PERIODIC = re.compile(
    r"\b(?:weekly|monthly|quarterly|annual|yearly|ranking|rankings|leaderboard|week[- ]over[- ]week"
    r"|month[- ]over[- ]month|year[- ]over[- ]year|charts?)\b"
    r"|环比|同比|周榜|月榜|榜单|排行|季报|月报|年报|财报|周度|月度|季度|年度",
    re.IGNORECASE,
)
_LIVE = re.compile(
    r"\blive[ -]?(?:blog|updates?|coverage|thread)\b|\b(?:as it|how it) happened\b|\bminute by minute\b"
    r"|^live\s*[:|–—]|[-–—|:]\s*live$|(?:实时|滚动)更新|图文直播|直播中",
    re.IGNORECASE,
)
_PLACES = re.compile(
    r"\b(?:in|at|near|off|from|inside|outside|around|across) (?:the )?((?:[A-Z][\w’'-]*)(?: [A-Z][\w’'-]*){0,2})"
)


def is_roundup(title: str) -> bool:
    """True if the title announces a collection of unrelated news."""
    return _ROUNDUP.search(title) is not None


def is_periodic(title: str) -> bool:
    """True if the title announces one issue of something that returns each week, month or quarter."""
    return _PERIODIC.search(title) is not None


def is_live(title: str) -> bool:
    """True if the title announces a text that grows while something happens, and gathers much that is beside it."""
    return _LIVE.search(title) is not None


def places(title: str) -> list[str]:
    """The names in a title that stand behind "in", "at" and the like: of a place, where much else happens."""
    return _PLACES.findall(title)
