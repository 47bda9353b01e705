#!/bin/sh
# mem-stats: counts of a user's own, searches, layout.
. "${0%/*}/lib.sh"
unset MEM_SEED    # it would give two runs of mem-ingest the same ids

cat >in.ndjson <<'EOT'
{"session":"s","id":"m1","time":"2024-05-18T09:00:00Z","role":"user","content":"the kettle is broken"}
{"session":"s","id":"m2","time":"2024-05-18T09:01:00Z","role":"assistant","content":"Look:\n\n```c\nint kettle;\n```"}
{"session":"t","id":"m3","role":"user","content":"übrigens"}
{"session":"t","id":"m4","role":"tool","content":"done"}
EOT
echo '{"session":"s","id":"o1","role":"user","content":"of another user"}' >other.ndjson

# stat NAME: its value.
stat() { jq -r --arg n "$1" 'select(.name == $n) | .value' "$out"; }
is() { # what, got, want
	if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "got '$2', not '$3'"; fi
}

check_out 'without a store there are no figures' '' mem-stats
check 'messages of one user are stored' mem-ingest -q --from=ndjson in.ndjson
check 'messages of another user are stored' mem-ingest -q -u other --from=ndjson other.ndjson

check 'figures of a store are printed' mem-stats
is 'sessions of the user are counted' "$(stat sessions)" 2
is 'messages of the user are counted' "$(stat messages)" 4
is 'messages of role user are counted' "$(stat messages.user)" 2
is 'messages of the assistant are counted' "$(stat messages.assistant)" 1
is 'messages of tools are counted' "$(stat messages.tool)" 1
is 'bytes of what was said are counted' "$(stat messages.bytes)" \
	"$(jq -r .content in.ndjson | jq -Rs 'utf8bytelength - 4')"
is 'tokens of what was said are counted' "$(stat messages.tokens)" \
	"$(mem-list | jq -s 'map(.tokens) | add')"
is 'the time of the oldest message is told' "$(stat messages.oldest)" 2024-05-18T09:00:00Z
is 'the time of the newest message is told' "$(stat messages.newest)" 2024-05-18T09:01:00Z
is 'blocks of code are counted' "$(stat chunks.code)" 1
is 'no searches are counted before one' "$(stat searches)" 0
is 'without searches there is no share with hits' "$(stat searches.with_hits)" null
is 'every line of the figures is a stat' \
	"$(jq -r '[.type, (.name | type), (.unit | type)] | join(" ")' "$out" | sort -u)" \
	'stat string string'
check 'figures of another user are printed' mem-stats -u other
is 'another user sees their own messages counted' "$(stat messages)" 1
check 'figures of an unknown user are printed' mem-stats -u nobody
is 'an unknown user has no messages' "$(stat messages)" 0

# ---- searches ----

hits=0
for q in kettle broken zeppelin; do
	check "a search is made to be counted: $q" mem-search "$q"
	hits=$((hits + $(jq -s 'map(select(.p >= .35)) | length' "$out")))
done
check 'a search is made that leaves no trace' mem-search --no-touch kettle
check 'another user makes a search' mem-search -u other another
check 'figures are printed after searches' mem-stats
is 'searches of the user that leave a trace are counted' "$(stat searches)" 3
is 'the share of searches with hits is told' "$(stat searches.with_hits)" 0.666666667
is 'likely hits are counted on average' "$(jq '. * 3 | round' <<EOT
$(stat searches.hits_mean)
EOT
)" $hits
is 'three percentiles of the whole search are in ms' \
	"$(jq -r 'select(.name | startswith("searches.all.p")) | .unit' "$out" | tr '\n' ' ')" \
	'ms ms ms '
check 'figures since a time to come are printed' mem-stats --since 2024-06
is 'no search is counted since a time to come' "$(stat searches)" 0
check 'figures since yesterday are printed' mem-stats --since yesterday
is 'every search since yesterday is counted' "$(stat searches)" 3

# ---- the week ----

fresh
# search N PROGRAM ...: the same search N times.
repeat() {
	n=$1
	shift
	while n=$((n - 1)) && [ $n -ge 0 ]; do "$@" >/dev/null || return; done
}
export MEM_MODELS="$top/none"
check_out 'without a store there is no report' '' mem-stats --report
check_out 'without a store there is nothing to do' '' mem-stats --triggers
check_status '-e ends with 1 where nothing is to be done' 1 mem-stats --triggers -e
check 'messages are stored three weeks ago' env MEM_NOW=2024-04-29T12:00:00Z mem-ingest \
	-q --from=ndjson "$top/1/in.ndjson"
check 'a search is made three weeks ago' env MEM_NOW=2024-04-29T12:00:00Z mem-search kettle
check_out 'a quiet week has no searches and nothing new' '[0,0,0,"2024-05-13T12:00:00Z"]' sh -c \
	'mem-stats --report | jq -sc "(map({(.name): .value}) | add) as \$v | [\$v.searches, \$v[\"grown.messages\"], \$v[\"grown.sessions\"], \$v.since]"'
check_status '-e ends with 1 after a quiet week' 1 mem-stats --triggers -e
check_out '-v says that nothing needs doing' 'mem-stats: nothing needs doing' \
	sh -c 'mem-stats --triggers -v 2>&1'
