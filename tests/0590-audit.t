#!/bin/sh
# mem-audit: planted faults in exports of seven other memories and in ours, what each finding has,
# databases, forms that people copy out by hand, bad input.
. "${0%/*}/lib.sh"
F=$ROOT/tests/fixtures/audit
export MEM_MODELS="$top/none"

# findings FORM FILE ...: "FORM KIND RECORD ..." of each finding, by their ids or FILE:LINE.
findings() {
	form=$1
	shift
	mem-audit -j --words "$@" | jq -r --arg form "$form" '
		"\($form)\t\(.kind)\t" + ([.records[] | if $form == "notes"
			then "\(.file | split("/") | last):\(.line)" else .id end] |
			sort | join(" "))'
}

# Those of all forms of one half, ours by the ids that they came with.
all_findings() {
	for form in chatgpt claude mem0 claude-mem pam; do
		findings $form "$F/$1/$form.json"
	done
	findings notes "$F/$1/notes"
	findings mcp "$F/$1/memory.jsonl"
	(mem-list facts -j --all && mem-list reflections -j) |
		jq -r '"s/\(.id)/\(.source_id)/"' >ids
	findings ours | sed -f ids | awk -F'\t' '{
		n = split($3, id, " ")
		if (n == 2 && id[1] > id[2]) $3 = id[2] " " id[1]
		print $1 "\t" $2 "\t" $3 }'
}

# Half of the faults was there when the rules were written, the other half was not looked at.
for half in learn held; do
	fresh
	mem-ingest -q "$F/$half/turns.ndjson" >/dev/null
	mem-remember -q --keep-secrets <"$F/$half/ours.ndjson" >/dev/null
	run all_findings $half
	sort -u "$out" >found
	awk -F'\t' 'NF == 3' "$F/$half/faults.tsv" | sort -u >planted
	cut -f1-3 "$F/$half/faults.tsv" | sort -u >true
	all=$(wc -l <planted) right=$(comm -12 planted found | wc -l)
	n=$(wc -l <found) wrong=$(comm -13 true found | wc -l)
	name="$half: .6 of the faults are found"
	if [ $((right * 100)) -ge $((all * 60)) ]; then pass "$name"; else
		fail "$name" "$right of $all; not: $(comm -23 planted found)"; fi
	name="$half: at most .1 of the findings are wrong"
	if [ $((wrong * 10)) -le "$n" ]; then pass "$name"; else
		fail "$name" "$wrong of $n: $(comm -13 true found)"; fi
done
cp mem.db before.db
run mem-audit -j "$F/held/pam.json"
check 'an audit stores nothing in the store' cmp mem.db before.db

fresh
mem-ingest -q - >/dev/null <<'EOF'
{"type":"message","session":"s","source_id":"a","time":"2023-01-05T10:00:00Z","role":"user","content":"My name is Ann Lee. I live in Porto."}
{"type":"message","session":"s","source_id":"b","time":"2023-01-05T10:01:00Z","role":"assistant","content":"You could keep bees."}
{"type":"message","session":"t","source_id":"c","time":"2024-02-01T10:00:00Z","role":"user","content":"We moved to Bergen last month. I quit the bakery. I no longer live in Porto."}
EOF
id() { mem-show -j "source:$1" | jq -r 'select(.type == "message") | .id'; }
c=$(id c)
cat >m.json <<'EOF'
{"memories":[{"id":"1","content":"User lives in Porto.","updated_at":"2023-01-06T00:00:00Z"},
 {"id":"2","content":"User keeps bees.","updated_at":"2023-01-06T00:00:00Z"},
 {"id":"3","content":"User works at a bakery","updated_at":"2023-01-06T00:00:00Z"}]}
EOF
check_out 'a finding has its record, why, and the turns for and against it' \
	"{\"kind\":\"stale\",\"why\":\"a later turn says otherwise\",\"records\":[{\"form\":\"chatgpt\",\"file\":\"m.json\",\"id\":\"1\",\"content\":\"User lives in Porto.\"}],\"evidence\":[\"I live in Porto.\",\"I no longer live in Porto.\"]}" \
	sh -c 'mem-audit -j m.json | head -n 1 | jq -c "{kind, why, records: [.records[] | del(.time)], evidence: [.evidence[].quote]}"'
