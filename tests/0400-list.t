#!/bin/sh
# mem-list: types, order, filters, walls, layout.
. "${0%/*}/lib.sh"
unset MEM_SEED    # it would give two runs of mem-ingest the same ids

cat >in.ndjson <<'EOT'
{"session":"old","id":"o1","time":"2024-01-31T23:59:59Z","role":"user","name":"Mara","content":"last of January"}
{"session":"old","id":"o2","time":"2024-02-01T00:00:00Z","role":"assistant","content":"Look:\n\n```c\nint x;\n```\n\nand then\n\n```\nplain\n```"}
{"session":"undated","id":"u1","role":"user","content":"nobody knows when"}
{"session":"new","id":"n1","time":"2024-05-18T09:00:00Z","role":"user","name":"Jonas","content":"two days ago","project":"p"}
{"session":"new","id":"n2","time":"2024-05-18T09:01:00Z","role":"tool","content":"a tool's result","trust":1}
{"session":"new","id":"n3","time":"2024-05-18T09:02:00Z","role":"user","name":"Mara","content":"private to one agent","agent":"A"}
{"session":"late","id":"l1","time":"2024-05-20T11:00:00Z","role":"system","content":"an hour ago"}
EOT
echo '{"session":"old","id":"canary","time":"2024-01-01","role":"user","content":"of another user"}' >other.ndjson

# list NAME WANT FILTER CMD...: what jq makes of the records, on one line.
list() {
	name=$1 want=$2 filter=$3
	shift 3
	run "$@"
	got=$(jq -r "$filter" "$out" | tr '\n' ' ')
	if ! status_is 0; then fail "$name" "$why" "$@"
	elif [ "${got% }" = "$want" ]; then pass "$name"
	else fail "$name" "got '${got% }', not '$want'" "$@"
	fi
}

check_out 'no store: an empty memory' '' mem-list
check_out 'without a store there are no sessions' '' mem-list sessions
if [ -e mem.db ]; then fail 'looking makes no store' 'there is one now'; else
	pass 'looking makes no store'; fi

check 'messages to be listed are stored' mem-ingest -q --from=ndjson in.ndjson
check 'stores for another user' mem-ingest -q -u other --from=ndjson other.ndjson

# ---- order ----

list 'messages, by session and turn' 'o1 o2 u1 n1 n2 n3 l1' .source_id mem-list
list 'the same by its name' 'o1 o2 u1 n1 n2 n3 l1' .source_id mem-list messages
list 'at most' 'o1 o2 u1' .source_id mem-list -n 3
list 'newest first' 'l1 n3 n2' .source_id mem-list --reverse -n 3
list 'sessions by time' 'undated old new late' .id mem-list sessions
list 'sessions, newest first' 'late new' .id mem-list sessions --reverse -n 2
check_out 'a record of a session says what people see it called' same sh -c \
	'mem-list sessions | jq -se "all(.called | length > 0)" >/dev/null && echo same'
list 'sessions count their messages' '1 2 3 1' .messages mem-list sessions
list 'chunks by message' 'o1:prose: o2:prose: o2:code:c o2:prose: o2:code:' \
	'.kind as $k | (.language // "") as $l | "\(.message):\($k):\($l)"' sh -c \
	"mem-list -s old >m && mem-list chunks -s old >c &&
		jq -c --slurpfile m m '.message as \$id | .message = (\$m[] | select(.id == \$id) | .source_id)' c"
list 'chunks, at most' '0 0 1' .index mem-list chunks -n 3
check_out 'a chunk is a span of its message' true sh -c \
	"mem-list -s old >m && mem-list chunks -s old >c && jq -n --slurpfile m m --slurpfile c c \
	'all(\$c[]; . as \$c | any(\$m[]; .id == \$c.message and (.content | utf8bytelength) >= \$c.start + \$c.length and (.content[\$c.start:\$c.start + \$c.length] == \$c.content)))'"

# ---- filters ----

list 'by session' 'n1 n2 n3' .source_id mem-list -s new
list 'a session by name' 'new' .id mem-list sessions -s new
list 'a session that is not there' '' .id mem-list sessions -s nowhere
list 'by role' 'n2' .source_id mem-list --role tool
list 'by role, another word for it' 'o2' .source_id mem-list --role assistant
list 'by speaker' 'o1 n3' .source_id mem-list --name Mara
list 'by two' 'n3' .source_id mem-list --name Mara --since 2024-05
list 'since a day' 'o2 n1 n2 n3 l1' .source_id mem-list --since 2024-02-01
list 'until a month, all of it' 'o1' .source_id mem-list --until 2024-01
list 'until a day, all of it' 'o1 o2' .source_id mem-list --until 2024-02-01
list 'between' 'o2' .source_id mem-list --since 2024-02 --until 2024-04
list 'so long ago' 'n1 n2 n3 l1' .source_id mem-list --since 3d
list 'today' 'l1' .source_id mem-list --since today
list 'words of time' 'n1 n2 n3 l1' .source_id mem-list --since '3 days ago'
list 'a span in words, all of it' 'n1 n2 n3' .source_id mem-list --since 'last week' \
	--until 'last week'
