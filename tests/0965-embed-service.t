#!/bin/sh
# mem-embed by a service: what it makes is stored, found by it again, never mixed with another
# model's, and whatever the service does nothing is lost.
. "${0%/*}/lib.sh"
. "$ROOT/tests/llm.sh"
MEM_MODELS=$PWD/none
export MEM_MODELS MEM_EMBED_TIMEOUT=60 \
	# a question waits for its vector however busy the machine is, but where that is the point
# how many are missing, and how many there are
state() { mem-embed --info | jq -c '[.missing, .vectors]'; }
say() { jq -cn --arg s "$1" --argjson n "$2" \
	'range($n) | {session: $s, id: "\($s)\(.)", role: "user", content: "line \(.) of \($s) about the weather"}'; }

if [ -e "$B/models" ]; then
	skip 'no model and no service' "there are models in $B/models"
else
	check_err 'no model and no service' 69 'no model' mem-embed
fi
serve
at ok
check 'no store yet' mem-embed
check 'nobody was asked' test "$(n_asked)" -eq 0
say a 40 | mem-ingest >stored
check_out 'nothing yet; nobody is asked' '["e",true,null,40,0,null]' sh -c 'mem-embed --info |
	jq -c "[.name, .service, .dimensions, .missing, .vectors, .searched]"'
check 'nobody' test "$(n_asked)" -eq 0
check_err 'it makes vectors' 0 'embedded 40 texts with e' mem-embed -v
check_out 'all of them' '[0,40]' state
check_out 'of so many numbers' '[8,"e"]' sh -c 'mem-embed --info | jq -c "[.dimensions, .searched]"'
n=$(n_asked)
check 'again: nothing to do' mem-embed
check 'and nobody is asked' test "$(n_asked)" -eq "$n"
say b 1 | mem-ingest | mem-embed - >passed
check_out 'in a pipe' '["b0"]' jq -c '[.source_id]' passed
check_out 'one more' '[0,41]' state
check_out 'one request for it' 1 echo $(($(n_asked) - n))
check 'the store is whole' mem-check --full -q
check_out 'the ledger knows' '["mem-embed","e",0]' sh -c 'mem-stats --calls |
	jq -c "[.program, .model, .failed]"'

# The fake's vectors are made of the text's bytes: the same text is the same vector, other texts are
# any.
check_out 'the same words are the same' true sh -c \
	'mem-search --strategy dense -n 1 "line 7 of a about the weather" |
		jq ".content == \"line 7 of a about the weather\" and .sim > .99"'
check_out 'vectors take part' true sh -c 'mem-search -n 1 "line 7 of a about the weather" |
	jq ".sim > .99"'
check_out 'by progressive search, too' true sh -c \
	'mem-search --strategy progressive -n 1 "line 7 of a about the weather" | jq ".sim > .99"'
check 'and by mem-context' sh -c 'mem-context "line 7 of a about the weather" |
	grep -q "line 7 of a"'
check 'nothing is said' sh -c 'test -z "$(mem-search -n 1 line 2>&1 >/dev/null)"'
check 'words alone ask nobody' sh -c 'n=$(wc -l <"$1");
	mem-search --strategy lexical line >/dev/null; test "$(wc -l <"$1")" -eq "$n"' sh "$log"
jq -cn '{session: "p", id: "p0", role: "user", project: "/srv/garden", content: "the gate squeaks"}' |
	mem-ingest | mem-embed - >passed
n=$(n_asked)
jq -cn '{session_id: "h", cwd: "/srv/garden", prompt: "what did we say about the weather?"}' |
	MEM_HOOK_MS=60000 MEM_LIKELY=0.1 mem-hook claude-code prompt >told
check_out 'a hook searches its project, then elsewhere' '"from elsewhere"' sh -c \
	'mem-hook --log | jq .why'
check_out 'and asks for its vector once' 1 echo $(($(n_asked) - n))
mem-forget -q -f -s p >gone || exit 1
n=$(n_asked)
check 'a profile that may be used' sh -c 'mem-profile consent yes &&
	mem-profile set notes "nobody elsewhere is to read this"'
