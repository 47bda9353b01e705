#!/usr/bin/env python3
"""Writes tests/unit/tokenizing.h: a small vocabulary, a few pieces, and what the references make of
texts with them.

usage: gen_tokenizing.py > tests/unit/tokenizing.h

Source: PyPI tokenizers (WordPiece behind BertNormalizer and BertPreTokenizer; Unigram) and
sentencepiece (nmt_nfkc), without special tokens, whose names are text for us. Control symbols of
the pieces stand in the reference under names with a space, which no normalised text holds."""
import sentencepiece
import tokenizers
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

VOCAB = ("[PAD] [UNK] [CLS] [SEP] [MASK] ! \" # $ ' ( ) , - . / : < = > ? [ ] ` ~ 0 1 2 a b c d e f g h i j k l m n o p q r s t u v w x y z "
         "##a ##b ##c ##d ##e ##f ##g ##h ##i ##j ##k ##l ##m ##n ##o ##p ##q ##r ##s ##t ##u ##v ##w ##x ##y ##z ##0 ##1 ##2 "
         "the un ##aff ##able ##ing ##ed ##er una ##unaff want runn run cls hello world cafe istanbul \u0131 \u00df stra ##\u00df ##sse "
         "\u03c3 \u03bf \u03b4 ##\u03c3 ##\u03bf ##\u03b4 \u4e2d \u56fd \u6587 \u8c48 \u1112 ##\u1161 ##\u11ab \u30ab ##\u30bf \u00bd \u2460 "
         "\ufb01 \u2026 \u20ac \u0915 ##\u093e \U00010348 ##\U00010348 \U0001f600 ## #x xx").split(
         " ")
WORDPIECE = [
    "", " ", "hello world", "Hello, WORLD!", "unaffable", "unaffed wanting", "running runner",
    "hello", "helloo", "the\tthe\nthe\r\nthe\u000bthe\u000cthe",
    "Caf\u00e9 cafe\u0301 CAFE\u0301\u0302", "\u0130stanbul \u0131", "stra\u00dfe STRASSE \u1e9e",
    "\u039f\u0394\u039f\u03a3 \u03c2", "\u4e2d\u56fd\u6587 a\u4e2db",
    "\uf900 \U0002f800 \U0002ceaf \U0002b8ff", "\ud55c \uac00 \u1112\u1161\u11ab \ud558",
    "\u30ab\u30bf \u30ac", "\u00bd \u2460 \ufb01 \u2026\u20ac",
    "a\u200bb a\u00adb a\u2060b a\ufeffb",
    "a\u00a0b\u3000c\u2028d\u1680e\u0085f", "a\u0000b\ufffdc\u0001d\u007fe", "[CLS] [UNK] [SEP]",
    "## ##ing #x xx", "$1.20 <a=b> `c` ~d", "\u037e \u1fef \u2260 \u226e",
    "\u0915\u093e \u0915\u094d",
    "\U00010348\U00010348 \U0001f600", "\U0001f926\U0001f3fd\u200d\u2640\ufe0f", "q" * 100,
    "q" * 101, "\u00e9" * 100 + " " + "\u00e9" * 101, "\ud55c" * 33 + " \ud55c" * 2, "\ud55c" * 34,
    "a\u0301\u0323b \u0301 \u0301a", "\ue000a\U000e0041b \u0378c", "don't e.g. i.e. (x)-y/z?",
    "\ufdfa", "\U0001d15e a", "\u2581a", "\u061ca \u202eb",
]
CONTROL = ["<s>", "<pad>", "</s>", "<unk>"]
PIECES = [(",", -3.5), (".", -3.625), ("\u2581", -4), ("s", -5), ("\u2581the", -5.25), ("a", -6),
    ("b", -6), ("ab", -9), ("bc", -9), ("c", -6), ("e", -5.5), ("\u00e9", -7),
          ("\u2581caf\u00e9", -10.5), ("caf", -9.75), ("f", -7.25), ("h", -7), ("t", -6.5),
          ("th", -8), ("l", -6.75), ("o", -6.5), ("hello", -9.125), ("\u2581hello", -8.875),
          ("w", -8), ("r", -7), ("d", -7), ("world", -10), ("\u2581world", -9.5), ("\u1ec1", -12),
          ("\u00ea", -11), ("\u00e8", -11), ("\ud55c", -10), ("\uad6d", -10),
          ("\u2581\ud55c\uad6d", -13), ("\uac00", -10.5), ("\u30ac", -11), ("\u30ab", -11.5),
          ("\u30ae", -11), ("\u4e2d", -9), ("\u56fd", -9), ("\u4e2d\u56fd", -10.25),
          ("\u0635\u0644\u0649", -14), ("\u0627\u0644\u0644\u0647", -9.9), ("<", -11.75),
          ("</", -12.5), (">", -11), ("/", -8), ("n", -6), ("u", -6), ("k", -8), ("1", -7),
          ("2", -7), ("\u2044", -13),
          ("\u2082", -13), ("xyz", -11), ("aaaa", -11.5), ("\u0915\u093c", -12), ("\u0308", -14),
          ("fi", -9), ("\u2581<", -12), ("0.1", -20.5), ("\ue000", -15)]
