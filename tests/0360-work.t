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
check 'sessions with calls of tools are stored' mem-ingest -q "$top/work.ndjson"

# ---- files ----

check_out 'a file is found by its end: each session, the last first' 'two read 1
one changed 1' got '"\(.session) \(.did) \(.changes // .reads)"' --file src/main.c
check_out 'a file is found by its whole path, and that file alone' "one $home/src/main.c" \
	got '"\(.session) \(.path)"' --file "$home/src/main.c"
check_out 'a file that is here comes before others of its name' 'one two' sh -c \
	"cd app && mem-search -j -d ../mem.db --file src/main.c >f && jq -r .session f | paste -sd ' ' -"
check_out 'a name with ./ is only the file that is here' 'one' sh -c \
	'cd app && mem-search -j -d ../mem.db --file ./src/main.c >f && jq -r .session f'
check_out 'a change tells on whose words it was made, and what was decided' \
	'u1: Make the pump start at dawn. / c2: We decided to keep main.c free of timers' sh -c \
	'mem-search -j --file src/main.c -s one >found
	for k in asked decided; do i=$(jq -r ".$k[0].id" found)
		mem-show "$i" >m &&
			printf "%s: %s\n" "$(jq -r .source_id m)" "$(jq -r ".$k[0].text" found)"
	done | paste -sd "/" - | sed "s,/, / ,"'
check_out 'the id of a hit is that of the change' c2 sh -c \
	'mem-search -j --file src/main.c -s one | mem-show | jq -r .source_id'
check_out 'a file that is as its result left it is not stale' null \
	got .stale --file "$home/src/main.c"
touch -d 2024-05-09T08:00:00Z app/src/main.c
check_out 'a file that changed since is told as stale, and when' 'true 2024-05-09T08:00:00Z' \
	got '"\(.stale) \(.modified)"' --file "$home/src/main.c"
check_out 'another size than it was given is another file, whatever its time' true \
	got .stale --file src/size.c
check_out 'a file that is gone is told as gone' 'true true' got '"\(.stale) \(.gone)"' --file gone.c
check_out 'nothing is told of a file on another machine' 'null null' \
	got '"\(.stale) \(.gone)"' --file far.c
check_out 'a patch changes what it names' "changed $home/src/dawn.h" \
	got '"\(.did) \(.path)"' --file dawn.h
check 'a decision about a file is remembered as a fact' mem-remember -q \
	--fact 'gone.c shall never come back' --kind decision
check_out 'a decision that is a fact is told with the file' 'gone.c shall never come back' \
	got 'select(.did == "decided").decided[0].text' \
	--file gone.c
check_out 'a file is looked for in one project' two got .session --file main.c -p barn
check_out 'a file is looked for within a time' one \
	got .session --file main.c --since 2024-05-01 --until 2024-05-02
check_out 'a file is found in at most so many sessions' two got .session --file main.c -n 1
check_out 'another user finds nothing of a file' '' got . --file main.c -u other
check_out 'a part of a file name finds nothing' '' got . --file ain.c
check_err '--file is refused beside a question' 64 'stand alone' mem-search --file a.c what
check_err '--file is refused beside --command' 64 'stand alone' mem-search --file a.c --command make
check_err '--file without a name is refused' 64 'no file' mem-search --file /
check_status '-e ends with 1 where no file is found' 1 mem-search -e --file nothing.c
check_out 'without a store no file is found' '' mem-search -d none.db --file main.c
check_like 'a hit of a file is shown to people' '^ 1  2024-05-03  two' \
	mem-search --format text --file main.c
check_like 'people are told that a file has changed since' 'it has changed since, at 2024-05-09' \
	mem-search --format text -s one --file main.c
check_like 'people are told how often a file was looked at and changed' \
	', [1-9][0-9]* changes?(, [1-9][0-9]* looks?)?$' mem-search --format text --file main.c

# ---- commands ----

check_out 'a command is listed once, that worked first, with its failures' 'make  check true 2 1
cat src/main.c && make -C lib check false 1 1' \
	got '"\(.command) \(.worked) \(.runs) \(.failed)"' --command make
