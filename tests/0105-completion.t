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

check_out 'a part of a verb becomes the verb' 'search	find what was said' mem --complete sear
check_out 'options of a verb are completed behind it' \
	'--format	json, as -j; or text, as on a terminal, into a pipe too' \
	mem --complete search --fo
check_out 'options of a program are completed behind it' '--reverse	newest first' \
	mem-list --complete sessions --rev
check_out 'a hidden option is not completed' '' mem-list --complete --help-
check_out 'values of an option are completed' 'json
text' mem-list --complete --format ''
check_out 'values behind the sign = are completed' --format=text mem-list --complete --format=t
check_out 'values behind letters in a row are completed' 'ada' mem-list --complete -ju a
check_out 'choices of a setting are completed for its option' 'auto
session
user' mem-search --complete --scope ''
check_out 'an option that takes no value is given none' '' mem-list --complete --json=
check_out 'the value of an option is not read as an option' 'facts' \
	mem-list --complete --name --json fa
check_out 'behind -- no word is an option' '' mem-list --complete -- --rev
check_out 'behind -- a word is an operand' 'sessions' mem-list --complete -- sess
check_out 'an option that takes a file says so' '	files' mem-list --complete --db ''
check_out 'operands that are words or files are completed as both' 'convert
	files' mem-model --complete con
check_out 'an operand that is a file says so' '	files' mem-ingest --complete ''
check_out 'topics of help are completed behind it' 'search	find what was said' \
	mem --complete help sear
check_out 'settings are completed behind config' 'wait	seconds to wait for the lock' \
	mem --complete config wai
check_out 'users of the store are completed' 'Bob B
ada
default' sorted mem-search --complete -u ''
check_out 'sessions are completed with their titles' 'plan:default	one
trip default	To the sea' sorted mem-search --complete -s ''
check_out 'sessions of the user that the line names are completed' 'plan:ada	one' \
	mem-search --complete --user=ada --session pl
check_out 'sessions of the store that the line names are completed' '' \
	mem-search --complete -d none.db -s ''
check_out 'projects are completed, each of them once' boat mem-search --complete -p ''
check_out 'agents of the store are completed' codex mem-search --complete -a ''
check_out 'without a store no names are completed' '' env MEM_DB=none.db mem-search --complete -u ''
check 'completion makes no store where there is none' test ! -e none.db
check_out 'banks are completed as the setting has them' 'Sea' \
	env MEM_BANKS='Sea Land' mem-list --complete --bank S
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
check 'a program from elsewhere completes none of its options' \
	env PATH="$PATH:$PWD/other" mem --complete other --x
check 'a program from elsewhere is not run' test ! -e ran

# The words in the tables are those that the programs take, and all of them.
took() { # program, option, a wrong value, what else
	"$1" "--$2=$3" ${4+"$4"} 2>&1 >/dev/null </dev/null | sed 's/.*: //; s/there are //; s/, and NAME.*//
		s/with commas between them, or/or/; s/,* or / /g; s/,/ /g' | tr -s ' ' '\n' | sort
}
same() { # the same
	took "$@" >told
	"$1" --complete "--$2" '' >got && sort got | cmp - told
}
check 'formats are completed as the program takes them' same mem-ingest from no
check 'strategies are completed as the program takes them' same mem-search strategy no x
check 'tiers are completed as the program takes them' same mem-search tier no x
check 'roles are completed as the program takes them' same mem-list role no
check 'categories are completed as the program takes them' same mem-list category no facts
check 'kinds of facts are completed as the program takes them' same mem-remember kind no x

check_err 'mem completion without a shell is refused' 64 'completion for which shell' mem completion
check_err 'mem completion for an unknown shell is refused' 64 \
	"no completion for 'tcsh': bash, zsh or fish" mem completion tcsh

# ---- in the shells ----

mkdir files
: >files/one.db
in_shell() { # shell, how it writes what was completed: after =, after a colon, with a blank
	check_out "$1 completes a verb of mem" "$2search" tab 'mem sear'
	check_out "$1 completes options of a program" "$3--format" tab 'mem-search --form'
	check_out "$1 completes options of a verb" "$4--format" tab 'mem search --form'
	check_out "$1 completes values behind the sign =" "$5" tab 'mem-search --format=j'
	check_out "$1 completes values behind a blank" "$6json" tab 'mem-search --format j'
	check_out "$1 completes sessions with a colon in their name" "$7" \
		tab 'mem-search -u ada -s plan:a'
	check_out "$1 completes names with blanks in them" "$8" tab 'mem-search -u Bo'
	check_out "$1 completes names of files" "$9" tab 'mem-search -d files/o'
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
	check_out 'bash completes nothing where nothing fits' '' tab 'mem-search --zz'
	check_out 'bash lists everything that fits' '--scope
--session
--since
--strategy
--subcategory' sorted tab 'mem-search --s'
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
	check_out 'bash completes a quote that begins inside a word' "$tricky" \
		sh -c 'words=--session= quote=\" bash quoted.bash mem-list -u tricky --session = \"zet'
	check_out 'bash completes nothing in a quote of another kind' '' sh -c \
		"words='-s $' quote=\"'\" bash quoted.bash mem-list -u tricky -s \"$'\"zet | sed '/^$/d'"
	check 'bash runs no name that it completes' test ! -e ran
	check_like 'bash knows how to complete each program' '-F _mem mem-forget$' bash -c \
		'. ./mem.bash; complete -p mem-forget'
else
	skip 'bash completes a verb of mem' 'there is no bash'
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
	check_out 'zsh completes nothing where nothing fits' 'mem-search --zz' tab 'mem-search --zz'
else
	skip 'zsh completes a verb of mem' 'there is no zsh'
fi

mem completion fish >mem.fish
if command -v fish >/dev/null; then
	tab() {
		fish --no-config -c 'source mem.fish; complete -C $argv[1]' -- "$1" | cut -f1
	}
	in_shell fish '' '' '' --format=json '' plan:ada 'Bob B' files/one.db
	check_out 'fish completes nothing where nothing fits' '' tab 'mem-search --zz'
	check_like 'fish says what an option means' '^--reverse	newest first' fish --no-config -c \
		'source mem.fish; complete -C "mem-list --rev"'
else
	skip 'fish completes a verb of mem' 'there is no fish'
fi

# ---- where the shells look for it ----

make_to() { make -s -C "$ROOT" B="$B" DESTDIR="$PWD/to" PREFIX=/usr "$1"; }
check 'completion is installed for every shell' make_to install-completion
share=to/usr/share
check 'completion of bash is installed by the name of each program' cmp mem.bash \
	$share/bash-completion/completions/mem-search
check 'completion of fish is installed for all programs' \
	cmp mem.fish $share/fish/vendor_completions.d/mem.fish
check 'completion of zsh is installed once for all programs' cmp _mem $share/zsh/site-functions/_mem
check 'completion is removed by make uninstall' make_to uninstall
check_out 'nothing of completion is left after make uninstall' '' find to -type f

done_testing
