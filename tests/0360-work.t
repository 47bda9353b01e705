#!/bin/sh
# mem-search --file, --command and --error: what was done in earlier sessions, out of the calls of
# tools; the lists behind it are made with each message, go with it, and are mended.
. "${0%/*}/lib.sh"
command -v sqlite3 >/dev/null 2>&1 || skip_all 'no sqlite3'
unset MEM_SEED

# say SESSION ID ROLE TIME CONTENT [KEYS]; call SESSION ID TIME TOOL ARGUMENTS [CONTENT]: a call
# whose id is that of its message; gave SESSION ID OF TIME CONTENT [KEYS]: its result.
say() {
	jq -cn --arg s "$1" --arg i "$2" --arg r "$3" --arg t "$4" --arg c "$5" \
		--argjson k "${6-{\}}" '{session: $s, id: $i, role: $r, time: $t, content: $c} + $k'
}
call() {
	say "$1" "$2" assistant "$3" "${6-}" "$(jq -cn --arg i "$2" --arg n "$4" --arg a "$5" \
		'{tool_calls: [{id: $i, type: "function", function: {name: $n, arguments: $a}}]}')"
}
gave() {
	say "$1" "$2" tool "$4" "$5" "$(jq -cn --arg o "$3" --argjson k "${6-{\}}" \
		'{tool_call_id: $o} + $k')"
}
# got FILTER ARGUMENTS: what jq makes of the records found.
got() { f=$1; shift; mem-search -j "$@" >found && jq -r "$f" found; }

mkdir -p app/src app/old
home=$PWD/app
printf 'int main;\n' >app/src/main.c
touch -d 2024-05-01T10:02:30Z app/src/main.c
printf 'x' >app/src/size.c
touch -d 2024-04-01T00:00:00Z app/src/size.c
{
	jq -cn --arg d "$home" \
		'{type: "session", session: "one", title: "The pump", metadata: {cwd: $d}}'
	say one u1 user 2024-05-01T10:00:00Z 'Make the pump start at dawn.'
	call one c1 2024-05-01T10:01:00Z Read '{"file_path":"src/main.c"}'
	gave one r1 c1 2024-05-01T10:01:01Z 'int main;'
	call one c2 2024-05-01T10:02:00Z Edit \
		"{\"file_path\":\"$home/src/main.c\",\"old_string\":\"a\",\"new_string\":\"b\"}" \
		'We decided to keep main.c free of timers.'
	gave one r2 c2 2024-05-01T10:02:40Z 'updated'
	call one c3 2024-05-01T10:03:00Z Bash '{"command":"make  check"}'
	gave one r3 c3 2024-05-01T10:03:09Z "Exit code 2
src/main.c:7:3: error: 'dawn' undeclared (first use in this function)
make: *** [Makefile:3: check] Error 2" '{"is_error":true}'
	call one c4 2024-05-01T10:04:00Z apply_patch "*** Begin Patch
*** Update File: src/dawn.h
+extern int dawn;
*** End Patch" 'The header lacks it.'
	gave one r4 c4 2024-05-01T10:04:01Z 'done'
	call one c5 2024-05-01T10:05:00Z Bash '{"command":"make  check"}'
	gave one r5 c5 2024-05-01T10:05:09Z 'all tests pass' '{"is_error":false}'
	call one c6 2024-05-01T10:06:00Z Write \
		"{\"file_path\":\"$home/old/gone.c\",\"content\":\"x\"}"
	call one c7 2024-05-01T10:06:30Z Write \
		"{\"file_path\":\"$home/src/size.c\",\"content\":\"four\"}"
	call one c8 2024-05-01T10:07:00Z Read '{"file_path":"/not/on/this/machine/far.c"}'
	jq -cn '{type: "session", session: "two", metadata: {cwd: "/elsewhere"}}'
	say two u2 user 2024-05-03T09:00:00Z 'Look at the other pump.' '{"project":"barn"}'
	call two d1 2024-05-03T09:01:00Z shell \
		'{"command":["bash","-lc","cat src/main.c && make -C lib check"],"workdir":"/barn"}' |
		jq -c '.project = "barn"'
	gave two e1 d1 2024-05-03T09:01:05Z 'Exit code: 2
lib/b.c:99:1: error: '"'dawn'"' undeclared (first use in this function)' '{"project":"barn"}'
} >"$top/work.ndjson"
check 'sessions with calls' mem-ingest -q "$top/work.ndjson"

