#!/bin/sh
# mem-list skills: routines that worked in several sessions.
. "${0%/*}/lib.sh"
unset MEM_SEED

# did SESSION DAY COMMAND [FAILED]; edited SESSION DAY FILE; asked SESSION DAY TEXT
n=0
turn() {
	n=$((n + 1))
	jq -cn --arg s "$1" --arg t "2024-05-$2T09:$(printf %02d $((n / 60 % 60))):$(printf %02d \
		$((n % 60)))Z" --arg n "c$n" --argjson m "$3" \
		'{session: $s, time: $t, project: "/w/dock"} + $m + if $m.tool_calls then
			{tool_calls: [$m.tool_calls[0] + {id: $n}]} else {tool_call_id: $n} end'
}
call() {
	turn "$1" "$2" "$(jq -cn --arg n "$3" --argjson a "$4" '{role: "assistant", content: "",
		tool_calls: [{type: "function", function: {name: $n, arguments: ($a | tojson)}}]}')"
	n=$((n - 1))
	turn "$1" "$2" "$(jq -cn --arg c "${5:-done}" '{role: "tool", content: $c}')"
}
did() { call "$1" "$2" Bash "$(jq -cn --arg c "$3" '{command: $c}')" "$4"; }
edited() { call "$1" "$2" Edit "$(jq -cn --arg f "/w/dock/$3" \
	'{file_path: $f, old_string: "a", new_string: "b"}')"; }
asked() { turn "$1" "$2" "$(jq -cn --arg c "$3" '{role: "user", content: $c}')" |
	jq -c 'del(.tool_call_id)'; }
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
failed='Exit code 1
error: it failed'

{
	for i in 1 2 3 4 5 6; do
		asked "chart$i" "0$i" "redraw the chart of bay $i"
		looked "chart$i" "0$i"
		edited "chart$i" "0$i" charts/bay.toml
		did "chart$i" "0$i" 'cat charts/bay.toml'
		[ $i -ne 2 ] || did "chart$i" "0$i" "chartgen draw bay$i" "$failed"
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
		[ $i -lt 4 ] || how=$failed
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
} >in.ndjson
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
} >more.ndjson
check 'later sessions are stored' mem-ingest -q more.ndjson
check_out 'a routine that works again is listed again' \
	'["tidefetch-all-tideparse-all-tideload-all",6,8]' \
	sh -c "mem-list -j skills | jq -c 'select(.name | startswith(\"tide\")) |
	[.name, .n_worked, .n_tried]'"
check_out 'another project has no routine of this one' '' mem-list -j -p /w/other skills
check_status 'a filter that has no meaning is refused' 64 mem-list --since 1d skills

done_testing