echo '{"session":"u","id":"m5","role":"user","content":"a new kettle"}' >more.ndjson
check 'one message is stored this week' mem-ingest -q --from=ndjson more.ndjson
check 'three searches of the week find something' repeat 3 mem-search kettle
check 'two searches of the week go the plain way' repeat 2 mem-search --strategy bm25 kettle
check 'four searches of the week find nothing' repeat 4 mem-search zeppelin
check 'a block is made this week' mem-context kettle
check 'a fact is remembered this week' \
	sh -c 'echo "{\"content\":\"Ann likes tea\",\"type\":\"fact\"}" | mem-remember'
check 'a search of the week asks for facts' mem-search --tier insights tea
check 'a search of facts leaves no trace' mem-search --tier insights --no-touch tea
check 'a block is made that leaves no trace' env MEM_TOUCH=no mem-context kettle
run mem-stats --report
is 'searches of the week are counted' "$(stat searches)" 11
is 'searches of the week are counted by program' \
	"$(stat searches.of.mem-search) $(stat searches.of.mem-context)" '10 1'
is 'searches without hits are a share of the week' "$(stat searches.none)" 0.363636364
is 'searches of the week are counted by path' \
	"$(jq -r 'select(.name | startswith("searches.path.")) | .name + " " + (.value * 11 | round | tostring)' "$out")" 'searches.path.fused 8
searches.path.bm25 2
searches.path.known 1'
is 'no block of the week was cut for want of room' "$(stat searches.truncated)" 0
is 'what came this week is counted by kind' \
	"$(stat grown.messages) $(stat grown.said) $(stat grown.sessions) $(stat grown.facts)" \
	'1 1 1 1'
is 'the report has half and the slow end of searches in ms' \
	"$(jq -r 'select(.name | test("^searches.all.p(50|95)$")) | .unit' "$out" | tr '\n' ' ')" \
	'ms ms '
check 'a report since a time is printed' mem-stats --report --since 2024-01
is 'a report since a time counts every search' "$(stat searches)" 12
is 'a report since a time counts every message' "$(stat grown.messages)" 5
check 'a report of another user is printed' mem-stats -u other --report
is 'a report of another user has no searches' "$(stat searches)" 0
check 'report_days makes a report of a month' env MEM_REPORT_DAYS=30 mem-stats --report
is 'a report of a month counts every search' "$(stat searches)" 12

# ---- what needs doing ----

due() { jq -r '.name + ": " + .run' "$out"; }
check 'triggers after few searches are printed' mem-stats --triggers
is 'few searches need nothing done' "$(due)" ''
check 'nine more searches find nothing' repeat 9 mem-search zeppelin
check '-e ends with 0 where something is to be done' mem-stats --triggers -e
is 'searches without hits ask for messages and vectors' "$(due)" 'searches.none: mem-ingest
searches.wordless: mem-embed'
is 'a trigger tells the share and its limit' \
	"$(jq -r 'select(.name == "searches.none") | "\(.value * 20 | round) \(.limit) \(.unit)"' "$out")" \
	'13 0.3 share'
check 'searches are slow where 1 ms is' env MEM_SLOW_MS=1 mem-stats --triggers
check 'triggers of a later week are printed' env MEM_NOW=2024-06-20 mem-stats --triggers
is 'searches of an earlier week need nothing done' "$(due)" ''
check 'triggers with sessions to sum up are printed' \
	env MEM_SUMMARIZE_MESSAGES=1 mem-stats --triggers --since 2024-06
is 'sessions to sum up ask for mem-summarize' "$(due)" 'summaries.due: mem-summarize'
is 'three sessions are to be summed up, and none of a tool alone' "$(jq .value "$out")" 3
check 'sessions to be summed up are summed up' mem-summarize -q --messages 1
check 'triggers are printed after sessions were summed up' \
	env MEM_SUMMARIZE_MESSAGES=1 mem-stats --triggers --since 2024-06
is 'sessions that were summed up need nothing done' "$(due)" ''
check 'triggers with too many facts are printed' \
	env MEM_FACTS_MAX=0 mem-stats --triggers --since 2024-06
is 'too many facts ask for mem-prune' "$(due)" 'facts: mem-prune -f'
check 'the fact that is too many is protected' mem-edit --protect "$(mem-list facts | jq -r .id)"
check 'triggers with a protected fact are printed' \
	env MEM_FACTS_MAX=0 mem-stats --triggers --since 2024-06
is 'a protected fact is none too many' "$(due)" ''
seq 96 | sed 's/.*/{"session":"many","id":"x&","role":"user","content":"line &"}/' >many.ndjson
check '96 messages are stored to be sorted' mem-ingest -q --from=ndjson many.ndjson
check 'triggers with unsorted messages are printed' \
	env MEM_SUMMARIZE_MESSAGES=0 mem-stats --triggers --since 2024-06
is 'unsorted messages ask for mem-cluster' "$(due)" 'unsorted: mem-cluster'
check 'unsorted messages are sorted' mem-cluster -q
check 'triggers are printed after messages were sorted' \
	env MEM_SUMMARIZE_MESSAGES=0 mem-stats --triggers --since 2024-06
