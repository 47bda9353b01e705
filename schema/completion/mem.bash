# Completion of mem's programs in bash: the program itself is asked what a word may become.
_mem() {
	local line=${COMP_LINE:0:COMP_POINT} words=() n=-1 i word open='' answer
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
	case $word in [\"\']*) open=1 ;; esac
	for ((i = 0; i <= n; i++)); do words[i]=${words[i]//[\\\"\']/}; done
	# What stands before the last = or : stays where it is.
	word=${words[n]}
	word=${word%"${word##*[=:]}"}
	[[ $COMP_WORDBREAKS == *[=:]* && -z $open ]] || word=
	COMPREPLY=()
	while IFS= read -r answer; do
		[[ $answer != $'\tfiles' ]] || { compopt -o default; return; }
		answer=${answer%%$'\t'*}
		answer=${answer#"$word"}
		[[ $open ]] || printf -v answer %q "$answer"
		COMPREPLY+=("$answer")
	done < <(command "${words[0]}" --complete "${words[@]:1}" 2>/dev/null)
}
complete -F _mem @PROGRAMS@
