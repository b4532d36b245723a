#!/usr/bin/env bash
# Installs the client generators that test/peers/clients.test.ts uses, below .cache/clients.
# Needs npm, Python 3 with venv, Maven with a JDK, and the registries of npm, PyPI, Go and Maven.
set -euo pipefail
cd "$(dirname "$0")/.."
target="$PWD/.cache/clients"
mkdir -p "$target/npm" "$target/go"

if [ ! -x "$target/npm/node_modules/.bin/spectral" ]; then
  npm install --no-save --no-audit --no-fund --no-progress --prefix "$target/npm" \
    openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 @types/node@20.19.43 \
    @redocly/cli@2.77.0 @stoplight/spectral-cli@6.16.3
fi

if [ ! -x "$target/python/bin/openapi-python-client" ]; then
  python3 -m venv "$target/python"
  "$target/python/bin/pip" install --quiet --disable-pip-version-check openapi-python-client==0.29.1
fi

# Debian's Go is too old for the generator: the toolchain comes from Go's module proxy.
go="$(command -v go || echo /usr/local/go/bin/go)"
if ! "$go" version 2>/dev/null | grep -qE 'go1\.(2[5-9]|[3-9][0-9])'; then
  version=1.26.8
  go="$target/go/toolchain/bin/go"
  if [ ! -x "$go" ]; then
    case "$(uname -m)" in aarch64 | arm64) arch=arm64 ;; *) arch=amd64 ;; esac
    name="v0.0.1-go$version.linux-$arch"
    node -e "fetch('https://proxy.golang.org/golang.org/toolchain/@v/$name.zip').then(async (answer) => {
      if (!answer.ok) throw new Error(String(answer.status));
      require('node:fs').writeFileSync('$target/go/toolchain.zip', Buffer.from(await answer.arrayBuffer()));
    })"
    python3 -m zipfile -e "$target/go/toolchain.zip" "$target/go"
    mv "$target/go/golang.org/toolchain@$name" "$target/go/toolchain"
    chmod -R u+x "$target/go/toolchain/bin" "$target/go/toolchain/pkg/tool"
    rm -rf "$target/go/toolchain.zip" "$target/go/golang.org"
  fi
fi
if [ ! -x "$target/go/bin/oapi-codegen" ]; then
  GOBIN="$target/go/bin" "$go" install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
fi

# The generator, then the libraries of the client that it generates, by the pom that it writes.
generator="$target/java/openapi-generator-cli-7.16.0.jar"
if [ ! -d "$target/java/lib" ]; then
  mvn -q -B dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.16.0 \
    -DoutputDirectory="$target/java"
  java -jar "$generator" generate -g java -i docs/openapi/open-source.json \
    -o "$target/java/pom" --global-property supportingFiles=pom.xml >/dev/null
  mvn -q -B -f "$target/java/pom/pom.xml" dependency:copy-dependencies -DincludeScope=compile \
    -DoutputDirectory="$target/java/lib"
fi

ln -sfn "$(command -v "$go")" "$target/go/bin/go"