is 'messages that were sorted need nothing done' "$(due)" ''
"$B/tests/torture/tiny_model" tiny >tiny.log 2>&1
mkdir models
check 'a tiny model is made for the triggers' mem-model convert tiny -o models/tiny.model
check 'messages get vectors by the tiny model' \
	env MEM_MODELS="$PWD/models" mem-embed -q --model tiny
echo '{"session":"u","id":"m6","role":"user","content":"and a spoon"}' | mem-ingest -q --from=ndjson
check 'triggers with a message without vector are printed' \
	env MEM_SUMMARIZE_MESSAGES=0 mem-stats --triggers --since 2024-06
is 'a message without vector asks for mem-embed' "$(due)" 'vectors.missing: mem-embed'
check 'the last message gets its vector' env MEM_MODELS="$PWD/models" mem-embed -q --model tiny
check 'triggers with all vectors and wordless searches are printed' \
	env MEM_SUMMARIZE_MESSAGES=0 mem-stats --triggers
is 'where all vectors are there none is asked for' "$(due)" 'searches.none: mem-ingest'
echo '{"session":"u","id":"m7","role":"user","content":"and a ladle"}' | mem-ingest -q --from=ndjson
check 'forty searches are made without the model' sh -c 'i=0; while i=$((i + 1)); [ $i -le 40 ];
	do MEM_NOW=2024-07-01 mem-search -q line >/dev/null 2>&1; done'
check 'triggers after searches without the model are printed' \
	env MEM_NOW=2024-07-02 MEM_SUMMARIZE_MESSAGES=0 mem-stats --triggers
is 'searches without the model ask for a look at the models' "$(due)" 'vectors.missing: mem-embed
searches.fallback: mem-model list'

# ---- wrong usage, streams ----

check_err '--report beside --triggers is refused' 64 \
	'one of --missed, --today, --calls, --report, --digest, --triggers, --html and --card' mem-stats \
	--report --triggers
check_err '-e without --triggers is refused' 64 'goes with --triggers' mem-stats -e
check_err 'triggers since a time that is none are refused' 64 "takes a time .* not 'soon'" \
	mem-stats --triggers --since soon
check_err 'report_days of none is refused' 78 report_days env MEM_REPORT_DAYS=0 mem-stats --report
check_err 'triggers of a text that is no store are refused' 78 '' \
	sh -c 'seq 1000 >text; mem-stats -d text --triggers'
[ -w /dev/full ] && check_err 'a full disk under a report is told' 74 'cannot write to stdout' \
	sh -c 'exec mem-stats --report >/dev/full'

check_err 'figures since a time that is none are refused' 64 "takes a time .* not 'soon'" \
	mem-stats --since soon
check_err 'mem-stats with an operand is refused' 64 "takes no operand, not 'x'" mem-stats x
[ -w /dev/full ] && check_err 'a full disk under figures is told' 74 'cannot write to stdout' \
	sh -c 'exec mem-stats >/dev/full'

tty() {
	script -qec "$1" /dev/null </dev/null >"$top/tty" 2>&1
	tr -d '\r' <"$top/tty"
}
if has_terminal; then
	check_like 'what to do is told on a terminal' '^    mem-model list$' tty \
		'MEM_NOW=2024-07-02 mem-stats --triggers'
	check_like 'why something is to be done is told on a terminal' \
		'^searches.fallback: the model .* \(100\.0 %, over 50\.0 %\)$' tty \
		'MEM_NOW=2024-07-02 mem-stats --triggers'
	check_like 'the week is a table on a terminal' '^searches.of.mem-search +40$' tty \
		'MEM_NOW=2024-07-02 mem-stats --report'
	cd "$top/1" && MEM_DB=$PWD/mem.db
	check_like 'figures are a table on a terminal' '^messages +4$' tty mem-stats
	check_like 'shares are percent on a terminal' '^searches.with_hits +66\.7 %$' tty mem-stats
	check_like '-j prints NDJSON on a terminal' '^{"type":"stat"' tty 'mem-stats -j'
else
	skip 'what to do is told on a terminal' 'script(1) gives none'
fi

# ---- a page ----

fresh
check_out 'without a store no page is made' '' \
	sh -c 'mem-stats --html page.html; test ! -e page.html'
mem-ingest -q >stored <<'E'
{"session":"s","id":"1","role":"user","time":"2024-05-19T10:00:00Z","content":"canary-words about the harbour"}
{"session":"s","id":"2","role":"assistant","time":"2024-05-19T10:01:00Z","content":"the harbour is closed"}
E
mem-remember >stored <<'E'
{"type":"fact","content":"canary-fact","bank":"Work","kind":"preference"}
{"type":"fact","content":"another","bank":"Health"}
E
for i in 1 2 3; do mem-search harbour >stored; done
MEM_NOW=2024-05-18T12:00:00Z mem-search harbour >stored
mem-search --strategy bm25 nothing at all >stored
mem-context harbour >stored
check 'a page of a memory is made' mem-stats --html page.html
check_out 'a page is readable by its owner alone' page.html find page.html -perm 600
check 'a page is whole from its first line to its last' \
	sh -c 'head -n 1 page.html | grep -q "^<!DOCTYPE html>" && tail -n 1 page.html |
	grep -q "</html>"'