list 'a month in words' 'o2' .source_id mem-list --since 'February 2024' --until 'Feb 2024'
list 'a written day, all of it' 'o1' .source_id mem-list --since 2024/01/31 --until 2024/1/31
list 'in Chinese' 'n1 n2 n3' .source_id mem-list --since 上周 --until 上周
list 'sessions of a span' 'new' .id mem-list sessions --since 2024-05-17 --until 2024-05-18
list 'a session begins at the end of the span' '' .id mem-list sessions --since 2024-05-18 \
	--until 2024-05-18T08:59
list 'a session begins just before it' new .id mem-list sessions --since 2024-05-18 \
	--until 2024-05-18T09:00
list 'trusted' 'o1 u1 n1 n3' .source_id mem-list --min-trust 3 --role user
list 'little trusted' 'n2' .source_id mem-list --role tool --min-trust 1
list 'not trusted enough' '' .source_id mem-list --role tool --min-trust 2
list 'in a project' 'n1' .source_id mem-list -p p
list 'as an agent: shared, and its own' 'n1 n2 n3' .source_id mem-list -s new -a A
list 'as another agent' 'n1 n2' .source_id mem-list -s new -a B
list 'chunks of a speaker' 'n3' '.content | if startswith("private") then "n3" else . end' \
	mem-list chunks --name Mara -s new

# ---- the wall ----

list 'another user' 'canary' .source_id mem-list -u other
check_out 'a session of another user is not listed' '' mem-list -u other -s new
check_out 'a user who is nobody has no messages' '' mem-list -u nobody
run mem-list chunks
if grep -q 'another user' "$out"; then fail 'chunks of another user' 'a canary'; else
	pass 'chunks of another user'; fi

# ---- wrong usage ----

check_err 'a type that nobody knows is refused' 64 \
	"^mem-list: unknown type 'xyzzy': messages, .* decisions, conflicts, summaries, .* stale, skills, projects, .* or topics$" \
	mem-list xyzzy
check_err 'two types at a time are refused' 64 'one type at a time' mem-list messages sessions
check_err 'a role that nobody knows is refused' 64 "unknown role 'martian'" mem-list --role martian
check_err 'a --since that is no time is refused' 64 \
	"^mem-list: --since takes a time such as .*'last week', not 'someday'$" \
	mem-list --since someday
check_err 'since later than until' 64 '^mem-list: --since today is later than --until yesterday$' \
	mem-list --since today --until yesterday
check_status 'a day inside a month' 0 mem-list --since 2024-02-05 --until 2024-02
check_err 'a large number is written out' 64 \
	"^mem-list: --limit must be a whole number from 1 to 1000000000000000: '0' " mem-list -n 0
check_err 'an --until that is no time is refused' 64 \
	"^mem-list: --until takes a time .* not '2024-13-40'$" mem-list --until 2024-13-40
check_err 'a date of May or January is refused' 64 "not '5/1/2024'" mem-list --since 5/1/2024
check_err 'a month of any year' 64 "not 'in May'" mem-list --since 'in May'
check_err 'a time with words that are none is refused' 64 "not 'last week or so'" mem-list \
	--since 'last week or so'
check_err 'a kind that no fact has is refused' 64 \
	"unknown kind 'martian': fact, preference, todo, decision or entity" \
	mem-list facts --kind martian
check_err 'a kind that no summary has is refused' 64 \
	"unknown kind 'fact': session or consolidation" mem-list summaries --kind fact
check_err 'role of a session' 64 'of messages, not of sessions' mem-list sessions --role user
check_err 'a limit of none is refused' 64 'must be a whole number' mem-list -n 0
check_err 'more trust than there is is refused' 64 'from 0 to 3' mem-list --min-trust 4
check_err 'a user without a name is refused' 64 'user' mem-list -u ''

# ---- streams ----

[ -w /dev/full ] && check_err 'a full disk is told by the list' 74 'cannot write to stdout' sh -c \
	'exec mem-list >/dev/full'
