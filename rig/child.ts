import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process of its own that is asked one question at a time. */
export interface Child<Ready> extends AsyncDisposable {
  /** What it said when it was ready. */
  ready: Ready
  ask<Answer>(question: object): Promise<Answer>
}

const ANSWER_TIMEOUT_MS = 120_000
const EXIT_TIMEOUT_MS = 5_000

export async function startChild<Ready>(
  program: string,
  options: { arguments?: string[]; environment?: Record<string, string> },
): Promise<Child<Ready>> {
  const child = fork(program, options.arguments ?? [], {
    // It writes its log lines, as in production; nobody reads them.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...options.environment },
  })
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${program} ended with code ${code}`)))
  ended.catch(() => undefined)
  const hear = async <Message>(): Promise<Message> => {
    const message = once(child, 'message', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
    message.catch(() => undefined)
    const [value] = await Promise.race([message, ended])
    return value as Message
  }
  const stop = async () => {
    child.disconnect()
    await Promise.race([ended.catch(() => undefined), sleep(EXIT_TIMEOUT_MS, undefined, { ref: false })])
    child.kill('SIGKILL')
  }
  const ask = <Answer>(question: object): Promise<Answer> => {
    const answer = hear<Answer>()
    child.send(question)
    return answer
  }
  try {
    return { ready: await hear<Ready>(), ask, [Symbol.asyncDispose]: stop }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}
