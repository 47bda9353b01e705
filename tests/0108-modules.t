#!/bin/sh
# packaging/modules: each does with the programs what it says, where there is what runs it.
. "${0%/*}/lib.sh"
unset MEM_SEED
export MEM_MODELS="$top/none"
modules=$ROOT/packaging/modules

# What both print: hits, what is stored, a block, facts, and how a program fails.
both='0 hits before there is a store
2 messages stored
stored
We ship on Thursdays.
A line here that parts here.
[]
We ship on Thursdays. True
Lena keeps the deploy key
65 nothing to remember
gone'

cat >try.py <<'E'
from mem_memory import Memory, MemError
with Memory(db="py.db", project="/srv/shop") as memory:
    print(len(memory.search("ships")), "hits before there is a store")
    print(len(memory.add([
        {"session": "s", "role": "user", "content": "We ship on Thursdays."},
        {"session": "s", "role": "user", "content": "A line here\u2028that parts here."}])),
        "messages stored")
    print(memory.remember("Lena keeps the deploy key", key="deploy_key")[0]["did"])
    print(memory.search("when do we ship?")[0]["content"])
    print(memory.search("what parts a line?", limit=1)[0]["content"].replace("\u2028", " "))
    print(memory.search("zeppelin"))
    block = memory.context("when do we ship?", budget=200)
    print("We ship on Thursdays.", "We ship on Thursdays." in block)
    print(memory.facts("--key", "deploy_key")[0]["content"])
    try:
        memory.remember({"content": ""})
    except MemError as error:
        print(error.status, str(error).split(": ")[2][:19])
try:
    Memory(bin="/nowhere/").search("x")
except OSError:
    print("gone")
E
if command -v python3 >/dev/null 2>&1; then
	check_out 'the module for Python does what it says' "$both" env PYTHONPATH="$modules" \
		PYTHONDONTWRITEBYTECODE=1 PYTHONIOENCODING=utf-8 python3 try.py
else
	skip 'the module for Python does what it says' 'there is no python3'
fi

cat >try.mjs <<'E'
const { Memory, MemError } = await import(process.argv[2]);
const memory = new Memory({ db: "js.db", project: "/srv/shop" });
const say = (...words) => console.log(...words);
say((await memory.search("ships")).length, "hits before there is a store");
say((await memory.add([
  { session: "s", role: "user", content: "We ship on Thursdays." },
  { session: "s", role: "user", content: "A line here\u2028that parts here." }])).length,
  "messages stored");
say((await memory.remember(["Lena keeps the deploy key"], { key: "deploy_key" }))[0].did);
// two questions at once are answered in their order
const [first, second] = await Promise.all([memory.search("when do we ship?"),
  memory.search("what parts a line?")]);
say(first[0].content);
say(second[0].content.replace("\u2028", " "));
say(JSON.stringify(await memory.search("zeppelin")));
const block = await memory.context("when do we ship?", 200);
say("We ship on Thursdays.", block.includes("We ship on Thursdays.") ? "True" : "False");
say((await memory.facts("--key", "deploy_key"))[0].content);
try {
  await memory.remember([{ content: "" }]);
} catch (error) {
  say(error instanceof MemError && error.status, error.message.split(": ")[2].slice(0, 19));
}
memory.close();
try {
  await new Memory({ bin: "/nowhere/" }).search("x");
} catch (error) {
  say(error.code === "ENOENT" ? "gone" : error);
}
E
if command -v node >/dev/null 2>&1; then
	check_out 'the module for JavaScript and TypeScript does what it says' "$both" \
		node try.mjs "$modules/mem.mjs"
	check_out 'its types name each function that it has' '' node -e '
		import(process.argv[1]).then(({ Memory }) => {
			const types = require("fs").readFileSync(process.argv[2], "utf8");
			const names = Object.getOwnPropertyNames(Memory.prototype);
			const missing = names.filter((n) => !types.includes(`  ${n}(`));
			process.stdout.write(missing.join());
		})' "$modules/mem.mjs" "$modules/mem.d.ts"
else
	skip 'the module for JavaScript and TypeScript does what it says' 'there is no node'
	skip 'its types name each function that it has' 'there is no node'
fi
done_testing
