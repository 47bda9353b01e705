#!/bin/sh
# mem-summarize: sessions and facts, what is left out, staleness, jobs, a model and its failures,
# bad input.
. "${0%/*}/lib.sh"
. "$tests/llm.sh"
unset MEM_SEED
export MEM_MODELS="$top/none"

# say SESSION TURN ROLE TEXT: a message.
say() { jq -nc --arg s "$1" --arg t "$2" --arg r "$3" --arg c "$4" \
	'{type: "message", session: $s, source_id: "\($s)\($t)", role: $r, content: $c, time: "2024-05-0\($t)T10:00:00Z"}'; }
talk() {
	say A 1 user 'My sister Anna moved to Lisbon in March 2023.'
	say A 2 assistant 'How nice! Lisbon is warm.'
	say A 3 user \
		'We decided to use PostgreSQL for the billing service. It costs $1,250 a month.'
	say A 4 assistant 'PostgreSQL is a good choice for the billing service.'
	say A 5 user 'The billing service must be ready by 14 June, and Omar will test the billing service.'
}

check_out 'without a store nothing is summed up' '' mem-summarize
talk | mem-ingest -q - >/dev/null
say B 1 user 'Hello there.' | mem-ingest -q - >/dev/null
check 'one of two sessions has enough to be summed up' mem-summarize && cp "$out" first
check_out 'the summary is of the session that has enough' 'A session 0 4' \
	jq -r '"\(.session) \(.kind) \(.first) \(.last)" ' first
check_like 'the summary of a session tells what was decided' 'PostgreSQL for the billing service' \
	cat first
check 'a summary is not over its tokens' jq -e '(.content | utf8bytelength) <= 800' first
check 'each source of a summary is the very sentence' sh -c '
	jq -c ".content as \$c | .sources[] | [.id, .start, .length, \$c]" first |
		while IFS= read -r l; do
		id=$(printf "%s\\n" "$l" | jq -r ".[0]")
		mem-show "$id" | jq -e --argjson l "$l" "(.content | explode | .[\$l[1]:\$l[1] + \$l[2]] | implode) as \$s | \$l[3] | contains(\$s)" >/dev/null || exit 1
	done'
check_out 'a summary has the lowest trust of those whose words it has' 'derived 2' \
	jq -r '"\(.origin) \(.trust)"' first
check 'a decision of a session is listed apart' jq -e '.structured.decisions | length == 1' first
check 'names of a session are listed apart' \
	jq -e '.structured.entities | index("PostgreSQL") and index("Omar")' first
check_out 'a second run has nothing to sum up' '' mem-summarize
check_out 'a new summary is not stale' 'null' sh -c 'mem-list summaries | jq .stale'

# ---- what is left out ----

check 'a session is summed up in 20 tokens' mem-summarize --tokens 20 --messages 1 -s B
check 'the summary of another session stays as it was' sh -c \
	'test "$(mem-list summaries -s A | jq -r .content)" = "$(jq -r .content first)"'
fresh
talk | mem-ingest -q - >/dev/null
check 'a session of five turns is summed up in 20 tokens' mem-summarize --tokens 20
check 'a summary of 20 tokens is under 80 bytes' jq -e '(.content | utf8bytelength) <= 80' "$out"
lost() { jq -c "[.lost.$1[]?] | sort" "$out"; }
run mem-list summaries
lost names >got; lost numbers >>got; lost dates >>got; jq -c '.lost.left_out' "$out" >>got
check 'names that are not in a summary are told' sh -c 'jq -rs ".[0][]" got | grep -qx Omar'
check 'dates that are not in a summary are told' \
	sh -c 'jq -rs ".[2][]" got | grep -Eq "14 June|March 2023"'
check 'what a summary has is not told as lost' sh -c 'mem-list summaries | jq -r .content >text;
	jq -rs ".[0][], .[1][]" got | while read -r w; do ! grep -qwF -e "$w" text || exit 1; done'

# ---- what is chosen ----

