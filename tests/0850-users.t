#!/bin/sh
# Two users with planted canaries: no program, no option and no value shows one what is the other's.
. "${0%/*}/lib.sh"
unset MEM_SEED
# a map that libjq cannot parse leaks inside it (tests/tools/lsan.supp)
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}fast_unwind_on_malloc=0"
set -f        # values are not file names

# Bob's: every word of his holds "quokka", every name of his "wombat", so that a value which names
# him can be told from what is his.
cat >bob.ndjson <<'E'
{"type":"session","session":"wombat-session","title":"quokka title","system_prompt":"quokka prompt","metadata":{"quokka":"metadata"},"created":"2024-01-02T03:04:05Z"}
{"session":"wombat-session","id":"wombat-1","role":"user","name":"Wombat","agent":"wombat-agent","project":"wombat-project","time":"2024-05-01T10:00:00Z","content":"the quokka secret about the lighthouse is 4711","extra":"quokka extra"}
{"session":"wombat-session","id":"wombat-2","role":"assistant","time":"2024-05-01T10:01:00Z","content":"I shall remember quokka.\n\n```c\nint quokka_code;\n```","tool_calls":[{"name":"quokka_call"}]}
{"session":"shared","id":"same","role":"user","time":"2024-05-01T10:02:00Z","content":"quokka in a session of the same name"}
{"session":"shared","role":"system","content":"quokka system prompt"}
E
cat >alice.ndjson <<'E'
{"session":"shared","id":"same","role":"user","name":"Alice","agent":"a","project":"p","time":"2024-05-01T10:00:00Z","content":"what I said about the lighthouse is my own"}
{"session":"shared","id":"a2","role":"assistant","time":"2024-05-01T10:01:00Z","content":"yes, the lighthouse"}
{"session":"alone","id":"a3","role":"user","content":"something else, getUserName"}
E
check 'messages of alice are stored as hers' mem-ingest -q -u alice --from=ndjson alice.ndjson
hers() {
	for q in lighthouse 'what I said' getUserName; do mem-search -j -u alice \
		--no-touch --explain "$q"; done
	mem-list -j -u alice; mem-list -j -u alice sessions; mem-list -j -u alice chunks
	mem-stats -j -u alice | grep -v -i 'bytes\|stored'
	[ ! -x "$B/mem-context" ] || MEM_TOUCH=no mem-context -u alice 'lighthouse'
}
hers >before
check 'messages of bob are stored as his' mem-ingest -q -u bob --from=ndjson bob.ndjson
hers >after
check 'what she sees is as before, scores and counts too' diff before after
mem-list -j -u bob >his
his_id=$(sed -n 's/.*"id":"\([0-9A-Z]*\)".*"source_id":"wombat-1".*/\1/p' his)
check 'bob has what he has stored' test "$(grep -c quokka his)" -ge 3 -a -n "$his_id"

# ---- every option of every program with every value ----

values="%|*|_|'|\"|' OR '1'='1|' OR 1=1 --|1) OR (1=1|bob|BOB|wombat|Wombat|wombat-session|wombat-1|source:wombat-1|source:same|wombat-agent"
values="$values|wombat-project|shared|$his_id|$(echo "$his_id" | cut -c1-10)|$his_id.0|../bob|user:bob|bob/wombat-session|0|1|-1|99|1000000"
values="$values|2024|2024-05-01|3000|.5|bm25|recent|lexical|fused|user|auto|all|quokka|$(printf 'bob\001')|alice' OR user='bob"
printf '{"query":"quokka","relevant":["wombat-1"]}\n{"query":"quokka secret lighthouse","relevant":["%s"]}\n' "$his_id" >queries

# leaks PROGRAM ARGUMENT...: notes down a run whose output has what is his. Where an argument names
# him, an error may name it, too: then only the words count.
leaks() {
	n_calls=$((n_calls + 1))
	timeout "$MEM_TEST_SECONDS" "$@" </dev/null >said 2>&1
	status=$?
	if [ $status -gt 128 ] || [ $status -eq 99 ] || [ $status -eq 124 ]; then
		echo "$* (status $status)" >>found
		return
	fi
	case " $* " in
	*quokka*)	pattern='4711|quokka_c|quokka title|quokka prompt|quokka in a|quokka extra|remember quokka' \
		;;
	*ombat*|*"$his_id"*) pattern=quokka ;;
	*)		pattern='quokka|ombat' ;;
	esac
	if grep -E -q -e "$pattern" said; then
		echo "$*" >>found
		head -n 3 said >>found
	fi
}

# verdict NAME: passes when nothing was noted down.
verdict() {
	turn_over
	cp found "$err"
	: >"$out"
	if [ -s found ]; then fail "$1" 'it has what is the other'"'"'s'; else
		pass "$1, $n_calls calls"; fi
}

