#!/usr/bin/env python3
"""Writes lib/text/normal_tables.h: small letters, and how characters are composed of others.

usage: gen_normal.py > lib/text/normal_tables.h

Source: python3's unicodedata and str.lower. What needs no table is left to the program: ASCII,
Hangul syllables, U+0130 (two characters) and the sigma at the end of a word.
"""
import sys
import unicodedata as ud

ALL = [c for c in range(0x80, sys.maxunicode + 1) if not 0xD800 <= c <= 0xDFFF]
HANGUL = range(0xAC00, 0xD7A4)

lower = [(c, ord(chr(c).lower())) for c in ALL if len(chr(c).lower()) == 1 and chr(c).lower() != chr(c)]
pairs = []
for c in ALL:
    d = ud.decomposition(chr(c))
    if d and not d.startswith("<") and c not in HANGUL:
        parts = [int(p, 16) for p in d.split()]
        second = parts[1] if len(parts) > 1 else 0
        pairs.append((c, parts[0], second))
composes = sorted((a, b, c) for c, a, b in pairs if b and ud.normalize("NFC", chr(a) + chr(b)) == chr(c))
classes = []
for c in ALL:
    k = ud.combining(chr(c))
    if k and classes and classes[-1][1] == c - 1 and classes[-1][2] == k:
        classes[-1][1] = c
    elif k:
        classes.append([c, c, k])


def table(kind, name, rows):
    print(f"static const struct {kind} {name}[{len(rows)}] = {{")
    cells = ["{" + ",".join(f"0x{v:x}" for v in row) + "}" for row in rows]
    line = "\t"
    for cell in cells:
        if len(line) + len(cell) > 90:
            print(line)
            line = "\t"
        line += cell + ","
    print(line + "\n};")


print(f"/* Made by tests/tools/gen_normal.py from Unicode {ud.unidata_version}. Do not edit. */")
print("#ifndef TEXT_NORMAL_TABLES_H\n#define TEXT_NORMAL_TABLES_H\n\n#include \"base/base.h\"\n")
print("struct normal_lower { uint32_t from, to; };")
print("/* second 0: it is another character alone */")
print("struct normal_split { uint32_t of, first, second; };")
print("struct normal_pair { uint32_t first, second, of; };")
print("struct normal_class { uint32_t lo, hi, rank; };\n")
table("normal_lower", "normal_lower", lower)
table("normal_split", "normal_splits", pairs)
table("normal_pair", "normal_pairs", composes)
table("normal_class", "normal_classes", classes)
print("\n#endif")
