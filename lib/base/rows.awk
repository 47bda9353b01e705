# rows.awk: tables of text in, the same as macros of C out, which initialise arrays of structs.
#
#	table NAME KIND ...   becomes FILE_NAME; the kinds of its columns: text; sized, a text
#	                      behind its length in bytes; texts, an array of them with blanks
#	                      between; code, as it is; { and }: a struct within
#	let NAME TEXT         stands for {NAME} in texts that follow; {TAB}, {BLANK} and {} are a
#	                      tab, a blank and nothing
#
# Any other line is a row, with tabs between its cells; a text "-" is none, as are cells that are
# missing at its end. Of a table with one column each cell is a row.
# usage: LC_ALL=C awk -f rows.awk schema/rows/FILE.txt >FILE_rows.h

BEGIN {
	piece["TAB"] = "\\t"
	piece["BLANK"] = " "
	piece[""] = ""
}

function die(what) {
	printf "%s:%d: %s\n", FILENAME, FNR, what >"/dev/stderr"
	failed = 1
	exit 1
}

# A text between the quotes of C.
function quoted(s,   out, i, c) {
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		out = out (c == "\\" || c == "\"" ? "\\" c : c)
	}
	return out
}

# The same, with what {NAME} stands for; "{1,4}" is no name.
function replaced(s,   out, name) {
	while (match(s, /\{[A-Z_]*\}/)) {
		name = substr(s, RSTART + 1, RLENGTH - 2)
		if (!(name in piece))
			die("nothing is called '" name "'")
		out = out quoted(substr(s, 1, RSTART - 1)) piece[name]
		s = substr(s, RSTART + RLENGTH)
	}
	return out quoted(s)
}

function cell(s, kind,   list, n, i, out) {
	if (kind == "code")
		return s == "" ? "0" : s
	if (kind == "text")
		return s == "-" || s == "" ? "NULL" : "\"" replaced(s) "\""
	if (kind == "sized")
		return length(s == "{}" ? "" : s) ", " cell(s, "text")
	for (n = split(s == "" ? "-" : s, list, " "); i < n;)
		out = out (i > 0 ? ", " : "{ ") cell(list[++i], "text")
	return out " }"
}

NR == 1 {
	file = FILENAME
	gsub(/.*\/|\.txt$/, "", file)
}
/^#/ || /^$/ { next }
/^let / {
	sub(/^let /, "")
	name = $1
	sub(/^[A-Z_]+ /, "")
	piece[name] = replaced($0)
	next
}
/^table / {
	n_kinds = split($0, kinds, " ")
	printf "%s#define %s", (open ? "\n" : ""), toupper(file "_" kinds[2])
	open = 1
	next
}
{
	n = split($0, cells, "\t")
	for (i = 1; n_kinds == 3 && i <= n; i++)
		printf " \\\n\t%s,", cell(cells[i], kinds[3])
	if (n_kinds == 3)
		next
	printf " \\\n\t{ "
	for (k = 3; k <= n_kinds; k++)
		if (kinds[k] ~ /[{}]/)
			printf "%s ", (kinds[k] == "{" ? "{" : "},")
		else
			printf "%s, ", cell(cells[++at], kinds[k])
	if (!open || at < n)
		die("more cells than the table has columns")
	printf "},"
	at = 0
}
END { if (!failed) print "" }
