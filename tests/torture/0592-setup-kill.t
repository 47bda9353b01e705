#!/bin/sh
# As tests/0592-setup-kill.t, every second call, over 200 kills, and 200 random moments.
: "${STEP:=2}" "${KILLS:=200}"
export STEP KILLS
exec sh "${0%/*}/../0592-setup-kill.t"