check_out 'a reader that has gone' 0 sh -c '{ mem-list; echo $? >st; } | :; cat st'
check_err 'a file that is no store is refused' 78 'mem.db|foreign|not' sh -c 'echo nonsense >bad.db;
	exec mem-list -d bad.db'

# ---- a form of one's choice ----

check_like 'text into a pipe' '^  1  [0-9A-Z]{5}  2024-05-20 11:00  late      system     an hour ago$' \
	sh -c 'COLUMNS=60 mem-list --format text -n 1 | cat'
check_like '--format=json prints the records as JSON' '^{"type":"message"' \
	mem-list --format=json -n 1
check_like '-j is stronger than a format in text' '^{"type":"message"' \
	mem-list -j --format text -j -n 1
check_err 'a format that nobody knows is refused' 64 \
	"^mem-list: --format must be json or text: 'xml' " mem-list --format xml

# ---- the zone of who reads ----

fresh
cat >in <<'EOT'
{"session":"z","id":"z1","time":"2024-05-19T21:30:00Z","role":"user","content":"before midnight"}
{"session":"z","id":"z2","time":"2024-05-19T22:30:00Z","role":"user","content":"after midnight"}
{"session":"y","id":"z3","time":"2024-05-12T22:30:00Z","role":"user","content":"a week ago"}
EOT
mem-ingest -q --from=ndjson in
zone() { TZ=CEST-2 "$@"; }
check_out 'for people times are those of their zone' '2024-05-20 00:30' sh -c \
	'TZ=CEST-2 mem-list --format text -n 1 | cut -c 13-28'
list 'records are in UTC' '2024-05-19T22:30:00Z' .time zone mem-list -n 1 --reverse
list 'today is the one of the zone' z2 .source_id zone mem-list --since today
list '  and that of UTC there' '' .source_id mem-list --since today
list 'so is last week' 'z1 z3' .source_id zone sh -c \
	'mem-list --since "last week" --until "last week" | jq -sc "sort_by(.source_id)[]"'
list 'and a date' 'z2' .source_id zone mem-list --since 2024-05-20
list '  and a time of the day' 'z2' .source_id zone mem-list --since 2024-05-20T00:10
list '  which may say another zone' '' .source_id zone mem-list --since 2024-05-20T00:10Z
list 'spans are the same everywhere' 'z2' .source_id zone mem-list --since 14h

# ---- titles, calls, the newest ----

fresh
cat >in <<'EOT'
{"session":"a-name-that-is-longer","id":"t1","time":"2024-05-01T00:00:00Z","role":"assistant","content":"Hello! How can I help?"}
{"session":"a-name-that-is-longer","id":"t2","time":"2024-05-01T00:00:01Z","role":"user","content":"hi"}
{"session":"a-name-that-is-longer","id":"t3","time":"2024-05-01T00:00:02Z","role":"user","content":"---\n## Why does the login time out?\nIt began today."}
{"session":"own","id":"t4","time":"2024-05-02T00:00:00Z","role":"user","content":"Which red is it?"}
{"session":"calls","id":"t5","time":"2024-05-03T00:00:00Z","role":"assistant","content":"","tool_calls":[{"id":"c1","name":"Bash","input":{"command":"make check"}},{"id":"c2","name":"Edit","input":{"file_path":"/srv/x.c","old_string":"a","new_string":"b"}}]}
{"type":"session","id":"own","title":"Paint"}
{"session":"calls","id":"t6","time":"2024-05-03T00:00:01Z","role":"tool","content":"all ok"}
EOT
mem-ingest -q --from=ndjson in
titles() { COLUMNS=120 mem-list sessions --format text "$@" | cut -c 55-; }
check_out 'a session is called as it is, else by the first words of its user, else by what was done' \
	'Why does the login time out?
Paint
$ make check; changed /srv/x.c' titles
check_out 'a turn of calls alone is what they did' '$ make check; changed /srv/x.c' sh -c \
	'COLUMNS=100 mem-list --format text -s calls | sed -n "s/.*assistant *//p"'
cat >in <<'EOT'
{"session":"git","id":"o1","time":"2024-05-04T00:00:00Z","content":"git commit"}
{"session":"git","id":"o2","time":"2024-05-04T00:00:01Z","content":"The invoice rounds the tax down"}
{"session":"go","id":"o3","time":"2024-05-04T00:00:00Z","content":"9:10 am\ntry it again"}
{"session":"go","id":"o4","time":"2024-05-04T00:00:01Z","content":"ok"}
EOT
mem-ingest -q --from=ndjson in
check_out 'a title is the first line with three words of content, where there is one' \
	'The invoice rounds the tax down
