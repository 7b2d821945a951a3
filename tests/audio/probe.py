"""Drives the real microphone or speaker in a process of its own, for the tests with virtual audio.

PortAudio reads the environment once, so a test cannot use it in its own process. Prints lines for the test to
wait for, and as the last line a JSON document.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time

import numpy as np
import soundfile

from s2s_desktop.audio.devices import list_devices
from s2s_desktop.audio.echo import EchoCanceller
from s2s_desktop.audio.microphone import PortAudioMicrophone
from s2s_desktop.audio.protocol import AudioBlock, Samples
from s2s_desktop.audio.speaker import PortAudioSpeaker


def say(line: str) -> None:
    print(line, flush=True)


def record(seconds: float, output: str) -> dict[str, object]:
    """Record the default microphone until `seconds` came or it ended.

    "ready" comes with the first block, "problem" with each problem, and "again" with the first block behind a
    gap.
    """
    blocks: list[AudioBlock] = []
    ends: list[str] = []
    problems: list[str] = []
    done = threading.Event()

    def on_block(block: AudioBlock) -> None:
        if not blocks:
            say("ready")
        elif block.position > blocks[-1].position + blocks[-1].samples.size:
            say("again")
        blocks.append(block)
        if block.position + block.samples.size >= seconds * 16_000:
            done.set()

    def on_end(problem: str) -> None:
        ends.append(problem)
        done.set()

    def on_problem(problem: str) -> None:
        problems.append(problem)
        say("problem")

    microphone = PortAudioMicrophone(on_problem=on_problem)
    microphone.start(on_block, on_end)
    done.wait(60)
    cpu = time.process_time()
    microphone.stop()
    np.save(output, np.concatenate([block.samples for block in blocks]))
    return {
        "name": microphone.name,
        "lost": microphone.lost_samples,
        "blocks": len(blocks),
        "span": blocks[-1].captured_at - blocks[0].captured_at,
        "ends": ends,
        "problems": problems,
        "cpu": cpu,
    }


def play(path: str, pieces: int) -> dict[str, object]:
    """Play a file in pieces; the last one is given long before the others have been heard."""
    problems: list[str] = []
    speaker = PortAudioSpeaker(on_problem=problems.append)
    speaker.start()
    # As in the program, the stream has been open for a while when the first reply comes.
    time.sleep(1.0)
    voice, rate = soundfile.read(path, dtype="float32")
    for piece in np.array_split(voice, pieces):
        speaker.play(piece, rate)
    say("ready")
    while speaker.queued_seconds > 0.0:
        time.sleep(0.02)
    played, underruns, name = speaker.played_seconds, speaker.underruns, speaker.name
    # The server has a buffer behind the device; let it play out before the stream is dropped.
    time.sleep(0.3)
    speaker.stop()
    return {"name": name, "played": played, "underruns": underruns, "problems": problems}


def silence(path: str, how: str) -> dict[str, object]:
    """Play a file, `flush` or `pause` it after half a second, and measure when the loudspeaker is silent."""
    command = ["parec", "-d", "spk.monitor", "--raw", "--rate=48000", "--channels=1", "--latency-msec=10"]
    heard: list[tuple[float, float]] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE) as recorder:
        assert recorder.stdout is not None
        read = recorder.stdout.read

        def listen() -> None:
            while chunk := read(480):
                peak = float(np.max(np.abs(np.frombuffer(chunk, "<i2")))) / 32768
                heard.append((time.monotonic(), peak))

        listener = threading.Thread(target=listen)
        listener.start()
        speaker = PortAudioSpeaker()
        speaker.start()
        voice, rate = soundfile.read(path, dtype="float32")
        speaker.play(voice, rate)
        while speaker.played_seconds < 0.5:
            time.sleep(0.01)
        silenced = time.monotonic()
        (speaker.flush if how == "flush" else speaker.pause)()
        time.sleep(1.0)
        quiet_until = len(heard)
        queued, played = speaker.queued_seconds, speaker.played_seconds
        speaker.resume()
        time.sleep(0.5)
        speaker.stop()
        recorder.terminate()
        listener.join()
    loud = [at for at, peak in heard[:quiet_until] if peak > 0.01]
    return {
        "loud_chunks": len(loud),
        "silent_after": loud[-1] - silenced,
        "queued": queued,
        "played": played,
        "loud_again": sum(peak > 0.01 for _, peak in heard[quiet_until:]),
    }


def converse(path: str, output: str) -> dict[str, object]:
    """Play a file and listen through the echo canceller; save the microphone (raw, clean) of that time."""
    speaker = PortAudioSpeaker()
    speaker.start()
    assert speaker.reference is not None
    canceller = EchoCanceller(speaker.reference)
    raw: list[Samples] = []
    clean: list[Samples] = []

    def on_block(block: AudioBlock) -> None:
        raw.append(block.samples)
        clean.append(canceller.clean(block))

    microphone = PortAudioMicrophone()
    microphone.start(on_block, lambda _: None)
    time.sleep(1.0)
    voice, rate = soundfile.read(path, dtype="float32")
    begin = len(raw)
    speaker.play(voice, rate)
    while speaker.queued_seconds > 0.0:
        time.sleep(0.05)
    microphone.stop()
    speaker.stop()
    np.save(output, [np.concatenate(raw[begin:]), np.concatenate(clean[begin:])])
    return {"underruns": speaker.underruns, "lost": microphone.lost_samples}


def devices() -> dict[str, object]:
    """List the devices."""
    return {"devices": [[d.name, d.host_api, d.default_input, d.default_output] for d in list_devices()]}


if __name__ == "__main__":
    job, *arguments = sys.argv[1:]
    result = {
        "record": lambda: record(float(arguments[0]), arguments[1]),
        "play": lambda: play(arguments[0], int(arguments[1])),
        "silence": lambda: silence(arguments[0], arguments[1]),
        "converse": lambda: converse(arguments[0], arguments[1]),
        "devices": devices,
    }[job]()
    say(json.dumps(result))
