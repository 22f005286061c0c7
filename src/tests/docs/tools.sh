#!/usr/bin/env bash
# Makes sure that there are the programs that the documents name: the system's, or Debian's where we
# may install them. Without them the documents are not run, and the test says so.
set -euo pipefail
missing=()
for tool in sudo logrotate age; do
  PATH=$PATH:/usr/sbin command -v $tool >/dev/null || missing+=("$tool")
done
if [ ${#missing[@]} = 0 ]; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
  exit 0
fi
echo "SKIPPED: the commands of the documents are not run, which takes root and: ${missing[*]}" >&2
