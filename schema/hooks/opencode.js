// OpenCode runs no commands as hooks; this plugin runs mem-hook for it. A file of
// ~/.config/opencode/plugin/. Whatever fails in here, the session goes on.
import { spawn } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const hook = (event, call) => new Promise((resolve) => {
  const child = spawn("mem-hook", ["opencode", event], { stdio: ["pipe", "pipe", "ignore"] })
  let out = ""
  child.on("error", () => resolve(""))
  child.stdin.on("error", () => {})
  child.stdout.on("data", (bytes) => { out += bytes })
  child.on("close", () => {
    try { resolve(JSON.parse(out).additionalContext ?? "") } catch { resolve("") }
  })
  child.stdin.end(JSON.stringify(call))
})

const text = (parts) => (parts ?? [])
  .filter((part) => part.type === "text" && part.text && !part.synthetic)
  .map((part) => part.text).join("\n")

export const Mem = async ({ client, directory }) => {
  const blocks = new Map() // what each session is to be told with its next request

  const tell = async (event, session_id, prompt, call) => {
    const block = await hook(event, { session_id, cwd: directory, prompt, ...call })
    if (block) blocks.set(session_id, [blocks.get(session_id), block].filter(Boolean).join("\n"))
  }

  // The messages so far, as a transcript that mem-ingest reads.
  const store = async (event, session_id) => {
    const got = await client.session.messages({ path: { id: session_id } })
    const lines = (got.data ?? got).flatMap(({ info, parts }) => {
      const content = text(parts)
      return content === "" ? [] : [JSON.stringify({ type: "message", session: session_id,
        source_id: info.id, role: info.role, content,
        time: new Date(info.time.created).toISOString() })]
    })
    const dir = await mkdtemp(join(tmpdir(), "mem-"))
    const file = join(dir, session_id + ".ndjson")
    // a long one is still being read when the hook has answered
    setTimeout(() => rm(dir, { recursive: true, force: true }), 60000)
    await writeFile(file, lines.join("\n") + "\n", { mode: 0o600 })
    await hook(event, { session_id, cwd: directory, transcript_path: file })
  }

  const calmly = (fn) => async (...args) => { try { await fn(...args) } catch {} }

  return {
    "chat.message": calmly(async (input, output) => {
      if (!blocks.has(input.sessionID)) {
        blocks.set(input.sessionID, "")
        await tell("start", input.sessionID)
      }
      await tell("prompt", input.sessionID, text(output.parts))
    }),
    // Some servers refuse a second system message, so the first one takes it.
    "experimental.chat.system.transform": calmly(async (input, output) => {
      const block = blocks.get(input.sessionID)
      if (!block) return
      if (output.system.length > 0) output.system[0] += "\n\n" + block
      else output.system.push(block)
    }),
    "tool.execute.after": calmly(async (input, output) => {
      if (input.tool !== "bash") return
      await tell("posttool", input.sessionID, undefined, { tool_name: input.tool,
        tool_input: input.args, tool_response: { output: output.output, ...output.metadata } })
    }),
    "experimental.session.compacting": calmly((input) => store("compact", input.sessionID)),
    event: calmly(async ({ event }) => {
      if (event.type === "session.idle") await store("stop", event.properties.sessionID)
    }),
  }
}
