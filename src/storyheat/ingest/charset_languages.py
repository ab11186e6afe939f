"""How likely each character is in the languages that were written in encodings of their own."""

import re
from collections import Counter
from dataclasses import dataclass, field
from math import log
from typing import NamedTuple

_ASCII, _START = 1 / 64, 0.02  # how likely an ASCII character is, and that another one follows it
_NO_CHARACTER = 1e-6  # bytes that the codec does not have: a slip
_RUN = re.compile(r"([A-Za-z]?)([^\x00-\x7f]+)(?=([A-Za-z]?))")


class Signs(NamedTuple):
    """Characters that are about equally frequent, and their share of all that are not ASCII."""

    share: float
    signs: str


@dataclass(frozen=True, slots=True)
class Language:
    """How likely characters are in a language, and how those that are not ASCII stand together.

    Shares are those of running text and headlines, rounded; sizes are those of the character sets.
    """

    tags: str  # how documents name it (BCP 47), between blanks; traditional Chinese is `zh-hant`
    codecs: tuple[str, ...]  # Python's names
    signs: tuple[Signs, ...]
    rest: float  # the probability of any other character
    stay: float  # that such a character follows another
    touch: float  # that a run of them touches a Latin letter
    logs: dict[str, float] = field(init=False)

    def __post_init__(self) -> None:
        logs = {sign: log(one.share / len(one.signs)) for one in reversed(self.signs) for sign in one.signs}
        object.__setattr__(self, "logs", {**logs, "\ufffd": log(_NO_CHARACTER)})

    def surprise(self, text: str) -> float:
        """The negative logarithm of the probability of a text in this language; ASCII counts alike in all."""
        runs = _RUN.findall(text)
        foreign = Counter("".join(run for _, run, _ in runs))
        touching = sum(bool(before or after) for before, _, after in runs)
        rest = log(self.rest)
        likely = sum(count * self.logs.get(sign, rest) for sign, count in sorted(foreign.items()))
        likely += len(runs) * log(_START * (1 - self.stay)) + (foreign.total() - len(runs)) * log(self.stay)
        likely += touching * log(self.touch) + (len(runs) - touching) * log(1 - self.touch)
        likely += (len(text) - foreign.total()) * log(_ASCII)
        return -likely