# ---- files ----

check_out 'a file by its end: each session, the last first' 'two read 1
one changed 1' got '"\(.session) \(.did) \(.changes // .reads)"' --file src/main.c
check_out 'by its whole path: that file alone' "one $home/src/main.c" \
	got '"\(.session) \(.path)"' --file "$home/src/main.c"
check_out 'a file that is here comes before others of its name' 'one two' sh -c \
	"cd app && mem-search -j -d ../mem.db --file src/main.c >f && jq -r .session f | paste -sd ' ' -"
check_out 'with ./ it is only the one that is here' 'one' sh -c \
	'cd app && mem-search -j -d ../mem.db --file ./src/main.c >f && jq -r .session f'
check_out 'on whose words it was changed, and what was decided' \
	'u1: Make the pump start at dawn. / c2: We decided to keep main.c free of timers' sh -c \
	'mem-search -j --file src/main.c -s one >found
	for k in asked decided; do i=$(jq -r ".$k[0].id" found)
		mem-show "$i" >m &&
			printf "%s: %s\n" "$(jq -r .source_id m)" "$(jq -r ".$k[0].text" found)"
	done | paste -sd "/" - | sed "s,/, / ,"'
check_out 'its id is that of the change' c2 sh -c \
	'mem-search -j --file src/main.c -s one | mem-show | jq -r .source_id'
check_out 'it was not changed since its result came' null got .stale --file "$home/src/main.c"
touch -d 2024-05-09T08:00:00Z app/src/main.c
check_out 'changed since: that is said, and when' 'true 2024-05-09T08:00:00Z' \
	got '"\(.stale) \(.modified)"' --file "$home/src/main.c"
check_out 'another size than it was given is another file, whatever its time' true \
	got .stale --file src/size.c
check_out 'a file that is gone' 'true true' got '"\(.stale) \(.gone)"' --file gone.c
check_out 'of a place that is not here nothing is told' 'null null' \
	got '"\(.stale) \(.gone)"' --file far.c
check_out 'a patch changes what it names' "changed $home/src/dawn.h" \
	got '"\(.did) \(.path)"' --file dawn.h
check 'a decision that is a fact' mem-remember -q \
	--fact 'gone.c shall never come back' --kind decision
check_out 'is told, too' 'gone.c shall never come back' \
	got 'select(.did == "decided").decided[0].text' \
	--file gone.c
check_out 'of a project' two got .session --file main.c -p barn
check_out 'since and until' one got .session --file main.c --since 2024-05-01 --until 2024-05-02
check_out 'at most so many' two got .session --file main.c -n 1
check_out 'of another user nothing' '' got . --file main.c -u other
check_out 'a part of a name finds nothing' '' got . --file ain.c
check_err 'with a question' 64 'stand alone' mem-search --file a.c what
check_err 'two at once' 64 'stand alone' mem-search --file a.c --command make
check_err 'no file' 64 'no file' mem-search --file /
check_status 'nothing found, with -e' 1 mem-search -e --file nothing.c
check_out 'no store yet' '' mem-search -d none.db --file main.c
check_like 'for people' '^ 1  2024-05-03  two' mem-search --format text --file main.c
check_like 'and that it changed since' 'it has changed since, at 2024-05-09' mem-search \
	--format text -s one --file main.c

# ---- commands ----

