# llm.sh: a model's server on this machine for the tests of programs that ask one. After lib.sh:
#
#	serve [ANSWER]       starts it; $url, $log (a line a request), $answer (a file: what a good
#	answer says, {"n":1} by default)
#	at BEHAVIOUR         it behaves so from here on: a row of the table in
#	tests/torture/llm_server.c (ok, hang, 500 ...)
#	ollama BEHAVIOUR     the same, and it is spoken to as Ollama
#	unserve              ends it, as the end of the test does
#	n_asked              requests so far
#	timed CMD...         as run, and $ms, and $peak (KB) of it and its children; $measured is
#	empty where these mean nothing
#	in_time MS CMD...    as timed, and $late is empty when it took no longer than that and 200
#	times what this machine takes to run nothing. One that has other things to do
#	                     may be late for once: up to three tries
#	bad_answers NAME CMD...
#
# bad_answers runs CMD once for each bad behaviour, with a time-out of 1 second, and checks that it
# ends with status 0 (it has a way of its own without a model) in time for 2 seconds, and in 32 MB;
# after each, the function after_bad BEHAVIOUR, if there is one, may look at $out and fail.

serve() {
	log=$top/log answer=$top/answer
	rm -f "$top/port"
	: >"$log"
	printf '%s' "${1-{\"n\":1\}}" >"$answer"
	"$B/tests/torture/llm_server" "$top/port" "$log" "$answer" &
	server=$!
	wait_for '[ -s "$top/port" ]'
	url=http://127.0.0.1:$(cat "$top/port")
	export MEM_CHAT_MODEL=m MEM_EMBED_MODEL=e
}
trap 'st=$?; unserve; cd /; rm -rf "$top"; exit $st' EXIT

unserve() {
	[ -n "${server-}" ] || return 0
	kill $server 2>/dev/null
	wait $server 2>/dev/null
	server=
}

at() {
	export MEM_CHAT_URL="$url/$1/v1" MEM_EMBED_URL="$url/$1/v1" MEM_CHAT_API=openai \
		MEM_EMBED_API=openai
}

ollama() {
	export MEM_CHAT_URL="$url/$1" MEM_EMBED_URL="$url/$1" MEM_CHAT_API=ollama \
		MEM_EMBED_API=ollama
}

n_asked() {
	wc -l <"$log"
}

# Time and memory are the programs' own only as they are shipped.
measured=yes
if [ -n "${MEM_TEST_WRAP-}" ] || nm "$B/mem-llm" 2>/dev/null | grep -q __asan_init; then
	measured=; fi

timed() {
	began=$(date +%s%N)
	run "$B/tests/torture/peak" "$top/peak" "$@"
	ms=$((($(date +%s%N) - began) / 1000000))
	peak=$(cat "$top/peak")
}

in_time() {
	limit=$1 late=
	shift
	for try in 1 2 3; do
		timed "$@"
		[ -n "$measured" ] || return 0
		began=$(date +%s%N)
		"$B/tests/torture/peak" "$top/idle" true
		late="it took $ms ms"
		[ "$ms" -gt $((limit + 200 * ($(date +%s%N) - began) / 1000000)) ] || { late=;
			return 0; }
	done
}

bad_answers() {
	name=$1
	shift
	for bad in hang drip half cut close garbage big bomb badgzip headers values rate ratelong \
		500 500final 502 401 400 tofile toftp tohost touser totls tonowhere circle \
		nothere misfit words short refuses empty otherjson nojson; do
		at $bad
		# each by itself: the guard would spare it the later ones
		[ ! -e "$MEM_DB" ] || sqlite3 "$MEM_DB" 'DELETE FROM guard' 2>/dev/null
		MEM_LLM_TIMEOUT=1 in_time 2000 "$@"
		if ! status_is 0; then fail "$name: $bad" "$why" "$@"
		elif [ -n "$late" ]; then fail "$name: $bad" "$late" "$@"
		elif [ "$peak" -gt 32768 ] && [ -n "$measured" ]; then
			fail "$name: $bad" "it took $peak KB" "$@"
		else pass "$name: $bad, $ms ms, $peak KB"
		fi
		command -v after_bad >/dev/null && after_bad $bad
	done
	unset MEM_CHAT_URL MEM_EMBED_URL
}
