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
	skip 'a store with no model and no service cannot embed' "there are models in $B/models"
else
	check_err 'a store with no model and no service cannot embed' 69 'no model' mem-embed
fi
serve
at ok
check 'a store that is not there is embedded without a fault' mem-embed
check 'the service is not asked where no store is' test "$(n_asked)" -eq 0
say a 40 | mem-ingest >stored
check_out 'before any vector the store tells what is missing' '["e",true,null,40,0,null]' \
	sh -c 'mem-embed --info |
	jq -c "[.name, .service, .dimensions, .missing, .vectors, .searched]"'
check 'what is missing is told without asking the service' test "$(n_asked)" -eq 0
check_err 'the service makes vectors of every message' 0 'embedded 40 texts with e' mem-embed -v
check_out 'no message is left without a vector' '[0,40]' state
check_out 'the store tells of how many numbers a vector is' '[8,"e"]' \
	sh -c 'mem-embed --info | jq -c "[.dimensions, .searched]"'
n=$(n_asked)
check 'a second run has nothing to embed' mem-embed
check 'a second run does not ask the service' test "$(n_asked)" -eq "$n"
say b 1 | mem-ingest | mem-embed - >passed
check_out 'messages are embedded in a pipe and passed on' '["b0"]' jq -c '[.source_id]' passed
check_out 'a message from a pipe has its vector' '[0,41]' state
check_out 'one message takes one request of the service' 1 echo $(($(n_asked) - n))
check 'the store is whole with vectors of a service' mem-check --full -q
check_out 'the ledger tells which program called which model' '["mem-embed","e",0]' \
	sh -c 'mem-stats --calls |
	jq -c "[.program, .model, .failed]"'

# The fake's vectors are made of the text's bytes: the same text is the same vector, other texts are
# any.
check_out 'the words of a message find it by its vector' true sh -c \
	'mem-search --strategy dense -n 1 "line 7 of a about the weather" |
		jq ".content == \"line 7 of a about the weather\" and .sim > .99"'
check_out 'vectors take part in a search' true \
	sh -c 'mem-search -n 1 "line 7 of a about the weather" |
	jq ".sim > .99"'
check_out 'vectors take part in a progressive search' true sh -c \
	'mem-search --strategy progressive -n 1 "line 7 of a about the weather" | jq ".sim > .99"'
check 'vectors take part in mem-context' sh -c 'mem-context "line 7 of a about the weather" |
	grep -q "line 7 of a"'
check 'a search with a service says nothing besides' \
	sh -c 'test -z "$(mem-search -n 1 line 2>&1 >/dev/null)"'
touch .mem-off
for off in MEM_MEMORY=off MEM_OFF_UNTIL=2999-01-01 x=y; do
	[ "$off" = x=y ] || rm -f .mem-off
	n=$(n_asked)
	for cmd in 'mem-search "what of the weather"' 'mem-context "and of the storm"' \
		'mem-llm --embed storm' 'mem-audit -q'; do
		(export "$off"; eval "$cmd") >/dev/null 2>&1
	done
	check "where memory is off the service is not asked: $off" test "$(n_asked)" -eq "$n"
	touch .mem-off
done
rm .mem-off
check 'a search by words alone does not ask the service' sh -c 'n=$(wc -l <"$1");
	mem-search --strategy lexical line >/dev/null; test "$(wc -l <"$1")" -eq "$n"' sh "$log"
jq -cn '{session: "p", id: "p0", role: "user", project: "/srv/garden", content: "the gate squeaks"}' |
	mem-ingest | mem-embed - >passed
n=$(n_asked)
jq -cn '{session_id: "h", cwd: "/srv/garden", prompt: "what did we say about the weather?"}' |
	MEM_HOOK_MS=60000 MEM_LIKELY=0.1 mem-hook claude-code prompt >told
check_out 'a hook searches its project, then elsewhere' '"from elsewhere"' sh -c \
	'mem-hook --log | jq .why'
check_out 'a hook that searches twice asks for its vector once' 1 echo $(($(n_asked) - n))
mem-forget -q -f -s p >gone || exit 1
n=$(n_asked)
check 'a profile that may be used is there' sh -c 'mem-profile consent yes &&
	mem-profile set notes "nobody elsewhere is to read this"'
check_out 'the vector of a profile is not missing with a service' '[0,41]' state
check 'a store with a profile is embedded' mem-embed
check 'a profile is not sent to a service' test "$(n_asked)" -eq "$n"
mem-remember --fact 'line 7 of a about the weather' >stored
check_out 'what is remembered has its vector at once' '[0,42]' state
check_out 'facts are found by meaning' true sh -c \
	'mem-search --tier insights "line 7 of a about the weather" | jq ".sim > .99"'
