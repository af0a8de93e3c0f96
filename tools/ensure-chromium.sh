#!/bin/sh
# Prints the path of a Chromium, which the page's tests drive.
# Installs it when it is missing and we may; says plainly what to do when we may not.
set -eu

find_program() {
    if [ -n "${GROGNARD_CHROMIUM:-}" ] && [ -x "$GROGNARD_CHROMIUM" ]; then
        echo "$GROGNARD_CHROMIUM"
        return
    fi
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        if command -v "$name" >/dev/null; then
            command -v "$name"
            return
        fi
    done
    for program in "/Applications/Chromium.app/Contents/MacOS/Chromium" \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
        if [ -x "$program" ]; then
            echo "$program"
            return
        fi
    done
}

found=$(find_program)
if [ -z "$found" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Chromium is missing: installing Debian's package chromium." >&2
    apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >&2
    found=$(find_program)
fi
if [ -z "$found" ]; then
    echo "Chromium was not found, and only root can install it: run 'apt-get install chromium'," >&2
    echo "or set GROGNARD_CHROMIUM to the path of one." >&2
    exit 1
fi
echo "$found"
