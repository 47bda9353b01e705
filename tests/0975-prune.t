#!/bin/sh
# mem-prune: limits and policies against a model in awk, dry runs, killed again and again, two at
# once, sessions and metrics. KILLS=20; 'make torture' does 200.
. "${0%/*}/lib.sh"
unset MEM_SEED
: "${KILLS:=20}"

check_out 'without a store there is nothing to prune' '' mem-prune -f
check 'mem-prune makes no store where there is none' test ! -e mem.db
check 'a store with 3,000 facts is made' sh -c '"$B/tests/torture/facts" 3000 >facts'

# model MAX KEY: ids of what is to go, the first in front; of facts: id protected used, as stored.
model() {
	awk -v key="$2" '{ print key == "lru" ? $3 : 0, NR, $1, $2 }' facts | sort -k1,1n -k2,2n |
		awk -v max="$1" -v all="$(wc -l <facts)" '$4 == 0 && all > max { print $3; all-- }'
}
ids() { jq -r .id; }

for policy in fifo lru; do
	model 1000 $policy >want
	mem-prune --max 1000 --policy $policy | ids >got
	check "$policy: what would go is what the model says" cmp got want
done
check_out '-q prints nothing of a dry run' '' mem-prune -q --max 2999
check_out 'a dry run says of each fact that it is dry' \
	'{"did":"removed","dry":true,"why":"fifo, more than 2999 facts"}' \
	sh -c 'mem-prune --policy fifo --max 2999 | jq -c "{did, dry, why}"'
check_out 'a dry run removes no fact' 2 sh -c 'mem-prune --max 2998 | wc -l'
cp mem.db whole.db
model 2500 lru >want
mem-prune -f --max 2500 --policy lru | ids >got
check 'lru: what goes is what the model says' cmp got want
check_out 'a second prune to a limit removes nothing' '' mem-prune -f --max 2500 --policy lru
cp mem.db half.db
check_out 'a line of a crontab says nothing' '' sh -c \
	'mem-prune -qf --db half.db --max 2400 2>&1'
check_out 'a line of a crontab removes what is over the limit' 100 sh -c 'echo $(($(mem-list facts |
	wc -l) - $(mem-list facts -d half.db | wc -l)))'
awk 'NR == FNR { gone[$1] = 1; next } !($1 in gone)' want facts >facts.left
mv facts facts.all
mv facts.left facts
model 0 fifo >want
mem-prune -f --policy fifo --max 0 --batch 100000 | ids >got
check 'all that are not protected, oldest first' cmp got want
check_out 'protected facts stay with a limit of none' "$(awk '$2 == 1' facts | wc -l)" \
	sh -c 'mem-stats -j |
	jq "select(.name == \"facts\") | .value"'
check 'the store is in order after 2,000 facts went' mem-check --deep
check_like '-v says how many facts and metrics went' \
	'removed 0 of 429 facts \(429 protected\), 0 metrics' sh -c 'mem-prune -fv --max 0 2>&1'

# ---- killed ----

mv facts.all facts
cp whole.db kill.db
model 700 lru >want
: >told
k=0
while [ $k -lt "$KILLS" ]; do
	k=$((k + 1))
	mem-prune -d kill.db -f --max 700 --policy lru --batch $((1 + k % 5)) >>told &
	perl -e 'select undef, undef, undef, .004 + rand .03'
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
done
check 'the store is in order after all kills' mem-check -d kill.db --deep
# what was printed is gone, in the order of the model; a line may be torn, and what went last may
# not have been told
grep '}$' told | ids >got
check 'what was told is what the model says, in its order' sh -c \
	'awk "NR == FNR { at[\$1] = FNR; next } !(\$1 in at) || at[\$1] <= last { exit 1 } { last = at[\$1] }" want got'
