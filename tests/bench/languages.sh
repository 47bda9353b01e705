#!/bin/sh
# languages.sh: what is found by questions in other languages than English, whose words are in
# another form than in the answer (tests/fixtures/languages.txt): alone, and among the lines of
# Debian's packages fortunes-de, fortunes-es, fortunes-it and fortunes-ru in that language.

fortunes=${MEM_BENCH_FORTUNES:-/usr/share/games/fortunes}

# The lines of a language, each 40 a session.
fortune_lines() { # language
	for f in $(find "$fortunes/$1" -type f ! -name '*.dat' ! -name '*.u8' 2>/dev/null | sort); do
		iconv -f utf-8 -t utf-8 "$f" 2>/dev/null || iconv -f latin1 -t utf-8 "$f"
		printf '\n%%\n'
	done | jq -cRs --arg l "$1" 'split("\n%\n") | map(gsub("\\s+"; " ")) |
		map(select(length > 15 and length < 600)) | to_entries[] |
		{user: $l, session: "f\(.key / 40 | floor)", source_id: "f\(.key)", content: .value}'
}

language_row() { # name, scores
	printf '  %-28s' "$1"
	for l in de es fr it nl pt ru sv macro; do
		printf '  %s' "$(calc %.3f "$(grep "\"category\":\"$l\"" "$2" | field 'ndcg@10')")"
	done
	echo
}

languages() {
	say
	say 'LANGUAGES: 135 questions in eight languages, words in another form; nDCG@10 by words'
	have jq || { say 'left out: jq is missing'; return; }
	set=$top/tests/fixtures/languages.txt db=$work/languages.db
	awk -F'\t' '$2 == "m" { gsub(/"/, "\\\"", $4)
		printf "{\"user\":\"%s\",\"session\":\"said\",\"source_id\":\"%s\",\"content\":\"%s\"}\n",
			$1, $3, $4 }' "$set" >"$work/languages.m"
	awk -F'\t' '$2 == "q" { gsub(/"/, "\\\"", $4)
		printf "{\"user\":\"%s\",\"category\":\"%s\",\"query\":\"%s\",\"relevant\":[\"%s\"]}\n",
			$1, $1, $4, $5 }' "$set" >"$work/languages.q"
	printf '  %-28s  de     es     fr     it     nl     pt     ru     sv     mean\n' ''
	for among in alone 'among other lines'; do
		rm -f "$db"*
		[ "$among" = alone ] || [ -d "$fortunes/de" ] || {
			say "  among other lines: left out, no $fortunes/de"; continue; }
		{
			[ "$among" = alone ] || for l in de es it ru; do fortune_lines $l; done
			cat "$work/languages.m"
		} | mem-ingest -q -d "$db" --multi-user -
		mem-eval -d "$db" --multi-user --strategy fused "$work/languages.q" \
			>"$work/languages.s"
		language_row "$among" "$work/languages.s"
	done
}
