#!/bin/sh
# mem-llm: requests and replies, against a server on this machine that behaves as the path says;
# keys, guard, ledger, budget.
. "${0%/*}/lib.sh"

. "$ROOT/tests/llm.sh"
serve
export MEM_LLM_TIMEOUT=5

# ---- lines ----

at ok
check_out 'a question is answered with its tokens and tries' \
	'{"id":7,"ok":true,"text":"{\"n\":1}","model":"fake","finish":"stop","tokens_in":20,"tokens_out":5,"tries":1}' \
	sh -c 'echo "{\"id\":7,\"text\":\"hello\"}" | mem-llm | jq -c "del(.type, .ms)"'
check_out 'a question with a schema is answered with JSON' '{"id":"a","ok":true,"json":{"n":1}}' \
	sh -c 'echo "{\"id\":\"a\",\"text\":\"hello\",\"schema\":{\"type\":\"object\",\"required\":[\"n\"]}}" | mem-llm | jq -c "{id, ok, json}"'
check_out 'operands are the text of a question' '{"n":1}' sh -c 'mem-llm say hello | jq -r .text'
cat >bad <<'E'
{"id":1}
no json
[1]
{"id":2,"text":7}
{"id":3,"text":"x","kind":"sing"}
{"id":4,"text":"x","schema":{"pattern":"x"}}
{"id":5,"text":"x","max_tokens":-1}
{"id":6,"text":"x","timeout":"soon"}
{"id":7,"kind":"embed"}
{"id":8,"kind":"embed","texts":[1]}
{"id":9,"text":"and this one is fine"}
E
check_status 'bad requests end with the status of bad data' 65 mem-llm <bad
cp "$out" got
check_out 'each bad request is told, the good one answered' \
	'1 false request request: '"'text'"' must be a string
null false request invalid JSON at byte 1
null false request not a JSON object
2 false request request: '"'text'"' must be a string
3 false request request: '"'kind'"' must be chat or embed
4 false request request: schema: $: unknown keyword '"'pattern'"'
5 false request request: '"'max_tokens'"' must be a number within its bounds
6 false request request: '"'timeout'"' must be a number within its bounds
7 false request request: '"'texts'"' must be an array of strings
8 false request request: '"'texts'"' must be an array of strings
9 true null null' jq -r '"\(.id) \(.ok) \(.error) \(.message)"' got
check_err 'options without a text are refused' 64 'go with a text' mem-llm --embed
check_err 'options beside requests are refused' 64 'go with a text' sh -c \
	"echo '{\"text\":\"x\"}' | mem-llm --system y"
check_out 'what begins as no record is one text' 1 sh -c \
	"printf 'a block\n{of lines}\n[x]\n' | mem-llm | jq -c 'select(.ok)' | wc -l"
check_out 'a text on stdin goes with a system text' true \
	sh -c "printf 'some\nlines\n' | mem-llm --system y | jq .ok"
check_out 'a text on stdin gets a vector' 8 \
	sh -c "printf 'some\nlines\n' | mem-llm --embed | jq '.vec | length'"
check_out 'Ollama answers by a schema, too' '{"json":{"n":1},"finish":"stop"}' sh -c \
	"echo '{\"text\":\"x\",\"schema\":{\"type\":\"object\"}}' |
		MEM_CHAT_API=ollama MEM_CHAT_URL=$url/ok mem-llm | jq -c '{json, finish}'"
check 'Ollama is asked at its own address' grep -q 'ok /ok/api/chat ' "$log"
while read -r api base path; do
	: >"$log"
	check "$api with the address $base is asked" \
		env MEM_CHAT_API="$api" MEM_CHAT_URL="$url/ok$base" mem-llm x
	check "$api with the address $base is asked at its path" grep -q "ok /ok$path " "$log"
done <<'END'
openai /v1/ /v1/chat/completions
openai /v1/chat/completions /v1/chat/completions
ollama / /api/chat
ollama /api /api/chat
ollama /api/chat/ /api/chat
END
check_out 'replies come one by one' one sh -c '{ echo "{\"id\":\"one\",\"text\":\"x\"}"; sleep 2;
	} | mem-llm | head -n 1 | jq -r .id'
[ ! -w /dev/full ] || check_err 'a full disk behind an answer is told' 74 'cannot write to stdout' \
	sh -c 'mem-llm x >/dev/full'

