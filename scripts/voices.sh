#!/bin/sh
# Speaks the recordings of tests/data/voice anew: phrases and other speech, by several voices of espeak-ng.
set -eu
cd "$(dirname "$0")/.."
. scripts/apt.sh

if ! command -v espeak-ng >/dev/null || ! command -v sox >/dev/null; then can_apt && apt_install espeak-ng sox; fi

# speak FILE VOICE WORDS-A-MINUTE TEXT: 16 kHz, one channel, int16, a quarter of a second of silence on either side.
speak() {
    espeak-ng -v "$2" -s "$3" -w "$folder/spoken.wav" "$4"
    sox -q -D "$folder/spoken.wav" -r 16000 -b 16 -c 1 "tests/data/voice/$1.wav" \
        silence 1 0.01 1% reverse silence 1 0.01 1% reverse norm -6 pad 0.15 0.15
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
speak stop en-us 160 "stop"
speak stop-2 en-gb+f4 180 "stop"
speak stop-twice en-us+m7 130 "stop stop"
speak stop-twice-2 en-gb-scotland 150 "stop stop"
speak stop-thrice en-gb 160 "stop stop stop"
speak hold-here en-us+m3 170 "hold here"
speak move-home en-us+f2 150 "move to home position"
speak power-up en-us 160 "power up the robot"
speak scale-two en-us 160 "scale two"
speak speed-five en-gb 160 "speed five"
speak next-mapping en-us 160 "next mapping"
speak other-1 en-us 160 "good morning"
speak other-2 en-us+f2 150 "bring me the box"
