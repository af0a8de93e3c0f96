#!/bin/sh
# Prints the path of a Firefox, in which one test tries the page as well.
# Installs it when it is missing and we may; says plainly what to do when we may not.
set -eu

find_program() {
    if [ -n "${GROGNARD_FIREFOX:-}" ] && [ -x "$GROGNARD_FIREFOX" ]; then
        echo "$GROGNARD_FIREFOX"
        return
    fi
    for name in firefox-esr firefox; do
        if command -v "$name" >/dev/null; then
            command -v "$name"
            return
        fi
    done
    if [ -x "/Applications/Firefox.app/Contents/MacOS/firefox" ]; then
        echo "/Applications/Firefox.app/Contents/MacOS/firefox"
    fi
}

found=$(find_program)
if [ -z "$found" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Firefox is missing: installing Debian's package firefox-esr." >&2
    apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends firefox-esr fonts-dejavu-core >&2
    found=$(find_program)
fi
if [ -z "$found" ]; then
    echo "Firefox was not found, and only root can install it: run 'apt-get install firefox-esr'," >&2
    echo "or set GROGNARD_FIREFOX to the path of one." >&2
    exit 1
fi
echo "$found"
