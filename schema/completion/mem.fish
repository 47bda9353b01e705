# Completion of mem's programs in fish: the program itself is asked what a word may become.
function __mem_complete
	set -l before (commandline -opc)
	set -l token (commandline -ct)
	set -l program $before[1]
	set -e before[1]
	for answer in (command $program --complete $before "$token" 2>/dev/null)
		if test "$answer" != \tfiles
			printf '%s\n' "$answer"
			continue
		end
		set -l kept (string match -r -- '^--[^=]+=' "$token")
		printf '%s\n' "$kept"(__fish_complete_path (string replace -- "$kept" '' "$token"))
	end
end
for program in @PROGRAMS@
	complete -c $program -f -k -a '(__mem_complete)'
end
