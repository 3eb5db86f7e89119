#!/bin/sh
# Record tests/data/voice again: phrases and other speech, by several voices of espeak-ng. Also install the other
# speech synthesizers of `farhand bench voice` and `farhand bench decoys`: flite and festival.
set -eu
cd "$(dirname "$0")/.."
. scripts/apt.sh

has() { command -v "$1" >/dev/null; }
if ! has espeak-ng || ! has sox || ! has flite || ! has text2wave; then
    can_apt && apt_install espeak-ng sox flite festival festvox-kdlpc16k
fi
if [ "${1:-}" = install ]; then exit 0; fi

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
speak authorize en-us 160 "authorize"
speak authorized-dealer en-us+f2 150 "authorised dealer"
speak authorize-guest en-us+m3 190 "authorize the guest"
speak authorize-home en-us 160 "authorize home position"
speak authorize-power en-gb 160 "authorize robot power"
speak robot-is-here en-us+m3 190 "the robot is here"
speak motor en-us+f2 150 "the motor sounds strange"
speak scale-two en-us 160 "scale two"
speak speed-five en-gb 160 "speed five"
speak next-mapping en-us 160 "next mapping"
speak other-1 en-us 160 "good morning"
speak other-2 en-us+f2 150 "bring me the box"
