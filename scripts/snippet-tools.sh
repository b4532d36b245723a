#!/usr/bin/env bash
# Gets what test/peers/snippets.test.ts needs beside the tools of scripts/client-generators.sh, which
# runs first: the Java agent, and an OpenTelemetry Collector built of Go modules. Below .cache/snippets.
set -euo pipefail
cd "$(dirname "$0")/.."
target="$PWD/.cache/snippets"
go="$PWD/.cache/clients/go/bin/go"
mkdir -p "$target"

if [ ! -e "$target/opentelemetry-javaagent.jar" ]; then
  mvn -q -B dependency:copy -Dmdep.stripVersion=true -DoutputDirectory="$target" \
    -Dartifact=io.opentelemetry.javaagent:opentelemetry-javaagent:2.20.1
fi

if [ ! -x "$target/otelcol" ]; then
  version=0.144.0
  # Versions are fixed, and the database of checksums cannot be reached everywhere.
  export GONOSUMDB="*"
  GOBIN="$target" "$go" install "go.opentelemetry.io/collector/cmd/builder@v$version"
  cat >"$target/builder.yaml" <<END
dist:
  name: otelcol
  output_path: $target/source
  version: $version
receivers:
  - gomod: go.opentelemetry.io/collector/receiver/otlpreceiver v$version
exporters:
  - gomod: go.opentelemetry.io/collector/exporter/otlphttpexporter v$version
END
  PATH="$(dirname "$go"):$PATH" "$target/builder" --config="$target/builder.yaml" >"$target/builder.log" 2>&1 ||
    { cat "$target/builder.log"; exit 1; }
  mv "$target/source/otelcol" "$target/otelcol"
fi
