# lex.awk: schema/lang/LL.txt in, one C source out: every word of the lexicon as it is folded, the
# classes that it has, and a hash table of them (lex.c reads it).
# usage: LC_ALL=C awk -f lex.awk schema/lang/en.txt schema/lang/de.txt ... >lex_words.c
# Each class is written as the name of its enumerator, so that one that classes.h does not have does
# not compile; #line tells the compiler which line of which file to name.

BEGIN {
	n_langs = n_words = 0
	for (i = 1; i < 256; i++)
		code[sprintf("%c", i)] = i
	n = split("à a á a â a ã a ä a å a ç c è e é e ê e ë e ì i í i î i ï i ñ n ò o ó o ô o õ o" \
		" ö o ø o ù u ú u û u ü u ý y ÿ y ß ss œ oe æ ae ł l ą a ć c ę e ń n ś s ź z ż z č c" \
		" ď d ě e ň n ř r š s ť t ů u ž z ő o ű u ğ g ș s ț t ё е й и" \
		" À a Á a Â a Ä a Å a É e È e Ê e Í i Ó o Ö o Ø o Ú u Ü u Ç c Ñ n", pair, " ")
	for (i = 1; i < n; i += 2)
		fold[pair[i]] = pair[i + 1]
	print "/* Made by lib/lexicon/lex.awk of schema/lang. */"
	print "#include \"lexicon/lex_parts.h\"\n"
}

function die(what) {
	printf "%s:%d: %s\n", FILENAME, FNR, what >"/dev/stderr"
	failed = 1
	exit 1
}

# The name of a class or a value as C has it: "name.man" is LEX_NAME_MAN.
function upper(s) {
	gsub(/[^a-z0-9A-Z]/, "_", s)
	return toupper(s)
}

# As words_fold folds, with blanks between the words of a phrase and without apostrophes.
function folded(s,   out, c, i, k) {
	gsub(/\047|\342\200\231|\./, "", s)
	gsub(/[-_]/, " ", s)
	for (i = 1; i <= length(s); i += k) {
		c = code[substr(s, i, 1)]
		k = c < 128 ? 1 : c < 224 ? 2 : c < 240 ? 3 : 4
		c = substr(s, i, k)
		out = out (k == 1 ? tolower(c) : c in fold ? fold[c] : c)
	}
	return out
}

function add(word) {
	if (!(word in record)) {
		words[n_words++] = word
		record[word] = ""
	}
}

# Notes at the first word of a phrase, or character of a text without spaces, how many it may have.
function begin_phrase(word,   first, n, bare) {
	if (code[substr(word, 1, 1)] >= 227) {
		first = substr(word, 1, 3)
		bare = word
		n = gsub(/[\343-\376]/, "", bare)
	} else {
		first = word
		sub(/ .*/, "", first)
		n = 1 + gsub(/ /, " ", word)
	}
	add(first)
	if (n > more[first])
		more[first] = n
}

FNR == 1 {
	lang = FILENAME
	sub(/.*\//, "", lang)
	sub(/\.txt$/, "", lang)
	langs[n_langs] = lang
	lang_number = n_langs++
}

/^#/ || /^[ \t]*$/ { next }

/^[ \t]/ { die("a class must begin the line") }

{
	head = $1
	stem = head ~ /^~/ ? "~" : ""
	label = head ~ /^=/
	sub(/^[~=]/, "", head)
	class = head
	value = "0"
	if ((dot = index(head, ".")) > 0) {
		class = substr(head, 1, dot - 1)
		value = substr(head, dot + 1)
	}
	class = "LEX_" upper(class)
	if (value !~ /^-?[0-9]+$/)
		value = class "_" upper(value)
	printf "#line %d \"%s\"\n", FNR, FILENAME
	printf "_Static_assert(%s < LEX_CLASSES_N && %s < 128, \"\");\n", class, value
	if (label) {
		text = $0
		sub(/^[^ \t]+[ \t]+/, "", text)
		labels = labels sprintf("\t{ %s, %d, %s, \"%s\" },\n", class, lang_number, value,
			text)
		next
	}
	for (f = 2; f <= NF; f++) {
		word = stem folded($f)
		sense = class "," lang_number "," (value == "0" ? "0" : "(" value ")&255") ","
		if (length(word) > 47)
			die("\"" $f "\" is too long")
		add(word)
		if (index(";" record[word], ";" sense ";") == 0) {
			record[word] = record[word] sense ";"
			n_senses[word]++
		}
		if (stem == "")
			begin_phrase(word)
	}
}

END {
	if (failed)
		exit 1
	n = 2 * n_words + 1
	printf "#line 1 \"lex_words.c\"\n"
	printf "const unsigned char lex_pool[] = {\n0,0,0,0,\n"
	at = 4
	for (i = 0; i < n_words; i++) {
		word = words[i]
		len = length(word)
		hash = 0
		bytes = ""
		for (k = 1; k <= len; k++) {
			c = code[substr(word, k, 1)]
			hash = (hash * 33 + c) % 4294967296
			bytes = bytes c ","
		}
		slot = hash % n
		while (slots[slot] != "")
			slot = (slot + 1) % n
		slots[slot] = at / 4
		senses = record[word]
		gsub(/;/, "", senses)
		size = 3 + len + 3 * n_senses[word]
		pad = (4 - size % 4) % 4
		printf "%d,%d,%d,%s%s%s\n", len, more[word] + 0, n_senses[word] + 0, bytes, senses,
			substr("0,0,0,", 1, 2 * pad)
		at += size + pad
	}
	printf "};\nconst uint16_t lex_slots[] = {\n"
	for (i = 0; i < n; i++)
		printf "%d,%s", slots[i] + 0, (i % 20 == 19) ? "\n" : ""
	printf "};\nconst uint32_t lex_n_slots = %d;\n", n
	printf "_Static_assert(sizeof(lex_pool) < 4 * UINT16_MAX, \"places fit 16 bits\");\n"
	printf "_Static_assert(%d <= LEX_LANGS, \"languages\");\n", n_langs
	printf "const char lex_codes[][3] = {"
	for (i = 0; i < n_langs; i++)
		printf " \"%s\",", langs[i]
	printf " };\nconst unsigned lex_n_langs = %d;\n", n_langs
	end = "\t{ 0, 0, 0, \"\" },\n};\n"
	printf "const struct lex_label lex_labels[] = {\n%s%s", labels, end
}