check 'a page says that the store was not checked' \
	grep -q 'sound was not looked at.*mem-check' page.html
check 'a page is well formed HTML' sh -c 'python3 -c "
import sys, html.parser
class P(html.parser.HTMLParser):
    open = []
    def handle_starttag(self, t, a):
        if t not in (\"meta\", \"input\"): self.open.append(t)
    def handle_startendtag(self, t, a): pass
    def handle_endtag(self, t): assert self.open.pop() == t, t
p = P(); p.feed(open(\"page.html\").read()); assert p.open == []" 2>why ||
	{ command -v python3 >/dev/null && cat why >&2 && exit 1; true; }'
check_out 'a page tells sizes as a terminal does, in the same unit' true sh -c \
	'n=$(mem-stats | jq "select(.name == \"messages.bytes\").value") &&
		grep -q "$n B" page.html && ! grep -q "[0-9] KB" page.html && echo true'
check 'a page loads nothing from elsewhere' sh -c \
	'! grep -Eiq " src=|href=\"[^#]|https?://|@import|url\(|onload" page.html'
check_out 'a page has one script and one style' '1 1' sh -c \
	'echo $(grep -c "<script" page.html) $(grep -c "<style" page.html)'
# hashed NAME: what stands in the element, as the policy has to name it.
hashed() {
	element=$1 perl -MDigest::SHA=sha256_base64 -0777 -ne \
		'm{<$ENV{element}>(.*)</$ENV{element}>}s; print sha256_base64($1), "="' \
		"${2-page.html}"
}
check 'the policy of a page lets its script and style run by their hashes' grep -qF \
	"style-src 'sha256-$(hashed style)'; script-src 'sha256-$(hashed script)'\"" page.html
check 'no element of a page has a style or a script of its own' sh -c \
	'! grep -Eq " style=|<[^>]* on[a-z]+=" page.html'
check 'a page has no turns but what titles say' sh -c '! grep -q "is closed" page.html &&
	grep -q "<b>canary-words about the harbour</b>" page.html'
for part in 'What needs doing' '>Work <small>1<' '>Health <small>1<' 'Searches a day' \
	'2024-05-18: 1<' '2024-05-20: 5<' 'searches.all.p95' \
	'<b>2</b> turns<' '<b>1</b> session<' '<b>2</b> facts<' 'Since 19 May 2024' \
	'<b>1</b> recall<' '2024-05-19: 2<' '2 turns on 1 day<' '>canary-fact ' \
	'<small>19 May 2024 · 2 turns'; do
	check "a page has the part $part" grep -qF -- "$part" page.html
done
check 'recalls on a page count their tokens' sh -c '
	n=$(sed -n "s/.*1 time, \([0-9]*\) tokens in all.*/\1/p" page.html)
	MEM_TOUCH=no mem-context harbour >block; test "$n" -gt $(($(wc -w <block) / 2)) &&
	test "$n" -lt "$(wc -c <block)"'
check 'a page with texts has the sessions open' sh -c 'mem-stats --html - --with-text >texts &&
	grep -q "<div class=\"t assistant\"><small><b>assistant</b> 10:01</small>the harbour is closed</div>" texts'
check 'a page has times of the zone' sh -c 'TZ=CEST-2 mem-stats --html - --with-text |
	grep -q "<b>assistant</b> 12:01</small>the harbour"'
check 'a page with texts tells the day where it changes' sh -c '
	grep -q "<b>[a-z]*</b> 20[0-9-]* [0-9:]*</small>" texts'
check_err '--with-text without --html is refused' 64 'with-text goes with --html' \
	mem-stats --with-text
mkdir hooked && cp mem.db* hooked
id=$(mem-list | jq -r 'select(.source_id == "2").id')
echo '{"type":"hook","time":"2024-05-20T11:00:00Z","host":"codex","project":"/srv/tide","user":"default","session":"s","tokens":1234,"given":[{"id":"'"$id"'"},{"id":"01HXXXXXXXXXXXXXXXXXXXXXXX"}]}
{"type":"hook","time":"2024-05-20T11:00:00Z","user":"other","session":"s","tokens":50}
not JSON' >hooked/mem.db.hooks
check 'recalls of hooks count on a page, too' sh -c 'mem-stats -d hooked/mem.db --html - >p3 &&
	grep -q "<b>2</b> recalls<" p3 && grep -qE "2 times, 1,2[0-9]{2} tokens in all" p3'
check 'a page says who was told how much' sh -c 'grep -A1 "<div class=\"i told\">" p3 | tr -d "\n" |
	grep -q "2024-05-20 11:00 <b>codex</b> tide <small>1,234 tokens, 2 records"'
check 'a page says what was told only with the texts' sh -c '! grep -q "harbour is closed" p3 &&
	mem-stats -d hooked/mem.db --html - --with-text | grep "<blockquote>" >told &&
	grep -q "<a href=\"#s0\">canary-words about the harbour</a></small>the harbour is closed<" told &&
	grep -q "removed since" told'

# Names, agents, projects, titles, topics; more sessions than there is room for.
cat >people <<'E'
{"type":"session","id":"t","title":"Sail & <i>row</i>"}
{"session":"t","time":"2024-05-17T10:00:00Z","name":"Ann \"<b>","agent":"codex<","project":"/srv/boat&co","content":"secret-words"}
{"session":"t","time":"2024-05-17T10:01:00Z","name":"Bob","agent":"codex<","project":"/srv/boat&co","content":"yes"}
{"session":"t","time":"2024-05-17T10:02:00Z","name":"Bob","agent":"codex<","project":"/srv/boat&co","content":"no"}
{"session":"old","time":"2021-05-17T10:02:00Z","content":"long ago"}
E
mem-ingest -q -u people people
mem-stats -u people --html people.html
for part in '<h2>Agents</h2>' '<span>codex&lt;</span>' '<h2>Projects</h2>' \
	'title="/srv/boat&amp;co"><span>boat&amp;co<' '<b>2</b> people<' \
	'title="Ann &quot;&lt;b&gt;"' '<b>Sail &amp; &lt;i&gt;row&lt;/i&gt;</b>' \
	'2024-05-17: 3<' '3 turns on 1 day<' 'Since 17 May 2021' '<b>long ago</b>' \
	'17 May 2024 · codex&lt; · boat&amp;co · Bob, Ann &quot;&lt;b&gt; · 3 turns'; do
	check "a page of people has the part $part" grep -qF -- "$part" people.html
done
check 'a bar of a page and the sessions that it leads to have one key' sh -c '
	k=$(sed -n "s/.*data-k=\"\(w[0-9]*\)\" title=\"Bob\".*/\1/p" people.html) &&
	grep -q "id=\"s0\" data-k=\"[^\"]*\b$k " people.html &&
	! grep -q "id=\"s1\" data-k=\"[^\"]*\b$k " people.html'
check_out 'who said most comes first on a page' 'Bob' sh -c '
	sed -n "/People/,/section>/s/.*title=.\([^\"]*\).>.*/\1/p" people.html | head -n 1'
mem-edit -q -u people --same-person Bob 'Ann "<b>' >/dev/null
check_out 'a person with two names is one on a page' '1 Ann &quot;&lt;b&gt;' sh -c '
	mem-stats -u people --html same.html
	sed -n "/People/,/section>/s/.*title=.\([^>]*\).>.*/\1/p" same.html | sort | uniq -c |
	sed "s/^ *//"'
# one of /srv/boat and another of that name; what nobody has is no column
for p in srv/boat home/boat home/oar; do
	echo "{\"session\":\"$p\",\"project\":\"/$p\",\"content\":\"a\"}"
done | mem-ingest -q -u paths
mem-stats -u paths --html paths.html
check_out 'a page shows the parts of a path that tell it from the others' \
	'home/boat oar srv/boat' sh -c \
	'sed -n "/Projects/,/section>/s/.*title=.[^\"]*.><span>\([^<]*\).*/\1/p" paths.html | sort | paste -sd " "'
check 'a page has no chart of agents where there is none' sh -c '! grep -q "<h2>Agents" paths.html'
mem-ingest -q -u codex "$ROOT/tests/fixtures/from/codex.jsonl"
mem-stats -u codex --html codex.html
check 'a page tells by the host whose session it was' grep -q ' · codex · ' codex.html
check 'a page counts the turns of a host as those of an agent' sh -c \
	'sed -n "/Agents/,/section>/p" codex.html | grep -q codex'
check_out 'a list of sessions tells the host' '"codex"' sh -c \
	'mem-list sessions -u codex -j | jq .metadata.host'
check 'a list of sessions tells people the host' \
	sh -c 'mem-list sessions -u codex --format=text | grep -q "codex: "'
check_out 'the host of a session goes with an export' '"codex"' \
	sh -c 'mem-export -u codex >codex.ndjson &&
	mem-import -q -d codex.db -u codex codex.ndjson &&
	mem-list sessions -d codex.db -u codex -j | jq .metadata.host'
check 'a page of people has none of their texts' sh -c '! grep -q secret-words people.html'
seq 1 512 | sed 's/.*/{"session":"s&","time":"2024-05-01T00:00:00Z","content":"a"}/' |
	mem-ingest -q -u many
mem-stats -u many --html p4
check_out 'a page has room for 500 sessions' 500 grep -c 'class="i s"' p4
check 'a page counts the sessions it has no room for' \
	grep -q 'and 12 older sessions with 12 turns' p4
check 'a page of 500 sessions is under 150 kB' test "$(wc -c <p4)" -lt 150000
check 'a page lists sessions by month' grep -q '<summary>May 2024 <small>500</small></summary>' p4

# as large as it gets without texts
x=$(printf '%0400d' 1 | sed 's/0/word /g')
seq 600 | jq -nc --arg x "$x" 'inputs | tostring | {session: ("01HXKM3S-1111-4222-8333-" + .),
	time: "2024-05-01T00:00:00Z", name: ("Somebody Called " + .[-1:]),
	project: ("/srv/project" + .[-1:]), content: ("line " + . + $x)}' |
	mem-ingest -q -u full
mem-stats -u full --html full.html
check 'a page with everything but texts is under 300 kB' test "$(wc -c <full.html)" -lt 300000

# What is stored is text, whatever it looks like, in every place where it comes out.
evil='</script><script>alert(1)</script><img src=x onerror=alert(2)>"'\''&amp;<!--]]>'
jq -nc --arg x "$evil" '{type: "session", id: ("s" + $x), title: ("t" + $x),
	 metadata: {host: ("h" + $x)}},
	{session: ("s" + $x), id: "e1", time: "2024-05-19T10:00:00Z", role: "user", name: ("n" + $x),
	 agent: ("a" + $x), project: ("/p" + $x),
	 content: ("I have to fix it. " + $x + "\u001b[2J\u202e")}' |
	mem-ingest -q -u "u$evil" --from=ndjson
