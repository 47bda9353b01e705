# cues.awk: schema/cues/*.txt in, one C source out: the cues of each file, folded and sorted by
# their bytes, and what they are of (cues.c reads it; cues.h has the grammar).
# usage: LC_ALL=C awk -f cues.awk schema/cues/asks.txt schema/cues/ends.txt ... >cues_tables.c

BEGIN {
	for (i = 1; i < 256; i++)
		code[sprintf("%c", i)] = i
	n = split("à a á a â a ã a ä a å a ç c è e é e ê e ë e ì i í i î i ï i ñ n ò o ó o ô o õ o" \
		" ö o ø o ù u ú u û u ü u ý y ÿ y ß ss œ oe æ ae ё е й и ą a ć c ę e ł l ń n ś s ź z" \
		" ż z", pair, " ")
	for (i = 1; i < n; i += 2)
		fold[pair[i]] = pair[i + 1]
	print "/* Made by lib/statement/cues.awk of schema/cues. */"
	print "#include \"statement/cues_parts.h\"\n"
}

function die(what) {
	printf "%s:%d: %s\n", FILENAME, FNR, what >"/dev/stderr"
	failed = 1
	exit 1
}

# As cues.c folds a text, with a blank between its words; characters of a script without spaces are
# words of their own, which none stands between.
function folded(s,   out, any, c, i, k, gap, han, was) {
	any = s ~ /.\*$/
	sub(/\*$/, "", s)
	gsub(/\342\200\231/, "\047", s)
	for (i = 1; i <= length(s); i += k) {
		c = code[substr(s, i, 1)]
		k = c < 128 ? 1 : c < 224 ? 2 : c < 240 ? 3 : 4
		c = substr(s, i, k)
		if (k == 1 && c !~ /[a-zA-Z0-9]/ &&
		    !(c == "\047" && (any && i == length(s) || substr(s, i + 1, 1) ~ /[a-zA-Z]/))) {
			gap = 1
			continue
		}
		han = k == 3
		if (out != "" && (gap || han != was) && !(han && was))
			out = out " "
		gap = 0
		was = han
		out = out (k == 1 ? tolower(c) : c in fold ? fold[c] : c)
	}
	return out (any ? "*" : "")
}

# Sorts cue[from .. to], in the order of the file where texts are the same.
function sort_cues(from, to,   i, k, middle, swap) {
	if (from >= to)
		return
	middle = cue[int((from + to) / 2)]
	i = from
	k = to
	while (i <= k) {
		while (cue[i] < middle)
			i++
		while (cue[k] > middle)
			k--
		if (i <= k) {
			swap = cue[i]
			cue[i++] = cue[k]
			cue[k--] = swap
		}
	}
	sort_cues(from, k)
	sort_cues(i, to)
}

function bytes(s,   out, i) {
	for (i = 1; i <= length(s); i++)
		out = out code[substr(s, i, 1)] ","
	return out "0,\n"
}

function end_table(   at, byte, i, text, before, first, ats, classes) {
	sort_cues(0, n_cues - 1)
	printf "static const char texts_%d[] = {\n", n_tables
	for (i = 0; i < n_cues; i++) {
		text = cue[i]
		sub(/\t.*/, "", text)
		if (i == 0 || text != before) {
			printf "%s", bytes(text)
			begins = at + 0
			at += length(text) + 1
		}
		before = text
		ats = ats begins ","
		classes = classes substr(cue[i], index(cue[i], "\t") + 7) ","
		for (; byte <= code[substr(text, 1, 1)]; byte++)
			first = first i ","
	}
	for (; byte <= 256; byte++)
		first = first i ","
	printf "0 };\n_Static_assert(%d < UINT16_MAX, \"places fit 16 bits\");\n", at
	printf "static const uint16_t at_%d[] = { %s0 };\n", n_tables, ats
	printf "static const uint8_t class_%d[] = { %s0 };\n", n_tables, classes
	printf "static const struct cue_class classes_%d[] = {\n%s\t{ 0, 0 },\n};\n", n_tables, names
	printf "_Static_assert(%d <= CUE_CLASSES, \"classes\");\n\n", n_classes
	tables = tables sprintf("\t{ \"%s\", classes_%d, %d, %d, texts_%d, at_%d, class_%d,\n\t\t{ %s } },\n",
		file, n_tables, n_classes, n_cues, n_tables, n_tables, n_tables, first)
	n_tables++
}

FNR == 1 {
	if (file != "")
		end_table()
	file = FILENAME
	n_classes = n_cues = 0
	names = ""
}

/^#/ || /^[ \t]*$/ { next }

/^class[ \t]+[^ \t]/ {
	rest = $0
	sub(/^class[ \t]+[^ \t]+[ \t]*/, "", rest)
	names = names sprintf("\t{ \"%s\", \"%s\" },\n", $2, rest)
	n_classes++
	next
}

/^[^ \t]/ || n_classes == 0 { die("'class NAME' was to follow") }

{
	for (f = 1; f <= NF; f++) {
		text = folded($f)
		if (length(text) > 150)
			die("\"" $f "\" is too long")
		cue[n_cues] = sprintf("%s\t%06d%d", text, n_cues, n_classes - 1)
		n_cues++
	}
}

END {
	if (failed)
		exit 1
	end_table()
	printf "const struct cues cues_tables[] = {\n%s\t{ 0, 0, 0, 0, 0, 0, 0, { 0 } },\n};\n", tables
}