fresh
{
	say C 1 user 'Hi there! Hope you are well.'
	say C 2 assistant 'Hello! What can I do for you today?'
	say C 3 user 'ok, our landlord raised the rent to 1,480 euros from 1 October, see .Err at T'
	say C 4 assistant 'Oh no. Would you like me to draft a letter?'
	say C 5 user 'No. We decided to move to Graz, Dr. Huber signed the lease on the 12. August.'
	say C 6 assistant 'Great, good luck!'
	say C 7 user 'Dana signed it with me. She must send the deposit before 20 August.'
	say C 8 user 'Thanks, bye!'
} | mem-ingest -q - >/dev/null
check 'a short session is summed up in 90 tokens' mem-summarize --tokens 90 && cp "$out" short
jq -r .content short >text
for w in 'rent to 1,480 euros' 'decided to move to Graz' 'before 20 August'; do
	check "a summary of 90 tokens has the words: $w" grep -qF -- "$w" text
done
check 'a summary has no greeting, no question and no thanks' sh -c \
	'! grep -Eiq "hello|hope you|would you|thanks|luck" text'
check 'a sentence keeps its letters and ends with a stop' \
	grep -q '^- user: ok, our landlord .* at T\.$' text
check 'a title and an ordinal end no sentence' \
	grep -qF 'Dr. Huber signed the lease on the 12. August.' text
check_out 'who speaks is said once in a summary' 1 sh -c 'grep -c "^- user: " text'
check 'a summary that says "she" says who she is' \
	sh -c '! grep -q "She must" text || grep -q Dana text'
check 'a decision of a short session is listed apart' \
	jq -e '.structured.decisions | any(test("Graz"))' short
check 'no scrap of a word is listed as a name' jq -e '.structured.entities | index("Graz") and
	all(.[]; length > 2 and (startswith(".") | not))' short
# who speaks, and to whom it is said
fresh
i=0
while read -r name text; do
	jq -nc --arg i "$((i += 1))" --arg n "$name" --arg c "$text" '{session: "K", source_id: $i,
		role: "user", name: $n, content: $c, time: "2024-05-01T10:0\($i):00Z"}'
done <<'EOT' | mem-ingest -q - >/dev/null
ida otto: the ferry to Kiel leaves at noon, the crates must be on the quay by ten
otto ida: sure
otto ida: sure
ida @otto, rune: the crates of plums go first, then the crates of pears
rune Kiel: the harbour office of Kiel closes at four
EOT
mem-summarize >/dev/null
mem-list summaries | jq -r .content >text
check_out 'a summary leaves out to whom somebody speaks' '- ida: the ferry to Kiel leaves at noon, the crates must be on the quay by ten.
- the crates of plums go first, then the crates of pears.
- rune: Kiel: the harbour office of Kiel closes at four.' cat text

fresh
{
	say Z 1 user '你好！'
	say Z 2 user '我们决定九月三号搬到成都，房租每月四千二。'
	say Z 3 assistant '好的，收到。'
} | mem-ingest -q - >/dev/null
check_out 'a session in Chinese is summed up by its decision' '- user: 我们决定九月三号搬到成都，房租每月四千二。' \
	sh -c 'mem-summarize --messages 1 --tokens 30 | jq -r .content'

fresh
for i in 1 3 5; do
	jq -nc --arg t "$i" '{type: "message", session: "M", role: "user", name: "Dana Huber", turn: ($t | tonumber),
		content: "We decided to ship part \($t) on \($t) June, because the client Omar pays by then, I suppose."}'
	jq -nc --arg t "$i" '{type: "message", session: "M", role: "user", name: "Lea Roth",
		content: "I own test \($t) and must send it to Ann before \($t) July."}'
done | mem-ingest -q - >/dev/null
check 'a meeting is summed up in 200 tokens' \
	mem-summarize --tokens 200 && jq -r .content "$out" >text
check_out 'a meeting has the whole name once, then the first' '1 1 4' sh -c \
	'echo "$(grep -c "Dana Huber:" text) $(grep -c "Lea Roth:" text) $(grep -Ec "^- (Dana|Lea): " text)"'

