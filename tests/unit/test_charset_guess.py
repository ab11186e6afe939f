"""Undeclared encodings, told from single headlines of our own and from three of them together."""

from random import Random

import pytest

from storyheat.ingest.charset import decode

KOREAN = """\
정부 내년 예산안 국회 통과
서울 지하철 요금 오른다
새 반도체 공장 착공
한국은행 기준금리 동결
태풍 북상 제주도 비상
대통령 유럽 순방 마치고 귀국
프로야구 개막전 매진
부산 앞바다 어선 전복 구조 중
검찰 압수수색 나서
올해 수출 사상 최대
코로나 신규 확진자 감소
전기차 보조금 줄어든다
쌀값 폭락 농민들 시위
대학 등록금 인상 논란
인공지능 규제 법안 발의
강원도 산불 밤새 확산
축구 대표팀 월드컵 본선 진출
주말 전국에 비 소식
의료 파업 사흘째
새 총리 후보자 청문회
뉴스
속보
날씨
오늘의 운세
안녕하세요
""".splitlines()
JAPANESE = """\
日本銀行、金利を据え置き
新しい半導体工場の建設が始まる
台風が沖縄に接近
首相、欧州訪問を終え帰国
東京の地下鉄で事故、けが人なし
物価上昇が続く
プロ野球開幕戦
ロケット打ち上げ成功
人工知能の規制案を提出
夏の電力不足に備え
大学入試の改革について
円安で輸出企業が好調
地震で新幹線が運転見合わせ
カメラとレンズのレビュー
今日の天気
お知らせ
ニュース速報
ゲーム最新情報
北海道で大雪
選挙の結果が確定
自動車メーカーが電池工場
医師の働き方改革
コンビニの新商品
桜の開花
ワクチン接種
""".splitlines()
RUSSIAN = """\
Курс рубля вырос
Новости дня
Президент подписал закон
В Москве открыли новую станцию метро
Ураган на юге страны
Банк России сохранил ставку
Цены на нефть упали
Сборная вышла в финал
Учёные нашли новый вид
Погода
Главное
Выборы в Европе
Пожар на складе
Суд оставил без изменений
Роботы и люди
Снегопад парализовал город
Врачи объявили забастовку
Экспорт зерна
Ракета стартовала
Интервью с режиссёром
Мир
Спорт
Привет, мир
Завод остановлен
Театр открыл сезон
""".splitlines()
TAIWANESE = """\
颱風逼近台灣 多處停班停課
總統出訪歐洲歸國
央行利率不變
晶圓新廠動工
立法院通過預算案
地震後高鐵恢復通車
今日天氣
油價下週調漲
職棒開幕戰滿座
香港樓市回落
人工智慧規範草案
半導體出口創新高
選舉結果出爐
學費調漲引發爭議
醫師罷工第三天
新聞快報
公告
電動車補助減少
農民抗議米價下跌
登山客失聯三日獲救
國際新聞
繁體中文新聞快報
火車票價
股市收盤
電影推薦
""".splitlines()
CHINESE = """\
央行维持利率不变
台风逼近东南沿海
新能源汽车销量创新高
国务院发布新规
芯片工厂开工建设
今日天气
公告
油价下周上调
足球队晋级决赛
人工智能监管草案
股市收盘
高铁票价调整
医院夜间急诊
北京时间八点整新闻
要闻
财经早报
房价回落
大学学费引发争议
火箭发射成功
出口同比增长
游戏评测
电影推荐
登山者失联三日获救
国际新闻
农民工工资
""".splitlines()
WESTERN = """\
L’été à la mer, déjà
Größte Übung seit Jahren
Café
El niño y la montaña
São Paulo: eleições já
Mañana será otro día
It’s “over” – finally…
Österreichs Kanzler tritt zurück
Un été très chaud
Año nuevo
Ærø får ny færge
Größe
Noël
€ 5
50 £
Å
L’heure
«Le Matin»
Prix réduit à 5 €
Göteborgs hamn växer
""".splitlines()


def feed(titles: list[str]) -> str:
    items = "".join(f"<item><title>{title}</title></item>" for title in titles)
    return f'<rss version="2.0"><channel><title>T</title>{items}</channel></rss>'


def read_right(groups: list[list[str]], codec: str) -> int:
    return sum(decode(feed(titles).encode(codec), None).text == feed(titles) for titles in groups)


@pytest.mark.parametrize(
    ("headlines", "codec", "least"),  # of 25 single headlines; what is missed has two or three letters
    [
        (KOREAN, "cp949", 24), (JAPANESE, "cp932", 25), (JAPANESE, "euc_jp", 25), (RUSSIAN, "cp1251", 24),
        (RUSSIAN, "koi8-r", 23), (TAIWANESE, "big5hkscs", 25), (CHINESE, "gb18030", 24), (WESTERN, "cp1252", 20),
    ],
)  # fmt: skip
def test_a_headline_or_three_tell_the_encoding(headlines: list[str], codec: str, least: int) -> None:
    assert read_right([[title] for title in headlines], codec) >= least
    rng = Random(5)
    threes = [rng.sample(headlines, 3) for _ in range(60)]
    assert read_right(threes, codec) == 60
