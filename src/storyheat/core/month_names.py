"""Month and weekday names and their short forms in the languages that feeds are written in."""

import unicodedata
from types import MappingProxyType

# One line a language; months separated by `|`, spellings of one month by blanks, without accents and dots.
_MONTHS = {
    "en": "january jan|february feb febr|march mar|april apr|may|june jun|july jul|august aug|september sep "
    "sept|october oct|november nov|december dec",
    "de": "januar jan janner jaenner jan|februar feb feber|marz mrz maerz mar|april apr|mai|juni jun|juli "
    "jul|august aug|september sep sept|oktober okt|november nov|dezember dez",
    "fr": "janvier janv jan|fevrier fevr fev|mars mar|avril avr|mai|juin|juillet juil|aout aou|septembre "
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
    "pl": "styczen stycznia sty|luty lutego lut|marzec marca|kwiecien kwietnia kwi|maj maja|czerwiec "
    "czerwca cze|lipiec lipca lip|sierpien sierpnia sie|wrzesien wrzesnia wrz|pazdziernik "
    "pazdziernika paz|listopada lis|grudzien grudnia gru",
    "cs": "leden ledna led|unor unora uno|brezen brezna bre|duben dubna dub|kveten kvetna kve|cerven "
    "cervna|cervenec cervence|srpen srpna srp|zari|rijen rijna rij|listopadu|prosinec prosince pro",
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
    "id": "januari|februari|maret|april|mei|juni|juli|agustus agu|september|oktober|november|desember",
}
_WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so "
    "lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim "
    "lunedi martedi mercoledi giovedi venerdi sabato domenica gio sab dom "
    "lunes martes miercoles jueves viernes sabado domingo mie jue vie "
    "segunda terca quarta quinta sexta feira seg ter qua qui sex "
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo "
    "понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс "
    "poniedzialek wtorek sroda czwartek piatek sobota niedziela pon pn wt sr czw cz pt sob nie ndz nd "
    "mandag tirsdag onsdag torsdag fredag lordag sondag mandag tisdag lordag man tir ons tor fre lor son tis "
    "pazartesi sali carsamba persembe cuma cumartesi pazar δευ τρι τετ πεμ παρ σαβ κυρ"
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
WEEKDAYS = frozenset(fold(word) for word in _WEEKDAYS.split())


def month_spellings() -> list[tuple[str, str, int]]:
    """(language, spelling, month) of every name known, for checking that none names two months."""
    return [
        (language, spelling, number)
        for language, months in _MONTHS.items()
        for number, spellings in enumerate(months.split("|"), start=1)
        for spelling in spellings.split()
    ]
