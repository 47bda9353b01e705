#!/bin/sh
# Completion: what programs say that a word may become, and bash, zsh and fish with it.
. "${0%/*}/lib.sh"

for u in default ada 'Bob B'; do
	{
		echo '{"content":"one","session":"plan:'"$u"'","project":"boat","agent":"codex"}'
		echo '{"type":"session","id":"trip '"$u"'","title":"To the sea"}'
		echo '{"content":"two","session":"trip '"$u"'","project":"boat"}'
	} | mem-ingest -q -u "$u"
done
sorted() { "$@" >t && sort t; }

# ---- what programs say ----

check_out 'verbs' 'search	find what was said' mem --complete sea
check_out 'options of a verb' '--format	json, as -j; or text, as on a terminal, into a pipe too' \
	mem --complete search --fo
check_out 'of a program' '--reverse	newest first' mem-list --complete sessions --rev
check_out 'a hidden option is none' '' mem-list --complete --help-
check_out 'values' 'json
text' mem-list --complete --format ''
check_out 'values after =' --format=text mem-list --complete --format=t
check_out 'values of letters in a row' 'ada' mem-list --complete -ju a
check_out 'choices of a setting' 'auto
session
user' mem-search --complete --scope ''
check_out 'no values of what takes none' '' mem-list --complete --json=
check_out 'a value is no option' 'facts' mem-list --complete --name --json fa
check_out 'nothing is an option after --' '' mem-list --complete -- --rev
check_out 'nor a word after it' 'sessions' mem-list --complete -- sess
check_out 'files' '	files' mem-list --complete --db ''
check_out 'operands that are words or files' 'convert
	files' mem-model --complete con
check_out 'operands that are files' '	files' mem-ingest --complete ''
check_out 'topics of help' 'search	find what was said' mem --complete help sea
check_out 'settings' 'wait	seconds to wait for the lock' mem --complete config wai
check_out 'users' 'Bob B
ada
default' sorted mem-search --complete -u ''
check_out 'sessions with their titles' 'plan:default	one
trip default	To the sea' sorted mem-search --complete -s ''
check_out 'of the user that the line names' 'plan:ada	one' \
	mem-search --complete --user=ada --session pl
check_out 'of the file that it names' '' mem-search --complete -d none.db -s ''
check_out 'projects, each once' boat mem-search --complete -p ''
check_out 'agents' codex mem-search --complete -a ''
check_out 'no store, no names' '' env MEM_DB=none.db mem-search --complete -u ''
check 'and none is made' test ! -e none.db
check_out 'banks are the setting' 'Sea' env MEM_BANKS='Sea Land' mem-list --complete --bank S
check_out 'a foreign file has no names, in silence' '' sh -c \
	'echo text >f && mem-list --complete -d f -s "" 2>&1'
mem-ingest -q -u odd <<'EOT'
{"content":"a","session":"x"}
{"content":"a","session":"x\ty"}
EOT
check_out 'a name that would break a line is left out' 'x	a' mem-list --complete -u odd -s x
mkdir other
printf '#!/bin/sh\ntouch ran\n' >other/mem-other
chmod +x other/mem-other
check_out 'a program from elsewhere is completed as a verb' 'other	(in PATH)' \
	env PATH="$PATH:$PWD/other" mem --complete oth
check 'and not run to complete its options' env PATH="$PATH:$PWD/other" mem --complete other --x
check 'it did not run' test ! -e ran

# The words in the tables are those that the programs take, and all of them.
took() { # program, option, a wrong value, what else
	"$1" "--$2=$3" ${4+"$4"} 2>&1 >/dev/null </dev/null | sed 's/.*: //; s/there are //; s/, and NAME.*//
		s/with commas between them, or/or/; s/,* or / /g; s/,/ /g' | tr -s ' ' '\n' | sort
}
same() { # the same
	took "$@" >told
	"$1" --complete "--$2" '' >got && sort got | cmp - told
}
check 'formats' same mem-ingest from no
check 'strategies' same mem-search strategy no x
check 'tiers' same mem-search tier no x
check 'roles' same mem-list role no
check 'categories' same mem-list category no facts
check 'kinds of facts' same mem-remember kind no x

check_err 'which shell' 64 'completion for which shell' mem completion
check_err 'not this one' 64 "no completion for 'tcsh': bash, zsh or fish" mem completion tcsh

# ---- in the shells ----

mkdir files
: >files/one.db
in_shell() { # shell, how it writes what was completed: after =, after a colon, with a blank
	check_out "$1: verbs" "$2search" tab 'mem sear'
	check_out "$1: options" "$3--format" tab 'mem-search --form'
	check_out "$1: options of a verb" "$4--format" tab 'mem search --form'
	check_out "$1: values after =" "$5" tab 'mem-search --format=j'
	check_out "$1: values" "$6json" tab 'mem-search --format j'
	check_out "$1: sessions" "$7" tab 'mem-search -u ada -s plan:a'
	check_out "$1: names with blanks" "$8" tab 'mem-search -u Bo'
	check_out "$1: files" "$9" tab 'mem-search -d files/o'
}

