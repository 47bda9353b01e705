"""Other stores and memories that PyPI has, asked what mem is asked, over one interface: FTS5 with
sqlite-vec, bm25s, Chroma, LangGraph's store, mem0.

    peers.py quality NAME MESSAGES QUERIES FIELD PEER...   builds each, asks every question, prints
                                                           a score record for each
    peers.py load NAME RECORDS QUESTIONS PEER...           the same with chat lines and questions
                                                           that nobody judged: times only
    peers.py ask PEER STORE DIR                            DIR/question.json in a process of its
                                                           own, its vector from mem-embed; prints
                                                           ids

Both of the former leave WORK/NAME.commands, for timeit: the same questions in processes of their
own. In the environment: WORK, where stores are made; MODEL, the model file for mem-embed; DB, mem's
store; STOP, the stop words; VEC, sqlite-vec's library; N_COLD, how many questions get processes;
CHINESE.

All peers get the same texts, `NAME said, "TEXT" and shared CAPTION`, and the same vectors, those of
mem-embed --filter. Chinese goes to those that look for words as single characters, which does best
(see quality.sh). nDCG is binary, as mem-eval's: evidence that is not in the store counts as never
found."""
import gzip
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import time

N_HITS = 10
N_EACH = 50                                              # of each side, for the fusion
CJK = re.compile(r"([\u3400-\u9fff\uf900-\ufaff])")


def environment(name):
    return os.environ[name]


def embed(records, query=False):
    command = ["mem-embed", "--filter", "-q", "--model", environment("MODEL")] + (["--query"]
        if query else [])
    lines = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)
    out = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout
    return [json.loads(line)["vec"] for line in out.splitlines()]


def stop_words():
    with open(environment("STOP"), encoding="utf-8") as f:
        return set(f.read().split())


def spaced(text, chinese):
    return CJK.sub(r" \1 ", text) if chinese else text


class Fts5Vec:
    """FTS5's bm25() and the nearest by cosine, fused by reciprocal rank (k = 60); a file a user."""
    title, cap = "FTS5 + sqlite-vec by RRF", 10 ** 7
    sql = f"""SELECT ids.id, sum(1.0 / (60 + found.place)) AS score FROM (
        SELECT rowid AS row, row_number() OVER (ORDER BY rank) AS place FROM
            (SELECT rowid, rank FROM texts WHERE texts MATCH :match ORDER BY rank LIMIT {N_EACH})
        UNION ALL SELECT rowid, row_number() OVER (ORDER BY distance) FROM
            (SELECT rowid, distance FROM vectors WHERE vec MATCH :vec AND k = {N_EACH})
        ) AS found JOIN ids ON ids.rowid = found.row GROUP BY ids.rowid
        ORDER BY score DESC, ids.rowid LIMIT {N_HITS}"""

    def __init__(self, where, chinese):
        self.where, self.chinese, self.stop, self.open = where, chinese, stop_words(), {}

    def connect(self, user):
        import pysqlite3
        if user not in self.open:
            db = pysqlite3.connect(f"{self.where}/{user}.sqlite")
            db.enable_load_extension(True)
            db.load_extension(environment("VEC"))
            self.open = {user: db}
        return self.open[user]

    def build(self, user, docs):
        db = self.connect(user)
        db.execute("CREATE TABLE ids (id TEXT)")
        db.execute(f"CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = '{'unicode61' if self.chinese else 'porter unicode61'}')")
        db.execute("CREATE VIRTUAL TABLE vectors USING vec0(vec float[384] distance_metric=cosine)")
        db.executemany("INSERT INTO ids VALUES (?)", ((d[0],) for d in docs))
        db.executemany("INSERT INTO texts VALUES (?)", ((spaced(d[1], self.chinese),)
            for d in docs))
        db.executemany("INSERT INTO vectors (vec) VALUES (?)",
            ((struct.pack(f"<{len(d[2])}f", *d[2]),) for d in docs))
        db.commit()

    def match(self, query):
        words = dict.fromkeys(re.findall(r"\w+", spaced(query.lower(), self.chinese)))
        return " OR ".join(f'"{w}"' for w in words if w not in self.stop) or '""'

    def search(self, user, query, vec):
        near = struct.pack(f"<{len(vec)}f", *vec)
        return [r[0] for r in self.connect(user).execute(self.sql, {"match": self.match(query),
            "vec": near})]

    def script(self, query, vec_file):
        """The same for the sqlite3 shell."""
        vec = f"json_extract(readfile('{vec_file}'), '$.vec')"
        return f".load {environment('VEC')}\n{self.sql.replace(':match', chr(39) + self.match(query) + chr(39)).replace(':vec', vec)};\n"


