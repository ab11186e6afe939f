"""What the words beside a date say of it: a publication, an update, or something else that has a day."""

import re

from storyheat.core.dates.month_names import WEEKDAYS, fold

# Words that only introduce a publication, in the languages that feeds are written in.
_LEAD_INS = """
published publish publication posted post pubdate pub date dated created submitted issued written uploaded added filed
appeared on the of
veröffentlicht veröffentlichung veröffentlichungsdatum erschienen erscheinungsdatum publiziert erstellt eingestellt
gepostet datum am vom den der
publié publiée publiés paru parue mis mise en ligne posté rédigé écrit créé le de
publicado publicada publicación creado creada escrito fecha el día
publicação postado postada criado criada data em
pubblicato pubblicata pubblicazione inserito scritto il di
gepubliceerd geplaatst op publicerad publicerat publiceret publisert offentliggjort udgivet julkaistu
opublikowano opublikowany dodano publikacji dnia publikováno zveřejněno vydáno dne megjelent publicat
опубликовано опубликована опубликован опубликованы дата публикации размещено добавлено создано от
опубліковано публікації yayınlanma yayınlandı yayın tarihi tarih eklenme δημοσιεύτηκε δημοσίευση ημερομηνία στις
نشر تاريخ النشر في diterbitkan dipublikasikan tanggal đăng ngày
"""
# Names of sections and kinds of texts, which stand before the date in many a list.
_SECTIONS = """
news newsroom politics world international national local business economy finance markets tech technology science
sport sports health culture arts entertainment lifestyle opinion editorial analysis research product products
engineering company blog article articles story stories report reports feature features interview review press
announcement announcements security education climate
nachrichten politik wirtschaft wissenschaft kultur meldung artikel beitrag pressemitteilung
actualités actualité politique économie monde communiqué noticias noticia política economía mundo artículo
notizie articolo artigo новости политика экономика общество мир статья
"""
_KNOWN = frozenset(map(fold, (_LEAD_INS + _SECTIONS).split()))
_EAST_ASIAN_LEAD_INS = """
公元 西元 发布时间 发布日期 发布于 发布 發布時間 發布日期 發布於 發布 發佈時間 發佈日期 發佈於 發佈
发表时间 发表日期 发表于 发表 發表時間 發表於 發表 发稿时间 发稿 刊登于 刊登 刊发 公布 公佈 日期 撰写于 撰寫於 写于
新闻 新聞 资讯 要闻 快讯 财经 科技 国际 国内 社会 体育 文章
公開日時 公開日 公開 掲載日時 掲載日 掲載
投稿日時 投稿日 投稿 配信日時 配信日 配信 発行日 登録日 作成日 発表 ニュース 記事
기사입력 입력일 입력 등록일시 등록일 등록 작성일시 작성일 작성 게시일 게시 발행일 발행 승인 날짜 뉴스 기사
"""
_EAST_ASIAN = re.compile(  # 时间 is also the end of a zone's name, as in 北京时间
    "|".join(sorted(_EAST_ASIAN_LEAD_INS.split(), key=len, reverse=True)) + "|(?<![京港北灣湾准準本国國])[时時][间間]"
)
# The patterns below look at words in small letters: to ignore the case takes four times as long.
_PHRASES = re.compile(
    r"(?<![^\W_])(?:(?:first|originally)(?=\s+(?:published|posted))|"
    r"press release|for immediate release|in data)(?![^\W_])"
)
_LAST = (
    r"(?:(?:last|zuletzt|letzte|derni[eè]re|[uú]ltima|[uú]ltimo|последнее|최종|마지막)\s+|last[-_]|"
    r"最后|最後|最近|最終|최종)?"
)
_UPDATED = re.compile(
    rf"{_LAST}(?:(?<![^\W_])(?:updated?|modified|edited|revised|revision|aktualisier\w*|geändert|bearbeitet|stand(?=:)|"
    r"mise? à jour|modifié\w*|actualiza\w*|modifica\w*|aggiorna\w*|atualiza\w*|обновлен\w*|оновлен\w*|bijgewerkt|"
    r"uppdatera\w*|opdateret|oppdatert|päivitetty|zaktualizowano|aktualizacja|aktualizov\w*|güncelle\w*)(?![^\W_])|"
    r"更新日時|更新日|更新时间|更新時間|更新于|更新於|更新|수정일|수정|업데이트)"
)
_PUBLISHED = re.compile(
    r"publish|posted|veröffentlicht|publié|publicad|pubblicat|опубликован|发布|發布|發佈|发表|發表|公開|掲載|投稿|配信|"
    r"등록|입력|게시"
)
# Days of something else: how long it holds, when it ends, when something will happen.
_OTHER = re.compile(
    r"(?<![^\W_])(?:valid|expir\w*|until|till?|deadline|due|closes?|closing|ends?|ending|apply|register|event|events|"
    r"starts?|starting|begins?|beginning|effective|born|died|when|not|scheduled|planned|expected|upcoming|next|bis|gültig|frist\w*|fällig|"
    r"ablauf|läuft|geboren|gestorben|einsendeschluss|anmeldeschluss|veranstaltung\w*|termin\w*|beginn\w*|ende|geplant|ab|nicht|seit|"
    r"jusqu\W?\w+|avant|échéance|expire|clôture|événement|date limite|début|fin|prévu\w*|dès|pas|"
    r"hasta|vence|vencimiento|plazo|límite|evento|inicio|cierre|desde|previsto|até|prazo|limite|validade|início|fim|"
    r"fino|entro|scade\w*|scadenza|inizio|fine|dal|до|срок|действует|действителен|мероприятие|начало|окончание|не|с)"
    r"(?![^\W_])|"
    r"截止|截至|有效|生效|施行|出生|到期|过期|過期|期限|活动|活動|开始|開始|结束|結束|预计|預計|开幕|開幕|报名|報名|将于|將於|拟于|前(?=\Z)|"
    r"締切|締め切り|〆切|まで|開催|期間|終了|予定|有効|마감|까지|기한|행사|개최|유효|예정|시작|종료"
)
_BYLINE = re.compile(
    r"(?<![^\W_])(?:by|von|par|por|di|da|от|door|av|af|автор|author|autor|auteur|autore|source|quelle|fuente|fonte|via)"
    r"(?![^\W_])[:\s]\s*(?P<names>\w.*)|(?:作者|记者|記者|来源|來源|编辑|編輯|責任編輯|文|出典|글|출처)\s?[:/]\s*(?P<asian>\w.*)",
    re.DOTALL,
)
_WITHIN_NAMES = "and und et y e i и & de del della di da van der den von le la el al bin of the"
_MAX_NAMES = 8  # words, of up to three authors
_BETWEEN_PARTS = re.compile(r"[|·•‧・⋅—–]|\s-(?=\s|\Z)")
_BETWEEN_WORDS = re.compile(r"[\s,;:|·•‧・⋅/—–!]+")


