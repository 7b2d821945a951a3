"""Words that tell languages in Latin letters apart: their most frequent ones, and how replies begin."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS = {
    "en": """the of and to is in that it you for on are with as at be this have from or by not
        but what all were we when your can there use an each which she how their if will other
        about many then them these some would has more could my than been who now did get may had
        his her was they yes sure okay hello thanks sorry it's i'm don't that's you're isn't
        let's here's i course great good well right please just also because let know very first
        here out so no question depends one two three four five six seven eight nine ten half new
        old day time year people""",
    "es": """el la los las de del y que en un una es no se con por para como más pero sus su al
        lo le ya o este sí porque esta entre cuando muy sin sobre también me hasta hay donde
        quien desde todo nos durante todos uno les ni contra otros ese eso había ante ellos e
        esto mí antes algunos qué unos yo otro otra él tanto esa estos mucho nada muchos cual
        cuál cómo están está estoy son claro hola gracias puedo puede buenos buenas días aquí
        bueno tengo usted déjame ver depende supuesto problema sé eres soy fue dos tres cuatro
        cinco seis siete ocho nueve diez medio nuevo nueva año tiempo gente hora a""",
    "fr": """le la les de des du et que en un une est ne pas se avec par pour comme plus mais ses
        son sa au aux ce cette qui dans sur il elle nous vous ils elles on je tu leur ou où si
        même aussi sont être avoir fait tout tous toute bien très oui non merci bonjour voici
        voilà c'est j'ai n'est d'un d'une qu'il qu'elle l'on suis peut peux quand comment
        pourquoi alors donc encore après avant sans chez quel quelle laissez moi notre votre ça
        cela ici désolé sûr été deux trois s'il salut problème dépend sais entendu à quatre cinq
        sept huit neuf dix heure heures nouveau nouvelle jour temps gens peu""",
    "it": """il lo la i gli le di del della dei delle e che in un una è non si con per come più
        ma suo sua al alla nel nella da dal questo questa sono ho ha hai abbiamo anche se o ci mi
        ti quando molto tutto tutti essere io tu lui lei noi voi loro cosa dove chi perché poi
        già ancora sì no grazie ciao certo ecco bene buongiorno puoi può posso quale qui così
        fare fatto stato dopo prima senza allora quindi c'è dell' sul sulla degli all' l'ora sta
        fammi lascia sapere sai so sette dipende nessun naturalmente scusa problema va due tre
        quattro cinque otto nove dieci nuovo nuova giorno tempo gente alle allo dai po' un' ora
        poco""",
    "pt": """o a os as de do da dos das e que em um uma é não se com por para como mais mas seu
        sua ao à no na nos nas pelo pela isso este esta esse essa são foi ser ter tem há eu você
        vocês ele ela nós eles elas me também já quando muito sem sobre até onde quem sim
        obrigado obrigada olá claro aqui bem bom boa dia pode posso qual está estou vou vai fazer
        tudo todos depois antes porque então ainda só meu minha deixe ver certeza sei depende
        tenho problema estão às aos dois duas três quatro cinco oito nove dez novo nova tempo
        gente hora pouco numa num uns umas""",
    "de": """der die das und ist in den von zu mit sich des auf für nicht ein eine einen einem
        als auch es an er so dass kann dies ich du wir ihr sie aber oder wenn wie was nur noch
        nach bei aus um am im zum zur war sind hat haben wird werden sein mehr sehr man mich mir
        dich ja nein danke hallo gerne natürlich klar bitte hier gibt uhr wo warum dann kein
        keine ihnen ihre mein dein gut guten morgen heute kommt darauf weiß geht gern
        entschuldigung zwei drei vier fünf sechs sieben acht neun zehn neu neue tag zeit jahr
        leute dem""",
    "nl": """de het een en van is dat die in niet te op zijn met voor er maar om ook als bij nog
        wel naar dan over uit ze je ik wij we hij zij jij u mijn jouw dit deze wat hoe waar wie
        kan moet heeft hebben wordt worden geen meer zeer heel goed ja nee dank hallo natuurlijk
        graag hier weet niets twee drie vier vijf zes zeven acht negen tien nieuw nieuwe dag tijd
        jaar mensen""",
}

WORDS: Mapping[str, frozenset[str]] = {language: frozenset(text.split()) for language, text in _WORDS.items()}
"""By ISO 639-1 code, in small letters."""

LETTERS: Mapping[str, frozenset[str]] = {
    "ñ": frozenset({"es"}),
    "¿": frozenset({"es"}),
    "¡": frozenset({"es"}),
    "ã": frozenset({"pt"}),
    "õ": frozenset({"pt"}),
    "ß": frozenset({"de"}),
    "ä": frozenset({"de"}),
    "œ": frozenset({"fr"}),
    "î": frozenset({"fr"}),
    "û": frozenset({"fr"}),
    "è": frozenset({"fr", "it"}),
    "à": frozenset({"fr", "it", "pt"}),
    "ç": frozenset({"fr", "pt"}),
    "ê": frozenset({"fr", "pt"}),
    "ì": frozenset({"it"}),
    "ò": frozenset({"it"}),
    "ö": frozenset({"de", "nl"}),
    "ü": frozenset({"de", "es"}),
}
"""Signs that only some of these languages write."""
