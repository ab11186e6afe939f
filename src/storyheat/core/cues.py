"""What a title says about the kind of an item: a round-up of many topics, or one issue of a periodic report."""

import re

_ROUNDUP = re.compile(
    r"\b(?:weekly|daily|week|morning|evening|news|monthly|markets?)[ -]"
    r"(?:digest|brief(?:ing)?s?|round[- ]?up|recap|newsletter|wrap(?:[- ]?up)?)\b"
    r"|\bround[- ]?up\s*(?:[:|–—]|$)|^round[- ]?up\b"
    r"|\b(?:newsletter|news in brief|week in review|this week in|last week in|links? (?:for|of)"
    r"|what (?:we|i)(?:'re|’re| are) reading|(?:morning|evening) (?:brief|briefing|update|edition))\b"
    r"|\b(?:day|week|month|year) in (?:pictures|photos|numbers|quotes)\b|\b(?:the )?week ahead\b|\bahead this week\b"
    r"|\bthings to (?:know|watch) (?:today|tomorrow|this \w+|for \w+day)\b"
    r"|^[^:]{0,30}\b(?:weekly|digest|daily)\b(?: *#?\d+)? *[:|–—]"
    r"|(?:top|\d+) (?:stories|headlines) (?:of|this|today)\b"
    # The first words of a title only: further on these are names of newspapers.
    r"|^[^:]{0,12}(?:周报|早报|晚报|晨报|周刊|简报|早餐)\s*(?:[:|·】\]第(\d]|$)"
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


def is_roundup(title: str) -> bool:
    """True if the title announces a collection of unrelated news."""
    return _ROUNDUP.search(title) is not None


def is_periodic(title: str) -> bool:
    """True if the title announces one issue of something that returns each week, month or quarter."""
    return _PERIODIC.search(title) is not None
