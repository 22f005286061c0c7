#!/usr/bin/env bash
# Makes sure that there are the programs that judge the PDFs of offers: the system's, or Debian's
# where we may install them. Without them the files are not judged, and the tests say so.
set -euo pipefail
missing=()
command -v qpdf >/dev/null || missing+=(qpdf)
command -v pdftotext >/dev/null || missing+=(poppler-utils)
if [ ${#missing[@]} = 0 ]; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
  exit 0
fi
echo "SKIPPED: the PDFs of offers are not judged, which takes: ${missing[*]}" >&2
