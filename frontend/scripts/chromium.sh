#!/usr/bin/env bash
# Makes sure that there is a Chromium: Debian's headless shell where we may install it, with which
# the tests take two thirds of the time, else any other; if there is none, one line says what to
# install.
set -euo pipefail
if command -v chromium-headless-shell >/dev/null; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq || true
  for package in chromium-headless-shell chromium; do
    if DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $package; then exit 0; fi
  done
fi
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then exit 0; fi
done
echo "The browser tests need Chromium: install the package chromium, or put a Chrome or Chromium on the PATH." >&2
exit 1
