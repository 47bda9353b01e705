#!/bin/sh
# mem-import killed at random moments: nothing is lost, nothing is there twice, and the next run
# goes on; a pipe that breaks at any byte; as many lines as there may be take little memory.
# KILLS=5 rounds of five kills; 'make torture' does 300 kills.
. "${0%/*}/lib.sh"
unset MEM_NOW MEM_SEED
export MEM_BATCH=40

: "${KILLS:=5}"
seq 1200 | sed 's/.*/{"session":"s&","source_id":"&","role":"user","content":"line & of the log"}/;
	s/"s[0-9]*\([0-9]\)"/"s\1"/' | mem-ingest -q --from=ndjson
MEM_DB="$PWD/mem.db" "$B/tests/torture/facts" 100 >facts
i=0
while [ $i -lt 10 ]; do
	i=$((i + 1))
	mem-edit --importance .$((i % 9)) "$(sed -n "${i}s/ .*//p" facts)" >/dev/null
done
mem-edit --undo >/dev/null
mem-export >all

# Killed so early that there is no store, or late enough that it was done; always the same in the
# end.
i=0 n_killed=0
: >wrong
while [ $i -lt "$KILLS" ]; do
	i=$((i + 1))
	rm -f k.db*
	tries=0
	while tries=$((tries + 1)) && [ $tries -lt 6 ]; do
		mem-import -q -d k.db all 2>/dev/null &
		perl -e 'select(undef, undef, undef, rand(.08))'
		kill -9 $! 2>/dev/null && n_killed=$((n_killed + 1))
		wait $! 2>/dev/null
	done
	mem-import -q -d k.db all 2>>wrong || echo "$i: the last run failed" >>wrong
	mem-export -d k.db >is 2>>wrong
	cmp all is >>wrong
	[ $((i % 5)) -ne 0 ] || mem-check -q --deep -d k.db >>wrong
done
check_out "killed $KILLS times five times: it goes on, nothing is lost, nothing is there twice" '' \
	cat wrong
check 'some imports that were killed were at work' test "$n_killed" -gt 0

# The line breaks at any byte: what came is stored, and the rest comes with the next try.
size=$(wc -c <all)
i=0
: >wrong
rm -f p.db*
while [ $i -lt 10 ]; do
	i=$((i + 1))
	head -c $((size * i / 10 - i * 37)) all | mem-import -q -d p.db >/dev/null 2>told
	[ $? -eq 65 ] || echo "$i: not told" >>wrong
	mem-check -q -d p.db >>wrong
done
mem-import -q -d p.db all 2>>wrong || echo 'the last one failed' >>wrong
mem-export -d p.db | cmp all - >>wrong
check_out 'a line that breaks at ten places' '' cat wrong

# A key that two machines set.
mem-remember -q -d k1.db --fact --key home 'I live in Rome'
mem-remember -q -d k2.db --fact --key home 'I live in Paris'
mem-export -d k1.db >k1
mem-export -d k2.db | mem-import -q -d k1.db
mem-import -q -d k2.db k1
check_out 'both facts on one key hold' 2 sh -c 'mem-list -j facts -d k1.db | wc -l'
mem-export -d k1.db >k1
mem-export -d k2.db >k2
check 'stores after killed imports are the same on both' cmp k1 k2
mem-remember -q -d k1.db --fact --key home 'I live in Oslo'
check_out 'a field that was revoked stays so until it is set again' 'I live in Oslo' sh -c \
	'mem-list -j facts -d k1.db | jq -r .content'

# Two that import the same at once.
rm -f q.db*
mem-import -q -d q.db all &
mem-import -q -d q.db all
one=$?
wait $!
check_out 'two imports at once both succeed' '0 0' echo $one $?
mem-export -d q.db >is
check 'two imports at once store all once' cmp all is

# Exports one behind the other in one pipe: each is held against its own last line.
for db in s1 s2; do
	for n in 1 2 3; do
		printf '{"session":"%s","source_id":"%s%d","content":"%s says %d"}\n' $db $db $n $db $n
	done | mem-ingest -q --from=ndjson -d $db.db
	mem-export -d $db.db >$db