check_out 'a line once, that worked first; how often it failed' 'make  check true 2 1
cat src/main.c && make -C lib check false 1 1' \
	got '"\(.command) \(.worked) \(.runs) \(.failed)"' --command make
check_out 'the exit status, where it ran, and the error' "2 /barn lib/b.c:99:1: error: 'dawn' undeclared (first use in this function)" \
	got '"\(.exit) \(.dir) \(.error)"' --command cat
check_out 'with arguments' 'cat src/main.c && make -C lib check' got .command --command 'make -C'
check_out 'only whole words of them' '' got . --command 'make -'
check_out 'its id is that of the call that worked' c5 sh -c \
	'mem-search -j -n 1 --command make | mem-show | jq -r .source_id'
check_err 'no command' 64 'no command' mem-search --command ' '
check_like 'for people' 'exit 2, run 1 time, 1 failed, in /barn' \
	mem-search --format text --command cat

# ---- errors ----

dawn="x/y.c:1:1: error: 'dawn' undeclared (first use in this function)"
check_out 'the same error at another place' 'two false null
one true 2024-05-03T09:01:05Z' got '"\(.session) \(.worked // false) \(.again)"' --error "$dawn"
check_out 'what was done then, and whether it worked' 'said The header lacks it. null
changed '"$home"'/src/dawn.h null
ran make  check true' got '.then[] | "\(.did) \(.text) \(.worked)"' --error "$dawn" -s one
check_out 'what gave it' 'make  check' got .of --error "$dawn" -s one
check_out 'lines from the standard input' 'one two' sh -c \
	'printf "cc -c y.c\n%s\n" "$0" | mem-search -j --error - >f && jq -r .session f | sort | paste -sd " " -' "$dawn"
check_out 'of several lines the one that is not common decides' 'one' sh -c \
	"printf \"a.c:1:1: error: 'dawn' undeclared (first use in this function)\nmake: *** [Makefile:9: check] Error 2\n\" |
	mem-search -j --error - | jq -r 'select(.session == \"one\").session'"
check_out 'a part of the line finds it when no line is the same' 'one two' sh -c \
	"mem-search -j --error \"'dawn' undeclared\" >f && jq -r .session f | sort | paste -sd ' ' -"
check_out 'another error is none' '' got . --error \
	"error: 'dusk' undeclared (first use in this function)"
check_err 'no error' 64 'no error' mem-search --error ''
check_like 'for people' 'then ran: make  *check [(]worked[)]' \
	mem-search --format text -s one --error "$dawn"

{
	say five u5 user 2024-05-06T10:00:00Z 'Count the stores.'
	call five e1 2024-05-06T10:01:00Z Bash '{"command":"stock count --all"}'
	gave five s1 e1 2024-05-06T10:01:01Z 'error: the option --all is not known' \
		'{"is_error":true}'
	call five e2 2024-05-06T10:02:00Z Bash '{"command":"stock count --every"}'
	gave five s2 e2 2024-05-06T10:02:01Z '9' '{"is_error":false}'
} | mem-ingest -q -
check_out 'what worked in its place' 'stock count --every' \
	got .instead --error 'error: the option --all is not known'
check_like 'for people' 'worked instead: stock count --every' \
	mem-search --format text -s five --error 'error: the option --all is not known'

# ---- a line, by git ----

