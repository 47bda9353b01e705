#!/bin/sh
# mem-list skills: routines that worked in several sessions.
. "${0%/*}/lib.sh"
unset MEM_SEED

# did SESSION DAY COMMAND [failed|nameless], whose result names no call; edited SESSION DAY FILE;
# asked SESSION DAY TEXT: lines for turns
n=0
turn() {
	n=$((n + 1))
	printf '%d\t%s\t%s\t%s\t%s\t%s\n' $n "$@"
}
did() { turn "$1" "$2" Bash "$3" "$4"; }
edited() { turn "$1" "$2" Edit "/w/dock/$3" ''; }
asked() { turn "$1" "$2" '' "$3" ''; }
turns() {
	jq -cR 'def two: tostring | if length < 2 then "0" + . else . end;
		split("\t") as [$n, $session, $day, $tool, $what, $failed] | ($n | tonumber) as $t |
		{$session, time: "2024-05-\($day)T09:\($t / 60 % 60 | two):\($t % 60 | two)Z",
			project: "/w/dock"} +
		(if $tool == "" then {role: "user", content: $what} else
			{role: "assistant", content: "", tool_calls: [{id: "c\($n)", type: "function",
				function: {name: $tool, arguments: (if $tool == "Bash" then
					{command: $what} else {file_path: $what, old_string: "a",
					new_string: "b"} end | tojson)}}]},
			{role: "tool", content: (if $failed == "" then "done"
				else "Exit code 1\nerror: it failed" end)} +
			if $failed == "nameless" then {} else {tool_call_id: "c\($n)"} end end)'
}
# looked SESSION DAY: what is done everywhere
looked() {
	did "$1" "$2" 'git status'
	did "$1" "$2" 'ls src && cat README.md'
	edited "$1" "$2" "src/hull$n.c"
	did "$1" "$2" "make check$n"
}
ended() {
	did "$1" "$2" 'git add -A'
	did "$1" "$2" "git commit -m 'step $n'"
	did "$1" "$2" 'git push'
}
{
	for i in 1 2 3 4 5 6; do
		asked "chart$i" "0$i" "redraw the chart of bay $i"
		looked "chart$i" "0$i"
		edited "chart$i" "0$i" charts/bay.toml
		did "chart$i" "0$i" 'cat charts/bay.toml'
		[ $i -ne 2 ] || did "chart$i" "0$i" "chartgen draw bay$i" failed
		did "chart$i" "0$i" "chartgen draw bay$i"
		did "chart$i" "0$i" "cd out && pngcrush -brute bay$i.png | tee log"
		[ $i -eq 3 ] || did "chart$i" "0$i" "chartgen publish bay$i --to $i"
		ended "chart$i" "0$i"
	done
	for i in 1 2; do
		asked "lamp$i" "1$i" 'trim the lamp'
		edited "lamp$i" "1$i" lamp.toml
		did "lamp$i" "1$i" 'lampctl trim'
		did "lamp$i" "1$i" 'lampctl test'
		ended "lamp$i" "1$i"
	done
	for i in 1 2 3 4 5; do
		how=
		[ $i -lt 4 ] || how=failed
		asked "tide$i" "2$i" 'load the tides'
		did "tide$i" "2$i" 'tidefetch all'
		did "tide$i" "2$i" 'tideparse all'
		did "tide$i" "2$i" 'tideload all' "$how"
		looked "tide$i" "2$i"
		ended "tide$i" "2$i"
	done
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		asked "other$i" 25 "look at berth $i"
		looked "other$i" 25
		ended "other$i" 25
	done
} >in.tsv
turns <in.tsv >in.ndjson
check 'sessions with calls are stored' mem-ingest -q in.ndjson

one() { mem-list -j skills | jq -c "$1"; }
check_out 'what worked in several sessions is listed, and nothing else' \
	'["chartgen-draw-pngcrush-chartgen-publish",6,6]' one '[.name, .n_worked, .n_tried]'
check_out 'the steps are those of the newest time that has most of them' \
	'["edit /w/dock/charts/bay.toml","chartgen draw bay6","pngcrush -brute bay6.png","chartgen publish bay6 --to 6"]' \
	one .steps
check_out 'what was asked before is told, the newest first' \
	'["redraw the chart of bay 6","redraw the chart of bay 2"]' one '[.asked[0], .asked[-1]]'
check_out 'the time is that of the last one that worked' '"2024-05-06"' one '.time[:10]'
check_out 'the evidence names messages of calls' assistant sh -c \
	'mem-list -j skills | jq -r ".sources[0]" | xargs mem-show -j | jq -r .role'
check_like 'the text is a file that hosts read' '^name: chartgen-draw' sh -c \
	'mem-list -j skills | jq -r .text'
if has_terminal; then
	check_like 'people see the text' '^3\. `pngcrush -brute' \
		script -qec 'mem-list skills' /dev/null
