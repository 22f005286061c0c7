# Every command of the project; bare `just` lists them. Without just: `npx rust-just RECIPE`.

set shell := ["bash", "-euo", "pipefail", "-c"]

_list:
    @just --list --unsorted

# Build quickly (without optimization), and serve on http://127.0.0.1:8080 with data in data/
run *ARGS: _announce debug
    ./target/debug/guardpost serve {{ARGS}}

# Says before the first build what comes and how long it takes
_announce:
    @[ -e target/debug/guardpost ] || echo "Building the site and the server for the first time: about five minutes on two cores, less on more. Later builds compile only what has changed."

# Build the site and the server, optimized: one binary, target/release/guardpost
build: web
    cargo build --release --locked
    "{{just_executable()}}" notices

# Serve with hot reload on http://127.0.0.1:5173; a change to Rust or seeds restarts the server
dev: debug
    #!/usr/bin/env bash
    set -euo pipefail
    trap 'kill $(jobs -p)' EXIT
    frontend/node_modules/.bin/nodemon --quiet --watch src --watch seeds --watch config.toml --ext rs,sql,json,toml,html,txt,jinja \
        --exec 'cargo build --locked && exec ./target/debug/guardpost serve' --signal SIGTERM &
    npm --prefix frontend run dev

# Run all checks and tests, and print how long each stage took
test:
    #!/usr/bin/env bash
    set -euo pipefail
    # Clippy looks at what the tests compile, instead of compiling everything once more for itself.
    RUSTC_WORKSPACE_WRAPPER=$(rustup which clippy-driver 2>/dev/null || command -v clippy-driver)
    export RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS="--deny__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__"
    # The Rust tests build the server as well; `cargo build` would compile it again, since the
    # tests' dependencies turn on features of others.
    export SERVER_IS_BUILT=1
    folder=$(mktemp -d)
    trap 'rm -r "$folder"' EXIT
    # Runs a stage and writes into the table how long it took.
    stage() {
      local begin=$SECONDS
      "{{just_executable()}}" "$1" || return 1
      printf '%-14s %5d s\n' "$1" $((SECONDS - begin)) >> "$folder/table"
    }
    # Runs two stages at the same time; the output of the second follows that of the first.
    both() {
      local second failed=""
      stage "$2" > "$folder/output" 2>&1 &
      second=$!
      stage "$1" || failed+=" $1"
      wait $second || failed+=" $2"
      cat "$folder/output"
      [[ -z $failed ]] || { echo "FAILED:$failed, see above" >&2; return 1; }
    }
    for name in deps web lint; do stage $name; done
    # The compiler leaves a core idle now and then, and so do the two services.
    both test-rust test-web
    stage benches
    both test-auth test-storage
    stage test-browser
    printf '\n%s\n%-14s %5d s\n' "$(cat "$folder/table")" total "$SECONDS"

# Formatting, lints and types on both sides, and the dependencies
check: lint
    cargo clippy --locked --workspace --all-targets -- --deny warnings

# The same without Clippy, which takes longest
lint: web deny
    cargo fmt --all --check
    npm --prefix frontend run check

# Check licenses, sources and known holes of the Rust dependencies (deny.toml)
deny:
    #!/usr/bin/env bash
    set -euo pipefail
    if ! cargo deny --version >/dev/null 2>&1; then
      echo "SKIPPED: the dependencies were not checked, cargo-deny is not installed (cargo install --locked cargo-deny)"; exit
    fi
    cargo deny check --hide-inclusion-graph bans licenses sources
    if cargo deny fetch db >/dev/null 2>&1; then
      cargo deny check --disable-fetch --hide-inclusion-graph advisories
    else
      echo "SKIPPED: no look at known holes, the database of advisories cannot be fetched (https://github.com/RustSec/advisory-db)"
    fi

# Rust tests; those of buckets and of a real mailbox need Moto and Dovecot, else they
# are skipped
test-rust: web pebble
    #!/usr/bin/env bash
    set -euo pipefail
    # Tests wait for disks and processes as much as they compute: two at a time for each core.
    export RUST_TEST_THREADS=${RUST_TEST_THREADS:-$((2 * $(getconf _NPROCESSORS_ONLN)))}
    skip=()
    if ! bash src/tests/support/s3/moto.sh; then
      echo "SKIPPED: the tests of buckets, which need Moto"
      skip+=(--skip backup::bucket:: --skip drill:: --skip storage::bucket::)
    fi
    if ! command -v dovecot >/dev/null; then
      [[ $(id -u) == 0 ]] && apt-get install --yes --no-install-recommends dovecot-imapd >/dev/null 2>&1 || {
        echo "SKIPPED: the test with a real mailbox, which needs Dovecot (apt install dovecot-imapd)"
        skip+=(--skip mail::dovecot::)
      }
    fi
    cargo test --locked --workspace -- "${skip[@]}"

# Whether the benchmarks compile; `just bench` runs them
benches: web
    cargo test --locked --no-run --benches

# Frontend unit tests, budgets of the built files, and whether the generated files are fresh
test-web: web
    npm --prefix frontend test

