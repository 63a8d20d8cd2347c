#!/usr/bin/env bash
# How long the release binary takes to start: 'pasteup --version' against /bin/true, medians of 50 runs after 10.
# It may take twice as long as /bin/true and 15 ms; more is exit code 1. Needs Debian's package hyperfine.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=${1:-.build/release/pasteup}

command -v hyperfine >/dev/null || { echo "startup.sh: hyperfine is missing: apt-get install hyperfine" >&2; exit 2; }
[ -x "$program" ] || { echo "startup.sh: there is no '$program': swift build -c release --static-swift-stdlib" >&2; exit 2; }

results=$(mktemp)
trap 'rm -f "$results"' EXIT
hyperfine --shell=none --warmup 10 --runs 50 --style none --export-csv "$results" "$program --version" /bin/true 2>/dev/null

echo "$(date -u +%Y-%m-%d), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(uname -sr)"
# Columns: command, mean, stddev, median, user, system, min, max; in seconds.
awk -F, '
    NR == 2 { program = $4 * 1000; least = $7 * 1000 }
    NR == 3 { bare = $4 * 1000 }
    END {
        bound = 2 * bare + 15
        printf "pasteup --version: median %.1f ms, minimum %.1f ms\n/bin/true: median %.1f ms\nbound: %.1f ms\n",
            program, least, bare, bound
        exit program > bound
    }' "$results"
