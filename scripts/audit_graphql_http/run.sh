#!/usr/bin/env bash
# Audit a running service with the package graphql-http, by the GraphQL-over-HTTP specification. Needs Node and npm.
#
#   scripts/audit_graphql_http/run.sh [http://127.0.0.1:8000/graphql]
#
# The packages are those of package-lock.json, checked by their hashes and kept in the user's cache.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
cache="${XDG_CACHE_HOME:-$HOME/.cache}/hippograph/audit-$(sha256sum "$here/package-lock.json" | cut -c1-16)"
if [ ! -e "$cache/done" ]; then
    mkdir -p "$cache"
    cp "$here/package.json" "$here/package-lock.json" "$cache"
    npm ci --silent --prefix "$cache" --ignore-scripts --no-audit --no-fund >&2
    touch "$cache/done"
fi
cp "$here/audit.mjs" "$cache"
exec node "$cache/audit.mjs" "${1:-http://127.0.0.1:8000/graphql}"