check_out 'is not missing' '[0,41]' state
check 'embeds' mem-embed
check 'and it was not sent' test "$(n_asked)" -eq "$n"
mem-remember --fact 'line 7 of a about the weather' >stored
check_out 'what is remembered has its vector at once' '[0,42]' state
check_out 'facts by meaning' true sh -c \
	'mem-search --tier insights "line 7 of a about the weather" | jq ".sim > .99"'
check_out 'as questions on stdin' '2' sh -c \
	'printf "{\"query\":\"line\"}\n{\"query\":\"weather\"}\n" | mem-search -n 1 | wc -l'
check_out 'a filter' '[1,8,true]' sh -c 'echo "{\"n\":1,\"text\":\"a\"}" | mem-embed --filter |
	jq -c "[.n, (.vec | length), ((.vec | map(. * .) | add) - 1 | fabs < 1e-5)]"'
check_out 'of many' 100 sh -c 'seq 100 | jq -c "{text: \"x\(.)\"}" | mem-embed --filter |
	jq -c .vec | sort -u | wc -l'

# mem-cluster of records: the vectors are asked for, and where there are none the words do
n=$(n_asked)
check 'records are sorted by it' sh -c 'seq 12 |
	jq -c "{text: (if . % 2 == 0 then \"aaaa \" else \"zzzz zzzz zzzz \" end + tostring)}" >lines; mem-cluster -k 2 - <lines >sorted'
check 'it was asked' test "$(n_asked)" -gt "$n"
check_out 'some at a time' true sh -c 'jq -s "length == 12 and all(.[]; .cluster != null)" sorted'
check_out 'a vec that came in stays' 1 sh -c 'jq -c "{text, vec: [range(8)]}" lines | head -n 1 |
	mem-cluster - | jq .cluster'
n=$(n_asked)
check 'with --words nobody is' mem-cluster -k 2 --words - <lines
check 'nor where all have one' sh -c 'jq -c "{text, vec: [1, 2, 3]}" lines | mem-cluster -'
check 'nobody' test "$(n_asked)" -eq "$n"
check_err 'another length: by words, and it says so' 0 \
	'vec of another model.*compared by their words' sh -c \
	'{ echo "{\"text\":\"a\",\"vec\":[1,2]}"; cat lines; } | mem-cluster -'
check_out 'all come out' 13 wc -l <"$out"
check_err 'a local model that is named goes before' 66 'no model' mem-cluster --model nobody \
	- <lines
at 500final
mem-cluster -k 2 --words - <lines >want
check_err 'out of order: by words, and it says so' 0 \
	"no vectors of 'e': .*compared by their words" mem-cluster -k 2 - <lines
check 'as if there were no service' cmp "$out" want
check_out 'not with -q' 0 sh -c 'mem-cluster -q -k 2 - <lines 2>&1 >/dev/null | wc -l'
at ok
ollama ok
check_out 'Ollama, the same model: the same vectors' '[0,42]' state
say c 3 | mem-ingest >stored
check 'goes on' mem-embed
check_out 'all' '[0,45]' state
at ok

# ---- what goes there ----

check 'a key is sent, and shown nowhere' env MEM_EMBED_KEY=sesame-123 mem-search -n 1 line
check 'it was sent' grep -q sesame-123 "$log"
check 'not shown' sh -c '! grep -rq sesame-123 "$0" "$1" "$MEM_DB"*' "$out" "$err"
cat >spy <<'E'
#!/bin/sh
while read -r line; do
	printf '%s\n' "$line" >>asked
	printf '%s\n' "$line" | jq -c '{ok: true, id, vecs: [.texts[] | explode | [length % 5 + .3, (.[0] // 1), (.[-1] // 1) - 60, (add // 1) % 97 - 48]]}'