fresh
for i in 1 2 3 4 5 6; do
	say D "$i" user "Lina hat am 2$i.11. um 10 Uhr einen Auftritt in der Halle $i."
done | mem-ingest -q - >/dev/null
check 'no word is altered behind what looks like the end of a sentence' sh -c '
	mem-summarize --tokens 400 | jq -r .content >text
	grep -q "am 21.11. um 10 Uhr" text && ! grep -q " Um " text'
fresh
{
	say E 1 user 'See https://example.org/kiln/17 and then fire the kiln with oak.'
	say E 2 user 'https://example.org/kiln/17/oak/fire'
	say E 3 user 'kiln 1: 40.2 38.1 77.0 12.9 0.3 40.2 38.1 77.0 12.9 oak fire'
	say E 4 user 'The kiln and the oak: fire them by 9 May.'
} | mem-ingest -q - >/dev/null
check 'addresses and figures alone are not chosen' sh -c '
	mem-summarize --tokens 400 --messages 1 | jq -r .content >text
	grep -q "with oak" text && grep -q "by 9 May" text && ! grep -Eq "38.1|oak/fire" text'
fresh
i=0
while [ $i -lt 120 ]; do
	i=$((i + 1))
	jq -nc --argjson i "$i" '{type: "message", session: "F", role: "user", content:
		"Boat number \($i) brought salmon, cod number \($i * 7) and \($i * 3) crates of crabs to pier \($i % 9) of harbour\($i)."}'
done | mem-ingest -q - >/dev/null
check 'a long session has a longer summary' sh -c '
	n=$(mem-summarize --rules | jq ".content | utf8bytelength"); echo "$n" >&2
	test "$n" -gt 900 && test "$n" -le 2400'

# ---- what nobody states ----

fresh
{
	say Q 1 user 'If we ship on Friday, we need two more testers from Graz.'
	say Q 2 assistant 'Should we use Postgres for the ledger?'
	say Q 3 user 'We decided to use Postgres 16 for the ledger, because finance knows SQL.'
	say Q 4 user 'Anna said, she moves to Lisbon in March.'
	say Q 5 user '"We must drop the Berlin office by 5 May." Imagine we won, we would buy a boat in Split.'
	say Q 6 user 'Wenn der Kunde bis Mai nicht zahlt, kündigen wir den Vertrag mit Berger.'
	say Q 7 user '如果十月涨价，我们就搬到苏州。'
	say Q 8 user 'Maybe we drop Redis next month.'
	say R 1 user 'Omar always says "test first". Omar tests the beta from 12 July.'
	say Q 9 user 'Lena (8) und Paul (5) essen in Graz mittags z. B. Linsen bei Oma.'
} | mem-ingest -q - >/dev/null
check 'conditions, questions and speech are summed up' \
	mem-summarize --tokens 400 --messages 1 -s Q &&
	cp "$out" open
jq -r .content open >text
check 'a condition stays whole in a summary' \
	grep -q 'If we ship on Friday, we need two more testers' text
check 'a condition in German stays whole in a summary' \
	grep -q 'Wenn der Kunde bis Mai nicht zahlt, kündigen wir' text
check 'a condition in Chinese stays whole in a summary' grep -q '如果十月涨价，我们就搬到苏州。' text
check 'a question stays one in a summary, or is left out' sh -c \
	'! grep "Should we use Postgres" text | grep -vq "for the ledger?"'
check 'a summary tells who said what was said' \
	sh -c '! grep -q "moves to Lisbon" text || grep -q "Anna said, she moves" text'
check 'what is only quoted is left out of a summary' sh -c '! grep -q "Berlin" text'
check_out 'a quotation inside a sentence has the stop of the sentence behind it' \
	'- user: Omar always says "test first". Omar tests the beta from 12 July.' sh -c '
	mem-summarize --messages 1 --tokens 90 -s R | jq -r .content'
