#!/bin/sh
# Prints the folder of PostgreSQL's programs (initdb, postgres), which the server's tests start themselves.
# Installs them when they are missing and we may; says plainly what to do when we may not.
set -eu

find_programs() {
    if [ -n "${GROGNARD_POSTGRES:-}" ] && [ -x "$GROGNARD_POSTGRES/initdb" ]; then
        echo "$GROGNARD_POSTGRES"
        return
    fi
    for folder in $(ls -d /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql*/bin \
        /usr/local/opt/postgresql*/bin 2>/dev/null | sort -rV); do
        if [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ]; then
            echo "$folder"
            return
        fi
    done
    if command -v initdb >/dev/null && command -v postgres >/dev/null; then
        dirname "$(command -v initdb)"
    fi
}

found=$(find_programs)
if [ -z "$found" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "PostgreSQL is missing: installing Debian's package postgresql." >&2
    # No cluster of the system's own: the tests make theirs and throw them away.
    mkdir -p /etc/postgresql-common
    [ -e /etc/postgresql-common/createcluster.conf ] ||
        echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
    apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >&2
    found=$(find_programs)
fi
if [ -z "$found" ]; then
    echo "PostgreSQL was not found, and only root can install it: run 'apt-get install postgresql'," >&2
    echo "or set GROGNARD_POSTGRES to the folder that holds initdb and postgres." >&2
    exit 1
fi
echo "$found"
