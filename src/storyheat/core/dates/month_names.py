"""Month and weekday names and their short forms in the languages that feeds are written in."""

import unicodedata
from collections import Counter
from types import MappingProxyType

# One line a language; months separated by `|`, spellings of one month by blanks, without accents and dots.
_MONTHS = {
    "en": "january jan|february feb febr|march mar|april apr|may|june jun|july jul|august aug|september sep "
    "sept|october oct|november nov|december dec",
    "de": "januar jan janner jaenner jan|februar feb feber|marz mrz maerz mar|april apr|mai|juni jun|juli "
    "jul|august aug|september sep sept|oktober okt|november nov|dezember dez",
    "fr": "janvier janv jan|fevrier fevr fev|mars mar|avril avr|mai|juin|juillet juil juill|aout aou|septembre "
    "sept|octobre oct|novembre nov|decembre dec",
    "it": "gennaio gen|febbraio feb febbr|marzo mar|aprile apr|maggio mag magg|giugno giu|luglio lug|agosto "
    "ago ag|settembre set sett|ottobre ott|novembre nov|dicembre dic",
    "es": "enero ene|febrero feb|marzo mar|abril abr|mayo may|junio jun|julio jul|agosto ago|septiembre "
    "setiembre sep set sept|octubre oct|noviembre nov|diciembre dic",
    "ca": "gener gen|febrer febr|marc|abril|maig|juny|juliol|agost|setembre|octubre|novembre|desembre des",
    "pt": "janeiro jan|fevereiro fev|marco mar|abril abr|maio mai|junho jun|julho jul|agosto ago|setembro "
    "set|outubro out|novembro nov|dezembro dez",
    "nl": "januari|februari|maart mrt|april|mei|juni|juli|augustus|september|oktober|november|december",
    "ru": "январь января янв|февраль февраля фев февр|март марта мар|апрель апреля апр|май мая|июнь июня "
    "июн|июль июля июл|август августа авг|сентябрь сентября сен сент|октябрь октября окт|ноябрь "
    "ноября ноя нояб|декабрь декабря дек",
    "uk": "січень січня січ|лютий лютого лют|березень березня бер|квітень квітня кві квіт|травень травня "
    "тра трав|червень червня чер черв|липень липня лип|серпень серпня сер серп|вересень вересня "
    "вер|жовтень жовтня жов жовт|листопад листопада лис|грудень грудня гру груд",
    # Left out, since they name another month in Croatian: listopada, lis, lip (pl) and srp (cs).
    "pl": "styczen stycznia sty|luty lutego lut|marzec marca|kwiecien kwietnia kwi|maj maja|czerwiec "
    "czerwca cze|lipiec lipca|sierpien sierpnia sie|wrzesien wrzesnia wrz|pazdziernik "
    "pazdziernika paz||grudzien grudnia gru",
    "cs": "leden ledna led|unor unora uno|brezen brezna bre|duben dubna dub|kveten kvetna kve|cerven "
    "cervna|cervenec cervence|srpen srpna|zari|rijen rijna rij|listopadu|prosinec prosince pro",
    "sv": "januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december",
    "da": "januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december",
    "nb": "januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember des",
    "fi": "tammikuu tammikuuta tammi|helmikuu helmikuuta helmi|maaliskuu maaliskuuta maalis|huhtikuu "
    "huhtikuuta huhti|toukokuu toukokuuta touko|kesakuu kesakuuta kesa|heinakuu heinakuuta "
    "heina|elokuu elokuuta elo|syyskuu syyskuuta syys|lokakuu lokakuuta loka|marraskuu marraskuuta "
    "marras|joulukuu joulukuuta joulu",
    "tr": "ocak oca|subat sub|mart|nisan nis|mayis|haziran haz|temmuz tem|agustos agu|eylul eyl|ekim "
    "eki|kasim kas|aralik ara",
    "el": "ιανουαριοσ ιανουαριου ιαν|φεβρουαριοσ φεβρουαριου φεβ|μαρτιοσ μαρτιου μαρ|απριλιοσ απριλιου "
    "απρ|μαιοσ μαιου μαι|ιουνιοσ ιουνιου ιουν|ιουλιοσ ιουλιου ιουλ|αυγουστοσ αυγουστου "
    "αυγ|σεπτεμβριοσ σεπτεμβριου σεπ σεπτ|οκτωβριοσ οκτωβριου οκτ|νοεμβριοσ νοεμβριου νοε|δεκεμβριοσ "
    "δεκεμβριου δεκ",
    "hu": "januar|februar febr|marcius marc|aprilis apr|majus maj|junius|julius|augusztus|szeptember "
    "szept|oktober|november|december",
    "ro": "ianuarie ian|februarie|martie|aprilie|mai|iunie iun|iulie "
    "iul|august|septembrie|octombrie|noiembrie noi|decembrie",
    "ar": "يناير|فبراير|مارس|ابريل|مايو|يونيو يونيه|يوليو يوليه|اغسطس|سبتمبر|اكتوبر|نوفمبر|ديسمبر",
    "id": "januari|februari|maret|april|mei|juni|juli|agustus agu|september|oktober|november|desember",
}
# One line a language, Monday to Sunday; spellings of one day joined by `/`.
_WEEKDAYS = (
    "monday/mon tuesday/tue/tues wednesday/wed thursday/thu/thur/thurs friday/fri saturday/sat sunday/sun",
    "montag/mo dienstag/di mittwoch/mi donnerstag/do freitag/fr samstag/sonnabend/sa sonntag/so",
    "lundi/lun mardi/mar mercredi/mer jeudi/jeu vendredi/ven samedi/sam dimanche/dim",
    "lunedi/lun martedi/mar mercoledi/mer giovedi/gio venerdi/ven sabato/sab domenica/dom",
    "lunes/lun martes/mar miercoles/mie jueves/jue viernes/vie sabado/sab domingo/dom",
    "segunda/seg terca/ter quarta/qua quinta/qui sexta/sex sabado/sab domingo/dom",
    "segunda-feira terca-feira quarta-feira quinta-feira sexta-feira sabado domingo",
    "maandag/ma dinsdag/di woensdag/wo donderdag/do vrijdag/vr zaterdag/za zondag/zo",
    "понедельник/пн вторник/вт среда/ср четверг/чт пятница/пт суббота/сб воскресенье/вс",
    "понеділок/пн вівторок/вт середа/ср четвер/чт п'ятниця/пт субота/сб неділя/нд",
    "poniedzialek/pon/pn wtorek/wt sroda/sr czwartek/czw/cz piatek/pt sobota/sob niedziela/nie/ndz/nd",
    "pondeli/po utery/ut streda/st ctvrtek/ct patek/pa sobota/so nedele/ne",
    "mandag/man tisdag/tirsdag/tis/tir onsdag/ons torsdag/tor/tors fredag/fre lordag/lor sondag/son",
    "maanantai/ma tiistai/ti keskiviikko/ke torstai/to perjantai/pe lauantai/la sunnuntai/su",
    "pazartesi/pzt sali/sal carsamba/car persembe/per cuma/cum cumartesi/cmt pazar/paz",
    "δευτερα/δευ τριτη/τρι τεταρτη/τετ πεμπτη/πεμ παρασκευη/παρ σαββατο/σαβ κυριακη/κυρ",
    "hetfo kedd szerda csutortok pentek szombat vasarnap",
    "luni marti miercuri joi vineri sambata duminica",
    "понеделник вторник сряда четвъртък петък събота неделя",
    "ponedjeljak utorak srijeda cetvrtak petak subota nedjelja",
    "pondelok utorok streda stvrtok piatok sobota nedela",
    "ponedeljek torek sreda cetrtek petek sobota nedelja",
    "dilluns dimarts dimecres dijous divendres dissabte diumenge",
    "วันจันทร์/จันทร์ วันอังคาร/อังคาร วันพุธ/พุธ วันพฤหัสบดี/พฤหัสบดี วันศุกร์/ศุกร์ วันเสาร์/เสาร์ วันอาทิตย์/อาทิตย์",
    "الاثنين/الإثنين الثلاثاء الاربعاء/الأربعاء الخميس الجمعة السبت الاحد/الأحد",
    "सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार रविवार",
    "senin/sen selasa/sel rabu/rab kamis/kam jumat/jum sabtu/sab minggu/min",
)


