#!/bin/sh
# mem-embed: the queue of a store, records that pass, the filter, two models, two at once, stops, a
# full disk. The model is a tiny one, made here.
. "${0%/*}/lib.sh"
unset MEM_SEED    # it would give two runs of mem-ingest the same ids

# The build may hold models of its own.
has_models=
if [ -e "$B/models" ]; then has_models=yes; fi
if [ "$has_models" ]; then
	skip 'without any model one line says how to get one' "there are models in $B/models"
else
	check 'without any model one line says how to get one' sh -c \
		'mem-embed 2>told; test $? -eq 69 && test $(wc -l <told) -eq 1 &&
			grep -q "mem-model get" told'
	check_err 'without any model a filter says how to get one' 69 'mem-model get' \
		sh -c 'echo "{\"text\":\"x\"}" |
		mem-embed --filter'
	check_err 'without any model --info says how to get one' 69 'mem-model get' mem-embed --info
	check_status 'without any model records pass all the same' 69 sh -c 'seq 20000 >lines;
		mem-embed - <lines >passed'
	check 'without any model every record passes' cmp lines passed
fi
check_err 'a model that is not there is told' 66 "there is no model 'none'" mem-embed --model none
check_err 'an operand other than - is refused' 64 "takes no operand but -, not 'x'" mem-embed x
check_err 'an operand beside - is refused' 64 "takes no operand but -, not 'x'" mem-embed - x
check_err '--filter beside --info is refused' 64 'exclude each other' mem-embed --filter --info
check_err '--query without --filter is refused' 64 'goes with --filter' mem-embed --query

# ---- a model ----

export MEM_MODELS="$top/models"
mkdir "$MEM_MODELS"
check 'a tiny model is made to embed with' "$B/tests/torture/tiny_model" "$top/tiny"
check 'a model that tells questions apart is made' mem-model convert "$top/tiny" \
	-o "$MEM_MODELS/tiny.model" --passage-prefix 'the: ' --query-prefix 'and: ' --speaker said
check 'a model of shorter inputs is made' \
	mem-model convert "$top/tiny" -o "$MEM_MODELS/other.model" --max-tokens 20
export MEM_MODEL=tiny
tiny=$MEM_MODELS/tiny.model

vectors() { jq -r .vectors "$out"; }
# info KEY WANT [OPTION ...]: a figure of --info.
info() {
	name="--info: $1 is $2" key=$1 want=$2
	shift 2
	run mem-embed --info -j "$@"
	got=$(jq -r ".$key" "$out" 2>/dev/null)
	if [ "$got" = "$want" ]; then pass "$name"; else fail "$name" "got '$got'" mem-embed \
		--info -j "$@"; fi
}

# ---- the store ----

info name tiny
info vectors 0
check_out 'without a store there is nothing to embed' '' mem-embed
check 'mem-embed makes no store where there is none' test ! -e mem.db
seq 700 | sed 's/.*/{"session":"s","id":"&","role":"user","name":"ann","content":"line & about the cat of number &"}/' >in.ndjson
{
	echo '{"session":"x","id":"empty","role":"user","content":""}'
	echo '{"session":"x","id":"emoji","role":"user","content":"🐈🐈🐈"}'
	echo '{"session":"x","id":"control","role":"user","content":"\u0001\u001b[2J\u0007"}'
	printf '{"session":"x","id":"code","role":"assistant","content":"Look:\\n\\n```c\\nint cat;\\n```\\n\\nand so on"}\n'
	printf '{"session":"x","id":"long","role":"user","content":"%s"}\n' \
		"$(seq 3000 | tr '\n' ' ')"
	perl -e 'print "{\"session\":\"x\",\"id\":\"large\",\"role\":\"user\",\"content\":\"```\\n", "cat the dog " x 87000, "\"}\n"'
} >odd.ndjson
check '700 messages are stored to be embedded' mem-ingest -q --from=ndjson in.ndjson
check 'messages that are odd are stored to be embedded' mem-ingest -q --from=ndjson odd.ndjson
run mem-embed --info
missing=$(jq .missing "$out")
check "missing are more than messages ($missing)" test "$missing" -gt 705
check_out 'mem-embed prints nothing on stdout' '' mem-embed
check 'mem-embed prints nothing on stderr' test ! -s "$err"
info missing 0
info vectors "$missing"
info searched tiny
took() { mem-stats --report | jq -r 'select(.name | startswith("embedded")) |
	[.name, .value > 0] | @tsv' | xargs; }
check_out 'how long vectors took is in the report' 'embedded true embedded.ms true' took
check_err 'a second run has nothing to embed' 0 'embedded 0 texts' mem-embed -v
check 'each vector is that of its text' "$B/tests/torture/vectors" 0 "$tiny"
check 'the store is whole with all its vectors' mem-check --deep
check 'messages of another user are stored' mem-ingest -q -u other --from=ndjson in.ndjson
info missing 700 -u other
info missing 0
check_err 'records of another user pass, and that is said' 0 \
	"user 'other'; vectors are made for 'default'" sh -c \
	'echo "{\"id\":\"z\",\"user\":\"other\",\"content\":\"a cat\"}" | mem-embed -'
check 'records of the user that is embedded pass without a word' \
	sh -c 'echo "{\"id\":\"z\",\"user\":\"default\"}" |
	mem-embed - 2>said >passed && test ! -s said'
check 'all users are embedded in one run' mem-embed --all-users -J 1
info missing 0 -u other

# ---- another model beside it ----

check 'a message of one user is added' \
	sh -c 'echo "{\"id\":\"more\",\"content\":\"one more cat\"}" |
	mem-ingest -q -s more'
check_err 'another model embeds one user alone' 0 'embedded [0-9,]* texts with other$' mem-embed \
	-v --model other
info searched tiny
info vectors "$((missing + 1))" --model other
info missing 0 --model other
info missing 700 --model other -u other
check_err 'a search says that vectors of another model are not used yet' 0 \
	"with the vectors of 'tiny': those of 'other' are not complete yet .mem-embed --all-users" \
	mem-search -v --format text cat
check_err 'another model that has embedded all users takes over' 0 \
	'embedded 700 texts with other; searches use its vectors from now on' mem-embed \
	-v --all-users --model other
info searched other --model other
info vectors 0
check 'each vector of the other model is that of its text' \
	"$B/tests/torture/vectors" 0 "$MEM_MODELS/other.model"
check 'the first model embeds all users again' mem-embed --all-users
info searched tiny

# ---- records pass ----

check 'records pass mem-embed byte for byte' sh -c \
	'printf "\357\273\277no json\r\n\n{\"a\":1}\nhalf a li" >odd; mem-embed - <odd | cmp - odd'
check '700 messages pass mem-embed in a pipe' \
	sh -c 'sed "s/\"id\":\"/&p/" in.ndjson | mem-ingest --from=ndjson -s pipe |
	tee printed | mem-embed - >passed && cmp printed passed && test $(wc -l <passed) -eq 700'
info missing 0
check_status 'records pass all the same with a model that is not there' 66 sh -c \
	'mem-embed --model none - <in.ndjson >passed'
check 'every record passes with a model that is not there' cmp in.ndjson passed
check_status 'a reader that goes away leaves nothing without a vector' 0 \
	sh -c '{ cat in.ndjson in.ndjson in.ndjson;
	echo "{\"content\":\"late\"}" | mem-ingest -q; } | { mem-embed -; echo $? >status; } |
	head -n 1 >/dev/null; exit $(cat status)'