done
E
chmod +x spy
cat >prefixed <<'E'
unset MEM_EMBED_URL
export MEM_DB=spy.db MEM_LLM_COMMAND=./spy MEM_EMBED_MODEL=spied
export MEM_EMBED_QUERY_PREFIX=find: MEM_EMBED_PASSAGE_PREFIX=keep:
E
check 'a command of your own, with prefixes' sh -c '. ./prefixed; mem-ingest <"$1" >/dev/null;
	mem-embed && : >asked; mem-search -n 1 "alpha beta" >/dev/null' sh stored
check_out 'the question has its prefix' 'find: alpha beta' sh -c 'jq -r ".texts[1]" asked'
: >asked
check 'a question that only names somebody' sh -c '. ./prefixed;
	echo "{\"session\":\"n\",\"role\":\"user\",\"name\":\"Zoe\",\"content\":\"gamma\"}" |
	mem-ingest -q >/dev/null; mem-embed'
check_out 'a passage has its own' 'keep: gamma' sh -c 'jq -r ".texts[1]" asked'
check_out 'other prefixes are another model' '[4,0]' sh -c '. ./prefixed;
	MEM_EMBED_PASSAGE_PREFIX= mem-embed --info | jq -c "[.missing, .vectors]"'

# ---- only what is distilled ----

check_out 'no turns' '[0,1]' sh -c 'export MEM_DB=distilled.db MEM_EMBED_POLICY=distilled;
	mem-ingest <"$1" >/dev/null; mem-remember -q --fact "Ann drinks tea" >/dev/null; : >"$2";
	mem-embed; mem-embed --info | jq -c "[.missing, .vectors]"' \
	sh stored "$log"
check_out 'all of it when that is wanted again' '[3,1]' sh -c \
	'MEM_DB=distilled.db mem-embed --info | jq -c "[.missing, .vectors]"'
check_err 'a policy that is none' 78 embed_policy env MEM_EMBED_POLICY=some mem-embed

# ---- another model ----

say d 5 | mem-ingest >stored
check_out 'another name: another model, nothing of it is there' '[50,0]' sh -c \
	'MEM_EMBED_MODEL=f mem-embed --info | jq -c "[.missing, .vectors]"'
check 'searches of the old one say once that it is not set' sh -c \
	'MEM_EMBED_MODEL=f mem-search -n 3 line >found 2>told; test -s found &&
		test "$(wc -l <told)" -eq 1 && grep -q "names another service or model\|name another service or model" told'
check 'nothing is compared with it' sh -c 'jq -e "has(\"sim\") | not" found'
check_err 'it takes over when it is whole' 0 'embedded 50 texts with f; searches use' env \
	MEM_EMBED_MODEL=f mem-embed -v
check_out 'the old one is gone' '["f",50]' sh -c 'mem-embed --info | jq -c "[.searched, .missing]"'
check_err 'back again' 0 'searches use' mem-embed -v
check_out 'and gone on with' '[0,50]' state

# what is behind the name has changed: nothing is mixed
say e 3 | mem-ingest >stored
cat >other <<'E'
#!/bin/sh
while read -r line; do
	printf '%s\n' "$line" | jq -c '{ok: true, id, vecs: [.texts[] | explode | [1, length, 3, 4, -5, 6, 7, 8][:env.WIDTH | tonumber]]}'
done
E
chmod +x other
for w in 8 7; do
	export WIDTH=$w
	check_err "other vectors under the same name, $w numbers" 78 \
		'gives other vectors than those in the store' env MEM_LLM_COMMAND=./other mem-embed
	check_out 'nothing was stored' '[3,50]' state
	check_err 'a search says so and goes by words' 0 'other vectors' env \
		MEM_LLM_COMMAND=./other mem-search -n 1 line
	check 'it found something' test -s "$out"
done
check 'the right one again' mem-embed
check_out 'all is there' '[0,53]' state

# ---- a service that is out of order ----

check 'a memory with a vector' sh -c 'export MEM_DB=down.db;
	mem-remember --fact "Ann sells maps" && mem-embed'
