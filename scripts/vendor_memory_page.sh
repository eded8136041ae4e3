#!/usr/bin/env bash
# Fetch what the pages of /memory draw their graph with, and what the tests of these pages check accessibility with.
#
#   scripts/vendor_memory_page.sh        needs npm and sha256sum; nothing of it is needed at run time
#
# Cytoscape.js goes into api/memory_page/static/, axe-core into tests/axe/: it is never served and not in the package.
set -euo pipefail

cytoscape=3.34.4 axe=4.14.1

. "$(dirname "$0")/vendoring.sh"
fetch cytoscape "$cytoscape"
fetch axe-core "$axe"

sha256sum --check --quiet <<'SUMS'
0d02363d99d805ce8d91fdecab7b2a8cb91ee280d67f309ce44c161d117b4679  cytoscape-3.34.4.tgz
e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745  axe-core-4.14.1.tgz
SUMS

pages="$root/api/memory_page/static"
install -m 644 cytoscape/dist/cytoscape.min.js "$pages/cytoscape.min.js"
install -m 644 cytoscape/LICENSE "$pages/cytoscape.LICENSE.txt"
install -m 644 axe-core/axe.min.js axe-core/LICENSE axe-core/LICENSE-3RD-PARTY.txt "$root/tests/axe/"

# A page load must reach no host but ours. The addresses that remain stand in comments on where a formula is from.
reaches_no_other_host 'en\.wikipedia\.org|engelschall\.com|opensource\.org' "$pages"/*.js "$pages"/*.css
du -bc "$pages"/* "$root"/tests/axe/* | sort -n
