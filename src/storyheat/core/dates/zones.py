"""Time zones as feeds spell them: offsets, abbreviations, IANA names."""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from types import MappingProxyType
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


class ZoneReading(NamedTuple):
    """What a text says of a zone: a zone, or None; the remark says what was doubtful. (None, None): no zone at all."""

    zone: tzinfo | None
    remark: str | None


# Minutes east of UTC. American ones as RFC 822 has them.
_ABBREVIATIONS = MappingProxyType(
    {
        "WET": 0, "WEZ": 0, "BST": 60, "CET": 60, "MEZ": 60, "MET": 60,
        "WEST": 60, "WAT": 60, "CEST": 120, "MESZ": 120, "MEST": 120, "EET": 120, "OEZ": 120, "SAST": 120,
        "CAT": 120, "EEST": 180, "OESZ": 180, "MSK": 180, "TRT": 180, "EAT": 180, "IDT": 180, "MSD": 240,
        "IRST": 210, "PKT": 300, "NPT": 345, "BDT": 360, "WIB": 420, "ICT": 420,
        "HKT": 480, "SGT": 480, "PHT": 480, "MYT": 480, "AWST": 480, "WITA": 480, "JST": 540, "KST": 540,
        "WIT": 540, "ACST": 570, "AEST": 600, "ACDT": 630, "AEDT": 660, "NZST": 720, "NZDT": 780,
        "NDT": -150, "NST": -210, "BRT": -180, "ART": -180, "CLST": -180, "ADT": -180,
        "CLT": -240, "EDT": -240, "EST": -300, "COT": -300, "PET": -300, "CDT": -300,
        "MDT": -360, "MST": -420, "PDT": -420, "PST": -480, "AKDT": -480, "AKST": -540, "HDT": -540,
        "HST": -600,
    }
)  # fmt: skip
_BY_PLACE = MappingProxyType(  # names without a word on daylight saving
    {
        "ET": "America/New_York", "CT": "America/Chicago", "MT": "America/Denver",
        "PT": "America/Los_Angeles",
    }
)  # fmt: skip
_IN_WORDS = MappingProxyType(  # as browsers, Chinese and Japanese pages spell them
    {
        "北京时间": "Asia/Shanghai", "北京時間": "Asia/Shanghai", "中国标准时间": "Asia/Shanghai",
        "BEIJING TIME": "Asia/Shanghai", "CHINA STANDARD TIME": "Asia/Shanghai", "HONG KONG TIME": "Asia/Hong_Kong",
        "香港时间": "Asia/Hong_Kong", "香港時間": "Asia/Hong_Kong", "台北时间": "Asia/Taipei",
        "台北時間": "Asia/Taipei", "台灣時間": "Asia/Taipei", "日本時間": "Asia/Tokyo", "日本標準時": "Asia/Tokyo",
        "JAPAN STANDARD TIME": "Asia/Tokyo", "한국시간": "Asia/Seoul", "KOREA STANDARD TIME": "Asia/Seoul",
        "KOREAN STANDARD TIME": "Asia/Seoul", "INDIA STANDARD TIME": "Asia/Kolkata",
        "COORDINATED UNIVERSAL TIME": "Etc/UTC", "GREENWICH MEAN TIME": "Etc/GMT", "BRITISH SUMMER TIME": "Etc/GMT-1",
        "CENTRAL EUROPEAN TIME": "Europe/Berlin", "CENTRAL EUROPEAN STANDARD TIME": "Etc/GMT-1",
        "CENTRAL EUROPEAN SUMMER TIME": "Etc/GMT-2", "MITTELEUROPÄISCHE ZEIT": "Etc/GMT-1",
        "MITTELEUROPÄISCHE SOMMERZEIT": "Etc/GMT-2", "МСК": "Europe/Moscow", "ПО МОСКВЕ": "Europe/Moscow",
        "MOSCOW STANDARD TIME": "Europe/Moscow", "MOSCOW TIME": "Europe/Moscow",
        "EASTERN TIME": "America/New_York", "EASTERN STANDARD TIME": "Etc/GMT+5", "EASTERN DAYLIGHT TIME": "Etc/GMT+4",
        "CENTRAL TIME": "America/Chicago", "CENTRAL STANDARD TIME": "Etc/GMT+6", "CENTRAL DAYLIGHT TIME": "Etc/GMT+5",
        "MOUNTAIN TIME": "America/Denver", "MOUNTAIN STANDARD TIME": "Etc/GMT+7", "MOUNTAIN DAYLIGHT TIME": "Etc/GMT+6",
        "PACIFIC TIME": "America/Los_Angeles", "PACIFIC STANDARD TIME": "Etc/GMT+8",
        "PACIFIC DAYLIGHT TIME": "Etc/GMT+7",
    }
)  # fmt: skip
# Names that several places use, with what tells which: the continent of the source's zone, the feed's country or its
# language. Those that stand above too mean that where nothing is told; of the others every reading has its feeds,
# hours apart. None: two readings even there.
_SHARED: dict[str, dict[int | None, str]] = {
    "CST": {480: "Asia CN TW HK MO SG zh", -360: "America US CA MX GT HN NI SV CR BZ", -300: "CU"},
    "IST": {330: "IN LK hi ta te mr gu kn ml pa", 120: "IL he iw", 60: "Europe IE ga"},
    "AST": {180: "Asia SA KW QA BH YE IQ ar", -240: "America CA PR VI BM DO BB TT AG DM GD"},
    "GST": {240: "Asia AE OM ar", 600: "Pacific GU"},
    "BST": {360: "Asia BD bn"},
    "EST": {None: "Australia AU"},
    "EDT": {None: "Australia AU"},
    "MST": {480: "MY ms"},
    "PST": {480: "PH fil tl"},
}
_IN_RFC_822 = frozenset({"EST", "EDT", "MST", "PST"})  # there they have one meaning, so that a remark says nothing
_UTC_NAMES = frozenset({"Z", "UT", "UTC", "GMT"})  # nobody's own time, though London calls its winter GMT
_MILITARY = frozenset("ABCDEFGHIKLMNOPQRSTUVWXY")  # RFC 822 had their signs wrong, so that programs used both
_OFFSET = re.compile(r"(?:UTC|GMT|UT|Z)?\s*([+-])\s*(\d{1,2})(?::?(00|15|30|45))?(?::?00)?", re.IGNORECASE)
_IANA = re.compile(r"[A-Za-z]+(?:/[A-Za-z0-9_+-]+)+|EST5EDT|CST6CDT|MST7MDT|PST8PDT")
_OFFSETS_IN_USE = range(-12 * 60, 14 * 60 + 1)  # minutes


