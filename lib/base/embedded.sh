#!/bin/sh
# embedded.sh: files in, a C table of their bytes out (see embedded.h).
# usage: embedded.sh TABLE NAME=FILE ... >embedded.c
# Octal escapes of three digits are safe for every byte, whatever follows; od is POSIX and reads
# NULs.
set -eu
export LC_ALL=C

table=$1
shift
printf '/* Made by lib/base/embedded.sh. */\n#include "base/embedded.h"\n\n'
printf 'extern const struct embedded %s[];\nconst struct embedded %s[] = {\n' "$table" "$table"
for pair do
	printf '%s\n' "$pair"
done | sort -t= -k1,1 | while IFS= read -r pair; do
	name=${pair%%=*} file=${pair#*=}
	octal=$(printf '%s' "$name" | od -An -v -to1 | tr -d ' \n' | sed 's/.../\\&/g')
	printf '\t{ "%s",\n' "$octal"
	[ -r "$file" ] || { echo "embedded.sh: cannot read '$file'" >&2; exit 1; }
	od -An -v -to1 "$file" | sed 's/ *\([0-7][0-7][0-7]\)/\\\1/g; s/.*/\t\t"&"/'
	printf '\t\t"", %d },\n' "$(wc -c <"$file")"
done
printf '\t{ NULL, NULL, 0 },\n};\n'