mem completion bash >mem.bash
if command -v bash >/dev/null; then
	# As readline does it: words are cut at blanks, and before and after = and :.
	cat >tab.bash <<-'EOT'
	. ./mem.bash
	COMP_LINE=$1 COMP_POINT=${#1}
	spaced=${1//=/ = } spaced=${spaced//:/ : }
	read -ra COMP_WORDS <<<"$spaced"
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	compopt() { [ "$*" != '-o default' ] || compgen -f -- "${COMP_WORDS[COMP_CWORD]}"; }
	_mem
	[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"
	EOT
	tab() { bash tab.bash "$1"; }
	in_shell bash '' '' '' json '' ada 'Bob\ B' files/one.db
	check_out 'bash: nothing where nothing fits' '' tab 'mem-search --zz'
	check_out 'bash: all that fits' '--scope
--session
--since
--strategy' sorted tab 'mem-search --s'
	# Inside an open quote: what the shell then takes the completed word for, and what it runs.
	jq -nc '{content: "a", session: ("zeta" + $t)}' --arg t \
		'$(touch ran)`touch ran`"'"';touch ran;\& !x" \' |
		mem-ingest -q -u tricky
	cat >quoted.bash <<-'EOT'
	. ./mem.bash
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="mem-list -u tricky $words${!#}"
	COMP_POINT=${#COMP_LINE}
	_mem
	eval "set -- ${!#%zet}$COMPREPLY${quote-}"
	printf '%s\n' "$1"
	EOT
	quoted() { words=$1 quote=$2 bash quoted.bash mem-list -u tricky $1 "${2}zet"; }
	tricky=$(mem-list sessions -u tricky | jq -r .session)
	export words quote
	for quote in '"' "'" ''; do
		check_out "bash: a name in ${quote:-no quote} is quoted as there" "$tricky" \
			quoted '-s ' "$quote"
	done
	check_out 'bash: a quote inside a word' "$tricky" \
		sh -c 'words=--session= quote=\" bash quoted.bash mem-list -u tricky --session = \"zet'
	check_out 'bash: none in a quote of another kind' '' sh -c \
		"words='-s $' quote=\"'\" bash quoted.bash mem-list -u tricky -s \"$'\"zet | sed '/^$/d'"
	check 'bash: no name was run' test ! -e ran
	check_like 'bash knows each program' '-F _mem mem-forget$' bash -c \
		'. ./mem.bash; complete -p mem-forget'
else
	skip 'completion in bash' 'there is no bash'
fi

mem completion zsh >_mem
if command -v zsh >/dev/null && zsh -fc 'zmodload zsh/zpty' 2>/dev/null; then
	# A shell on a terminal of its own, which writes down what its line became.
	cat >tab.zsh <<-'EOT'
	zmodload zsh/zpty
	zpty z "PS1= zsh -f -i"
	zpty -w z 'autoload -Uz compinit; compinit -u -D; . ./_mem
	report() { print -r -- "$BUFFER" >>line; BUFFER=; }; zle -N report; bindkey "^X" report; : >line'
	while [[ ! -e line ]]; do sleep .05; done
	zpty -w -n z "$1"$'\t\x18'
	i=0
	while [[ ! -s line ]] && (( i++ < 20 * MEM_TEST_SECONDS )); do sleep .05; done
	zpty -d z
	EOT
	tab() { rm -f line; zsh -f tab.zsh "$1" >/dev/null 2>&1; sed 's/ $//' line; }
	in_shell zsh 'mem ' 'mem-search ' 'mem search ' 'mem-search --format=json' \
		'mem-search --format ' 'mem-search -u ada -s plan:ada' 'mem-search -u Bob\ B' \
		'mem-search -d files/one.db'
	check_out 'zsh: nothing where nothing fits' 'mem-search --zz' tab 'mem-search --zz'
else
	skip 'completion in zsh' 'there is no zsh'
fi

mem completion fish >mem.fish
if command -v fish >/dev/null; then
	tab() {
		fish --no-config -c 'source mem.fish; complete -C $argv[1]' -- "$1" | cut -f1
	}
	in_shell fish '' '' '' --format=json '' plan:ada 'Bob B' files/one.db
	check_out 'fish: nothing where nothing fits' '' tab 'mem-search --zz'
	check_like 'fish: with what it means' '^--reverse	newest first' fish --no-config -c \
		'source mem.fish; complete -C "mem-list --rev"'
else
	skip 'completion in fish' 'there is no fish'
fi

# ---- where the shells look for it ----

make_to() { make -s -C "$ROOT" B="$B" DESTDIR="$PWD/to" PREFIX=/usr "$1"; }
check 'installed' make_to install-completion
share=to/usr/share
check 'for bash, by the name of each program' cmp mem.bash \
	$share/bash-completion/completions/mem-search
check 'for fish' cmp mem.fish $share/fish/vendor_completions.d/mem.fish
check 'for zsh, one for all' cmp _mem $share/zsh/site-functions/_mem
check 'removed' make_to uninstall
check_out 'all of it' '' find to -type f

done_testing
