#!/usr/bin/env bash
# Writes the software bills of materials in CycloneDX's JSON: the crates in the binary, and the
# packages of which the site is built.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-target/release}
version=0.5.9
tools=target/tools
if ! "$tools/bin/cargo-cyclonedx" cyclonedx --version 2>/dev/null | grep -qF "$version"; then
  cargo install --locked --root "$tools" "cargo-cyclonedx@$version"
fi
mkdir -p "$folder"
"$tools/bin/cargo-cyclonedx" cyclonedx --format json --spec-version 1.5 --no-build-deps \
  --override-filename sbom-server.cdx --quiet
mv sbom-server.cdx.json "$folder/"
# One for each crate of the workspace; that of the program lists them all.
rm src/*/sbom-server.cdx.json
npm --prefix frontend sbom --sbom-format cyclonedx --package-lock-only >"$folder/sbom-site.cdx.json"
echo "The bills of materials are $folder/sbom-server.cdx.json and $folder/sbom-site.cdx.json."