_HAN_MARKS = "，。、：；！？“”‘’《》「」『』（）—…・【】"
_SIMPLIFIED = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得"
    "经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事"
    "平形相全表间样与关各重新线内数正心明看原又利比或质气第向道变条只没结解问意建月公无系情者最立代想已通并提直题程展五果员位入常"
    "文总次品式活设及管特件长求老头基资边流路级图统接知较将组见计别手期根论运指九区强放西被做必先回则任取据处队南给光门即保北造"
    "百规热领七海口东导器世金增争济思术极交受联认六共权收证改清美再采转更单打教速带安场身车例真务具万每目至达示议声报京闻点周"
)
_TRADITIONAL = (
    "的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後多定行學法所民得"
    "經十三之進著等部度家電力裡如水化高自二理起小物現實加量都兩體制機當使點從業本去把性好應開它合還因由其些然前外天政四日那社義事"
    "平形相全表間樣與關各重新線內數正心明看原又利比或質氣第向道變條只沒結解問意建月公無系情者最立代想已通並提直題程展五果員位入常"
    "文總次品式活設及管特件長求老頭基資邊流路級圖統接知較將組見計別手期根論運指區強放被做必先回則任取據處隊南給光門即保北造"
    "百規熱領海口東導器世金增爭濟思術極交受聯認六共權收證改清美再採轉更單打教速帶安場身車例真務具萬每目至達示議聲報京聞灣台"
)
_SIMPLIFIED_HEADLINES = (  # what is in headlines more than in running text
    "价票油涨跌股收盘元亿万楼房市警察法院检银融资企业季度额销售购网络手游戏影视频歌球赛冠军胜负赢伤死亡灾震雨雪气温医药疫苗病院校考试招聘"
    "岁男孩父母亲婚恋店餐菜肉茶酒旅飞航班铁路港湾岛湖河山林农村镇县省委书记副局厅访谈签署协议判冲突战争弹核俄乌韩德法英欧印度非洲联盟投票"
    "竞选总统首相演习航母芯片导屏幕智能驾驶充池桩裁员补贴债券汇率指数推荐评测公告晋级急诊"
)
_TRADITIONAL_HEADLINES = (
    "價票油漲跌股收盤元億萬樓房市警察法院檢銀融資企業季度額銷售購網絡手遊戲影視頻歌球賽冠軍勝負贏傷死亡災震雨雪氣溫醫藥疫苗病院校考試招聘"
    "歲男孩父母親婚戀店餐菜肉茶酒旅飛航班鐵路港灣島湖河山林農村鎮縣省委書記副局廳訪談簽署協議判衝突戰爭彈核俄烏韓德法英歐印度非洲聯盟投票"
    "競選總統首相演習航母晶片導屏幕智慧駕駛充池樁裁員補貼債券匯率指數推薦評測公告晉級急診"
)
_HANGUL = (
    "이다는에을의가고한를은로서도하지기사인대스자시정리일해그나아전수부장보국어제상성관들경원공주조위유과구선게연신회비화여용무소안등금"
    "면오만라방개년내동중모학세실적있했것된계미으마려할우생재진문통차업명습니까와월민분발당후반치출간식행물단양트드크터러코카타파프플포호"
    "김박최강산울남북석현율률입법검찰청군외교투표책임총체결거래속불축구월본심감두야더며네째없었않같말또매번각활직접점역품판권형집합급향히"
    "배변복달달살새음응올외요운웅워위율의임잘저존종준즈증질참천초추침컴켜코큰탄태토통퇴특팀페편폭품피필핵행험혁협형혼환황회획효휴흐희힘"
)
_KANJI = (
    "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開手米力学"
    "問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七成期公持野協取都和統以機"
    "平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反"
    "元重近千考判認画海参売利組知案道信策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運"
    "終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有疑口過局少放税検町常校料裁状工建語球営空職証土与急止送援供可役構木割聞身費"
    "付施切由説転食比難防補車優夫研収断南石足違消境神番規術護展態導備宅害配副算視条独警究育席輸訪楽起万着乗店述残想線率病農声質念待試"
)
_HIRAGANA = "のにはをたがでてとしれさいるすなこもまかっりらくうきつよあおけせじだそどろえめわみやべゃゅょ"
_KATAKANA = (
    "ーンスルトリアイラクシドレカタロフジマサッテキコメムプニオセバグチミナ"
    "デパビウノエソワモハヘヤネズダホボブベペピゴギガザゼァィェォャュョ"
)
_ACCENTED = "éèêëàâäáãåæçíìîïñóòôöõøœúùûüßÉÈÀÁÄÅÇÍÑÓÖØÚÜŠšŽžð"
_TYPOGRAPHIC = "’‘“”–—…«»„‚•·©®™°€£§ \u00a0´½²¿¡ºª"
LANGUAGES = (
    Language(
        "ja",
        ("cp932", "euc_jp"),
        (
            Signs(0.40, _HIRAGANA), Signs(0.20, _KATAKANA), Signs(0.22, _KANJI), Signs(0.06, _HAN_MARKS + "\u3000"),
        ),
        rest=0.12 / 6500, stay=0.9, touch=0.3,
    ),
    Language(
        "ko",
        ("cp949",),
        (Signs(0.55, _HANGUL[:75]), Signs(0.33, _HANGUL[75:]), Signs(0.02, _HAN_MARKS)),
        rest=0.10 / 2400, stay=0.7, touch=0.1,
    ),
    Language(
        "zh",
        ("gb18030",),
        (
            Signs(0.20, _SIMPLIFIED[:120]), Signs(0.35, _SIMPLIFIED[120:]), Signs(0.20, _SIMPLIFIED_HEADLINES),
            Signs(0.05, _HAN_MARKS),
        ),
        rest=0.20 / 4000, stay=0.9, touch=0.3,
    ),
    Language(
        "zh-hant",
        ("big5hkscs",),
        (
            Signs(0.20, _TRADITIONAL[:120]), Signs(0.35, _TRADITIONAL[120:]), Signs(0.20, _TRADITIONAL_HEADLINES),
            Signs(0.05, _HAN_MARKS),
        ),
        rest=0.20 / 5500, stay=0.9, touch=0.3,
    ),
    Language(
        "ru uk be bg sr mk",
        ("cp1251", "koi8-r", "iso8859-5", "cp866"),
        (
            Signs(0.49, "оеаинт"), Signs(0.28, "срвлкм"), Signs(0.15, "дпуяыьгзбч"), Signs(0.03, "йхжшюцщэфъё"),
            Signs(0.01, "іїєґўІЇЄ"), Signs(0.03, "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЭЮЯ"), Signs(0.01, "«»—–“”„№…\u00a0"),
        ),
        rest=0.0005 / 60, stay=0.8, touch=0.02,
    ),
    Language(
        "el",
        ("cp1253",),
        (Signs(0.9, "αοιετσνηυρπκμλςω"), Signs(0.09, "δγχθφβξζψάέίόύήώΑΕΗΙΚΜΝΟΠΣΤ")),
        rest=0.01 / 60, stay=0.8, touch=0.02,
    ),
    Language(
        "he iw", ("cp1255",), (Signs(0.99, "אבגדהוזחטיךכלםמןנסעףפץצקרשת"),), rest=0.01 / 60, stay=0.8, touch=0.02
    ),
    Language(
        "ar fa",
        ("cp1256",),
        (Signs(0.98, "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةأإآؤئء،؟"),),
        rest=0.02 / 60, stay=0.8, touch=0.02,
    ),
    Language(
        "th",
        ("cp874",),
        (Signs(0.8, "านรอกเงมยลวดทสตะปบคหแ"), Signs(0.18, "ชพไจใขโผซฉถธัิีุู็่้์ำึืๆ")),
        rest=0.02 / 40, stay=0.9, touch=0.1,
    ),
    Language(
        "fr de es pt it nl da sv no nb fi",
        ("cp1252",),
        (Signs(0.6, _ACCENTED), Signs(0.38, _TYPOGRAPHIC)),
        rest=0.02 / 60, stay=0.05, touch=0.9,
    ),
)  # fmt: skip