fi
{
	for i in 6 7 8; do
		did "tide$i" "2$i" 'tidefetch all'
		did "tide$i" "2$i" 'tideparse all'
		did "tide$i" "2$i" 'tideload all'
	done
} >more.tsv
turns <more.tsv >more.ndjson
check 'later sessions are stored' mem-ingest -q more.ndjson
check_out 'a routine that works again is listed again' \
	'["tidefetch-all-tideparse-all-tideload-all",6,8]' \
	sh -c "mem-list -j skills | jq -c 'select(.name | startswith(\"tide\")) |
	[.name, .n_worked, .n_tried]'"
# what belongs to a routine, and which times of it count
filler() {
	for j in 1 2 3 4 5 6 7 8; do
		did "$1" "$2" "make x$n"
		edited "$1" "$2" "src/a$n.c"
	done
}
{
	for i in 1 2 3 4 5 6; do
		[ $i -ne 1 ] || { did buoy1 01 'buoy lift'; did buoy1 01 'buoy scrub'; }
		filler "buoy$i" "0$i"
		[ $i -ne 6 ] || did buoy6 06 'buoy lift' failed
		[ $i -eq 6 ] || did "buoy$i" "0$i" 'buoy lift'
		did "buoy$i" "0$i" 'buoy scrub'
		did "buoy$i" "0$i" "buoy paint $(printf '%160s' | tr ' ' x)"
		[ $i -gt 2 ] || did "buoy$i" "0$i" 'rope splice'
		did "buoy$i" "0$i" 'bell ring'
		did "buoy$i" "0$i" 'buoy float'
		[ $i -ne 6 ] || did buoy6 06 'buoy lift'
		filler "buoy$i" "0$i"
		[ $i -ne 2 ] || { did buoy2 02 'buoy lift'; did buoy2 02 'buoy scrub'; }
	done
	did half 07 'buoy lift'
	did half 07 'buoy scrub'
	filler half 07
	for step in lift scrub paint; do did failing 04 "buoy $step"; done
	did failing 04 'buoy float' nameless
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do did "bell$i" 08 'bell ring'; done
	for i in 1 2 3 4; do
		did "patch$i" 09 "apply_patch x'; sail sew; sail trim; sail reef"
	done
	for i in 1 2 3 4; do did "pair$i" 09 'tar heat'; did "pair$i" 09 'tar pour'; done
} >near.tsv
MEM_DB=$PWD/near.db
# as a program that is run without a shell
turns <near.tsv |
	sed '/apply_patch/s/{\\"command\\":\\"apply_patch \(.*\)\\"}/{\\"command\\":[\\"apply_patch\\",\\"\1\\"]}/' >near.ndjson
check 'sessions with much beside a routine are stored' mem-ingest -q near.ndjson
check_out 'what is everywhere, elsewhere or seldom near is no step, nor are two steps a routine' \
	'["buoy scrub","buoy paint","buoy float","buoy lift"]' one '.steps | map(.[:10])'
check_out 'a time counts once a session, and as one that worked when most of it did' '[6,8]' \
	one '[.n_worked, .n_tried]'
check_out 'a command that is cut says so' '"xxx ..."' one '.steps[1][-7:]'

# more sessions than a double can count the choices of, and lines of several commands
MEM_DB=$PWD/many.db
jq -cn 'def ran($i; $n; $line): {session: "s\($i)", role: "assistant", content: "",
		time: "2024-05-01T09:00:0\($n)Z", tool_calls: [{id: "c\($n)", type: "function",
		function: {name: "Bash", arguments: ({command: $line} | tojson)}}]};
	range(1100) as $i |
	{session: "s\($i)", role: "user", content: " \n\u001b[31mgo", time: "2024-05-01T08:00:00Z"},
	ran($i; 1; "buoydb -c \"drop a; drop b\" main 2>&1 | tail"),
	ran($i; 2; "npm run build && bash -lc \"npm run deploy `x`\""),
	ran($i; 3; "buoysay \"```\n---\n# x\"")' >many.ndjson
check 'many sessions are stored' mem-ingest -q many.ndjson
check_out 'a command is whole with its quotes, and each of a line is a step, in any number' \
	'[1100,"buoydb -c \"drop a; drop b\" main","npm run build","npm run deploy `x`"]' \
	one '[.n_worked] + .steps[:3]'
check_out 'a step of several lines is a block of code that nothing in it ends' '4.
    ````
    buoysay "```
    ---
    # x"
    ````' sh -c 'mem-list -j skills | jq -r .text | sed -n "/^4/,/^$/p" | sed "/^$/d"'
if has_terminal; then
	check_like 'nothing of a routine drives the terminal' '^- .x1b.31mgo' \
		script -qec 'mem-list skills' /dev/null
	check_like 'a step with a backtick stays one' '^3\. `` npm run deploy `x` ``' \
		script -qec 'mem-list skills' /dev/null
fi
MEM_DB=$PWD/mem.db

check_out 'another project has no routine of this one' '' mem-list -j -p /w/other skills
check_status 'a filter that has no meaning is refused' 64 mem-list --since 1d skills

done_testing