class Bm25s:
    title, cap = "bm25s", 10 ** 7

    def __init__(self, where, chinese):
        self.where, self.chinese, self.open = where, chinese, {}

    def tokens(self, texts):
        import bm25s
        import Stemmer
        return bm25s.tokenize([spaced(t, self.chinese) for t in texts], stopwords=None
            if self.chinese else "en", show_progress=False,
                              stemmer=None if self.chinese else Stemmer.Stemmer("english"),
                              token_pattern=r"(?u)\w+")

    def build(self, user, docs):
        import bm25s
        index = bm25s.BM25()
        index.index(self.tokens([d[1] for d in docs]), show_progress=False)
        index.save(f"{self.where}/{user}", corpus=None)
        with open(f"{self.where}/{user}/ids.json", "w", encoding="utf-8") as f:
            json.dump([d[0] for d in docs], f)

    def search(self, user, query, vec):
        import bm25s
        if user not in self.open:
            with open(f"{self.where}/{user}/ids.json", encoding="utf-8") as f:
                self.open = {user: (bm25s.BM25.load(f"{self.where}/{user}"), json.load(f))}
        index, ids = self.open[user]
        tokens = self.tokens([query])
        if not tokens.vocab:
            return []
        found, scores = index.retrieve(tokens, k=min(N_HITS, len(ids)), show_progress=False)
        return [ids[i] for i, score in zip(found[0], scores[0]) if score > 0]


class Chroma:
    title, cap = "Chroma", 10 ** 6

    def __init__(self, where, chinese):
        import chromadb
        settings = chromadb.Settings(anonymized_telemetry=False)
        self.client = chromadb.PersistentClient(where, settings=settings)

    def build(self, user, docs):
        c = self.client.create_collection(f"user-{user}", embedding_function=None,
            metadata={"hnsw:space": "cosine"})
        for i in range(0, len(docs), 5000):
            part = docs[i:i + 5000]
            c.add(ids=[str(i + j) for j in range(len(part))], embeddings=[d[2] for d in part],
                documents=[d[1] for d in part],
                  metadatas=[{"source": d[0]} for d in part])

    def search(self, user, query, vec):
        c = self.client.get_collection(f"user-{user}", embedding_function=None)
        got = c.query(query_embeddings=[vec], n_results=N_HITS, include=["metadatas"])
        return [m["source"] for m in got["metadatas"][0]]


class LangGraph:
    """Its embedding function is asked for the vectors that we have."""
    title, cap = "LangGraph SqliteStore", 20000

    def __init__(self, where, chinese):
        import pysqlite3
        sys.modules["sqlite3"] = pysqlite3               # Python's own may not load extensions
        from langgraph.store.sqlite import SqliteStore
        self.vectors = {}
        db = pysqlite3.connect(f"{where}/store.sqlite", check_same_thread=False,
            isolation_level=None)
        self.store = SqliteStore(db, index={"dims": 384, "embed": lambda texts: [self.vectors[t]
            for t in texts], "text_fields": ["text"]})
        self.store.setup()

    def build(self, user, docs):
        from langgraph.store.base import PutOp
        self.vectors = {d[1]: d[2] for d in docs}
        for i in range(0, len(docs), 500):
            self.store.batch([PutOp((user,), str(i + j), {"text": d[1], "source": d[0]}) for j,
                d in enumerate(docs[i:i + 500])])

    def search(self, user, query, vec):
        self.vectors = {query: vec}
        return [hit.value["source"] for hit in self.store.search((user,), query=query,
            limit=N_HITS)]