UNIGRAM = [
    "", " ", "\t \n", "the", "the the", " the  hello\tworld\n", "abc", "abcab", "hello,world.",
    "caf\u00e9", "cafe\u0301", "CAF\u00c9", "e\u0302\u0300", "e\u0300\u0302", "\u00ea\u0300",
    "\u1ec1", "\U0001d41e\u0302\u0300",
    "\ud55c\uad6d", "\u1112\u1161\u11ab\u1100\u116e\u11a8", "\ud558\u11ab", "\u3131\u314f",
    "\u1100\u1161\u1161", "\u11a8\u1161", "\uff76\uff9e\uff77\uff9e", "\u30ab\u3099",
    "\uff76 \uff9e", "\u4e2d\u56fd \u4e2d",
    "\u2581the\u2581", "a\u2581b \u2581 c", "\ufdfa", "\ufdfa\ufdfa", "\u00a8a", "a\u00a8",
    "<s> </s> <unk> <pad>", "\U0001f600\U0001f601 \U0001f600a\U0001f601",
    "\U0001f600\U0001f600\U0001f600", "a\u200bb\u200cc\u200dd\ufeffe\u00ade",
    "\u0001 a\u0001\u0002b \u0003", "\u0001", "a\u0000b", "\ufffda\ufffd", "\u00bd\u2082\ufb01",
    "\uff54\uff48\uff45", "\u0958\u0915\u093c", "\u0344a", "e\u0301\u0001\u0301", "e\u0001\u0301",
    "e \u0301",
    "xy xyz xyzz", "a" * 10, "\u212a\u212b\u2126", "a\u3000b\u2003c\u2028d\u1680e\u0085f", "\uf900",
    "\u3000\u3000the", "0.1.1", "th\u00e9 \u0113\u0300 e\u0304\u0300", "\ue000\ue001",
]


def c_string(b):
    return '"%s"' % "".join(chr(x) if 32 <= x < 127 and x not in b'"\\?' else "\\%03o" % x
        for x in b)


def show_cases(name, texts, encode):
    print("static const struct tokenizing_case %s[] = {" % name)
    for text in texts:
        b, ids = text.encode(), encode(text)
        assert len(ids) <= 120
        print("\t{ %s, %d,\n\t\t%d, { %s } }," % (c_string(b), len(b), len(ids),
            ", ".join(map(str, ids)) or "0"))
    print("};\n")


def main():
    t = Tokenizer(models.WordPiece({w: i for i, w in enumerate(VOCAB)}, unk_token="[UNK]",
        max_input_chars_per_word=100, continuing_subword_prefix="##"))
    t.normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True,
        strip_accents=True, lowercase=True)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    u = Tokenizer(models.Unigram([(" %d" % i, 0.0) for i in range(4)] + PIECES, unk_id=3,
        byte_fallback=False))
    norm = sentencepiece.SentencePieceNormalizer(rule_name="nmt_nfkc", add_dummy_prefix=True,
        escape_whitespaces=True,
                                                 remove_extra_whitespaces=True)
    print("""/*
 * tokenizing.h: a small vocabulary and a few pieces with scores, and the ids that the references give with them. Made by tests/tools/gen_tokenizing.py from PyPI
 * tokenizers %s and sentencepiece %s. Do not edit.
 */
#ifndef TESTS_TOKENIZING_H
#define TESTS_TOKENIZING_H

#include <stddef.h>
#include <stdint.h>

struct tokenizing_case { const char *text; size_t len; uint32_t n, ids[120]; };
""" % (tokenizers.__version__, sentencepiece.__version__))
    print("static const char tokenizing_vocab[] =")
    for at in range(0, len(VOCAB), 12):
        print("\t" + c_string("".join(w + "\n" for w in VOCAB[at:at + 12]).encode()))
    print("\t;\n\nenum { TOKENIZING_FIRST = 0, TOKENIZING_PAD = 1, TOKENIZING_LAST = 2, TOKENIZING_UNKNOWN = 3, TOKENIZING_PIECES = %d };" % (len(PIECES) + 4))
    print("static const char *const tokenizing_pieces[TOKENIZING_PIECES] = {")
    print("\n".join("\t%s," % c_string(p.encode()) for p in CONTROL + [p for p, _ in PIECES]))
    print("};\nstatic const float tokenizing_scores[TOKENIZING_PIECES] = {\n\t%s\n};\n" % ", ".join(
        "%sf" % float(s) for s in [0, 0, 0, 0] + [s for _, s in PIECES]))
    show_cases("tokenizing_wordpiece", WORDPIECE, lambda s: t.encode(s,
        add_special_tokens=False).ids)
    show_cases("tokenizing_unigram", UNIGRAM, lambda s: u.encode(norm.normalize(s),
        add_special_tokens=False).ids)
    print("#endif")


main()
