#!/usr/bin/env bash
# What the engine costs, whole process with the durable journal, against other runners of the same machine: chains and
# fan-outs of 1,000 steps that do nothing, and 10,000 for the growth. Prints a table; a missed target is exit code 1.
#
#   Tests/Benchmarks/engine.sh [PROGRAM]      ROUNDS=7 rounds, in each of which every command runs once
#
# Of pasteup, a step that does nothing is 'text.render', and 'exec.run' of 'true' for the cost of a process. GNU make
# starts 'true' itself, without a shell; go-task runs the 'true' of its own shell, without a process; a Luigi task and a
# Prefect task do nothing at all. go-task, Luigi and Prefect come from PyPI into a temporary folder.
#
# Needs hyperfine, make, python3 with venv, and a net for PyPI. Other work on the machine disturbs all commands alike,
# because they take turns: compare ratios, and repeat when it is quiet.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath -m "${1:-.build/release/pasteup}")
rounds=${ROUNDS:-7}

for tool in hyperfine make python3; do
    command -v "$tool" >/dev/null || { echo "engine.sh: $tool is missing: apt-get install $tool" >&2; exit 2; }
done
[ -x "$program" ] || { echo "engine.sh: there is no '$program': swift build -c release --static-swift-stdlib" >&2; exit 2; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check go-task-bin luigi >&2
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check prefect >&2 || echo "engine.sh: Prefect is left out: it cannot be installed" >&2
echo "$(date -u +%Y-%m-%d), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(uname -sr)"
python3 Tests/Benchmarks/engine.py "$program" "$folder" "$rounds"