info missing 0
[ ! -w /dev/full ] || check_err 'a full disk behind mem-embed is told' 74 'cannot write to stdout' \
	sh -c 'mem-embed - <in.ndjson >/dev/full'
mkfifo tap
mem-embed -J 1 - <tap >slow &
job=$!
exec 9>tap
mem-ingest -s slow >&9 <<'E'
{"id":"slow","content":"while nothing comes in"}
E
wait_for '[ "$(mem-embed --info | jq .missing)" = 0 ] && [ -s slow ]'
info missing 0
check 'a record comes through while the input is open' grep -q 'while nothing' slow
exec 9>&-
check 'mem-embed ends with its input' wait $job

# ---- two at once, stops, faults ----

fresh
check '700 messages are stored for four runs at once' mem-ingest -q --from=ndjson "$top/1/in.ndjson"
check 'four runs of mem-embed at once go through' \
	sh -c 'for i in 1 2 3 4; do mem-embed -q & pids="$pids $!"; done;
	for p in $pids; do wait $p || exit; done'
info missing 0
check 'each text has its vector once after four runs at once' "$B/tests/torture/vectors" 0 "$tiny"
perl -e 'print "{\"id\":\"block\",\"content\":\"```\\n", "cat the dog " x 800000, "\"}\n"' >block
check 'a text of 10 MB is stored to be embedded' mem-ingest -q -s block block
for signal in INT TERM; do
	check "SIG$signal ends mem-embed in a long text at once" perl -e '
		my $pid = fork // die; if (!$pid) { $SIG{INT} = "DEFAULT"; exec "mem-embed", "-q" }
		select undef, undef, undef, .3; kill $ARGV[0], $pid; my $t = time; waitpid $pid, 0;
		exit !(time - $t < 5 && ($? & 127) == ($ARGV[0] eq "INT" ? 2 : 15) ||
			$? >> 8 > 128)' $signal
done
check 'the store is whole after mem-embed was ended' mem-check --deep

fresh
check '700 messages are stored for a full disk' mem-ingest -q --from=ndjson "$top/1/in.ndjson"
run mem-embed --info
missing=$(jq .missing "$out")
check_err 'a full disk under the log of the store is told' 74 '^mem-embed: ' sh -c 'ulimit -f 80;
	exec mem-embed -q'
check 'a full disk costs no message, and the store is whole' sh -c 'mem-check --deep &&
	test "$(mem-list -n 1000 messages | wc -l)" -eq 700'
check 'with room again mem-embed does the rest' mem-embed -q
info missing 0
info vectors "$missing"
check 'each vector after a full disk is that of its text' "$B/tests/torture/vectors" 0 "$tiny"

