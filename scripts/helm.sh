#!/usr/bin/env bash
# Gets helm for test/deploy/helm.slow.test.ts, below .cache/helm. It is built of Go modules by the Go of
# scripts/client-generators.sh, which runs first.
set -euo pipefail
cd "$(dirname "$0")/.."
target="$PWD/.cache/helm"
go="$PWD/.cache/clients/go/bin/go"
mkdir -p "$target"

if [ ! -x "$target/helm" ]; then
  # The version is fixed, and the database of checksums cannot be reached everywhere.
  GONOSUMDB="*" GOBIN="$target" "$go" install helm.sh/helm/v3/cmd/helm@v3.19.5
fi