# The authentication service, driven by the public client
test-auth: debug
    npm --prefix frontend run test:auth

# The storage service, driven by the public clients
test-storage: debug
    npm --prefix frontend run test:storage

# The whole product in a real Chromium
test-browser: debug chromium
    npm --prefix frontend run test:browser

# Fill a demo database in data-demo/ and serve it
demo: build
    ./target/release/guardpost seed-demo --data data-demo
    ./target/release/guardpost serve --data data-demo

# Write the API description and the client's types anew
openapi: debug
    ./target/debug/guardpost openapi > src/tests/golden/openapi.json
    npm --prefix frontend run api-types

# Format everything
fmt: deps
    cargo fmt --all
    npm --prefix frontend run format

# Build the site only, if anything it is made of has changed
web: deps
    #!/usr/bin/env bash
    set -euo pipefail
    built=frontend/node_modules/.built
    sources=(frontend/{build,public,scripts,src} frontend/*.* seeds src/tests/golden/openapi.json)
    if [ -e frontend/dist/pages.json ] && [ -e $built ] && [ -z "$(find "${sources[@]}" -newer $built -print -quit)" ]; then exit; fi
    touch $built.begun
    npm --prefix frontend run --silent build
    mv $built.begun $built

# The debug server, for tests and tools. It reads the site when it runs, so both are built at once:
# the compiler leaves a core idle at its end.
debug:
    #!/usr/bin/env bash
    set -euo pipefail
    trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
    "{{just_executable()}}" web &
    site=$!
    [ -n "${SERVER_IS_BUILT:-}" ] || cargo build --locked
    wait $site

# Install the frontend's packages where the lock file has changed. Errors only: the clients of the
# tests ask for Node 22, and work with 20.
deps:
    @test frontend/node_modules/.package-lock.json -nt frontend/package-lock.json || npm --prefix frontend ci --no-audit --no-fund --loglevel=error

# Have a Chromium for the browser tests
chromium:
    @bash frontend/scripts/chromium.sh

# Have a Pebble, the certificate authority of the Rust tests
pebble:
    @bash src/tests/server/acme/pebble.sh
    @bash src/tests/docs/tools.sh
    @bash src/tests/offers/tools.sh
    @bash src/tests/requests/tools.sh

# Lighthouse on every kind of page: the median of RUNS runs, as a table
lighthouse RUNS="5": build chromium
    node frontend/scripts/lighthouse.mjs {{RUNS}}

# The longest task after the first paint of each kind of page, four times slowed: RUNS loads of each
long-tasks RUNS="5": build chromium
    node frontend/scripts/long-tasks.mjs {{RUNS}}

# Scrolling and search of the dashboard with 10,000 requests in Chromium
dashboard-speed: build chromium
    node frontend/scripts/dashboard-speed.mjs

# Take the README's pictures anew; a test says when they are older than what they show
screenshots: debug chromium
    node frontend/scripts/screenshots.mjs

# Measure PARTS beside their references: pages posts lists live lifecycle before (default: all)
bench *PARTS: web
    npm --prefix benches/baseline ci --no-audit --no-fund
    cargo bench --locked --bench functions
    cargo bench --locked --bench desk -- {{PARTS}}

# Write the licenses of everything in the binary to FILE, to be delivered with it
notices FILE="target/release/THIRD_PARTY_NOTICES.txt": deps
    node frontend/scripts/notices.mjs "$(realpath -m {{FILE}})"

# Static binary without the system's C library: target/*-linux-musl/release/guardpost
musl: web
    bash packaging/musl.sh

# Debian package of the optimized binary: target/debian/guardpost_*.deb
deb: build (sbom "target/release")
    bash packaging/deb/build.sh

# Install, upgrade, remove and purge the package in a clean Debian, which it downloads; as root
test-deb SUITE="bookworm":
    bash packaging/deb/test.sh {{SUITE}}

# Write the bills of materials of server and site (CycloneDX) into FOLDER
sbom FOLDER="target/release": deps
    bash packaging/sbom.sh {{FOLDER}}

# Mutation testing with cargo-mutants: just mutants 'src/auth/*.rs' --test suite auth::
mutants FILE="src/domain/**" *TESTS="--lib":
    @cargo mutants --version >/dev/null || { echo "cargo install --locked cargo-mutants"; exit 1; }
    cargo mutants --test-workspace true --output target --timeout 300 --file "{{FILE}}" -- {{TESTS}}

# Mutate what strangers send (emails, forms, pictures, names) for SECONDS each: no panic, no hang
fuzz-parsers SECONDS="60": web
    FUZZ_SECONDS={{SECONDS}} cargo test --locked --workspace --lib fuzz_ -- --ignored --nocapture

# Send generated requests to every call for SECONDS: no 5xx, no undocumented answer (schemathesis)
fuzz SECONDS="120": debug
    bash benches/fuzz.sh {{SECONDS}}

# Kill server and Litestream KILLS times while POSTERS post, and restore each time
test-replication KILLS="20" POSTERS="64": debug
    node benches/replication.mjs {{KILLS}} {{POSTERS}}
