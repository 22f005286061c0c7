#!/usr/bin/env bash
# Generated requests to every call of the API description, against a server started for them. Fails
# on any 5xx and on any response that the description does not have. Run it by `just fuzz`;
# schemathesis comes from PyPI into target/.
set -euo pipefail
seconds=${1:-120}
target=${CARGO_TARGET_DIR:-target}
tools=$target/fuzz
[ -x "$tools/bin/schemathesis" ] || { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet schemathesis; }

data=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null || true; rm -rf "$data"' EXIT
# Limits would answer 429 to nearly everything and leave the rest untried.
export GUARDPOST_LIMITS__FORM_MAX=1000000 GUARDPOST_LIMITS__API_PER_MINUTE=1000000 GUARDPOST_LIMITS__SIGN_IN_PER_MINUTE=1000000
"$target/debug/guardpost" serve --listen 127.0.0.1:0 --data "$data" >"$data/log" & server=$!
until grep -q Site "$data/log"; do kill -0 "$server"; sleep 0.1; done
site=$(sed -n 's|.*Site *\(http://[^ ]*\)/|\1|p' "$data/log")

password=$(head -c 24 /dev/urandom | base64)
"$target/debug/guardpost" create-admin --email admin@fuzz.example --password-stdin --data "$data" <<<"$password"
token=$(curl -fsS "$site/auth/v1/token?grant_type=password" -H 'content-type: application/json' \
  -d "{\"email\":\"admin@fuzz.example\",\"password\":\"$password\"}" | sed 's/.*"access_token":"\([^"]*\)".*/\1/')

# Calls that end the session they are made with are left out; the current error format of the
# authentication service is asked for.
SCHEMATHESIS_HOOKS=benches/fuzz_hooks.py \
  "$tools/bin/schemathesis" run "$site/api/openapi.json" --max-time "$seconds" --continue-on-failure --phases examples,coverage,fuzzing \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance \
  --exclude-path-regex 'logout|sessions' --header "authorization: Bearer $token" --header 'x-supabase-api-version: 2024-01-01'