mem-prune -d kill.db --max 0 | ids >left
check 'what was told is gone' sh -c '! grep -qxFf got left'
mem-prune -d kill.db -f --max 700 --policy lru --batch 100000 >/dev/null
check_out 'in the end exactly what the model says is left' same sh -c \
	'mem-prune -d kill.db --max 0 | jq -r .id | sort >left
	awk "NR == FNR { gone[\$1] = 1; next } \$2 == 0 && !(\$1 in gone) { print \$1 }" want facts | sort | cmp - left && echo same'

# ---- side by side ----

cp whole.db two.db
mem-prune -d two.db -f --max 1000 --batch 3 >one &
mem-prune -d two.db -f --max 1000 --batch 5 --policy lru >two
wait $!
check_out 'two with different policies remove no more than one' 2000 sh -c 'cat one two | wc -l'
check_out 'two prunes side by side remove no fact twice' 0 \
	sh -c 'cat one two | jq -r .id | sort | uniq -d | wc -l'

# ---- least relevant ----

fresh
check 'a store with eight facts is made' sh -c '"$B/tests/torture/facts" 8 >facts'
check 'one turn is said that some facts are about' sh -c \
	'echo "{\"session\":\"s\",\"role\":\"user\",\"content\":\"Shall we play chess in the garden, and have some tea?\"}" | mem-ingest -q --from=ndjson -'
# about 0 tea, 1 coffee, 2 the boat, 3 a bicycle (protected), 4 mountains, 5 Python, 6 the garden, 7
# chess
check_out 'by words: tea, garden and chess stay, and what is protected' \
	"$(sed -n '2p;3p;5p;6p' facts | cut -d ' ' -f 1)" \
	sh -c 'mem-prune -f --policy least-relevant --max 4 | jq -r .id'
fresh
echo '{"session":"s","id":"m1","content":"We play chess in the garden on Sunday."}' | mem-ingest -q
mem-remember --fact 'My boat is called Esker' >own
mem-remember --fact --key tea 'I drink tea in the garden' >ended
mem-remember --fact --key tea 'I drink coffee in the garden' >own2
echo '{"type":"fact","content":"Chess is played in the garden on Sunday","origin":"derived"}' |
	mem-remember >found
check_out 'by default what has ended goes first, then what was found, and last what the user stored' \
	"$(jq -r .id ended found own)" sh -c 'mem-prune --max 1 | jq -r .id'
check_err 'a policy that is not known is refused' 64 'policy' mem-prune --policy best
check_err 'a limit below nothing is refused' 64 '' mem-prune --max -1
check_err 'mem-prune with an operand is refused' 64 "takes no operand, not 'x'" mem-prune x
check_err '--days without --sessions is refused' 64 'goes with --sessions' mem-prune --days 3
check_status 'the limit of facts is taken from its setting' 0 env MEM_FACTS_MAX=2 mem-prune
check_out 'the limit of the setting names two facts' 2 sh -c 'wc -l <"$1"' sh "$out"
check_err 'output of a dry run that cannot be written is told' 74 '' \
	sh -c 'mem-prune --max 2 >/dev/full'
check_err 'output of a prune that cannot be written is told' 74 '' \
	sh -c 'mem-prune -f --max 3 >/dev/full'
check_out 'a fact goes whose output cannot be written' 3 \
	sh -c 'mem-stats -j | jq "select(.name == \"facts\") | .value"'

# ---- sessions ----

fresh
for day in 2024-01-05 2024-04-25 2024-05-19; do
	echo "{\"session\":\"$day\",\"role\":\"user\",\"time\":\"$day\",\"content\":\"canary of $day\"}"
	echo "{\"session\":\"$day\",\"role\":\"assistant\",\"time\":\"$day\",\"content\":\"yes, $day\"}"
done >in.ndjson
check 'three sessions of different age are stored' mem-ingest -q --from=ndjson in.ndjson
check_out 'sessions are pruned only when that is asked for' '' mem-prune -f
check_out 'one session is older than 30 days' '2024-01-05 2 messages, the newest of 2024-01-05' \
	sh -c 'mem-prune --sessions | jq -r "\"\(.session) \(.why)\""'
