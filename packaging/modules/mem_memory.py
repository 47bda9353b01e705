"""A long-term memory in one SQLite file, by the programs of mem(7), which must be installed.

    from mem_memory import Memory

    with Memory(user="mara", project="/srv/shop") as memory:
        memory.add([{"session": "s1", "role": "user", "content": "We ship on Thursdays."}])
        memory.remember("Lena keeps the deploy key", key="deploy_key")
        for hit in memory.search("when do we ship?"):
            print(hit["p"], hit["content"])
        prompt = memory.context("when do we ship?", budget=600)

Records are those of mem-records(5), as dictionaries. A question is asked of one mem-search that
stays open, so it takes as long as the search takes; a Memory may be used by several threads.
"""
import json
import subprocess
import threading
from typing import Any, Dict, Iterable, List, Optional, TypedDict, Union


class Message(TypedDict, total=False):
    id: str
    session: str
    turn: int
    role: str
    name: str
    content: str
    time: str
    project: str
    source_id: str


class Hit(Message, total=False):
    rank: int
    kind: str
    p: float
    score: float
    snippet: str
    why: List[str]


class Fact(TypedDict, total=False):
    id: str
    content: str
    key: str
    kind: str
    bank: str
    importance: float
    valid_from: str
    valid_to: str
    sources: List[Dict[str, Any]]


class Verdict(TypedDict, total=False):
    id: str
    did: str
    why: str
    of: str


class MemError(Exception):
    """A program failed: status is its exit status, see mem(7); output what it printed before."""

    def __init__(self, program: str, status: int, message: str, output: Optional[list] = None):
        super().__init__(message.strip() or "%s ended with status %d" % (program, status))
        self.status, self.output = status, output or []


class Memory:
    def __init__(self, db: Optional[str] = None, user: Optional[str] = None,
                 project: Optional[str] = None, agent: Optional[str] = None, bin: str = ""):
        """bin: the directory of the programs, with a slash at its end; else they are in PATH."""
        self._bin = bin
        self._store = [w for o, v in (("--db", db), ("--user", user)) if v for w in (o, v)]
        self._scope = [w for o, v in (("-p", project), ("-a", agent)) if v for w in (o, v)]
        self._search: Optional[subprocess.Popen] = None
        self._limit = 0
        self._lock = threading.Lock()

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._search is not None:
            self._search.stdin.close()
            self._search.stdout.close()
            self._search.wait()
        self._search = None

    def _run(self, program: str, options: Iterable[str], records: Iterable[Any] = ()) -> List[Any]:
        lines = "".join(json.dumps(r) + "\n" for r in records)
        done = subprocess.run([self._bin + program, *self._store, *options], input=lines,
                              capture_output=True, encoding="utf-8")
        out = [json.loads(line) for line in done.stdout.split("\n") if line]
        if done.returncode != 0:
            raise MemError(program, done.returncode, done.stderr, out)
        return out

    def search(self, question: str, limit: int = 10,
               context: Iterable[Message] = ()) -> List[Hit]:
        """The hits, best first; context is what was said before it, of which it may leave out."""
        with self._lock:
            if self._search is None or self._limit != limit or self._search.poll() is not None:
                self._end()
                self._search = subprocess.Popen(
                    [self._bin + "mem-search", "-q", "--ends", "-n", str(limit), *self._store,
                     *self._scope], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    encoding="utf-8")
                self._limit = limit
            query = {"query": question, "context": list(context)}
            self._search.stdin.write(json.dumps(query) + "\n")
            self._search.stdin.flush()
            hits: List[Hit] = []
            for line in self._search.stdout:
                record = json.loads(line)
                if record["type"] != "end":
                    hits.append(record)
                elif "error" in record:
                    raise MemError("mem-search", 65, record["error"], hits)
                else:
                    return hits
            raise MemError("mem-search", self._search.wait(), "")

    def context(self, question: str, budget: int = 1000) -> str:
        """A block for a prompt, within so many tokens; "" when nothing is known."""
        out = self._run("mem-context", [*self._scope, "-j", "--budget", str(budget), "-"],
                        [{"query": question}])
        return "".join(r["text"] for r in out)

    def add(self, messages: Iterable[Message]) -> List[Message]:
        """Stores what was said; what is stored already is not stored twice."""
        return self._run("mem-ingest", [*self._scope, "--from=ndjson"], messages)

    def remember(self, *facts: Union[str, Fact], **fields: Any) -> List[Verdict]:
        """Stores facts, compared with what is known; fields are those of each of them."""
        records = [{**({"content": f} if isinstance(f, str) else f), **fields} for f in facts]
        return self._run("mem-remember", self._scope, records)

    def facts(self, *options: str) -> List[Fact]:
        """What holds; options are those of mem-list(1): "--key", "home"."""
        return self._run("mem-list", ["facts", "-j", *self._scope, *options])