check 'brackets and abbreviations do not cut a sentence' \
	grep -q 'Lena (8) und Paul (5) .* z. B. Linsen' text
check_out 'one decision is listed of a session that made one' \
	'We decided to use Postgres 16 for the ledger, because finance knows SQL' \
	jq -r '.structured.decisions[]' open
check 'no fact is made of conditions, questions and quotations' jq -e \
	'.structured.facts | all(test("If we|Should|Wenn|如果|Maybe|Imagine|Berlin") | not)' open

# ---- staleness and history ----

fresh
talk | mem-ingest -q - >/dev/null
run mem-summarize

say A 6 user 'One more thing: the invoice number is 4711.' | mem-ingest -q - >/dev/null
check_out 'a summary is stale by one message since' 1 sh -c 'mem-list summaries | jq .stale'
check_out '--list tells how stale a summary is' 1 sh -c 'mem-summarize --list | jq .stale'
check_out 'mem-show tells how stale a summary is' 1 \
	sh -c 'mem-show "$(mem-list summaries | jq -r .id)" | jq .stale'
say A 7 system 'Not counted.' | mem-ingest -q - >/dev/null
check_out 'a system message does not make a summary stale' 1 sh -c 'mem-list summaries | jq .stale'
check_out 'one message is too few for another summary' '' mem-summarize
mem-list summaries >before
check 'one message will do with --messages 1' mem-summarize --messages 1 && cp "$out" after
check_out 'a newer summary has the id of the older' "$(jq -r .id before)" jq -r .id after
check_out 'a newer summary goes to the newest turn' 5 jq -r .last after
check_out 'a newer summary takes the place of the older' 1 sh -c 'mem-list summaries | wc -l'
check_out 'a newer summary is not stale' null sh -c 'mem-list summaries | jq .stale'
check_out 'the older summary is in the history of the newer' 'store edit' \
	sh -c 'mem-show "$(jq -r .id before)" |
	jq -r "[.history[].did] | join(\" \")"'
check 'a newer summary is taken back' mem-edit -q --undo
check_out 'a line of a crontab says nothing of a summary' '' \
	sh -c 'mem-summarize -q --messages 1 2>&1'
check_out 'a line of a crontab makes the summary' 5 sh -c 'mem-list summaries | jq .last'
check 'a summary of a crontab is taken back' mem-edit -q --undo
check_out 'a summary taken back leaves the older one, and stale' "$(cat before)" mem-list summaries
check_out 'a summary taken back leaves the messages' 7 sh -c 'mem-list | wc -l'
check_out '--messages 0 turns summaries off' '' mem-summarize --messages 0
check 'the store is in order after summaries came and went' mem-check --full -q

# ---- jobs ----

fresh
talk | mem-ingest -q - >/dev/null
check_like '--every makes a summary the first time' '"session":"A"' mem-summarize --every 1h
check_err '--every makes none before its time' 0 'younger than 1h' \
	mem-summarize -v --every 1h --messages 1
say A 6 user 'More about Omar and the billing service.' | mem-ingest -q - >/dev/null
check_out '--every does nothing within the hour' '' \
	env MEM_NOW=2024-05-20T12:30:00Z mem-summarize --every 1h --messages 1
check_err 'facts have a clock of their own for --every' 0 '0 facts became 0' \
	mem-summarize -v --facts --every 1h
check_like '--every makes a summary a second before the hour is over' '"last":5' \
	env MEM_NOW=2024-05-20T12:59:59Z mem-summarize --every 1h --messages 1
fresh
for s in 1 2 3 4 5 6 7 8; do talk | sed "s/\"A/\"S$s/g"; done | mem-ingest -q - >/dev/null
check 'four runs side by side end without a word' \
	sh -c 'for i in 1 2 3 4; do mem-summarize --rules >o$i 2>e$i & done;
	wait; cat e? >e; ! grep -q . e'
check_out 'four runs side by side sum up every session' 8 \
	sh -c 'cat o? | jq -r .session | sort -u | wc -l'
