# statements.awk: the statements of the store in, rows of C out: STMT(NAME, "SUBJECT", "SQL").
#
#	NAME: SQL       a statement; it goes on in lines that begin with a tab
#	of SUBJECT      what errors say that those which follow are about
#	let NAME: SQL   stands for {NAME} in what follows. With parameters, let NAME X Y: SQL, it
#	                has {X} and {Y}, and stands for {NAME ONE | OTHER}
#	-- COMMENT
#
# What no let names is a macro of C. One on a user's data names the user, or a range of rows inside
# the user's (:lo to :hi). The few that go over all users are marked; they only check, rebuild or
# count.
#
# "+id BETWEEN :lo AND :hi" stands where another condition finds the rows: without the plus, which
# an index does not fit, PostgreSQL would go through all of the user's rows as long as it has no
# figures of the table.
# usage: LC_ALL=C awk -f statements.awk schema/statements/parts.sql ... >statements.h

function die(what) {
	printf "%s:%d: %s\n", FILENAME, FNR, what >"/dev/stderr"
	failed = 1
	exit 1
}

# The text with what stands in place of {name}.
function with(s, name, by,   at, out) {
	while ((at = index(s, "{" name "}")) > 0) {
		out = out substr(s, 1, at - 1) by
		s = substr(s, at + length(name) + 2)
	}
	return out s
}

# What a call stands for: the name of a part, and its arguments. \001 and \002 are around macros.
function part(call,   name, n, args, names, i, s) {
	name = call
	sub(/ .*/, "", name)
	if (!(name in parts))
		return "\001" name "\002"
	s = parts[name]
	sub(/^[A-Z0-9_]+ ?/, "", call)
	n = split(call, args, / [|] ?/)
	split(parameters[name], names, " ")
	for (i = 1; i <= n; i++)
		s = with(s, names[i], args[i])
	return s
}

function expanded(s) {
	while (match(s, /[{][A-Z][A-Z0-9_]*( [^{}]*)?[}]/))
		s = substr(s, 1, RSTART - 1) part(substr(s, RSTART + 1, RLENGTH - 2)) \
			substr(s, RSTART + RLENGTH)
	return s
}

function quoted(s,   out, i, c) {
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c == "\001")
			c = "\" "
		else if (c == "\002")
			c = " \""
		else if (c == "\\" || c == "\"")
			c = "\\" c
		out = out c
	}
	return out
}

# The statement or part that has come to its end.
function put() {
	if (is_part)
		parts[name] = text
	else if (name != "")
		printf "STMT(%s, \"%s\", \"%s\")\n", name, subject, quoted(expanded(text))
	name = ""
	is_part = 0
}

/^\t/ {
	sub(/^\t+/, " ")
	text = text $0
	next
}
{ put() }
/^--/ || /^$/ { next }
/^of / {
	subject = $2
	next
}
/^(let )?[A-Z0-9_]+( [a-z]+)*: / {
	text = $0
	sub(/^[^:]*: /, "", text)
	is_part = sub(/^let /, "")
	sub(/: .*/, "")
	name = $1
	sub(/^[A-Z0-9_]+ ?/, "")
	if (is_part)
		parameters[name] = $0
	next
}
{ die("no statement") }
END { if (!failed) put() }