check_like 'people see what a session is about before it goes' \
	'^would go +session +[A-Za-z].*  [0-9]+ messages?, the newest of ' \
	mem-prune --sessions --format text
check_out 'two sessions are older than three days' 2 sh -c 'mem-prune --sessions --days 3 | wc -l'
check_out 'a session that is old enough is pruned' 2024-01-05 \
	sh -c 'mem-prune -f --sessions | jq -r .session'
check_out 'a pruned session is not in the list' 2 sh -c 'mem-list sessions | wc -l'
check_out 'a pruned session is not found any more' '2024-05-19
2024-04-25' sh -c 'mem-search --strategy bm25 canary | jq -r .session | sort -r'
check 'the store is in order after a session went' mem-check --deep
check_out 'a transcript read again brings it back when that is asked for' 3 sh -c \
	'cp in.ndjson again.ndjson; mem-ingest -q --from=ndjson --pruned again.ndjson;
		mem-list sessions | wc -l'
check 'the store is in order after a session came back' mem-check --deep

# ---- metrics ----

check 'a search of two months ago is counted' env MEM_NOW=2024-03-01 mem-search canary
check 'a search of today is counted' mem-search canary
check_like 'old metrics are pruned and counted' ', [1-9][0-9]* metrics?' sh -c 'mem-prune -fv 2>&1'
check_like 'old metrics are pruned only once' ', 0 metrics' sh -c 'mem-prune -fv 2>&1'
# ---- what was pruned stays away ----

fresh
jq -cn '{type: "session", id: "old", title: "The old one"}, (range(5) | {session: "old",
	id: "o\(.)", role: "user", time: "2023-01-0\(. + 1)T00:00:00Z", content: "zebra \(.)"}),
	(range(3) | {session: "bare", role: "user", time: "2023-02-0\(. + 1)T00:00:00Z",
		content: "okapi \(.)"}),
	{session: "new", id: "n", role: "user", time: "2024-05-19T00:00:00Z", content: "new here"}' >said
sed 's/zebra/quagga/' said >other
check 'three sessions are stored, two of them old' mem-ingest -q said
check 'another user has the three sessions, too' mem-ingest -q -u eve said
check_out 'both old sessions of a user are pruned' '["bare","old"]' \
	sh -c 'mem-prune -f --sessions | jq -r .session | sort |
	jq -Rcn "[inputs]"'
check_like 'pruned sessions that are read again stay away' \
	'ingested 0 messages, 1 duplicate, 8 that were forgotten or pruned, and stay away' sh -c \
	'mem-ingest -v said 2>&1'
check_out 'pruned sessions that are read again leave no empty session' 1 \
	sh -c 'mem-list sessions | wc -l'
check_out 'pruned sessions that are read again are not found' '' \
	mem-search --strategy bm25 zebra okapi
check_like 'other words under pruned ids are the same messages' \
	'[58] that were forgotten or pruned' sh -c 'mem-ingest -v other 2>&1'
check_out 'a dry ingest of pruned sessions would store nothing' '' mem-ingest -n said
check_out 'a dry run prints no title of a session that is gone' '' sh -c \
	'printf "%s\n" "{\"type\":\"session\",\"session\":\"old\",\"title\":\"Zebras\"}" | mem-ingest -n'
check_out 'another user keeps every message' 9 sh -c 'mem-list -u eve messages | wc -l'
echo '{"session":"old","id":"o9","role":"user","time":"2024-05-20T00:00:00Z","content":"zebra again"}' >>said
check_out 'what is new in a pruned session is stored' '["zebra again"]' sh -c 'mem-ingest said |
	jq -c "[.content]"'
check_out 'only what is new in a pruned session is stored' 1 \
	sh -c 'mem-list messages -s old | wc -l'
