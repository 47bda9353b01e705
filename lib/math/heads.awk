# heads.awk: weights by name in, the same as C out: those that code reads as arrays. head.h has the
# grammar; "prefix" is what the names of C's enumerators begin with. A section becomes a macro,
# FILE_SECTION_WEIGHTS, and its bias, mean or deviation FILE_SECTION_BIAS, _MEAN, _SD. A name that
# code does not know does not compile.
# usage: LC_ALL=C awk -f heads.awk schema/heads/FILE.txt >FILE.h

function upper(s) {
	gsub(/[^a-zA-Z0-9+]/, "_", s)
	return toupper(s)
}

function number(s) {
	if (s !~ /^-?[0-9]+(\.[0-9]+)?$/) {
		printf "%s:%d: '%s' is no number\n", FILENAME, FNR, s >"/dev/stderr"
		exit 1
	}
	return (s ~ /\./ ? s : s ".0") "f"
}

NR == 1 {
	file = FILENAME
	sub(/.*\//, "", file)
	sub(/\.txt$/, "", file)
	file = upper(file)
}
/^#/ || NF == 0 { next }
$1 == "prefix" { prefix = $2 }
$1 == "section" {
	name = file (NF > 1 ? "_" upper($2) : "")
	printf "%s#define %s_WEIGHTS", (open ? "\n" : ""), name
	open = 1
}
$1 == "mean" || $1 == "sd" { rest = rest "#define " name "_" upper($1) " " number($2) "\n" }
$1 == "bias" { rest = rest "#define " name "_BIAS " number($2) "\n" }
$1 == "weight" { printf " \\\n\t[%s%s] = %s,", prefix, upper($2), number($3) }
$1 !~ /^(prefix|section|bias|mean|sd|weight)$/ {
	printf "%s:%d: '%s' is no line of weights\n", FILENAME, FNR, $1 >"/dev/stderr"
	exit 1
}
END { printf "\n%s", rest }