check_out 'four runs side by side sum up no session twice' 8 sh -c 'cat o? | wc -l'
check_out 'the store has one summary of each session' 8 sh -c 'mem-list summaries | wc -l'

# ---- facts ----

fresh
fact() { jq -nc --arg c "$1" --arg t "$2" --argjson tags "$3" \
	'{type: "fact", content: $c, time: $t, tags: $tags}'; }
{
	fact 'Ann keeps 12 bees in Porto' 2024-01-01T00:00:00Z '["garden"]'
	fact 'Ann grows roses' 2024-01-02T00:00:00Z '["garden"]'
	fact 'Ann sold the old greenhouse to Bob' 2024-01-03T00:00:00Z '["garden"]'
	fact 'Ann plays chess' 2024-01-04T00:00:00Z '["games"]'
	fact 'Ann bought a mower' 2024-05-19T00:00:00Z '["garden"]'
} | mem-remember -q - >/dev/null
mem-list facts >before
check 'old facts with a tag in common are summed up' mem-summarize --facts && cp "$out" old
check_out 'three facts have one summary that names them' 'consolidation 3' \
	jq -r '"\(.kind) \(.sources | length)"' old
check 'the summary of facts has their words' \
	sh -c 'mem-list summaries | jq -r .content | grep -q "12 bees" &&
	mem-list summaries | jq -r .content | grep -q greenhouse'
check_out 'the summary of facts has the newest first' '- Ann sold the old greenhouse to Bob' \
	sh -c 'mem-list summaries |
	jq -r .content | head -n 1'
check_out 'facts that were summed up are hidden' 2 sh -c 'mem-list facts | wc -l'
check_out 'facts that were summed up are kept' 3 \
	sh -c 'mem-list facts --all | jq -r "select(.summarized) | .id" | wc -l'
check_out 'a second run has no facts to sum up' '' mem-summarize --facts
check 'one of the facts that were summed up is restored' sh -c \
	'mem-edit -q --restore "$(mem-list facts --all | jq -r "select(.content | test(\"roses\")) | .id")"'
check_out 'a summary of facts is stale when one was restored' 1 \
	sh -c 'mem-list summaries | jq .stale'
check 'the fact that was restored is hidden again' mem-edit -q --undo
check 'the summary of facts is taken back' mem-edit -q --undo
check_out 'a summary taken back leaves the facts as before' "$(cat before)" mem-list facts
check_out 'a summary taken back is not in the list' '' mem-list summaries
check 'a fact that could be summed up is protected' \
	sh -c 'mem-edit -q --protect "$(head -n 1 before | jq -r .id)"'
check_out 'two facts are no group to be summed up' '' mem-summarize --facts
check_out 'without vectors no facts are grouped by meaning' '' mem-summarize --facts --by embeddings
check '--days 1 takes the day before yesterday as old' mem-summarize --facts --days 1
check_out '--days 1 sums up three facts again' 3 jq '.sources | length' "$out"
fresh
for i in 1 2 3 4; do jq -nc --arg i "$i" \
	'{type: "fact", content: "the site has \($i) pumps, as was told by the man there", time: "2024-01-0\($i)T00:00:00Z", tags: ["pump"], trust: ($i | tonumber - 1)}'; done \
	| mem-remember -q - >/dev/null
check 'four facts are summed up in 20 words' mem-summarize --facts --words 20
check 'a summary in 20 words has no more than these' sh -c \
	'test "$(mem-list summaries | jq -r .content | tr -d - | wc -w)" -le 20'
check 'a summary in 20 words has the newest fact' \
	sh -c 'mem-list summaries | jq -r .content | grep -q "4 pumps"'
check_out 'numbers that are not in the summary of facts are told' '["1","2","3"]' \
	sh -c 'mem-list summaries |
	jq -c "[.lost.numbers[] | select(length == 1)] | sort"'
fresh
for a in x y; do for i in 1 2; do jq -nc --arg i "$a$i" --arg a "$a" \
	'{type: "fact", content: "pump \($i)", time: "2024-01-01T00:00:00Z", tags: ["pump"], agent: $a}'; done; done \
	| mem-remember -q - >/dev/null