fresh
if command -v git >/dev/null; then
	export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.c \
		GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b.c
	git init -q yard
	# wrote TIME LINE ...: a commit that adds the lines
	wrote() {
		t=$1; shift
		printf '%s\n' "$@" >>yard/gate.c
		git -C yard add gate.c
		GIT_AUTHOR_DATE=$t GIT_COMMITTER_DATE=$t git -C yard commit -q -m "gate at $t"
	}
	wrote 2024-05-01T10:00:00Z 'int gate_height = 12;' 'return 0;'
	wrote 2024-05-02T10:00:00Z 'int gate_width = 7;' 'return 0;'
	hash=$(git -C yard rev-parse --short HEAD)
	wrote 2024-05-03T10:00:00Z 'int gate_colour = 3;'
	printf 'int gate_sound = 1;\n' >>yard/gate.c
	edit() { jq -cn --arg n "$1" '{file_path: "gate.c", old_string: "x", new_string: $n}'; }
	{
		say high u1 user 2024-05-01T09:00:00Z 'We decided: the gate is 12 feet high.'
		call high c1 2024-05-01T09:01:00Z Edit "$(edit 'int gate_height = 12;
return 0;')"
		say high u2 user 2024-05-01T09:02:00Z 'We decided: the gate is never painted.'
		say wide u3 user 2024-05-02T09:00:00Z 'Make the gate wide.'
		call wide c3 2024-05-02T09:01:00Z Bash '{"command":"./widen gate.c"}'
		call wide c4 2024-05-02T09:02:00Z Bash '{"command":"git commit -am wider"}'
		gave wide r4 c4 2024-05-02T09:02:01Z "[main $hash] gate"
		call hue c5 2024-05-03T09:00:00Z Bash '{"command":"colour gate.c"}'
		call loud c6 2024-05-04T09:00:00Z Edit "$(edit 'int gate_sound = 1;')"
		call late c7 2024-05-05T09:00:00Z Edit "$(edit 'int gate_height = 12;')"
	} | mem-ingest -q -
	line() { mem-search -j --blame "yard/gate.c:$1" | jq -r '"\(.session) \(.by)"'; }
	check_out 'by what it wrote, before the commit' 'high line' line 1
	check_out 'also of a line that many have' 'high line' line 2
	check_out 'by the commit that its output names' 'wide commit' line 3
	check_out 'by the time alone' 'hue time' line 5
	check_out 'one that is not committed' 'loud line' line 6
	check_out 'on whose words, and what was decided before' \
		'We decided: the gate is 12 feet high.
We decided: the gate is 12 feet high' \
		sh -c 'mem-search -j --blame yard/gate.c:1 |
			jq -r ".asked[].text, .decided[-1].text"'
	check_out 'and its commit' 'gate at 2024-05-01T10:00:00Z' \
		sh -c 'mem-search -j --blame yard/gate.c:1 | jq -r .summary'
	check_like 'mem blame, for people' 'commit [0-9a-f]{12}: gate at 2024-05-02' \
		mem blame yard/gate.c:3 --format text
	check_err 'no such line' 66 'has only 6 lines|no such line' mem blame yard/gate.c:99
	check_err 'no line' 64 'FILE:LINE is wanted' mem blame yard/gate.c
	# a repository that comes from elsewhere, with commands in its configuration
	cp -r yard foreign
	cat >>foreign/.git/config <<-END
		[core]
			fsmonitor = touch $PWD/ran-monitor; false
		[diff "x"]
			textconv = touch $PWD/ran-textconv; cat
		[diff]
			external = touch $PWD/ran-diff
		[filter "a=b"]
			clean = touch $PWD/ran-clean; cat
			required = true
	END
	echo '*.c diff=x filter=a=b' >foreign/.git/info/attributes
	touch foreign/gate.c
	check_out 'git runs nothing that a repository names' 'high
loud
ran-*' sh -c 'for n in 1 6; do mem-search -j --blame foreign/gate.c:$n | jq -r .session; done
		echo ran-*'
	mem-forget -q -f -s high
	check_out 'not by a session that was forgotten' '' line 1
else
	skip 'a line, by git' 'no git'
fi

# ---- what agents write, each in its own form ----

fresh
check 'transcripts of agents' sh -c 'for f in claude-code codex-items codex-exec gemini opencode; do
	for i in "$0"/tests/fixtures/from/$f.json*; do
		mem-ingest -q "$i" || exit 1; done; done' "$ROOT"
check_out 'Claude Code' read got .did --file login.js
check_out 'Codex' sed got .command --command sed
check_out 'codex exec' changed got 'select(.changes).did' --file pump.c

