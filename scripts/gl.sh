#!/bin/sh
# Makes sure that the server can draw cameras' pictures. Installs Mesa where nothing can: those tests are never left out.
set -eu
cd "$(dirname "$0")/.."
. scripts/apt.sh

draws() { .venv/bin/python -m farhand.server.pictures.gl_backend >/dev/null 2>&1; }

if draws; then exit; fi
if can_apt && apt_install libegl1 libgl1-mesa-dri && draws; then exit; fi
if can_apt && apt_install libosmesa6 && draws; then exit; fi
.venv/bin/python -m farhand.server.pictures.gl_backend >&2 || true
exit 1