check_out 'a source is told by its session and place, too' 's 0 t 0' sh -c "mem-audit -j m.json |
	jq -r 'select(.records[0].id == \"1\") | [.evidence[] | .session, .turn] | join(\" \")'"
check_out 'for people by an end of it that is of no other' \
	'We moved to Bergen last month. I quit the bakery. I no longer live in Porto.' sh -c \
	"mem-audit m.json --format text | sed -n 's/^ *\([^ ]*\) .*no longer live.*/\1/p' |
		xargs mem-show | jq -r .content"
check_out 'evidence is named by the id of its turn' "$c" sh -c \
	"mem-audit -j m.json | jq -r 'select(.records[0].id == \"1\") | .evidence[1].id'"
check_out 'what the user gave up is stale' 'I quit the bakery.' sh -c \
	"mem-audit -j m.json | jq -r 'select(.kind == \"stale\" and .records[0].id == \"3\") | .evidence[-1].quote'"
check_out 'what an assistant said of the user supports nothing' 'unsupported []' sh -c \
	"mem-audit -j m.json | jq -r 'select(.records[0].id == \"2\") | \"\\(.kind) \\(.evidence)\"'"
cp mem.db own.db
mem-remember -q -d own.db --fact 'The bees of Porto are called Ottilie'
check_out 'what the user stored himself needs no turn that says so' '' \
	mem-audit -j -d own.db --only unsupported
echo '{"type":"fact","content":"The wasps of Porto are called Ottmar","origin":"assistant"}' |
	mem-remember -q -d own.db
check_out 'what an assistant stored needs one' 'The wasps of Porto are called Ottmar' \
	sh -c 'mem-audit -j -d own.db --only unsupported | jq -r ".records[].content"'
check_out 'only kinds that are wanted' 'unsupported' sh -c \
	"mem-audit -j --only unsupported,secret m.json | jq -r .kind | sort -u"
check_like 'for people: the kind, the place, the turn' '^  .* 2024-02-01 I no longer live' \
	mem-audit --format text m.json
check_like 'a place is told as editors know it' '^  m.txt:2$' sh -c \
	"printf 'Memories:\nUser keeps bees.\n' >m.txt; mem-audit --format text m.txt"
check_out 'another user has no evidence' '' sh -c \
	"mem-audit -u other -j --only unsupported,stale m.json"
check_err 'an audit without transcripts says so' 0 'no transcripts are stored' \
	mem-audit -u other -j m.json

# what is said of somebody else in half a sentence, and words that are a name
cat >m.json <<'EOF'
{"memories":[{"id":"1","content":"User has a brother, Arun, who is a baker in Leicester."},
 {"id":"2","content":"User works as a lecturer at the university."},
 {"id":"3","content":"The shift planner is written in Django."},
 {"id":"4","content":"The shift planner runs on a Raspberry Pi."}]}
EOF
check_out "a brother's work is not the user's, and a name is no working hours" '' sh -c \
	"mem-audit -j --only contradiction m.json"

# newer, of a contradiction
cat >m.json <<'EOF'
[{"id":"1","memory":"User prefers dark mode","created_at":"2024-01-02T00:00:00Z"},
 {"id":"2","memory":"User no longer prefers dark mode","created_at":"2023-01-02T00:00:00Z"}]
EOF
check_out 'the older record comes first, the newer is told' 'contradiction ["2","1"] 1' sh -c \
	"mem-audit -j m.json --only contradiction | jq -r '\"\\(.kind) \\([.records[].id]) \\(.newer)\"'"
jq -c 'map(del(.created_at)) | .[]' m.json >lines.json
check_out 'without times neither is the newer' 'null' sh -c \
	"mem-audit -j lines.json --only contradiction | jq -r .newer"
check_out 'a record on a line has its number' '[1,2]' sh -c \
	"mem-audit -j lines.json --only contradiction | jq -c '[.records[].line]'"

# claims TEXT...: m.json of these.
claims() { jq -cn '[$ARGS.positional[] | {memory: .}]' --args "$@" >m.json; }
pairs() { claims "$@" && mem-audit -j m.json --only contradiction | jq -r .why; }
# what mem-remember tells of two facts, and no more
check_out 'another value of what has one' 'each gives another value to what has one' \
	pairs 'User lives in Porto' 'User lives in Bergen'
check_out 'another value of a type is a contradiction, in other words for the thing, too' \
	'each gives another value to what has one' pairs 'Package manager: yarn' 'We use bun.'
