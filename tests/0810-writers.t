#!/bin/sh
# Eight writers, four readers and a checkpointing mem-check at once. WRITES=200 messages a writer;
# 'make torture' does 1,000.
. "${0%/*}/lib.sh"

: "${WRITES:=200}"
unset MEM_NOW MEM_SEED
export MEM_TEST_SECONDS=600
check "8 writers x $WRITES messages: exact count, no word of locks, no wait of 10 s" \
	"$B/tests/torture/writers" "$WRITES"
sed 's/^/# /' "$out"
check 'the store is whole' mem-check --deep

# The wait for the lock ends, also where who started the program had blocked the signal that ends
# it.
echo '{"session":"w","id":"w","role":"user","content":"is it my turn?"}' >one
check_err 'a wait has an end: 75' 75 'store is busy' perl \
	-MPOSIX -MFcntl=:flock -e 'open my $l, ">>", "mem.db.lock" or die; flock $l, LOCK_EX; $ENV{MEM_WAIT} = ".5";
	POSIX::sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGALRM));
	exit system(qw(timeout 60 mem-ingest --from=ndjson one)) >> 8'

# One process writes for long while others write too: its log must be emptied now and then all the
# same.
yes '{"role":"user","content":"a line among many lines that fill the log of the store with words"}' \
	| head -n 30000 |
	sed '=' | sed 'N;s/^\([0-9]*\)\n{/{"id":"\1",/' >many
check 'a long run of one writer is stored' mem-ingest -q --from=ndjson -s long many
check 'the log of a long run is short' \
	sh -c 'test ! -e mem.db-wal || test $(wc -c <mem.db-wal) -lt 16000000'

done_testing
