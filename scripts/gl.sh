#!/bin/sh
# Make sure that the server can draw camera pictures. Install Mesa where it cannot: those tests are never skipped.
set -eu
cd "$(dirname "$0")/.."
. scripts/apt.sh

draws() { .venv/bin/python -m farhand.server.pictures.gl_backend >/dev/null 2>&1; }

if draws; then exit; fi
if can_apt && apt_install libegl1 libgl1-mesa-dri && draws; then exit; fi
if can_apt && apt_install libosmesa6 && draws; then exit; fi
.venv/bin/python -m farhand.server.pictures.gl_backend >&2 || true
exit 1
