"""Time zones as feeds spell them: offsets, abbreviations, IANA names."""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from types import MappingProxyType
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

# Minutes east of UTC. American ones as RFC 822 has them; where two zones share a name the one that feeds
# use is listed, and a source's own zone decides first (see `read_zone`).
_ABBREVIATIONS = MappingProxyType(
    {
        "Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "WET": 0, "WEZ": 0, "BST": 60, "CET": 60, "MEZ": 60, "MET": 60,
        "WEST": 60, "WAT": 60, "CEST": 120, "MESZ": 120, "MEST": 120, "EET": 120, "OEZ": 120, "SAST": 120,
        "CAT": 120, "EEST": 180, "OESZ": 180, "MSK": 180, "TRT": 180, "EAT": 180, "IDT": 180, "MSD": 240,
        "GST": 240, "IRST": 210, "PKT": 300, "IST": 330, "NPT": 345, "BDT": 360, "WIB": 420, "ICT": 420,
        "HKT": 480, "SGT": 480, "PHT": 480, "MYT": 480, "AWST": 480, "WITA": 480, "JST": 540, "KST": 540,
        "WIT": 540, "ACST": 570, "AEST": 600, "ACDT": 630, "AEDT": 660, "NZST": 720, "NZDT": 780,
        "NDT": -150, "NST": -210, "BRT": -180, "ART": -180, "CLST": -180, "ADT": -180, "AST": -240,
        "CLT": -240, "EDT": -240, "EST": -300, "COT": -300, "PET": -300, "CDT": -300, "CST": -360,
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
_WITH_A_TWIN = frozenset({"IST", "CST", "BST", "AST", "GST"})
_OFFSET = re.compile(r"(?:UTC|GMT|UT|Z)?\s*([+-])\s*(\d{1,2})(?::?(\d{2}))?(?::?00)?", re.IGNORECASE)
_IANA = re.compile(r"[A-Za-z]+(?:/[A-Za-z0-9_+-]+)+|EST5EDT|CST6CDT|MST7MDT|PST8PDT")
_MAX_OFFSET_MINUTES = 14 * 60  # the widest in use are −12:00 and +14:00


def read_zone(text: str, moment: datetime, source_zone: tzinfo | None) -> tuple[tzinfo, str | None] | None:
    """The zone that `text` names, and a remark where the name is ambiguous; None if it names none.

    `moment` is the local time it was written beside (naive): the source's own zone settles an abbreviation that
    it uses in that year, also that of the other half of it, and EST for the Australian AEST.
    """
    text = text.strip()
    if offset := _OFFSET.fullmatch(text):
        return _offset_zone(offset)
    name = " ".join(text.upper().replace(".", "").split())
    place = _BY_PLACE.get(name) or _IN_WORDS.get(name) or text
    if _IANA.fullmatch(place):
        zone = iana_zone(place)
        return (zone, None) if zone else None
    if source_zone is not None and _own_names(source_zone, moment.year) & {name, f"A{name}"}:
        return source_zone, None
    minutes_east = _ABBREVIATIONS.get(name)
    if minutes_east is None:
        return None
    remark = f"zone {name} was read as UTC{minutes_east / 60:+g}" if name in _WITH_A_TWIN else None
    return (timezone(timedelta(minutes=minutes_east)) if minutes_east else UTC), remark


def _own_names(zone: tzinfo, year: int) -> set[str]:
    """What a zone calls its winter and its summer time."""
    names = {datetime(year, month, 1, tzinfo=zone).tzname() for month in (1, 7)}
    return {name for name in names if name}


def _offset_zone(offset: re.Match[str]) -> tuple[tzinfo, None] | None:
    minutes = int(offset[2]) * 60 + int(offset[3] or 0)
    if minutes > _MAX_OFFSET_MINUTES or int(offset[3] or 0) > 59:
        return None
    return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes)), None


def iana_zone(name: str | None) -> ZoneInfo | None:
    """The zone of an IANA name, or None if there is none of that name."""
    if not name:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
