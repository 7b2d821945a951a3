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
from s2s_desktop.audio.microphone import PortAudioMicrophone
from s2s_desktop.audio.protocol import AudioBlock
from s2s_desktop.audio.speaker import PortAudioSpeaker


def say(line: str) -> None:
    print(line, flush=True)


def record(seconds: float, output: str) -> dict[str, object]:
    """Record the default microphone until `seconds` came or it ended; "ready" comes with the first block."""
    blocks: list[AudioBlock] = []
    ends: list[str] = []
    problems: list[str] = []
    done = threading.Event()

    def on_block(block: AudioBlock) -> None:
        if not blocks:
            say("ready")
        blocks.append(block)
        if block.position + block.samples.size >= seconds * 16_000:
            done.set()

    def on_end(problem: str) -> None:
        ends.append(problem)
        done.set()

    microphone = PortAudioMicrophone(on_problem=problems.append)
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
    while speaker.queued_seconds > 0.0:
        time.sleep(0.02)
    played, underruns, name = speaker.played_seconds, speaker.underruns, speaker.name
    # The server has a buffer behind the device; let it play out before the stream is dropped.
    time.sleep(0.3)
    speaker.stop()
    return {"name": name, "played": played, "underruns": underruns, "problems": problems}


def flush(path: str) -> dict[str, object]:
    """Play a file, silence it after half a second, and measure when the loudspeaker is silent."""
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
        flushed = time.monotonic()
        speaker.flush()
        time.sleep(1.0)
        queued, played = speaker.queued_seconds, speaker.played_seconds
        speaker.stop()
        recorder.terminate()
        listener.join()
    loud = [at for at, peak in heard if peak > 0.01]
    return {"loud_chunks": len(loud), "silent_after": loud[-1] - flushed, "queued": queued, "played": played}


def devices() -> dict[str, object]:
    """List the devices."""
    return {"devices": [[d.name, d.host_api, d.default_input, d.default_output] for d in list_devices()]}


if __name__ == "__main__":
    job, *arguments = sys.argv[1:]
    result = {
        "record": lambda: record(float(arguments[0]), arguments[1]),
        "play": lambda: play(arguments[0], int(arguments[1])),
        "flush": lambda: flush(arguments[0]),
        "devices": devices,
    }[job]()
    say(json.dumps(result))