# as_alice PROGRAM: the options of a program that say who asks.
as_alice() { ! $1 --help-json | jq -e '.options[] | select(.name == "user")' >/dev/null ||
	echo '-u alice'; }

# all that there are but mem-ingest, which stores: that is further down
for p in $(ls "$B" | grep '^mem-[a-z]*$' | grep -v '^mem-ingest$'); do
	: >found
	n_calls=0
	more=-j
	who=$(as_alice $p)
	case $p in
	mem-search)	set -- lighthouse quokka 'quokka secret' '' "$his_id";
		more='-j -n 50 --explain' ;;
	mem-context)	set -- lighthouse quokka 'quokka secret' "$his_id" ;;
	mem-list)	set -- messages sessions chunks ;;
	mem-show)	set -- wombat-1 source:wombat-1 wombat-session shared source:same \
		"$his_id" "$(echo "$his_id" | cut -c1-12)" "$his_id.0"; more='-j -C 100' ;;
	mem-eval)	set -- queries ;;
	*)		set -- ;;
	esac
	for operand do leaks $p $more $who "$operand"; done
	operand=${1-}
	[ $p != mem-show ] || operand=source:wombat-1
	for option in $($p --help-json | jq -r '.options[] | select(.arg) | .name'); do
		case $option in db|user|backup|rejects|html|card) continue ;; esac \
			# these name files
		IFS='|'
		for value in $values; do
			unset IFS
			leaks $p $who "--$option=$value" ${operand:+"$operand"}
		done
		unset IFS
	done
	for option in $($p --help-json | jq -r '.options[] | select(.arg | not) | .name'); do
		case $option in repair|help) continue ;; esac
		leaks $p $who "--$option" ${operand:+"$operand"}
	done
	verdict "$p: nothing of his"
done

# ---- other names of users ----

: >found
n_calls=0
IFS='|'
for value in $values; do
	unset IFS
	[ "$value" != bob ] || continue
	for call in 'mem-search lighthouse' mem-list 'mem-list sessions' \
		'mem-show source:wombat-1' mem-stats 'mem-context lighthouse'; do
		[ -x "$B/${call%% *}" ] || continue
		leaks $call -u "$value"
		! grep -q 'is my own' said || echo "$value: hers" >>found
	done
done
unset IFS
verdict 'a user by another name is another user'
check 'the environment names a user' sh -c 'MEM_USER=alice mem-list | grep -q "is my own"'
check 'the option is stronger' sh -c 'MEM_USER=bob mem-list -u alice | grep -q "is my own"'
check_out 'nobody is the default user, who has nothing' '' mem-list

# ---- what she stores does not touch him ----

{ mem-list -j -u bob; mem-list -j -u bob sessions; } >his
cat >evil.ndjson <<E
{"session":"wombat-session","id":"wombat-1","role":"user","content":"overwritten"}
{"session":"wombat-session","id":"$his_id","turn":0,"role":"user","content":"overwritten"}
{"session":"shared","id":"same","role":"user","content":"overwritten"}
{"type":"session","session":"wombat-session","title":"overwritten"}
{"type":"message","id":"$his_id","user":"alice","session":"wombat-session","turn":0,"role":"user","content":"overwritten","source_id":"wombat-1","sha256":"00"}
E
echo '{"session":"x","user":"bob","role":"user","content":"overwritten"}' >as-bob.ndjson
check 'she stores under his names' mem-ingest -q -u alice --from=ndjson evil.ndjson
check_err 'alice can store nothing as bob' 65 'user .bob.' \
	mem-ingest -u alice --from=ndjson as-bob.ndjson
check_err 'alice can store nothing as bob by a map' 65 'user .bob.' \
	mem-ingest -u alice --map '.' as-bob.ndjson
{ mem-list -j -u bob; mem-list -j -u bob sessions; } >his-now
check 'what is his is as it was' cmp his his-now
check 'she sees hers under his id' sh -c 'mem-show -u alice -s wombat-session source:wombat-1 |
	grep -q overwritten'
check_err 'alice sees none of his around her messages' 66 'no record' \
	mem-show -u alice -C 5 source:wombat-2
check 'alice sees none of his by his id' \
	sh -c '! mem-show -u alice -C 5 "$1" | grep quokka >&2' sh "$his_id"

# ---- inside a user: agents ----

mem-search -u bob -a other secret lighthouse >said
mem-list -u bob -a other >>said
mem-search -u bob --strategy=recent -a other >>said
mem-show -u bob -a other source:wombat-1 >>said 2>/dev/null
[ ! -x "$B/mem-context" ] || mem-context -u bob -a other secret lighthouse >>said
check 'another agent does not see what an agent keeps to itself' sh -c '! grep 4711 said >&2'
check 'an agent of bob finds what is its own' \
	sh -c 'mem-search -u bob -a wombat-agent secret | grep -q 4711'

check 'the store is whole' mem-check --deep

done_testing
