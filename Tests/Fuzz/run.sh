#!/usr/bin/env bash
# Fuzzes what reads foreign bytes, with libFuzzer and the address sanitizer. What crashes, hangs or takes more
# than 2 GB is kept as a file that is named at the end; give it to the program again to see it fail.
#
#   Tests/Fuzz/run.sh                       every target, 60 seconds each
#   Tests/Fuzz/run.sh 5                     every target, 5 seconds each
#   Tests/Fuzz/run.sh 600 FuzzWorkflow      one of them, ten minutes
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-60}
shift || true
if [ $# -gt 0 ]; then targets=("$@"); else targets=(FuzzWorkflow FuzzExpression FuzzDecoders); fi

flags=(-Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=fuzzer-no-link,address -Xswiftc -use-ld=lld -Xswiftc -parse-as-library)
for target in "${targets[@]}"; do
    swift build "${flags[@]}" --product "$target"
done
bin=$(swift build "${flags[@]}" --show-bin-path)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for target in "${targets[@]}"; do
    corpus=$work/$target
    mkdir -p "$corpus"
    case $target in
    FuzzWorkflow) cp ../../workflows/*.yaml ../../examples/*.yaml "$corpus" && find ../WorkflowsTests/Fixtures ../YAMLTests/Fixtures -name '*.yaml' -size -64k -exec cp --backup=numbered {} "$corpus" \; ;;
    # Mutations of small files find more in the same time.
    FuzzDecoders) find ../StoryCardTests/Fixtures -type f -size -150k \( -name '*.jpg' -o -name '*.png' -o -name '*.webp' \) -exec cp {} "$corpus" \; ;;
    FuzzExpression) ./expressions.py "$corpus" ../ExpressionsTests/Fixtures/*.json ;;
    esac
    echo "$target: $seconds s from $(find "$corpus" -type f | wc -l) files"
    # Swift's own backtracer would take the crash away from libFuzzer. The leak detector does not see what globals of Swift
    # hold; what leaks again and again meets the memory limit.
    SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 "$bin/$target" "$corpus" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -max_len=200000 -artifact_prefix="$PWD/$target-" -print_final_stats=1 -verbosity=1 2>"$work/log" || {
        tail -n 60 "$work/log" >&2
        echo "$target: failed" >&2
        exit 1
    }
    grep -E 'stat::(number_of_executed_units|average_exec_per_sec|peak_rss_mb)' "$work/log"
done
