#!/bin/sh
# Run scripts of web/package.json. Fetch Node.js as a Python package where the machine has no suitable one.
set -eu
cd "$(dirname "$0")/.."
python=.venv/bin/python
if ! "$python" hatch_build.py 2>/dev/null; then
    uv=$(command -v uv || echo .tools/bin/uv)
    echo "Fetching Node.js, which builds the page …" >&2
    "$uv" pip install --quiet --python "$python" --no-deps --require-hashes -r requirements/node.txt || {
        echo "Node.js could not be fetched. Install 20.19, 22.13, 24 or newer from nodejs.org, then run make again." >&2
        exit 1
    }
fi
exec "$python" hatch_build.py "$@"