# ---- vectors ----

norm='[.ok, (.vecs | length), (.vecs | map(if . then (map(. * .) | add | . * 1000 | round) else . end))]'
check_out 'three texts get three vectors of length one' '[true,3,[1000,1000,1000]]' sh -c \
	"echo '{\"kind\":\"embed\",\"texts\":[\"a\",\"b\",\"c\"]}' | mem-llm | jq -c '$norm'"
check_out 'one text gets one vector with its tokens' '[8,8,7]' sh -c \
	"echo '{\"kind\":\"embed\",\"text\":\"a\"}' | mem-llm |
		jq -c '[(.vec | length), .dimensions, .tokens_in]'"
check_out 'operands with --embed get a vector' 8 \
	sh -c 'mem-llm --embed some words | jq ".vec | length"'
check_out 'an address and a model can be given with --embed' 8 sh -c 'u=$MEM_EMBED_URL;
	unset MEM_EMBED_URL MEM_EMBED_MODEL; mem-llm --embed --url "$u" --model other some words |
		jq ".vec | length"'
seq 100 | jq -Rsc 'split("\n")[:-1] | {kind: "embed", texts: .}' >many
check 'a hundred texts are embedded in one request' mem-llm <many
jq -c .vecs "$out" >vecs.ok
at shuffled
check_out 'vectors fit their texts in whatever order they come' '' \
	sh -c 'mem-llm <many | jq -c .vecs | cmp - vecs.ok'
ollama ok
check_out 'Ollama gives the same vectors in the same order' '' \
	sh -c 'mem-llm <many | jq -c .vecs | cmp - vecs.ok'
at baditem
jq -c '.texts[40] = "bad" | .texts[41] = ""' many >one_bad
check 'a request with a refused text is answered' mem-llm <one_bad
check_out 'a refused text is left out alone' \
	'[98,[{"index":40,"message":"status 400: what is this text"},{"index":41,"message":"an empty text has no vector"}]]' \
	jq -c '[(.vecs | map(select(.)) | length), .failed]' "$out"
check_status 'texts that are all refused end with the status of bad data' 65 mem-llm --embed bad
at long
check_out 'a text too long for the server is halved' '[true,8,1000]' \
	sh -c 'mem-llm --embed "$(seq 100)" |
	jq -c "[.ok, (.vec | length), (.vec | map(. * .) | add | . * 1000 | round)]"'
at ok
check_out 'a vector of another width than is set is refused' \
	'[false,"reply","a vector of 8 numbers, not 16"]' sh -c \
	'MEM_EMBED_DIM=16 mem-llm --embed x | jq -c "[.ok, .error, .message]"'

# ---- what servers do ----

