"""Chinese is written in the characters of the user, and nothing else is touched."""

from __future__ import annotations

import subprocess
import sys

import pytest

from s2s_desktop.stt.chinese_script import ChineseScript, Script, expected_script

SIMPLIFIED = "皇后后面的头发干净，他只有一只狗。"
TRADITIONAL = "皇后後面的頭髮乾淨，他只有一隻狗。"


@pytest.mark.parametrize(
    ("environment", "script"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "t2s"),
        ({"LANG": "zh_SG.UTF-8"}, "t2s"),
        ({"LANG": "zh_TW.UTF-8"}, "s2tw"),
        ({"LANG": "zh_HK.UTF-8"}, "s2hk"),
        ({"LANG": "zh-Hant-MO"}, "s2hk"),
        ({"LANG": "zh_Hant"}, "s2tw"),
        ({"LANG": "zh_Hans_HK"}, "t2s"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "en:zh_TW:zh_CN"}, "s2tw"),
        ({"LANG": "en_HK.UTF-8"}, "t2s"),
        ({"LANG": "C"}, "t2s"),
        ({}, "t2s"),
    ],
)
def test_the_system_says_which_characters_its_user_reads(
    environment: dict[str, str], script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("locale.getlocale", lambda: (None, None))
    assert expected_script(environment) == script


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("Chinese (Simplified)_China", "t2s"),
        ("Chinese (Simplified)_Hong Kong SAR", "t2s"),
        ("Chinese (Traditional)_Taiwan", "s2tw"),
        ("Chinese (Traditional)_Hong Kong SAR", "s2hk"),
        ("Chinese (Traditional)_Macao SAR", "s2hk"),
        ("English_Hong Kong SAR", "t2s"),
    ],
)
def test_windows_says_it_in_words(name: str, script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr("locale.getlocale", lambda: (name, "950"))
    assert expected_script({}) == script


@pytest.mark.parametrize("heard", [SIMPLIFIED, TRADITIONAL, "皇后後面的頭发乾净，他只有一隻狗。"])
@pytest.mark.parametrize(
    ("script", "written"), [("t2s", SIMPLIFIED), ("s2tw", TRADITIONAL), ("s2hk", TRADITIONAL)]
)
def test_whatever_was_heard_is_written_in_the_script_of_the_user(
    heard: str, script: Script, written: str
) -> None:
    assert ChineseScript(script).write(heard, "zh") == written


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("東京國立博物館", "ja"),
        ("学校で国語を学ぶ", "ja"),
        ("東京駅で会いましょう、國學", "zh"),
        ("トウキョウ東京", "zh"),
        ("大韓民國", "ko"),
        ("佢哋嘅頭髮", "yue"),
        ("", "zh"),
    ],
)
@pytest.mark.parametrize("script", ["t2s", "s2tw", "s2hk"])
def test_no_other_language_is_changed(text: str, language: str, script: Script) -> None:
    assert ChineseScript(script).write(text, language) == text


def test_what_is_no_chinese_character_stays() -> None:
    text = "Hello, ABC１２３ 😀 ünïcode\n(ok)"
    assert ChineseScript("t2s").write(text, "zh") == text


def test_the_user_s_own_terms_are_written_as_the_user_wrote_them() -> None:
    script = ChineseScript("t2s", ["臺積電", "Siobhan"])
    assert script.write("我在臺積電的頭髮", "zh") == "我在臺積電的头发"
    assert script.write("我在台积电", "zh") == "我在臺積電"


def test_nothing_is_loaded_before_somebody_speaks_chinese() -> None:
    code = (
        "import sys; from s2s_desktop.stt.chinese_script import ChineseScript;"
        "ChineseScript('t2s').write('Guten Tag', 'de'); sys.exit('opencc' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
