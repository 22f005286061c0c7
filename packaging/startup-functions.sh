#!/usr/bin/env bash
# Writes startup-functions.ld, a linker script that puts the functions that run when the server
# starts side by side. The kernel maps the program in blocks of 64 KB; without it, most blocks
# contain one of these functions, and two thirds of the program are in memory
# (docs/performance.md, "Start and memory").
#
# Takes an optimized program with its symbols, or builds it; runs it in Valgrind, which notes the
# functions that are called.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in valgrind nm curl; do
  if ! command -v $tool >/dev/null; then
    echo "$tool is missing (Debian: apt install valgrind binutils curl)" >&2
    exit 1
  fi
done
program=${1:-}
if [ -z "$program" ]; then
  # Not by another profile, with which all names would have other hashes.
  cargo rustc --release --locked --bin guardpost -- -C strip=none
  program=${CARGO_TARGET_DIR:-target}/release/guardpost
fi
program=$(realpath "$program")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The first start makes the data folder; starts after it are the ones to be quick.
serve() {
  "$@" "$program" serve --listen 127.0.0.1:0 --data "$work/data" >"$work/log" 2>&1 &
  server=$!
  for _ in $(seq 600); do
    url=$(grep -oE 'http://127\.0\.0\.1:[1-9][0-9]*' "$work/log" | head -1 || true)
    if [ -n "$url" ] && curl -fsS "$url/readyz" >/dev/null 2>&1; then break; fi
    kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
    sleep 0.1
  done
  curl -fsS "$url/readyz" >/dev/null
  # Pages are compressed and jobs run for the first time after the start.
  sleep 20
  kill "$server"
  wait "$server"
}
serve env
serve valgrind --quiet --tool=callgrind --callgrind-out-file="$work/calls" --demangle=no \
  --compress-strings=no --compress-pos=no

# Patterns that the next release has too: without the hashes of crates and of legacy names, and
# without the version of AWS-LC.
patterns() {
  sed -E -e 's/17h[0-9a-f]{16}E(\.llvm\.[0-9]+)?$/17h*/' \
    -e '/^_R/ s/Cs[0-9A-Za-z]+_([0-9])/Cs*_\1/g' -e 's/^aws_lc_[0-9]+_[0-9]+_[0-9]+_/aws_lc_*_/'
}
nm --print-size --radix=d --defined-only --numeric-sort "$program" |
  sed -nE 's/^[0-9]+ ([0-9]+) [tT] (.*)$/\1 \2/p' >"$work/sizes"
cut -d' ' -f2 "$work/sizes" | patterns | paste -d' ' "$work/sizes" - >"$work/functions"
# Those of libraries too, which are not among the names of the program.
grep '^fn=' "$work/calls" | sed -E "s/^fn=//; s/'[0-9]+\$//" >"$work/called"

script=packaging/startup-functions.ld
{
  echo '/* The functions that run at the start of the server, written by startup-functions.sh. */'
  printf 'SECTIONS {\n  .text.startup_functions : {\n'
  # A name is listed with its hash where its pattern has more than 4 KB that does not run. It is
  # good until the next version of the program or the compiler.
  awk 'FILENAME == ARGV[1] { called[$1]; next }
    FNR == 1 { pass++ }
    pass == 1 { if (!($2 in called)) others[$3] += $1; next }
    $2 in called {
      name = others[$3] < 4096 ? $3 : $2
      # A function that is rarely called is in `.text.unlikely.NAME`.
      if (!seen[name]++) printf "    *(.text%s.%s)\n", name ~ /^_[ZR]/ ? "*" : "", name
    }' "$work/called" "$work/functions" "$work/functions"
  printf '  }\n}\nINSERT BEFORE .text;\n'
} >"$work/script"
mv "$work/script" "$script"
echo "$script lists $(grep -c '^    ' "$script") functions."
