#!/usr/bin/env python3
"""Writes schema/chars/normal.tsv: small letters, and how characters are composed of others.

usage: gen_normal.py > schema/chars/normal.tsv

Source: python3's unicodedata and str.lower. What needs no table is left to the program: ASCII,
Hangul syllables, U+0130 (two characters) and the sigma at the end of a word.
"""
import sys
import unicodedata as ud

import gen_chars

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

rows = {(a, b): n for n, (_, a, b) in enumerate(pairs)}

gen_chars.start("gen_normal.py from Unicode %s" % ud.unidata_version)
gen_chars.columns("normal_lower", **dict(zip(("from", "to"), zip(*lower))))
gen_chars.columns("normal_splits", **dict(zip(("of", "first", "second"), zip(*pairs))))
gen_chars.columns("normal_pairs", split=[rows[a, b] for a, b, _ in composes])
gen_chars.columns("normal_classes", **dict(zip(("lo", "hi", "rank"), zip(*classes))))