check_out 'facts of two agents are not summed up together' '' mem-summarize --facts
check_out 'facts whose keys have a part in common are summed up' 3 sh -c 'for i in 1 2 3;
	do mem-remember -q --key "pump.$i" --valid-from 2024-01-01 "the pump no $i leaks" >/dev/null; done; MEM_NOW=2024-07-01 mem-summarize --facts --by tags | jq ".sources | length"'

# ---- a model ----

fresh
talk | mem-ingest -q - >/dev/null
serve '{"summary": "- They decided on PostgreSQL.\n- Omar will test it.\n- Charlie pays $99.", "decisions": ["PostgreSQL for the billing service", "Oracle 9"], "facts": []}'
at ok
check 'a model writes the summary of a session' mem-summarize && cp "$out" by
check_out 'a summary by a model has what holds' '- They decided on PostgreSQL.
- Omar will test it.' jq -r .content by
check_out 'what does not hold of a model is dropped, and counted' \
	'2 ["PostgreSQL for the billing service"]' jq -r '"\(.dropped) \(.structured.decisions)"' by
check 'a summary by a model names the model' jq -e '.model | length > 0' by
check_out 'a summary by a model cites what it was shown' 5 jq '.sources | length' by
check 'a summary by a model says what is lost' jq -e '.lost.names | index("Lisbon")' by
say A 6 user 'And that is that.' | mem-ingest -q - >/dev/null
echo '{"summary": "- Zelda met Quentin."}' >"$answer"
check_like 'a model that made up everything leaves it to the rules' \
	'"note":"the model said nothing that holds"' mem-summarize --messages 1
cp "$err" left
check 'a summary that was left to the rules names no model' jq -e '.model == null' "$out"
check 'how many summaries were left to the rules is told, and why' \
	grep -q '^mem-summarize: 1 of 1 by rules alone: the model said nothing that holds$' left
n=$(n_asked)
say A 7 user 'And that.' | mem-ingest -q - >/dev/null
check_like '--rules makes a summary with a model set' '"last":6' mem-summarize --messages 1 --rules
check_out '--rules does not ask the model' "$n" n_asked
i=8
after_bad() {
	i=$((i + 1))
	jq -e '.note or .model' "$out" >/dev/null || fail "$1: it says so" 'no note' cat "$out"
	say A $i user "turn $i" | sed 's/"time":"[^"]*"/"time":"2024-05-09T00:00:00Z"/' |
		mem-ingest -q - >/dev/null
}
say A 8 user 'turn 8' | mem-ingest -q - >/dev/null
bad_answers 'a bad model leaves a summary to the rules' mem-summarize --messages 1
unserve

# ---- tools had the last word ----

fresh
{
	talk
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
		jq -nc --arg i "$i" '{type: "message", session: "A", role: "tool", content: "ok \($i)"}'
	done
} | mem-ingest -q - >/dev/null
check_like 'a session that ends with many results of tools is due' 'summaries.due","value":1' \
	mem-stats --triggers
check_out 'a session that ends with results of tools is summed up' A \
	sh -c 'mem-summarize | jq -r .session'
check_out 'a session that ends with results of tools is summed up once' '' mem-summarize

# ---- bad input ----

mem-remember --fact 'The kiln is in Porto.' >fact
check_err 'a fact of no session names no session to sum up' 66 "'.*' is of no session" \
	sh -c 'jq -r .id fact | mem-summarize -'
mem-list -n 1 | cat - fact >some
check_err 'what is of no session is no good input beside what is' 65 "'.*' is of no session" \
	mem-summarize - <some
check 'what is of a session is summed up beside it' [ "$(jq -r .session "$out")" = A ]
check_err 'what is of no session is told when all else is quiet' 65 'of no session' \
	mem-summarize -q - <some