class Mem0:
    """It starts only with a key, so it gets a made-up one; its language model is not asked
    (infer=False), its embedder is ours."""
    title, cap = "mem0 without its model", 5000

    def __init__(self, where, chinese):
        os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=where)
        from mem0 import Memory
        none = {"api_key": "none"}
        self.memory = Memory.from_config({
            "llm": {"provider": "openai", "config": none}, "embedder": {"provider": "openai",
            "config": dict(none, embedding_dims=384)},
            "vector_store": {"provider": "qdrant", "config": {"path": f"{where}/qdrant",
            "embedding_model_dims": 384, "on_disk": True}},
            "history_db_path": f"{where}/history.db"})
        self.memory.embedding_model = self
        self.config = type("Config", (), {"embedding_dims": 384})
        self.vectors = {}

    def embed(self, text, memory_action=None):
        return self.vectors[text]

    def embed_batch(self, texts, memory_action=None):
        return [self.vectors[t] for t in texts]

    def build(self, user, docs):
        for d in docs:
            self.vectors = {d[1]: d[2]}
            self.memory.add(d[1], user_id=user, infer=False, metadata={"source": d[0]})

    def search(self, user, query, vec):
        self.vectors = {query: vec, query.strip(): vec}
        got = self.memory.search(query, filters={"user_id": user}, top_k=N_HITS, threshold=0.0)
        return [r["metadata"]["source"] for r in got["results"]]


PEERS = {"fts5vec": Fts5Vec, "bm25s": Bm25s, "chroma": Chroma, "langgraph": LangGraph, "mem0": Mem0}


