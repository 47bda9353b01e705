# Completion of mem's programs in bash: the program itself is asked what a word may become.
_mem() {
	local line=${COMP_LINE:0:COMP_POINT} words=() n=-1 i word open='' before='' answer
	# bash cuts words at = and : as well; what has no blank between is put together again.
	for ((i = 0; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if ((i == 0)) || [[ $line == [[:space:]]* || -z $line ]]; then
			line=${line#"${line%%[![:space:]]*}"}
			words[++n]=
		fi
		((i < COMP_CWORD)) || word=$line
		words[n]+=$word
		line=${line#"$word"}
	done
	# A quote that is open, and what stands before it.
	word=${words[n]}
	for ((i = 0; i < ${#word}; i++)); do
		case $open${word:i:1} in
		\\ | \"\\) ((++i)) ;;
		\" | \') open=${word:i:1} before=${word:0:i} ;;
		\"\" | \'\') open='' ;;
		esac
	done
	COMPREPLY=()
	[[ $open != \' || $before != *\$ ]] || return
	for ((i = 0; i <= n; i++)); do words[i]=${words[i]//[\\\"\']/}; done
	# What stands before the last = or :, or before the quote, stays where it is.
	word=${words[n]}
	word=${word%"${word##*[=:]}"}
	[[ $COMP_WORDBREAKS == *[=:]* ]] || word=
	[[ -z $open ]] || word=${before//[\\\"\']/}
	while IFS= read -r answer; do
		[[ $answer != $'\tfiles' ]] || { compopt -o default; return; }
		answer=${answer%%$'\t'*}
		answer=${answer#"$word"}
		# Inside a quote a name must not end it, nor be run.
		case $open in
		\') answer=${answer//"'"/"'\''"} ;;
		\")
			answer=${answer//'\'/'\\'} answer=${answer//'"'/'\"'}
			answer=${answer//'$'/'\$'} answer=${answer//'`'/'\`'}
			answer=${answer//'!'/"\"'!'\""}
			;;
		*) printf -v answer %q "$answer" ;;
		esac
		COMPREPLY+=("$answer")
	done < <(command "${words[0]}" --complete "${words[@]:1}" 2>/dev/null)
}
complete -F _mem @PROGRAMS@
