"""Parameters of addresses that do not name an article: where a reader came from, who reads, what keeps caches off."""

import re
from collections.abc import Callable
from types import MappingProxyType
from urllib.parse import unquote

# Names that end in `*` are prefixes. Found in the feeds of several hundred publishers and in the
# documents of the programs that write them; a name that some site uses for content is not listed.
_TRACKERS_ANYWHERE = MappingProxyType(
    {
        "Google": ("utm_*", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "srsltid", "_ga", "_gl"),
        "Meta": ("fbclid", "fb_action_ids", "fb_action_types", "fb_source", "fb_ref", "igshid", "igsh"),
        "Microsoft": ("msclkid", "ocid", "cvid"),
        "X": ("twclid", "ref_src", "ref_url"),
        "TikTok": ("ttclid",),
        "LinkedIn": ("li_fat_id", "trackingid"),
        "Yandex": ("yclid", "ysclid", "_openstat"),
        "Alibaba": ("spm", "scm"),
        "Yahoo": ("guccounter", "guce_*", "ncid"),
        "Mailchimp": ("mc_cid", "mc_eid"),
        "HubSpot": ("_hsenc", "_hsmi", "hsctatracking", "__hssc", "__hstc", "__hsfp"),
        "Matomo": ("mtm_*", "pk_campaign", "pk_kwd", "pk_source", "pk_medium", "piwik_*", "matomo_*"),
        "AT Internet": ("xtor", "at_medium", "at_campaign", "at_custom*", "at_link_*", "at_ptr_name"),
        "Adobe": ("s_cid", "icid", "ef_id", "s_kwcid"),
        "Webtrekk and Webtrends": ("wt_mc", "wt.mc_id", "wt_zmc", "wtmc"),
        "Comscore": ("ns_campaign", "ns_mchannel", "ns_source", "ns_linkname", "ns_fee"),
        "Olytics": ("oly_anon_id", "oly_enc_id"),
        "Vero": ("vero_id", "vero_conv"),
        "Marketo": ("mkt_tok",),
        "sessions": (
            "phpsessid",
            "jsessionid",
            "aspsessionid*",
            "asp.net_sessionid",
            "cfid",
            "cftoken",
            "oscsid",
            "zenid",
        ),
        "against caches": ("nocache", "no_cache", "no-cache", "cachebuster", "cachebust", "cache_buster"),
        "publishers": ("cmp", "cmpid", "feature_ref", "partner_ref", "share_source", "share_medium"),
    }
)
_TRACKERS_BY_SITE = MappingProxyType(
    {
        "nytimes.com": ("partner", "emc", "smid", "smtyp", "_r"),
        "twitter.com": ("s", "t"),
        "x.com": ("s", "t"),
        "youtube.com": ("feature", "si", "pp"),
        "youtu.be": ("feature", "si"),
        "medium.com": ("source", "sk"),
        "sina.com.cn": ("from", "wm", "vt", "cre", "mod", "loc", "r", "rfunc", "tj"),
        "163.com": ("from", "spss", "spssid", "spsw"),
        "qq.com": ("adchannelid", "no-redirect"),
        "infzm.com": ("source", "source_1"),
        "bilibili.com": ("from_source", "share_source", "vd_source", "seid"),
        "zhihu.com": ("utm_id", "from_voters_page"),
        "dw.com": ("maca",),
        "spiegel.de": ("dicbo",),
        "theguardian.com": ("CMP",),
        "cnn.com": ("eref",),
        "washingtonpost.com": ("wprss", "tid", "itid"),
        "bloomberg.com": ("srnd", "sref"),
    }
)
_REF_HAS_MEANING = ("github.com", "gitlab.com", "codeberg.org")  # there `ref` names a branch
_NUMBER = re.compile(r"[\d.]*")
_KEY_OF_SESSION = re.compile(r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9,-]{16,}")
_BY_VALUE = MappingProxyType(  # sites use these names for content too
    {
        "_": _NUMBER,
        "rand": _NUMBER,
        "random": _NUMBER,
        "rnd": _NUMBER,
        "timestamp": _NUMBER,
        "_ts": _NUMBER,
        "ts": re.compile(r"1\d{9}(?:\d{3})?"),  # seconds or milliseconds since 1970
        "sid": _KEY_OF_SESSION,  # elsewhere the number of a story
        "session": _KEY_OF_SESSION,  # of a conference
        "session_id": _KEY_OF_SESSION,
        "sessionid": _KEY_OF_SESSION,
    }
)
_RSS_MARKS = MappingProxyType(  # say "came by the feed" with these values only
    {
        "source": frozenset({"rss", "feed", "feeds"}),
        "src": frozenset({"rss", "feed", "feeds"}),
        "from": frozenset({"rss", "feed", "feeds"}),
        "origin": frozenset({"rss", "feed"}),
        "partner": frozenset({"rss", "feed"}),
        "rss": frozenset({"1", "yes", "true", ""}),
        "feedtype": frozenset({"rss"}),
        "ftag": frozenset({"rss"}),
    }
)


_OF_AN_ARTICLE = re.compile(  # or of what it is one
    r"(?:[pqnvd]|no|nr|num|number|slug|title|name|key|path|file|url|page|part|date|day|dt|week|month|year|issue|edition|"
    r"lang|.*(?:id|guid|idx|article|art|story|news|post|item|entry|doc|video|episode|ep))[_-]?\d*",
    re.IGNORECASE,
)
_OF_A_VISIT = re.compile(r"(?:\w*[_-])?sid|\w*(?:sess|visit|track|click)\w*|(?:req|client)\w*", re.IGNORECASE)


def _matcher(names: tuple[str, ...]) -> Callable[[str], bool]:
    exact = frozenset(name.lower() for name in names if not name.endswith("*"))
    prefixes = tuple(name[:-1] for name in names if name.endswith("*"))
    return lambda name: name in exact or name.startswith(prefixes)


_IS_TRACKER = _matcher(tuple(name for names in _TRACKERS_ANYWHERE.values() for name in names))
_IS_SITE_TRACKER = {site: _matcher(names) for site, names in _TRACKERS_BY_SITE.items()}


def is_tracker(name: str) -> bool:
    """Whether a parameter of this name tells who reads or how they came, on any site."""
    return _IS_TRACKER(name.lower())


def may_name_article(name: str) -> bool:
    """Whether two values of a parameter of this name are likely to be two articles."""
    return bool(_OF_AN_ARTICLE.fullmatch(name)) and not _OF_A_VISIT.fullmatch(name)


def without_trackers(query: str, host: str) -> str:
    """The parameters of a query that may name an article, in their order, as they are spelled."""
    if not query:
        return ""
    labels = host.split(".")
    sites = [".".join(labels[start:]) for start in range(len(labels))]
    own = [_IS_SITE_TRACKER[site] for site in sites if site in _IS_SITE_TRACKER]
    ref_is_content = any(site in _REF_HAS_MEANING for site in sites)
    kept = []
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        name = unquote(name).lower()
        if not pair or _IS_TRACKER(name) or (name == "ref" and not ref_is_content):
            continue
        if any(matches(name) for matches in own) or value.lower() in _RSS_MARKS.get(name, ()):
            continue
        if name in _BY_VALUE and _BY_VALUE[name].fullmatch(value):
            continue
        kept.append(pair)
    return "&".join(kept)
