# programs.awk: what a program says of itself, as macros of C: of mem-list PROG_MEM_LIST, which
# fills a struct prog behind its options. The first file has a name, a tab and a job on a line; in
# the second one a line has a name and what follows the options, and those below that are indented
# are examples.
# usage: LC_ALL=C awk -f programs.awk programs.txt schema/programs.txt >programs.h

function quoted(s,   out, i, c) {
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		out = out (c == "\\" || c == "\"" ? "\\" c : c)
	}
	return "\"" out "\""
}

function macro(   id) {
	if (name == "")
		return
	id = toupper(name)
	gsub(/-/, "_", id)
	printf "#define PROG_%s \\\n\t%s, %s, \\\n\t%s, \\\n\t\"\"%s\n", id, quoted(name),
	    quoted(job[name]), quoted(args), examples
}

FNR == NR { tab = index($0, "\t"); job[substr($0, 1, tab - 1)] = substr($0, tab + 1); next }
/^#/ || NF == 0 { next }
/^  / { examples = examples " \\\n\t" quoted($0) " \"\\n\""; next }
{
	macro()
	name = $1
	args = substr($0, length(name) + 2)
	examples = ""
}
END { macro() }
