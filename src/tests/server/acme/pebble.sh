#!/usr/bin/env bash
# Makes sure that there is Pebble, the certificate authority of the tests: the system's, or Debian's
# where we may install it; else one line says what to install.
set -euo pipefail
if command -v pebble >/dev/null; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends pebble
  exit 0
fi
echo "The tests of certificates need Pebble: install the package pebble, or put one on the PATH (https://github.com/letsencrypt/pebble)." >&2
exit 1
