#!/bin/sh
# mem-seal: what is sealed shows nothing, opens with its key alone, and cannot be changed unseen.
. "${0%/*}/lib.sh"

unset MEM_SEED
mem-seal --new-key >public 2>why
[ $? = 78 ] && grep -q 'needs libsodium' why && skip_all 'libsodium is not installed'
check_like 'a new key tells its public half' '^mem-public-' cat public
check_out 'its secret half can be read by its owner alone' 600 \
	stat -c %a .local/share/mem/seal.key
check_err 'a key is never replaced' 78 'a key is never replaced' mem-seal --new-key
check 'the public half is told again' sh -c 'mem-seal --public-key | cmp - public'

# ---- a hundred canaries ----

jq -nc 'range(100) | {role: "user", session: "s", content: "canary-\(. * 7919 + 100003) sang"}' |
	mem-ingest -q
mem-export >plain
mem-check -q --backup copy.db
seen() { # FILE: canaries in it
	grep -aoE 'canary-[0-9]+' "$1" | sort -u | wc -l
}
check_out 'a plain export shows them all' 100 seen plain
check 'an export is sealed' sh -c 'mem-seal <plain >export.sealed'
check 'a backup is sealed' mem-seal -o backup.sealed copy.db
check_out 'no canary is in the sealed export' 0 seen export.sealed
check_out 'no canary is in the sealed backup' 0 seen backup.sealed
check_out 'no bytes are sealed alike a second time' 1 sh -c \
	'mem-seal <plain | cmp -s - export.sealed; echo $?'
check 'what is opened is what was sealed' sh -c \
	'mem-seal --open <export.sealed | cmp - plain'
check_out 'it can be imported from a pipe' 100 sh -c 'mem-seal --open export.sealed |
	mem-import -q -d other.db; mem-list -d other.db -s s | wc -l'
check_out 'a backup that was opened is a store' 100 sh -c \
	'mem-seal --open -o opened.db backup.sealed; mem-list -d opened.db -s s | wc -l'
for n in 0 1 65535 65536 65537 131072; do
	head -c "$n" /dev/urandom >bytes
	check "$n bytes come back as they were" sh -c 'mem-seal bytes |
		mem-seal --open | cmp - bytes'
done

# ---- other keys ----

mem-seal --new-key -k ann.key >ann.public
mem-seal --new-key -k ben.key >ben.public
check 'two can be sealed to' mem-seal -r "$(cat ann.public)" -r ben.public -o two.sealed plain
check 'the first opens it' sh -c 'mem-seal --open -k ann.key two.sealed | cmp - plain'
check 'the second opens it, too' sh -c 'mem-seal --open -k ben.key two.sealed | cmp - plain'
check_err 'another key is told' 77 'sealed to another key' mem-seal --open two.sealed
check 'nothing comes out of what is refused' test ! -s "$out"
echo before >kept
check_status 'with another key no file is made' 77 mem-seal --open -o kept two.sealed
check_out 'what was in its place stays' before cat kept
check_out 'a command may give the key' 0 sh -c \
	'mem-seal --open --key-command "cat ann.key" two.sealed | cmp - plain; echo $?'
check_err 'one that fails is told' 69 'key_command ended with status 3: locked' \
	mem-seal --open --key-command 'echo locked >&2; exit 3' two.sealed
check_err 'a file that is no key is told' 65 'plain: no key that begins with' \
	mem-seal --open -k plain two.sealed
check_err 'a key that is missing is told' 66 "there is no key 'none.key': --new-key makes one" \
	mem-seal --open -k none.key two.sealed
check_err 'a secret key is no recipient' 65 'no key that begins with .mem-public-' \
	mem-seal -r ann.key plain

# ---- keys and input of another form ----

{ echo '# of ann'; echo; sed 's/$/  \r/' ann.key; } >noted.key
check 'a key file may have notes, blanks and another end of lines' sh -c \
	'mem-seal --open -k noted.key two.sealed | cmp - plain'
check_err 'a public key that nobody has is refused' 65 "a recipient's key is none" \
	mem-seal -r "mem-public-$(head -c 32 /dev/zero | base64)" plain
check_err 'a key that is too short is refused' 65 'no key that begins with' \
	mem-seal -r mem-public-AAAA plain
check_status 'a directory is not sealed' 74 mem-seal .
check_status 'a directory is not opened' 74 mem-seal --open .
head -c 65537 /dev/zero | mem-seal >long.sealed
head -c -5 long.sealed >short.sealed
check_err 'what is cut in its last few bytes is told' 65 'cut short' mem-seal --open short.sealed

# ---- damage ----

# Every third byte of a sealed file changed, one at a time: which are taken, or let out what is not
# so?
taken() { # FILE KEY FROM TO
	for at in $(seq "$3" 3 "$4"); do
		perl -e 'local $/; $_ = <STDIN>; substr($_, $ARGV[0], 1) ^= chr 1; print' "$at" \
			<"$1" >bad.sealed
		mem-seal --open -k "$2" bad.sealed 2>said >t
		case $? in 65 | 77) cmp -n "$(wc -c <t)" t plain ;; *) false ;; esac || echo "$at"
	done
}
# the head of two keys is 14 bytes, 80 for each key and 24; a key opens by its own part of it
head=$((14 + 2 * 80 + 24)) size=$(wc -c <two.sealed)
for key in ann ben; do
	check_out "no changed byte of the head is taken with the key of $key" '' \
		taken two.sealed "$key.key" 0 "$((head - 1))"
	check_out "no changed end of the text is taken with the key of $key" '' \
		taken two.sealed "$key.key" "$((size - 9))" "$((size - 1))"
done
size=$(wc -c <export.sealed)
for n in 5 90 "$((size - 1))"; do
	head -c "$n" export.sealed >short.sealed
	check_err "what is cut at byte $n is told" 65 'cut short|not sealed' \
		mem-seal --open -o none short.sealed
	check_status "no file is made of what is cut at byte $n" 1 test -e none
done
{ cat export.sealed; echo more; } >long.sealed
check_status 'what stands behind is told' 65 mem-seal --open long.sealed
check_err 'what is not sealed is told' 65 'not sealed by mem-seal' mem-seal --open plain
check_status 'a full disk is told' 74 sh -c 'mem-seal plain >/dev/full'
check_status 'a reader that is gone ends it without a signal' 74 sh -c \
	'{ mem-seal /dev/zero; echo $? >st; } | head -c 1 >/dev/null; exit "$(cat st)"'

# ---- backups of mem-upkeep ----

check_out 'mem-upkeep seals its backup' 0 env MEM_BACKUP_RECIPIENT="$(cat ann.public)" sh -c \
	'mem-upkeep -q --backup day.sealed; echo $?'
check_out 'no canary is in it' 0 seen day.sealed
check_out 'it opens with the key' 100 sh -c \
	'mem-seal --open -k ann.key -o day.db day.sealed; mem-list -d day.db -s s | wc -l'
check_out 'no plain copy is left' '' sh -c 'find . -name "*.new"'
check_err 'what is not sealed is not replaced' 78 'replace what is no backup' env \
	MEM_BACKUP_RECIPIENT="$(cat ann.public)" MEM_NOW=2024-05-23T12:00:00Z \
	mem-upkeep -q --backup plain
check_err 'a wrong use is told' 64 'each for something else' mem-seal --open --new-key

done_testing
