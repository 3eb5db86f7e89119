#!/bin/sh
# Print the path of a Chromium that runs. Install one where there is none: the browser tests are never skipped.
set -eu
cd "$(dirname "$0")/.."
. scripts/apt.sh

# Some systems have a stub that only tells you where to get Chromium; a real one prints its version.
runs() { [ -n "$1" ] && "$1" --version >/dev/null 2>&1; }

playwrights_own() {
    .venv/bin/python -c '
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)' 2>/dev/null || true
}

find_chromium() {
    for name in chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
        "/Applications/Chromium.app/Contents/MacOS/Chromium"; do
        path=$(command -v "$name" || true)
        if runs "$path"; then echo "$path"; return; fi
    done
    path=$(playwrights_own)
    if runs "$path"; then echo "$path"; fi
}

with_playwright() {
    say "Fetching Chromium with playwright …"
    if can_apt; then set -- --with-deps; else set --; fi
    .venv/bin/playwright install "$@" chromium >&2
}

# Screenshots need a font; only Linux may come without one.
check_font() {
    if ! command -v fc-list >/dev/null 2>&1 || fc-list : family | grep -qi sans; then return; fi
    if can_apt && apt_install fonts-dejavu-core; then return; fi
    say "No sans-serif font is installed: screenshots will show boxes. Debian: apt-get install fonts-dejavu-core"
}

if [ -n "${FARHAND_CHROMIUM:-}" ]; then
    if ! runs "$FARHAND_CHROMIUM"; then
        say "FARHAND_CHROMIUM is '$FARHAND_CHROMIUM', which does not run. Set it to the path of a Chromium, or unset it."
        exit 1
    fi
    echo "$FARHAND_CHROMIUM"
    exit
fi

found=$(find_chromium)
if [ -z "$found" ] && can_apt && apt_install chromium fonts-dejavu-core; then found=$(find_chromium); fi
if [ -z "$found" ] && with_playwright; then found=$(find_chromium); fi
if [ -z "$found" ]; then
    say "The browser tests need Chromium and found none. Debian: apt-get install chromium fonts-dejavu-core;" \
        "elsewhere: .venv/bin/playwright install --with-deps chromium; or set its path: FARHAND_CHROMIUM=/path make browser"
    exit 1
fi
check_font
echo "$found"