jq -nc --arg x "$evil" '("todo", "fact") | {type: "fact", origin: "user", kind: ., bank: "Work",
	content: ("buy " + . + $x)}' | mem-remember -q -u "u$evil" >stored
for id in $(mem-list -u "u$evil" -j | jq -r .id); do
	jq -nc --arg x "$evil" --arg id "$id" '{type: "hook", time: "2024-05-20T11:00:00Z",
		host: ("h" + $x), project: ("/p" + $x), user: ("u" + $x), session: $x, tokens: 9,
		given: [{id: $id}, {id: $x}]}'
done >mem.db.hooks
mem-cluster -q -u "u$evil"
check 'a page is made of a memory full of markup' mem-stats -u "u$evil" --with-text --html evil.html
check 'markup in a memory comes out of a page as text' sh -c '
	test $(grep -o "&lt;img src=x" evil.html | wc -l) -ge 9 &&
	! grep -Eiq "<img|alert\(1\)</script|<!--" evil.html &&
	test $(grep -c "<script" evil.html) = 1 &&
	perl -ne "exit 1 if /[\x00-\x08\x0b-\x1f]|\xe2\x80\xae/" evil.html'
check 'the script of a page of markup is still the one of its policy' \
	grep -qF "script-src 'sha256-$(hashed script evil.html)'" evil.html