try it again' sh -c 'COLUMNS=110 mem-list sessions --format text | grep -E " (git|go) " |
		cut -c 40- | sed "s/.*  [0-9]*  //" | sort -f'
cat >in <<'EOT'
{"session":"opened","id":"p1","time":"2024-05-04T00:00:00Z","content":"/status"}
{"session":"opened","id":"p2","time":"2024-05-04T00:00:01Z","content":"[image: roof.png]\n<user_query>\n/srv/x.c is too long"}
{"session":"shown","id":"p3","time":"2024-05-04T00:00:02Z","content":"[image: roof.png]"}
{"type":"session","id":"shown","title":"[roof]"}
EOT
mem-ingest -q --from=ndjson in
check_out 'a picture, a tag and a command of an agent are no title, unless it is given' \
	'[roof]
/srv/x.c is too long' sh -c 'mem-list sessions --format text | grep -E "opened|shown" |
		cut -c 48- | sort -r'
cat >in <<'EOT'
{"session":"brief","id":"q1","time":"2024-05-04T01:00:00Z","content":"Sehr geehrter Herr Dr. Brandt,\n\ndie Rechnung ist angekommen. Sie wird morgen bezahlt, wie es vereinbart war."}
{"session":"carta","id":"q2","time":"2024-05-04T01:00:00Z","content":"Hola a todos:\nLa caldera no calienta desde ayer."}
{"session":"note","id":"q3","time":"2024-05-04T01:00:00Z","content":"Hi Tom, the crane is broken again!"}
{"session":"grave","id":"q4","time":"2024-05-04T01:00:00Z","content":"Dear Ms Sommer,"}
EOT
mem-ingest -q --from=ndjson in
check_out 'a greeting is a title only where nothing else was said' \
	'Hi Tom, the crane is broken again!
La caldera no calienta desde ayer.
die Rechnung ist angekommen. Sie wird
grave' sh -c 'COLUMNS=110 mem-list sessions --format text | grep -E "carta|brief|note|grave" |
		cut -c 55-91 | sort'
cat >in <<'EOT'
{"session":"canal","id":"p4","time":"2024-05-05T00:00:00Z","content":"berta has joined the channel"}
{"session":"canal","id":"p5","time":"2024-05-05T00:00:01Z","content":":tada:"}
{"session":"canal","id":"p6","time":"2024-05-05T00:00:02Z","content":"berta is now known as berta_"}
{"session":"canal","id":"p7","time":"2024-05-05T00:00:03Z","content":"The lock opens at six"}
{"session":"letter","id":"p8","time":"2024-05-05T00:00:04Z","content":"Subject: Re: AW: Gate of the lock\nFrom: Berta\n\nHi,"}
EOT
mem-ingest -q --from=ndjson in
check_out 'what a service says is no title, and of a mail the subject is' \
	'Gate of the lock
The lock opens at six' sh -c 'mem-list sessions --format text | grep -E "canal|letter" |
		cut -c 48- | sort'
cat >in <<'EOT'
{"session":"mail1","id":"s1","time":"2024-05-05T00:00:00Z","content":"btw\n\nHi Ann, the tax is paid each quarter from now on.","subject":"btw"}
{"session":"The chat with Bo","id":"s2","time":"2024-05-05T00:00:00Z","content":"soup or pasta tonight?"}
EOT
mem-ingest -q --from=ndjson in
check_out 'of a mail a short subject is the title, and of a chat its own name' \
	'The chat with Bo
btw' sh -c 'COLUMNS=110 mem-list sessions --format text | grep -E "mail1|The chat" | sed "s/.*  //" | sort'
cat >in <<'EOT'
{"session":"marked","id":"r1","time":"2024-05-05T00:00:00Z","content":"https://a.org/kiln"}
{"session":"marked","id":"r2","time":"2024-05-05T00:00:01Z","content":"@ann @ben"}
{"session":"marked","id":"r3","time":"2024-05-05T00:00:02Z","content":"See the **old** [kiln](https://a.org/kiln)"}
EOT
mem-ingest -q --from=ndjson in
check_out 'an address or a call alone is no title, and no title has marks of Markdown' \
	'See the old kiln' sh -c 'mem-list sessions --format text | grep marked | cut -c 48-'
mem-ingest -q "$ROOT/tests/demo/conversation.ndjson"
mem-summarize -q -s kickoff >/dev/null
kickoff() { mem-list sessions --format text -s kickoff "$@" | cut -c 42-61; }
check_out 'a summary by rules gives no title' 'So, the harbour offi' kickoff
check_like 'words of a title find the session, too' '"session":"kickoff"' sh -c \
	'mem-list -j -n 1 -s "$(mem-list summaries | jq -r ".content | split(\"\\n\")[0] | .[-16:]")"'
