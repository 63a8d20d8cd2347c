#!/usr/bin/env bash
# 200 cards on four threads at once, under the thread sanitizer; every card must be the same to the last byte.
set -euo pipefail
cd "$(dirname "$0")/../.."
package=Tests/Benchmarks/cards
build=${PASTEUP_TSAN_BUILD:-$package/.build/thread}
swift build --package-path $package --scratch-path "$build" --sanitize=thread
TSAN_OPTIONS="halt_on_error=0 exitcode=66 ignore_noninstrumented_modules=1" \
    "$build/debug/CardRounds" examples/pictures/harbour.jpg "${1:-200}" 4