check_out 'a value of another thing contradicts nothing' '' \
	pairs 'The kiln listens on port 7070' 'The wheel listens on port 7171'
check_out 'the opposite of a record is a contradiction' 'one says the opposite of the other' \
	pairs 'User eats meat' 'User does not eat meat'
check_out 'another value of something else is none' '' \
	pairs 'The agreed threshold for speed is 80' 'The agreed threshold for access is 100'
check_out 'what was on two days is no contradiction' '' \
	pairs 'The review was on Friday' 'The review of the budget was on Monday'

# whose a record is, is no word of it
same() { claims "$@" && mem-audit -j --words m.json --only duplicate |
	jq -r '[.records[].content] | join(" | ")'; }
check_out 'records of one project are not the same for that' '' same \
	'/home/ann/tide: Receipts carry the tax number' \
	'/home/ann/tide: From now on builds are signed'
check_out "words of one speaker are no contradiction of another's" '' \
	same 'Bea: I just signed with a new club' \
	'Bea: we got to see the lighthouse' 'Bea: my favourite was the harbour'
check_out 'records are the same where their words are' \
	'Bea: I row on Tuesdays | Bea: I really row on Tuesdays' same \
	'Bea: I row on Tuesdays' 'Bea: I really row on Tuesdays' \
	'Emil: I row on Tuesdays' 'Emil: the boat is green'
mem-remember -q -d whose.db <<'EOF'
{"type":"fact","content":"/home/ann/tide: Receipts carry the tax number","project":"/home/ann/tide"}
{"type":"fact","content":"/home/ann/tide: From now on builds are signed","project":"/home/ann/tide"}
{"type":"fact","content":"The pump was repaired in the spring","project":"/home/ann/tide"}
{"type":"fact","content":"The pump was repaired in the spring","project":"/home/ann/heron"}
{"type":"fact","content":"I keep two goats","name":"Bea"}
{"type":"fact","content":"I keep two goats","name":"Emil"}
EOF
check_out 'facts of two projects or people are not compared' '' sh -c \
	'mem-audit -j --words -d whose.db --only duplicate,contradiction'
# what a later turn says has ended
cat >ends.ndjson <<'EOF'
{"session":"e","source_id":"1","time":"2023-01-05T10:00:00Z","role":"user","content":"I sing in a choir, and I keep bees."}
{"session":"e","source_id":"2","time":"2023-01-06T10:00:00Z","role":"user","content":"Redis is the session cache, and the queue is in Kafka."}
{"session":"e","source_id":"3","time":"2023-03-05T10:00:00Z","role":"user","content":"I gave up the choir last month."}
{"session":"e","source_id":"4","time":"2023-03-05T10:01:00Z","role":"user","content":"I gave up the bees."}
{"session":"e","source_id":"5","time":"2023-03-06T10:00:00Z","role":"user","content":"Redis was replaced with Valkey for the session cache."}
EOF
mem-ingest -q -d ends.db ends.ndjson >/dev/null
stale() { claims "$@" && mem-audit -j -d ends.db m.json --only stale | jq -r .records[0].content; }
check_out 'what a later turn says has ended' 'User sings in a choir
User keeps bees' stale 'User sings in a choir' 'User keeps bees'
check_out 'what gave way to another is a contradiction' 'Redis is the session cache' \
	stale 'Redis is the session cache' 'The queue is in Kafka' 'Valkey is the session cache'

# The turn that a fact rests on is not later than the fact, though an earlier one has its words.
jq -nc '{session: "s", role: "user", content: "the choir site and eleventy and astro", time: "2026-08-03T10:00:00Z"},
	{session: "t", role: "user", content: "ok decision: we move the choir site to eleventy, astro is out. not tonight", time: "2026-09-02T10:00:00Z"}' |
	mem-ingest -q -d own.db - >/dev/null
mem-list -d own.db messages -j </dev/null | mem-extract --rules -d own.db |
	mem-remember -q -d own.db
check_out 'no fact is stale by the turn it rests on' '' mem-audit -d own.db --words --only stale

