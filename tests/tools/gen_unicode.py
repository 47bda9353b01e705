#!/usr/bin/env python3
"""Writes schema/chars/unicode.tsv: what a code point is to the tokenizer, and what it folds to.

usage: gen_unicode.py > schema/chars/unicode.tsv

Source: python3's unicodedata. A code point's value is class | fold << 4. The fold is an index into
a pool of UTF-8 strings (0: folds to itself; class MARK: dropped). Values stand in a two-stage table
of blocks of 32.
Folding: full case folding of the compatibility decomposition, with marks dropped where they are
accents (Latin, Greek, Cyrillic, Hebrew points, Arabic vowel signs) and kept where they are letters
of the script (Indic and the like). Kana and Hangul are not taken apart. Code points below 128 are
left to the program.
"""
import sys
import unicodedata as ud

import gen_chars

SEP, LOWER, UPPER, DIGIT, MARK, KEPT, CJK, EMOJI = range(8)
# above: planes 2 and 3 are Han, plane 14 holds ignorables, the rest is nothing
LAST = 0x20000

# Letters that have no decomposition but are read as their plain sisters.
PLAIN = {"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ł": "l", "ŧ": "t",
    "þ": "th", "ı": "i"}

# Thai, Lao, Myanmar, Khmer
NO_SPACES = [(0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0xAA60, 0xAA7F),
    (0xA9E0, 0xA9FF),
             (0x1100, 0x11FF), (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x3029),
             (0x3031, 0x3035), (0x303B, 0x303C),
             (0x3041, 0x3096), (0x309D, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x30FF),
             (0x3105, 0x318E), (0x31A0, 0x31BF),
             (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA000, 0xA4CF),
             (0xA960, 0xA97F), (0xAC00, 0xD7FF),
             (0xF900, 0xFAFF), (0xFF66, 0xFFDC), (0x16FE0, 0x18CFF), (0x1AFF0, 0x1B2FF)]
KANA_HANGUL = [(0x3041, 0x30FF), (0xAC00, 0xD7A3)]
PICTURES = [(0x2600, 0x27BF), (0x2B05, 0x2B55), (0x231A, 0x231B), (0x23E9, 0x23FA),
    (0x1F000, 0x1F0FF),
            (0x1F18E, 0x1F18E), (0x1F1E6, 0x1F1FF), (0x1F300, 0x1F64F), (0x1F680, 0x1F6FF),
            (0x1F780, 0x1F7FF), (0x1F900, 0x1FAFF)]
SKIN = (0x1F3FB, 0x1F3FF)
ACCENTS = [(0x0300, 0x036F), (0x0483, 0x0489), (0x0591, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F),
    (0x0670, 0x0670),
           (0x06D6, 0x06ED), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20F0), (0x2DE0, 0x2DFF),
           (0xA66F, 0xA67D),
           (0xFE00, 0xFE0F), (0xFE20, 0xFE2F)]
IGNORED = [(0xAD, 0xAD), (0x034F, 0x034F), (0x0640, 0x0640), (0x061C, 0x061C), (0x180B, 0x180E),
    (0x200B, 0x200F),
           (0x202A, 0x202E), (0x2060, 0x2064), (0x2066, 0x206F), (0xFEFF, 0xFEFF)]


def within(cp, ranges):
    return any(a <= cp <= b for a, b in ranges)


def fold(cp):
    ch = chr(cp)
    if within(cp, KANA_HANGUL):
        return ch
    flat = ud.normalize("NFKD", ch)
    if 0xFF66 <= cp <= 0xFFDC:                     # half width: full width, jamo as they are
        flat = ud.normalize("NFKC", ch)
    flat = "".join(c for c in flat.casefold() if not within(ord(c), ACCENTS + IGNORED))
    flat = "".join(c for c in ud.normalize("NFKD", flat) if not within(ord(c), ACCENTS + IGNORED)) \
        if not 0xFF66 <= cp <= 0xFFDC else flat
    return "".join(PLAIN.get(c, c) for c in flat)


def wordlike(s):
    return bool(s) and all(ud.category(c)[0] in "LNM" for c in s)


def classify(cp):
    """-> (class, folded)"""
    ch = chr(cp)
    cat = ud.category(ch)
    if within(cp, IGNORED) or within(cp, ACCENTS):
        return MARK, ch
    if SKIN[0] <= cp <= SKIN[1]:
        return MARK, ch
    if within(cp, PICTURES) and cat in ("So", "Sm", "Sk", "Cn", "Po", "No"):
        flat = fold(cp)
        return (EMOJI, ch) if cat != "No" or not wordlike(flat) else (DIGIT, flat)
    if cp in (0x3099, 0x309A, 0xFF9E, 0xFF9F):
        # voicing marks: the program composes them before it asks
        return MARK, ch
    if cat[0] == "M":
        return KEPT, ch
    flat = fold(cp)
    if len(flat.encode()) > 3 * len(ch.encode()) or not wordlike(flat):
        return SEP, ch
    if within(cp, NO_SPACES) and cat[0] in "LN" and cat != "Nd":
        return CJK, flat
    if cat == "Nd" or (cat == "No" and flat.isdecimal()):
        return DIGIT, "".join(str(ud.decimal(c)) for c in flat)
    if cat[0] in "LN" or (cat == "So" and flat.isascii()):
        return (UPPER if cat in ("Lu", "Lt") else LOWER), flat
    return SEP, ch


def main():
    of = {}
    for cp in range(128, LAST):
        if not 0xD800 <= cp <= 0xDFFF:
            cls, flat = classify(cp)
            of[cp] = (cls, None if cls == SEP or flat == chr(cp) else flat)
    gen_chars.start("gen_unicode.py from Unicode %s" % ud.unidata_version)
    gen_chars.chars("unicode", 32, LAST, of)


main()