check_out 'a pruned session with something new takes its title again' \
	'"The old one"' sh -c 'mem-ingest -q said; mem-list -j sessions |
	jq "select(.id == \"old\") | .title"'
check_out 'no words of pruned sessions are in the file' '' \
	sh -c 'mem-check -q --repair >/dev/null 2>&1;
	sqlite3 mem.db "SELECT quote(key) FROM tombstone" | xxd -r -p |
		grep -a -e zebra -e okapi -e o1 || :'
check_out '--pruned stores pruned sessions again' 8 sh -c 'mem-ingest --pruned said | wc -l'
check_like 'sessions that --pruned brought back are as any others' \
	'ingested 0 messages, 10 duplicates, 0 sessions|ingested 0 messages, 10 duplicates' sh -c \
	'mem-ingest -v said 2>&1'
check_out 'a session that --pruned brought back has all messages' 6 \
	sh -c 'mem-list messages -s old | wc -l'
check 'the store is in order after --pruned' mem-check --deep -q
check_out 'sessions that were brought back are pruned for good again' '' sh -c \
	'MEM_NOW=2025-01-01 mem-prune -f --sessions >/dev/null; mem-ingest --from=ndjson said'

# ---- the log of mem-hook ----

fresh
hook() { echo "{\"session_id\":\"$1\",\"prompt\":\"thanks\"}" | mem-hook -u "$2" codex prompt; }
logged() { mem-hook --log -j -u "$1" >log && jq -r .session log | paste -sd ' ' -; }
jq -cn '{session: "old", role: "user", time: "2023-01-01T00:00:00Z", content: "a gnu"}' >said
check 'an old session of two users is stored, with a log' \
	sh -c 'mem-ingest -q said && mem-ingest -q -u tom said'
hook old default && hook new default && hook old tom
check 'a dry prune leaves the log of hooks' mem-prune -q --sessions
check_out 'the log has both sessions after a dry prune' 'old new' logged default
check 'an old session is pruned that is in the log' mem-prune -q -f --sessions
check_out 'the lines of the session that went are gone' new logged default
check_out 'the lines of another user stay in the log' old logged tom

# ---- and leaves nothing behind: numbers of sessions may be given again ----

fresh
jq -cn '{session: "s", role: "user", name: "ann", time: "2023-01-01T00:00:00Z",
	content: "Look:\n\n```c\nint gnu;\n```\n\nand so on"}, {session: "t", role: "user",
	time: "2023-01-01T00:00:00Z", content: "a gnu"}' >said
check 'two sessions are stored to be pruned' mem-ingest -q said
check 'messages are sorted under a category, which is named after them' sqlite3 mem.db \
	"INSERT INTO category SELECT (min(id) >> 44 << 44) + 1, 4, zeroblob(16), 'gnu', '[\"gnu\"]', 1, 1 FROM message;
	INSERT INTO category_member SELECT m.id, 0, c.id FROM message m, category c"
check 'messages are thought to have vectors, or to wait for them' sqlite3 mem.db \
	"INSERT INTO vector_set (name, sha256, dims, unrelated) VALUES ('m', zeroblob(32), 8, 0);
	INSERT INTO vector_done SELECT 1, 0, id, 1 FROM session;
	INSERT INTO vector_todo (vset, kind, row) SELECT 1, 0, id FROM message"
check 'two sessions of a category are pruned' mem-prune -q -f --sessions
check_out 'the category has lost its name, in which their words were' '|[]' sqlite3 mem.db \
	'SELECT name, keywords FROM category'
check_out 'rows are left of the user, the nameless category and tombstones alone, and what was counted' 'category change meta metric peer tombstone user vector_set' sh -c 'for t in $(sqlite3 mem.db "SELECT name FROM sqlite_schema WHERE type = '"'table'"' AND name NOT LIKE '"'sqlite%'"' ORDER BY 1"); do
	[ "$(sqlite3 mem.db "SELECT count(*) FROM $t")" = 0 ] || echo $t; done | paste -sd " "'
done_testing