check 'a card is made of a memory full of markup' mem-stats -u "u$evil" --card evil.svg
check 'a card has no markup of the memory' sh -c '! grep -Eiq "<img|<script|alert\(1\)<" evil.svg'
rm mem.db.hooks

# ---- a card ----

check 'a card of a memory is made' mem-stats -u people --card card.svg
check 'a card of a memory is XML' \
	sh -c 'python3 -c "import xml.dom.minidom as m; m.parse(\"card.svg\")" 2>why ||
	{ command -v python3 >/dev/null && cat why >&2 && exit 1; true; }'
for part in 'width="800"' '</tspan> remembers for people<' 'y="131">4</text>' \
	'turns of 2 sessions since May 2021<' '>3 turns<' 'the longest thread, May 2024' \
	'>1 day<' 'class="l4"'; do
	check "a card has the part $part" grep -qF -- "$part" card.svg
done
check 'a card names nobody but the user'"'"'s' \
	sh -c '! grep -Eq "Ann|Bob|codex|boat|Sail|secret" card.svg'
check 'a card names programs that mem knows, and no other' sh -c '
	mem-stats -u codex --card - | grep -q "100%</tspan> Codex<" && ! grep -q "codex" card.svg'
check 'a card of an empty memory is whole' sh -c 'mem-stats -u nobody --card - | grep -q "</svg>"'
check_err '--card beside --html is refused' 64 \
	'one of --missed, --today, --calls, --report, --digest, --triggers, --html and --card' \
	mem-stats --card - --html -
check 'a page is written to stdout' sh -c 'mem-stats --html - >p2 && grep -q "</html>" p2'
check 'a page replaces a link, and not what it points to' sh -c 'echo mine >mine.txt &&
	ln -s mine.txt link.html && mem-stats --html link.html && test ! -L link.html &&
	grep -q "</html>" link.html && test "$(cat mine.txt)" = mine'
check 'a page is written into a pipe' sh -c 'mkfifo f && { cat f >got & mem-stats --html f; wait;
	grep -q "</html>" got; test -p f; }'
check 'a name of a user cannot break out of a page' sh -c 'mem-ingest -u "<b>\"x" >/dev/null <<E
{"session":"s","role":"user","content":"hello"}
E
mem-stats -u "<b>\"x" --html - | grep -q "The memory of &lt;b&gt;&quot;x"'
check 'a page of an empty memory is whole' sh -c 'mem-stats -u nobody --html - | grep -q "</html>"'
check 'a page that cannot be written leaves the one before' sh -c 'mkdir ro && cp page.html ro &&
	chmod 555 ro; before=$(cksum <ro/page.html); [ "$(id -u)" = 0 ] ||
	! mem-stats --html ro/page.html 2>/dev/null; chmod 755 ro; test "$(ls ro)" = page.html'
check_like 'a page says when it was made, in the zone' 'made on 20 May 2024 at 14:00</p>' sh -c \
	'TZ=CEST-2 MEM_NOW=2024-05-20T12:00:00.123456Z mem-stats --html -'
check 'a page has no heading without anything below it' \
	sh -c '! mem-stats -u nobody --html - | tr -d "\n" |
	grep -oE "<h[23]>[^<]*</h[23]>(<h|</section>)"'
check_err 'a page in a directory that is not there is refused' 66 'cannot write' \
	mem-stats --html no/such/place.html
check_err 'a full disk under a page is told' 74 'cannot write' mem-stats --html /dev/full
check_err '--html beside --report is refused' 64 'one of' mem-stats --html - --report

