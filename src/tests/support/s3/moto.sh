#!/usr/bin/env bash
# Makes sure that there is Moto, the S3 server of the tests: the system's Python has it, or it is
# fetched from the Python package index into target/moto.
set -euo pipefail
cd "$(dirname "$0")/../../../.."
export PYTHONPATH=target/moto
if python3 -c 'import flask, flask_cors, moto.server' 2>/dev/null; then exit 0; fi
if python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target target/moto 'moto[s3]>=5.2' flask flask-cors; then exit 0; fi
echo "The tests of buckets need Moto: install python3-pip, or the Python packages moto[s3], flask and flask-cors." >&2
exit 1
