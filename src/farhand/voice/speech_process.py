"""``python -m farhand.voice.speech_process``: recognises utterances for the gateway, until its pipe ends."""

from __future__ import annotations

import os
import signal
import sys
from typing import BinaryIO

from farhand.voice.recogniser import NoRecogniserError, Recogniser
from farhand.voice.speech_messages import FromRecogniser, SpeechReady, SpeechUnable, framed, next_frame

__all__ = ["main"]


def main() -> int:
    """Load the model, and answer each utterance."""
    _step_back()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent; it ends us by closing its pipe
    said = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints is no message
    try:
        recogniser = Recogniser()
    except NoRecogniserError as error:
        _say(said, SpeechUnable(str(error)))
        return 1
    _say(said, SpeechReady())
    while (pcm := next_frame(sys.stdin.buffer)) is not None:
        _say(said, recogniser.hear(pcm))
    return 0


def _step_back() -> None:
    """Let the cells and the gateway come first, whose urgency was handed down to us."""
    if hasattr(os, "setpriority"):  # not made for Windows
        os.setpriority(os.PRIO_PROCESS, 0, 0)


def _say(pipe: BinaryIO, message: FromRecogniser) -> None:
    pipe.write(framed(message))
    pipe.flush()


if __name__ == "__main__":
    sys.exit(main())
