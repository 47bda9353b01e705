#!/bin/sh
# A canary in every kind of place where words of a memory can stand, most of them to be forgotten,
# some to stay: nothing of the first is in any file of the store, all of the second is.
# N_GROUPS=4 groups of 35 canaries; 'make torture' plants 1,000.
. "${0%/*}/lib.sh"
unset MEM_SEED
command -v sqlite3 >/dev/null 2>&1 || skip_all 'no sqlite3'
export MEM_MODELS="$top/models" MEM_MODEL=tiny MEM_CELLS_FROM=40
mkdir -p "$MEM_MODELS"
{ "$B/tests/torture/tiny_model" "$top/tiny" &&
	mem-model convert "$top/tiny" -o "$MEM_MODELS/tiny.model"; } >/dev/null || exit 1

: "${N_GROUPS:=4}"
# The words of group I: I and a letter are its mark, so that no canary is another's beginning.
places='session title prompt meta turn name agent project code language ident toolname toolpath
	toolcommand toolerror callid source extra answer aside fact key sub tag factextra
	factsource was undone note reason dir file chinese hookproject large'
n_places=$(echo $places | wc -w)

# group MARK: its conversation in a file of a directory with its name; its facts.
group() {
	mkdir -p "$1dir" "$1hookproject/.git"
	jq -cn --arg m "$1" --arg long "$(seq -s ' ' 12000)" '
	{type: "session", session: "\($m)session", title: "about \($m)title",
		system_prompt: "be \($m)prompt", metadata: {a: "\($m)meta"}},
	({session: "\($m)session", time: "2024-05-01T10:00:00Z", agent: "\($m)agent",
		project: "/srv/\($m)project"} + (
	{id: "\($m)source", role: "user", name: "\($m)name", extra: {k: "\($m)extra"},
		content: "I like the \($m)turn here\n\n```\($m)language\nint \($m)code;\n```\n\nand more of get_\($m)ident_now"},
	{id: "\($m)a", role: "assistant", content: "", tool_calls: [{id: "\($m)callid",
		type: "function", function: {name: "\($m)toolname", arguments:
		"{\"file_path\": \"/srv/\($m)toolpath.c\", \"command\": \"\($m)toolcommand -v\"}"}}]},
	{id: "\($m)b", role: "tool", tool_call_id: "\($m)callid",
		content: "error: no \($m)toolerror found"},
	{id: "\($m)c", role: "assistant", content: "It is the \($m)answer, \($m)chinese船"},
	{id: "\($m)d", role: "user", content: "We decided to buy the boat with \($m)aside."},
	{id: "\($m)e", role: "user", content: "\($long) \($m)large"}))' >"$1dir/$1file.ndjson"
	mem-ingest -q "$1dir/$1file.ndjson" || return
	jq -cn --arg m "$1" --arg of "$(mem-show "source:$1source" | jq -r .id)" '
		{type: "fact", content: "likes \($m)fact", key: "\($m)key", sources: [{id: $of}],
		 subcategory: "\($m)sub", tags: ["\($m)tag"], extra: "\($m)factextra",
		 source_id: "\($m)factsource"},
		{type: "reflection", content: "a note, \($m)note", sources: [{id: $of}]}' |
		mem-remember -q || return
	fact=$(mem-show -j "source:$1factsource" | jq -r 'select(.type == "fact").id')
	mem-edit -q --content "likes $1was" "$fact" &&
		mem-edit -q --content "likes $1fact" "$fact" || return
	mem-edit -q --content "likes $1undone" "$fact" && mem-edit -q --undo
	mem-edit -q --tag "$1reason" "$fact"
	jq -cn --arg m "$1" --arg d "$PWD" '{session_id: "\($m)session", prompt: "thanks",
		cwd: "\($d)/\($m)hookproject"}' | mem-hook claude-code prompt >/dev/null
}
# left MARK FILE...: of the canaries of the mark those that are in the files.
left() {
	left_mark=$1
	shift
	for w in $places; do ! grep -aqiF -e "$left_mark$w" "$@" || echo "$left_mark$w"; done
}
marks() { # LETTER: of all groups
	i=0
	while [ $i -lt "$N_GROUPS" ]; do echo "zq$1$i"; i=$((i + 1)); done | tr 0-9 a-j
}
go=$(marks g | xargs) stay='zqsa zqsb'
last=${go##* }

plant() {
	for m in $go $stay; do
		group $m || return
	done
	mem-summarize -q --rules --messages 2 && MEM_SEED=1 mem-embed -q && mem-cluster -q &&
		mem-list messages -j -n 60 | mem-extract --rules | mem-remember -q >/dev/null
	for m in $go $stay; do
		mem-search -j "what about ${m}turn and ${m}answer" >/dev/null
		mem-context "where is ${m}aside" >/dev/null
		mem-search -j --file "/srv/${m}toolpath.c" >/dev/null
	done
	jq -cn --arg d "$PWD" '{session_id: "other", cwd: $d,
		prompt: "what did I say about the boat with '"$last"'aside?"}' |
		mem-hook claude-code prompt >/dev/null
	# an answer of a model that is kept
	sqlite3 mem.db "INSERT INTO input SELECT no, 'answer:x', 0, 0, 1716200000000000, 0, x'', 0,
		'{\"text\": \"$lastturn\"}' FROM user" || return
	mem-check -q --checkpoint
}
check "$((N_GROUPS * n_places)) canaries to go, and some to stay" plant
for m in $go; do left $m mem.db* >there; wc -l <there; done | sort | uniq -c | sort -rn >spread
check_out 'canaries are in the files, each in each group' "$n_places" sh -c \
	'sed -n "1s/.* //p" spread'