# row BEHAVIOUR STATUS ERROR [TRIES]: a request, within the time-out and a fifth of a second, in 32
# MB. ERROR: a pattern of expr, - for none. On a machine so busy that an answer did not come in
# time, or was late, it is tried again with more.
row() {
	$speak "$1"
	for most in 2 4 8; do
		MEM_LLM_TIMEOUT=$most in_time ${most}200 mem-llm <request
		got=$(jq -r '"\(.error // "-") \(.tries)"' "$out" 2>/dev/null)
		wrong=
		if ! status_is "$2"; then wrong=$why
		elif ! expr "x${got% *}" : "x\($3\)\$" >/dev/null ||
			[ "${got#* }" != "${4:-${got#* }}" ]; then wrong="got '$got'"
		fi
		case "$wrong,$got" in ,*) break ;; *,timeout*) ;; *) break ;; esac
	done
	name="a request to a server that does \"$1\" ends with $2"
	if [ -n "$wrong" ]; then fail "$name" "$wrong" mem-llm
	elif [ -n "$late" ]; then fail "$name" "$late" mem-llm
	elif [ "$peak" -gt 32768 ] && [ -n "$measured" ]; then
		fail "$name" "it took $peak KB" mem-llm
	else pass "$name: ${got}, $ms ms, $peak KB"
	fi
}
rm -f mem.db
speak=at
chat_rows() {
	echo '{"text":"x","schema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}' >request
	row ok 0 - 1
	row slow 0 - 1
	row fenced 0 - 1
	row thinks 0 - 1
	row onlythinks 0 - 1
	row misfitonce 0 - 2
	row picky 0 -
	[ $speak = ollama ] || row oldformat 0 - 2
	row misfit 65 schema 2
	row words 65 schema 2
	row empty 65 schema
	row short 65 length 1
	row refuses 65 refused 1
	row long 65 too_long 1
	row large 65 schema 2
	row values 69 reply
}
embed_rows() {
	echo '{"kind":"embed","texts":["x","y"]}' >request
	row ok 0 - 1
	row slow 0 - 1
	row narrow 69 reply
	row nan 69 reply
	row zeros 69 reply
	row base64 69 reply
	row oneshort 69 reply
	row huge 69 reply
}
both_rows() {
	row hang 69 timeout 1
	row drip 69 timeout 1
	row half 69 reply 1
	row cut 69 connect
	row close 69 connect
	row garbage 69 "${1:-reply}"
	row otherjson 69 reply 1
	row nojson 69 reply 1
	row big 69 reply 1
	row bomb 69 reply 1
	row badgzip 69 reply
	row headers 69 reply 1
	row rate 69 rate 3
	row rateonce 0 - 2
	row ratelong 69 rate 1
	row ratedate 69 rate 1
	row 500 69 'server\|timeout'
	row 503once 0 - 2
	row 500final 69 server
	row 502 69 server 3
	row 401 69 auth 1
	row 400 65 rejected
	row tofile 69 redirect 1
	row toftp 69 redirect 1
	row tohost 69 redirect 1
	row totls 69 redirect 1
	row touser 69 redirect 1
	row tonowhere 69 redirect 1
	row toself 0 - 1
	row circle 69 redirect 1
	row nothere 65 rejected 1
}
chat_rows
both_rows
embed_rows
both_rows
speak=ollama
chat_rows
embed_rows
check 'no request asked for more than it was told to' test "$(grep -c '^?' "$log")" -eq 2
export MEM_CHAT_URL=http://127.0.0.1:1
check_out 'a server that is not there is told' '[69,"connect"]' \
	sh -c 'mem-llm x >r; jq -c "[$?, .error]" r'
check_like 'a server that is not there is named with its port' \
	'no connection to 127.0.0.1, port [0-9]+: ' jq -r .message r
for u in ftp://host/ file:///etc/passwd https://me:secret@host/v1 'https://host/v1?key=secret' \
	nonsense http://192.0.2.1/v1; do
	check_out "an address that is none is refused: ${u%%secret*}" '78 config' sh -c \
		"MEM_CHAT_URL='$u' mem-llm x >r; echo \$? \$(jq -r .error r); ! grep secret r"
done
unset MEM_CHAT_URL
check_out 'without an address no question is asked' "[78,\"no address is set: 'mem config set chat_url URL' does it\"]" \
	sh -c 'mem-llm x >r; jq -c "[$?, .message]" r'

# ---- TLS ----

if command -v openssl >/dev/null 2>&1; then
	openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 \
		-subj /CN=localhost >/dev/null 2>&1
	port=$(perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1")->sockport')
	openssl s_server -quiet -accept 127.0.0.1:$port -key key.pem -cert cert.pem \
		-rev >/dev/null 2>&1 &
	tls=$!
	wait_for perl -MIO::Socket::INET -e "'exit !IO::Socket::INET->new(
		PeerAddr => qq(127.0.0.1:$port))'"
	check_out 'a certificate that nobody vouches for is refused' '69 tls 1' sh -c \
		"MEM_CHAT_URL=https://localhost:$port/v1 mem-llm x >r;
			echo \$? \$(jq -r '\"\\(.error) \\(.tries)\"' r)"
	# what comes back is the request, backwards
	check_out "a certificate of one's own is taken by MEM_LLM_CA_FILE" '69 reply' \
		sh -c "MEM_LLM_CA_FILE=cert.pem \
		MEM_CHAT_URL=https://localhost:$port/v1 mem-llm x >r; echo \$? \$(jq -r .error r)"
	openssl req -x509 -newkey rsa:2048 -nodes -keyout key2.pem -out cert2.pem -days 2 \
		-subj /CN=localhost >/dev/null 2>&1
	check_out 'a certificate that another one vouches for is refused' '69 tls' \
		sh -c "MEM_LLM_CA_FILE=cert2.pem \
		MEM_CHAT_URL=https://localhost:$port/v1 mem-llm x >r; echo \$? \$(jq -r .error r)"
	check_out 'a file of certificates that is not there is told' '78 config' \
		sh -c "MEM_LLM_CA_FILE=none.pem \
		MEM_CHAT_URL=https://localhost:$port/v1 mem-llm x >r; echo \$? \$(jq -r .error r)"
	kill $tls
