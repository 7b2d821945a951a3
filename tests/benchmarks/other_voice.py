"""Lets another Kokoro program speak, for bench_tts.py: run by the Python that has it, one text a line.

    python other_voice.py fastkokoro MODEL.onnx VOICES.npz VOICE

Answers each line with JSON: seconds to the first sound, to the last, CPU seconds, seconds of sound. It
imports nothing of S2S Desktop, so that it runs in the environment of the other program.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time


async def main() -> None:
    """Speak until there are no more lines."""
    _, _, model, voices, voice = sys.argv
    os.environ |= {"FASTKOKORO_MODEL_PATH": model, "FASTKOKORO_VOICES_PATH": voices}
    from fastkokoro import FastKokoro

    engine = FastKokoro()
    print("ready", flush=True)
    for line in sys.stdin:
        started, cpu_started = time.perf_counter(), time.process_time()
        first, samples = 0.0, 0
        async for sound in engine.create_stream(line.strip(), voice=voice, lang="en-us"):
            first = first or time.perf_counter() - started
            samples += len(sound) // 2  # 16 bits each
        whole = time.perf_counter() - started
        cpu = time.process_time() - cpu_started
        print(json.dumps({"first": first, "whole": whole, "cpu": cpu, "sound": samples / 24_000}), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