# ---- figures of jobs, of similarity, of budgets ----

check_out 'the share of a budget that blocks use is told' true sh -c 'mem-stats --report |
	jq -s "any(.[]; .name == \"searches.budget_used\" and .value > 0 and .value < 1)"'
check_out 'no similarity is told where there are no vectors' false sh -c 'mem-stats --report |
	jq -s "any(.[]; .name == \"searches.sim_top\")"'
n=$(mem-stats | jq -r 'select(.name == "searches").value')
check 'one fact is pruned to be counted' mem-prune -f --max 1
check_out 'facts that were pruned are counted' 1 \
	sh -c 'mem-stats --report | jq "select(.name == \"pruned.facts\").value"'
check_out 'facts that were pruned are counted by policy' 1 sh -c 'mem-stats --report |
	jq "select(.name == \"pruned.facts.least-relevant\").value"'
check_out 'a prune counts as no search' "$n" \
	sh -c 'mem-stats | jq "select(.name == \"searches\").value"'
check_out 'a prune counts as no search of the week' "$n" sh -c 'mem-stats --report |
	jq "select(.name == \"searches\").value"'
echo '{"type":"message","id":"x","role":"user","content":"I love green tea"}' >short
check 'a short statement needs no model' env MEM_LLM_COMMAND=false mem-extract <short
check_out 'a call that was spared is counted' 1 sh -c 'mem-stats --report |
	jq "select(.name == \"calls.shortcuts\").value"'
check_out '--today counts sessions and recalls, of a day and of seven' \
	'sessions.today sessions.week recalls.today recalls.week' sh -c \
	'mem-stats --today | jq -r .name | xargs'
fresh
{
	echo '{"session":"a","role":"user","content":"The kiln door is `open()`:\n```c\nkiln();\n```"}'
	echo '{"session":"a","role":"user","content":"The kiln stands in the yard."}'
} | mem-ingest -q --from=ndjson -
mem-remember -q 'the kiln was sold'
mem-remember -q --fact 'the kiln door is green'
given() { mem-stats --report | jq -r 'select(.name | startswith("given")) | [.name, .value] | @tsv' | xargs; }
check_out 'nothing was given out before a search' '{}' sh -c 'mem-stats --report |
	jq -sc "map(select(.name | startswith(\"given\"))) | map({(.name): .value}) | add // {}"'
mem-search kiln >/dev/null
mem-search 'kiln door' >/dev/null
gave=$({ mem-search --no-touch kiln; mem-search --no-touch 'kiln door'; } | jq -s -r \
	'def n(f): map(select(f)) | length; [["conversations", n(.kind == "message")],
	["facts", n(.kind == "fact")], ["notes", n(.kind == "reflection")],
	["code", n(.content | contains("```"))]] | .[] | select(.[1] > 0) | "given.\(.[0]) \(.[1])"' | xargs)
check_out 'what searches gave is counted by what it is' "$gave" given
mem-forget -qf $(mem-list reflections | jq -r .id)
check_out 'what was given and is forgotten is counted no more' \
	"$(echo "$gave" | sed 's/ given.notes [0-9]*//')" given
fresh
echo '{"session":"a","time":"2024-05-19T22:30:00Z","role":"user","content":"late in the evening"}' |
	mem-ingest -q --from=ndjson -
printf '{"time":"2024-05-19T22:31:00Z","user":"default","host":"codex","event":"prompt","session":"a","did":"recalled","why":"x"}\n{"time":"2024-05-01T00:00:00Z","user":"default","did":"recalled"}\n' >mem.db.hooks
check_out '--today counts by the days of the zone' '1 1 1 1' sh -c \
	'TZ=CEST-2 mem-stats --today | jq .value | xargs'
check_out '--today counts by other days in another zone' '0 1 0 1' \
	sh -c 'mem-stats --today | jq .value | xargs'

# ---- what the memory would have saved ----

fresh
unset MEM_SEED
# ran SESSION DAY MINUTE LINE STATUS [OUTPUT]
ran() {
	at=2024-05-0$2T10:$3:00Z
	jq -cn --arg s "$1" --arg t "$at" --arg c "$4" '{session: $s, project: "/p", time: $t,
		role: "assistant", content: "", tool_calls: [{id: $t, type: "function",
		function: {name: "Bash", arguments: {command: $c}}}]}'
	jq -cn --arg s "$1" --arg t "$at" --arg o "${6-done}" --argjson st "$5" '{session: $s,
		project: "/p", time: $t, role: "tool", tool_call_id: $t, content: $o,
		is_error: ($st != 0)}'
}
none='bash: line 1: python: command not found'
pond='error: cannot find the library libpond'
{
	ran a 1 10 'python a.py' 127 "$none"
	ran a 1 11 'python3 a.py' 0
	ran b 2 10 'python b.py' 127 "$none"
	ran b 2 14 'python3 b.py' 0
	ran b 2 20 'make pond' 1 "$pond"
	ran b 2 21 'apt-get install libpond-dev' 0
	ran b 2 22 'make pond' 0
	ran c 3 10 'make pond' 1 "$pond"
	ran c 3 29 'apt-get install libpond-dev' 0
	ran c 3 30 'make pond' 0
	ran d 4 10 'make all' 1 'error: cannot find the library libduck'
	ran d 4 11 'apt-get install libduck-dev' 0
	ran d 4 12 'make all' 0
	ran e 5 10 'make all' 1 'error: cannot find the library libduck'
	ran e 5 11 './mend' 0
	ran e 5 12 'make all' 0
} | mem-ingest -q -
check_out 'errors that were cured again in the same way are counted' '5 2 20' \
	sh -c 'mem-stats --missed | jq .value | xargs'
