"""The encoding of bytes that nothing true was said about, told by which letters are frequent in a language."""

import codecs
import re
from typing import NamedTuple


class _Language(NamedTuple):
    """Codecs a language was written in, its most frequent characters, and their least share of the foreign ones.

    In running text these characters make up half as much again; in bytes of another encoding about a tenth.
    """

    codecs: tuple[str, ...]
    frequent: frozenset[str]
    least: float


_LANGUAGES = (
    _Language(("cp932", "euc_jp"), frozenset("のにはをたがでてとしれさいるすなこもまかっ"), 0.2),
    _Language(
        ("cp949",),
        frozenset("이다는에을의가고한를은로서도하지기사인대스자시정리일해그나아전수부장보국어상제성관들경"),
        0.3,
    ),
    _Language(
        ("gb18030",),
        frozenset(
            "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得"
            "经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事"
            "平形相全表间样与关各重新线内数正心明看原又利比或质气第向道变条只没结解问意建月公无系情者最立代想已通并提直题程展五果员位入常"
            "文总次品式活设及管特件长求老头基资边流路级图统接知较将组见计别手期根论运指九区强放西被做必先回则任取据处队南给光门即保北造"
            "百规热领七海口东导器世金增争济思术极交受联认六共权收证改清美再采转更单打教速带安场身车例真务具万每目至达示议声报京闻点周"
        ),
        0.3,
    ),
    _Language(
        ("big5hkscs",),
        frozenset(
            "的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後多定行學法所民得"
            "經十三之進著等部度家電力裡如水化高自二理起小物現實加量都兩體制機當使點從業本去把性好應開它合還因由其些然前外天政四日那社義事"
            "平形相全表間樣與關各重新線內數正心明看原又利比或質氣第向道變條只沒結解問意建月公無系情者最立代想已通並提直題程展五果員位入常"
            "文總次品式活設及管特件長求老頭基資邊流路級圖統接知較將組見計別手期根論運指區強放被做必先回則任取據處隊南給光門即保北造"
            "百規熱領海口東導器世金增爭濟思術極交受聯認六共權收證改清美再採轉更單打教速帶安場身車例真務具萬每目至達示議聲報京聞灣台"
        ),
        0.3,
    ),
)
_RUSSIAN = _Language(("cp1251", "koi8-r", "iso8859-5", "cp866"), frozenset("оеаинтсрвлкмдпу"), 0.5)
_RUSSIAN_WORD = re.compile("[А-яЁё]{3,}")  # accented letters of other languages stand alone
_SAMPLE_BYTES = 20_000
_LEAST_FOREIGN = 6  # characters; fewer say nothing


def guess_codec(body: bytes) -> str | None:
    """Python's name of the codec whose language the bytes show, or None where no language is plain."""
    found = []
    for language in (*_LANGUAGES, _RUSSIAN):
        for codec in language.codecs:
            text = _sample(body, codec)
            foreign = [c for c in text if not c.isascii()]
            counted = "".join(_RUSSIAN_WORD.findall(text)) if language is _RUSSIAN else foreign
            share = sum(c in language.frequent for c in counted) / max(1, len(foreign))
            if len(foreign) >= _LEAST_FOREIGN and share >= language.least:
                found.append((share / language.least, codec))
    return max(found)[1] if found else None


def _sample(body: bytes, codec: str) -> str:
    """The start of the text; empty where the bytes are none of that codec. A last character may be cut."""
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        return decoder.decode(body[:_SAMPLE_BYTES])
    except UnicodeDecodeError:
        return ""
