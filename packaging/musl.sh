#!/usr/bin/env bash
# Builds target/x86_64-unknown-linux-musl/release/guardpost: one static file for any Linux.
set -euo pipefail
cd "$(dirname "$0")/.."

target=x86_64-unknown-linux-musl
if ! command -v musl-gcc >/dev/null; then
  echo 'musl-gcc is missing: apt install musl-tools' >&2
  exit 1
fi
rustup target add "$target"
CC_x86_64_unknown_linux_musl=musl-gcc cargo build --release --locked --target "$target"
program=target/$target/release/guardpost
if ldd "$program" 2>&1 | grep -q '=>'; then
  echo "$program is not static" >&2
  exit 1
fi
"$program" --version
du -h "$program"
