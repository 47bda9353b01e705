#!/usr/bin/env python3
"""Writes the tables of what a tokenizer makes of each code point, by asking the reference about
every one.

usage: gen_normalise.py wordpiece > schema/chars/wordpiece.tsv     (needs PyPI tokenizers)
       gen_normalise.py unigram > schema/chars/unigram.tsv         (needs PyPI sentencepiece)

wordpiece: BertNormalizer (clean, space out Han, strip accents, lower case) and BertPreTokenizer of
each code point alone.
unigram: the nmt_nfkc rules of SentencePieceNormalizer, that say what a code point or a run of up to
four becomes. The runs are 220,267, but all of them follow from 949 pairs and the arithmetic of
Hangul, which is checked here: a run composes when its code points become, each alone, one that
decomposes no further, and each after the first composes with what the ones before it made.
"""
import sys
import unicodedata as ud

import gen_chars

CODE_POINTS = [cp for cp in range(0x110000) if not 0xD800 <= cp < 0xE000]


# What becomes of a code point: enum in lib/model/wordpiece.c.
LETTER, NOTHING, SPACE, WORD, HANGUL = range(5)


def wordpiece():
    import tokenizers
    from tokenizers import normalizers, pre_tokenizers
    norm = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True,
        strip_accents=True, lowercase=True)
    split = pre_tokenizers.BertPreTokenizer()

    def kind(c):
        words = [w for w, _ in split.pre_tokenize_str("x" + c + "x")]
        return {("x" + c + "x",): "letter", ("x", c, "x"): "alone",
            ("x", "x"): "space"}[tuple(words)]

    of = {}
    for cp in CODE_POINTS:
        c = chr(cp)
        s = norm.normalize_str(c)
        spaced = len(s) > 2 and s[0] == s[-1] == " "
        s = s[1:-1] if spaced else s
        if 0xAC00 <= cp < 0xD7A4:
            assert s == ud.normalize("NFD", c) and not spaced
            of[cp] = (HANGUL, None)
        elif s == "":
            of[cp] = (NOTHING, None)
        else:
            kinds = {kind(x) for x in s}
            assert len(kinds) == 1 and (len(s) == 1 or kinds == {"letter"}), hex(cp)
            alone = spaced or kinds == {"alone"}
            of[cp] = (SPACE if kinds == {"space"} else WORD if alone else LETTER,
                None if s == c or kinds == {"space"} else s)
    gen_chars.start("gen_normalise.py from what PyPI tokenizers %s does" % tokenizers.__version__)
    gen_chars.chars("wordpiece", 128, 0x110000, of)


def check_runs(rules, one, pairs, plain):
    """All runs that the pairs and Hangul give, against the rules."""
    found, by_first, heads = {}, {}, {}
    for (a, b), v in pairs.items():
        by_first.setdefault(a, []).append((b, v))
    for c in set("".join(rules)):
        if plain(c):
            heads.setdefault(one.get(c, c), []).append(c)
    todo = [(c, a) for a, group in heads.items() for c in group]
    while todo:
        run, state = todo.pop()
        for b, v in by_first.get(state, ()):
            for c in heads.get(b, ()):
                found[run + c] = v
                todo.append((run + c, v))
    assert found == {k: v for k, v in rules.items() if len(k) > 1}


def unigram():
    import sentencepiece
    norm = sentencepiece.SentencePieceNormalizer(rule_name="nmt_nfkc", add_dummy_prefix=False,
        escape_whitespaces=False,
                                                 remove_extra_whitespaces=False)
    rules = dict(norm.decompile())
    for cp in CODE_POINTS:                                    # the rules are what it does
        assert norm.normalize(chr(cp)) == rules.get(chr(cp), chr(cp)), hex(cp)
    one = {k: v for k, v in rules.items() if len(k) == 1}

    def plain(c):
        v = one.get(c, c)
        return len(v) == 1 and (one.get(v, v) == v) and v not in made

    pairs, hangul = {}, 0
    for run, v in rules.items():
        if len(run) > 1:
            assert len(v) == 1
            first = rules.get(run[:-1], run[0] if len(run) == 2 else None)
            assert pairs.setdefault((first, one.get(run[-1], run[-1])), v) == v
    made = set(pairs.values())
    check_runs(rules, one, pairs, plain)
    table = []
    for (a, b), v in pairs.items():
        if 0xAC00 <= ord(v) < 0xD7A4:
            assert ud.normalize("NFC", a + b) == v
            hangul += 1
        else:
            table.append((ord(a) | (1 << 31 if a in made else 0), ord(b), ord(v)))
    assert hangul == 11172
    assert not any("  " in v for v in one.values())
    second = {b for _, b in pairs}
    of = {}
    for cp in CODE_POINTS:
        c = chr(cp)
        of[cp] = (1 if plain(c) and one.get(c, c) in second else 0,
            one[c] if one.get(c, c) != c else None)
    gen_chars.start(
        "gen_normalise.py from the nmt_nfkc rules of PyPI sentencepiece %s" % sentencepiece.__version__)
    gen_chars.chars("unigram", 128, 0x110000, of)
    gen_chars.columns("unigram_pairs",
        **dict(zip(("first", "second", "composed"), zip(*sorted(table)))))


{"wordpiece": wordpiece, "unigram": unigram}[sys.argv[1]]()