done
cat s1 s2 | mem-import -q -d s3.db
check 'two exports in one pipe' test $? -eq 0
check_out 'exports one behind the other are both stored' 6 \
	sh -c 'mem-list -j messages -d s3.db | wc -l'
sed '$d' s1 >s1.cut
cat s1.cut s2 >s.cut
check_err 'an export that is cut off is told where the next one begins' 65 \
	's.cut:6: of the export before this line: the export is cut off.*; 5 lines came' \
	mem-import -d s4.db s.cut
check_out 'all that came of both exports is stored' 6 sh -c 'mem-list -j messages -d s4.db | wc -l'
check '--part says that a part is meant' mem-import -q --part -d s4.db s.cut
sed 4d s1 | cat - s2 >s.cut
check_err 'a line that is missing of the first is told' 65 \
	's.cut:6: .*not all came .*: 4 lines of 5' mem-import -d s5.db s.cut
mem-forget -qf -d s1.db source:s11
mem-forget -qf -d s2.db source:s22
mem-export -d s1.db --new-for - >s1.news
mem-export -d s2.db --new-for - >s2.news
cp s3.db s6.db
cat s1.news s2.news | mem-import -q -d s3.db
check_out 'what each says was forgotten goes' 's1 says 2,s1 says 3,s2 says 1,s2 says 3' sh -c \
	'mem-list -j messages -d s3.db | jq -r .content | paste -sd ,'
check_out 'records of two files come in by their order' 's1 says 2,s1 says 3,s2 says 1,s2 says 3' \
	sh -c \
	'mem-import -q -d s6.db s1.news s2.news && mem-list -j messages -d s6.db | jq -r .content |
	paste -sd ,'
# the tombstone between messages of one session, all in one load
{
	head -n 1 s1
	grep '"type":"session"' s1
	grep 's1 says 2' s1
	grep tombstone s1.news
	grep 's1 says 1' s1
} >behind.news
check_out 'what comes behind its tombstone stays away' 's1 says 2' sh -c \
	'mem-import -q --part -d s8.db behind.news && mem-list -j messages -d s8.db | jq -r .content'
# tombstones, and nothing behind them
head -n 1 s1.news >only.news && grep tombstone s1.news >>only.news
printf '{"type":"exported","records":%d,"sha256":"%s"}\n' "$(wc -l <only.news)" \
	"$(sha256sum <only.news | cut -d ' ' -f 1)" >last && cat last >>only.news
rm -f s7.db* && cat s1 s2 | mem-import -q -d s7.db
cat only.news s2 | mem-import -q -d s7.db
check_out 'what has nothing else stays where its tombstone is not' \
	's1 says 2,s1 says 3,s2 says 1,s2 says 2,s2 says 3' sh -c \
	'mem-list -j messages -d s7.db | jq -r .content | paste -sd ,'

# Memory does not grow with what comes.
if [ -x "$B/tests/torture/peak" ] && ! grep -q fsanitize "$B/flags" &&
	[ -z "${MEM_TEST_WRAP-}" ]; then
	unset MEM_BATCH
	seq 40000 | sed 's/.*/{"session":"s&","source_id":"&","content":"line & of a longer log"}/;
		s/"s\([0-9]*\)[0-9][0-9]"/"s\1"/' | mem-ingest -q --from=ndjson -d big.db
	mem-export -d big.db >big
	check_out 'many lines go out and in within 64 MB' '' sh -c \
		'for c in "mem-export -d big.db" "mem-import -q -d in.db big"; do
			"$B/tests/torture/peak" kb $c >/dev/null
			[ "$(cat kb)" -lt 65536 ] || echo "$c: $(cat kb) KB"
		done'
else
	skip 'many lines go out and in within 64 MB' 'sanitizers take more, or nothing measures it'
fi

# ---- bad lines without end ----

fresh
seq 3000 | sed 's/.*/{"x":&/' >bad
for p in mem-import 'mem-ingest --from=ndjson' mem-remember 'mem-search -' 'mem-hook --gate'; do
	$p <bad >out 2>err
	check "$p: of bad lines the first hundred are told" test "$(grep -c stdin: err)" -eq 100
	check 'errors tell how many more there were' \
		grep -q "and 2900 more lines, which -v tells" err
	$p -v <bad >out 2>err
	check '-v tells of all lines that are bad' test "$(grep -c stdin: err)" -eq 3000
