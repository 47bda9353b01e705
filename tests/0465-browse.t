#!/bin/sh
# mem-browse: what it lists, what is shown of what is chosen, with fzf and without.
. "${0%/*}/lib.sh"

mem-ingest -q --from=ndjson >stored <<'E'
{"type":"session","id":"2","title":"The old jetty"}
{"session":"2","id":"j1","time":"2024-05-01T10:00:00Z","role":"user","content":"How long is the jetty?"}
{"session":"2","id":"j2","time":"2024-05-01T10:01:00Z","role":"assistant","content":"Forty metres."}
{"session":"it's $(touch broken); `touch broken`","id":"q1","time":"2024-05-02T10:00:00Z","project":"/srv/tide","role":"user","content":"Which sensor do we take?\u001b[31m"}
{"session":"it's $(touch broken); `touch broken`","id":"q2","time":"2024-05-02T10:01:00Z","project":"/srv/tide","role":"assistant","content":"The one with a vented cable."}
E

check_err 'mem-browse wants a terminal to draw on' 64 'it is for a terminal' mem-browse
check_err 'times of no question' 64 'go with a question' mem-browse --since 2024
has_terminal || { skip 'the rest' 'script(1) gives no terminal'; done_testing; exit; }

# typed TEXT COMMAND: what it prints on a terminal of 80 columns when TEXT is typed there.
typed() {
	printf "$1" | PAGER=cat MEM_COLOR=never script -qec "stty cols 80 rows 24; $2" /dev/null \
		>"$top/tty" 2>&1
	tr -d '\r' <"$top/tty"
}
check_like 'sessions, the newest first, by title or a name of words' \
	'^   1  2024-05-02  tide +it.s .\(touch broken' typed 'q\n' 'mem-browse --plain'
check_like 'the next session stands on the next line' '^   2  2024-05-01 +The old jetty' \
	cat "$top/tty"
check_like 'a number shows all of it' 'Forty metres\.' typed '2\nq\n' 'mem-browse --plain'
check_like 'whatever its name is' 'The one with a vented cable\.' typed '1\nq\n' \
	'mem-browse --plain'
check 'of which nothing is run' test ! -e broken
check_out 'what a text holds drives no terminal' 0 sh -c \
	'grep -c "$(printf "\033\[31m")" "$1"; true' - "$top/tty"
check_like 'a number too large' 'there are 2' typed '7\nq\n' 'mem-browse --plain'
check_like 'sessions of a project are browsed' '^   1  .*touch broken' \
	typed 'q\n' 'mem-browse --plain -p /srv/tide'
check_out 'sessions of a project are browsed alone' 1 grep -c '^ *[0-9]  2024' "$top/tty"
check_like 'hits of a question are browsed' '^   1  2024-05-01  user +How long is the jetty' typed \
	'q\n' 'mem-browse --plain jetty'
check_like 'with the turns around' 'Forty metres\.' typed '1\nq\n' 'mem-browse --plain jetty'
seq 60 | sed 's/.*/{"session":"s&","time":"2024-01-01T00:00:00Z","role":"user","content":"line &"}/' |
	mem-ingest -q -u many --from=ndjson >stored
# screens KEYS: how many lines are listed by then.
screens() {
	typed "$1" 'mem-browse --plain -u many' | grep -c '[0-9]  2024-01-01 '
}
check_out 'a screen at a time' 22 screens 'q\n'
check_out 'an empty line shows one more screen' 44 screens '\nq\n'
check_like 'a store that is not there is told' 'no store' typed '' 'mem-browse -d none.db'
check_like 'a list of nothing is told as that' 'nothing was found' typed '' 'mem-browse -u nobody'

# An fzf that takes the first line, and runs what a preview and Enter would.
mkdir path
cat >path/fzf <<'E'
#!/bin/sh
sed 1q >first
name=$(cut -f 1 first | sed "s/'/'\\\\''/g; s/^/'/; s/\$/'/")
for option; do
	case $option in
	--preview=*) command=${option#--preview=} ;;
	--bind=enter:execute:*) command=${option#--bind=enter:execute:} ;;
	*) continue ;;
	esac
	command=${command%%\{1\}*}$name${command#*\{1\}}
	sh -c "$command" >"./${option%%=*}.shown"
done
exit "${FZF_ENDS:-130}"
E
chmod +x path/fzf
PATH=$PWD/path:$PATH
check 'with fzf, where there is one' typed '' mem-browse
check_like 'it has the lines' '^2024-05-02  tide +it.s .\(touch broken' cut -f 2 first
check_like 'it shows what stands there' 'vented cable' cat ./--preview.shown
check_like 'Enter reads the turn that is chosen' 'vented cable' cat ./--bind.shown
check 'nothing of a name is run' test ! -e broken
check_like 'that it failed is said' 'fzf ended with status 2' typed '' 'FZF_ENDS=2 mem-browse'
done_testing
