#!/usr/bin/env python3
"""Writes the tables of what a tokenizer makes of each code point, by asking the reference about
every one.

usage: gen_normalise.py wordpiece > lib/model/wordpiece_tables.h     (needs PyPI tokenizers)
       gen_normalise.py unigram > lib/model/unigram_tables.h         (needs PyPI sentencepiece)

wordpiece: BertNormalizer (clean, space out Han, strip accents, lower case) and BertPreTokenizer of
each code point alone.
unigram: the nmt_nfkc rules of SentencePieceNormalizer, that say what a code point or a run of up to
four becomes. The runs are 220,267, but all of them follow from 949 pairs and the arithmetic of
Hangul, which is checked here: a run composes when its code points become, each alone, one that
decomposes no further, and each after the first composes with what the ones before it made.

Values stand in a two-stage table of blocks of 128, what a code point becomes in a pool of UTF-8.
"""
import sys
import unicodedata as ud

BITS = 7
CODE_POINTS = [cp for cp in range(0x110000) if not 0xD800 <= cp < 0xE000]


class Outputs:
    def __init__(self):
        self.number, self.list = {}, []

    def __getitem__(self, s):
        if s not in self.number:
            self.number[s] = len(self.list)
            self.list.append(s)
        return self.number[s]


def show_array(kind, name, values):
    print("static const %s %s[%d] = {" % (kind, name, len(values)))
    line = "\t"
    for v in values:
        if len(line) > 140:
            print(line)
            line = "\t"
        line += "%s," % v
    print(line + "\n};")


def show_two_stage(prefix, value):
    blocks, index = {}, []
    for at in range(0, 0x110000, 1 << BITS):
        block = tuple(value.get(cp, 0) for cp in range(at, at + (1 << BITS)))
        index.append(blocks.setdefault(block, len(blocks)))
    values = [v for block in blocks for v in block]
    show_array("uint8_t" if len(blocks) < 256 else "uint16_t", prefix + "_index", index)
    show_array("uint16_t", prefix + "_value", values)


def show_outputs(prefix, outputs):
    at, pool = [0], b""
    for s in outputs.list:
        pool += s.encode()
        at.append(len(pool))
    assert len(pool) < 65536
    show_array("uint16_t", prefix + "_at", at)
    show_array("uint8_t", prefix + "_pool", list(pool))


def start(guard, source):
    print("/* Made by tests/tools/gen_normalise.py from %s. Do not edit. */" % source)
    print("#ifndef MODEL_%s\n#define MODEL_%s\n\n#include \"base/base.h\"\n" % (guard, guard))


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

    value, outputs = {}, Outputs()
    for cp in CODE_POINTS:
        c = chr(cp)
        s = norm.normalize_str(c)
        spaced = len(s) > 2 and s[0] == s[-1] == " "
        s = s[1:-1] if spaced else s
        if 0xAC00 <= cp < 0xD7A4:
            assert s == ud.normalize("NFD", c) and not spaced
            value[cp] = 4
        elif s == "":
            value[cp] = 1
        else:
            kinds = {kind(x) for x in s}
            assert len(kinds) == 1 and (len(s) == 1 or kinds == {"letter"}), hex(cp)
            if kinds == {"space"}:
                value[cp] = 2
            elif s == c:
                value[cp] = 3 if spaced or kinds == {"alone"} else 0
            else:
                value[cp] = 5 + outputs[s] | (0x8000 if spaced or kinds == {"alone"} else 0)
    assert 5 + len(outputs.list) < 0x8000
    start("WORDPIECE_TABLES_H", "what PyPI tokenizers %s does" % tokenizers.__version__)
    print("""/*
 * Value: 0 a letter as it is, 1 nothing, 2 a space, 3 a word of its own as it is, 4 a Hangul syllable (its jamo), else output number value - 5,
 * with WORDPIECE_ALONE a word of its own.
 */
#define WORDPIECE_ALONE 0x8000u
enum { WORDPIECE_LETTER, WORDPIECE_NOTHING, WORDPIECE_SPACE, WORDPIECE_WORD, WORDPIECE_HANGUL, WORDPIECE_OUTPUT };
""")
    show_two_stage("wordpiece", value)
    show_outputs("wordpiece", outputs)
    print("\n#endif")


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
    outputs, value = Outputs(), {}
    outputs[""]
    second = {b for _, b in pairs}
    for cp in CODE_POINTS:
        c = chr(cp)
        if c in one and one[c] != c:
            value[cp] = 1 + outputs[one[c]]
        if plain(c) and one.get(c, c) in second:
            value[cp] = value.get(cp, 0) | 0x8000
    assert 1 + len(outputs.list) < 0x8000
    start("UNIGRAM_TABLES_H",
        "the nmt_nfkc rules of PyPI sentencepiece %s" % sentencepiece.__version__)
    print("""/* Value: 0 as it is, else output number value - 1; with UNIGRAM_JOINS it may compose with the one before it. */
#define UNIGRAM_JOINS 0x8000u
""")
    show_two_stage("unigram", value)
    show_outputs("unigram", outputs)
    print("\n/* Sorted. UNIGRAM_MADE: first has to be composed itself; a character that came as one composes no more. */")
    print("#define UNIGRAM_MADE 0x80000000u")
    print("static const struct { uint32_t first, second, composed; } unigram_pairs[%d] = {" % len(
        table))
    for row in sorted(table):
        print("\t{ 0x%xu, 0x%x, 0x%x }," % row)
    print("};\n\n#endif")


{"wordpiece": wordpiece, "unigram": unigram}[sys.argv[1]]()