done
check_out 'lines that are bad are all counted' 3000 sh -c 'mem-import -j bad 2>err | jq .bad'

# ---- what is no memory ----

fresh
from=$ROOT/tests/fixtures/from
for chat in whatsapp.txt irc.log captions.vtt; do
	check_err "a conversation is for mem-ingest: $chat" 65 \
		'is a conversation \(.*\), not a memory: mem-ingest stores it' mem-import "$from/$chat"
done
printf 'From a@x Mon Jan  1 00:00:00 2024\nFrom: a@x\nSubject: Tea\n\nIs there tea?\n' >box
check_err 'mail is for mem-ingest' 65 'is a conversation \(mail\)' mem-import box
check_out 'nothing was stored of conversations' 0 sh -c 'mem-list -j facts | wc -l'
printf -- '- User: prefers tea\n- Assistant: answers briefly\n' >MEMORY.md
check 'a memory that looks like a dialog is one' mem-import -q MEMORY.md
printf '# Memory\n\n- User prefers tabs\n\n## Work\n\nUses pnpm, never npm.\n%s\n%s\n%s\n' \
	'Deploys on Tuesdays.' 'The gate of the yard is behind the second of the doors and' \
	'opens with the blue card.' >MEMORY.md
check_out 'of a memory with a list its paragraphs are stored, too, and wrapped lines as one' \
	'User prefers tabs
Uses pnpm, never npm.
Deploys on Tuesdays.
The gate of the yard is behind the second of the doors and opens with the blue card.' sh -c \
	'mem-import -q -d list.db MEMORY.md && mem-list -d list.db facts -j | jq -r .content'
printf '[2025-01-0%d 10:00] %s\n' 3 'Mara: prefers tea' 4 'Tom: works at the harbour' >people.txt
check_out 'so is a list of what is known of people, with times' 2 sh -c \
	'mem-import -j people.txt | jq .stored'
printf '[2025-01-0%d 10:00:00] - %s\n' 3 'Decision: use pnpm' 4 'Reason: it is fast' >decisionLog.md
check_out 'a memory in Markdown whose lines have times is one' 2 sh -c \
	'mem-import -j decisionLog.md | jq .stored'
mem-export >exported
check_err 'an export is for mem-import' 65 'exported:1: what mem-export wrote: mem-import' \
	mem-ingest -d other.db exported

# ---- what is counted ----

fresh
printf '%s\n' '{"type":"session","session":"bare","title":"Nothing was said"}' \
	'{"type":"session","session":"s","title":"Tea"}' \
	'{"session":"s","source_id":"1","role":"user","name":"Ann","time":"2024-05-01","content":"I like tea.","mood":"good"}' \
	'{"session":"s","role":"assistant","content":"And cake?"}' | mem-ingest -q --from=ndjson
mem-export >all
counted() { mem-import -j "$@" >n 2>faults; jq -r '"\(.stored) \(.same) \(.different)"' n; }
check_out 'a new store has stored all' '4 0 0' counted -d new.db all
check_out 'one that had all has stored nothing, of a session without turns neither' '0 4 0' \
	counted -d new.db all
for edit in '.role = "tool"' '.name = "Tom"' '.time = "2024-05-02"' '.agent = "bot"' \
	'.trust = 1' '.origin = "web"' '.mood = "bad"' '.tool_call_id = "x"'; do
	jq -c "if .source_id == \"1\" then $edit else . end" all >edited
	check_out "a message that differs is counted: $edit" '0 3 1' counted --part -d new.db edited
done
jq -c 'if .content == "And cake?" then .content = "And wine?" | del(.sha256) else . end' all >edited
check_out 'a message without an id of its own is counted, too' '0 3 1' \
	counted --part -d new.db edited
check 'a store that has it all stays as it was' sh -c 'mem-export -d new.db | cmp all -'
jq -c 'if .session == "bare" then .metadata = {"a": 1} else . end' all >edited
check_out 'a session of which more is told is stored' '1 3 0' counted --part -d new.db edited
check_out 'a message without an id is counted once' '0 4 0' counted --part -d new.db edited

done_testing
