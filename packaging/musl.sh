#!/usr/bin/env bash
# Builds a static guardpost that needs no C library of the system, and sees whether it serves.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(uname -m)-unknown-linux-musl
if ! command -v musl-gcc >/dev/null; then
  echo 'musl-gcc is missing: install musl-tools (Debian), or musl with its compiler' >&2
  exit 1
fi
rustup target add "$target"
# For SQLite, QuickJS and AWS-LC, which are written in C.
export "CC_${target//-/_}=musl-gcc"
cargo build --release --locked --target "$target"

program=$(realpath "${CARGO_TARGET_DIR:-target}/$target/release/guardpost")
if readelf --program-headers "$program" | grep -q INTERP; then
  echo "$program is not static" >&2
  exit 1
fi
data=$(mktemp -d)
# The server writes to its folder until it has ended.
trap 'kill "$server" 2>/dev/null || true; wait "$server" || true; rm -rf "$data"' EXIT
"$program" serve --listen 127.0.0.1:0 --data "$data" >"$data/log" 2>&1 &
server=$!
for _ in $(seq 50); do
  url=$(grep -oE 'http://127\.0\.0\.1:[1-9][0-9]*' "$data/log" | head -1 || true)
  if [ -n "$url" ] && curl -fsS "$url/readyz" >/dev/null; then
    ls -l "$program"
    exit
  fi
  sleep 0.2
done
cat "$data/log" >&2
exit 1