fresh
: "${KILLS:=15}" "${SEED:=1}"
export SEED MEM_TEST_SECONDS=1800
unset MEM_NOW
check "$KILLS kills: no message lost, no vector of another text, an empty queue" \
	"$B/tests/torture/vectors" "$KILLS" "$tiny"
sed 's/^/# /' "$out"
export MEM_NOW=2024-05-20T12:00:00Z

# ---- the filter ----

fresh
len() { jq -c '[.vec | length, (map(. * .) | add | . * 1000 | round)]' "$@"; }
cat >odd <<'E'
{"text":"the cat","n":12345678901234567890,"deep":{"x":1.0,"é":null}}
no json
{"content":"the cat","type":"message","role":"user","name":"ann"}
[1]
{"text":7}
{"query":"the cat"}
{"vec":[9],"text":"","k":[1]}
{"text":"🐈 \u0001"}
E
check_status 'a filter with bad lines ends with their status' 65 mem-embed --filter <odd
cp "$out" got
check_out 'a filter tells bad lines by their numbers' 'mem-embed: stdin:2: invalid JSON at byte 1
mem-embed: stdin:4: not a JSON object
mem-embed: stdin:5: no text, content or query' cat "$err"
check_out 'a filter gives every good line a vector' '[32,1000]
[32,1000]
[32,1000]
[32,1000]
[32,1000]' jq -c '[(.vec | length), (.vec | map(. * .) | add | . * 1000 | round)]' got
check_out 'a filter leaves good lines as they were' \
	"$(sed -n '1p;3p;6p;8p' odd; echo '{"text":"","k":[1]}' )" sh -c \
	"sed 's/,\"vec\":\[[^]]*\]}\$/}/' got |
		awk 'NR != 4 { print } NR == 4 { last = \$0 } END { print last }'"
# what stands before a text, by hand
check 'a model is made without prefixes' mem-model convert "$top/tiny" -o "$MEM_MODELS/bare.model"
printf '{"text":"%s"}\n' 'the: the cat' 'the: ann said, \"the cat\"' 'and: the cat' 'the: ' >by_hand
check 'texts with prefixes written by hand are embedded' mem-embed --filter --model bare <by_hand
jq -c .vec "$out" >want
check_out 'prefixes of a passage, a speaker and a question stand before the text' '' \
	sh -c 'head -n 4 got | jq -c .vec |
	diff - want'
check '--query embeds each text as a question' mem-embed --filter --query <by_hand
jq -c .vec "$out" >want
check_out '--query embeds as a record with a query does' '' \
	sh -c 'jq -c "{query: .text}" by_hand | mem-embed --filter |
	jq -c .vec | diff - want'
jq -c '{text: .content}' "$top/1/in.ndjson" >many
check 'many texts are embedded on four threads' mem-embed --filter -J 4 <many
cp "$out" want
check_out 'one thread gives the same bits as four' '' \
	sh -c 'mem-embed --filter -J 1 <many | cmp - want'
for kernel in scalar avx2 avxvnni avx512vnni avx512vbmi neon; do
	check_out "every kernel gives the same bits: $kernel" '' sh -c \
		"MEM_KERNEL=$kernel mem-embed --filter <many | cmp - want"
done
mkfifo tap
mem-embed --filter <tap >came &
job=$!
exec 9>tap
echo '{"text":"a cat"}' >&9
wait_for [ -s came ]
check 'a filter answers line by line, as they come' grep -q '^{"text":"a cat","vec":\[' came
exec 9>&-
check 'a filter ends with its input' wait $job
check 'a filter makes no store where there is none' test ! -e mem.db
[ ! -w /dev/full ] || check_err 'a full disk behind a filter is told' 74 'cannot write to stdout' \
	sh -c 'mem-embed --filter <many >/dev/full'

# ---- vectors of messages that are gone ----

if command -v sqlite3 >/dev/null 2>&1; then
	fresh
	seq 40 | sed 's/.*/{"session":"s","id":"&","role":"user","content":"line & of the lighthouse"}/' |
		mem-ingest -q --from=ndjson
	mem-embed -q
	sqlite3 mem.db 'DELETE FROM message WHERE id IN (SELECT id FROM message ORDER BY id DESC LIMIT 3);
		PRAGMA wal_checkpoint(TRUNCATE)' >nothing
	# the sums of pages, too: else these are no vectors of no message, but damage
	perl -0777 -pi -e 's/(.{4088}).{8}/$1 . "\0" x 8/ges' mem.db
	check_status 'rows of messages that go behind our back are damage' 74 mem-check --full
	check 'mem-check names vectors of messages that are not there' \
		grep -q '3 vectors of no message' "$out"
	check 'mem-check repairs a store with vectors of no message' mem-check -q --repair
	check_out 'mem-check --repair takes vectors of no message away' '' mem-check -q --full
	info vectors 37
else
	skip 'rows of messages that go behind our back are damage' 'there is no sqlite3(1)'
fi

check 'a model is cut short after 5000 bytes' \
	sh -c 'head -c 5000 "$0" >"$MEM_MODELS/cut.model"' "$tiny"
check_status 'a model that is cut short is told' 65 mem-embed --model cut
done_testing
