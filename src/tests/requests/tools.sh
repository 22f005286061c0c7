#!/usr/bin/env bash
# Makes sure that there is the spreadsheet program that opens the exports: the system's, or Debian's
# where we may install it. Without it no export is opened, and the test says so.
set -euo pipefail
if command -v soffice >/dev/null; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libreoffice-calc-nogui
  exit 0
fi
echo "SKIPPED: no export is opened in a spreadsheet, which takes LibreOffice Calc" >&2