check_err 'mem-summarize with an operand is refused' 64 'takes no operand' mem-summarize A
check_err '--every without a time is refused' 64 '--every is a time' mem-summarize --every soon
check_err '--every with no hours is refused' 64 '--every is a time' mem-summarize --every 0h
check_err '--list beside --every is refused' 64 'exclude' mem-summarize --list --every 1h
check_err '--words without a number is refused' 64 '' mem-summarize --words x
check_err '--by an unknown thing is refused' 64 '' mem-summarize --by looks
check_out 'another user has nothing to sum up' '' mem-summarize -u eve
printf 'not a store' >bad.db
check_status 'a file that is no store of ours is refused' 78 mem-summarize -d bad.db
# ---- chats of people ----

export MEM_DB="$PWD/chat.db"
say() { jq -nc --arg n "$1" --arg c "$2" '{session: "familie", name: $n, content: $c}'; }
{ say 'Oma Inge' 'Wann kommt ihr denn zum Kaffee in den Garten?'
	say Lena 'Haben wir noch Milch für die Kinder?'
	say 'Oma Inge' 'Ich stehe gerade im Stau vor der Brücke.'
	say Lena 'Haben wir noch Milch für die Kinder?'
	say 'Oma Inge' 'Die Frau Meyer kommt auch mit zu euch.'
	say Lena 'Haben wir noch Milch für die Kinder?'
	say 'Tante Birgit' 'Ich bringe mit Lena zusammen den Kuchen mit.'; } |
	mem-ingest -q --from=ndjson
mem-summarize -q >/dev/null
mem-list summaries -j >made
check_out 'what is said three times is told once' 1 sh -c \
	'jq -r .content made | grep -c "noch Milch"'
check_out 'nobody is called Oma alone' '' sh -c 'jq -r .content made | grep "Oma:" || :'
check_out 'a German noun is no name' 'Oma Inge,Lena,Tante Birgit,Frau Meyer' sh -c \
	'jq -r ".structured.entities | join(\",\")" made'

# ---- what is forgotten while a model is asked ----

fresh
cat >slow <<'END'
read -r q && : >asked
while [ ! -e gone ]; do sleep 0.05; done
END
seq 8 | jq -c '{session: "s", id: "s\(.)", role: "user", content: "zzplum \(.) is what I like"}' |
	mem-ingest -q
MEM_LLM_COMMAND='sh slow' mem-summarize --messages 1 >made 2>&1 &
wait_for '[ -e asked ]'
mem-forget -qf -s s
: >gone
wait $!
check_status 'no summary is stored of what was forgotten while a model was asked' 1 \
	sh -c "cat made mem.db* | grep -qa zzplum"

# ---- what is taken back ----

printf '%s\n' 'presents: ida a teapot, otto a warm robe size L, ruth a book' 'A nice list.' \
	'budget 600 in total' 'Teapot 150, robe 200, book 80.' \
	'i already bought the robe, 189 at Lindner.. no, at Hauser' 'Noted.' |
	jq -Rnc '[inputs] | to_entries[] | {session: "p", source_id: "p\(.key)", content: .value,
		role: (if .key % 2 == 0 then "user" else "assistant" end)}' |
	mem-ingest -q -d back.db - >/dev/null
check_like 'a sentence stands with the one that takes it back' 'Lindner.. no, at Hauser' \
	mem-summarize -d back.db

# ---- what became of it ----

