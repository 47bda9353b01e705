// A long-term memory in one SQLite file, by the programs of mem(7), which must be installed.
//
//   import { Memory } from "./mem.mjs";
//
//   const memory = new Memory({ user: "mara", project: "/srv/shop" });
//   await memory.add([{ session: "s1", role: "user", content: "We ship on Thursdays." }]);
//   for (const hit of await memory.search("when do we ship?")) console.log(hit.p, hit.content);
//   memory.close();
//
// A question is asked of one mem-search that stays open, so it takes as long as the search takes.
// Types are in mem.d.ts.
import { spawn } from "node:child_process";

export class MemError extends Error {
  constructor(program, status, message, output = []) {
    super(message.trim() || `${program} ended with status ${status}`);
    this.status = status;
    this.output = output;
  }
}

const options = (pairs) => Object.entries(pairs).flatMap(([k, v]) => (v ? [`--${k}`, v] : []));

export class Memory {
  #bin; #store; #scope;
  #search = null; // the program that answers questions
  #waiting = []; // who waits for its answers, in order

  constructor({ db, user, project, agent, bin = "" } = {}) {
    this.#bin = bin;
    this.#store = options({ db, user });
    this.#scope = options({ project, agent });
  }

  #run(program, args, records = []) {
    return new Promise((resolve, reject) => {
      const child = spawn(this.#bin + program, [...this.#store, ...args]);
      let out = "", said = "";
      child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
      child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
      child.stdin.on("error", () => {}); // a program that reads no further says why
      child.on("error", reject);
      child.on("close", (status) => {
        const got = out.split("\n").filter(Boolean).map((line) => JSON.parse(line));
        if (status === 0) resolve(got);
        else reject(new MemError(program, status, said, got));
      });
      child.stdin.end(records.map((record) => JSON.stringify(record) + "\n").join(""));
    });
  }

  #start(limit) {
    const child = spawn(this.#bin + "mem-search", ["-q", "--ends", "-n", `${limit}`,
      ...this.#store, ...this.#scope], { stdio: ["pipe", "pipe", "inherit"] });
    const waiting = this.#waiting = [];
    let hits = [], rest = "";
    const fail = (error) => {
      if (this.#search?.child === child) this.#search = null;
      for (const { reject } of waiting.splice(0)) reject(error);
    };
    const take = (record) => {
      if (record.type !== "end") return void hits.push(record);
      const { resolve, reject } = waiting.shift(), got = hits;
      hits = [];
      if ("error" in record) reject(new MemError("mem-search", 65, record.error, got));
      else resolve(got);
    };
    child.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n"); // readline would part at U+2028, too
      rest = lines.pop();
      for (const line of lines) take(JSON.parse(line));
    });
    child.stdin.on("error", () => {});
    child.on("error", fail);
    child.on("close", (status) => fail(new MemError("mem-search", status, "")));
    return { child, limit };
  }

  search(question, { limit = 10, context = [] } = {}) {
    if (this.#search?.limit !== limit) {
      this.close();
      this.#search = this.#start(limit);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#search.child.stdin.write(JSON.stringify({ query: question, context }) + "\n");
    });
  }

  async context(question, budget = 1000) {
    const out = await this.#run("mem-context",
      [...this.#scope, "-j", "--budget", `${budget}`, "-"], [{ query: question }]);
    return out.map((record) => record.text).join("");
  }

  add(messages) {
    return this.#run("mem-ingest", [...this.#scope, "--from=ndjson"], messages);
  }

  remember(facts, fields = {}) {
    return this.#run("mem-remember", this.#scope, facts.map((fact) => (
      { ...(typeof fact === "string" ? { content: fact } : fact), ...fields })));
  }

  facts(...args) {
    return this.#run("mem-list", ["facts", "-j", ...this.#scope, ...args]);
  }

  close() {
    this.#search?.child.stdin.end(); // what was asked is still answered
    this.#search = null;
  }
}