# the names of files go with the first that is forgotten: they are read again then
for m in $stay; do left $m mem.db*; done | grep -v 'dir$\|file$' | sort >stayed
cp mem.db before.copy

# ---- they go: sessions by name, messages by id, a project, facts by their ids ----

forget_all() {
	n=0
	for m in $go; do
		n=$((n + 1))
		case $((n % 4)) in
		0) mem-forget -qf --verify -s "${m}session" ;;
		1) mem-list messages -j -s "${m}session" | mem-forget -qf --verify - ;;
		2) mem-forget -qf --verify -p "/srv/${m}project" ;;
		3) mem-forget -qf --verify -a "${m}agent" ;;
		esac || echo "$m: $?"
		# what was said of the project without resting on what was said
		mem-forget -qf "source:${m}factsource" 2>/dev/null
	done
	return 0
}
check_out 'they are forgotten, and each time it is proved' '' forget_all
gone() { for m in $go; do left $m mem.db*; done; }
check_out 'nothing of them is in any file of the store' '' gone
check_out 'canaries are not in what tables say' '' sh -c \
	'sqlite3 mem.db .dump | grep -io "zqg[a-j]*[a-z]*" | sort -u'
check 'the lists have the words of what stays, and no other' mem-check -q --deep
check 'what is derived has lost the canaries' mem-check -q --rebuild
stays() { for m in $stay; do left $m mem.db*; done | sort; }
check_out 'what stays is there' "$(cat stayed)" stays

# ---- they do not come back, but when that is wanted ----

m=$last
check_out 'ingested again they stay away' '' mem-ingest "${m}dir"
check_like 'what was forgotten is refused, which is said' \
	'^mem-ingest: .*forgotten or pruned.*--allow' cat "$err"
mem-export -d before.copy >before.ndjson
check_like 'imported again they stay away, which is said' '"forgotten":[1-9]' \
	mem-import before.ndjson
again() { left "$m" mem.db mem.db-wal | grep -v 'dir$\|file$' || :; }
check_out 'nothing of canaries is in the files but a name of a file' '' again
check_like '--allow brings canaries in once again' "${m}turn" sh -c \
	"mem-import -q --allow before.ndjson; mem-list messages -j -s ${m}session"
check 'canaries that were allowed go again' mem-forget -qf --verify -s "${m}session"
done_testing
