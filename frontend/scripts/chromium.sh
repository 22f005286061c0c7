#!/usr/bin/env bash
# Makes sure that there is a Chromium: the system's, or Debian's where we may install it; else one
# line says what to install.
set -euo pipefail
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium
  exit 0
fi
echo "The browser tests need Chromium: install the package chromium, or put a Chrome or Chromium on the PATH." >&2
exit 1