else
	skip 'a certificate that nobody vouches for is refused' 'there is no openssl'
fi

# ---- keys ----

: >"$log"
at ok
secret=sk-test-0123456789abcdefghijklmnopqrstuvwxyz
printf '%s\n' "$secret" >key
chmod 644 key
check_out 'a key file that others can read is refused' '78 config' \
	sh -c 'MEM_CHAT_KEY_FILE=key mem-llm x >r;
	echo $? $(jq -r .error r)'
chmod 600 key
check_out 'a key file that is not there is told' '78 config' \
	sh -c 'MEM_CHAT_KEY_FILE=nokey mem-llm x >r;
	echo $? $(jq -r .error r)'
check 'nothing is sent where the key file is refused' test ! -s "$log"
check 'a key is read from a file' env MEM_CHAT_KEY_FILE=key mem-llm x
check 'a key from a file is sent' grep -q "Bearer $secret\$" "$log"
for text in '' '  ' 'sk a' "sk-$(printf '\303\274')"; do
	printf '%s\nand more\n' "$text" >other.key && chmod 600 other.key
	check_out "a key file that begins with '$text' is refused" '78 config' \
		sh -c 'MEM_CHAT_KEY_FILE=other.key mem-llm x >r; echo $? $(jq -r .error r)'
done
: >"$log"
printf '\t%s \r\n' "$secret" >other.key
check 'a key file may have blanks around it' env MEM_CHAT_KEY_FILE=other.key mem-llm x
check 'the key without its blanks is sent' grep -q "Bearer $secret\$" "$log"
: >"$log"
check 'a key is read from the environment' env MEM_CHAT_KEY="$secret" mem-llm x
check 'a key from the environment is sent' grep -q "Bearer $secret\$" "$log"
: >"$log"
check 'a key of OpenAI in the environment does no harm' env OPENAI_API_KEY="$secret" mem-llm x
check 'a key of OpenAI is for its own place alone' sh -c "! grep Bearer '$log'"
at 401
check_status 'a server that repeats the key refuses a question' 69 sh -c \
	'MEM_CHAT_KEY_FILE=key mem-llm -v x >told 2>&1'
check 'a key that the server repeats is not passed on' sh -c \
	"! grep -E 'sk-test|0123456789|abcdefghij' told && grep -q 'bad key' told"
check 'what drives a terminal is not passed on from a server' \
	sh -c "! grep -q \"\$(printf '\\033')\" told"
# In what a model answers nothing is a key: a short one stands in the middle of words.
at ok
printf '%s' "the first file is $secret" >"$answer"
check_out 'a short key blanks nothing in an answer' "the first file is $secret" sh -c \
	'MEM_CHAT_KEY=fi mem-llm -j x | jq -r .text'
check_out 'a long key blanks nothing in an answer' "the first file is $secret" sh -c \
	'MEM_CHAT_KEY_FILE=key mem-llm -j x | jq -r .text'
printf '{"n":1}' >"$answer"
at 401
check_out 'a short key is blanked in a message' '*** key' sh -c \
	'MEM_CHAT_KEY=bad mem-llm -j x 2>/dev/null | jq -r .message | grep -o "[a-z*]* key"'
check_out 'a word that is a part of a long key is not blanked' 'bad key' sh -c \
	'MEM_CHAT_KEY=bad-key-0123456789-0123456789 mem-llm -j x 2>/dev/null | jq -r .message |
		grep -o "[a-z*]* key"'
check_out 'a key with a space is refused' '78 config' sh -c 'MEM_CHAT_KEY="a b" mem-llm x >r;
	echo $? $(jq -r .error r)'
at tohost
check_status 'a redirect to another host is refused' 69 \
	sh -c 'MEM_CHAT_KEY_FILE=key mem-llm x >told'
check 'a redirect to another host shows no key' sh -c "! grep sk-test told"
if [ -r /proc/self/limits ] && [ -z "${MEM_TEST_WRAP-}" ]; then
	at hang
	MEM_CHAT_KEY_FILE=key mem-llm x >/dev/null &
	job=$!
	wait_for grep -q hang "$log"
	check_out 'a program with a key writes no core' '0' \
		awk '/^Max core/ { print $5 }' /proc/$job/limits
	check 'a program with a key has it in no argument' sh -c \
		"! tr '\\0' '\\n' </proc/$job/cmdline | grep sk-test"
	kill $job
