#!/bin/sh
# As tests/0800-kill.t, with 1,000 kills.
: "${KILLS:=1000}"
export KILLS
exec sh "${0%/*}/../0800-kill.t"
