"""What is said, in the other languages, for what is written."""

from __future__ import annotations

import pytest

from s2s_desktop.tts.verbalize import verbalize


def said(text: str, language: str) -> str:
    return " ".join(token.spoken for token in verbalize(text, language))


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("3,14", "tres coma catorce"),
        ("1.234,5", "mil doscientos treinta y cuatro coma cinco"),
        ("1 000 000", "un millón"),
        ("1,000", "mil"),
        ("1 de mayo de 2024", "primero de mayo de dos mil veinticuatro"),
        ("01/05/2024", "primero de mayo de dos mil veinticuatro"),
        ("El 25 de diciembre a las 21:00 h.", "El veinticinco de diciembre a las veintiuna."),
        ("Son las 3:05 p. m.", "Son las tres y cinco de la tarde."),
        ("$5.20", "cinco dólares con veinte centavos"),
        ("Cuesta 1.234,56 €.", "Cuesta mil doscientos treinta y cuatro euros con cincuenta y seis céntimos."),
        ("1 millón de euros", "un millón de euros"),
        ("€5 M", "cinco millones de euros"),
        ("5 km/h", "cinco kilómetros por hora"),
        ("1 km", "un kilómetro"),
        ("2 m²", "dos metros cuadrados"),
        ("21 libros", "veintiún libros"),
        ("200 libras", "doscientas libras"),
        ("21 %", "veintiuno por ciento"),
        ("½", "un medio"),
        ("1.º 3.er 2ª", "primero tercer segunda"),
        ("siglo XX", "siglo veinte"),
        ("Felipe II", "Felipe segundo"),
        ("nº 5", "número cinco"),
        ("La Sra. López, p. ej., está en EE. UU.", "La señora López, por ejemplo, está en Estados Unidos."),
        ("¿Cuánto es 2 × 3?", "¿Cuánto es dos por tres?"),
        ("a@b.es", "a arroba b punto es"),
        ("tel. 91 123 45 67", "teléfono nueve uno, uno dos tres, cuatro cinco, seis siete"),
        ("10-15", "diez a quince"),
        ("y/o", "y o"),
    ],
)
def test_spanish(written: str, spoken: str) -> None:
    assert said(written, "es") == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("3,14", "trois virgule quatorze"),
        ("1 234,5", "mille deux cent trente-quatre virgule cinq"),
        ("15 000 habitants", "quinze mille habitants"),
        ("5,50 €", "cinq euros et cinquante centimes"),
        ("5 €", "cinq euros"),
        ("3 M€", "trois millions d'euros"),
        ("1 000 000 €", "un million d'euros"),
        ("1er mai 2024", "premier mai deux mille vingt-quatre"),
        ("le 01/05/2024", "le premier mai deux mille vingt-quatre"),
        ("7h30", "sept heures trente"),
        ("à 8 h", "à huit heures"),
        ("14:30", "quatorze heures trente"),
        ("-5 °C", "moins cinq degrés Celsius"),
        ("0,5 km", "zéro virgule cinq kilomètre"),
        ("16 Go", "seize gigaoctets"),
        ("80 %", "quatre-vingts pour cent"),
        ("21 heures", "vingt et une heures"),
        ("3/4", "trois quarts"),
        ("1re fois, 2e étage", "première fois, deuxième étage"),
        ("XXe siècle", "vingtième siècle"),
        ("Louis XIV", "Louis quatorze"),
        ("François Ier", "François premier"),
        ("n° 5", "numéro cinq"),
        ("M. Dupont et Mme Durand", "monsieur Dupont et madame Durand"),
        ("p. ex. ici", "par exemple ici"),
        ("06 12 34 56 78", "zéro six, un deux, trois quatre, cinq six, sept huit"),
        ("+33 6 12 34 56 78", "plus trois trois, six, un deux, trois quatre, cinq six, sept huit"),
        ("5 × 3 = 15", "cinq fois trois égale quinze"),
    ],
)
def test_french(written: str, spoken: str) -> None:
    assert said(written, "fr") == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("3,14", "drei Komma eins vier"),
        ("1.234,5", "eintausendzweihundertvierunddreißig Komma fünf"),
        ("1.000.000", "eine Million"),
        ("5,50 €", "fünf Euro und fünfzig Cent"),
        ("Das kostet 1.299,- €.", "Das kostet eintausendzweihundertneunundneunzig Euro."),
        ("Hauptstr. 5", "Hauptstraße fünf"),
        ("3 Mio. €", "drei Millionen Euro"),
        ("1984", "neunzehnhundertvierundachtzig"),
        ("2019–2021", "zweitausendneunzehn bis zweitausendeinundzwanzig"),
        ("1990er", "neunzehnhundertneunziger"),
        ("am 3. Mai 2024", "am dritten Mai zweitausendvierundzwanzig"),
        ("der 1. Januar", "der erste Januar"),
        ("1.5.2024", "erster Mai zweitausendvierundzwanzig"),
        ("14:30 Uhr", "vierzehn Uhr dreißig"),
        ("8.30 Uhr", "acht Uhr dreißig"),
        ("der 3. Platz", "der dritte Platz"),
        ("im 19. Jahrhundert", "im neunzehnten Jahrhundert"),
        ("Ich bin 25. Du auch.", "Ich bin fünfundzwanzig. Du auch."),
        ("1. Wasser kochen", "eins. Wasser kochen"),
        ("Heinrich VIII. war", "Heinrich der Achte war"),
        ("5 km/h", "fünf Kilometer pro Stunde"),
        ("1 Stunde", "eine Stunde"),
        ("50 %", "fünfzig Prozent"),
        ("½ Liter", "ein halb Liter"),
        ("z. B. Dr. Müller", "zum Beispiel Doktor Müller"),
        ("d. h. so", "das heißt so"),
        ("§ 5 Abs. 2", "Paragraf fünf Absatz zwei"),
        ("Nr. 12", "Nummer zwölf"),
        ("max@beispiel.de", "max ät beispiel Punkt de"),
        ("2 × 3 = 6", "zwei mal drei gleich sechs"),
    ],
)
def test_german(written: str, spoken: str) -> None:
    assert said(written, "de") == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("3,14", "tre virgola quattordici"),
        ("1.234,5", "milleduecentotrentaquattro virgola cinque"),
        ("5,50 €", "cinque euro e cinquanta centesimi"),
        ("5 milioni di euro", "cinque milioni di euro"),
        ("1 gennaio 1980", "primo gennaio millenovecentottanta"),
        ("il 25/12/2023 alle 20:30", "il venticinque dicembre duemilaventitré alle venti e trenta"),
        ("1 km", "un chilometro"),
        ("21 km", "ventuno chilometri"),
        ("5 km/h", "cinque chilometri orari"),
        ("50%", "cinquanta per cento"),
        ("3ª volta", "terza volta"),
        ("XX secolo", "ventesimo secolo"),
        ("Vittorio Emanuele II", "Vittorio Emanuele secondo"),
        ("Dott. Rossi", "dottor Rossi"),
        ("pag. 3", "pagina tre"),
        ("2+2=4", "due più due uguale a quattro"),
        ("mario@esempio.it", "mario chiocciola esempio punto it"),
    ],
)
def test_italian(written: str, spoken: str) -> None:
    assert said(written, "it") == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("3,14", "três vírgula catorze"),
        ("1.234,5", "mil duzentos e trinta e quatro vírgula cinco"),
        ("R$ 5,20", "cinco reais e vinte centavos"),
        ("R$ 1", "um real"),
        ("5 milhões de reais", "cinco milhões de reais"),
        ("1 de janeiro de 1980", "primeiro de janeiro de mil novecentos e oitenta"),
        ("1º de maio", "primeiro de maio"),
        ("14h30", "catorze horas e trinta"),
        ("20:30", "vinte e trinta"),
        ("2 horas", "duas horas"),
        ("22 pessoas", "vinte e duas pessoas"),
        ("5 km/h", "cinco quilômetros por hora"),
        ("50%", "cinquenta por cento"),
        ("século XX", "século vinte"),
        ("Sra. Silva", "senhora Silva"),
        ("pág. 3", "página três"),
        ("2+2=4", "dois mais dois igual a quatro"),
        ("maria@exemplo.com.br", "maria arroba exemplo ponto com ponto br"),
    ],
)
def test_portuguese(written: str, spoken: str) -> None:
    assert said(written, "pt") == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("₹1,23,456", "123456 रुपये"),
        ("$5.20", "5.20 डॉलर"),
        ("१२३", "123"),
        ("3.14", "3.14"),
        ("3:30 बजे", "3 बजकर 30 मिनट"),
        ("25 दिसंबर 2023", "25 दिसंबर 2023"),
        ("5 km/h", "5 किलोमीटर प्रति घंटा"),
        ("50%", "50 प्रतिशत"),
        ("1/2", "आधा"),
        ("2+2=4", "2 जोड़ 2 बराबर 4"),
        ("5-10", "5 से 10"),
        ("-5", "माइनस 5"),
        ("डॉ. शर्मा", "डॉक्टर शर्मा"),
    ],
)
def test_hindi(written: str, spoken: str) -> None:
    assert said(written, "hi") == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("1,234", "千二百三十四"),
        ("3.14", "三点一四"),
        ("2024年5月1日", "二千二十ヨネン五月ツイタチ"),
        ("2024-05-01", "二千二十ヨネン五月ツイタチ"),
        ("9月20日", "クガツ二十日"),
        ("3本、6個、100回", "サンボン、ロッコ、百回"),
        ("20歳、1人", "二ジュッサイ、一人"),
        ("7時から24時間", "シチジから二十ヨジカン"),
        ("4日", "四日"),
        ("14:30に", "十ヨジ三ジュップンに"),
        ("5kgです", "五キログラムです"),
        ("20℃", "摂氏二十度"),
        ("時速60km/h", "時速六十キロメートル"),
        ("50%", "五十パーセント"),
        ("¥1,980", "千九百八十円"),
        ("$5", "五ドル"),
        ("1/2", "二分の一"),
        ("10〜15人", "十から十五人"),
        ("第2回", "第二回"),
        ("03-1234-5678", "零三、一二三四、五六七八"),
        ("5×3=15", "五かける三イコール十五"),
        ("No.1", "ナンバー一"),
    ],
)
def test_japanese(written: str, spoken: str) -> None:
    assert said(written, "ja") == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("1,234", "一千二百三十四"),
        ("3.14", "三点一四"),
        ("2024年5月1日", "二零二四年五月一日"),
        ("2024-05-01", "二零二四年五月一日"),
        ("14:30", "十四点三十分"),
        ("2个", "两个"),
        ("12个", "十二个"),
        ("第2次", "第二次"),
        ("5公里", "五公里"),
        ("5km/h", "每小时五公里"),
        ("20℃", "二十摄氏度"),
        ("50%", "百分之五十"),
        ("100%", "百分之百"),
        ("¥500", "五百元"),
        ("价格是¥1,299。", "价格是一千二百九十九元。"),
        ("电话：010-12345678。", "电话：零一零、一二三四五六七八。"),
        ("$5", "五美元"),
        ("1/2", "二分之一"),
        ("2+2=4", "二加二等于四"),
        ("010-12345678", "零一零、一二三四五六七八"),
    ],
)
def test_chinese(written: str, spoken: str) -> None:
    assert said(written, "zh") == spoken