check_out 'each question on stdin is searched with a vector' '2' sh -c \
	'printf "{\"query\":\"line\"}\n{\"query\":\"weather\"}\n" | mem-search -n 1 | wc -l'
check_out 'a filter adds a vector of length one to a record' '[1,8,true]' \
	sh -c 'echo "{\"n\":1,\"text\":\"a\"}" | mem-embed --filter |
	jq -c "[.n, (.vec | length), ((.vec | map(. * .) | add) - 1 | fabs < 1e-5)]"'
check_out 'a filter gives a hundred records a hundred vectors' 100 \
	sh -c 'seq 100 | jq -c "{text: \"x\(.)\"}" | mem-embed --filter |
	jq -c .vec | sort -u | wc -l'

# mem-cluster of records: the vectors are asked for, and where there are none the words do
n=$(n_asked)
check 'records without vectors are clustered by the service' sh -c 'seq 12 |
	jq -c "{text: (if . % 2 == 0 then \"aaaa \" else \"zzzz zzzz zzzz \" end + tostring)}" >lines; mem-cluster -k 2 - <lines >sorted'
check 'clustering records asked the service for vectors' test "$(n_asked)" -gt "$n"
check_out 'every record of several requests has a cluster' true \
	sh -c 'jq -s "length == 12 and all(.[]; .cluster != null)" sorted'
check_out 'a vector that came with a record stays' 1 \
	sh -c 'jq -c "{text, vec: [range(8)]}" lines | head -n 1 |
	mem-cluster - | jq .cluster'
n=$(n_asked)
check 'records are clustered with --words' mem-cluster -k 2 --words - <lines
check 'records that all have a vector are clustered' \
	sh -c 'jq -c "{text, vec: [1, 2, 3]}" lines | mem-cluster -'
check 'records with --words or with vectors of their own ask nobody' test "$(n_asked)" -eq "$n"
check_err 'vectors of another length: by words, and it says so' 0 \
	'vec of another model.*compared by their words' sh -c \
	'{ echo "{\"text\":\"a\",\"vec\":[1,2]}"; cat lines; } | mem-cluster -'
check_out 'records with vectors of another length all come out' 13 wc -l <"$out"
check_err 'a local model that is named goes before the service' 66 'no model' \
	mem-cluster --model nobody - <lines
at 500final
mem-cluster -k 2 --words - <lines >want
check_err 'a service out of order: by words, and it says so' 0 \
	"no vectors of 'e': .*compared by their words" mem-cluster -k 2 - <lines
check 'a service out of order clusters as --words does' cmp "$out" want
check_out '-q says nothing of a service out of order' 0 \
	sh -c 'mem-cluster -q -k 2 - <lines 2>&1 >/dev/null | wc -l'
at ok
ollama ok
check_out 'Ollama with the same model finds the same vectors' '[0,42]' state
say c 3 | mem-ingest >stored
check 'Ollama goes on where another service stopped' mem-embed
check_out 'Ollama has made every vector that was missing' '[0,45]' state
at ok

# ---- what goes there ----

check 'a key is sent, and shown nowhere' env MEM_EMBED_KEY=sesame-123 mem-search -n 1 line
check 'the key of a service is sent to it' grep -q sesame-123 "$log"
check 'the key of a service is in no output and no file' \
	sh -c '! grep -rq sesame-123 "$0" "$1" "$MEM_DB"*' "$out" "$err"
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
check 'a command of your own embeds, with prefixes' \
	sh -c '. ./prefixed; mem-ingest <"$1" >/dev/null;
	mem-embed && : >asked; mem-search -n 1 "alpha beta" >/dev/null' sh stored
check_out 'the question has its prefix' 'find: alpha beta' sh -c 'jq -r ".texts[1]" asked'
: >asked
check 'a question that only names somebody' sh -c '. ./prefixed;
	echo "{\"session\":\"n\",\"role\":\"user\",\"name\":\"Zoe\",\"content\":\"gamma\"}" |
	mem-ingest -q >/dev/null; mem-embed'
check_out 'a passage has a prefix of its own' 'keep: gamma' sh -c 'jq -r ".texts[1]" asked'
check_out 'other prefixes are another model' '[4,0]' sh -c '. ./prefixed;
	MEM_EMBED_PASSAGE_PREFIX= mem-embed --info | jq -c "[.missing, .vectors]"'

# ---- only what is distilled ----

check_out 'with embed_policy distilled no turn gets a vector' '[0,1]' \
	sh -c 'export MEM_DB=distilled.db MEM_EMBED_POLICY=distilled;
	mem-ingest <"$1" >/dev/null; mem-remember -q --fact "Ann drinks tea" >/dev/null; : >"$2";
	mem-embed; mem-embed --info | jq -c "[.missing, .vectors]"' \
	sh stored "$log"
check_out 'turns are missing again without embed_policy distilled' '[3,1]' sh -c \
	'MEM_DB=distilled.db mem-embed --info | jq -c "[.missing, .vectors]"'