cat >written.ndjson <<'EOF'
{"session":"p","source_id":"6","time":"2023-01-06T10:00:00Z","role":"user","content":"I'm on an iphone 12. The shelf is 60cm deep, and I paid 1.4k for the desk. I fixed the desk with a drop hinge."}
{"session":"p","source_id":"7","time":"2023-02-06T10:00:00Z","role":"user","content":"the cabinet has a hinge too, drop hinge."}
{"session":"p","source_id":"8","time":"2023-02-07T10:00:00Z","role":"user","content":"the mill ran 80 days w/out a stop"}
EOF
mem-ingest -q -d written.db written.ndjson >/dev/null
judged() {
	claims "$@" && mem-audit -j -d written.db m.json --only unsupported,stale |
		jq -r '"\(.kind) \(.records[0].content)"'
}
check_out 'however a word or a number is written' '' \
	judged 'Has an iPhone 12' 'The shelf is 60 cm deep' 'Paid 1,400 for the desk' \
	'The mill ran 80 days without a stop'
check_out 'a verb without an ending ends nothing' '' judged 'The desk is fixed with a drop hinge'

check_out 'who turned something down tells no age' '' \
	pairs 'User turned down the offer' 'User is 41 years old'

# an entity that is the user, whose name a graph joins
printf '%s\n' '{"type":"entity","name":"Ann_Lee","entityType":"person","observations":["Keeps bees in Porto"]}' >graph.jsonl
cat >ann.ndjson <<'EOF'
{"session":"a","source_id":"1","time":"2023-01-05T10:00:00Z","role":"user","content":"My name is Ann Lee."}
{"session":"a","source_id":"2","time":"2023-01-06T10:00:00Z","role":"assistant","content":"Ann Lee keeps bees in Porto."}
EOF
mem-ingest -q -d ann.db ann.ndjson >/dev/null
check_out 'of an entity that is the user an assistant is no witness' unsupported sh -c \
	"mem-audit -j -d ann.db --name 'Ann Lee' graph.jsonl | jq -r .kind"

# one thing said many times
jq -cn '{memories: [range(600) | {id: "\(.)", content: "User rows on Sundays"}]}' >many.json
check_out 'of many that are the same each repeats the first' '599 1' sh -c \
	"mem-audit -j --only duplicate many.json | jq -s -r '\"\\(length) \\([.[].records[0].id] | unique | length)\"'"

# secrets never come out
key=AKIAQX7ZPLM3KD9VTR2E
echo "[{\"memory\":\"The key is $key, again\"}]" >m.json
check_out 'a secret is named, not shown' 'it holds a secret: aws-key: The key is [REDACTED:aws-key], again' \
	sh -c "mem-audit -j m.json --only secret | jq -r '\"\\(.why): \\(.records[0].content)\"'"
run mem-audit -j -v m.json
check_status 'a secret stands nowhere in what is printed' 1 grep -q $key "$out" "$err"

echo "{\"memories\":[{\"id\":\"$key\",\"content\":\"User likes tea\"}]}" >m.json
check_out 'a secret in an id is not printed' '[REDACTED:aws-key]' \
	sh -c 'mem-audit -j m.json --only secret | jq -r .records[0].id'

# what people note down beside it, and what opens a door
secrets() { claims "$@" && mem-audit -j m.json --only secret | jq -r .records[0].content; }
check_out 'both halves of a key' \
	'S3 has key [REDACTED:aws-key] and secret [REDACTED:aws-secret]' \
	secrets 'S3 has key AKIAQX7ZPLM3KD9VTR2E and secret Wm3/Xq8+Rt5vZb2LkNc7Yd/Hf4JgPu6Ea9TsQoBi'
check_out 'a password is told once and not shown' 'Bank password: [REDACTED:password]' \
	secrets 'Bank password: Tulip2019!!'
check_out 'what opens a door' 'Door code of the allotment shed is [REDACTED:pin]
The padlock at the marina opens with [REDACTED:pin].' \
	secrets 'Door code of the allotment shed is B7734K' \
	'The padlock at the marina opens with 6180.'
check_out 'no year, code of another kind or path is a secret' '' \
	secrets 'The door code is in the red book since 2021' 'The area code is 01865' \
	'The login page is src/App42/Components/UserLogin/Index2024File'

# nor in the quotes of turns, which may be stored with what no filter of mem-ingest knows
rm -f q.db
printf '%s\n' '{"session":"k","role":"user","content":"I live in Rome, and the gate code is 4471."}' \
	'{"session":"k","role":"user","content":"I moved to Oslo, my password is Tulip2019!!"}' |
	mem-ingest -q --keep-secrets -d q.db --from=ndjson