# ---- the lists ----

fresh
lists() { sqlite3 mem.db 'SELECT id, hex(items) FROM work ORDER BY id'; }
check 'again' mem-ingest -q "$top/work.ndjson"
check_out 'they hold no words' '' sh -c \
	'sqlite3 mem.db "SELECT hex(items) FROM work" | grep -E "6D61696E|6D616B65|6461776E"; :'
lists >made
check 'the same after a repair' sh -c 'mem-check -q --repair'
lists >now
check 'byte for byte' cmp made now
check_like 'a check compares them with the messages' 'lists are those of the messages' mem-check \
	--deep --format text
sqlite3 mem.db 'DELETE FROM work'
check_status 'and notices when they are gone' 74 mem-check -q --deep
check 'they are mended' sh -c 'mem-check -q --repair && mem-check -q --deep'
lists >now
check 'as they were' cmp made now
check_out 'a memory that is taken elsewhere has them there' 'two read
one changed' sh -c 'mem-export >all && mem-import -q -d copy.db <all >verdicts &&
	mem-check -q --deep -d copy.db && mem-search -j -d copy.db --file src/main.c >f &&
	jq -r "\"\(.session) \(.did)\"" f'
check 'a message goes, and it is proved' mem-forget -qf --verify source:c2
check_out 'the lists do not name it any more' 'read' got .did -s one --file main.c
check 'a session goes' mem-forget -qf --verify -s one
check_out 'with its part of them' '1 two' sh -c \
	'mem-search -j --file main.c >f; echo "$(sqlite3 mem.db "SELECT count(*) FROM work") $(jq -r .session f)"'
check 'the store is in order' mem-check -q --deep
check 'a session that is old goes' sh -c \
	'MEM_NOW=2030-01-01T00:00:00Z mem-prune -qf --sessions'
check_out 'and nothing is left' 0 sqlite3 mem.db 'SELECT count(*) FROM work'

fresh
hash=4f9a1c2b7d8e90123456789abcdef0123456789a
sed "s/HASH/$hash/" >c.json <<'END'
{"role":"assistant","session":"a","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"shell","arguments":"{\"command\":\"git show HASH\"}"}}]}
END
mem-ingest -q c.json
for p in 4f9a1c2 4f9a1c2b7d8e $hash; do
	check_out "a command, by $(expr length $p) digits of its commit" 1 sh -c \
		"mem-search --command 'git show $p' >o; wc -l <o"
done
for p in 4f9a1c 4f9a1c3; do
	check_out "but not by $p" 0 sh -c "mem-search --command 'git show $p' >o; wc -l <o"
done


# ---- an error as a person types it ----

fresh
mem-ingest -q --from=ndjson - <<'EOT'
{"session":"l","role":"assistant","content":"","tool_calls":[{"id":"c1","name":"Bash","input":{"command":"make"}}]}
{"session":"l","role":"tool","tool_call_id":"c1","content":"ld: gauge.o: undefined reference to `lever_init'\nexit code 1"}
{"session":"m","role":"assistant","content":"","tool_calls":[{"id":"c2","name":"Bash","input":{"command":"git merge flood"}}]}
{"session":"m","role":"tool","tool_call_id":"c2","content":"Auto-merging lever.c\nCONFLICT (content): Merge conflict in lever.c\nexit code 1"}
{"session":"n","role":"assistant","content":"","tool_calls":[{"id":"c3","name":"Bash","input":{"command":"./poll"}}]}
{"session":"n","role":"tool","tool_call_id":"c3","content":"Bus Error: [In/Out] No answer from the far unit/Unable to read\nexit code 1"}
EOT
for q in 'l:undefined reference to lever_init' 'm:Merge conflict in lever.c' \
	'n:No answer from the far unit'; do
	check_out "without its marks: ${q#*:}" "${q%%:*}" sh -c \
		'mem-search --error "$1" >o && jq -r .session o' sh "${q#*:}"
done
done_testing
