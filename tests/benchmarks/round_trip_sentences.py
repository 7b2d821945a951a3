"""What bench_voice_round_trip.py says: six sentences in each language, and six with figures."""

from __future__ import annotations

PLAIN: dict[str, tuple[str, ...]] = {
    "a": (
        "The weather will be lovely this afternoon, so you could leave the umbrella at home.",
        "I would boil the potatoes for twenty minutes and add the butter at the end.",
        "She has read every book that her grandfather wrote about the mountains.",
        "You can change the language of the program in the settings, on the first page.",
        "Water expands when it freezes, and that is why the bottle broke in the freezer.",
        "Could you tell me whether the museum near the station is open on Sundays?",
    ),
    "b": (
        "I'm afraid the last train to Oxford has already left the station.",
        "Put the kettle on, and we'll talk about your holiday in the garden.",
        "The new bridge was finished last summer and has two lanes for bicycles.",
        "My neighbor grows tomatoes and lettuce behind the old garage.",
        "It's a short walk from the hotel to the theater, about a quarter of an hour.",
        "Half of the children in this class would rather learn to play the drums.",
    ),
    "e": (
        "Mañana por la mañana vamos a visitar el mercado del centro de la ciudad.",
        "El agua del lago está muy fría, pero los niños quieren nadar.",
        "Para llegar a la estación, siga todo recto y gire a la izquierda.",
        "Me gustaría reservar una mesa para cuatro personas esta noche.",
        "Mi hermana trabaja en un hospital y estudia música los fines de semana.",
        "¿Puede usted explicarme cómo funciona esta máquina?",
    ),
    "f": (
        "Demain matin, nous allons visiter le marché au centre de la ville.",
        "Il faut ajouter un peu de sel et laisser reposer la pâte pendant une heure.",
        "Ma sœur travaille dans une école et joue du piano le soir.",
        "Pour aller à la gare, prenez la deuxième rue à gauche.",
        "Le petit chat dort sur la chaise près de la fenêtre.",
        "Est-ce que vous pouvez m'expliquer comment fonctionne cette machine ?",
    ),
    "h": (
        "आज मौसम बहुत अच्छा है और आसमान साफ है।",
        "मेरा भाई हर सुबह पार्क में दौड़ने जाता है।",
        "क्या आप मुझे स्टेशन का रास्ता बता सकते हैं?",
        "भारत की राजधानी नई दिल्ली है।",
        "मुझे चाय के साथ थोड़ी चीनी चाहिए।",
        "बच्चे बगीचे में खेल रहे हैं और दादी कहानी सुना रही हैं।",
    ),
    "i": (
        "Domani mattina andiamo a visitare il mercato nel centro della città.",
        "Mia sorella lavora in una scuola e suona il pianoforte la sera.",
        "Per arrivare alla stazione, prenda la seconda strada a sinistra.",
        "Vorrei prenotare un tavolo per quattro persone questa sera.",
        "Il gatto dorme sulla sedia vicino alla finestra.",
        "Può spiegarmi come funziona questa macchina?",
    ),
    "j": (
        "今日はとても天気がいいので、公園を散歩しましょう。",
        "駅までの道を教えてください。",
        "私の兄は東京の大学で音楽を勉強しています。",
        "日本で一番高い山は富士山です。",
        "コーヒーに砂糖を少し入れてください。",
        "すみません、この機械の使い方がわかりません。",
    ),
    "p": (
        "Amanhã de manhã vamos visitar o mercado no centro da cidade.",
        "Minha irmã trabalha em uma escola e toca piano à noite.",
        "Para chegar à estação, vire na segunda rua à esquerda.",
        "Eu gostaria de reservar uma mesa para quatro pessoas.",
        "O gato está dormindo na cadeira perto da janela.",
        "Você pode me explicar como esta máquina funciona?",
    ),
    "z": (
        "今天的天气非常好，我们去公园散步吧。",
        "请问去火车站怎么走？",
        "我的哥哥在北京大学学习音乐。",
        "中国最长的河是长江。",
        "请在咖啡里加一点糖。",
        "对不起，我不知道怎么使用这台机器。",
    ),
}
"""By the first letter of a voice, as in `tts/voices.py`."""

FIGURES: tuple[tuple[str, str], ...] = (
    ("a", "The flight leaves on March 3, 2024 at 7:45."),
    ("a", "The ticket costs $12.50, with a discount of 15%."),
    ("b", "It was 21 °C in London and 1,250 people came."),
    ("e", "El libro cuesta 25 € y tiene 340 páginas."),
    ("f", "Le train part à 8 h 30 et le billet coûte 42 €."),
    ("i", "Il museo apre alle 9:15 e il biglietto costa 18 €."),
)
"""Numbers, dates, times, money and units, each with the first letter of its voice."""