else
	skip 'a program with a key writes no core' 'there is no /proc, or a wrapper'
fi

# ---- the reader goes away ----

at hang
sh -c 'MEM_LLM_TIMEOUT=3600 mem-llm x & echo $! >pid; sleep .5' | sleep 1
check 'a program whose reader went away does not wait for the answer' \
	wait_for '! kill -0 "$(cat pid)"'

# ---- the guard as it is set ----

fresh
echo '{"session":"s","role":"user","content":"a store"}' | mem-ingest -q --from=ndjson -
at 500final
# ended SECOND [SETTING=VALUE ...]: how a call at that second ends.
ended() {
	second=$1
	shift
	env MEM_NOW="2024-05-20T12:00:${second}Z" "$@" mem-llm x | jq -r .error
}
export MEM_GUARD_FAILURES=2
check_out 'a first failure stops no call' server ended 01
check_out 'a second failure is told' server ended 02
check_out 'two failures stop calls where the setting says so' stopped ended 03
check_out 'with the setting at 0 no call is stopped' server ended 04 MEM_GUARD_FAILURES=0
check_out 'calls are stopped as long as the setting says' stopped ended 31 MEM_GUARD_PAUSE=30
check_out 'after the pause that is set one call is tried' server ended 32 MEM_GUARD_PAUSE=30
unset MEM_GUARD_FAILURES

# ---- guard, ledger, budget ----

fresh
echo '{"session":"s","role":"user","content":"a store"}' | mem-ingest -q --from=ndjson -
at 500final
: >"$log"
for i in 1 2 3 4 5; do MEM_NOW=2024-05-20T12:00:0${i}Z mem-llm x; done >five
export MEM_NOW=2024-05-20T12:00:06Z
check 'five failures ask the server five times' test "$(n_asked)" -eq 5
check_out 'after five failures a thousand calls are stopped' '1000 stopped' sh -c 'seq 1000 |
	sed "s/.*/{\"id\":&,\"text\":\"x\"}/" | mem-llm | jq -r .error | sort | uniq -c |
		sed "s/^ *//"'
check 'calls that are stopped send no request' test "$(n_asked)" -eq 5
check_out 'calls of other processes are stopped, too' '20 stopped' \
	sh -c 'for i in $(seq 20); do mem-llm x; done |
	jq -r .error | sort | uniq -c | sed "s/^ *//"'
check 'calls of other processes send no request' test "$(n_asked)" -eq 5
check_status 'a call that its caller counts is not stopped' 69 sh -c \
	'echo "{\"text\":\"x\",\"counted\":true}" | mem-llm'
check 'a call that its caller counts sends one request' test "$(n_asked)" -eq 6
at 400
check_status 'another service is not stopped' 65 mem-llm x
at hang
export MEM_NOW=2024-05-20T12:05:06Z MEM_LLM_TIMEOUT=3
at 500final
check_out '300 s later one of 16 calls is let through' '1 server
15 stopped' sh -c 'for i in $(seq 16); do mem-llm x >r$i & done; wait; cat r? r?? | jq -r .error |
	sort | uniq -c | sed "s/^ *//"'
check 'one of 16 calls probes the server' test "$(n_asked)" -eq 8
n_calls=$(($(n_asked) - 1))
check_status 'a probe that failed stops the calls again' 69 mem-llm x
check_out 'a call that is stopped says so' stopped jq -r .error "$out"
: >"$log"
for now in 2024-05-21T12:06:00Z 2024-05-19T12:06:00Z 2024-05-20T12:06:00Z; do
	MEM_NOW=$now
	for i in 1 2 3 4 5 6 7 8; do mem-llm x; done >eight
done
check "a clock that goes a day forth and two back: one probe each time ($(n_asked))" test \
	"$(n_asked)" -le 3
check 'a clock that jumps does not stop the probes for good' test "$(n_asked)" -ge 1
n_calls=$((n_calls + $(n_asked)))
MEM_NOW=2024-05-25T12:00:00Z
# the address is the same, the server is well again
unserve
check_out 'the ledger has the calls made, failed and stopped' \
	"mem-llm|m|$n_calls|$((n_calls - 1))|1" sqlite3 -readonly "$MEM_DB" \
	'SELECT program, model, sum(calls), sum(failed), sum(stopped) > 1000 FROM ledger'