mem-export -q >all
jq -c 'select(.type == "summary").model = "m"' all | mem-import -q --part -d by_model.db
check_out 'that of a model does' \
	"$(jq -r 'select(.type == "summary").content | split("\n")[0] | ltrimstr("- ")[:20]' all)" \
	kickoff -d by_model.db
check_out 'of N the newest, in the order of time' 'flood harbour' sh -c \
	'mem-list sessions --format text -n 2 | cut -c 24-31 | xargs'
check_out 'sessions come the other way round where it is wanted' 'harbour flood' sh -c \
	'mem-list sessions --format text -n 2 --reverse | cut -c 24-31 | xargs'
list '  in pipes the first ones, as ever' 'a-name-that-is-longer own' .id mem-list sessions -n 2

printf '%s\n' '{"session":"ebb","id":"n1","content":"low","time":"2036-01-01T10:00:00Z"}' \
	'{"session":"ebb","id":"n2","content":"lowest","time":"2036-03-01T10:00:00Z"}' \
	'{"session":"tide","id":"n3","content":"high","time":"2036-02-02T10:00:00Z"}' >in
mem-ingest -q --from=ndjson in
check_out 'messages of several sessions are sorted, too' 'high lowest' sh -c \
	'mem-list --format text -n 2 | sed "s/.*  //" | xargs'
check_out 'sorted messages come the other way round' 'n2 n3' sh -c \
	'mem-list -n 2 --reverse >o && jq -r .source_id o | xargs'

# ---- who and what there is ----

fresh
cat >in <<'EOT'
{"session":"chan","id":"c1","time":"2024-05-01T09:00:00Z","name":"Lena Vogt","content":"I move the buoy"}
{"session":"chan","id":"c2","time":"2024-05-02T09:00:00Z","name":"Tom Baker","content":"The buoy is mine"}
{"session":"chan","id":"c3","time":"2024-05-03T09:00:00Z","name":"Tom Miller","content":"No buoy today"}
{"session":"mail","id":"c4","time":"2024-05-04T09:00:00Z","name":"J\u00f6rg <joerg@dock.example>","content":"Buoy, by mail"}
{"session":"chan","id":"c5","time":"2024-05-05T09:00:00Z","name":"tom","role":"assistant","content":"I am a bot, buoy"}
EOT
mem-ingest -q --from=ndjson in
echo '{"session":"code","id":"a1","time":"2024-05-06T09:00:00Z","content":"paint the buoy"}
{"session":"code","id":"a2","time":"2024-05-06T09:01:00Z","role":"assistant","content":"The buoy is red"}' |
	mem-ingest -q -p /w/dock -a claude
mem-remember -q --fact -p /w/shed 'The shed has a new roof'
echo '{"content":"another one"}' | mem-ingest -q -u lodger
name() {
	mem-list "$@" >t
	jq -r '"\(.name):\(.sessions).\(.messages).\(.records)"' t | xargs -rd '\n'
}
check_out 'projects, that of the longest ago first' '/w/dock:1.2.0 /w/shed:0.0.1' name projects
check_out 'people are listed with what they said' \
	'Lena Vogt:1.1.0 Tom Baker:1.1.0 Tom Miller:1.1.0 Jörg <joerg@dock.example>:1.1.0 tom:1.1.0' \
	name people
check_out 'agents are listed with what they made' 'claude:1.2.1' \
	sh -c 'mem-remember -q -a claude --fact "It rains" >/dev/null
	mem-list agents >t && jq -r "\"\(.name):\(.sessions).\(.messages).\(.records)\"" t'
check_out 'users are listed with what they have' 'lodger:1.1.0 default:3.7.2' name users
echo '{"role":"tool","name":"bash","content":"done"}' | mem-ingest -q -u cellar --from=ndjson
check_out 'a tool is none of the people' '' name people -u cellar
check 'a tool is no person on the page' \
	sh -c 'mem-stats -q -u cellar --html page.html && ! grep -q ">bash<" page.html'
check_out 'topics, before there are any' '' name topics
check_out '-n lists the newest people alone' 'tom:1.1.0' name people -n 1
check_out 'people of a project' '' name people -p dock
check_like 'for people, in columns' \
	'^2024-05-06 09:01         1         2        0  /w/dock$' mem-list projects --format text
