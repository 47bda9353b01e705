#!/bin/sh
# As tests/0592-setup-kill.t, every second call: over 200 kills.
: "${STEP:=2}"
export STEP
exec sh "${0%/*}/../0592-setup-kill.t"