# says SPEAKER TEXT: a turn of a channel
says() { jq -nc --arg n "$1" --arg t "$2" '{session: "c", role: "user", name: $n, content: $t}'; }
{
	says Nadia 'decision: we move the weather station to Zephyr in spring, Oskar tries it'
	says Oskar 'the hut needs a new roof, the old roof leaks in the corner by the window'
	says Nadia 'new deadline for the migration of the archive: 28 November'
	says Oskar 'the roof of the hut costs 900 with the window, the carpenter says'
	says Ilse 'thanks so much'
	says Oskar 'so honest status of Zephyr: 9 of 41 sensors work, and each is a pain'
	says Ilse 'oh dear'
	says Nadia 'honestly there are too many sensors here, forget about it, we keep what we have'
	says Oskar 'the carpenter mends the roof of the hut and its window in the second week'
	says Nadia 'the migration will not be ready by the 28, they gave me 5 December'
	says Ilse 'the window of the hut is mended, the carpenter left the old roof in the yard'
} | mem-ingest -q -d became.db - >/dev/null
mem-summarize -d became.db --messages 1 --tokens 150 | jq -r .content >became
check_like 'a decision is told with the last word on its thing' 'status of Zephyr' cat became
check_like 'a decision is told with what who decided said then' 'we keep what we have' cat became
check_like 'a day is told with the one in its place' '5 December' cat became
check_status 'thanks take no room in a summary' 1 grep -q 'thanks so' became

# ---- what a talk is called ----

# talk SESSION: a turn a line, who and what
talk() {
	sed 's/: /\t/' | jq -Rc --arg s "$1" 'split("\t") |
		{session: $s, role: "user", name: .[0], content: .[1]}' | mem-ingest -q -d talks.db -
}
talk roof <<'END'
Nadia: Hello? Hello, can you hear me?
Oskar: yes, good morning
Nadia: so, first the weather station
Oskar: Nadya counted nine sensors at the weather station
Nadia: the weather station needs a copper gutter above it
Oskar: is the copper gutter in the budget?
Nadia: the copper gutter costs 900, and the weather station 400
Oskar: then the copper gutter comes first, says Nad
END
talk choir <<'END'
Ilse: hi all
Nadia: hi Ilse
Ilse: the evening rehearsal moves to the parish hall
Nadia: is the parish hall heated?
Ilse: it is, and the evening rehearsal begins at seven
Nadia: I bring tea to the parish hall
Ilse: the evening rehearsal ends with tea
END
talk boat <<'END'
Melanie: the-q-in-faq: hello
the-q-in-faq: the winch is stuck again, Mel
Melanie: the-q-in-faq: grease the winch
the-q-in-faq: the sail loft is open, Mel
Melanie: the-q-in-faq: ask the sail loft
the-q-in-faq: the winch turns, Mel
Melanie: the-q-in-faq: the sail loft is paid
Melanie: the-q-in-faq: are you there
Melanie: the-q-in-faq: fine
Melanie: thanks the-q-in-faq
Melanie: so the-q-in-faq is there
the-q-in-faq: agreed, Mel
END
talk agent <<'END'
user: port the importer to the new API
assistant: The importer is ported to the new API.
user: now port the exporter to the new API
END
mem-summarize -q -d talks.db --messages 1 >/dev/null
called() { mem-list sessions -d talks.db | jq -r 'select(.session == "'"$1"'").called'; }
check_out 'a talk of several people is called by what it is about' \
	'weather station, copper gutter' called roof
check_out 'a talk with one thing that it is about is called by its first line' \
	'the evening rehearsal moves to the parish hall' called choir
check_out 'neither a name nor a short form of one is what a talk is about' 'sail loft, winch' \
	called boat
check_out 'a session with an agent is called by its first line' \
	'port the importer to the new API' called agent
check_out 'a summary says what a talk is about' '["weather station","copper gutter"]' sh -c \
	'mem-list summaries -d talks.db -s roof | jq -c .topics'
check_like 'a talk is found by what it is about' Oskar \
	mem-list -d talks.db -s 'copper gutter'
echo 'Nadia: the weather station is paid' | talk roof
mem-check -d talks.db -q --repair --stale
check_out 'a summary that is made again still says what the talk is about' \
	'9 ["weather station","copper gutter"]' sh -c \
	'mem-list summaries -d talks.db -s roof | jq -r "\"\(.last + 1) \(.topics)\""'
mem-list messages -d talks.db -s roof | jq -r 'select(.content | test("gutter")).id' |
	mem-forget -q -d talks.db -f -
check_out 'what a talk is about goes with the turns that said so' 0 sh -c \
	'cat talks.db* | grep -ac gutter || :'
done_testing
