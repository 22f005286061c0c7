#!/usr/bin/env bash
# Packs target/release/guardpost as target/debian/guardpost_*.deb: the program, its manual pages and
# completions, unit and sockets, settings, documents. `just deb` builds the program first.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=3.8.0
tools=target/tools
if ! "$tools/bin/cargo-deb" --version 2>/dev/null | grep -qF "$version"; then
  cargo install --locked --root "$tools" "cargo-deb@$version"
fi

program=target/release/guardpost
parts=target/deb
rm -rf "$parts"
mkdir -p "$parts"
"$program" man --out "$parts/man" >/dev/null
for shell in bash zsh fish; do "$program" completions "$shell" >"$parts/completions.$shell"; done

"$tools/bin/cargo-deb" deb --no-build --locked "$@"
