#!/usr/bin/env bash
# The long forms of the durability tests: the whole kill matrix with each way to go on and with services that ignore VK's
# guid, 50 pairs of processes started together, batches of 200 posts killed five times, 40 jobs killed again and again, a
# real full disk in steps of 8 KB. Takes some minutes.
#
#   Tests/Stress/run.sh              everything
#   Tests/Stress/run.sh KillMatrix   what has this in its name
set -euo pipefail
cd "$(dirname "$0")/../.."
export PASTEUP_STRESS=1
filter=${1:-KillMatrixTests|RepeatedDeathTests|FullDiskTests|MeetingTests|BatchTests}
exec swift test --filter "EndToEndTests\\.($filter)"
