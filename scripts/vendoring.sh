# Sourced by the scripts that vendor what pages load: a working folder, and what they share. Sets $root and $work.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"

fetch() { # fetch <package> <version>: unpack it into $work/<package>
    npm pack --silent "$1@$2" >/dev/null
    mkdir "$1"
    tar -xzf "$1-$2.tgz" -C "$1" --strip-components=1
}

reaches_no_other_host() { # reaches_no_other_host <known hosts, as a pattern> <file…>: ends where another one is named
    local known="$1"
    shift
    if grep -noE 'sourceMappingURL|@import|https?://[a-z0-9.-]+' "$@" | grep -vE "https?://($known)$"; then
        echo "$(basename "$0" .sh): the lines above may reach another host" >&2
        exit 1
    fi
}
