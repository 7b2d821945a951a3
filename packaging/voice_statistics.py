"""Writes s2s_desktop/resources/voices/statistics.npz: how the inside of Kokoro sounds with each voice.

    python packaging/voice_statistics.py MODEL.onnx OUTPUT.npz

Needed again when a voice is added or the model changes. Every voice says sentences of three
lengths in its language (see s2s_desktop/tts/kokoro/statistics.py). Takes about fifteen minutes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from s2s_desktop.tts.kokoro.statistics import Clause, measure_statistics
from s2s_desktop.tts.phonemes import Reader, make_reader
from s2s_desktop.tts.voices import LANGUAGES, VOICES, load_style

SENTENCES = {
    "en": (
        (
            "The shop is closed today.",
            "I can help with that.",
            "It opens at nine.",
            "Which one do you like?",
            "We saw some deer.",
        ),
        (
            "The museum opens at nine in the morning.",
            "We saw some deer near the old forest.",
            "Which of these two books is the better one?",
        ),
        (
            "The museum opens at nine in the morning and closes late in the evening during the summer.",
            "Yesterday we saw a family of deer at the edge of the forest, quietly eating the fresh grass.",
            "Could you tell me which of these two books is the better one for a long journey?",
        ),
    ),
    "es": (
        (
            "La tienda está cerrada.",
            "Puedo ayudarte con eso.",
            "Abre a las nueve.",
            "¿Cuál te gusta más?",
            "Hoy hace buen tiempo.",
        ),
        (
            "El museo abre a las nueve de la mañana.",
            "Vimos unos ciervos cerca del bosque.",
            "¿Cuál de estos dos libros es mejor?",
        ),
        (
            "El museo abre a las nueve de la mañana y cierra tarde por la noche durante el verano.",
            "Ayer vimos una familia de ciervos al borde del bosque, comiendo hierba fresca en silencio.",
            "¿Podría decirme cuál de estos dos libros es mejor para un viaje largo?",
        ),
    ),
    "fr": (
        (
            "Le magasin est fermé.",
            "Je peux vous aider.",
            "Il ouvre à neuf heures.",
            "Lequel préférez-vous ?",
            "Il fait beau ce matin.",
        ),
        (
            "Le musée ouvre à neuf heures du matin.",
            "Nous avons vu des cerfs près de la forêt.",
            "Lequel de ces deux livres est le meilleur ?",
        ),
        (
            "Le musée ouvre à neuf heures du matin et ferme tard le soir pendant tout l'été.",
            "Hier, nous avons vu une famille de cerfs au bord de la forêt, qui mangeait de l'herbe fraîche.",
            "Pourriez-vous me dire lequel de ces deux livres convient le mieux à un long voyage ?",
        ),
    ),
    "hi": (
        (
            "दुकान आज बंद है।",
            "मैं मदद करूँगा।",
            "यह नौ बजे खुलता है।",
            "आपको कौन सा पसंद है?",
            "आज मौसम अच्छा है।",
        ),
        (
            "संग्रहालय सुबह नौ बजे खुलता है।",
            "हमने जंगल के पास कुछ हिरण देखे।",
            "इन दो किताबों में से कौन सी बेहतर है?",
        ),
        (
            "संग्रहालय सुबह नौ बजे खुलता है और गर्मियों में देर शाम को बंद होता है।",
            "कल हमने जंगल के किनारे हिरणों का एक परिवार देखा, जो चुपचाप ताज़ी घास खा रहा था।",
            "क्या आप मुझे बता सकते हैं कि इन दो किताबों में से कौन सी लंबी यात्रा के लिए बेहतर है?",
        ),
    ),
    "it": (
        (
            "Il negozio è chiuso.",
            "Posso aiutarti io.",
            "Apre alle nove di sera.",
            "Quale ti piace di più?",
            "Oggi fa bel tempo.",
        ),
        (
            "Il museo apre alle nove di mattina.",
            "Abbiamo visto dei cervi vicino al bosco.",
            "Quale di questi due libri è il migliore?",
        ),
        (
            "Il museo apre alle nove di mattina e chiude tardi la sera durante tutta l'estate.",
            "Ieri abbiamo visto una famiglia di cervi ai margini del bosco, che mangiava l'erba fresca.",
            "Potrebbe dirmi quale di questi due libri è più adatto per un lungo viaggio?",
        ),
    ),
    "ja": (
        (
            "店は今日休みです。",
            "お手伝いできますよ。",
            "九時に開きます。",
            "どれが好きですか。",
            "今日はいい天気です。",
        ),
        (
            "美術館は朝の九時に開きます。",
            "森の近くで鹿の親子を見ました。",
            "どちらの本のほうがいいでしょうか。",
        ),
        (
            "美術館は朝九時に開いて、夏のあいだは夜遅くまで見学することができます。",
            "昨日、森のはずれで鹿の親子が静かに新しい草を食べているのを見ました。",
            "この二冊の本のうち、長い旅行に持っていくならどちらがいいでしょうか。",
        ),
    ),
    "pt": (
        (
            "A loja está fechada.",
            "Posso ajudar com isso.",
            "Abre às nove horas.",
            "Qual você prefere?",
            "Hoje o tempo está bom.",
        ),
        (
            "O museu abre às nove da manhã.",
            "Vimos alguns veados perto da floresta.",
            "Qual destes dois livros é o melhor?",
        ),
        (
            "O museu abre às nove da manhã e fecha tarde da noite durante todo o verão.",
            "Ontem vimos uma família de veados na beira da floresta, comendo capim fresco em silêncio.",
            "Você poderia me dizer qual destes dois livros é melhor para uma viagem longa?",
        ),
    ),
    "zh": (
        (
            "商店今天关门。",
            "我可以帮你。",
            "九点钟开门。",
            "你喜欢哪一个？",
            "今天天气很好。",
        ),
        (
            "博物馆早上九点开门。",
            "我们在森林边看到了小鹿。",
            "这两本书哪一本更好？",
        ),
        (
            "博物馆早上九点开门，夏天的时候要到晚上很晚才关门。",
            "昨天我们在森林边上看到了一家小鹿，它们正在安静地吃新鲜的青草。",
            "请问这两本书里，哪一本更适合带着去长途旅行？",
        ),
    ),
}
"""For each language, sentences of about 20, of about 40 and of about 90 phonemes."""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--voices", nargs="*", help="only these; all others then speak whole clauses")
    options = parser.parse_args()
    kinds = {name[0] for name in options.voices or VOICES}
    readers = {kind: make_reader(LANGUAGES[kind]) for kind in kinds}
    clauses = {name: _clauses(name, readers[name[0]]) for name in options.voices or VOICES}
    np.savez_compressed(options.output, **measure_statistics(options.model, clauses))


def _clauses(voice: str, reader: Reader) -> list[list[Clause]]:
    """Return the sentences of a voice, one list for each length."""
    styles = load_style(voice)
    lengths = [
        [reader.tokens(reader.read(sentence)) for sentence in sentences]
        for sentences in SENTENCES[VOICES[voice].language.code]
    ]
    return [[(tokens, styles[len(tokens) - 1]) for tokens in sentences] for sentences in lengths]


if __name__ == "__main__":
    main()
