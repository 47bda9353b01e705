#!/bin/sh
# mem-audit: faults planted in eighteen memories of different people, six forms each three times, by
# somebody who did not know the rules; two of the sets were looked at when rules were made.
. "${0%/*}/lib.sh"
S=$ROOT/tests/fixtures/audit/sets
export MEM_MODELS="$top/none" MEM_NOW=2024-11-01T12:00:00Z

# findings FORM: "FORM KIND ID ..." of each finding, by the ids of the set.
findings() {
	mem-audit -j --words $(jq -r '.files | keys[]' set.json) | jq -r --slurpfile set set.json '
		$set[0] as $s | $s.order as $order | "\($s.form) \(.kind) " + ([.records[] |
			$s.labels[if $s.form == "notes" then "\(.file):\(.line)" else .id end]
			// "?"] |
			sort_by(. as $id | $order | index($id)) | join(" "))'
}

# audit SET: makes "found", "planted" and "true" of all memories of the set.
audit() {
	: >"$top/found"
	jq -nRc '[inputs]' "$S/$1.txt" | jq -c -f "$S/plant.jq" >"$top/memories"
	jq -r '.form as $form | .f[] | "\($form) \(.)"' "$top/memories" | sort -u >"$top/planted"
	jq -r '.form as $form | (.f + .a)[] | "\($form) \(.)"' "$top/memories" |
		sort -u >"$top/true"
	while read -r memory; do
		fresh
		printf '%s\n' "$memory" >set.json
		jq -c '.turns[]' set.json | mem-ingest -q - >/dev/null
		for file in $(jq -r '.files | keys[]' set.json); do
			jq -j --arg f "$file" '.files[$f]' set.json >"$file"
		done
		findings >>"$top/found"
	done <"$top/memories"
	sort -u -o "$top/found" "$top/found"
}

for set in one two three; do
	run audit $set
	cd "$top" || exit 1
	all=$(wc -l <planted) right=$(comm -12 planted found | wc -l)
	n=$(wc -l <found) wrong=$(comm -13 true found | wc -l)
	name="$set: .5 of $all faults are found"
	if [ "$all" -gt 50 ] && [ $((right * 100)) -ge $((all * 50)) ]; then pass "$name, $right"; else
		fail "$name" "$right of $all; not: $(comm -23 planted found)"; fi
	name="$set: at most .1 of the findings are wrong"
	if [ "$n" -gt 30 ] && [ $((wrong * 10)) -le "$n" ]; then pass "$name, $wrong of $n"; else
		fail "$name" "$wrong of $n: $(comm -13 true found)"; fi
done
done_testing
