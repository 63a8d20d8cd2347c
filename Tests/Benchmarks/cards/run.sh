#!/usr/bin/env bash
# What a card costs, side by side in one run: bare libjpeg-turbo, Pillow, ImageMagick, pasteup. Medians of 9 after 1.
# A target that is missed is exit code 1:
#   whole process <= 0.5 x Pillow and <= 7 x the bound; 50 cards in one process <= 9 x its 50 rounds; two threads >= 1.8 x
#   one; peak of memory <= 80 MB, for a photo of 12 megapixels too.
# Needs clang, python3 with Pillow, and for its row ImageMagick. The machine should be idle.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.."
program=${1:-.build/release/pasteup}
[ -x "$program" ] || { echo "run.sh: there is no '$program': swift build -c release --static-swift-stdlib" >&2; exit 2; }
program=$(realpath "$program")
swift build --package-path "$here" --scratch-path "${PASTEUP_BENCH_BUILD:-$here/.build}" -c release --static-swift-stdlib >&2
rounds=$(swift build --package-path "$here" --scratch-path "${PASTEUP_BENCH_BUILD:-$here/.build}" -c release --static-swift-stdlib --show-bin-path)/CardRounds

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang -O2 "$here/bound.c" -ljpeg -o "$work/bound"
python3 "$here/photo.py" 1440 1800 "$work/photo.jpg"
python3 "$here/photo.py" 3000 4000 "$work/large.jpg"
cp "$here/card.yaml" "$work/card.yaml"
sed 's/photo.jpg/large.jpg/' "$here/card.yaml" > "$work/large.yaml"
PASTEUP_WORK=$work PASTEUP=$program ROUNDS=$rounds HERE=$here python3 "$here/measure.py"