check_like 'people read the calls of a day' '^2024-05-20  mem-llm, m: [0-9]+ calls, ' \
	mem-stats --calls --format text --since 2024-05-20
check_out 'the calls of a day are records' "[\"2024-05-20\",\"mem-llm\",\"m\"]" sh -c \
	'mem-stats --calls --since 2024-05-20 |
		jq -c "select(.day == \"2024-05-20\") | [.day, .program, .model]"'
check 'the calls are among the figures of mem-stats' mem-stats
check_out 'mem-stats tells how many calls were made' "$n_calls" \
	jq 'select(.name == "calls.of.mem-llm").value' "$out"
check_like 'mem-stats tells how often the guard opened' '"name":"guard.opened","value":[2-9]' \
	mem-stats
check_out 'another user has no calls in the ledger' '' mem-stats --calls -u other
serve
at ok
MEM_NOW=2024-05-26T12:00:00Z
check_out 'a budget stops the calls that would go over it' '2 true
6 budget' sh -c 'for i in $(seq 8); do mem-llm --max-tokens 100 --budget 240 x; done |
	jq -r "if .ok then true else .error end" | sort | uniq -c | sort -n | sed "s/^ *//"'
MEM_NOW=2024-05-25T12:00:00Z
check_out 'a call that does not fit the budget is said not to, and nothing is used up' \
	'["budget","the call may take more than is left of the day'"'"'s budget"]' \
	sh -c 'mem-llm --max-tokens 100 --budget 100 x | jq -c "[.error, .message]"'
check 'a call that fits the budget is made' mem-llm --max-tokens 100 --budget 1000 x
spent=$(mem-stats --calls --since 2024-05-25 |
	jq 'select(.day == "2024-05-25") | .tokens_in + .tokens_out')
check_out 'a budget that is used up is told' '["budget","the budget of the day is used up"]' \
	sh -c 'mem-llm --max-tokens 100 --budget "$1" x | jq -c "[.error, .message]"' sh "$spent"
MEM_NOW=2024-05-26T12:00:00Z
at slow
check_out 'calls side by side keep to the budget, too' '1 true
7 budget' sh -c 'for i in $(seq 8); do mem-llm --max-tokens 100 --budget 300 x >b$i & done; wait;
	cat b? | jq -r "if .ok then true else .error end" | sort | uniq -c | sort -n |
	sed "s/^ *//"'
check_status 'without a limit of its answer no call fits' 69 mem-llm --budget 1 x
check_out 'a budget without a store is refused' '78 config' \
	sh -c 'mem-llm -d none --budget 1000 x >r;
	echo $? $(jq -r .error r)'
MEM_NOW=2024-05-27T12:00:00Z MEM_LLM_PRICE_IN=2.5 MEM_LLM_PRICE_OUT=10 mem-llm x >/dev/null
check_out 'the ledger has what the calls cost' \
	'{"calls":1,"failed":0,"stopped":0,"tokens_in":20,"tokens_out":5,"money":0.0001}' \
	sh -c 'MEM_NOW=2024-05-27T12:00:00Z mem-stats --calls --since 2024-05-27 |
		jq -c "{calls,failed,stopped,tokens_in,tokens_out,money}"'
check_out 'a budget of money stops a call over it' '[false,"budget"]' sh -c \
	'MEM_NOW=2024-05-27T12:00:00Z MEM_LLM_PRICE_IN=2.5 MEM_LLM_PRICE_OUT=10 MEM_LLM_BUDGET_MONEY=0.0001 mem-llm x | jq -c "[.ok, .error]"'
check_out 'a budget of money needs prices' '[false,"config"]' sh -c \
	'MEM_LLM_BUDGET_MONEY=0.0001 mem-llm x | jq -c "[.ok, .error]"'
check 'a budget without a store makes none' test ! -e none
echo 'not a store' >other
check_err 'a file that is no store does not stop a call' 0 "mem-llm: .*'other'" mem-llm -d other x
check_out 'a file that is no store stops a call with a budget' '78 config' \
	sh -c 'mem-llm -q -d other --budget 1000 x >r;
	echo $? $(jq -r .error r)'
done_testing