check_err 'they are of all time' 64 'people are of all time' mem-list people --since 1d
said() { mem-list "$@" >t && jq -r .source_id t | sort | xargs -r; }
check_out 'a name in other letters is that name' c1 said --name 'lena VOGT'
check_out 'a name is found without accents, or by a part' c4 said --name jorg
check_out 'a name that is exact is that one alone' c5 said --name tom
check_out 'a part of a name finds all that have it' 'c2 c3 c5' said --name TO
check_out 'a part from the middle of a word finds nobody' '' said --name ker
check_err 'a name that nobody has is told with who there is' 0 \
	"nobody is called 'zed': there are .*tom, .*Lena Vogt" mem-list --name zed
check_err '--mine without a setting' 64 'mem config set me' mem-list --mine
check_out 'without it all who speak as user are' 'a1 c1 c2 c3 c4' said --role user
export MEM_ME='lena vogt, joerg@dock.example;@Len'
check_out '--mine is by any name of mine, and what I told an agent' 'a1 c1 c4' said --mine
check_out '--role user takes what the user said alone' 'a1 c1 c4' said --role user
check_out '--name with my name takes what I said' 'a1 c1 c4' said --name lena
check_out "--name with another's name takes what they said" 'c2 c3 c5' said --name TO
check_out '--role assistant takes what agents reply' 'a2 c5' said --role assistant
check_out '--mine takes what I said in chunks, too' 3 sh -c 'mem-list chunks --mine | wc -l'
check_out '--mine takes what I said in a search, too' 'a1 c1 c4' sh -c \
	'mem-search --mine buoy >t && jq -r .source_id t | sort | paste -sd " " -'
check_out '--mine takes what I said in a block, too' 'a1 c1 c4' \
	sh -c 'mem-context -j --mine buoy >t &&
	jq -r ".items[].id" t | while read -r i; do mem-show $i | jq -r .source_id; done |
	sort | paste -sd " " -'
check_out '--mine takes what I said in an export, too' 3 sh -c 'mem-export --mine | grep -ci buoy'
check_err '--mine and a name' 64 'exclude each other' mem-list --mine --name Tom
check_err '--mine is of messages' 64 'are of messages' mem-list sessions --mine
unset MEM_ME

# ---- a terminal ----

fresh
mem-ingest -q --from=ndjson ../1/in.ndjson

# tty COMMAND: its output on a terminal of 60 columns.
tty() {
	COLUMNS=60 script -qec "$1" /dev/null </dev/null >"$top/tty" 2>&1
	tr -d '\r' <"$top/tty"
}
# Left-to-right override and isolate, line separator, tag, zero width; an accent and a picture stay.
hidden=$(printf 'a\342\200\256b\342\201\246c\342\200\250d\363\240\201\201e\342\200\213f\303\251\360\237\232\242')
printf '{"session":"hidden","content":"%s"}\n' "$hidden" | mem-ingest -q --from=ndjson -
check_out '-s takes how the name begins' hidden sh -c 'mem-list -j -s hidd | jq -r .session'
check_out 'a session is found by words of its title' undated \
	sh -c 'mem-list -j -s "KNOWS nobody" | jq -r .session'
check_err 'words that several titles have are asked about' 65 \
	"more than one session is 'chat-': .*chat-2 .Two.*chat-1" sh -c 'for n in 1 2; do
		echo "{\"session\":\"chat-$n\",\"time\":\"2024-05-1$n\",\"content\":\"Two boats\"}"
	done | mem-ingest -q && mem-list -s chat-'
check_err 'one that there is not is told, with those that there are' 0 \
	"no session 'nosuch': there are .*chat-2 .Two boats" mem-list -s nosuch
check_err 'a session of an empty memory is told with what there is' 0 \
	"no session 'nosuch': there are none" sh -c 'mem-list -u nobody -s nosuch'
check_err 'with mem-forget -f the name is whole' 64 "no session 'hidd', but 'hidden'" \
	mem-forget -f -s hidd
check_like 'a dry run shows what would go with its words' 'would go +session +hidden  ' \
	mem-forget --format text -s hidd