def fold(word: str) -> str:
    """The word as the tables have it: case folded, without accents, dots and the Turkish dotless i."""
    decomposed = unicodedata.normalize("NFKD", word.casefold().replace("ı", "i").replace("ł", "l"))
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    return bare.replace("ς", "σ").replace("ø", "o").strip(".,'’")


MONTHS = MappingProxyType(
    {
        fold(spelling): number
        for months in _MONTHS.values()
        for number, spellings in enumerate(months.split("|"), start=1)
        for spelling in spellings.split()
    }
)
_WEEKDAY_MEANINGS = frozenset(
    (fold(spelling), day)
    for language in _WEEKDAYS
    for day, spellings in enumerate(language.split())
    for spelling in spellings.split("/")
)
_WEEKDAY_WORDS = Counter(word for word, _ in _WEEKDAY_MEANINGS)
WEEKDAYS = MappingProxyType(  # Monday 0; None where languages differ, as in the Dutch and Finnish `ma`
    {word: day if _WEEKDAY_WORDS[word] == 1 else None for word, day in sorted(_WEEKDAY_MEANINGS)}
)


def month_spellings() -> list[tuple[str, str, int]]:
    """(language, spelling, month) of every name known, for checking that none names two months."""
    return [
        (language, spelling, number)
        for language, months in _MONTHS.items()
        for number, spellings in enumerate(months.split("|"), start=1)
        for spelling in spellings.split()
    ]