check_err 'a policy that is none is refused' 78 embed_policy env MEM_EMBED_POLICY=some mem-embed

# ---- another model ----

say d 5 | mem-ingest >stored
check_out 'another name: another model, nothing of it is there' '[50,0]' sh -c \
	'MEM_EMBED_MODEL=f mem-embed --info | jq -c "[.missing, .vectors]"'
check 'searches of the old one say once that it is not set' sh -c \
	'MEM_EMBED_MODEL=f mem-search -n 3 line >found 2>told; test -s found &&
		test "$(wc -l <told)" -eq 1 && grep -q "names another service or model\|name another service or model" told'
check 'nothing is compared with vectors of another model' sh -c 'jq -e "has(\"sim\") | not" found'
check_err 'another model takes over when it is whole' 0 'embedded 50 texts with f; searches use' \
	env MEM_EMBED_MODEL=f mem-embed -v
check_out 'vectors of the model before are gone' '["f",50]' \
	sh -c 'mem-embed --info | jq -c "[.searched, .missing]"'
check_err 'the first model takes over again' 0 'searches use' mem-embed -v
check_out 'the first model has every vector again' '[0,50]' state

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
	check_out "vectors that do not belong to the model are not stored, $w numbers" '[3,50]' \
		state
	check_err "a search says that vectors do not belong and goes by words, $w numbers" 0 \
		'other vectors' env MEM_LLM_COMMAND=./other mem-search -n 1 line
	check "a search by words found something, $w numbers" test -s "$out"
done
check 'the right model embeds again what was left' mem-embed
check_out 'the right model has made every vector' '[0,53]' state

# ---- a service that is out of order ----

check 'a memory has a fact with a vector' sh -c 'export MEM_DB=down.db;
	mem-remember --fact "Ann sells maps" && mem-embed'
at 500final
check_out 'what is remembered says once that the service is out of order' '1 70' \
	sh -c 'seq 70 | sed "s/^/note /" |
	MEM_DB=down.db mem-remember 2>told >verdicts;
		echo $(grep -c "by words alone, without vectors: ..*" told) $(wc -l <verdicts)'
check_out '-q remembers without a word of a service out of order' 0 sh -c \
	'MEM_DB=down.db mem-remember -q --fact "Zoe sells globes" 2>&1 >/dev/null | wc -l'
check_out 'vectors that no service could make are to come' '[71,1]' \
	sh -c 'MEM_DB=down.db mem-embed --info |
	jq -c "[.missing, .vectors]"'
check_out 'a context says once that the service is out of order' 1 sh -c \
	'printf "{\"query\":\"maps\"}\n{\"query\":\"globes\"}\n" |
		MEM_DB=down.db mem-context 2>&1 >/dev/null | wc -l'
check_out 'a search among facts alone says so, too' 1 sh -c \
	'MEM_DB=down.db mem-search --tier insights maps 2>&1 >/dev/null | wc -l'
at ok

# ---- no service ----

check_err 'a search says that no service is set for its vectors' 0 'no service that embeds is set' \
	env MEM_EMBED_URL= mem-search -n 1 line
check 'without a service a message is found by words' test -s "$out"
check_err 'a search of facts says that no service is set' 0 \
	'no service that embeds is set.*words alone' env MEM_EMBED_URL= \
	mem-search --tier insights line
check_err 'what is remembered without a service goes by words, and it says so' 0 \
	'by words alone, without vectors: no service that embeds is set' env MEM_EMBED_URL= \
	mem-remember --fact 'Bob drinks cocoa'
check_out 'a fact remembered without a service has no vector yet' '[1,53]' state
check_err 'a local model that is named goes before the service, to embed, too' 66 'no model' \
	mem-embed --model nobody
check_err 'a vector of too many numbers for a store is refused' 65 'dimensions' sh -c \
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
	check_out "refused texts are missing still ($how)" '[2,38]' \
		sh -c '. ./with; mem-embed --info |
		jq -c "[.missing, .vectors]"'
	check "refused texts are not asked for again at once ($how)" sh -c '. ./with; mem-embed'
	check_err "refused texts are asked for again after a minute ($how)" 65 '2 records' \
		sh -c '. ./with;
		MEM_NOW=2024-05-20T12:10:30Z mem-embed'
	check "refused texts that are taken later end well ($how)" sh -c '. ./with;
		export MEM_NOW=2024-05-20T13:00:00Z; sed -i "s/number 3 |number 17 /never/" picky;
			mem-embed'
	check_out "every text has its vector once all were taken ($how)" '[0,40]' \
		sh -c '. ./with; mem-embed --info |
		jq -c "[.missing, .vectors]"'
	sed -i 's/"never"/"number 3 |number 17 "/' picky