claims 'User lives in Rome.' 'User lives in Oslo.'
check_out 'quotes have none either' 'I live in Rome, and the gate code is [REDACTED:pin].
I moved to Oslo, my password is [REDACTED:password]' sh -c \
	'mem-audit -j -d q.db --words m.json | jq -r ".evidence[].quote" | head -n 2'

# forms that no fixture has
cat >list.md <<'EOF'
# Memories

- [2024-01-02] - User has a cat called Tom
* User has a cat called Tom! #pets (from the app)
1. see [[Cats]]
EOF
check_out 'lists that were copied out of a chat' '["User has a cat called Tom","User has a cat called Tom!"] 2024-01-02T00:00:00Z' \
	sh -c "mem-audit -j list.md --only duplicate | jq -r '\"\\([.records[].content]) \\(.records[0].time)\"'"
echo '{"notes":[{"no":7,"say":"User rows"},{"no":8,"say":"User rows"}]}' >own.json
check_out 'a form of the user, by a line of jq' '["7","8"]' sh -c \
	"mem-audit -j own.json --map '.notes[] | {id: (.no | tostring), content: .say}' | jq -c 'select(.kind == \"duplicate\") | [.records[].id]'"
check_out 'a time may be seconds since 1970' 2024-05-01T00:00:00Z sh -c \
	"mem-audit -j own.json --map '.notes[] | {content: .say, time: 1714521600}' |
		jq -r '.records[0].time' | head -n 1"
mkdir -p dir/sub dir/.git
printf -- '- User rows\n' | tee dir/a.md dir/.git/c.md >dir/sub/b.md
check_out 'a directory, with what is below it and not hidden' '["dir/a.md","dir/sub/b.md"]' sh -c \
	"mem-audit -j dir --only duplicate | jq -c '[.records[].file]'"
if command -v sqlite3 >/dev/null 2>&1; then
	sqlite3 claude-mem.db <<'EOF'
CREATE TABLE observations(id INTEGER PRIMARY KEY, title TEXT, facts TEXT, narrative TEXT,
  text TEXT, created_at TEXT);
CREATE TABLE session_summaries(id INTEGER PRIMARY KEY, learned TEXT, completed TEXT, created_at TEXT);
INSERT INTO observations VALUES(1, 'Cache', '["Redis is the cache"]', NULL, NULL, '2024-01-02T00:00:00Z');
INSERT INTO observations VALUES(2, 'Cache', '[]', NULL, NULL, '2024-01-02T00:00:00Z');
INSERT INTO session_summaries VALUES(5, 'Redis is the cache', NULL, '2024-01-03T00:00:00Z');
EOF
	check_out 'the database of claude-mem is read' '["1","summary 5"]' sh -c \
		"mem-audit -j claude-mem.db --only duplicate | jq -c '[.records[].id]'"
	sqlite3 history.db <<'EOF'
CREATE TABLE history(id TEXT, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,
  created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT);
INSERT INTO history VALUES('a', 'm1', NULL, 'Rows', 'ADD', '2024-01-02', NULL, 0, NULL, NULL);
INSERT INTO history
  VALUES('b', 'm1', 'Rows', 'Rows on Mondays', 'UPDATE', '2024-01-02', '2024-01-03', 0, NULL, NULL);
INSERT INTO history VALUES('c', 'm2', NULL, 'Rows on Mondays', 'ADD', '2024-01-02', NULL, 0, NULL, NULL);
INSERT INTO history VALUES('d', 'm3', NULL, 'Rows on Mondays', 'ADD', '2024-01-02', NULL, 0, NULL, NULL);
INSERT INTO history
  VALUES('e', 'm3', 'Rows on Mondays', NULL, 'DELETE', '2024-01-02', NULL, 1, NULL, NULL);
EOF
	check_out "mem0's database: what each memory is now" '["m2","m1"]' sh -c \
		"mem-audit -j history.db --only duplicate | jq -c '[.records[].id]'"
	sqlite3 other.db 'CREATE TABLE x(y)'
	check_err 'a database of something else' 65 "'other.db': a database of no memory" \
		mem-audit other.db
else
	skip 'databases' 'no sqlite3'
fi

# bad input
printf '{"memory":"User rows"}\n{"memory":\n{"memory":"User rows"}\n' >m.json
check_err 'a bad line is named' 65 '^mem-audit: m.json:2: ' mem-audit -j m.json
check_out 'the other records beside a bad one are looked at' duplicate \
	jq -r 'select(.kind == "duplicate") | .kind' "$out"
