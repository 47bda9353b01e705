#compdef @PROGRAMS@
# Completion of mem's programs in zsh: the program itself is asked what a word may become.
_mem() {
	local answer
	local -a before found
	before=("${(@Q)words[2,CURRENT-1]}")
	for answer in "${(@f)$(command "${(Q)words[1]}" --complete "${before[@]}" "${(Q)PREFIX}" \
		2>/dev/null)}"; do
		case $answer in
		$'\tfiles') compset -P '--*='; _files; return ;;
		'') ;;
		*) found+=("${${answer//:/\\:}/$'\t'/:}") ;;
		esac
	done
	(( $#found )) && _describe -V value found
}
if [[ ${funcstack[1]-} = _mem ]]; then _mem "$@"; else compdef _mem @PROGRAMS@; fi
