/** A program of this repository as a process that answers one question at a time. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from './settings.ts'

export interface Child<Ready> extends AsyncDisposable {
  pid: number
  /** The message with which it announced itself. */
  ready: Ready
  ask<Reply>(question: unknown): Promise<Reply>
}

const REPLY_TIMEOUT_MS = 600_000
const EXIT_TIMEOUT_MS = 5_000

/** Starts a file that calls `serveParent`. Its log lines are written, as in production, and not read. */
export async function startChild<Ready>(
  program: string,
  options: { arguments?: readonly string[]; settings?: Settings } = {},
): Promise<Child<Ready>> {
  const child = fork(program, [...(options.arguments ?? [])], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...options.settings },
  })
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${program} ended with code ${code}`)))
  ended.catch(() => undefined)
  const hear = async <Message>(): Promise<Message> => {
    const message = once(child, 'message', { signal: AbortSignal.timeout(REPLY_TIMEOUT_MS) })
    message.catch(() => undefined)
    const [value] = await Promise.race([message, ended])
    return value as Message
  }
  const stop = async () => {
    if (child.connected) child.disconnect()
    await Promise.race([ended.catch(() => undefined), sleep(EXIT_TIMEOUT_MS, undefined, { ref: false })])
    child.kill('SIGKILL')
  }
  const ask = <Reply>(question: unknown): Promise<Reply> => {
    const reply = hear<Reply>()
    child.send(question as object)
    return reply
  }
  try {
    return { pid: child.pid ?? 0, ready: await hear<Ready>(), ask, [Symbol.asyncDispose]: stop }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

/** The child's side: announces itself, answers every question, and ends with the one who started it. */
export function serveParent(ready: unknown, reply: (question: never) => unknown = () => null): void {
  process.on('message', (question) => {
    // A failure ends the process, and the parent hears of it.
    void Promise.resolve(reply(question as never)).then((value) => process.send?.(value))
  })
  // Also when the parent was killed. `exit` lets a profile be written.
  process.once('disconnect', () => process.exit(0))
  // Ctrl-C reaches the whole group; the parent ends its children itself.
  process.on('SIGINT', () => undefined)
  process.send?.(ready)
}
