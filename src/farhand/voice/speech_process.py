"""``python -m farhand.voice.speech_process``: recognise utterances for the gateway, until its pipe ends."""

from __future__ import annotations

import os
import signal
import sys
from typing import BinaryIO

from farhand.voice.recogniser import NoRecogniserError, Recogniser
from farhand.voice.speech_messages import FromRecogniser, SpeechReady, SpeechUnable, framed, next_frame

__all__ = ["main"]


def main() -> int:
    """Load the model and answer each utterance."""
    _lower_priority()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C, and ends this process by closing its pipe
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # keeps the output of libraries out of the messages
    try:
        recogniser = Recogniser()
    except NoRecogniserError as error:
        _send(answers, SpeechUnable(str(error)))
        return 1
    _send(answers, SpeechReady())
    while (pcm := next_frame(sys.stdin.buffer)) is not None:
        _send(answers, recogniser.hear(pcm))
    return 0


def _lower_priority() -> None:
    """Reset the priority inherited from the gateway, so that cells and gateway come first."""
    if hasattr(os, "setpriority"):  # not on Windows
        os.setpriority(os.PRIO_PROCESS, 0, 0)


def _send(pipe: BinaryIO, message: FromRecogniser) -> None:
    pipe.write(framed(message))
    pipe.flush()


if __name__ == "__main__":
    sys.exit(main())