if has_terminal; then
	check_like 'NDJSON on a terminal: what reorders and hides is escaped, and nothing else' \
		'"content":"a\\u202eb\\u2066c\\u2028d\\udb40\\udc41e\\u200bfé🚢"' tty \
			'mem-list -j -s hidden'
	check_out 'which says the same' "$hidden" sh -c 'jq -r .content "$1"' sh "$top/tty"
	check_like 'in a pipe it is as it was stored' "\"content\":\"$hidden\"" mem-list \
		-j -s hidden
	check_like 'a line a message' \
		'^  1  [0-9A-Z]{5}  2024-01-31 23:59  old       Mara       last of January$' \
		tty 'mem-list -s old'
	check_like 'a long list tells what it cut off' \
		'^  2  [0-9A-Z]{5}  2024-02-01 00:00  old       assistant  Look: ```c int…$' \
		tty 'mem-list -s old'
	check_like 'a message without a time is shown without one' \
		'^  1  [0-9A-Z]{5}                    undated   user       nobody knows wh…$' \
		tty 'mem-list -s undated'
	check_out 'a line a session' \
		'  1  2024-05-18 09:02  new            3  two days ago' tty \
		'mem-list sessions -s new'
	mem-remember -q -u yard --kind decision 'The mast is made of pine'
	mem-remember -q -u yard --kind decision 'The keel is painted each May'
	printf '{"session":"yard","time":"2124-05-0%d","content":"%s"}\n' 2 'Pine and mast creak' \
		3 'Pine costs more now' 4 'The keel is no longer painted each May' |
		mem-ingest -q -u yard --from=ndjson -
	for what in 'decisions -n 9' facts; do
		check_out "$what: below a decision stands what was said later" \
			'  General    The mast is made of pine
     said 2124-05-02: Pine and mast creak
     said 2124-05-03: Pine costs more now
  General    The keel is painted each May
     ended 2124-05-04: The keel is no longer painted each May' sh -c "COLUMNS=70 script -qec \
			'mem-list -u yard $what' /dev/null </dev/null | tr -d '\r' |
				sed 's/  [12]  [0-9A-Z]\{5\}  [0-9-]\{10\}//'"
	done
	mem-remember -q -u mast --kind decision 'The mast is made of pine'
	echo '{"time":"2021-05-02","content":"Pine and mast creak"}' |
		mem-ingest -q -u mast --from=ndjson -
	check_out 'what was said before a decision was stored is not told of it' null \
		sh -c 'mem-list decisions -u mast | jq .said_later'
	check 'a session named as agents do, and a long line' sh -c \
		'echo "{\"session\":\"0d5f7a4e-8a53-4b6c-9d0f-2b1c3e4f5a6b\",\"content\":\"wide wide wide wide wide wide\"}" | mem-ingest -q --from=ndjson -'
	for what in messages sessions chunks; do
		check_out "no line of $what is wider than 80 columns" 80 sh -c \
			"COLUMNS=80 script -qec 'mem-list $what' /dev/null </dev/null | tr -d '\r' |
				sed 's/…/./g' | awk 'length(\$0) > most { most = length(\$0) } END { print most }'"
	done
	check 'a session of a long name' sh -c \
		'echo "{\"session\":\"twenty-bytes-of-name\",\"content\":\"x\"}" |
			mem-ingest -q --from=ndjson -'
	check_like 'a long name is cut in a table' ' twenty-…  user ' \
		tty 'mem-list -s twenty-bytes-of-name'
	check_like 'a long name is whole where there is room' ' twenty-bytes-of-name  user ' tty \
		'COLUMNS=120 mem-list -s twenty-bytes-of-name'
	check 'a fact on a key is remembered' mem-remember --key home 'I live in Porto'
	check 'a newer fact on the key ends it' mem-remember --key home 'I live in Lisbon'
	check_like 'what is listed with --all alone says why' \
		'  General    ended      I live in Porto$' tty 'COLUMNS=80 mem-list facts --all'
	check_like 'a fact has a number, which mem-show takes' '^I live in (Lisbon|Porto)$' tty \
		'mem-list facts --all >/dev/tty; mem-show -j 2 | jq -r .content'
	check_like 'the end of an id is taken by mem-edit' '^I live in Faro$' tty \
		'mem-list facts >/dev/tty; mem-edit -q 1 --content "I live in Faro"; mem-list facts -j | jq -r .content'
	check 'which is taken back' sh -c 'mem-edit -q --undo >/dev/null'
	check_like 'a table of facts has the ends of ids' '^  1  [0-9A-Z]{5}  2024' \
		tty 'mem-list facts'
	check_like 'what holds does not' '  General               I live in Lisbon$' tty \
		'COLUMNS=80 mem-list facts --all'
	check_like '-j prints NDJSON on a terminal' '^{"type":"message"' tty 'mem-list -j -n 1'
	check_like '--format json prints NDJSON on a terminal' '^{"type":"message"' \
		tty 'mem-list --format json -n 1'
	printf '{"session":"esc","role":"user","content":"a\\u001b[31mred\\u202eb"}\n' >esc.ndjson
	check 'control characters in a text are stored' mem-ingest -q --from=ndjson esc.ndjson
	check_like 'they do not reach the terminal' 'a\\x1b\[31mred' tty 'mem-list -s esc'
