#!/bin/sh
# Prints the path of nginx, which a test of the deployment page starts. Installs Debian's when it is missing and we may;
# prints nothing when we may not: the test is then skipped.
set -eu

find_program() {
    for path in "$(command -v nginx 2>/dev/null || true)" /usr/sbin/nginx /opt/homebrew/bin/nginx; do
        if [ -n "$path" ] && [ -x "$path" ]; then
            echo "$path"
            return
        fi
    done
}

found=$(find_program)
if [ -z "$found" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "nginx is missing: installing Debian's package nginx-light." >&2
    apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nginx-light >&2
    found=$(find_program)
fi
echo "$found"
