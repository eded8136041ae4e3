#!/usr/bin/env bash
# Fetch the files that GraphiQL needs into api/static/graphiql/, so that our console loads from our own server alone.
#
#   scripts/vendor_graphiql.sh        needs npm, python3 and sha256sum; nothing of it is needed at run time
#
# GraphiQL 4 is the last major with a UMD build (one script, no bundler); it runs on React 18, the last React with one.
# Kept: what index.html loads, and the licences. Cut out: the fonts inlined in the style sheet (seven eighths of it; the
# system's fonts serve), source map links, and the names of public CDNs in an error text.
# Written by hand and left alone: index.html, console.js, console.css.
set -euo pipefail

graphiql=4.1.2 react=18.3.1
# Only the licence texts are read from this one; the bundle already contains it.
graphql=16.11.0

. "$(dirname "$0")/vendoring.sh"
out="$root/api/static/graphiql"
fetch graphiql "$graphiql"
fetch react "$react"
fetch react-dom "$react"

sha256sum --check --quiet <<'EOF'
6aa9cb6d82e656d38b72991264f41545889881e8dc23059199be3b94fff2ad05  graphiql-4.1.2.tgz
8d9bed01a672e7eaf387942d781ad47c6a43089a30a0306060f9fd5ac7870347  react-18.3.1.tgz
031d4427a99f2f3f6cac18bbbf308594a67e4f47d10f4896fdec446505b040e0  react-dom-18.3.1.tgz
EOF

# The packages inside the bundle are named in its source map; their licences come from an ordinary install.
mkdir tree
npm install --silent --prefix tree --ignore-scripts --no-audit --no-fund --no-save --install-strategy=hoisted \
    "graphiql@$graphiql" "react@$react" "react-dom@$react" "graphql@$graphql" graphql-ws >/dev/null

python3 - "$out" <<'EOF'
import json, re, sys
from pathlib import Path

out = Path(sys.argv[1])

def vendor(source, target, drop=()):
    """Copy one file without its source map link and without whatever `drop` names."""
    text = Path(source).read_text(encoding="utf-8")
    for pattern in (r"\n?//# sourceMappingURL=.*", r"/\*# sourceMappingURL=.*?\*/", *drop):
        text = re.sub(pattern, "", text)
    (out / target).write_text(text.strip() + "\n", encoding="utf-8")

vendor("react/umd/react.production.min.js", "react.production.min.js")
vendor("react-dom/umd/react-dom.production.min.js", "react-dom.production.min.js")
vendor("graphiql/graphiql.min.js", "graphiql.min.js", [r"(?<=a CDN source) \([^)]*\)"])
vendor("graphiql/graphiql.min.css", "graphiql.min.css", [r"@font-face\s*\{[^}]*\}\s*", r"/\*(?s:.*?)\*/\s*"])

def bundled():
    """The packages whose code is in the bundle: from node_modules, and GraphiQL's own workspace."""
    own = {
        "graphiql-toolkit": "@graphiql/toolkit",
        "graphiql-react": "@graphiql/react",
        "graphiql-plugin-history": "@graphiql/plugin-history",
        "graphiql-plugin-doc-explorer": "@graphiql/plugin-doc-explorer",
    }
    names = {"graphiql", "react", "react-dom"}
    for source in json.loads(Path("graphiql/graphiql.min.js.map").read_text())["sources"]:
        if found := re.findall(r"node_modules/((?:@[^/]+/)?[^/]+)", source):
            names.add(found[-1])
        elif folder := re.match(r"\.\./\.\./([^/]+)/", source):
            names.add(own.get(folder[1], folder[1]))
    return sorted(names)

def licence(name):
    """The licence text of a package; one that newer versions of its family dropped takes the family's."""
    folder = Path("tree/node_modules") / name
    if not folder.exists():
        folder = sorted(folder.parent.iterdir())[0]
    for file in sorted(folder.iterdir()):
        if file.is_file() and re.match(r"(?i)(licen[cs]e|copying)", file.name):
            return file.read_text(encoding="utf-8").strip()
    about = json.loads((folder / "package.json").read_text())
    source = about["repository"]
    source = source["url"] if isinstance(source, dict) else source
    return f"{about['license']} licence; the package ships no text of it. Source: {source}"

texts = {}
for name in bundled():
    texts.setdefault(licence(name), []).append(name)

with (out / "LICENSES.txt").open("w", encoding="utf-8") as file:
    file.write("Licences of what is in react.production.min.js, react-dom.production.min.js, graphiql.min.js and graphiql.min.css.\n")
    for text, names in sorted(texts.items(), key=lambda item: item[1]):
        lines = "\n".join(line.rstrip() for line in text.splitlines())
        file.write(f"\n{'=' * 80}\n{', '.join(names)}\n{'-' * 80}\n{lines}\n")
EOF

# A page load must reach no host but ours. The addresses that remain are XML namespaces and links inside texts.
known='www\.w3\.org|codemirror\.net|commonmark\.org|en\.wikipedia\.org|github\.com|radix-ui\.com|reactjs\.org'
reaches_no_other_host "$known" "$out"/*.min.js "$out"/*.css
du -bc "$out"/* | sort -n