def read_zone(text: str, moment: datetime, source_zone: tzinfo | None, language: str | None = None) -> ZoneReading:
    """The zone that `text` names.

    `moment` is the local time it was written beside (naive). An abbreviation means one offset in any season: the
    source's own zone tells which, if it uses the name in that year (also EST for the Australian AEST). Of one that
    several places use, its continent, or the country or else the language in `language` (BCP 47), tells the place;
    if they do not, there is no zone. A remark says so where the clocks of the source's zone showed another offset.
    """
    text = text.strip()
    if offset := _OFFSET.fullmatch(text):
        return ZoneReading(_offset_zone(offset), None)
    name = " ".join(text.upper().replace(".", "").split())
    if name in _UTC_NAMES:
        return ZoneReading(UTC, None)
    if name in _MILITARY:
        return ZoneReading(None, f"zone {name} is a military letter, and these were used with either sign")
    place = _BY_PLACE.get(name) or _IN_WORDS.get(name) or text
    if _IANA.fullmatch(place):
        return ZoneReading(iana_zone(place), None)
    clocks = _clocks(source_zone, moment) if source_zone is not None else {}
    own = clocks.get(name, clocks.get(f"A{name}"))
    minutes, is_told = (own, False) if own is not None else _minutes_east(name, source_zone, language)
    if minutes is None:
        several = f"zone {name} is that of several places; the source's `timezone` would settle it"
        return ZoneReading(None, several if name in _SHARED else None)
    is_shared = own is None and name in _SHARED and (is_told or name not in _IN_RFC_822)
    in_doubt = is_shared or _is_out_of_season(minutes, clocks, moment, source_zone)
    remark = f"zone {name} was read as UTC{minutes / 60:+g}" if in_doubt else None
    return ZoneReading(timezone(timedelta(minutes=minutes)) if minutes else UTC, remark)


def _minutes_east(name: str, source_zone: tzinfo | None, language: str | None) -> tuple[int | None, bool]:
    """What an abbreviation means, and whether the place told it; None: nothing, or nothing certain."""
    continent = source_zone.key.partition("/")[0] if isinstance(source_zone, ZoneInfo) else ""
    for place in (continent, _place(language)):
        for minutes, places in _SHARED.get(name, {}).items():
            if place in places.split():
                return minutes, True
    return _ABBREVIATIONS.get(name), False


def _place(language: str | None) -> str:
    """The country that a language tag names (`CN` of `zh-CN`), else its language; "" without one."""
    first, *others = (language or "").replace("_", "-").split("-")
    return next((part.upper() for part in others if len(part) == 2), first.lower())


def _clocks(zone: tzinfo, moment: datetime) -> dict[str, int]:
    """What a zone calls its winter and its summer time, in minutes east; what it said at that moment goes first."""
    seasons = (datetime(moment.year, month, 1, tzinfo=zone) for month in (1, 7))
    return {name: _minutes(at) for at in (*seasons, *_sides(zone, moment)) if (name := at.tzname())}


def _sides(zone: tzinfo, moment: datetime) -> tuple[datetime, datetime]:
    """A local time before and after the clocks are put back; nearly always the same."""
    return moment.replace(tzinfo=zone, fold=1), moment.replace(tzinfo=zone, fold=0)


def _minutes(at: datetime) -> int:
    return int((at.utcoffset() or timedelta()).total_seconds()) // 60


def _is_out_of_season(minutes: int, clocks: dict[str, int], moment: datetime, zone: tzinfo | None) -> bool:
    """Whether a zone has an offset in that year, but not at that moment: CET in a Berlin summer."""
    if zone is None or minutes not in clocks.values():
        return False
    return all(_minutes(at) != minutes for at in _sides(zone, moment))


def _offset_zone(offset: re.Match[str]) -> tzinfo | None:
    minutes = int(offset[2]) * 60 + int(offset[3] or 0)
    minutes = -minutes if offset[1] == "-" else minutes
    return timezone(timedelta(minutes=minutes)) if minutes in _OFFSETS_IN_USE else None


def iana_zone(name: str | None) -> ZoneInfo | None:
    """The zone of an IANA name, or None if there is none of that name."""
    if not name:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