check_out 'a command tells its exit status, where it ran, and the error' \
	"2 /barn lib/b.c:99:1: error: 'dawn' undeclared (first use in this function)" \
	got '"\(.exit) \(.dir) \(.error)"' --command cat
check_out 'a command is found by its arguments' 'cat src/main.c && make -C lib check' \
	got .command --command 'make -C'
check_out 'a command is found by whole words alone' '' got . --command 'make -'
check_out 'the id of a command is that of the call that worked' c5 sh -c \
	'mem-search -j -n 1 --command make | mem-show | jq -r .source_id'
check_err '--command without a command is refused' 64 'no command' mem-search --command ' '
check_like 'a command is shown to people with its runs' 'exit 2, run 1 time, 1 failed, in /barn' \
	mem-search --format text --command cat

# ---- errors ----

dawn="x/y.c:1:1: error: 'dawn' undeclared (first use in this function)"
check_out 'an error is found by the same error at another place' 'two false null
one true 2024-05-03T09:01:05Z' got '"\(.session) \(.worked // false) \(.again)"' --error "$dawn"
check_out 'an error tells what was done then, and whether it worked' 'said The header lacks it. null
changed '"$home"'/src/dawn.h null
ran make  check true' got '.then[] | "\(.did) \(.text) \(.worked)"' --error "$dawn" -s one
check_out 'an error tells which command gave it' 'make  check' got .of --error "$dawn" -s one
check_out 'an error is read from the standard input' 'one two' sh -c \
	'printf "cc -c y.c\n%s\n" "$0" | mem-search -j --error - >f && jq -r .session f | sort | paste -sd " " -' "$dawn"
check_out 'of several lines the one that is not common decides' 'one' sh -c \
	"printf \"a.c:1:1: error: 'dawn' undeclared (first use in this function)\nmake: *** [Makefile:9: check] Error 2\n\" |
	mem-search -j --error - | jq -r 'select(.session == \"one\").session'"
check_out 'a part of the line finds it when no line is the same' 'one two' sh -c \
	"mem-search -j --error \"'dawn' undeclared\" >f && jq -r .session f | sort | paste -sd ' ' -"
check_out 'another error than those before finds nothing' '' got . --error \
	"error: 'dusk' undeclared (first use in this function)"
check_err '--error without an error is refused' 64 'no error' mem-search --error ''
check_like 'an error is shown to people with what was done' 'then ran: make  *check [(]worked[)]' \
	mem-search --format text -s one --error "$dawn"

{
	say five u5 user 2024-05-06T10:00:00Z 'Count the stores.'
	call five e1 2024-05-06T10:01:00Z Bash '{"command":"stock count --all"}'
	gave five s1 e1 2024-05-06T10:01:01Z 'error: the option --all is not known' \
		'{"is_error":true}'
	call five e2 2024-05-06T10:02:00Z Bash '{"command":"stock count --every"}'
	gave five s2 e2 2024-05-06T10:02:01Z '9' '{"is_error":false}'
} | mem-ingest -q -
check_out 'an error tells what worked in place of the command' 'stock count --every' \
	got .instead --error 'error: the option --all is not known'
check_like 'people are told what worked in place of the command' \
	'worked instead: stock count --every' \
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
	check_out 'a line is found by the call that wrote it, before its commit' 'high line' line 1
	check_out 'a line that many commits have is found by the call that wrote it' 'high line' \
		line 2
	check_out 'a line is found by the commit that an output names' 'wide commit' line 3
	check_out 'a line is found by the time of its commit alone' 'hue time' line 5
	check_out 'a line that is not committed is found by its call' 'loud line' line 6
	check_out 'a line tells on whose words it was written, and what was decided before' \
		'We decided: the gate is 12 feet high.