head -c 60 "$F/learn/pam.json" >cut.json
check_err 'a file that breaks off' 65 'cut.json' mem-audit cut.json
echo '{"a":1,"b":2}' >none.json
check_err 'JSON that is no memory' 65 'its keys are a, b' mem-audit none.json
check_err 'a file that is not there is told' 66 'none.md' mem-audit none.md
printf 'a\000b' >bin.md
check_err 'a file that is no text is told' 65 "'bin.md' is no memory" mem-audit bin.md
echo '{"memories":[{"id":7,"content":"User rows"},{"id":8,"content":"User rows"}]}' >numbers.json
check_out 'an id may be a number' 7,8 sh -c \
	"mem-audit -j --only duplicate numbers.json | jq -r '[.records[].id] | join(\",\")'"
mkdir -p mixed/deeper
printf 'a\000b' >mixed/a.md
printf 'User rows\nUser rows\n' >mixed/deeper/b.txt
ln -s . mixed/loop && ln -s deeper/b.txt mixed/c.txt
check_err 'a file of a directory that is no memory is named' 65 "'mixed/a.md' is no memory" \
	mem-audit -j --only duplicate mixed
check_out 'other files are read once each, and links are not followed' mixed/deeper/b.txt:2 \
	jq -r '.records[1] | "\(.file):\(.line)"' "$out"
check_err 'a map that is no jq' 78 'map' mem-audit --map '{' own.json
check_err 'a kind of finding that nobody knows is refused' 64 "no kind 'old'" \
	mem-audit --only old m.json
# ---- an answer ----

fresh
mem-ingest -q - <<'EOF'
{"session":"yard","source_id":"y1","role":"user","content":"We painted the barn in May. The roof of the barn is green."}
{"session":"yard","source_id":"y2","role":"user","content":"In Graz Ruth repairs the old kiln. The glaze does not contain lead."}
EOF
mem-remember -q 'The kiln fires at 1200 degrees.'
cat >answer.md <<'EOF'
# The yard

The roof of the barn is green. Is that so? Sure!

- The kiln fires at 1300 degrees.
- In Graz Ines repairs the old kiln.

The glaze contains lead. The wheel was bought in Oslo.
EOF
answered() { mem-audit -j --words --answer answer.md "$@"; }
check_out 'each sentence of an answer is supported, contradicted, or not in memory' \
	'3 supported The roof of the barn is green. < The roof of the barn is green.
5 contradiction The kiln fires at 1300 degrees. < The kiln fires at 1200 degrees.
6 contradiction In Graz Ines repairs the old kiln. < In Graz Ruth repairs the old kiln.
8 contradiction The glaze contains lead. < The glaze does not contain lead.
8 unsupported The wheel was bought in Oslo. < null' sh -c 'mem-audit -j --words --answer answer.md |
	jq -r "\"\(.records[0].line) \(.kind) \(.records[0].content) < \(.evidence[0].quote)\""'
check_status 'an answer that contradicts the memory ends with 1' 1 answered
printf '%s\n\n' 'The roof of the barn: green.' 'The roof of the barn: grey.' \
	'We painted the old barn, and the wheel as well, in May.' >answer.md
check_out 'what is said otherwise, or says more, is not supported' \
	'supported unsupported unsupported' sh -c \
	'mem-audit -j --words --answer answer.md | jq -r .kind | paste -s -d " " -'
mem-ingest -q - <<'EOF'
{"session":"mill","role":"user","content":"The mill opened on 3 March 2024. The gate costs 90 euros a month. Between 20 and 30 guests saw the mill. The mill stands still when the river is frozen."}
{"session":"mill","role":"user","content":"The shop at the mill is closed on Mondays. Ulla never grinds rye after noon. Iven sold 2 sacks to Graz and 1 sack to Linz. Jonna was born in 1989 in Linz."}
EOF
kinds() { mem-audit -j --words --answer answer.md | jq -r .kind | sort | uniq -c | xargs; }
printf '%s\n\n' 'The mill opened on 2024-03-03.' 'The gate costs 1080 euros a year.' \
	'25 guests saw the mill.' 'The mill does not stand still when the river is high.' \
	'The shop at the mill is not open on Mondays.' 'Ulla grinds rye before noon.' \
	'Iven sold 3 sacks.' 'Malte was born in 1991 in Linz.' >answer.md
