#!/usr/bin/env bash
# Feeds mutated pictures to the decoders, under libFuzzer and the address sanitizer. What makes them crash, hang for 10 s or
# take more than 1 GB is kept beside the corpus, and is exit code 1.
#
#   Tests/Fuzz/run.sh        60 seconds
#   Tests/Fuzz/run.sh 5      5 seconds, as before a change lands
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-60}
# The program's and the fuzzer's builds must not undo each other's work.
build=${PASTEUP_FUZZ_BUILD:-.build}
swift build --scratch-path "$build" --product FuzzDecoders --sanitize=address \
    -Xswiftc -sanitize=fuzzer -Xcc -fsanitize=fuzzer-no-link -Xcc -O1 -Xswiftc -use-ld=lld

work=$(mktemp -d)
mkdir "$work/corpus" "$work/seeds"
# Mutations of small files find more in the same time.
find ../StoryCardTests/Fixtures -type f -size -150k \( -name '*.jpg' -o -name '*.png' -o -name '*.webp' \) -exec cp {} "$work/seeds" \;
if SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=1 "$build/debug/FuzzDecoders" -max_total_time="$seconds" \
    -timeout=10 -rss_limit_mb=1024 -max_len=200000 -print_final_stats=1 -artifact_prefix="$work/" \
    "$work/corpus" "$work/seeds"
then
    rm -rf "$work"
else
    echo "run.sh: the input is in $work" >&2
    exit 1
fi