We decided: the gate is 12 feet high' \
		sh -c 'mem-search -j --blame yard/gate.c:1 |
			jq -r ".asked[].text, .decided[-1].text"'
	check_out 'a line tells the subject of its commit' 'gate at 2024-05-01T10:00:00Z' \
		sh -c 'mem-search -j --blame yard/gate.c:1 | jq -r .summary'
	mem blame yard/gate.c:1 >why
	check 'why a line was written is a note of its commit' sh -c \
		"jq -r '\"asked: \" + .asked[].text, \"decided: \" + .decided[].text' why |
			git -C yard notes --ref=mem add -f -F - \"\$(jq -r .commit why)\""
	check_like 'the note of a commit says what was decided' \
		'decided: We decided: the gate is 12 feet high' git -C yard log --notes=mem
	check_like 'mem blame shows people the commit of a line' \
		'commit [0-9a-f]{12}: gate at 2024-05-02' mem blame yard/gate.c:3 --format text
	check_err 'a line that the file has not is refused' 66 'has only 6 lines|no such line' \
		mem blame yard/gate.c:99
	check_err 'mem blame without a line is refused' 64 'FILE:LINE is wanted' \
		mem blame yard/gate.c
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
	check_out 'a line is not found by a session that was forgotten' '' line 1
else
	skip 'a line is found by the call that wrote it, before its commit' 'no git'
fi

# ---- what agents write, each in its own form ----

fresh
check 'transcripts of five agents are stored' \
	sh -c 'for f in claude-code codex-items codex-exec gemini opencode; do
	for i in "$0"/tests/fixtures/from/$f.json*; do
		mem-ingest -q "$i" || exit 1; done; done' "$ROOT"
check_out 'what Claude Code read is found by the file' read got .did --file login.js
check_out 'what Codex ran is found by the command' sed got .command --command sed
check_out 'what codex exec changed is found by the file' changed \
	got 'select(.changes).did' --file pump.c

# ---- the lists ----

fresh
lists() { sqlite3 mem.db 'SELECT id, hex(items) FROM work ORDER BY id'; }
check 'sessions with calls are stored once more' mem-ingest -q "$top/work.ndjson"
check_out 'the lists of work hold no words' '' sh -c \
	'sqlite3 mem.db "SELECT hex(items) FROM work" | grep -E "6D61696E|6D616B65|6461776E"; :'
lists >made
check 'the lists of work are made anew by a repair' sh -c 'mem-check -q --repair'
lists >now
check 'the lists of work are byte for byte as before the repair' cmp made now
check_like 'a check compares the lists of work with the messages' \
	'lists are those of the messages' mem-check --deep --format text
sqlite3 mem.db 'DELETE FROM work'
check_status 'a check notices when the lists of work are gone' 74 mem-check -q --deep
check 'a repair brings back the lists of work' sh -c 'mem-check -q --repair && mem-check -q --deep'
lists >now
check 'the lists of work that were gone are as they were' cmp made now
check_out 'a memory that is taken elsewhere has its lists of work there' 'two read
one changed' sh -c 'mem-export >all && mem-import -q -d copy.db <all >verdicts &&
	mem-check -q --deep -d copy.db && mem-search -j -d copy.db --file src/main.c >f &&
	jq -r "\"\(.session) \(.did)\"" f'
check 'a message with a call is forgotten, and it is proved' mem-forget -qf --verify source:c2
check_out 'the lists of work do not name a forgotten call' 'read' got .did -s one --file main.c
check 'a session with calls is forgotten, and it is proved' mem-forget -qf --verify -s one
check_out 'a forgotten session has nothing in the lists of work' '1 two' sh -c \
	'mem-search -j --file main.c >f; echo "$(sqlite3 mem.db "SELECT count(*) FROM work") $(jq -r .session f)"'
check 'the store is in order after calls were forgotten' mem-check -q --deep
check 'an old session with calls is pruned' sh -c \
	'MEM_NOW=2030-01-01T00:00:00Z mem-prune -qf --sessions'
check_out 'no list of work is left when no session is' 0 sqlite3 mem.db 'SELECT count(*) FROM work'

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
	check_out "a command is not found by other digits of its commit: $p" 0 \
		sh -c "mem-search --command 'git show $p' >o; wc -l <o"
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
	check_out "an error is found without its marks: ${q#*:}" "${q%%:*}" sh -c \
		'mem-search --error "$1" >o && jq -r .session o' sh "${q#*:}"
done
done_testing