check_out 'what holds in another form or of another thing is no contradiction' '' \
	sh -c "mem-audit -j --words --answer answer.md | jq -r 'select(.kind == \"contradiction\")'"
printf '%s\n\n' 'The mill opened on 4 March 2024.' 'The gate costs 80 euros a month.' \
	'The shop at the mill is not closed on Mondays.' 'Ulla grinds rye after noon.' \
	'Jonna was born in 1991 in Linz.' >answer.md
check_out 'another number, and the opposite word, contradict what is stored' '5 contradiction' \
	kinds
echo 'The kiln fires at 1200 degrees.' >answer.md
check_out 'an answer that a fact bears out ends with 0' supported sh -c \
	'mem-audit -j --answer - <answer.md | jq -r .kind'
# said SESSION DAY TEXT: what a user says then
said() {
	jq -cn --arg s "$1" --arg t "2024-05-$2T09:00:00Z" --arg c "$3" \
		'{session: $s, role: "user", time: $t, content: $c}'
}
{
	said w1 10 'Rehearsal is at 8.'
	said w2 20 'Rehearsal was moved to 9.'
} | mem-ingest -q -d turned.db -
turned() {
	echo "$1" | mem-audit -j --words -d turned.db --answer - |
		jq -r '"\(.kind) \([.evidence[].quote] | join(" < "))"'
}
check_out 'what a later turn ends contradicts the answer' \
	'contradiction Rehearsal is at 8. < Rehearsal was moved to 9.' turned 'Rehearsal is at 8.'
check_err 'the last line counts the findings of each kind' 1 '1 record: 1 contradiction;' sh -c \
	'echo "Rehearsal is at 8." | mem-audit -v --words -d turned.db --answer -'
check_like 'what the later turn itself says is supported' '^supported Rehearsal was' \
	turned 'Rehearsal was moved to 9.'
{
	said p1 1 'the piano is tuned by Osei'
	said p1 2 'the piano is heard by all of us'
	said p2 20 'osei is off to Ghana for good, we take the man from Linz'
	said q1 1 'the boat house is locked by Lena'
	said q2 20 'is the boat house locked by Lena?'
	said r1 1 'the yeast comes from Tolnau'
	said r2 20 'Tolnau had a flood'
	said r3 21 'the yeast comes from Tolnau'
} | mem-ingest -q -d named.db -
named() {
	echo "$1" | mem-audit -j --words -d named.db --answer - |
		jq -r '"\(.kind) \([.evidence[].quote] | join(" < "))"'
}
check_out 'an answer whose thing a user named since is doubtful, whatever the words' \
	'doubtful the piano is tuned by Osei < osei is off to Ghana for good, we take the man from Linz' \
	named 'The piano is tuned by Osei.'
check_like 'a later question does not make it so' '^supported' \
	named 'The boat house is locked by Lena.'
check_like 'what was said before it was said again leaves no doubt' '^supported' \
	named 'The yeast comes from Tolnau.'
printf '%s\n' 'The roof of the barn is green.' 'The barn was painted in May. The glaze' \
	'contains lead. The wheel was bought in Oslo.' 'The kiln fires at 1300 degrees.' >lines.md
check_out 'a finding has the line on which its sentence begins' '1 2 2 3 4' sh -c \
	'mem-audit -j --words --answer lines.md | jq -r ".records[0].line" | paste -s -d " " -'
echo 'The kiln fires at 1250 degrees, the key is ghp_abcdefghijklmnopqrstuvwxyz0123456789.' >key.md
check_out 'a key in an answer is not printed' '0' \
	sh -c 'mem-audit -j --words --answer key.md | grep -c ghp_abcdef || true'
mkdir answers
check_err 'without a store an answer is not checked' 66 'no store at .* to check it by' \
	env MEM_DB="$PWD/nowhere.db" mem-audit --answer answer.md
check_err 'a directory is no answer' 64 'takes no directory' mem-audit --answer answers
check_err 'an answer is checked alone' 64 'takes no other file' answered m.json

: >empty.json
check_out 'an empty file holds nothing' '' mem-audit -j empty.json
check_out 'a store that is not there is no fault' '' mem-audit -d nowhere.db -j
check_status 'no store is made by an audit' 1 test -e nowhere.db
done_testing
