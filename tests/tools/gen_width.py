#!/usr/bin/env python3
"""Writes schema/chars/width.tsv: the characters that take no column of a terminal, and two.

usage: gen_width.py > schema/chars/width.tsv

Source: python3's unicodedata. Marks (Mn, Me), separators of lines (Zl, Zp), format characters (Cf,
but for the number signs that show), the joining Hangul vowels and plane 14's first 4,096 take no
column; East Asian Wide and Fullwidth take two. Unassigned code points between two ranges of a kind
are counted with them. What is below U+0300 is left to the program.
"""
import unicodedata as ud

import gen_chars

NUMBER_SIGNS = [*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD]


def kind(cp):
    cat = ud.category(chr(cp))
    if cat in ("Mn", "Me", "Zl", "Zp") or (cat == "Cf" and cp not in NUMBER_SIGNS) or \
            0x1160 <= cp <= 0x11FF or 0xD7B0 <= cp <= 0xD7FB or 0xE0000 <= cp <= 0xE0FFF:
        return "zero"
    if cat == "Cn" and not 0x20000 <= cp <= 0x3FFFD:
        return None
    return "wide" if ud.east_asian_width(chr(cp)) in "WF" else "one"


ranges = {"zero": [], "wide": []}
last = None
for cp in range(0x300, 0x110000):
    k = kind(cp)
    if k in ranges:
        if k == last:
            ranges[k][-1][1] = cp
        else:
            ranges[k].append([cp, cp])
    last = k or last

gen_chars.start("gen_width.py from Unicode %s" % ud.unidata_version)
for k, all in ranges.items():
    gen_chars.columns("width_%s\trange" % k, **dict(zip(("first", "last"), zip(*all))))