at 500final
check_out 'what is remembered says so, once' '1 70' sh -c 'seq 70 | sed "s/^/note /" |
	MEM_DB=down.db mem-remember 2>told >verdicts;
		echo $(grep -c "by words alone, without vectors: ..*" told) $(wc -l <verdicts)'
check_out 'nothing with -q' 0 sh -c \
	'MEM_DB=down.db mem-remember -q --fact "Zoe sells globes" 2>&1 >/dev/null | wc -l'
check_out 'the vectors are to come' '[71,1]' sh -c 'MEM_DB=down.db mem-embed --info |
	jq -c "[.missing, .vectors]"'
check_out 'a context, too, once' 1 sh -c \
	'printf "{\"query\":\"maps\"}\n{\"query\":\"globes\"}\n" |
		MEM_DB=down.db mem-context 2>&1 >/dev/null | wc -l'
check_out 'a search among facts alone says so, too' 1 sh -c \
	'MEM_DB=down.db mem-search --tier insights maps 2>&1 >/dev/null | wc -l'
at ok

# ---- no service ----

check_err 'vectors of a service, and none is set' 0 'no service that embeds is set' env \
	MEM_EMBED_URL= mem-search -n 1 line
check 'found by words' test -s "$out"
check_err 'facts alone, too' 0 'no service that embeds is set.*words alone' env MEM_EMBED_URL= \
	mem-search --tier insights line
check_err 'remembered by words, and it says so' 0 \
	'by words alone, without vectors: no service that embeds is set' env MEM_EMBED_URL= \
	mem-remember --fact 'Bob drinks cocoa'
check_out 'its vector is missing' '[1,53]' state
check_err 'a local model that is named goes before' 66 'no model' mem-embed --model nobody
check_err 'too many dimensions for the store' 65 'dimensions' sh -c \
	'export MEM_DB=wide.db WIDTH=9; mem-ingest <stored >/dev/null;
		MEM_LLM_COMMAND="jq -c --unbuffered \"{ok: true, id, vecs: [.texts[] | [range(5000)]]}\"" mem-embed'
mem-embed

# ---- a text that it does not take ----