def records(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def said(m):
    text = m["text"]
    if m.get("speaker"):
        text = f'{m["speaker"]} said, "{text}"'
        if m.get("caption"):
            text += f' and shared {m["caption"]}'
    return text


def vectors_of(given, query=False):
    """Kept beside the stores: another set of the same messages and the next run want them again."""
    import hashlib
    import numpy as np
    key = hashlib.sha256((environment("MODEL") + json.dumps(given)
        + str(query)).encode()).hexdigest()[:16]
    path = f"{environment('WORK')}/peers.{key}.npy"
    if not os.path.exists(path):
        np.save(path, np.asarray(embed(given, query), "<f4"))
    return np.load(path)


def percentile(values, p):
    return sorted(values)[max(0, math.ceil(len(values) * p / 100) - 1)]


def measures(found, relevant):
    gains = [1 / math.log2(i + 2) for i, f in enumerate(found[:N_HITS]) if f in relevant]
    best = sum(1 / math.log2(i + 2) for i in range(min(N_HITS, len(relevant))))
    return sum(gains) / best, len(gains) / len(relevant)


def numbered(users):
    """A file name for each user."""
    return {u: f"u{i}" for i, u in enumerate(users)}


def run(name, peer_name, docs, questions, chinese):
    """docs: user -> [(id, text, vec)]; questions [(user, query, vec)]. Returns what each found,
    and prints nothing."""
    kind = PEERS[peer_name]
    where = f"{environment('WORK')}/{name}.{peer_name}"
    shutil.rmtree(where, ignore_errors=True)
    os.makedirs(where)
    started = time.perf_counter()
    peer = kind(where, chinese)
    number = numbered(docs)
    for user, its in docs.items():
        peer.build(number[user], its)
    built = time.perf_counter() - started
    order = sorted(range(len(questions)), key=lambda i: questions[i][0])
    found, ms = [None] * len(questions), []
    last = None
    for i in order:
        user, query, vec = questions[i]
        # what is opened once a user is not the question's
        if user != last:
            peer.search(number[user], query, vec)
            last = user
        at = time.perf_counter()
        found[i] = peer.search(number[user], query, vec)
        ms.append(1000 * (time.perf_counter() - at))
    return found, {"peer": peer_name, "title": kind.title, "n": len(questions),
        "p50": percentile(ms, 50), "p95": percentile(ms, 95), "built": built}


def one_line(text):
    return re.sub(r"[\t\r\n]", " ", text)


def cold_commands(name, questions, number, chinese, there):
    """Commands for timeit: N_COLD questions spread over all, mem and the sqlite3 shell in turns,
    and every twelfth of them to the peers in Python."""
    n = min(int(environment("N_COLD")), len(questions))
    work = environment("WORK")
    top = f"{work}/{name}.cold"
    shutil.rmtree(top, ignore_errors=True)
    shell = Fts5Vec(f"{work}/{name}.fts5vec", chinese)
    lines = []
    for i in range(n):
        user, query, _ = questions[i * len(questions) // n]
        where = f"{top}/{i}"
        os.makedirs(where)
        with open(f"{where}/question.json", "w", encoding="utf-8") as f:
            json.dump({"query": query, "user": number[user], "chinese": chinese}, f,
                ensure_ascii=False)
            f.write("\n")
        with open(f"{where}/script.sql", "w", encoding="utf-8") as f:
            f.write(shell.script(query, f"{where}/vec.json"))
        lines.append(["mem", "mem-search", "-j", "-d", environment("DB"), "-u", user, "--", query])
        if "fts5vec" in there:
            command = f'mem-embed --filter -q --query --model "$MODEL" <{where}/question.json >{where}/vec.json && ' \
                f"sqlite3 {work}/{name}.fts5vec/{number[user]}.sqlite <{where}/script.sql"
            lines.append(["shell", "sh", "-c", command])
        if i % 12 == 0:
            lines.extend([p, sys.executable, os.path.abspath(__file__), "ask", p,
                f"{work}/{name}.{p}", where] for p in there)
    with open(f"{work}/{name}.commands", "w", encoding="utf-8") as f:
        f.writelines("\t".join(map(one_line, line)) + "\n" for line in lines)


def report(name, docs, questions, chinese, wanted, judge):
    n_docs = sum(len(d) for d in docs.values())
    there = []
    for peer_name in wanted:
        if n_docs > PEERS[peer_name].cap:
            line = {"peer": peer_name, "title": PEERS[peer_name].title,
                "left_out": f"{n_docs} texts would take it too long to store"}
            print(json.dumps(line, separators=(",", ":")), flush=True)
            continue
        try:
            found, line = run(name, peer_name, docs, questions, chinese)
        # a peer that fails is a row, not the end of the others
        except Exception as e:
            line = {"peer": peer_name, "title": PEERS[peer_name].title,
                "left_out": f"{type(e).__name__}: {e}".split("\n")[0][:100]}
        else:
            line.update(judge(found))
            there.append(peer_name)
        print(json.dumps(line, separators=(",", ":")), flush=True)
    cold_commands(name, questions, numbered(docs), chinese, there)


def quality(name, messages, queries, field, wanted):
    messages = records(messages)
    asked = [q for q in records(queries) if q["evidence"]]
    texts = [said(m) for m in messages]
    vecs = vectors_of([{"content": text} for text in texts])
    docs = {}
    for m, text, vec in zip(messages, texts, vecs):
        docs.setdefault(m.get("conv", "all"), []).append((m["id"], text, vec.tolist()))
    qvecs = vectors_of([{"query": q[field]} for q in asked], True)
    questions = [(q.get("conv", "all"), q[field], v.tolist()) for q, v in zip(asked, qvecs)]

    def judge(found):
        each = [measures(f, set(q["evidence"])) for f, q in zip(found, asked)]
        by = {}
        for (gain, _), q in zip(each, asked):
            by.setdefault(q.get("category"), []).append(gain)
        return {"ndcg": sum(e[0] for e in each) / len(each),
            "recall": sum(e[1] for e in each) / len(each),
                "macro": sum(sum(g) / len(g) for g in by.values()) / len(by)}
    report(name, docs, questions, bool(environment("CHINESE")), wanted, judge)


def load(name, lines, questions, wanted):
    texts = [said({"text": m["content"], "speaker": m.get("name")}) for m in records(lines)]
    vecs = vectors_of([{"content": text} for text in texts])
    docs = {"all": [(str(i), text, v.tolist()) for i, (text, v) in enumerate(zip(texts, vecs))]}
    with open(questions, encoding="utf-8") as f:
        asked = f.read().splitlines()
    qvecs = vectors_of([{"query": q} for q in asked], True)
    report(name, docs, [("all", q, v.tolist()) for q, v in zip(asked, qvecs)], False, wanted,
        lambda found: {})


def ask(peer_name, store, where):
    with open(f"{where}/question.json", encoding="utf-8") as f:
        q = json.load(f)
    peer = PEERS[peer_name](store, q["chinese"])
    vec = None if peer_name == "bm25s" else embed([{"query": q["query"]}], True)[0]
    print("\n".join(peer.search(q["user"], q["query"], vec)))


if __name__ == "__main__":
    if sys.argv[1] == "quality":
        quality(*sys.argv[2:6], sys.argv[6:])
    elif sys.argv[1] == "load":
        load(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:])
    elif sys.argv[1] == "ask":
        ask(*sys.argv[2:5])
