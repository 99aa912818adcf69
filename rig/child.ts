/** A program of this repository as a process that answers questions, several at a time. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from './settings.ts'

export interface Child<Ready> extends AsyncDisposable {
  pid: number
  /** The message with which it announced itself. */
  ready: Ready
  /** Throws when the process ends, or does not answer in time. */
  ask<Reply>(question: unknown, timeoutMs?: number): Promise<Reply>
}

interface ChildOptions {
  arguments?: readonly string[]
  settings?: Settings
  /** Flags of Node. */
  flags?: readonly string[]
}

const REPLY_TIMEOUT_MS = 600_000
const EXIT_TIMEOUT_MS = 5_000
/** The id of the announcement; questions count from 1. */
const READY_ID = 0

/** Starts a file that calls `serveParent`. Its log lines are written, as in production, and not read. */
export async function startChild<Ready>(program: string, options: ChildOptions = {}): Promise<Child<Ready>> {
  const child = fork(program, [...(options.arguments ?? [])], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...options.settings },
    ...(options.flags ? { execArgv: [...options.flags] } : {}),
  })
  const ended = once(child, 'exit').then(([code, signal]) =>
    Promise.reject(new Error(`${program} ended (${code ?? signal})`)),
  )
  ended.catch(() => undefined)
  const waiting = new Map<number, (value: never) => void>()
  child.on('message', ({ id, value }: { id: number; value: never }) => waiting.get(id)?.(value))
  const hear = async <Value>(id: number, timeoutMs: number): Promise<Value> => {
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    waiting.set(id, resolve)
    const timer = setTimeout(() => reject(new Error(`${program} did not answer in time`)), timeoutMs)
    try {
      return await Promise.race([promise, ended])
    } finally {
      clearTimeout(timer)
      waiting.delete(id)
    }
  }
  const stop = async () => {
    if (child.connected) child.disconnect()
    await Promise.race([ended.catch(() => undefined), sleep(EXIT_TIMEOUT_MS, undefined, { ref: false })])
    child.kill('SIGKILL')
  }
  let asked = READY_ID
  const ask = <Reply>(question: unknown, timeoutMs = REPLY_TIMEOUT_MS): Promise<Reply> => {
    asked += 1
    const reply = hear<Reply>(asked, timeoutMs)
    child.send({ id: asked, question })
    return reply
  }
  try {
    const ready = await hear<Ready>(READY_ID, REPLY_TIMEOUT_MS)
    return { pid: child.pid ?? 0, ready, ask, [Symbol.asyncDispose]: stop }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

/** The child's side: announces itself, answers every question, and ends with the one who started it. */
export function serveParent(ready: unknown, reply: (question: never) => unknown = () => null): void {
  process.on('message', ({ id, question }: { id: number; question: never }) => {
    // A failure ends the process, and the parent hears of it.
    void Promise.resolve(reply(question)).then((value) => process.send?.({ id, value }))
  })
  // Also when the parent was killed. `exit` lets a profile be written.
  process.once('disconnect', () => process.exit(0))
  // Ctrl-C reaches the whole group; the parent ends its children itself.
  process.on('SIGINT', () => undefined)
  process.send?.({ id: READY_ID, value: ready })
}
