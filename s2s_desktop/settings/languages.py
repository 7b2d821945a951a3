"""The languages that can be heard, and the many ways in which people write them."""

from __future__ import annotations

LANGUAGES: dict[str, str] = {
    "af": "Afrikaans",
    "am": "Amharic",
    "ar": "Arabic",
    "as": "Assamese",
    "az": "Azerbaijani",
    "ba": "Bashkir",
    "be": "Belarusian",
    "bg": "Bulgarian",
    "bn": "Bengali",
    "bo": "Tibetan",
    "br": "Breton",
    "bs": "Bosnian",
    "ca": "Catalan",
    "cs": "Czech",
    "cy": "Welsh",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "et": "Estonian",
    "eu": "Basque",
    "fa": "Persian",
    "fi": "Finnish",
    "fo": "Faroese",
    "fr": "French",
    "gl": "Galician",
    "gu": "Gujarati",
    "ha": "Hausa",
    "haw": "Hawaiian",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "ht": "Haitian Creole",
    "hu": "Hungarian",
    "hy": "Armenian",
    "id": "Indonesian",
    "is": "Icelandic",
    "it": "Italian",
    "ja": "Japanese",
    "jw": "Javanese",
    "ka": "Georgian",
    "kk": "Kazakh",
    "km": "Khmer",
    "kn": "Kannada",
    "ko": "Korean",
    "la": "Latin",
    "lb": "Luxembourgish",
    "ln": "Lingala",
    "lo": "Lao",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "mg": "Malagasy",
    "mi": "Maori",
    "mk": "Macedonian",
    "ml": "Malayalam",
    "mn": "Mongolian",
    "mr": "Marathi",
    "ms": "Malay",
    "mt": "Maltese",
    "my": "Burmese",
    "ne": "Nepali",
    "nl": "Dutch",
    "nn": "Norwegian Nynorsk",
    "no": "Norwegian",
    "oc": "Occitan",
    "pa": "Punjabi",
    "pl": "Polish",
    "ps": "Pashto",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sa": "Sanskrit",
    "sd": "Sindhi",
    "si": "Sinhala",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sn": "Shona",
    "so": "Somali",
    "sq": "Albanian",
    "sr": "Serbian",
    "su": "Sundanese",
    "sv": "Swedish",
    "sw": "Swahili",
    "ta": "Tamil",
    "te": "Telugu",
    "tg": "Tajik",
    "th": "Thai",
    "tk": "Turkmen",
    "tl": "Tagalog",
    "tr": "Turkish",
    "tt": "Tatar",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "uz": "Uzbek",
    "vi": "Vietnamese",
    "yi": "Yiddish",
    "yo": "Yoruba",
    "zh": "Chinese",
    "yue": "Cantonese",
}
"""The codes that Whisper takes, with English names.

Source: https://github.com/openai/whisper/blob/main/whisper/tokenizer.py. Whisper writes Javanese `jw`, where
ISO 639-1 has `jv`.
"""

_AUTOMATIC = ("", "auto", "automatic", "detect", "none")

_OTHER_NAMES = {
    "nb": "no",
    "jv": "jw",
    "iw": "he",
    "in": "id",
    "ji": "yi",
    "fil": "tl",
    "cmn": "zh",
    "mandarin": "zh",
    "farsi": "fa",
    "castilian": "es",
    "valencian": "ca",
    "flemish": "nl",
    "filipino": "tl",
    "moldavian": "ro",
    "moldovan": "ro",
    "myanmar": "my",
    "panjabi": "pa",
    "pushto": "ps",
    "sinhalese": "si",
    "haitian": "ht",
    "letzeburgesch": "lb",
    "bokmål": "no",
    "bokmal": "no",
    "nynorsk": "nn",
}
"""Withdrawn and three-letter ISO codes, and further English names."""


def language_code(text: str) -> str:
    """Return the code of a language written as a code, a locale or an English name.

    `en-US`, `EN`, `en_GB.UTF-8` and `English` are `en`; `auto` and "" are "" (detect it); a suffix `-auto` is
    dropped.

    Raises:
        ValueError: No such language can be heard.
    """
    written = text.strip().lower()
    if written in _AUTOMATIC:
        return ""
    by_name = {name.lower(): code for code, name in LANGUAGES.items()}
    first = written.replace("_", "-").split(".")[0].split("-")[0]
    for candidate in (written, first):
        if candidate in LANGUAGES:
            return candidate
        found = _OTHER_NAMES.get(candidate) or by_name.get(candidate)
        if found:
            return found
    raise ValueError(f"{text!r} is no language that can be heard; use a code such as en, de or zh")
