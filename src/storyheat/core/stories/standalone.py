"""Which sentences of a report can stand by themselves: of a length to be read, and about the news, not the medium."""

import re
from dataclasses import dataclass

from storyheat.core.text.words import is_cjk_term

# What stands under and between articles: who may print them, where else to look, and that one should subscribe.
_ABOUT_THE_MEDIUM = re.compile(
    r"\b(?:subscribe|sign up|newsletter|click (?:here|on|below)|read (?:more|also|next|the full)|all rights reserved|"
    r"originally (?:published|appeared)|follow us|(?:photo|image|picture|video)s?(?: credit)?s?(?: by)?:|cookies?|"
    r"terms of (?:use|service)|privacy policy|"
    r"(?:this|the) (?:article|post|story) (?:was|is|has been) (?:"
    r"first|originally|also|updated|translated|written)|"
    r"advertisement|sponsored|"
    r"listen to (?:this|the) (?:article|episode)|"
    r"abonnieren|lesen sie (?:auch|mehr)|mehr zum thema|alle rechte vorbehalten|s'abonner|abonnez-vous|lire aussi|"
    r"tous droits réservés|suscr[ií]b\w+|lea también|leia (?:mais|também)|assine|leggi anche|iscriviti|подпис\w+|"
    r"читайте также)"
    r"|本文(?:来自|來自|首发|首發|由|作者|原文|转载|轉載|系|为|為)|微信公众号|公众号[:：]|公眾號|微信号|图片来源|圖片來源|题图|頭圖|头图|"
    r"责任编辑|責任編輯|编辑[:：/]|編輯[:：/]|作者[:：/]|来源[:：/]|來源[:：/]|点击|點擊|扫码|掃碼|关注我们|關注我們|欢迎关注|转载请|"
    r"未经授权|未經授權|版权|版權|阅读原文|延伸阅读|相关阅读|声明[:：]|免责声明|不构成投资建议|"
    r"この記事|会員登録|無断転載|写真[:：=＝/]|関連記事|무단\s?전재|구독|기자\s?=",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SentenceParams:
    """How long a sentence is that can stand alone, in characters; own choice, for reading at a glance."""

    shortest: int = 30  # where words have no blanks, a third of it
    longest: int = 320


def stands_alone(sentence: str, params: SentenceParams) -> bool:
    """Whether a sentence can be shown without those around it."""
    shortest = params.shortest // 3 if is_cjk_term(sentence) else params.shortest
    return shortest <= len(sentence) <= params.longest and _ABOUT_THE_MEDIUM.search(sentence) is None
