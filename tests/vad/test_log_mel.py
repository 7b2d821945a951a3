from __future__ import annotations

import numpy as np
import pytest

from s2s_desktop.vad.log_mel import log_mel_spectrum


def tone(frequency: float, seconds: float = 1.0) -> np.ndarray:
    time = np.arange(round(seconds * 16_000)) / 16_000
    return (0.5 * np.sin(2 * np.pi * frequency * time)).astype(np.float32)


def test_a_second_has_a_hundred_columns_of_eighty_bands() -> None:
    spectrum = log_mel_spectrum(tone(440))

    assert spectrum.shape == (80, 100)
    assert spectrum.dtype == np.float32


@pytest.mark.parametrize(("frequency", "band"), [(200, 4), (1_000, 26), (4_000, 62), (7_500, 78)])
def test_a_tone_is_in_its_band_of_the_slaney_scale(frequency: float, band: int) -> None:
    """The bands are those of librosa's `mel(sr=16000, n_fft=400, n_mels=80)`."""
    loudest = np.argmax(log_mel_spectrum(tone(frequency))[:, 50])

    assert loudest == band


def test_another_implementation_of_whispers_features_agrees() -> None:
    """faster-whisper's extractor computes the same numbers in float32."""
    from faster_whisper.feature_extractor import FeatureExtractor

    sound = np.random.default_rng(0).standard_normal(128_000).astype(np.float32)
    theirs = FeatureExtractor(feature_size=80)(sound, padding=0)

    assert np.max(np.abs(log_mel_spectrum(sound) - theirs[:, :800])) < 1e-3


def test_silence_is_flat() -> None:
    assert np.ptp(log_mel_spectrum(np.zeros(16_000, np.float32))) == 0.0