def says_other(text: str) -> bool:
    """Whether words beside a date tell of a deadline, an event, or anything else than a publication."""
    return _OTHER.search(_small(text)) is not None


def says_published(text: str) -> bool:
    """Whether words beside a date say that it is a publication."""
    return _PUBLISHED.search(_small(text)) is not None


def says_updated(text: str) -> bool:
    """Whether words beside a date say that it is an update, and none that it is a publication."""
    return _UPDATED.search(_small(text)) is not None and not says_published(text)


def published_part(text: str) -> str:
    """The part of a text that tells of the publication, where another tells of an update; else the whole."""
    small = _small(text)
    updated = _UPDATED.search(small)
    if updated is None:
        return text
    published = _PUBLISHED.search(small)
    is_after_a_date = any(c.isdigit() for c in text[: updated.start()])
    if published and published.start() > updated.start():
        return text if is_after_a_date else text[published.start() :]
    return text[: updated.start()].rstrip(" |·•‧・⋅—–-,;(") if is_after_a_date else text


def without_lead_in(text: str) -> str:
    """The words of `text`, which stands before a date, that do not merely introduce a publication.

    Weekdays, names of sections, and the names of authors behind `by` are taken away too.
    """
    parts = "|".join(map(_without_byline, _BETWEEN_PARTS.split(text)))
    words = _EAST_ASIAN.sub(" ", _without(_PHRASES, _without(_UPDATED, parts)))
    return " ".join(word for word in _BETWEEN_WORDS.split(words) if not _is_known(word))


def _small(text: str) -> str:
    """The text in small letters, each at its place: only the dotted capital I would become two characters."""
    return text.replace("İ", "i").lower()


def _without(words: re.Pattern[str], text: str) -> str:
    """The text with a blank in place of each match in its small letters."""
    begin, kept = 0, []
    for found in words.finditer(_small(text)):
        kept.append(text[begin : found.start()])
        begin = found.end()
    return " ".join((*kept, text[begin:]))


def _is_known(word: str) -> bool:
    plain = fold(word.strip("-"))
    return not plain or plain in _KNOWN or plain in WEEKDAYS


def _without_byline(part: str) -> str:
    """A part of the words before a date without the names of those who wrote."""
    found = _BYLINE.search(_small(part))
    if found is None or says_other(part):
        return part
    if found["asian"]:
        return part[: found.start()]
    words = part[found.start("names") :].split()
    names = 0
    while names < min(len(words), _MAX_NAMES) and _is_name(words[names]):
        names += 1
    if all(_is_known(word.strip(",;:")) for word in words[:names]):
        return part  # `by Friday` is a deadline
    return " ".join((part[: found.start()], *words[names:]))


def _is_name(word: str) -> bool:
    return word[0].isupper() or fold(word) in _WITHIN_NAMES.split()