check_out '--show lists each error that was cured again, with its cure' \
	"b 4 python was not found here on 2024-05-01; what worked: python3 a.py
c 20 this failed on 2024-05-02: $pond; what cured it: apt-get install libpond-dev" \
	sh -c 'mem-stats --missed --show | jq -r "\"\(.session) \(.minutes) \(.known)\""'
check_out '--show names errors and cures by ids that are there' 8 sh -c 'mem-stats --missed --show |
	jq -r ".id, .cure, .before, .cured" | xargs mem-show -j | wc -l'
check_like 'errors that were cured again are shown to people' \
	'2024-05-01, again on 2024-05-02, 4 minutes' mem-stats --missed --show --format text
check_out 'another user has no errors that were cured again' 0 \
	sh -c 'mem-stats -u tom --missed | jq -s ".[1].value"'
mem-forget -q -f -s a
check_out 'a session that was forgotten has missed nothing' c \
	sh -c 'mem-stats --missed --show | jq -r .session'
check_err '--show without --missed is refused' 64 'goes with --missed' mem-stats --show

# ---- the week in words ----

fresh
jq -nc '{session: "a", role: "user", time: "2024-05-17T10:00:00Z", project: "/src/shop",
	content: "We decided to use PostgreSQL. I still need to write the migration."},
	{session: "a", role: "assistant", time: "2024-05-17T10:01:00Z",
	content: "We decided to use three servers."},
	{session: "b", role: "user", time: "2024-05-18T10:00:00Z",
	content: "Remind me to call the plumber about the boiler."},
	{session: "b", role: "user", time: "2024-05-19T10:00:00Z",
	content: "I finished writing the migration."},
	{session: "c", role: "user", time: "2024-04-18T10:00:00Z",
	content: "We decided to buy a tent."}' | mem-ingest -q
mem-remember -q --missed 'you forgot the port of the staging host'
part() { mem-stats --digest "$@" | jq -r '"\(.part) \(.text)"' | grep "^$want " ; }
want=decided
check_out 'a digest has what the user decided in the week' 'decided We decided to use PostgreSQL' \
	part
check_out 'a digest since earlier has what was decided then' 2 sh -c \
	'mem-stats --digest --since 2024-04-01 | grep -c "\"part\":\"decided\""'
want=done
check_out 'what a later turn says is done is done' 'done I still need to write the migration' part
want=open
check_out 'what nobody says is done is open' \
	'open Remind me to call the plumber about the boiler' part
want=missed
check_out 'a complaint is told in its words' 'missed you forgot the port of the staging host' part
want=worked
check_out 'sessions of the week are told by their titles' 2 sh -c \
	'mem-stats --digest | grep -c "\"part\":\"worked\""'
check_like 'for people it is a page with headings' '^Left open$' \
	mem-stats --digest --format text
check_out 'nothing is stored by the report' 0 sh -c 'mem-list facts | wc -l'
mem-list messages -s b | mem-extract -q | mem-remember -q >/dev/null
mem-list todos | jq -r .id | xargs mem-edit -q --valid-to now >/dev/null
want='done Remind'
check_out 'a todo that was ended by hand is not left open' \
	'done Remind me to call the plumber about the boiler' part
check_err 'it is one of several reports' 64 'one of --missed' mem-stats --digest --report

check_err 'where memory is off the day says so' 0 'memory is off .setting memory.' \
	env MEM_MEMORY=off mem-stats --today
jq -nc 'range(43) | {session: "s\(.)", content: "Look at pump \(.)", time: "2024-05-\(1 + . % 20)"}' |
	mem-ingest -q -d many.db --from=ndjson
check_like 'a digest says how many sessions it leaves out' '^  3 sessions before these$' \
	mem-stats -d many.db --digest --since 2024-01-01 --format text
jq -nc '{session: "bill", time: "2024-05-20", content: "Your bill is ready.", subject: "Your bill"},
	{session: "pump", time: "2024-05-20", content: "Look at the pump in the cellar."}' |
	mem-ingest -q -d mails.db --from=ndjson
check_out 'nobody has worked on a mail' 'Look at the pump in the cellar.' sh -c \
	'mem-stats -d mails.db --digest --since 2024-01-01 | jq -r "select(.part == \"worked\").text"'
jq -nc 'range(14) as $i | range(if $i < 12 then 2 else 1 end) |
	{session: "s\($i)", name: "P\($i)", content: "word \($i) \(.)"}' |
	mem-ingest -q -d speakers.db --from=ndjson
check_out 'a session on the page has all who spoke, those of no bar as others' 2 sh -c \
	'mem-stats -d speakers.db --html - | grep -o "<small>[^/]*others[^/]*turn" | wc -l'
done_testing
