# tables.awk: tables of characters (schema/chars/*.tsv), cells between tabs, as C.
# usage: LC_ALL=C awk -f tables.awk FILE >HEADER
#
#   chars NAME SIZE END  What each code point below END is, in their order: a cell of a small letter
#                        is so many code points that stay as they are, of the class 0 for a, 1 for
#                        b; of a capital one, one of that class and the text that it becomes, as it
#                        stands in C. Out come NAME_value, class | text << 4, in blocks of SIZE;
#                        NAME_index, the block of a code point; NAME_at, where a text begins in
#                        NAME_pool. No text is number 0.
#   list NAME [STRUCT]   Rows of a struct, of that name if no other: a line a field, and its
#                        numbers, each a step from the one before; 3*20: twenty steps of three.
BEGIN { FS = "\t"; small = "abcdefghijklmnop"; capital = "ABCDEFGHIJKLMNOP" }

function end_chars() {
	bits = n_blocks > 256 ? 16 : 8
	printf "static const uint%d_t %s_index[] = {\n%s};\n", bits, name, index_
	printf "static const uint16_t %s_value[] = {\n%s};\n", name, values
	printf "static const uint16_t %s_at[] = {\n0,%s%d};\n", name, at, pooled
	printf "static const uint8_t %s_pool[] =\n%s;\n", name, pool
	if (cp != end || pooled > 65535 || n_texts > 4095) {
		print "tables.awk: " name ": " cp " code points, " n_texts " texts" >"/dev/stderr"
		exit 1
	}
}

function end_list(    i, k) {
	printf "static const struct %s", (struct != "" ? struct : name " { uint32_t")
	for (k = 1; k <= n_fields && struct == ""; k++)
		printf "%s %s", (k > 1 ? "," : ""), field[k]
	printf "%s %s[] = {\n", (struct == "" ? "; }" : ""), name
	for (i = 1; i <= n[1]; i++) {
		for (k = 1; k <= n_fields; k++)
			printf "%s%.0f", (k > 1 ? "," : "{"), number[k, i]
		print "},"
	}
	print "};"
}

function end_table() {
	if (kind == "chars")
		end_chars()
	else if (kind == "list")
		end_list()
	kind = ""
}

# Adds so many code points of a value. A block that is there already is not kept again.
function add(value, count,    k, i) {
	for (cp += count; count > 0; count -= k) {
		k = size - filled < count ? size - filled : count
		if (k == size && (value in whole))
			row = whole[value]
		else
			for (i = 0; i < k; i++)
				row = row value ","
		if (k == size)
			whole[value] = row
		filled += k
		if (filled < size)
			continue
		if (!(row in block)) {
			block[row] = n_blocks++ ""
			values = values row "\n"
		}
		index_ = index_ block[row] (++n_index % 64 ? "," : ",\n")
		row = ""
		filled = 0
	}
}

/^#/ { next }
$1 == "chars" || $1 == "list" {
	end_table()
	kind = $1
	name = $2
	struct = $3
	size = $3
	end = $4
	n_fields = 0
	next
}
kind == "chars" {
	for (c = 1; c <= NF; c++) {
		class = index(small, substr($c, 1, 1)) - 1
		text = substr($c, 2)
		if (class >= 0) {
			add(class, text == "" ? 1 : text + 0)
			continue
		}
		if (!(text in number_of)) {
			number_of[text] = ++n_texts
			at = at (pooled + 0) "," (n_texts % 32 ? "" : "\n")
			pool = pool "\"" text "\"" (n_texts % 32 ? "" : "\n")
			pooled += length(text) - gsub(/\\./, "&", text)
		}
		add(index(capital, substr($c, 1, 1)) - 1 + 16 * number_of[substr($c, 2)], 1)
	}
}
kind == "list" {
	field[++n_fields] = $1
	n[n_fields] = last = 0
	steps = split($2, step, " ")
	for (s = 1; s <= steps; s++) {
		many = split(step[s], part, "*") > 1 ? part[2] : 1
		for (i = 0; i < many; i++)
			number[n_fields, ++n[n_fields]] = last += part[1]
	}
}
END { end_table() }