done
check_err 'a filter leaves out a text that is refused' 65 'stdin:2: not this one' sh -c \
	'HOW=null MEM_LLM_COMMAND=./picky; export HOW MEM_LLM_COMMAND;
		printf "{\"text\":\"a\"}\n{\"text\":\"number 3 x\"}\n{\"text\":\"b\"}\n" |
		mem-embed --filter'
check_out 'a filter leaves out no other text' 2 sh -c 'wc -l <"$1"' sh "$out"

at baditem
seq 70 | jq -c '{session: "s", role: "user",
	content: (if . == 50 then "bad one" else "item \(.)" end)}' >items
check_err 'a service that refuses a batch for one of its texts' 65 '1 record was refused' sh -c \
	'export MEM_DB=items.db; mem-ingest <items >/dev/null; mem-embed'
check_out 'the other texts of a refused batch have their vectors' '[1,69]' \
	sh -c 'MEM_DB=items.db mem-embed --info |
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
	lives="mem-embed lives through a bad server: $bad"
	by_words="mem-search goes by words with a bad server: $bad"
	MEM_LLM_TIMEOUT=1 in_time 2500 mem-embed
	case $status in 69|65) pass "$lives, $ms ms, $peak KB" ;; *)
		fail "$lives" "status $status" ;; esac
	[ -z "$late" ] || fail "$lives" "$late"
	[ "$peak" -le 40000 ] || [ -z "$measured" ] || fail "$lives" "it took $peak KB"
	check_out "the queue is as it was after a bad server: $bad" "$before" state
	sqlite3 "$MEM_DB" 'DELETE FROM guard'
	MEM_EMBED_TIMEOUT=.5 in_time 1500 mem-search --no-touch -n 3 line of f
	if jq -c 'del(.score, .p)' "$out" | cmp -s - want &&
		[ "$(grep -c 'searching by words alone' "$err")" -eq 1 ]; then
		pass "$by_words, $ms ms"
	else fail "$by_words" "not as by words, or not said once" mem-search; fi
	[ -z "$late" ] || fail "$by_words" "$late"
done
at ok
sqlite3 "$MEM_DB" 'DELETE FROM guard; UPDATE vector_todo SET due = 0'
check 'a good server embeds what bad ones left' mem-embed
check_out 'after bad servers every message has its vector' '[0,58]' state
check 'the store is whole after all bad servers' mem-check --full -q

# ---- facts: they are read in snapshots, in which no call could be accounted ----

spent() { mem-stats --calls | jq -s 'map(.calls) | add'; }
mem-remember -q --fact 'The weather of Oslo is mild.' && mem-embed -q
n=$(spent)
check_out 'a search of facts asks for a vector' '' sh -c \
	'MEM_LLM_BUDGET=1000000 mem-search --tier insights "how is the weather of Oslo?" 2>&1 >found'
check_like 'a search of facts uses the vector it asked for' '"sim":' cat found
check 'a search of facts writes its calls into the ledger' [ "$(spent)" -gt "$n" ]

# ---- guard, budget ----

say g 4 | mem-ingest >stored
n=$(n_asked)
check_err 'what is over the budget is not embedded' 69 'budget' env MEM_LLM_BUDGET=1 mem-embed
check 'over the budget nothing is sent to the service' test "$(n_asked)" -eq "$n"
at 500final
for i in 1 2 3 4 5; do mem-search -n 1 line >found 2>told; done
check_err 'after five failures of searches the service is left alone' 69 'left alone' mem-embed
check_err 'a search leaves alone a service that failed, too' 0 'left alone' mem-search -n 1 line

# ---- what is sent ----

fresh
unserve
cat >fake <<'EOF'
tee -a sent | jq --unbuffered -c '{type: "reply", id, ok: true, model: "e"} +
	if .kind == "chat" then {text: "none"} else {vecs: [.texts[] | [1, length, 3]]} end'
EOF
unset MEM_EMBED_URL MEM_CHAT_URL
export MEM_LLM_COMMAND='sh fake' MEM_EMBED_MODEL=e MEM_REDACT=mail
for text in 'the key is AKIAQ7ZXCVBNMASDFGHJ' 'it is <private>AKIA </private>' \
	'the card is 4111 1111 1111 1111' 'write to AKIA@example.org'; do
	jq -nc --arg t "weather: $text" '{session: "s\($t)", role: "user", content: $t}' |
		MEM_REDACT= mem-ingest -q --keep-secrets
	mem-embed -q
	mem-search -q "storm, and $text" >/dev/null
	mem-list messages | mem-extract -q >/dev/null
	check_status "a secret is not sent, though it is stored or asked for: $text" 1 \
		grep -E 'AKIA|4111' sent
	check 'what is no secret is sent' \
		sh -c 'grep -q "weather: " sent && grep -q "storm, and " sent'
	rm sent
done
done_testing