cat >picky <<'E'
#!/bin/sh
while read -r line; do
	printf '%s\n' "$line" | jq -c 'def bad: test("number 3 |number 17 ");
		if env.HOW == "null" then {ok: true, id, vecs: [.texts[] | if bad then null else explode | [length, .[0], (add // 1) % 97 - 48, 5] end], failed: [.texts | to_entries[] | select(.value | bad) | {index: .key, message: "not this one"}]}
		elif any(.texts[]; bad) then {ok: false, id,
			error: "reply", message: "a vector is all zeros"}
		else {ok: true, id, vecs: [.texts[] | explode |
			[length, .[0], (add // 1) % 97 - 48, 5]]} end'
done
E
chmod +x picky
for how in null reply; do
	cat >with <<E
export MEM_DB=$how.db HOW=$how MEM_LLM_COMMAND=./picky MEM_EMBED_MODEL=picky
E
	check_err "refused ($how): the others are stored" 65 '2 records were refused' sh -c \
		'. ./with; seq 40 | jq -c "{session: \"s\", role: \"user\", content: \"text number \(.) of them\"}" | mem-ingest -q >/dev/null; mem-embed'
	check_out 'they are missing still' '[2,38]' sh -c '. ./with; mem-embed --info |
		jq -c "[.missing, .vectors]"'
	check 'not asked for again at once' sh -c '. ./with; mem-embed'
	check_err 'but after a minute' 65 '2 records' sh -c '. ./with;
		MEM_NOW=2024-05-20T12:10:30Z mem-embed'
	check 'and when they are taken, all is well' sh -c '. ./with;
		export MEM_NOW=2024-05-20T13:00:00Z; sed -i "s/number 3 |number 17 /never/" picky;
			mem-embed'
	check_out 'complete' '[0,40]' sh -c '. ./with; mem-embed --info |
		jq -c "[.missing, .vectors]"'
	sed -i 's/"never"/"number 3 |number 17 "/' picky
done
check_err 'a filter leaves it out' 65 'stdin:2: not this one' sh -c \
	'HOW=null MEM_LLM_COMMAND=./picky; export HOW MEM_LLM_COMMAND;
		printf "{\"text\":\"a\"}\n{\"text\":\"number 3 x\"}\n{\"text\":\"b\"}\n" |
		mem-embed --filter'
check_out 'and no other' 2 sh -c 'wc -l <"$1"' sh "$out"

at baditem
seq 70 | jq -c '{session: "s", role: "user",
	content: (if . == 50 then "bad one" else "item \(.)" end)}' >items
check_err 'a service that refuses a batch for one of its texts' 65 '1 record was refused' sh -c \
	'export MEM_DB=items.db; mem-ingest <items >/dev/null; mem-embed'
check_out 'the others have theirs' '[1,69]' sh -c 'MEM_DB=items.db mem-embed --info |
	jq -c "[.missing, .vectors]"'

# ---- bad servers ----

at ok
say f 4 | mem-ingest >stored
before=$(state)
mem-search --strategy lexical -n 3 line of f | jq -c 'del(.score, .p)' >want
for bad in hang drip half cut close garbage big bomb badgzip headers values rate ratelong 500final \
	502 401 tofile toftp tohost totls tonowhere circle nothere \
	narrow nan zeros base64 oneshort huge; do
	at $bad
	sqlite3 "$MEM_DB" 'DELETE FROM guard; UPDATE vector_todo SET due = 0'
	MEM_LLM_TIMEOUT=1 in_time 2500 mem-embed
	case $status in 69|65) pass "mem-embed: $bad, $ms ms, $peak KB" ;; *) fail \
		"mem-embed: $bad" "status $status" ;; esac
	[ -z "$late" ] || fail "mem-embed: $bad" "$late"
	[ "$peak" -le 40000 ] || [ -z "$measured" ] || fail "mem-embed: $bad" "it took $peak KB"
	check_out "$bad: the queue is as it was" "$before" state
	sqlite3 "$MEM_DB" 'DELETE FROM guard'
	MEM_EMBED_TIMEOUT=.5 in_time 1500 mem-search --no-touch -n 3 line of f
	if jq -c 'del(.score, .p)' "$out" | cmp -s - want &&
		[ "$(grep -c 'searching by words alone' "$err")" -eq 1 ]; then
		pass "mem-search: $bad, $ms ms"
	else fail "mem-search: $bad" "not as by words, or not said once" mem-search; fi
	[ -z "$late" ] || fail "mem-search: $bad" "$late"
done
at ok
sqlite3 "$MEM_DB" 'DELETE FROM guard; UPDATE vector_todo SET due = 0'
check 'after all that' mem-embed
check_out 'all is there' '[0,58]' state
check 'the store is whole' mem-check --full -q

# ---- facts: they are read in snapshots, in which no call could be accounted ----

spent() { mem-stats --calls | jq -s 'map(.calls) | add'; }
mem-remember -q --fact 'The weather of Oslo is mild.' && mem-embed -q
n=$(spent)
check_out 'a search of facts asks for a vector' '' sh -c \
	'MEM_LLM_BUDGET=1000000 mem-search --tier insights "how is the weather of Oslo?" 2>&1 >found'
check_like '  and uses it' '"sim":' cat found
check '  and the calls are in the ledger' [ "$(spent)" -gt "$n" ]

# ---- guard, budget ----

say g 4 | mem-ingest >stored
n=$(n_asked)
check_err 'over the budget' 69 'budget' env MEM_LLM_BUDGET=1 mem-embed
check 'nothing was sent' test "$(n_asked)" -eq "$n"
at 500final
for i in 1 2 3 4 5; do mem-search -n 1 line >found 2>told; done
check_err 'five failures of searches: left alone' 69 'left alone' mem-embed
check_err 'searches, too' 0 'left alone' mem-search -n 1 line
done_testing
