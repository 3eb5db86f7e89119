#!/bin/sh
# Run the tests with real processes and the wall clock; then repeat the failed ones once, by themselves.
#
# Another user of the machine can starve a process for longer than the watchdog allows; then the robot rightly stops.
# A real fault fails in both runs. The second run lists every repeated test: find the cause of each.
set -eu
.venv/bin/pytest "$@" && exit 0 || code=$?
[ "$code" -eq 1 ] || exit "$code"  # 1: tests failed; no other code depends on the load
echo "Repeating the failed tests. A test that passes now is not robust under load: find the cause."
exec .venv/bin/pytest "$@" --last-failed --last-failed-no-failures none -v
