#!/bin/sh
# As tests/0814-kill-check.t, with 500 kills of each.
: "${KILLS:=500}"
export KILLS
exec sh "${0%/*}/../0814-kill-check.t"