else
	skip 'a terminal' 'script(1) gives none'
fi

# ---- sessions stream in the order of their time ----
fresh
seq 300 | sed 's/.*/{"session":"undated&","id":"m","role":"user","content":"x"}/' >in
seq 300 | awk '{ printf "{\"session\":\"s%d\",\"id\":\"m\",\"role\":\"user\",\"time\":%d,\"content\":\"x\"}\n", $1, 1700000000 + $1 * 7919 % 100 }' >>in
check 'six hundred sessions, 300 without a time, three of each time' mem-ingest -q --from=ndjson in
jq -r '[.time // 0, input_line_number, .session] | @tsv' in | sort -s -k1,1n -k2,2n | cut -f3 >want
mem-list sessions -j | jq -r .id >have
check 'in the order of their times, then of their storing' cmp want have
mem-list sessions -j --reverse | jq -r .id | tac >have
check 'the newest first is the list backwards' cmp want have
mem-list sessions -j --since 2023-11-14T22:14:10Z | jq -r .id >have
check 'from a time on' sh -c 'tail -150 want | cmp - have'
mem-list sessions -j --since 2023-11-14T22:14:10Z --reverse -n 7 | jq -r .id >have
check 'a limit takes so many from the end' sh -c 'tac want | head -7 | cmp - have'
mem-list -j --reverse | jq -r .session | tac >have
check 'messages go by the time of their sessions' cmp want have

# ---- metrics ----

fresh
echo '{"session":"s","role":"user","content":"the kettle is red"}' | mem-ingest -q --from=ndjson -
check_out 'no search, no metrics' '' mem-list metrics
MEM_NOW=2024-05-20T10:00:00Z mem-search kettle >/dev/null
MEM_NOW=2024-05-20T11:00:00Z mem-search --strategy bm25 kettle >/dev/null
MEM_NOW=2024-05-20T12:00:00Z mem-search --no-touch kettle >/dev/null
check_out 'a row for each search that may write' 'metric mem-search fused
metric mem-search bm25' sh -c 'mem-list metrics | jq -r "[.type, .program, .path] | join(\" \")"'
check_out 'equal questions have equal hashes, and no word of theirs is there' '1 0' sh -c \
	'mem-list metrics >m; echo "$(jq -r .query_hash m | sort -u | wc -l) $(grep -c kettle m)"'
check_out 'newest first, so many' bm25 sh -c 'mem-list metrics --reverse -n 1 | jq -r .path'
check_out 'strategies are listed by when they were used' 'bm25 fused' sh -c 'echo \
	$(mem-list metrics --since 2024-05-20T10:30:00Z | jq -r .path) \
	$(mem-list metrics --until 2024-05-20T10:30:00Z | jq -r .path)'
check_out 'another user has none' '' mem-list metrics -u bob
check_err 'they have no role' 64 'metrics are of a user' mem-list metrics --role user


fresh
check_err 'a type that is nearly one' 64 "unknown type 'session', did you mean 'sessions'" \
	mem-list session
mem-remember -q -k quay --valid-from 2023-02-03 'The quay is closed'
check_like 'a fact has the day since when it holds' '2023-02-03 ' mem-list facts --format text
mem-ingest -q "$ROOT/tests/demo/conversation.ndjson"
mem-summarize -q -s kickoff >/dev/null
if has_terminal; then
	check_like 'an empty list says on a terminal that there is none' \
		"none that fits; 'mem list" \
		script -qec 'mem-list decisions' /dev/null
else
	skip 'an empty list says on a terminal that there is none' 'script(1) gives no terminal'
fi
echo '{"role":"user","session":"crew","project":"/srv/tide","content":"We decided to take Hugo"}' |
	mem-ingest -q -u crew --from=ndjson
mem-list -u crew | mem-extract -q -u crew --rules | mem-remember -q -u crew
check_like 'a decision of "we" is listed with the project it was said in' \
	'tide: We decided to take Hugo$' mem-list decisions -u crew --format text
check_like 'a block tells of another project that the decision is of it' \
	'/srv/tide: We decided to take Hugo$' mem-context -u crew 'what did we decide about Hugo?'
check_like 'a summary says of which session it is' ' kickoff ' mem-list summaries --format text
check_err 'a user of whom there is nothing is told, where there is of others' 0 \
	"there is nothing of user 'tomsa'" mem-list -u tomsa sessions
done_testing
