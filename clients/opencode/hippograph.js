// A plugin for opencode: records what is said in the projects that `hippograph hook enable` named, and puts a context
// before the talk. Link it into ~/.config/opencode/plugins/. It tells `hippograph-hook` what Claude Code's hooks tell.

import { spawn } from "node:child_process"

/** The context that `hippograph-hook` gives for an event. A hook that fails, or is not there, gives none. */
function contextOf(given) {
  return new Promise((resolve) => {
    const process = spawn("hippograph-hook", ["opencode"], { stdio: ["pipe", "pipe", "ignore"], timeout: 5000 })
    let printed = ""
    process.on("error", () => resolve(""))
    process.on("close", (code) => resolve(code === 0 && printed ? JSON.parse(printed).hookSpecificOutput.additionalContext : ""))
    process.stdout.on("data", (part) => (printed += part))
    process.stdin.on("error", () => {})
    process.stdin.end(JSON.stringify(given))
  })
}

/** The words of a message, without what opencode put there itself. */
const words = (parts) =>
  parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored).map((part) => part.text).join("\n\n")

export const Hippograph = async ({ client, directory }) => {
  const contexts = new Map() // of each session, what it is told
  const own = new Map() // of each session, whether no other one began it: what agents say among themselves is not kept

  async function isOwn(session) {
    if (!own.has(session)) {
      const found = await client.session.get({ path: { id: session } })
      own.set(session, !found.data?.parentID)
    }
    return own.get(session)
  }

  async function tell(event, session, more = {}) {
    if (!(await isOwn(session))) return
    const context = await contextOf({ hook_event_name: event, session_id: session, cwd: directory, ...more })
    if (context) contexts.set(session, [contexts.get(session), context].filter(Boolean).join("\n\n"))
  }

  /** What the agent said since the user's last message. */
  async function answer(session) {
    const { data } = await client.session.messages({ path: { id: session } })
    const asked = data.findLastIndex(({ info }) => info.role === "user")
    return data.slice(asked + 1).map(({ parts }) => words(parts)).filter(Boolean).join("\n\n")
  }

  return {
    "chat.message": async ({ sessionID }, { parts }) => {
      if (!contexts.has(sessionID)) {
        contexts.set(sessionID, "")
        await tell("SessionStart", sessionID)
      }
      await tell("UserPromptSubmit", sessionID, { prompt: words(parts) })
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      if (contexts.get(sessionID)) system.push(contexts.get(sessionID))
    },
    "experimental.session.compacting": async ({ sessionID }) => tell("PreCompact", sessionID),
    event: async ({ event }) => {
      if (event.type === "session.idle" && (await isOwn(event.properties.sessionID))) {
        const session = event.properties.sessionID
        await tell("Stop", session, { last_assistant_message: await answer(session) })
      } else if (event.type === "session.deleted") {
        await tell("SessionEnd", event.properties.info.id)
      }
    },
  }
}
